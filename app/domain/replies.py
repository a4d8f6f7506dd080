"""What came back from one call, before it is understood: an answer, none, or no reply."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from app.domain.collecting import Outcome
from app.domain.facts import ABSENT, Fact, Present, Unreadable

UNEXPECTED = "UnexpectedAnswer"
SKIPPED_BY_CONFIGURATION = "SkippedByConfiguration"
Parse = Callable[[Mapping[str, Any]], Mapping[str, Any]]
# What reading an answer raises that has another shape than its source documents.
ODD = (LookupError, TypeError, ValueError, ArithmeticError, AttributeError)


@dataclass(frozen=True, slots=True)
class Reply:
    """The end of one operation. `answer` is filled only when `outcome` is answered."""

    outcome: Outcome
    answer: Mapping[str, Any] = field(default_factory=dict)
    code: str = ""
    message: str = ""
    throttled: int = 0


SKIPPED = Reply(Outcome.SKIPPED, code=SKIPPED_BY_CONFIGURATION)


def understood(
    reply: Reply, feeds: tuple[str, ...], parse: Parse
) -> tuple[Reply, dict[str, Fact[Any]]]:
    """The facts that a reply fills. A value of None is an absence that the source stated.

    An answer of a shape that the source does not document becomes a failed reply, never a value.
    """
    if reply.outcome is Outcome.ABSENT:
        return reply, dict.fromkeys(feeds, ABSENT)
    if reply.outcome is Outcome.ANSWERED:
        try:
            values = parse(reply.answer)
        except ODD as error:
            text = f"{type(error).__name__}: {error}"[:200]
            reply = replace(reply, outcome=Outcome.FAILED, code=UNEXPECTED, message=text)
        else:
            return reply, {name: _stated(values[name]) for name in feeds}
    return reply, dict.fromkeys(feeds, Unreadable(reply.code))


def _stated(value: object) -> Fact[Any]:
    return ABSENT if value is None else Present(value)
