"""Judges one batch of resources and writes only what changed."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from app.collectors import registry
from app.domain.compliance import Judgement, PolicyMode, Verdict, freshness
from app.domain.declared import is_declared
from app.domain.facts import FactSet
from app.kit.clean import clean_json, clean_text
from app.policies.engine import EvaluationRow, judge
from app.services import finding_life
from app.services.finding_life import Ground, Key
from app.services.policies import PolicySet
from app.store import findings, judging
from app.store.judging import Standing, Subject
from app.store.models.inventory import ConnectionRow

WAIVED = "waived"


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What a batch came to: resources judged, verdicts written, findings opened and resolved."""

    resources: int
    changed: int
    opened: list[int]
    resolved: list[int]


class Batch:
    """Resources of one kind on one connection; the caller holds `dialect.lock_connection`."""

    def __init__(
        self,
        session: Session,
        connection_id: UUID,
        known: PolicySet,
        rows: Sequence[Subject],
        now: datetime,
    ) -> None:
        self._known = known
        self._ids = [row.id for row in rows]
        self._before = judging.standings(session, self._ids)
        connection = session.get_one(ConnectionRow, connection_id)
        self._ground = Ground(
            session=session,
            connection_id=connection_id,
            subjects={row.id: row for row in rows},
            enforced={f.policy.id: f for f in known.policies if f.mode is PolicyMode.ENFORCE},
            before=self._before,
            evaluated_at=connection.evaluated_at,
            now=now,
        )
        self._open = findings.open_on(session, self._ids)

    def run(self) -> BatchResult:
        """Judges and writes."""
        judgements = self._judge()
        opened = finding_life.open_breaches(self._ground, judgements, self._open)
        resolved = finding_life.close_healed(self._ground, judgements, self._open)
        if opened or resolved:
            self._open = findings.open_on(self._ground.session, self._ids)
        changed = self._write_verdicts(judgements)
        self._write_counts(judgements)
        return BatchResult(len(self._ids), changed, opened, resolved)

    def _judge(self) -> dict[Key, Judgement]:
        kind = self._ground.subjects[self._ids[0]].kind
        rows = [to_row(subject, self._ground.now) for subject in self._ground.subjects.values()]
        found = judge(self._known.policies, kind, rows, self._ground.now)
        keys = {str(resource_id): resource_id for resource_id in self._ids}
        return {(one.policy_id, keys[one.resource_id]): one for one in found}

    def _write_verdicts(self, judgements: Mapping[Key, Judgement]) -> int:
        rows = [
            self._verdict(key, judgement)
            for key, judgement in judgements.items()
            if self._differs(key, judgement)
        ]
        judging.write_verdicts(self._ground.session, rows)
        finding_life.refresh(self._ground, rows, self._open)
        outdated = [
            key
            for key in self._before.keys() - judgements.keys()
            if key[0] not in self._known.unreadable
        ]
        judging.drop_verdicts(self._ground.session, sorted(outdated))
        return len(rows)

    def _differs(self, key: Key, judgement: Judgement) -> bool:
        before = self._before.get(key)
        if before is None:
            return True
        same = (
            before.verdict == judgement.verdict
            and before.waived == self._is_waived(key, judgement)
            and before.policy_version == judgement.policy_version
            and before.revision_id == self._ground.subjects[key[1]].revision_id
        )
        if same and judgement.verdict is Verdict.UNKNOWN:
            return False  # only its words grow older, such as "last read 5 h ago"
        return not (same and before.message == clean_text(judgement.message))

    def _is_waived(self, key: Key, judgement: Judgement) -> bool:
        finding = self._open.get(key)
        breach = judgement.verdict is Verdict.NON_COMPLIANT
        return breach and finding is not None and finding.tab == WAIVED

    def _verdict(self, key: Key, judgement: Judgement) -> dict[str, Any]:
        before: Standing | None = self._before.get(key)
        kept = before is not None and before.verdict == judgement.verdict
        return {
            "policy_id": key[0],
            "resource_id": key[1],
            "connection_id": self._ground.connection_id,
            "policy_version": judgement.policy_version,
            "verdict": judgement.verdict.value,
            "waived": self._is_waived(key, judgement),
            "message": clean_text(judgement.message),
            "reasons": clean_json(list(judgement.reasons)),
            "used": clean_json(dict(judgement.used)),
            "revision_id": self._ground.subjects[key[1]].revision_id,
            "since": before.since if before and kept else self._ground.now,
            "evaluated_at": self._ground.now,
        }

    def _write_counts(self, judgements: Mapping[Key, Judgement]) -> None:
        verdicts: dict[UUID, list[str]] = defaultdict(list)
        for key, judgement in judgements.items():
            if key[0] in self._ground.enforced:
                waived = self._is_waived(key, judgement)
                verdicts[key[1]].append(WAIVED if waived else judgement.verdict)
        ranks: dict[UUID, list[int]] = defaultdict(list)
        for (_, resource_id), finding in self._open.items():
            if finding.tab != WAIVED:
                ranks[resource_id].append(finding.severity_rank)
        changed = {}
        for subject in self._ground.subjects.values():
            counts = _counts(verdicts[subject.id], ranks[subject.id])
            if counts != subject.counts:
                changed[subject.id] = counts
        judging.write_counts(self._ground.session, changed)


def _counts(verdicts: Sequence[str], ranks: Sequence[int]) -> tuple[int, int, int]:
    """(worst_rank, non_compliant, unknown): what is waived does not count."""
    judged = any(verdict != Verdict.NOT_APPLICABLE for verdict in verdicts)
    worst = max(ranks, default=0 if judged else -1)
    return worst, verdicts.count(Verdict.NON_COMPLIANT), verdicts.count(Verdict.UNKNOWN)


def to_row(subject: Subject, now: datetime) -> EvaluationRow:
    """A stored resource as policies see it; what was not read is left out, so it is unknown."""
    known = {
        "id": str(subject.id),
        "name": subject.name,
        "kind": subject.kind,
        "provider": subject.provider,
        "account_id": subject.sub_account_id,
        "region_id": subject.region_id,
        "tags": subject.tags,
        # as facts hold instants: what a breach rests on is kept as JSON
        "created_at": subject.created_at and subject.created_at.isoformat(),
    }
    return EvaluationRow(
        resource_id=str(subject.id),
        resource={name: value for name, value in known.items() if value is not None},
        facts=FactSet.from_json(subject.facts),
        stale=_is_stale(subject, now),
        observed_at=subject.observed_at,
    )


def _is_stale(subject: Subject, now: datetime) -> bool:
    """Past interval and grace of its collector, by our receipt; stale too when that one is gone.

    What people declare stays declared.
    """
    if is_declared(subject.collector_id):
        return False
    collector = registry.collectors().get(subject.collector_id)
    if collector is None:
        return True
    every, grace = collector.every.total_seconds(), collector.grace.total_seconds()
    return freshness(now, subject.observed_at, every, grace) == "stale"
