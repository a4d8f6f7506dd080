"""Lifecycle rules in words: what each says, and what it really does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.store.queries.inventory import ResourceItem
from app.web.facts_view import Reader
from app.web.pages import Shell


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One lifecycle rule with its judgement. `shape` and `word` say whether it cools everything.

    `reason` is English, as the judgement has it.
    """

    name: str
    enabled: bool
    covers: str
    actions: tuple[str, ...]
    shape: str
    word: str
    reason: str


def rules_of(item: ResourceItem, shell: Shell) -> tuple[RuleLine, ...]:
    """The rules of a bucket or account, beside what follows from each."""
    reader = Reader(item.facts, shell)
    rules: Sequence[Mapping[str, Any]] = reader.value("lifecycle_rules") or ()
    judged: Sequence[Mapping[str, Any]] = reader.value("lifecycle_judgements") or ()
    known = [*judged, *({} for _ in rules[len(judged) :])]
    return tuple(
        _line(rule, judgement, shell) for rule, judgement in zip(rules, known, strict=False)
    )


def _line(rule: Mapping[str, Any], judgement: Mapping[str, Any], shell: Shell) -> RuleLine:
    t = shell.t
    shape, word = "unknown", t.gettext("Unknown")
    if judgement.get("counts"):
        shape, word = "pass", t.gettext("Yes")
    elif judgement and not judgement.get("code"):
        shape, word = "paused", t.gettext("No")
    return RuleLine(
        name=str(rule["name"]),
        enabled=bool(rule["enabled"]),
        covers=_covers(rule, shell),
        actions=tuple(_action(action, shell) for action in rule["actions"]),
        shape=shape,
        word=word,
        reason=str(judgement.get("reason", "")),
    )


def _covers(rule: Mapping[str, Any], shell: Shell) -> str:
    t = shell.t
    parts = []
    if rule["prefixes"]:
        parts.append(t.gettext("prefix %(list)s") % {"list": ", ".join(rule["prefixes"])})
    if rule["tags"]:
        tags = ", ".join(f"{key}={value}" for key, value in rule["tags"].items())
        parts.append(t.gettext("tag %(list)s") % {"list": tags})
    if rule.get("minimum_size_bytes") is not None:
        size = t.size(rule["minimum_size_bytes"])
        parts.append(t.gettext("larger than %(size)s") % {"size": size})
    if rule.get("maximum_size_bytes") is not None:
        size = t.size(rule["maximum_size_bytes"])
        parts.append(t.gettext("smaller than %(size)s") % {"size": size})
    return "; ".join(parts) or t.gettext("everything")


def _action(action: Mapping[str, Any], shell: Shell) -> str:
    text = f"{_what(action, shell)} {_when(action, shell)}".strip()
    kept = action.get("newer_versions_kept")
    if not kept:
        return text
    spared = shell.t.ngettext("except the newest one", "except the newest %(num)s", kept)
    return f"{text}, {spared % {'num': shell.t.number(kept)}}"


def _what(action: Mapping[str, Any], shell: Shell) -> str:
    t = shell.t
    kept = {
        ("transition", "current"): t.gettext("Move to %(tier)s"),
        ("transition", "noncurrent"): t.gettext("Move old versions to %(tier)s"),
        ("transition", "snapshot"): t.gettext("Move snapshots to %(tier)s"),
        ("delete", "current"): t.gettext("Delete"),
        ("delete", "noncurrent"): t.gettext("Delete old versions"),
        ("delete", "snapshot"): t.gettext("Delete snapshots"),
        ("abort_multipart", "current"): t.gettext("Abort unfinished uploads"),
    }
    text = kept.get((action["effect"], action["subject"]), t.gettext("Another action"))
    return text % {"tier": action.get("storage_class") or ""} if "%(tier)s" in text else text


def _when(action: Mapping[str, Any], shell: Shell) -> str:
    t = shell.t
    if action.get("on_date"):
        return t.gettext("on %(day)s") % {"day": str(action["on_date"])[:10]}
    if action.get("after_days") is None:
        return ""
    bases = {
        "creation": t.gettext("%(days)s after creation"),
        "modification": t.gettext("%(days)s after the last change"),
        "last_access": t.gettext("%(days)s after the last read"),
        "last_tier_change": t.gettext("%(days)s after the last change of tier"),
        "replacement": t.gettext("%(days)s after they were replaced"),
        "start": t.gettext("%(days)s after their start"),
    }
    text = bases.get(action["basis"], t.gettext("after %(days)s"))
    return text % {"days": shell.formats.days(action["after_days"])}
