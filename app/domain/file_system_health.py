"""Whether a file system serves its files, from the state that its service tells."""

from collections.abc import Collection

from app.domain.fact_sums import reported
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
