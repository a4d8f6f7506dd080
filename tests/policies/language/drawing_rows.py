"""Random rows of the invented kind, from a seed."""

import random
from datetime import datetime, timedelta

from app.policies.language import Row
from tests.policies.language.invented import FACTS, NOW, TIMES, WORDS


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
            since=self.null_or(one(TIMES)),
            grace=self.null_or(one(("1h", "24h", "90s"))),
            prefixes=self.null_or(list(WORDS[: one((0, 2))])),
            filter=self.null_or(self.kept(prefix=one(WORDS), size=one((0, 5)))),
        )

    def present(self) -> dict[str, object]:
        one, some = self.rng.choice, self.rng.sample
        found = self.kept(
            status=one(("Enabled", "Suspended")),
            owner=one(WORDS),
            size_bytes=one((0, 5, 2**62, 2**63 - 1)),
            count=one((0, 1, 3)),
            share=one((0.5, 1.5)),
            encrypted=one((True, False)),
            seen_at=one(TIMES),
            age=one(("24h", "1h30m")),
            regions=some(WORDS, 2),
            numbers=some((1, 2, 3, 30), one((0, 2))),
            shares=some((0.5, 2.0), one((0, 1, 2))),
            flags=some((True, False), one((0, 2))),
            times=some(TIMES, one((0, 2))),
            labels=self.kept(a=one(WORDS), env="prod"),
            counts=self.kept(a=one((0, 3))),
            gpu=self.kept(
                util=one((0.5, 99.0)), model=one(WORDS), on=True, memory=self.kept(used=3)
            ),
            rules=[self.rule() for _ in range(one((0, 1, 2, 3)))],
        )
        return {key: self.null_or(value) for key, value in found.items()}

    def resource(self) -> dict[str, object]:
        drawn = self.kept(
            region_id=self.rng.choice(WORDS), tags=self.kept(env="prod", a="x"),
            created_at=TIMES[0],
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
