"""What is measured of a resource, as a table: each series with its last value, age and source."""

from datetime import timedelta

from sqlalchemy.orm import Session

from app.domain.access import Access
from app.domain.samples import Unit
from app.store.queries.inventory import ResourceItem
from app.store.queries.samples import SeriesItem, list_series
from app.web.fact_tables import Table, TableHead, TableRow
from app.web.facts_view import Cell
from app.web.pages import Shell

# More series than this are left to the API.
SHOWN = 60


def metrics_of(
    session: Session, access: Access, shell: Shell, item: ResourceItem
) -> tuple[Table, ...]:
    """The table, or none where nothing is measured."""
    found = list_series(session, access=access, resource_id=item.id)
    if not found:
        return ()
    t = shell.t
    text = t.ngettext("%(num)s series", "%(num)s series", len(found))
    table = Table(
        id="metrics",
        title=t.gettext("Measured"),
        subtitle=text % {"num": t.number(len(found))},
        subject=t.gettext("Metric"),
        heads=(
            TableHead(t.gettext("Last value"), numeric=True),
            TableHead(t.gettext("Age"), cls="nowrap"),
            TableHead(t.gettext("Source"), cls="c-md"),
        ),
        rows=tuple(_row(one, shell) for one in found[:SHOWN]),
        empty="",
    )
    return (table,)


def _row(one: SeriesItem, shell: Shell) -> TableRow:
    return TableRow(
        name=one.metric,
        note=one.dimension,
        cells=(_value(one, shell), _age(one, shell), _source(one)),
    )


def _source(one: SeriesItem) -> Cell:
    """Who told it, and under which name of theirs."""
    who, _, name = one.source.partition(":")
    return Cell("", who, name)


def _value(one: SeriesItem, shell: Shell) -> Cell:
    if one.last_value is None:
        return Cell("unknown", shell.t.gettext("No data"))
    return Cell("", _amount(one.last_value, one.unit, shell), one.statistic)


def _amount(value: float, unit: str, shell: Shell) -> str:
    if unit == Unit.BYTES:
        return shell.t.size(int(value))
    if unit == Unit.BYTES_PER_SECOND:
        return f"{shell.t.size(int(value))}/s"
    if unit == Unit.PERCENT:
        return shell.t.percent(value, 1)
    return shell.t.number(value, 2)


def _age(one: SeriesItem, shell: Shell) -> Cell:
    """Since the end of the period; a source is late after three of them without a value."""
    if one.last_at is None:
        return Cell("", shell.t.gettext("never"))
    period = timedelta(seconds=one.period_seconds)
    age = shell.now - one.last_at - period
    return Cell("stale" if age > 3 * period + _LATE else "", shell.formats.ago(age))


# Sources publish late, and the sweep that reads them comes every quarter of an hour.
_LATE = timedelta(minutes=45)
