"""Whether something works, from the state that its service tells."""

from collections.abc import Collection, Iterable

from app.domain.fact_sums import first_unreadable, reported
from app.domain.facts import Fact, Present, Unreadable

# The state will be another one soon, and says nothing of how things stand then.
PASSING = "Passing"


def healthy(
    state: Fact[str], *, good: Collection[str], bad: Collection[str], passing: Collection[str]
) -> Fact[bool]:
    """True or false for a lasting state; unreadable for one that passes or that is new to us.

    States are given in lower case.
    """
    told = reported(state)
    if not isinstance(told, Present):
        return told
    word = told.value.lower()
    if word in good or word in bad:
        return Present(word in good)
    return Unreadable(f"{PASSING if word in passing else 'UnknownState'} {told.value}")


def troubled(parts: Iterable[tuple[str, Fact[bool]]]) -> Fact[tuple[str, ...]]:
    """The names of the parts that are not healthy, of names with the health of each.

    Known as soon as one is not; that there is none, only when every part is known to be well.
    """
    found = list(parts)
    bad = tuple(name for name, health in found if health == Present(value=False))
    unread = first_unreadable(*(health for _, health in found))
    return unread if unread and not bad else Present(bad)
