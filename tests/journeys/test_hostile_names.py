"""Names and tags that attack: whole on every page and in every file, and nothing runs."""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from playwright.sync_api import Browser, Dialog

from tests.support.journeys import (
    API,
    Installation,
    Journey,
    csv_rows,
    pdf_words,
    seen_words,
    this_week,
)
from tests.support.markup import dangers
from tests.support.replay_arm import ReplayArm, recorded
from tests.support.serving import serve

RECORDED: dict[str, Any] = recorded("recorded.storage.accounts.list")["value"][0]
NAMES = {
    "script": "<script>alert(1)</script>",
    "image": '"><img src=x onerror=alert(1)>',
    "formula": '=HYPERLINK("http://203.0.113.9","open")',
    "command": "@SUM(1+1)*cmd|' /C calc'!A0",
    "typst": '#import "/etc/passwd": * $x^2$ *bold*',
    "template": "{{ 7*7 }}{% raw %}",
    "quoted": "it's \"quoted\", isn't; it\\",
    "backwards": "a\u202egnp.exe",
}
HUGE = "n" * 1_000_000
TAGS = {f"<b>{key}": value for key, value in NAMES.items()} | {"long": "t" * 20_000}


def account(name: str) -> dict[str, Any]:
    """The recorded account under another name, with hostile tags."""
    made = deepcopy(RECORDED)
    made["id"] = made["id"].rsplit("/", 1)[0] + "/" + name.replace("/", "%2F")
    made["name"], made["tags"] = name, TAGS
    return made


@pytest.fixture(scope="module")
def filled(installation_of_module: Installation) -> Installation:
    """Accounts of these names, one of a megabyte, and one with a NUL, read and judged."""
    names = (*NAMES.values(), HUGE, "nul\x00name")
    with (
        ReplayArm([account(name) for name in names]) as arm,
        installation_of_module.open() as journey,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("REPLAY_TOKEN", "a-token")
        sweep = journey.sweep(journey.connect("<i>Azure</i>", "azure", arm.config()))
        assert sweep["trace"].get("resources_seen") == len(names), sweep
        assert sweep["state"] == "partial"  # no address is a megabyte long
    return installation_of_module


@pytest.fixture
def read(filled: Installation) -> Iterator[Journey]:
    """The accounts, to be looked at."""
    with filled.open() as journey:
        yield journey


def test_every_name_is_whole_in_json_but_for_the_megabyte(read: Journey) -> None:
    listed = read.resources()
    assert set(NAMES.values()) <= set(listed)
    (cut,) = [name for name in listed if name.startswith("nnn")]
    assert len(cut.encode()) <= 1_000
    (nul,) = [name for name in listed if name.startswith("nul")]
    assert "\x00" not in nul
    tags = listed[NAMES["script"]]["tags"]
    assert {key: tags[key] for key in TAGS if key != "long"} == {
        key: value for key, value in TAGS.items() if key != "long"
    }


def test_what_would_run_is_found() -> None:
    for markup in (
        "<p onclick=alert(1)>",
        "<a href=' JavaScript:alert(1)'>",
        "<script>alert(1)</script>",
        "<iframe src=x>",
    ):
        assert len(dangers(markup)) == 1
    assert dangers("<script type='application/json'>{}</script><p>on=1</p>") == []


def pages_of(read: Journey) -> Iterator[str]:
    """Every page on which a name, a tag or a message made of them can stand."""
    yield from ("/", "/storage", "/findings?state=all", "/policies", "/connections", "/reports")
    yield from (f"/search?q={word}" for word in ("alert", "HYPERLINK"))
    yield "/policies/versioning-on?tab=results"
    for row in read.resources().values():
        yield from (f"/storage/{row['id']}{tab}" for tab in ("", "?tab=facts", "?tab=history"))
    for finding in read.findings(policy_id="versioning-on"):
        yield f"/findings/{finding['id']}"
        yield f"/evidence/finding?number={finding['id'].removeprefix('F-')}"
    for connection in read.every("/connections"):
        yield from (f"/connections/{connection['id']}{below}" for below in ("", "/edit", "/delete"))


def test_nothing_on_any_page_would_run(read: Journey) -> None:
    usual = dangers(read.page("/about"))
    for path in pages_of(read):
        markup = read.page(path)
        found = [one for one in dangers(markup) if one not in usual]
        assert found == [], path
        assert "<img src=x" not in markup, path
        assert len(markup) < 2_000_000, path


def test_pages_show_the_names_as_they_are(read: Journey) -> None:
    listed = read.resources()
    for name in NAMES.values():
        words = read.words(f"/storage/{listed[name]['id']}")
        assert " ".join(name.split()) in words, name


def test_csv_neither_computes_nor_breaks(read: Journey) -> None:
    files = {
        "api resources": read.program.get(f"{API}/resources", params={"format": "csv"}).content,
        "api findings": read.program.get(f"{API}/findings", params={"format": "csv"}).content,
        "page storage": read.pages.get("/storage", params={"format": "csv"}).content,
        "page findings": read.pages.get("/findings", params={"format": "csv"}).content,
    }
    for which, content in files.items():
        rows = csv_rows(content)
        assert rows, which
        for row in rows:
            assert None not in row, which  # no cell spilled over its columns
            for cell in row.values():
                assert not cell.startswith(("=", "+", "@", "\t", "\r")), (which, cell)
        column = "name" if "name" in rows[0] else "resource_name"
        told = {row[column].removeprefix("'") for row in rows}
        assert set(NAMES.values()) <= told, which


@pytest.fixture
def week(read: Journey) -> str:
    """The week whose report was made."""
    found = this_week()
    read.report(found)
    return found


def test_the_report_tells_the_names_in_all_formats_and_runs_nothing(
    read: Journey, week: str
) -> None:
    sheet = read.file(week, "html").decode()
    assert dangers(sheet) == []
    assert "<img src=x" not in sheet
    paper = pdf_words(read.file(week, "pdf"))
    assert "alert(1)" in seen_words(sheet)
    assert "root:" not in paper
    document = json.loads(read.file(week, "json"))
    told = {line["resource_name"] for line in document["open_at_end"]}
    assert set(NAMES.values()) <= told
    rows = csv_rows(read.file(week, "csv"))
    assert set(NAMES.values()) <= {row["resource_name"].removeprefix("'") for row in rows}
    assert not any(cell.startswith(("=", "+", "@")) for row in rows for cell in row.values())


def test_the_paper_shows_markup_as_it_was_written(read: Journey, week: str) -> None:
    paper = pdf_words(read.file(week, "pdf"))
    shown = [name for name in NAMES.values() if " ".join(name.split())[:12] in paper]
    assert {NAMES["script"], NAMES["image"], NAMES["typst"]} & set(shown)


def test_the_megabyte_costs_its_own_cells_alone(read: Journey) -> None:
    listed = read.resources()
    (huge,) = [row for name, row in listed.items() if name.startswith("nnn")]
    verdicts = read.verdicts(huge["id"])
    assert verdicts["versioning-on"] == "unknown"
    assert verdicts["encryption-at-rest"] == "compliant"
    others = [read.verdicts(listed[name]["id"]) for name in NAMES.values()]
    assert {one["encryption-at-rest"] for one in others} == {"compliant"}


@pytest.mark.browser
def test_a_real_browser_runs_none_of_it(read: Journey, browser: Browser) -> None:
    listed = read.resources()
    paths = [f"/storage/{listed[name]['id']}" for name in NAMES.values()]
    with serve(read.app) as address, browser.new_context() as context:
        name, token = next(iter(read.pages.cookies.items()))
        context.add_cookies([{"name": name, "value": token, "url": address}])
        page = context.new_page()
        shown: list[str] = []

        def note(dialog: Dialog) -> None:
            shown.append(dialog.message)
            dialog.dismiss()

        page.on("dialog", note)
        for path in ("/storage", "/findings", f"/reports/{this_week()}", *paths):
            page.goto(address + path)
            assert page.title()
            assert page.locator("img[src=x]").count() == 0
            assert page.evaluate("[...document.scripts].every(one => one.src)")
        assert shown == []
