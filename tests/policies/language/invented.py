"""An invented kind of resource with a fact of every type, for random policies and rows."""

from datetime import UTC, datetime

from app.policies.language import (
    BoolType,
    DurationType,
    Field,
    FloatType,
    IntType,
    ListType,
    MapType,
    ObjectType,
    Scope,
    StringType,
    TimestampType,
)

RULE = ObjectType(
    {
        "tier": Field(StringType(("Cool", "Archive", "Delete"))),
        "days": Field(IntType()),
        "share": Field(FloatType()),
        "enabled": Field(BoolType()),
        "since": Field(TimestampType()),
        "grace": Field(DurationType()),
        "prefixes": Field(ListType(StringType())),
        "filter": Field(ObjectType({"prefix": Field(StringType()), "size": Field(IntType())})),
    }
)
FACTS = ObjectType(
    {
        "status": Field(StringType(("Enabled", "Suspended"))),
        "owner": Field(StringType()),
        "size_bytes": Field(IntType()),
        "count": Field(IntType()),
        "share": Field(FloatType()),
        "encrypted": Field(BoolType()),
        "seen_at": Field(TimestampType()),
        "age": Field(DurationType()),
        "regions": Field(ListType(StringType())),
        "numbers": Field(ListType(IntType())),
        "shares": Field(ListType(FloatType())),
        "flags": Field(ListType(BoolType())),
        "times": Field(ListType(TimestampType())),
        "labels": Field(MapType(StringType())),
        "counts": Field(MapType(IntType())),
        "gpu": Field(
            ObjectType(
                {
                    "util": Field(FloatType()),
                    "model": Field(StringType()),
                    "on": Field(BoolType()),
                    "memory": Field(ObjectType({"used": Field(IntType())})),
                }
            )
        ),
        "rules": Field(ListType(RULE)),
    }
)
PARAMS = ObjectType(
    {
        "days": Field(IntType()),
        "share": Field(FloatType()),
        "allowed": Field(ListType(StringType())),
        "grace": Field(DurationType()),
        "strict": Field(BoolType()),
    }
)
SCOPE = Scope(FACTS, PARAMS, kind="invented_store")
NOW = datetime(2026, 11, 30, 9, 38, tzinfo=UTC)
GIVEN: dict[str, object] = {
    "days": 30,
    "share": 0.5,
    "allowed": ["eastus", "westeurope"],
    "grace": "24h",
    "strict": True,
}
TIMES = ("2026-01-01T00:00:00Z", "2026-11-29T23:00:00+02:00", "2026-11-30T09:38:00.250Z")
WORDS = ("", "eastus", "westeurope", "prod-1", "Enabled", "é\U0001f600")
