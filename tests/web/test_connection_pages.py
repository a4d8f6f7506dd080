"""Connections: states, coverage, missing rights; added, changed, swept, tried out and deleted."""

from collections import Counter

from sqlalchemy import delete

from app.collectors.registry import collectors
from app.domain.access import SYSTEM
from app.domain.collecting import Provider
from app.store.models.inventory import ConnectionRow
from app.store.queries import connections
from app.store.queries.connections import ConnectionItem
from app.store.session import transaction
from tests import build
from tests.support.site import Site

NEW = {"provider": "aws", "name": "Lab", "mode": "default_chain", "regions": "eu-west-1"}


def stored(connection_id: str) -> ConnectionItem:
    with transaction(readonly=True) as session:
        return connections.get_connection(session, access=SYSTEM, connection_id=connection_id)


def names() -> list[str]:
    with transaction(readonly=True) as session:
        return [item.name for item in connections.list_connections(session, access=SYSTEM)]


def test_each_source_is_told_in_one_word_with_its_last_day(site: Site) -> None:
    html = site.client().get("/connections").text
    rows = html.split('id="sources"')[1].split("<tbody>")[1].split("</tbody>")[0].split("<tr>")[1:]
    titles = ("Amazon S3 buckets", "Azure storage accounts")
    shown = [row for row in rows if any(title in row for title in titles)]
    states = {row.split("</a>")[0].split(">")[-1]: row for row in shown}
    assert "Unreachable" in states["AWS archive"]
    assert "Permission missing" in states["AWS research"]
    assert "Fresh" in next(row for name, row in states.items() if name.startswith("Azure"))
    assert 'class="k-bad"' in states["AWS archive"]
    assert html.index("AWS archive") < html.index("AWS research")


def test_a_source_that_was_never_read_shows_no_count_of_what_it_holds(site: Site) -> None:
    with transaction() as session:
        unread = build.connection(session, name="Not read yet").id
    html = site.client().get(f"/connections/{unread}").text
    with transaction() as session:
        session.execute(delete(ConnectionRow).where(ConnectionRow.id == unread))
    assert "Nothing has been read through this connection yet." in html
    assert "nothing yet" in html
    assert "0 resources" not in html


def test_the_worst_source_has_the_one_callout(site: Site) -> None:
    html = site.client().get("/connections").text
    assert "AWS archive has never answered" in html
    assert html.split("<main", 1)[1].count('class="callout') == 1


def test_missing_rights_come_with_the_statement_that_grants_them(site: Site) -> None:
    html = site.client().get(f"/connections/{site.estate.aws}").text
    grant = html.split('id="grant"')[1].split("</pre>")[0]
    assert "s3:GetBucketVersioning" in grant
    assert "&#34;Allow&#34;" in grant
    assert 'data-copy="#grant"' in html


def test_coverage_counts_what_was_denied_and_throttled(site: Site) -> None:
    (s3,) = (one for one in stored(site.estate.aws).collectors if one.collector_id == "aws_s3")
    assert s3.last_sweep is not None
    address = f"/connections/{site.estate.aws}?sweep={s3.last_sweep.id}"
    html = site.client().get(address).text
    rows = html.split('id="coverage"')[1].split("</tr>")
    row = next(one for one in rows if "s3:GetBucketVersioning" in one and "AccessDenied" in one)
    assert ">56</td>" in row
    assert ">4</td>" in row


def test_an_earlier_sweep_can_be_looked_at(site: Site) -> None:
    html = site.client().get(f"/connections/{site.estate.aws}").text
    older = html.split("?sweep=")[2].split('"')[0].split("#")[0]
    answer = site.client().get(f"/connections/{site.estate.aws}?sweep={older}")
    assert answer.status_code == 200
    nobody = "01a22e8a-ccae-7886-b593-413f333c38d7"
    assert site.client().get(f"/connections/{site.estate.aws}?sweep={nobody}").status_code == 404


def test_a_connection_is_added_and_changed_and_deleted_after_a_question(site: Site) -> None:
    client = site.client()
    answer = client.post("/connections/new", data=NEW)
    connection_id = answer.headers["location"].rsplit("/", 1)[1]
    assert stored(connection_id).config["regions"] == ["eu-west-1"]
    assert "Lab was added" in client.get(answer.headers["location"]).text
    form = client.get(f"/connections/{connection_id}/edit").text
    assert ">eu-west-1</textarea>" in form
    sent = {**NEW, "name": "Lab 2", "version": "1"}
    assert client.post(f"/connections/{connection_id}/edit", data=sent).status_code == 303
    assert stored(connection_id).name == "Lab 2"
    assert client.post(f"/connections/{connection_id}/edit", data=sent).status_code == 422
    plan = client.get(f"/connections/{connection_id}/delete").text
    assert "Delete Lab 2" in plan
    gone = client.post(f"/connections/{connection_id}/delete", data={"version": "2"})
    assert gone.headers["location"] == "/connections"
    assert "Lab 2" not in names()


def test_a_fault_stands_beside_its_field_and_nothing_is_made(site: Site) -> None:
    sent = {**NEW, "name": "Bad", "mode": "assume_role", "role_arn": "nope", "regions": "mars-1"}
    answer = site.client().post("/connections/new", data=sent)
    assert answer.status_code == 422
    assert 'id="role_arn-error"' in answer.text
    assert 'id="regions-error"' in answer.text
    assert 'value="nope"' in answer.text
    assert "Bad" not in names()


def test_a_secret_itself_is_refused(site: Site) -> None:
    sent = {
        **NEW,
        "mode": "access_key",
        "access_key_id": "AKIAEXAMPLE",
        "secret_access_key": "wJalrXUtnFEMI/K7MDENG",
    }
    answer = site.client().post("/connections/new", data=sent)
    assert answer.status_code == 422
    assert 'id="secret_access_key-error"' in answer.text


def test_a_sweep_is_asked_for_and_shown_until_it_is_done(site: Site) -> None:
    client, url = site.client(), f"/connections/{site.estate.azure}/sweep"
    assert client.post(url).headers["location"] == f"/connections/{site.estate.azure}"
    headers = {"HX-Request": "true", "HX-Target": "sweep"}
    block = client.post(url, headers=headers).text
    assert 'hx-trigger="load delay:1s"' in block
    assert "Waiting for a worker" in block
    assert "<html" not in block
    polled = client.get(url, headers=headers)
    assert ("HX-Trigger" in polled.headers, "Waiting for a worker" in polled.text) == (False, True)


def test_a_failed_sweep_says_when_it_is_tried_again(site: Site) -> None:
    html = site.client().get(f"/connections/{site.estate.down}").text
    block = html.split('id="sweep"')[1].split("</section>")[0]
    assert ("Failed, next try" in block) is ("Waiting for a worker" not in block)
    assert "the endpoint did not answer" in block or "Waiting for a worker" in block


def test_a_test_of_a_source_says_why_it_does_not_let_us_in(site: Site) -> None:
    client = site.client()
    config = {
        **NEW,
        "name": "Nowhere",
        "mode": "access_key",
        "access_key_id": "AKIAEXAMPLE",
        "secret_access_key": "env:NO_SUCH_VARIABLE",
        "endpoint_url": "http://127.0.0.1:9",
    }
    made = client.post("/connections/new", data=config).headers["location"]
    headers = {"HX-Request": "true", "HX-Target": "tried"}
    answer = client.post(f"{made}/test", headers=headers)
    assert answer.status_code == 200
    assert "The source does not let us in: " in answer.text
    assert "NO_SUCH_VARIABLE" in answer.text
    client.post(f"{made}/delete", data={"version": "1"})


def test_a_source_is_switched_off_and_on(site: Site) -> None:
    client, url = site.client(), f"/connections/{site.estate.azure}/enabled"
    client.post(url, data={"enabled": "false"})
    assert "Paused" in client.get("/connections").text
    client.post(url, data={"enabled": "true"})
    assert stored(site.estate.azure).enabled


def test_the_shell_counts_the_sources(site: Site) -> None:
    side = site.client().get("/about").text.split('id="side"')[1].split("</aside>")[0]
    kinds = Counter(collector.provider for collector in collectors().values())
    sources = 2 * kinds[Provider.AWS] + kinds[Provider.AZURE]
    assert f"5 of {sources} sources fresh" in side
    assert "need attention" in side
    assert "Cierzo Research" in side
    assert "sandbox" in side


def test_accounts_are_listed_with_what_may_be_read_there(site: Site) -> None:
    html = site.client().get(f"/connections/{site.estate.aws}").text
    rows = html.split('id="ac-h"')[1].split("<tbody>")[1].split("</tbody>")[0].split("<tr>")[1:]
    own, closed = rows
    assert "of these credentials" in own
    assert "1 switched off" in own
    assert "account:ListRegions" in own
    assert "SUSPENDED" in closed
    assert "Not swept" in closed
    assert "Not readable" in closed
    assert "nothing yet" in closed
    assert "&lt;img src=x" in closed


def test_accounts_are_no_storage(site: Site) -> None:
    html = site.client().get("/storage?q=arn:aws:iam").text
    assert "444455556666" not in html
