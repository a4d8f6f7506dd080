"""Charts as SVG made on the server: no script, the same picture on screen, in print and in mail.

No style attributes (a strict CSP holds): every length that follows data is an SVG attribute.
No viewBox around text, so that it stays crisp at any width. Colours come from classes, so light,
dark and print follow the tokens. Missing values are None: they are drawn as a gap, never as zero.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

EMPTY = Markup("")
HIDDEN = Markup('aria-hidden="true" focusable="false"')


def short(value: float, digits: int = 1) -> str:
    """A coordinate with at most `digits` decimals and no trailing zeros."""
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".") if digits else f"{value:.0f}"
    return "0" if text in {"-0", ""} else text


def join(parts: Iterable[Markup]) -> Markup:
    """Pieces of markup one after the other."""
    return EMPTY.join(parts)


@dataclass(frozen=True, slots=True)
class Box:
    """Width and height of a little chart in CSS pixels."""

    width: int = 96
    height: int = 26

    def y(self, share: float) -> float:
        """Where a value lies that is this share (0 to 1) of the way up."""
        return 3 + (self.height - 6) * (1 - share)


def spark(
    values: Sequence[float | None],
    box: Box = Box(),
    *,
    low: float | None = None,
    high: float | None = None,
    area: bool = True,
    tone: str = "c1",
) -> Markup:
    """A line without axes; its figure stands beside it in text. Nothing known: nothing drawn."""
    known = [value for value in values if value is not None]
    if not known:
        return EMPTY
    low = min(known) if low is None else low
    span = ((max(known) if high is None else high) - low) or 1
    step = (box.width - 6) / max(len(values) - 1, 1)
    points = [
        None if value is None else (2 + index * step, box.y((value - low) / span))
        for index, value in enumerate(values)
    ]
    runs = _runs(points)
    lines = join(Markup('<path class="k-line" d="{}"/>').format(_path(run)) for run in runs)
    below = join(_area(run, box.height) for run in runs) if area else EMPTY
    x, y = runs[-1][-1]
    return Markup(
        '<svg class="spark {}" width="{}" height="{}" viewBox="0 0 {} {}" {}>{}{}'
        '<circle class="k-dot" cx="{}" cy="{}" r="2.4"/></svg>'
    ).format(
        tone, box.width, box.height, box.width, box.height, HIDDEN, below, lines, short(x), short(y)
    )


Point = tuple[float, float]


def _runs(points: Sequence[Point | None]) -> list[list[Point]]:
    """Unbroken stretches of known points."""
    runs: list[list[Point]] = [[]]
    for point in points:
        if point is None:
            runs.append([])
        else:
            runs[-1].append(point)
    return [run for run in runs if run]


def _path(run: Sequence[Point]) -> str:
    return "M" + "L".join(f"{short(x)} {short(y)}" for x, y in run)


def _area(run: Sequence[Point], height: int) -> Markup:
    floor = height - 1
    return Markup('<path class="k-area" d="{}L{} {}L{} {}Z"/>').format(
        _path(run), short(run[-1][0]), floor, short(run[0][0]), floor
    )


def bars(values: Sequence[float | None], box: Box = Box(), *, high: float = 100) -> Markup:
    """One bar per value, up to `high`; a missing value leaves its place empty."""
    gap = 1.5
    width = (box.width - gap * (len(values) - 1)) / max(len(values), 1)
    drawn = join(
        Markup('<rect class="k-bar" x="{}" y="{}" width="{}" height="{}"/>').format(
            short(index * (width + gap)), short(box.height - tall), short(width), short(tall)
        )
        for index, value in enumerate(values)
        if value is not None
        for tall in [max(1.5, (box.height - 1) * value / high)]
    )
    return Markup(
        '<svg class="spark c1" width="{}" height="{}" viewBox="0 0 {} {}" {}>{}</svg>'
    ).format(box.width, box.height, box.width, box.height, HIDDEN, drawn)


def meter(percent: float, tone: str = "c1", target: float | None = None, height: int = 6) -> Markup:
    """A bar from 0 to 100 with a tick at the target."""
    tick = EMPTY
    if target is not None:
        place = short(target)
        tick = Markup('<line class="k-tick" x1="{}%" x2="{}%" y1="-2" y2="{}"/>').format(
            place, place, height + 2
        )
    return Markup(
        '<svg class="meter {}" width="100%" height="{}" {}><rect class="k-track" width="100%"'
        ' height="{}" rx="{}"/><rect class="k-fill" width="{}%" height="{}" rx="{}"/>{}</svg>'
    ).format(
        tone, height, HIDDEN, height, short(height / 2), short(max(0, min(100, percent))), height,
        short(height / 2), tick,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """One share of a stack: its tip, its size, its class (cp, cf, chx …)."""

    label: str
    value: float
    tone: str


def stack(parts: Sequence[Part], height: int = 10) -> Markup:
    """Shares of a whole with gaps of two pixels; empty shares are left out."""
    total = sum(part.value for part in parts) or 1
    drawn, left = [], 0.0
    for part in parts:
        if part.value <= 0:
            continue
        width = 100 * part.value / total
        x = short(left, 2)
        drawn.append(
            Markup(
                '<rect class="{}" x="{}%" width="{}%" height="{}"><title>{}</title></rect>'
            ).format(part.tone, x, short(width, 2), height, part.label)
        )
        if left:
            drawn.append(
                Markup('<line class="k-gap" x1="{}%" x2="{}%" y1="0" y2="{}"/>').format(
                    x, x, height
                )
            )
        left += width
    return Markup('<svg class="stack" width="100%" height="{}" {}>{}</svg>').format(
        height, HIDDEN, join(drawn)
    )


def history(cells: str, height: int = 18, width: int | None = None) -> Markup:
    """Sweeps in time, one letter each: `o` good, `l` late or partial, `f` failed, `n` not run.

    The state is told by shape too: a full bar, half a bar, a split bar, a line below where
    nothing ran.
    """
    step = 100 / max(len(cells), 1)
    bars = join(
        _bar(cell, index * step, step * 0.68, height)
        for index, cell in enumerate(cells)
        if cell in "olf"
    )
    return Markup('<svg class="hist" width="{}" height="{}" {}>{}{}</svg>').format(
        "100%" if width is None else width, height, HIDDEN, _base_line(height), bars
    )


def _base_line(height: int) -> Markup:
    return Markup('<rect class="k-none" x="0" y="{}" width="100%" height="1"/>').format(
        short(height - 1.0)
    )


def _bar(cell: str, x: float, width: float, height: int) -> Markup:
    shapes = {
        "o": (("k-ok", 2.0, height - 2.0),),
        "l": (("k-late", height * 0.5, height * 0.5),),
        "f": (("k-bad", height - 4.0, 4.0), ("k-bad", 2.0, 4.0)),
    }
    return join(
        Markup('<rect class="{}" x="{}%" y="{}" width="{}%" height="{}" rx="1"/>').format(
            tone, short(x, 2), short(y), short(width, 2), short(tall)
        )
        for tone, y, tall in shapes[cell]
    )
