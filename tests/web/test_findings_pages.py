"""Findings: assigned, snoozed, waived and commented with and without script; refusals come back."""

import csv
import io
from datetime import timedelta

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from app.domain.access import SYSTEM, Scope
from app.kit.clock import utc_now
from app.kit.i18n import translator
from app.store.queries import compliance
from app.store.queries.compliance import FindingDetail, FindingFilter
from app.store.session import transaction
from app.web.formats import Formats
from tests.support import callers
from tests.support.site import Site

DETAIL = {"HX-Request": "true", "HX-Target": "detail"}


def an_open_finding(policy_id: str = "versioning-on") -> int:
    with transaction(readonly=True) as session:
        where = FindingFilter(policy_id=policy_id)
        return compliance.search_findings(session, access=SYSTEM, where=where).items[-1].number


def stored(number: int) -> FindingDetail:
    with transaction(readonly=True) as session:
        return compliance.get_finding(session, access=SYSTEM, number=number)


def in_days(days: int) -> str:
    return (utc_now() + timedelta(days=days)).date().isoformat()


@pytest.fixture
def number(site: Site) -> int:
    del site
    return an_open_finding()


def follow(client: TestClient, answer: Response) -> str:
    assert answer.status_code == 303
    return client.get(answer.headers["location"]).text


def test_a_form_without_script_goes_on_to_the_finding_and_says_what_was_done(
    site: Site, number: int
) -> None:
    client = site.client()
    answer = client.post(f"/findings/F-{number}/assign", data={"owner": " marta@example.org "})
    html = follow(client, answer)
    assert stored(number).item.owner == "marta@example.org"
    assert f"F-{number} assigned to marta@example.org" in html
    again = client.get(f"/findings/F-{number}").text
    assert "assigned to" not in again.split('id="toasts"')[1].split("</div>")[0]


def test_an_assignment_can_be_undone(site: Site, number: int) -> None:
    client = site.client()
    client.post(f"/findings/F-{number}/assign", data={"owner": "first"})
    html = follow(client, client.post(f"/findings/F-{number}/assign", data={"owner": "second"}))
    toast = html.split('class="toast"')[1].split("</form>")[0]
    assert 'name="owner" value="first"' in toast
    follow(client, client.post(f"/findings/F-{number}/assign", data={"owner": "first"}))
    assert stored(number).item.owner == "first"


def test_htmx_gets_the_finding_alone_a_toast_and_a_sign_to_reload_the_list(
    site: Site, number: int
) -> None:
    answer = site.client().post(
        f"/findings/F-{number}/comment", data={"text": "Seen."}, headers=DETAIL
    )
    assert (answer.status_code, answer.headers["HX-Trigger"]) == (200, "findings-changed")
    assert "<html" not in answer.text
    assert 'id="toasts" hx-swap-oob="innerHTML"' in answer.text
    assert stored(number).events[0].detail == "Seen."


def test_a_waiver_needs_a_reason_worth_reading(site: Site, number: int) -> None:
    client = site.client()
    client.cookies.set("atalaya_language", "es")
    sent = {"reason": "ok", "until": in_days(10)}
    answer = client.post(f"/findings/F-{number}/waive", data=sent)
    assert answer.status_code == 422
    assert "Indicar por qué el riesgo es aceptable" in answer.text
    assert 'aria-invalid="true" aria-describedby="reason-error"' in answer.text
    assert ">ok</textarea>" in answer.text
    assert stored(number).waivers == ()


def test_htmx_gets_a_refused_form_with_422_in_the_same_place(site: Site, number: int) -> None:
    sent = {"reason": "The data set is public on purpose.", "until": "31 Feb"}
    answer = site.client().post(f"/findings/F-{number}/waive", data=sent, headers=DETAIL)
    assert (answer.status_code, "<html" in answer.text) == (422, False)
    assert "This is not a date" in answer.text


@pytest.mark.parametrize("until", ["2020-01-01", "2199-01-01", ""])
def test_a_snooze_must_end_soon_and_ahead(site: Site, number: int, until: str) -> None:
    answer = site.client().post(f"/findings/F-{number}/snooze", data={"until": until})
    assert answer.status_code == 422
    assert stored(number).item.overlay == ""


def test_a_finding_is_waived_revoked_snoozed_and_woken_up(site: Site) -> None:
    number, client = an_open_finding("inventory-configured"), site.client()
    base = f"/findings/F-{number}"
    sent = {"reason": "Nothing is kept in this one for long.", "until": in_days(10)}
    assert "Waived" in follow(client, client.post(f"{base}/waive", data=sent))
    assert stored(number).item.overlay == "waived"
    assert "was revoked" in follow(client, client.post(f"{base}/revoke"))
    assert stored(number).item.overlay == ""
    html = follow(client, client.post(f"{base}/snooze", data={"until": in_days(3)}))
    last = Formats(translator("en")).day(utc_now() + timedelta(days=3), utc_now())
    assert f"snoozed until {last}" in html, "the toast"
    assert f">{last}</time></small>" in client.get(base).text, "the state"
    assert (stored(number).item.overlay, f"{base}/unsnooze" in html) == ("snoozed", True)
    follow(client, client.post(f"{base}/unsnooze"))
    assert stored(number).item.overlay == ""


@pytest.mark.parametrize("finding_id", ["F-99999999", "F-", "1", "F-1e3", "X-1", "F-" + "9" * 40])
def test_what_is_no_finding_is_not_found(site: Site, finding_id: str) -> None:
    answer = site.client().get(f"/findings/{finding_id}")
    assert answer.status_code == 404
    assert "Nothing here" in answer.text


def test_the_list_follows_its_address(site: Site) -> None:
    client = site.client()
    html = client.get("/findings?severity=high&q=shard&sort=oldest").text
    assert "Severity: <strong>High</strong>" in html
    results = html.split('id="results"')[1].split("</section>")[0]
    assert "shard-" in results
    assert "open-data" not in results
    assert "severity=high" in results


def test_pages_follow_each_other_and_back(site: Site) -> None:
    client = site.client()
    first = client.get("/findings?state=all").text
    following = first.split('rel="next" href="')[1].split('"')[0].replace("&amp;", "&")
    second = client.get(following).text
    assert "51 to 100 of " in second
    previous = second.split('rel="prev" href="')[1].split('"')[0].replace("&amp;", "&")
    assert "1 to 50 of " in client.get(previous).text


def test_a_finding_keeps_the_list_it_was_chosen_from(site: Site, number: int) -> None:
    html = site.client().get(f"/findings/F-{number}?state=all&sort=newest").text
    assert "inbox at-detail" in html
    assert "/findings?state=all&amp;sort=newest" in html


def test_csv_holds_all_that_match_and_no_formula(site: Site) -> None:
    answer = site.client().get("/findings?format=csv&policy=versioning-on&state=all")
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert len(rows) > 50
    assert {row["policy_id"] for row in rows} == {"versioning-on"}


@pytest.mark.parametrize("query", ["state=nope", "severity=worst", "sort=price", "after=nonsense"])
def test_an_unknown_filter_is_a_clear_error(site: Site, query: str) -> None:
    answer = site.client().get(f"/findings?{query}")
    assert answer.status_code == 422
    assert "That can&#39;t be used" in answer.text


def test_who_may_only_read_sees_no_forms(site: Site, number: int) -> None:
    reading = frozenset({Scope.FINDINGS_READ})
    secret = callers.token_of(site.ana, reading)
    client = callers.client(site.app, secret)
    html = client.get(f"/findings/F-{number}").text
    assert 'id="assign"' not in html
    assert client.post(f"/findings/F-{number}/assign", data={"owner": "x"}).status_code == 403
