"""The weekly report in its four formats says the same things and runs nothing that is in it."""

import csv as csv_file
import io
import json as json_file
import re
from datetime import timedelta

import pytest
from pypdf import PdfReader

from app.domain.compliance import Pillar
from app.domain.reporting import (
    Counts,
    WeeklyReport,
    report_digest,
    report_from_json,
    report_to_json,
)
from app.reports import csv, html, json, pdf
from tests.support.build_reports import MADE, finding, pillar, report

HOSTILE = '<script>alert(1)</script> #let x = 1 *bold* $x^2$ `raw` "quoted" &amp; =SUM(A1)'


def pdf_text(content: bytes) -> str:
    pages = PdfReader(io.BytesIO(content)).pages
    return re.sub(r"\s+", " ", " ".join(page.extract_text() for page in pages))


def html_text(made: WeeklyReport, language: str = "en") -> str:
    return html.render(made, language).decode()


def csv_rows(made: WeeklyReport) -> list[dict[str, str]]:
    return list(csv_file.DictReader(io.StringIO(csv.render(made, "en").decode(), newline="")))


def test_pdf_and_html_name_the_week_its_figures_and_its_digest() -> None:
    made = report()
    for text in (pdf_text(pdf.render(made, "en")), html_text(made)):
        assert "Compliance report, week 48" in text
        assert "Cierzo Research" in text
        assert f"sha256:{report_digest(made)[:16]}" in text
        assert "Copies leave the legal zone" in text
        assert "waived to 30 Dec 2026" in text


def test_a_pillar_without_data_waits_and_shows_no_figure() -> None:
    made = report(pillars=(pillar(Pillar.COST, counts=None, previous=None, open_findings=0),))
    for text in (pdf_text(pdf.render(made, "en")), html_text(made)):
        assert "waits for a source" in text
        assert "No data" in text
        assert "0 pass" not in text
        assert not re.search(r"waits for a source\W+0\b", text), "no data are not no findings"


def test_unknown_verdicts_lower_the_score_and_are_said() -> None:
    made = report(pillars=(pillar(counts=Counts(compliant=1, unknown=3), previous=None),))
    assert made.posture is not None
    assert made.posture.score == 25
    assert "3 verdicts are unknown" in pdf_text(pdf.render(made, "en"))


def test_a_hundred_needs_every_verdict_compliant() -> None:
    assert Counts(compliant=1999, non_compliant=1).score == 99
    assert Counts(compliant=2000).score == 100
    assert Counts().score is None


def test_sandbox_and_running_week_are_said_plainly() -> None:
    made = report(sandbox=True, preliminary=True)
    for text in (pdf_text(pdf.render(made, "en")), html_text(made)):
        assert "Sandbox: every figure comes from the simulated estate" in text
        assert "Preliminary: the week ends on" in text


def test_hostile_names_stay_text_in_pdf_and_html() -> None:
    made = report(open_at_end=(finding(title=HOSTILE, resource_name=HOSTILE),))
    assert "#let x = 1 *bold* $x^2$ `raw`" in pdf_text(pdf.render(made, "en"))
    page = html_text(made)
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)" in page


@pytest.mark.parametrize("name", ["=cmd()", "+1", "-1", "@SUM(A1)", "\tx", "\rx"])
def test_csv_text_that_a_spreadsheet_would_run_gets_an_apostrophe(name: str) -> None:
    assert csv_rows(report(open_at_end=(finding(resource_name=name),)))[0]["resource_name"] == (
        "'" + name
    )


@pytest.mark.parametrize("name", ["a=b", "plain", "two\nlines", 'quo"te', "comma,name", "café"])
def test_other_csv_text_comes_back_as_it_was(name: str) -> None:
    assert csv_rows(report(open_at_end=(finding(resource_name=name),)))[0]["resource_name"] == name


def test_csv_lists_open_findings_then_those_closed_in_the_week() -> None:
    rows = csv_rows(report())
    assert [(row["state"], row["id"]) for row in rows] == [
        ("open", "F-1182"),
        ("open", "F-1183"),
        ("resolved", "F-1100"),
    ]


def test_json_is_the_stored_document_with_its_digest() -> None:
    made = report()
    document = json_file.loads(json.render(made, "en"))
    assert document.pop("digest") == f"sha256:{report_digest(made)}"
    assert report_from_json(document) == made
    assert report_from_json(report_to_json(made)) == made


def test_the_same_report_gives_the_same_bytes() -> None:
    made = report()
    for kind in (pdf, html, csv, json):
        assert kind.render(made, "en") == kind.render(made, "en")


def test_the_digest_ignores_when_it_was_made_and_follows_every_figure() -> None:
    made = report()
    assert report_digest(report(edition=2, made_at=made.ends_at)) == report_digest(made)
    assert report_digest(report(opened=8)) != report_digest(made)


def test_the_pdf_is_tagged_and_says_its_language() -> None:
    root = PdfReader(io.BytesIO(pdf.render(report(), "es"))).root_object
    assert "'/Marked': True" in str(root["/MarkInfo"])
    assert str(root["/Lang"]) == "es"


def test_spanish_reports_speak_spanish() -> None:
    made = report()
    for text in (pdf_text(pdf.render(made, "es")), html_text(made, "es")):
        assert "Informe de cumplimiento, semana 48" in text
        assert "Pillars" not in text


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_long_name_that_breaks_keeps_its_own_hyphens(language: str) -> None:
    name = "cierzo-multimodal-radiology-of-all-hospitals-fra"
    made = report(open_at_end=(finding(resource_name=name, owner=f"{name}@example.org"),))
    text = "".join(
        PdfReader(io.BytesIO(pdf.render(made, language))).pages[0].extract_text().split()
    )
    assert name in text
    assert "--" not in text


def test_days_of_another_year_say_so() -> None:
    before = MADE - timedelta(days=400)
    made = report(open_at_end=(finding(opened_at=before),))
    for text in (pdf_text(pdf.render(made, "en")), html_text(made)):
        assert "oldest since 26 Oct 2025" in text
        assert text.count("26 Oct 2025") == 2


def test_spanish_dates_read_as_spaniards_write_them() -> None:
    for text in (pdf_text(pdf.render(report(), "es")), html_text(report(), "es")):
        assert "al dom 29 de noviembre de 2026" in text


def test_titles_of_built_in_policies_speak_the_language_of_the_report() -> None:
    made = report(open_at_end=(finding(title="Overwritten data is lost", severity="critical"),))
    for text in (pdf_text(pdf.render(made, "es")), html_text(made, "es")):
        assert text.count("Los datos sobrescritos se pierden") == 2
        assert "Overwritten data is lost" not in text


def test_an_open_finding_says_whether_the_week_brought_it() -> None:
    made = report(open_at_end=(finding(1), finding(2, opened_at=MADE - timedelta(days=60))))
    for text in (pdf_text(pdf.render(made, "en")), html_text(made)):
        assert text.count("still open") == 1
        assert re.search(r"[> ]new[< ]", text)


def test_sixty_findings_show_forty_and_say_where_the_rest_is() -> None:
    lines = tuple(finding(1000 + number) for number in range(60))
    made = report(open_at_end=lines, open_total=60)
    assert "20 more findings are in the CSV and JSON" in pdf_text(pdf.render(made, "en"))
    assert len(csv_rows(made)) == 61


def test_an_empty_estate_still_makes_a_report() -> None:
    made = report(
        pillars=(), open_at_end=(), resolved_in_week=(), waivers=(), policies=(), sources=(),
        opened=0, resolved=0, open_total=0, verdicts_at=None, resources=0,
    )  # fmt: skip
    text = pdf_text(pdf.render(made, "en"))
    assert "Nothing was judged in this week" in text
    assert html_text(made).count("None.") == 5
