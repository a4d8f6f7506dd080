"""Random policies over the invented kind, from a seed."""

import random
from collections.abc import Callable

from app.policies.language.calls import MAX_LOOPS
from tests.policies.language.invented import TIMES


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
        return self.rng.choice([wrapped, wrapped, "now", f"timestamp('{TIMES[0]}')"])

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
        found = ["facts.owner", "facts.rules", "facts.gpu", "facts.encrypted", "facts.gpu.on"]
        path = self.rng.choice([*found, f"{self.holder()}.days", f"{self.holder()}.enabled"])
        return f"{path} {self.rng.choice(['==', '!='])} null"

    def lists(self, _: int) -> str:
        if len(self.rules) >= MAX_LOOPS:
            return self.flag(0)
        found = ["facts.numbers == [1, 2]", "facts.regions != params.allowed", "facts.flags == []"]
        found += ["facts.numbers.map(n, n % 2) == [1, 0]"]
        if not self.like_cel:
            found += ["now in facts.times", "facts.times == [now]", "true in facts.flags"]
        return self.rng.choice(found)
