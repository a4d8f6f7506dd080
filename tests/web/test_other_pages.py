"""Overview, evidence, reports, search, about and failures."""

import csv
import io
import json
from collections.abc import Mapping

import pytest
from fastapi import FastAPI
from sqlalchemy.orm import Session

from app.domain.access import Access
from app.domain.compliance import Pillar
from app.domain.reporting import Counts
from app.kit.clock import utc_now
from app.kit.settings import settings
from app.store.queries import posture
from app.web.errors import TITLES
from tests.support import callers
from tests.support.site import Site

DRAWER = {"HX-Request": "true", "HX-Target": "drawer-body"}


def main_of(html: str) -> str:
    return html.split("<main", 1)[1].split("</main>", 1)[0]


def test_pillars_without_data_say_what_they_wait_for(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    html = main_of(site.client().get("/").text)
    assert 'class="pillar waits"' not in html
    assert html.count('class="meter') == 5
    real = posture.posture_now

    def without_two(session: Session, *, access: Access) -> Mapping[str, Counts]:
        known: Mapping[str, Counts] = real(session, access=access)
        waiting = {Pillar.COST, Pillar.UTILISATION}
        return {pillar: counts for pillar, counts in known.items() if pillar not in waiting}

    monkeypatch.setattr(posture, "posture_now", without_two)
    html = main_of(site.client().get("/").text)
    assert "Waits for a cost source." in html
    assert "Waits for a source of GPU metrics." in html
    assert html.count('class="pillar waits"') == 2


def test_the_overview_says_first_what_matters(site: Site) -> None:
    lead = main_of(site.client().get("/").text).split("<p>")[1].split("</p>")[0]
    assert lead.startswith("Posture is ")
    assert "could not be made" in lead


def test_the_overview_groups_what_changed(site: Site) -> None:
    html = main_of(site.client().get("/?w=30d").text).split('id="wc-h"')[1].split("</section>")[0]
    assert "findings opened" in html
    assert "resource" in html
    day = main_of(site.client().get("/?w=24h").text).split('id="wc-h"')[1].split("</section>")[0]
    assert "curated-speech" in day


def test_an_empty_installation_counts_no_regions(app: FastAPI) -> None:
    html = callers.browser(app, callers.person()).get("/").text
    assert "Connect a cloud" in html
    assert "0 regions" not in html


def test_an_unknown_period_is_refused(site: Site) -> None:
    assert site.client().get("/?w=century").status_code == 422


@pytest.mark.parametrize(
    "address",
    ["/evidence/posture", "/evidence/pillar?pillar=residency"],
)
def test_the_same_proof_is_a_page_and_a_drawer(site: Site, address: str) -> None:
    client = site.client()
    page, drawer = client.get(address).text, client.get(address, headers=DRAWER).text
    assert "<html" in page
    assert "<html" not in drawer
    assert "data-close" in drawer
    assert "floor(100" in page
    assert "floor(100" in drawer


def test_a_proof_can_be_taken_along(site: Site) -> None:
    client = site.client()
    rows = list(csv.DictReader(io.StringIO(client.get("/evidence/posture?format=csv").text)))
    page = client.get("/evidence/posture").text
    document = client.get("/api/v1/evidence/posture").json()
    assert len(rows) == len(document["inputs"])
    assert document["digest"] in page


@pytest.mark.parametrize(
    "address",
    [
        "/evidence/nope",
        "/evidence/pillar",
        "/evidence/finding?number=x",
        "/evidence/pillar?pillar=x",
    ],
)
def test_a_proof_that_cannot_be_made_is_a_clear_error(site: Site, address: str) -> None:
    answer = site.client().get(address)
    assert answer.status_code == 422
    assert "alert" not in answer.text


def test_a_report_is_a_page_and_four_files(site: Site) -> None:
    client, week = site.client(), site.estate.week
    listed = client.get("/reports").text
    assert f'href="/reports/{week}"' in listed
    for form, begins in (("pdf", b"%PDF"), ("csv", b""), ("json", b"{"), ("html", b"<!doctype")):
        answer = client.get(f"/reports/{week}/file?format={form}&lang=es")
        assert answer.status_code == 200
        assert f"-es.{form}" in answer.headers["content-disposition"]
        assert answer.content.startswith(begins)
    assert "Informe de cumplimiento" in client.get(f"/reports/{week}?lang=es").text


def test_a_report_is_made_now(site: Site) -> None:
    client = site.client()
    answer = client.post("/reports", data={"week": site.estate.week})
    assert answer.headers["location"] == f"/reports/{site.estate.week}"


@pytest.mark.parametrize("week", ["2026-W54", "2199-W01", "nope", ""])
def test_a_week_that_does_not_exist_is_a_clear_error(site: Site, week: str) -> None:
    client = site.client()
    answer = client.post("/reports", data={"week": week})
    assert answer.status_code == 422
    assert client.get(f"/reports/{week or 'x'}").status_code in {404, 422}


def test_search_finds_by_name_title_and_id(site: Site) -> None:
    client = site.client()
    groups = client.get("/palette.json", params={"q": "curated"}).json()["groups"]
    assert [(group["title"], group["items"][0]["label"]) for group in groups][-1] == (
        "Resources",
        "curated-speech",
    )
    by_id = client.get("/palette.json", params={"q": site.estate.finding.lower()}).json()["groups"]
    assert by_id[0]["items"][0]["url"] == f"/findings/{site.estate.finding}"
    assert client.get("/palette.json", params={"q": "no such thing"}).json() == {"groups": []}


def test_the_search_page_shows_the_same_without_script(site: Site) -> None:
    html = main_of(site.client().get("/search?q=policies").text)
    assert 'href="/policies"' in html
    assert "Nothing matches" in main_of(site.client().get("/search?q=no+such+thing").text)


def test_hostile_names_are_data_in_the_palette(site: Site) -> None:
    answer = site.client().get("/palette.json", params={"q": "<img"})
    assert answer.headers["content-type"] == "application/json"
    assert "<img src=x" in json.dumps(answer.json())


def test_about_lists_what_others_made_with_licences(site: Site) -> None:
    html = main_of(site.client().get("/about").text)
    for text in ("2.0.10", "0BSD", "OFL-1.1", "ISC", "htmx", "Geist", "Lucide"):
        assert text in html


def test_a_failure_is_a_page_a_part_or_the_sign_in(site: Site) -> None:
    client = site.client()
    page = client.get("/nope")
    assert (page.status_code, "Nothing here" in page.text) == (404, True)
    assert 'id="side"' in page.text
    assert "No source is connected" not in page.text  # nobody asked
    part = client.get("/nope", headers={"HX-Request": "true"})
    assert (part.status_code, "<html" in part.text) == (404, False)
    assert 'data-error="Nothing here: ' in part.text
    lost = site.stranger().get("/storage", headers={"HX-Request": "true"})
    assert (lost.status_code, lost.headers["HX-Redirect"]) == (401, "/login")


def test_every_status_of_a_failure_has_a_title_in_words() -> None:
    assert {400, 403, 404, 409, 422, 429, 500, 503} <= set(TITLES)


def test_times_of_schedules_are_local_and_name_their_zone(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATALAYA_TIME_ZONE", "Europe/Madrid")
    settings.cache_clear()
    html = main_of(site.client().get("/reports").text)
    assert "06:00 CE" in html  # CET or CEST
    assert str(utc_now().year) in html
