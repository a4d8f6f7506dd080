"""Column charts as whole figures: legend, plot, the sentence that reads it, the data as a table."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.web.charts import EMPTY, HIDDEN, join, short

MOST_TICKS = 4


@dataclass(frozen=True, slots=True)
class Series:
    """One named row of values, None where nothing is known."""

    name: str
    tone: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class ColumnChart:
    """Amounts in time, stacked in the order of `series` (at most six).

    `reading` is the one sentence that reads the chart; `period`, `show_data` and `no_data` are
    words in the reader's language; `every` is how many columns share one label.
    """

    id: str
    title: str
    reading: str
    period: str
    show_data: str
    no_data: str
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    write: Callable[[float], str]
    height: int = 130
    every: int = 1

    @property
    def ticks(self) -> list[float]:
        """Values of the y axis, from 0 to at least the tallest column."""
        totals = [
            sum(series.values[index] or 0 for series in self.series)
            for index in range(len(self.labels))
        ]
        return nice_ticks(max(totals, default=0))


def nice_ticks(highest: float) -> list[float]:
    """At most five round values from 0 to `highest` or just above."""
    raw = max(highest, 1) / MOST_TICKS
    magnitude = 10 ** math.floor(math.log10(raw))
    step = next(factor * magnitude for factor in (1, 2, 5, 10) if factor * magnitude >= raw)
    step = max(step, 1)
    return [index * step for index in range(max(math.ceil(highest / step - 1e-9), 1) + 1)]


PAD, AXIS = 22, 44


def columns(chart: ColumnChart) -> Markup:
    """A figure: legend, plot with title and description, the sentence, the data as a table."""
    top = chart.ticks[-1]
    grid, axis = [], []
    for tick in chart.ticks:
        y = short(chart.height - (chart.height - 8) * tick / top)
        grid.append(
            Markup('<line class="{}" x1="0" x2="100%" y1="{}" y2="{}"/>').format(
                "k-grid" if tick else "k-base", y, y
            )
        )
        axis.append(
            Markup('<text class="tick" x="{}" y="{}" text-anchor="end">{}</text>').format(
                AXIS - 8, short(float(y) + 3.5), chart.write(tick)
            )
        )
    body = join(_column(chart, index, top) for index in range(len(chart.labels)))
    return Markup(
        '<figure class="chart" id="{id}">{legend}<div class="plot">'
        '<svg class="yaxis" width="{axis_width}" height="{tall}" {hidden}>{axis}</svg>'
        '<svg class="area" width="100%" height="{tall}" role="img"'
        ' aria-labelledby="{id}-t {id}-d"><title id="{id}-t">{title}</title>'
        '<desc id="{id}-d">{reading}</desc>{grid}{body}</svg></div>'
        "<figcaption>{reading}</figcaption>{table}</figure>"
    ).format(
        id=chart.id, legend=legend(chart.series), axis_width=AXIS, tall=chart.height + PAD,
        hidden=HIDDEN, axis=join(axis), title=chart.title, reading=chart.reading,
        grid=join(grid), body=body, table=_table(chart),
    )  # fmt: skip


def _column(chart: ColumnChart, index: int, top: float) -> Markup:
    width = 100 / len(chart.labels)
    bars, y = [], float(chart.height)
    for series in chart.series:
        value = series.values[index]
        if not value:
            continue
        tall = (chart.height - 8) * value / top
        y -= tall
        bars.append(
            Markup('<rect class="{}" x="{}%" y="{}" width="{}%" height="{}"/>').format(
                series.tone,
                short(index * width + width * 0.17, 2),
                short(y),
                short(width * 0.66, 2),
                short(max(tall - 1, 0.8)),
            )
        )
    label = EMPTY
    if index % chart.every == 0:
        label = Markup('<text class="tick" x="{}%" y="{}" text-anchor="middle">{}</text>').format(
            short(index * width + width / 2, 2), chart.height + 16, chart.labels[index]
        )
    return Markup(
        '<g class="col"><rect class="k-hit" x="{}%" y="0" width="{}%" height="{}">'
        "<title>{}</title></rect>{}</g>{}"
    ).format(
        short(index * width, 2),
        short(width, 2),
        chart.height,
        _tip(chart, index),
        join(bars),
        label,
    )


def _tip(chart: ColumnChart, index: int) -> str:
    """The column in words: a head, then name, tab and value per line."""
    rows = [f"{series.name}\t{_shown(chart, series, index)}" for series in chart.series]
    return "\n".join([chart.labels[index], *rows])


def _shown(chart: ColumnChart, series: Series, index: int) -> str:
    value = series.values[index]
    return chart.no_data if value is None else chart.write(value)


def legend(series: Sequence[Series]) -> Markup:
    """Swatches with names; none when there is only one series."""
    if len(series) <= 1:
        return EMPTY
    items = join(
        Markup(
            '<li><svg class="sw" width="12" height="10" aria-hidden="true">'
            '<rect class="{}" width="12" height="10" rx="2"/></svg>{}</li>'
        ).format(one.tone, one.name)
        for one in series
    )
    return Markup('<ul class="legend">{}</ul>').format(items)


def _table(chart: ColumnChart) -> Markup:
    heads = join(
        Markup('<th scope="col" class="num">{}</th>').format(one.name) for one in chart.series
    )
    rows = join(_row(chart, index) for index in range(len(chart.labels)))
    return Markup(
        '<details class="data"><summary>{show}</summary><div class="scroll" tabindex="0"'
        ' role="region" aria-label="{title}"><table class="tbl mini"><caption class="sr">{title}'
        '</caption><thead><tr><th scope="col">{period}</th>{heads}</tr></thead>'
        "<tbody>{rows}</tbody></table></div></details>"
    ).format(show=chart.show_data, title=chart.title, period=chart.period, heads=heads, rows=rows)


def _row(chart: ColumnChart, index: int) -> Markup:
    cells = join(
        Markup('<td class="num">{}</td>').format(_shown(chart, one, index)) for one in chart.series
    )
    return Markup('<tr><th scope="row">{}</th>{}</tr>').format(chart.labels[index], cells)
