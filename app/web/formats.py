"""How pages write values: numbers, ages, moments and icons; the helpers that templates call."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from app.collectors.registry import collectors
from app.domain.compliance import Severity
from app.kit.i18n import Translator
from app.kit.settings import ROOT, settings
from app.web import words

STATIC = ROOT / "static"
UTC_ZONE = ZoneInfo("UTC")
TIME = "HH:mm 'UTC'"
MINUTE, HOUR, DAY = 60, 3_600, 86_400
# Over a week only whole days matter, under it the hours too.
WEEK_DAYS = 7
# Ids longer than this are cut in the middle where space is short.
BRIEF = 20


@lru_cache(maxsize=64)
def asset(path: str) -> str:
    """The address of a file in static/, naming its content so that browsers keep it for ever."""
    file = STATIC / path
    if not file.exists():
        return f"/static/{path}"
    return f"/static/{path}?v={sha256(file.read_bytes()).hexdigest()[:16]}"


@lru_cache(maxsize=1)
def _own_shapes() -> frozenset[str]:
    return frozenset(
        re.findall(r'<symbol id="([^"]+)"', (STATIC / "icons" / "own.svg").read_text())
    )


def icon_address(name: str) -> str:
    """Where a shape lies in the sprite: our own by its name, all others in the Lucide set."""
    symbol = name if name in _own_shapes() else f"lucide-{name}"
    return f"{asset('vendor/icons.svg')}#{symbol}"


def icon(name: str, label: str = "", cls: str = "") -> Markup:
    """A shape; decorative without a label."""
    start = Markup('<svg class="i {}" role="img" aria-label="{}" focusable="false">').format(
        cls, label
    )
    if not label:
        start = Markup('<svg class="i {}" aria-hidden="true" focusable="false">').format(cls)
    return start + Markup('<use href="{}"/></svg>').format(icon_address(name))


def initials(name: str) -> str:
    """Two letters that stand for a person."""
    words = re.findall(r"\w+", name.partition("@")[0])
    letters = words[0][0] + words[-1][0] if len(words) > 1 else "".join(words)[:2]
    return letters.upper() or "?"


def brief(text: str) -> str:
    """A long id cut in the middle; the whole of it belongs into a title beside it."""
    return text if len(text) <= BRIEF else f"{text[:8]}…{text[-4:]}"


class Formats:
    """The helpers in one language."""

    def __init__(self, t: Translator) -> None:
        self.t = t

    @property
    def words(self) -> "Words":
        """Looks up the words for codes."""
        return Words(self.t)

    def gettext(self, text: str, **values: object) -> str:
        """The text with its values put in; values are escaped unless they are markup."""
        found = self.t.gettext(text)
        return escape(found) % values if values else found

    def ngettext(self, singular: str, plural: str, num: int, **values: object) -> str:
        """The plural form, with `%(num)s` as a written number."""
        found = self.t.ngettext(singular, plural, num)
        return escape(found) % {"num": self.t.number(num), **values}

    def span(self, length: timedelta) -> str:
        """A length of time in at most two units: `41 s`, `4 min`, `3 h 11 min`, `1 d 22 h`."""
        seconds = max(int(length.total_seconds()), 0)
        if seconds < MINUTE:
            return self._of("%(num)s s", seconds)
        if seconds < HOUR:
            return self._of("%(num)s min", seconds // MINUTE)
        if seconds < DAY:
            return self._two("%(num)s h", seconds // HOUR, "%(num)s min", seconds % HOUR // MINUTE)
        days = seconds // DAY
        hours = seconds % DAY // HOUR if days < WEEK_DAYS else 0
        return self._two("%(num)s d", days, "%(num)s h", hours)

    def _of(self, form: str, count: int) -> str:
        return form % {"num": self.t.number(count)}

    def _two(self, form: str, count: int, small: str, rest: int) -> str:
        whole = self._of(form, count)
        return f"{whole} {self._of(small, rest)}" if rest else whole

    def roughly(self, length: timedelta) -> str:
        """A length of time in its largest unit, for narrow columns: `3 d`, `9 h`."""
        return " ".join(self.span(length).split(" ")[:2])

    def days(self, value: float) -> str:
        """A number of days as policies and rules count them: `30 d`."""
        return f"{self.t.number(value, 2)} d"

    def seconds(self, value: float) -> str:
        """How long something took: `0.4 s`, `8.1 s`, `4 min`."""
        if value < MINUTE:
            return f"{self.t.number(value, 1)} s"
        return self.span(timedelta(seconds=value))

    def ago(self, age: timedelta) -> str:
        """How long ago, such as `4 min ago`."""
        if age < timedelta(minutes=1):
            return self.t.gettext("just now")
        return self.t.gettext("%(span)s ago") % {"span": self.span(age)}

    def moment(self, at: datetime, now: datetime) -> str:
        """A moment in UTC: the time of today, `27 Nov 03:14 UTC`, or with the year of another."""
        if at.astimezone(UTC).date() == now.astimezone(UTC).date():
            return self.t.when(at, UTC_ZONE, TIME)
        same_year = at.astimezone(UTC).year == now.astimezone(UTC).year
        return self.t.when(
            at, UTC_ZONE, "d MMM HH:mm 'UTC'" if same_year else "d MMM y HH:mm 'UTC'"
        )

    def day(self, at: datetime, now: datetime) -> str:
        """A day in UTC, such as `27 Nov`, with the year of another year."""
        same_year = at.astimezone(UTC).year == now.astimezone(UTC).year
        return self.t.when(at, UTC_ZONE, "d MMM" if same_year else "d MMM y")

    def last_day(self, ends_at: datetime, now: datetime) -> str:
        """The last day in UTC of what ends then: of a midnight, the day before it."""
        return self.day(ends_at - timedelta(seconds=1), now)

    def local(self, at: datetime, now: datetime) -> str:
        """A moment by the zone of schedules, which it names: `Mon 7 Dec 07:00 CET`."""
        del now
        return self.t.when(at, settings().zone, "EEE d MMM y, HH:mm z")


class Words:
    """Looks up the words for codes; a code that has none is shown as it is."""

    def __init__(self, t: Translator) -> None:
        self._t = t

    def severity(self, code: str) -> str:
        """The word of a severity."""
        return self._t.gettext(words.SEVERITIES.get(code, code))

    def rank(self, severity: str) -> int:
        """0 informational to 4 critical."""
        return Severity(severity).rank

    def pillar(self, code: str) -> str:
        """The name of a pillar."""
        return self._t.gettext(words.PILLARS.get(code, code))

    def mode(self, code: str) -> str:
        """The word of a policy's mode."""
        return self._t.gettext(words.MODES.get(code, code))

    def kind(self, code: str) -> str:
        """The name of a kind of resource."""
        return self._t.gettext(words.KINDS.get(code, code))

    def provider(self, code: str) -> str:
        """The name of a cloud."""
        return self._t.gettext(words.PROVIDERS.get(code, code))

    def role(self, code: str) -> tuple[str, str]:
        """Shape and name of a copy's role."""
        return self._pair(words.ROLES.get(code, ("ro-replica", code)))

    def encryption(self, code: str) -> str:
        """Whose key encrypts."""
        return self._t.gettext(words.ENCRYPTION.get(code, code))

    def capacity(self, code: str) -> str:
        """How machines are paid for."""
        return self._t.gettext(words.CAPACITIES.get(code, code))

    def durability(self, code: str) -> str:
        """What a file system survives."""
        return self._t.gettext(words.DURABILITIES.get(code, code))

    def orchestrator(self, code: str) -> str:
        """Who places work on machines."""
        return self._t.gettext(words.ORCHESTRATORS.get(code, code))

    def verdict(self, code: str) -> tuple[str, str]:
        """Shape and word of a verdict."""
        return self._pair(words.VERDICTS.get(code, ("unknown", code)))

    def finding_state(self, code: str) -> tuple[str, str]:
        """Shape and word of a finding's state."""
        return self._pair(words.FINDING_STATES.get(code, ("unknown", code)))

    def close_reason(self, code: str) -> str:
        """Why a finding was closed."""
        return self._t.gettext(words.CLOSE_REASONS.get(code, code))

    def finding_event(self, code: str) -> str:
        """What happened to a finding."""
        return self._t.gettext(words.FINDING_EVENTS.get(code, code))

    def policy_action(self, code: str) -> str:
        """What was done to a policy."""
        return self._t.gettext(words.POLICY_ACTIONS.get(code, code))

    def permission(self, code: str) -> tuple[str, str]:
        """Shape and word of what came of using a right."""
        return self._pair(words.PERMISSIONS.get(code, ("unknown", code)))

    def collector(self, collector_id: str) -> str:
        """What a collector reads; its id when there is none such any more."""
        known = collectors().get(collector_id)
        return self._t.gettext(known.title) if known else collector_id

    def sweep(self, code: str) -> tuple[str, str]:
        """Shape and word of how a sweep ended."""
        return self._pair(words.SWEEP_STATES.get(code, ("unknown", code)))

    def _pair(self, pair: tuple[str, str]) -> tuple[str, str]:
        return pair[0], self._t.gettext(pair[1])


def _timed(write: Callable[[datetime, datetime], str]) -> Callable[[Context, datetime], Markup]:
    """A helper that writes a moment inside <time>, knowing the instant of the request."""

    @pass_context
    def helper(context: Context, at: datetime) -> Markup:
        shown = write(at, context["shell"].now)
        stamp = at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        return Markup('<time datetime="{}">{}</time>').format(stamp, shown)

    return helper


def helpers(t: Translator) -> Mapping[str, Any]:
    """Everything a template may call, bound to one language."""
    f = Formats(t)
    return {
        "_": f.gettext,
        "gettext": f.gettext,
        "ngettext": f.ngettext,
        "num": t.number,
        "pct": t.percent,
        "size": t.size,
        "span": f.span,
        "days": f.days,
        "took": f.seconds,
        "when": _timed(f.moment),
        "on": _timed(f.day),
        "last_day": _timed(f.last_day),
        "ago": _timed(lambda at, now: f.ago(now - at)),
        "open_for": _timed(lambda at, now: f.roughly(now - at)),
        "local": _timed(f.local),
        "words": Words(t),
        "icon": icon,
        "icon_address": icon_address,
        "initials": initials,
        "brief": brief,
        "asset": asset,
    }
