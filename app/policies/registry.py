"""Finds the built-in policies and accepts users' own: the only door by which a policy comes in."""

import hashlib
from functools import cache
from pathlib import Path
from typing import NoReturn

from app.kit.errors import InvalidInputError
from app.policies.cases import failures, read_tests
from app.policies.form import Faults, Form
from app.policies.language import Program, Scope
from app.policies.parts import (
    OPTIONAL,
    REQUIRED,
    read_choices,
    read_head,
    read_params,
    read_program,
    scope_of,
)
from app.policies.policy import Policy
from app.policies.yaml_source import Place, SourceError, read

_ROOM = Path(__file__).parent
_MEND = "mend the policy's text; nothing was changed"
_VERSION_CHARACTERS = 12
_EXPRESSION_CHARACTERS = 4096
_MOST_FAULTS = 50


@cache
def built_in() -> dict[str, Policy]:
    """The policies that come with the product, by id; InvalidInputError names a broken file."""
    found = {}
    for path in sorted(_ROOM.glob("*/*.yaml")):
        where = f"{path.parent.name}/{path.name}"
        policy = parse(path.read_text(encoding="utf-8"), where=where)
        if f"{policy.area}/{policy.id}.yaml" != where:
            raise InvalidInputError(f"{where}: area and id must be those of the path", mend=_MEND)
        found[policy.id] = policy
    return found


def parse(text: str, *, where: str) -> Policy:
    """A policy from its YAML, checked in full and passing its own tests.

    InvalidInputError lists the first 50 faults as {"where": "line:column", "what"}; its detail
    begins with `where:line:column` of the first.
    """
    try:
        source = read(text)
    except SourceError as error:
        _refuse(where, [(error.place, error.message)])
    faults = Faults()
    form = Form(source, faults, REQUIRED, OPTIONAL)
    policy = _build(form, text)
    if policy is None or faults.found:
        _refuse(where, faults.found)
    broken = failures(policy)
    if broken:
        _refuse(where, [(test.place, f"the test {test.name!r} {what}") for test, what in broken])
    return policy


def _build(form: Form, text: str) -> Policy | None:
    """None when a fault leaves no policy to speak of; the faults stand in the form."""
    head = read_head(form)
    params = read_params(form)
    scopes = {kind: scope_of(kind, params) for kind in head.applies_to}
    programs = _programs(form, scopes)
    messages = read_choices(form, "message", scopes)
    remedies = read_choices(form, "remedy", scopes)
    tests = read_tests(form, head.applies_to, params)
    if form.faults.found:
        return None
    return Policy(
        id=head.id,
        version=hashlib.sha256(text.encode()).hexdigest()[:_VERSION_CHARACTERS],
        title=head.title,
        breach=head.breach,
        why=head.why,
        source=head.source,
        severity=head.severity,
        pillar=head.pillar,
        area=head.area,
        mode=head.mode,
        applies_to=head.applies_to,
        params=params,
        when=form.text("when", limit=_EXPRESSION_CHARACTERS),
        assertion=form.text("assert", limit=_EXPRESSION_CHARACTERS),
        messages=messages,
        remedies=remedies,
        tests=tests,
        text=text,
        programs=programs,
    )


def _programs(form: Form, scopes: dict[str, Scope]) -> dict[str, Program]:
    """The same text checked for each kind; a fault is told once, for the first kind that has it."""
    found = {}
    for kind, scope in scopes.items():
        program = read_program(form, scope)
        if program is None:
            break
        found[kind] = program
    return found


def _refuse(where: str, faults: list[tuple[Place, str]]) -> NoReturn:
    each = list(dict.fromkeys(faults))[:_MOST_FAULTS]
    place, message = each[0]
    more = f" (and {len(each) - 1} more)" if len(each) > 1 else ""
    raise InvalidInputError(
        f"{where}:{place.line}:{place.column}: {message}{more}",
        mend=_MEND,
        errors=tuple(
            {"where": f"{place.line}:{place.column}", "what": message} for place, message in each
        ),
    ) from None
