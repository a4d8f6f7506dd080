"""Random policies and rows of one invented kind, from a seed."""

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from app.policies.language import (
    BoolType,
    DurationType,
    Field,
    FloatType,
    IntType,
    ListType,
    MapType,
    ObjectType,
    Row,
    Scope,
    StringType,
    TimestampType,
)
from app.policies.language.calls import MAX_LOOPS

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
_TIMES = ("2026-01-01T00:00:00Z", "2026-11-29T23:00:00+02:00", "2026-11-30T09:38:00.250Z")
_WORDS = ("", "eastus", "westeurope", "prod-1", "Enabled", "é\U0001f600")


class Policies:
    """Draws expressions that the checker accepts; `roots` are the variables in sight.

    With `like_cel` only those parts whose meaning Google's CEL shares, written so that untyped
    facts mean the same there (`timestamp(facts.seen_at)`).
    """

    def __init__(self, rng: random.Random, *, like_cel: bool) -> None:
        self.rng = rng
        self.like_cel = like_cel
        self.rules: list[str] = []

    def one_of(self, *ways: Callable[[int], str]) -> Callable[[int], str]:
        return self.rng.choice(ways)

    def truth(self, depth: int) -> str:
        if depth <= 0:
            return self.one_of(self.flag, self.presence, self.comparison)(depth)
        return self.one_of(
            self.comparison, self.comparison, self.junction, self.junction, self.negation,
            self.branch, self.macro, self.macro, self.member, self.method, self.presence,
            self.null, self.flag, self.lists,
        )(depth - 1)  # fmt: skip

    def holder(self) -> str:
        """What has the fields of a rule: a macro's variable, or one item by index."""
        if self.rules and self.rng.random() < 0.9:
            return self.rng.choice(self.rules)
        return f"facts.rules[{self.rng.choice(('0', '1', 'facts.count'))}]"

    def flag(self, _: int) -> str:
        found = ["facts.encrypted", "facts.gpu.on", "params.strict", "true", "false"]
        return self.rng.choice([*found, f"{self.holder()}.enabled", "facts.flags[0]"])

    def whole(self, depth: int) -> str:
        if depth > 0 and self.rng.random() < 0.3:
            op, left = self.rng.choice("+-*/%"), self.whole(depth - 1)
            return f"({left} {op} {self.whole(depth - 1)})"
        if depth > 0 and self.rng.random() < 0.2:
            return f"(-{self.whole(depth - 1)})"
        found = ["facts.size_bytes", "facts.count", "params.days", "facts.gpu.memory.used"]
        found += [f"{self.holder()}.days", "0", "3", "-7", "9223372036854775807", "facts.counts.a"]
        found += [f"size({self.words(0)})", f"size({self.text(0)})", "facts.numbers[1]"]
        found += ["size(facts.labels)", "size(facts.rules)"]
        if len(self.rules) < MAX_LOOPS:
            found += ["facts.numbers.map(n, n * 2)[0]"]
        return self.rng.choice(found)

    def share(self, depth: int) -> str:
        if depth > 0 and self.rng.random() < 0.3:
            op = self.rng.choice("+-*" if self.like_cel else "+-*/")
            return f"({self.share(depth - 1)} {op} {self.share(depth - 1)})"
        found = ["facts.share", "facts.gpu.util", "params.share", f"{self.holder()}.share"]
        return self.rng.choice([*found, "0.5", "-2.0", "1e3", "facts.shares[0]"])

    def text(self, depth: int) -> str:
        if depth > 0 and self.rng.random() < 0.2:
            return f"({self.truth(depth - 1)} ? {self.text(0)} : {self.text(0)})"
        found = ["facts.owner", "facts.gpu.model", "resource.region_id", "resource.tags['env']"]
        found += ["facts.labels.a", f"{self.holder()}.filter.prefix", "facts.regions[0]"]
        return self.rng.choice([*found, "'eastus'", "'prod-1'", "''", '"\\u00e9"'])

    def instant(self, depth: int) -> str:
        if depth > 0 and self.rng.random() < 0.3:
            return f"({self.instant(0)} {self.rng.choice('+-')} {self.length(0)})"
        found = ["facts.seen_at", "resource.created_at", f"{self.holder()}.since", "facts.times[0]"]
        stored = self.rng.choice(found)
        wrapped = f"timestamp({stored})" if self.like_cel or self.rng.random() < 0.3 else stored
        return self.rng.choice([wrapped, wrapped, "now", f"timestamp('{_TIMES[0]}')"])

    def length(self, depth: int) -> str:
        if depth > 0 and self.rng.random() < 0.4:
            return f"({self.instant(0)} - {self.instant(0)})"
        stored = self.rng.choice(["facts.age", "params.grace", f"{self.holder()}.grace"])
        wrapped = f"duration({stored})" if self.like_cel or self.rng.random() < 0.3 else stored
        unit = "" if self.like_cel else "1d"
        return self.rng.choice([wrapped, wrapped, f"duration('{unit}1h30m')", "duration('-90s')"])

    def words(self, _: int) -> str:
        found = ["facts.regions", "params.allowed", f"{self.holder()}.prefixes"]
        found += ["['eastus', 'prod-1']", "['eastus', facts.owner]"]
        if len(self.rules) < MAX_LOOPS:
            found += ["facts.rules.map(x, x.filter.prefix)"]
            found += ["facts.regions.filter(x, x != 'eastus')"]
        return self.rng.choice(found)

    def comparison(self, depth: int) -> str:
        kind = self.one_of(self.whole, self.share, self.text, self.instant, self.length)
        op = self.rng.choice(["==", "!=", "<", "<=", ">", ">="])
        if kind == self.whole and self.rng.random() < 0.2:
            return f"facts.{self.rng.choice(('count', 'size_bytes'))} {op} facts.share"
        if self.rng.random() < 0.15:
            return f"facts.status {self.rng.choice(['==', '!='])} 'Enabled'"
        return f"{kind(depth)} {op} {kind(depth)}"

    def junction(self, depth: int) -> str:
        op = self.rng.choice([" && ", " || "])
        return "(" + op.join(self.truth(depth) for _ in range(self.rng.choice((2, 2, 3)))) + ")"

    def negation(self, depth: int) -> str:
        return f"!({self.truth(depth)})"

    def branch(self, depth: int) -> str:
        return f"({self.truth(depth)} ? {self.truth(depth)} : {self.truth(depth)})"

    def macro(self, depth: int) -> str:
        if len(self.rules) >= MAX_LOOPS:
            return self.comparison(depth)
        name = f"r{len(self.rules)}"
        self.rules.append(name)
        body = self.truth(depth - 1)
        self.rules.pop()
        if self.rng.random() < 0.25:
            item = self.rng.choice(["facts.labels", "facts.regions", "resource.tags"])
            word = self.rng.choice(["k == 'env'", "k.startsWith('e')", "k in params.allowed"])
            return f"{item}.{self.rng.choice(['exists', 'all'])}(k, {word})"
        quantity = self.rng.choice(["exists", "all", "exists_one", "filter"])
        code = f"facts.rules.{quantity}({name}, {body})"
        return f"size({code}) == 1" if quantity == "filter" else code

    def member(self, depth: int) -> str:
        if len(self.rules) >= MAX_LOOPS:
            return self.comparison(depth)
        found = [f"{self.text(depth)} in {self.words(0)}", f"{self.whole(0)} in facts.numbers"]
        found += ["facts.status in ['Enabled']", f"{self.whole(0)} in [1, 3, 30]"]
        found += ["'env' in resource.tags", f"{self.text(0)} in facts.labels"]
        return self.rng.choice([*found, f"{self.share(0)} in facts.shares"])

    def method(self, depth: int) -> str:
        name = self.rng.choice(["startsWith", "endsWith", "contains"])
        found = f"{self.text(depth)}.{name}({self.text(0)})"
        return self.rng.choice([found, f"{self.text(depth)}.matches('^[a-z]+[0-9]?')"])

    def presence(self, _: int) -> str:
        path = self.rng.choice(
            [
                *("facts.owner", "facts.gpu", "facts.gpu.util", "facts.labels.a", "facts.rules"),
                *("facts.gpu.memory.used", "resource.created_at", "resource.tags.env"),
                *(f"{self.holder()}.days", f"{self.holder()}.filter", "params.days"),
            ]
        )
        return f"(has({path}) && {path} != null)" if self.like_cel else f"has({path})"

    def null(self, _: int) -> str:
        path = self.rng.choice(["facts.owner", "facts.rules", f"{self.holder()}.days", "facts.gpu"])
        return f"{path} {self.rng.choice(['==', '!='])} null"

    def lists(self, _: int) -> str:
        if len(self.rules) >= MAX_LOOPS:
            return self.flag(0)
        found = ["facts.numbers == [1, 2]", "facts.regions != params.allowed", "facts.flags == []"]
        found += ["facts.numbers.map(n, n % 2) == [1, 0]"]
        if not self.like_cel:
            found += ["now in facts.times", "facts.times == [now]", "true in facts.flags"]
        return self.rng.choice(found)


class Rows:
    """Draws rows; each fact is missing in one case of five."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def kept(self, **drawn: object) -> dict[str, object]:
        return {key: value for key, value in drawn.items() if self.rng.random() < 0.8}

    def null_or(self, value: object) -> object:
        return None if self.rng.random() < 0.1 else value

    def rule(self) -> dict[str, object]:
        one = self.rng.choice
        return self.kept(
            tier=self.null_or(one(("Cool", "Archive", "New"))),
            days=self.null_or(one((0, 3, 30, 90))),
            share=self.null_or(one((0.5, 2.0))),
            enabled=self.null_or(one((True, False))),
            since=self.null_or(one(_TIMES)),
            grace=self.null_or(one(("1h", "24h", "90s"))),
            prefixes=self.null_or(list(_WORDS[: one((0, 2))])),
            filter=self.null_or(self.kept(prefix=one(_WORDS), size=one((0, 5)))),
        )

    def present(self) -> dict[str, object]:
        one, some = self.rng.choice, self.rng.sample
        found = self.kept(
            status=one(("Enabled", "Suspended")),
            owner=one(_WORDS),
            size_bytes=one((0, 5, 2**62, 2**63 - 1)),
            count=one((0, 1, 3)),
            share=one((0.5, 1.5)),
            encrypted=one((True, False)),
            seen_at=one(_TIMES),
            age=one(("24h", "1h30m")),
            regions=some(_WORDS, 2),
            numbers=some((1, 2, 3, 30), one((0, 2))),
            shares=some((0.5, 2.0), one((0, 1, 2))),
            flags=some((True, False), one((0, 2))),
            times=some(_TIMES, one((0, 2))),
            labels=self.kept(a=one(_WORDS), env="prod"),
            counts=self.kept(a=one((0, 3))),
            gpu=self.kept(
                util=one((0.5, 99.0)), model=one(_WORDS), on=True, memory=self.kept(used=3)
            ),
            rules=[self.rule() for _ in range(one((0, 1, 2, 3)))],
        )
        return {key: self.null_or(value) for key, value in found.items()}

    def resource(self) -> dict[str, object]:
        drawn = self.kept(
            region_id=self.rng.choice(_WORDS), tags=self.kept(env="prod", a="x"),
            created_at=_TIMES[0],
        )  # fmt: skip
        return {"id": "r1", "name": "store", "kind": "invented_store", **drawn}

    def row(self) -> Row:
        """Missing facts are absent, as in CEL, where there is no other way to be missing."""
        present = self.present()
        return Row(self.resource(), present, frozenset(FACTS.fields) - set(present))

    def honest_row(self) -> Row:
        """Missing facts are absent, unreadable, or were never collected."""
        present, missing = self.present(), sorted(FACTS.fields)
        missing = [name for name in missing if name not in present]
        absent = frozenset(name for name in missing if self.rng.random() < 0.4)
        rest = [name for name in missing if name not in absent]
        unreadable = {name: "AccessDenied" for name in rest if self.rng.random() < 0.6}
        return Row(self.resource(), present, absent, unreadable)

    def odd_row(self) -> Row:
        """Some values are of another type than the schema says."""
        row = self.honest_row()
        odd = {key: self.spoilt(value) for key, value in row.present.items()}
        return row._replace(present=odd, resource=dict(row.resource))

    def spoilt(self, value: object) -> object:
        if self.rng.random() < 0.15:
            return self.rng.choice(_STRANGERS)
        if isinstance(value, dict):
            return {key: self.spoilt(part) for key, part in value.items()}
        if isinstance(value, list):
            return [self.spoilt(part) for part in value]
        return value


_STRANGERS: tuple[object, ...] = (
    None, True, 1, 0, 2**70, -1, 1.0, float("nan"), float("inf"), 10**400, "", "x", "\ud800",
    "2026-01-01", "30d", b"x", [], [1], ["x"], [None], (1, 2), {}, {"a": 1}, {"a": None}, object(),
    datetime(2026, 1, 1), NOW, NOW.replace(year=1), timedelta(days=1), timedelta.max,  # noqa: DTZ001 - a naive one is the point
)  # fmt: skip
