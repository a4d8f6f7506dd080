"""Lists and pages of any resource: one address each, whatever its kind."""

import csv
import io

import pytest

from tests.support.site import Site
from tests.web.test_storage_pages import main_of, row_of


def test_every_kind_is_in_the_list_of_all_resources(site: Site) -> None:
    html = main_of(site.client().get("/resources?q=research").text)
    assert "AWS account" in row_of(html, "research")
    assert 'href="/accounts/' in html
    assert 'href="/storage/' in main_of(site.client().get("/resources?kind=s3_bucket").text)


@pytest.mark.parametrize("folder", ["resources", "storage"])
def test_a_resource_is_led_to_the_page_of_its_kind(site: Site, folder: str) -> None:
    account = site.estate.sub_account
    answer = site.client().get(f"/{folder}/{account}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/accounts/{account}")


def test_what_does_not_exist_is_not_found(site: Site) -> None:
    assert site.client().get("/resources/nothing").status_code == 404
    assert site.client().get("/accounts/nothing").status_code == 404
    assert site.client().get("/clusters/nothing").status_code == 404


def test_an_account_says_its_life_its_regions_and_how_it_is_read(site: Site) -> None:
    row = row_of(site.client().get("/accounts?q=research").text, "research")
    assert ">ACTIVE<" in row
    assert "account:ListRegions" in row
    assert ">64<" in row  # 56 buckets, clusters with machines, a file system, access points


def test_an_account_that_rests_is_told_apart(site: Site) -> None:
    html = main_of(site.client().get("/accounts?sort=-name").text)
    assert "SUSPENDED" in html
    assert "AccountNotActive" in html
    assert "Not swept" in html


def test_accounts_as_csv_tell_why_a_fact_is_missing(site: Site) -> None:
    answer = site.client().get("/accounts?format=csv")
    rows = {row["sub_account_id"]: row for row in csv.DictReader(io.StringIO(answer.text))}
    assert rows["444455556666"]["enabled_regions"] == "unreadable: AccountNotActive"
    assert rows["111122223333"]["joined_at"] == "absent"


def test_htmx_gets_the_results_of_any_list(site: Site) -> None:
    headers = {"HX-Request": "true", "HX-Target": "results"}
    answer = site.client().get("/resources?q=shard", headers=headers)
    assert "<html" not in answer.text
    assert answer.text.lstrip().startswith('<div id="results"')
    assert 'id="chips" hx-swap-oob="true"' in answer.text


def test_columns_of_any_list_are_hidden_by_the_address(site: Site) -> None:
    client = site.client()
    assert "Cloud</th>" in client.get("/resources?q=good").text
    assert "Cloud</th>" not in main_of(client.get("/resources?q=good&hide=cloud").text)
