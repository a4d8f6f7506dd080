"""A small kind of resource for tests of the policy language, and short ways to ask it."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

import pytest

from app.policies.language import (
    BoolType,
    DurationType,
    Field,
    FloatType,
    IntType,
    ListType,
    MapType,
    ObjectType,
    Outcome,
    PolicySyntaxError,
    Row,
    Scope,
    StringType,
    TimestampType,
    check,
    check_program,
    compile_batch,
    evaluate,
    explain,
)

TEXT, WHOLE, SHARE, FLAG = StringType(), IntType(), FloatType(), BoolType()
RULE = ObjectType(
    {
        "tier": Field(TEXT),
        "days": Field(WHOLE),
        "enabled": Field(FLAG),
        "actions": Field(ListType(TEXT)),
        "code": Field(TEXT),
    }
)
FACTS = ObjectType(
    {
        "versioning_status": Field(StringType(("Enabled", "Suspended"))),
        "owner": Field(TEXT),
        "size_bytes": Field(WHOLE),
        "share": Field(SHARE),
        "encrypted": Field(FLAG),
        "last_access_at": Field(TimestampType()),
        "grace": Field(DurationType()),
        "gpu": Field(ObjectType({"util_percent": Field(SHARE), "model": Field(TEXT)})),
        "regions": Field(ListType(TEXT)),
        "numbers": Field(ListType(WHOLE)),
        "labels": Field(MapType(TEXT)),
        "rules": Field(ListType(RULE)),
        "modes": Field(ListType(StringType(("Hot", "Cool")))),
    }
)
PARAMS = ObjectType(
    {
        "days": Field(WHOLE),
        "allowed": Field(ListType(TEXT)),
        "max_age": Field(DurationType()),
    }
)
SCOPE = Scope(FACTS, PARAMS, kind="s3_bucket")
GIVEN: Mapping[str, object] = {"days": 30, "allowed": ["eu-west-1"], "max_age": "30d"}
NOW = datetime(2026, 11, 30, 9, 38, tzinfo=UTC)

Ask = Callable[..., Outcome]
Refuse = Callable[[str], PolicySyntaxError]


@pytest.fixture
def scope() -> Scope:
    return SCOPE


RESOURCE = {"id": "r1", "name": "logs", "kind": "s3_bucket", "region_id": "eu-west-1", "tags": {}}


def make_row(
    *,
    resource: Mapping[str, object] | None = None,
    absent: frozenset[str] = frozenset(),
    unreadable: Mapping[str, str] | None = None,
    **present: object,
) -> Row:
    return Row({**RESOURCE, **(resource or {})}, present, absent, unreadable or {})


@pytest.fixture
def row() -> Callable[..., Row]:
    """Builds a row; keywords are its present facts."""
    return make_row


@pytest.fixture
def ask() -> Ask:
    """Evaluates a source on a row, by the interpreter and by generated code, which must agree."""

    def answer(source: str, row: Row | None = None, **present: object) -> Outcome:
        row = row or Row(RESOURCE, present)
        outcome = evaluate(check(source, SCOPE), row, GIVEN, NOW)
        program = check_program(None, source, SCOPE)
        [[verdict]] = compile_batch([(program, GIVEN)])([row], NOW)
        by_code = {"compliant": True, "non_compliant": False, "unknown": None}[verdict]
        assert by_code is outcome.value, "generated code and interpreter disagree"
        assert explain(program, row, GIVEN, NOW).reasons == outcome.reasons
        return outcome

    return answer


@pytest.fixture
def refuse() -> Refuse:
    """The error with which a source is refused."""

    def error(source: str) -> PolicySyntaxError:
        with pytest.raises(PolicySyntaxError) as caught:
            check(source, SCOPE)
        return caught.value

    return error
