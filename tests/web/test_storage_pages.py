"""Storage: rows and details tell present, absent and unreadable apart, and show what changed."""

import csv
import io
from uuid import UUID

import pytest

from app.domain.collecting import SamplesSeen
from app.domain.samples import DAY_SECONDS, Sample, Series, Statistic, Unit, floor
from app.kit.clock import utc_now
from app.store import samples
from app.store.session import transaction
from tests.support.site import Site
from tests.support.web_estate import ACCOUNT


def main_of(html: str) -> str:
    return html.split("<main", 1)[1].split("</main>", 1)[0]


def row_of(html: str, name: str) -> str:
    return html.split(f">{name}</a>")[1].split("</tr>", maxsplit=1)[0]


def test_a_row_says_what_could_not_be_read(site: Site) -> None:
    row = row_of(site.client().get("/storage?q=locked").text, "locked")
    assert row.count("Not readable") == 2
    assert row.count("AccessDenied") == 2


def test_a_row_says_what_is_off_and_what_never_happens(site: Site) -> None:
    row = row_of(site.client().get("/storage?q=open-data").text, "open-data")
    assert "Off" in row
    assert "Never" in row
    assert "Fails" in row


def test_a_geo_redundant_account_has_two_regions_and_two_copies(site: Site) -> None:
    row = row_of(site.client().get("/storage?q=stgeo").text, "stgeo")
    assert ">westeurope<" in row
    assert ">northeurope<" in row
    assert "2 copies" in row
    assert "GRS" in row


def test_columns_are_hidden_by_the_address(site: Site) -> None:
    client = site.client()
    assert "Cools after</th>" in client.get("/storage?q=good").text
    hidden = main_of(client.get("/storage?q=good&hide=cools,cloud").text)
    assert "Cools after</th>" not in hidden
    assert 'hide=cools"' in hidden  # the link that shows the cloud again


def test_the_list_is_sorted_by_its_heads(site: Site) -> None:
    client = site.client()
    up = main_of(client.get("/storage?sort=name").text)
    assert 'aria-sort="ascending"' in up
    assert up.index(">curated-speech<") < up.index(">good<") < up.index(">locked<")
    down = main_of(client.get("/storage?sort=-name").text)
    assert down.index(">stgeo<") < down.index(">stcierzoweu<") < down.index(">shard-49<")


def test_htmx_gets_the_results_with_fresh_filters_beside_them(site: Site) -> None:
    headers = {"HX-Request": "true", "HX-Target": "results"}
    answer = site.client().get("/storage?q=shard", headers=headers)
    assert "<html" not in answer.text
    assert answer.text.lstrip().startswith('<div id="results"')
    assert 'id="chips" hx-swap-oob="true"' in answer.text
    assert {"HX-Request", "HX-Target"} <= set(answer.headers["vary"].split(", "))


@pytest.mark.parametrize("header", ["HX-Boosted", "HX-History-Restore-Request"])
def test_a_whole_page_goes_to_boosted_and_restored_requests(site: Site, header: str) -> None:
    headers = {"HX-Request": "true", "HX-Target": "results", header: "true"}
    assert "<html" in site.client().get("/storage", headers=headers).text


def test_csv_tells_absent_and_unreadable_apart(site: Site) -> None:
    answer = site.client().get("/storage?format=csv&provider=aws&state=all")
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(answer.text))}
    assert rows["good"]["cools_after_days"] == "30"
    assert rows["open-data"]["cools_after_days"] == "absent"
    assert rows["locked"]["cools_after_days"] == "unreadable: AccessDenied"
    assert len(rows) == 56


def test_a_detail_shows_every_place_where_bytes_rest(site: Site) -> None:
    client = site.client()
    found = client.get("/storage?q=notes-es").text
    address = found.split('class="nm wrap" href="')[1].split('"')[0]
    places = main_of(client.get(address).text).split('id="pl-h"')[1].split("</section>")[0]
    assert places.count("<tr>") == 4
    for text in ("eu-west-1", "eu-central-1", "us-east-1", "Replica", "US", "logs-use1"):
        assert text in places


def test_replication_that_could_not_be_read_is_no_copy(site: Site) -> None:
    html = main_of(site.client().get(f"/storage/{site.estate.unreadable}").text)
    strip, _, rest = html.partition('id="pl-h"')
    assert "1 copy" in strip
    assert "more are possible" in strip
    places = rest.split("</section>")[0]
    assert "1 place<" in places
    assert places.count("everything") == 1


def test_a_rule_says_what_it_really_does(site: Site) -> None:
    html = main_of(site.client().get(f"/storage/{site.estate.good}").text)
    rules = html.split('id="ru-h"')[1].split("</section>")[0]
    assert "Move to GLACIER_IR 30 d after creation" in rules
    assert "Delete old versions 365 d after they were replaced, except the newest 3" in rules
    assert "Objects leave the hot tier after 30 days." in rules


def test_unreadable_rules_are_no_missing_rules(site: Site) -> None:
    client = site.client()
    unreadable = main_of(client.get(f"/storage/{site.estate.unreadable}").text)
    section = unreadable.split('id="ru-h"')[1].split("</section>")[0]
    assert "Not readable" in section
    assert "There are no lifecycle rules" not in section
    absent = main_of(client.get(f"/storage/{site.estate.changed}").text)
    assert "There are no lifecycle rules" in absent


def test_an_unknown_verdict_gives_each_reason_once(site: Site) -> None:
    html = main_of(site.client().get(f"/storage/{site.estate.unreadable}").text)
    assert html.count("facts.cools_after_days could not be read: AccessDenied") == 1


def test_the_facts_name_the_call_that_read_them(site: Site) -> None:
    html = main_of(site.client().get(f"/storage/{site.estate.unreadable}?tab=facts").text)
    assert "s3:GetBucketLifecycleConfiguration" in html
    assert "AccessDenied" in html


def test_the_history_shows_what_changed(site: Site) -> None:
    html = main_of(site.client().get(f"/storage/{site.estate.changed}?tab=history").text)
    assert "Revision 2" in html
    assert "Seen for the first time" in html
    change = html.split('<span class="hunk">versioning_status</span>')[1]
    assert change.index("Suspended") < change.index("Enabled")


def test_access_points_are_parts_of_their_bucket(site: Site) -> None:
    client, good = site.client(), site.estate.good
    html = main_of(client.get(f"/storage/{good}").text)
    assert f'href="/storage/{good}?tab=parts"' in html
    parts = main_of(client.get(f"/storage/{good}?tab=parts").text)
    assert f'href="/resources/{site.estate.door}">door</a>' in parts
    assert "S3 access point" in row_of(parts, "door")
    plain = main_of(client.get(f"/storage/{site.estate.changed}").text)
    assert "?tab=parts" not in plain


def test_an_access_point_leads_to_its_bucket(site: Site) -> None:
    html = main_of(site.client().get(f"/resources/{site.estate.door}").text)
    assert f'Part of <a href="/storage/{site.estate.good}">good</a>.' in html


def test_an_access_point_tells_of_a_bucket_that_is_not_known(site: Site) -> None:
    html = main_of(site.client().get(f"/resources/{site.estate.lent}").text)
    assert 'Part of <code class="wrap">arn:aws:s3:::of-a-partner</code>.' in html


def test_the_size_of_a_bucket_is_shown_where_it_is_measured(site: Site) -> None:
    address = f"/storage/{site.estate.good}"
    assert "Measured" not in main_of(site.client().get(address).text)
    size = Series(
        sub_account_id=ACCOUNT,
        region_id="eu-west-1",
        subject_kind="s3_bucket",
        subject_id="s3_bucket/good",
        metric="stored_bytes",
        unit=Unit.BYTES,
        source="cloudwatch:AWS/S3/BucketSizeBytes",
        statistic=Statistic.AVERAGE,
        period_seconds=DAY_SECONDS,
        dimension="StandardStorage",
    )
    with transaction() as session:
        seen = SamplesSeen(size, (Sample(floor(utc_now(), DAY_SECONDS), 3.0 * 2**30),))
        samples.store(session, UUID(site.estate.aws), [seen])
    html = main_of(site.client().get(address).text)
    assert "Measured" in html
    assert "StandardStorage" in html
    assert "3 GiB" in html.replace("\xa0", " ")


def test_an_unknown_resource_is_not_found(site: Site) -> None:
    client = site.client()
    assert client.get("/storage/nope").status_code == 404
    assert client.get("/storage/01a22e8a-ccae-7886-b593-413f333c38d7").status_code == 404


def test_tags_are_shown_as_text(site: Site) -> None:
    html = site.client().get(f"/storage/{site.estate.hostile}").text
    assert "&lt;img src=x onerror=alert(1)&gt;" in html
    assert "<img" not in html
