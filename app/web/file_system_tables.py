"""What each kind of file system tells beside its size: exports, what is paid, copies, tiers.

Stored objects leave out attributes without a value; moments are ISO 8601 text.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from app.domain.azure_lustre import AzureLustreFileSystemFacts
from app.domain.azure_netapp import AzureNetappPoolFacts, AzureNetappVolumeFacts
from app.domain.azure_qumulo import AzureQumuloFileSystemFacts
from app.store.queries.inventory import ResourceItem
from app.web.fact_tables import Table, TableHead, TableRow, Wording, table_of
from app.web.facts_view import Cell, Reader
from app.web.pages import Shell
from app.web.resource_view import Attribute, attribute

_OFF, _FAILED = "disable", frozenset({"failed", "disablefailed"})
_EXPANSIONS = {"completed": "pass", "failed": "fail", "inprogress": "run"}


def of_kind(kind: str, reader: Reader, shell: Shell) -> tuple[Table, ...]:
    """The tables of this kind of file system."""
    if kind == AzureLustreFileSystemFacts.KIND:
        return _exports(reader, shell), _expansions(reader, shell)
    return ()


def attributes(item: ResourceItem, reader: Reader, shell: Shell) -> tuple[Attribute, ...]:
    """The figures that matter most for this kind of file system."""
    t = shell.t
    if item.kind == AzureLustreFileSystemFacts.KIND:
        told = _exported(reader, shell)
        return (attribute(item, t.gettext("Last good export"), "exported_until", told),)
    if item.kind == AzureNetappPoolFacts.KIND:
        left = unallocated(reader, shell)
        return (attribute(item, t.gettext("Paid, given to none"), "unallocated_percent", left),)
    if item.kind == AzureNetappVolumeFacts.KIND:
        cool = reader.cell("cool_access", lambda on: _cool(on, reader, shell), absent=_off(shell))
        return (
            attribute(item, t.gettext("Cool tier"), "cool_access", cool),
            attribute(
                item, t.gettext("Snapshots"), "snapshot_policy_id", _snapshots(reader, shell)
            ),
            attribute(item, t.gettext("As a copy"), "mirror_state", _mirror(reader, shell)),
        )
    if item.kind == AzureQumuloFileSystemFacts.KIND:
        ordered = reader.cell("storage_sku", reader.plain)
        return (attribute(item, t.gettext("Ordered"), "storage_sku", ordered),)
    return ()


def unallocated(reader: Reader, shell: Shell) -> Cell:
    """How much of a pool is paid and no volume has."""
    t = shell.t
    left = reader.value("unallocated_bytes")
    note = t.size(left) if left is not None else ""
    return reader.cell(
        "unallocated_percent",
        lambda share: Cell("warn" if share else "pass", f"{t.number(share, 1)} %", note),
    )


def _exported(reader: Reader, shell: Shell) -> Cell:
    """When an export last ended without an error, and how many files it left behind."""
    t = shell.t
    failed = reader.value("export_failed_files")
    note = (
        t.ngettext("%(num)s file failed", "%(num)s files failed", failed)
        % {"num": t.number(failed)}
        if failed
        else ""
    )
    return reader.cell(
        "exported_until",
        lambda at: Cell("warn" if failed else "", _ago(at, shell), note),
        absent=Cell("warn", t.gettext("Never"), note),
    )


def _ago(at: str, shell: Shell) -> str:
    return shell.formats.ago(shell.now - datetime.fromisoformat(at))


def _off(shell: Shell) -> Cell:
    return Cell("", shell.t.gettext("Off"))


def _cool(on: bool, reader: Reader, shell: Shell) -> Cell:
    days = reader.value("coolness_period_days")
    if not on:
        return _off(shell)
    t = shell.t
    note = t.gettext("unread for %(days)s") % {"days": shell.formats.days(days)} if days else ""
    return Cell("pass", t.gettext("On"), note)


def _snapshots(reader: Reader, shell: Shell) -> Cell:
    t = shell.t
    return reader.cell(
        "snapshot_policy_id",
        lambda policy: Cell("pass", t.gettext("On"), str(policy).rpartition("/")[2]),
        absent=Cell("warn", t.gettext("Off")),
    )


def _mirror(reader: Reader, shell: Shell) -> Cell:
    """How the volume is kept up, where it is a copy of another one."""
    healthy = reader.value("replication_healthy")
    message = str(reader.value("replication_message") or "")
    shape = {True: "pass", False: "fail"}.get(healthy, "") if healthy is not None else ""
    return reader.cell(
        "mirror_state",
        lambda state: Cell(shape, state, message),
        absent=Cell("", shell.t.gettext("It is none")),
    )


def _exports(reader: Reader, shell: Shell) -> Table:
    t = shell.t
    wording = Wording(
        "exports",
        t.gettext("Automatic exports"),
        t.gettext("Job"),
        t.gettext("Nothing is exported by itself."),
    )
    heads = (
        TableHead(t.gettext("Status")),
        TableHead(t.gettext("Last good pass")),
        TableHead(t.gettext("Failed files"), numeric=True),
        TableHead(t.gettext("Left to copy"), numeric=True, cls="c-md"),
    )
    found = table_of(reader, "auto_export_jobs", wording, heads, lambda one: _export(one, shell))
    note = t.gettext("New and changed files only: deletions and new names stay on Lustre.")
    return replace(found, subtitle=note) if found.rows else found


def _export(one: Mapping[str, Any], shell: Shell) -> TableRow:
    t, state = shell.t, one["state"]
    failed, found, moved = (
        one.get(name) for name in ("failed_files", "found_bytes", "moved_bytes")
    )
    good = one.get("last_success_at")
    status = Cell("fail" if state.lower() in _FAILED else "", state, one["message"])
    if one["admin_status"].lower() == _OFF:
        status = Cell("paused", t.gettext("Off"), state)
    untold = Cell("unknown", t.gettext("Not told"))
    left = None if found is None or moved is None else max(0, found - moved)
    return TableRow(
        one["name"],
        ", ".join(one["prefixes"]),
        (
            status,
            Cell("", _ago(good, shell)) if good else Cell("warn", t.gettext("Never")),
            Cell("fail" if failed else "", t.number(failed)) if failed is not None else untold,
            Cell("", t.size(left)) if left is not None else untold,
        ),
    )


def _expansions(reader: Reader, shell: Shell) -> Table:
    t = shell.t
    wording = Wording(
        "expansions",
        t.gettext("Expansions"),
        t.gettext("Job"),
        t.gettext("It was never made bigger."),
    )
    heads = (
        TableHead(t.gettext("New size"), numeric=True),
        TableHead(t.gettext("Status")),
        TableHead(t.gettext("Began"), cls="c-md"),
    )
    return table_of(reader, "expansion_jobs", wording, heads, lambda one: _expansion(one, shell))


def _expansion(one: Mapping[str, Any], shell: Shell) -> TableRow:
    t, state = shell.t, one["state"]
    size, began, done = (
        one.get(name) for name in ("new_capacity_bytes", "started_at", "progress_percent")
    )
    untold = Cell("unknown", t.gettext("Not told"))
    shape = _EXPANSIONS.get(state.lower(), "")
    text = f"{state} {t.number(done)} %" if shape == "run" and done is not None else state
    return TableRow(
        one["name"],
        "",
        (
            Cell("", t.size(size)) if size is not None else untold,
            Cell(shape, text, one["message"] or one["code"]),
            Cell("", _ago(began, shell)) if began else untold,
        ),
    )
