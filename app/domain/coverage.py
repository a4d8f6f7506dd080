"""Adds up how the remote calls of one sweep ended, per scope and operation."""

from collections import Counter
from collections.abc import Iterator

from app.domain.collecting import Outcome, ScopeReport


class Coverage:
    """Counts calls; `reports()` gives one `ScopeReport` per scope and operation, in that order.

    Code and message of a report are those of its first call that was denied, else that failed,
    else that was skipped.
    """

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], Counter[str]] = {}
        self._faults: dict[tuple[str, str], dict[Outcome, tuple[str, str]]] = {}
        self._skews: dict[tuple[str, str], float] = {}

    def count(
        self,
        scope: str,
        operation: str,
        outcome: Outcome,
        *,
        throttled: int = 0,
        fault: tuple[str, str] = ("", ""),
    ) -> None:
        """One call. A skipped one was not asked; `fault` is the code and message of the others."""
        counts = self._counts.setdefault((scope, operation), Counter())
        counts[outcome] += 1
        counts["asked"] += outcome is not Outcome.SKIPPED
        counts["throttled"] += throttled
        if any(fault):
            self._faults.setdefault((scope, operation), {}).setdefault(outcome, fault)

    def note_skew(self, scope: str, operation: str, seconds: float) -> None:
        """How far the source's clock was ahead of ours in an answer; the last one counts."""
        self._skews[scope, operation] = seconds

    def reports(self) -> Iterator[ScopeReport]:
        """What was counted so far."""
        for (scope, operation), counts in sorted(self._counts.items()):
            faults = self._faults.get((scope, operation), {})
            worst = (Outcome.DENIED, Outcome.FAILED, Outcome.SKIPPED)
            code, message = next((faults[kind] for kind in worst if kind in faults), ("", ""))
            yield ScopeReport(
                scope,
                operation,
                **{name: counts[name] for name in ("asked", "throttled", *Outcome)},
                code=code,
                message=message,
                clock_skew_seconds=self._skews.get((scope, operation)),
            )
