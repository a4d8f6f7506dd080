"""The parts of a policy's file: its head, params, expressions and texts."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from app.domain.compliance import Pillar, PolicyMode, Severity
from app.policies.form import Faults, Form
from app.policies.language import (
    BoolType,
    Expression,
    Field,
    FloatType,
    IntType,
    ListType,
    ObjectType,
    PolicySyntaxError,
    Program,
    Scope,
    StringType,
    Type,
    check,
    check_message,
)
from app.policies.language.errors import did_you_mean
from app.policies.policy import LIST_OF_STRINGS, PARAM_TYPES, Choice, Param
from app.policies.schema import KINDS, facts_of
from app.policies.yaml_source import Located

HEAD = ("id", "title", "why", "source", "severity", "pillar", "area", "applies_to")
REQUIRED = (*HEAD, "assert", "message", "remedy", "tests")
OPTIONAL = ("breach", "params", "when", "mode")

MAX_PARAMS = 20
_KEBAB = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_AREA = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,59}")
_LANGUAGE_TYPES: dict[str, Type] = {
    "int": IntType(),
    "float": FloatType(),
    "bool": BoolType(),
    "string": StringType(),
    LIST_OF_STRINGS: ListType(StringType()),
}


@dataclass(frozen=True, slots=True)
class Head:
    """What a policy says of itself."""

    id: str
    title: str
    breach: str
    why: str
    source: str
    severity: Severity
    pillar: Pillar
    area: str
    mode: PolicyMode
    applies_to: tuple[str, ...]


def read_head(form: Form) -> Head:
    """The descriptive fields."""
    title = form.text("title", limit=200)
    return Head(
        id=form.text("id", limit=100, pattern=_KEBAB),
        title=title,
        breach=form.text("breach", limit=200) or title,
        why=form.text("why", limit=2000),
        source=form.text("source", limit=500),
        severity=form.word("severity", Severity, Severity.MEDIUM),
        pillar=form.word("pillar", Pillar, Pillar.LIFECYCLE),
        area=form.text("area", limit=40, pattern=_AREA),
        mode=form.word("mode", PolicyMode, PolicyMode.ENFORCE),
        applies_to=_kinds(form),
    )


def _kinds(form: Form) -> tuple[str, ...]:
    found = form.strings("applies_to")
    for kind in found:
        if kind not in KINDS:
            place = form.fields["applies_to"].place
            form.faults.add(place, f"unknown kind {kind!r}{did_you_mean(kind, KINDS)}")
    return tuple(kind for kind in dict.fromkeys(found) if kind in KINDS)


def read_params(form: Form) -> dict[str, Param]:
    """The declared params with their defaults checked against their own bounds."""
    declared = form.mapping("params")
    if len(declared) > MAX_PARAMS:
        form.faults.add(form.fields["params"].place, f"at most {MAX_PARAMS} params")
    found = {}
    for name, source in declared.items():
        if not _NAME.fullmatch(name):
            form.faults.add(source.place, "a param's name is lower-case with _, such as max_days")
        param = _read_param(name, source, form.faults)
        if param:
            found[name] = param
    return found


def _read_param(name: str, source: Located, faults: Faults) -> Param | None:
    form = Form(source, faults, ("type", "default", "doc"), ("minimum", "maximum"))
    type_ = form.text("type", limit=40)
    if type_ not in PARAM_TYPES:
        if type_:
            faults.add(form.fields["type"].place, f"type must be one of {', '.join(PARAM_TYPES)}")
        return None
    default: Any = form.fields["default"].plain() if "default" in form.fields else None
    param = Param(
        name=name,
        type=type_,
        default=default,
        doc=form.text("doc", limit=300),
        minimum=form.number("minimum"),
        maximum=form.number("maximum"),
    )
    fault = param.fault(default)
    if fault and "default" in form.fields:
        faults.add(form.fields["default"].place, f"the default does not fit: {fault}")
    return None if fault else param


def scope_of(kind: str, params: Mapping[str, Param]) -> Scope:
    """What expressions of a policy may name for one kind."""
    fields = {name: Field(_LANGUAGE_TYPES[found.type], found.doc) for name, found in params.items()}
    return Scope(facts=facts_of(kind), params=ObjectType(fields), kind=kind)


def read_expression(source: Located, scope: Scope, faults: Faults) -> Expression | None:
    """A checked condition; a fault gives None."""
    if not isinstance(source.value, str):
        faults.add(source.place, "a condition must be text; put it in quotes")
        return None
    try:
        return check(source.value, scope)
    except PolicySyntaxError as error:
        faults.add_syntax(source, error)
        return None


def read_program(form: Form, scope: Scope) -> Program | None:
    """`when` and `assert` for one kind; a fault gives None."""
    when = None
    if "when" in form.fields:
        when = read_expression(form.fields["when"], scope, form.faults)
        if when is None:
            return None
    if "assert" not in form.fields:
        return None
    assertion = read_expression(form.fields["assert"], scope, form.faults)
    return Program(when, assertion) if assertion else None


def read_choices(form: Form, key: str, scopes: Mapping[str, Scope]) -> tuple[Choice, ...]:
    """A text, or a list of texts with conditions of which the last one has none."""
    source = form.fields.get(key)
    if source is None:
        return ()
    if isinstance(source.value, str):
        return (_plain_choice(source, scopes, form.faults),)
    found = [_read_choice(item, key, scopes, form.faults) for item in form.items(key)]
    for kind in scopes:
        if found and not any(choice.kind in ("", kind) and not choice.when for choice in found):
            message = f"the last {key} for {kind} must have no condition, or some get none"
            form.faults.add(source.place, message)
    return tuple(found)


def _plain_choice(source: Located, scopes: Mapping[str, Scope], faults: Faults) -> Choice:
    _check_template(source, scopes.values(), faults)
    return Choice(str(source.value).strip(), "", {})


def _read_choice(source: Located, key: str, scopes: Mapping[str, Scope], faults: Faults) -> Choice:
    commands = ("cli",) if key == "remedy" else ()
    form = Form(source, faults, ("text",), ("kind", "when", *commands))
    kind = form.text("kind", limit=100)
    if kind and kind not in scopes:
        faults.add(form.fields["kind"].place, f"{kind!r} is not in applies_to")
    meant = {name: scope for name, scope in scopes.items() if kind in ("", name)}
    conditions: dict[str, Expression] = {}
    if "when" in form.fields:
        for name, scope in meant.items():
            checked = read_expression(form.fields["when"], scope, faults)
            conditions |= {name: checked} if checked else {}
    text = form.text("text", limit=1000)
    if text:
        _check_template(form.fields["text"], meant.values(), faults)
    return Choice(text, kind, conditions, form.text("cli", limit=2000))


def _check_template(source: Located, scopes: Iterable[Scope], faults: Faults) -> None:
    for scope in scopes:
        try:
            check_message(str(source.value), scope)
        except PolicySyntaxError as error:
            faults.add_syntax(source, error)
            return
