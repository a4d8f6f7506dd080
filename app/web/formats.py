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

from app.kit.i18n import Translator
from app.kit.settings import ROOT

STATIC = ROOT / "static"
UTC_ZONE = ZoneInfo("UTC")
TIME = "HH:mm 'UTC'"
MINUTE, HOUR, DAY = 60, 3_600, 86_400
# Over a week only whole days matter, under it the hours too.
WEEK_DAYS = 7


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


class Formats:
    """The helpers in one language."""

    def __init__(self, t: Translator) -> None:
        self.t = t

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
        "took": f.seconds,
        "when": _timed(f.moment),
        "on": _timed(f.day),
        "ago": _timed(lambda at, now: f.ago(now - at)),
        "open_for": _timed(lambda at, now: f.roughly(now - at)),
        "icon": icon,
        "icon_address": icon_address,
        "initials": initials,
        "asset": asset,
    }
