"""The tests inside a policy's file: read with their facts checked, and run."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from app.domain.compliance import Verdict
from app.domain.facts import FactSet
from app.policies.engine import EffectivePolicy, EvaluationRow, judge, remedy_for
from app.policies.form import Faults, Form
from app.policies.language import RESOURCE, ObjectType, UnknownError, conform_deeply
from app.policies.language.errors import did_you_mean
from app.policies.policy import Param, Policy, PolicyTest
from app.policies.schema import KINDS, facts_of
from app.policies.yaml_source import Located

MAX_TESTS = 100
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def failures(policy: Policy, now: datetime = NOW) -> tuple[tuple[PolicyTest, str], ...]:
    """Each test of the policy that does not come out as it expects, and how."""
    return tuple(
        (test, failure)
        for test in policy.tests
        for failure in [_failure(policy, test, now)]
        if failure
    )


def _failure(policy: Policy, test: PolicyTest, now: datetime) -> str:
    effective = EffectivePolicy(policy, policy.mode, test.params)
    resource = {"name": "example", "kind": test.kind, **test.resource}
    row = EvaluationRow(
        "example", resource, FactSet(test.present, test.absent, test.unreadable), stale=False
    )
    (found,) = judge([effective], test.kind, [row], now)
    if found.verdict is not test.expect:
        because = f" because {'; '.join(found.reasons)}" if found.reasons else ""
        return f"gives {found.verdict.value}{because}, expected {test.expect.value}"
    if test.message and found.message != test.message:
        return f"says {found.message!r}, expected {test.message!r}"
    remedy = remedy_for(effective, test.kind, row, now)
    shown = f"{remedy.text} {remedy.cli}".lower()
    if test.remedy_has and test.remedy_has.lower() not in shown:
        return f"its remedy lacks {test.remedy_has!r}: {remedy.text!r}"
    if test.remedy_lacks and test.remedy_lacks.lower() in shown:
        return f"its remedy must not say {test.remedy_lacks!r}: {remedy.text!r}"
    return ""


def read_tests(
    form: Form, kinds: Sequence[str], params: Mapping[str, Param]
) -> tuple[PolicyTest, ...]:
    """The cases that the policy brings; facts are checked against the schema of their kind."""
    sources = list(form.items("tests"))
    if len(sources) > MAX_TESTS:
        form.faults.add(form.fields["tests"].place, f"at most {MAX_TESTS} tests")
    return tuple(_read_test(source, kinds, params, form.faults) for source in sources)


def _read_test(
    source: Located, kinds: Sequence[str], params: Mapping[str, Param], faults: Faults
) -> PolicyTest:
    form = Form(
        source,
        faults,
        ("name", "expect"),
        (
            "kind",
            "facts",
            "absent",
            "unreadable",
            "resource",
            "params",
            "message",
            "remedy_has",
            "remedy_lacks",
        ),
    )
    kind = form.text("kind", limit=100) or (kinds[0] if kinds else "")
    if kind not in kinds and "kind" in form.fields:
        faults.add(form.fields["kind"].place, f"{kind!r} is not in applies_to")
    known = facts_of(kind) if kind in KINDS else ObjectType()
    return PolicyTest(
        name=form.text("name", limit=200),
        place=source.place,
        kind=kind,
        resource=_values(form, "resource", RESOURCE),
        present=_values(form, "facts", known),
        absent=frozenset(_known_names(form, form.strings("absent"), known, "absent")),
        unreadable=_codes(form, known),
        params=_test_params(form, params),
        expect=form.word("expect", Verdict, Verdict.COMPLIANT),
        message=form.text("message", limit=500),
        remedy_has=form.text("remedy_has", limit=200),
        remedy_lacks=form.text("remedy_lacks", limit=200),
    )


def _values(form: Form, key: str, known: ObjectType) -> dict[str, Any]:
    """Values of facts or resource fields, each of its declared type."""
    found = {}
    for name, source in form.mapping(key).items():
        if name not in known.fields:
            form.faults.add(
                source.place, f"unknown name {name!r}{did_you_mean(name, known.fields)}"
            )
            continue
        value = source.plain()
        try:
            conform_deeply(value, known.fields[name].type, name)
        except UnknownError as error:
            form.faults.add(source.place, error.reasons[0])
        found[name] = value
    return found


def _codes(form: Form, known: ObjectType) -> dict[str, str]:
    given = form.mapping("unreadable")
    _known_names(form, given, known, "unreadable")
    return {name: str(source.value) for name, source in given.items()}


def _known_names(form: Form, names: Iterable[str], known: ObjectType, key: str) -> list[str]:
    for name in names:
        if name not in known.fields:
            hint = did_you_mean(name, known.fields)
            form.faults.add(form.fields[key].place, f"unknown name {name!r}{hint}")
    return list(names)


def _test_params(form: Form, params: Mapping[str, Param]) -> dict[str, Any]:
    found = {}
    for name, source in form.mapping("params").items():
        value: Any = source.plain()
        fault = params[name].fault(value) if name in params else "no such param"
        if fault:
            form.faults.add(source.place, fault)
        found[name] = value
    return found
