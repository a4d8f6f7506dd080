"""Pages of Azure's file systems: how late exports are, what is paid for nothing, what is a copy."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from starlette.testclient import TestClient

from app.collectors import azure_lustre
from app.domain.access import SYSTEM
from app.domain.collecting import ListingDone, Observation, ResourceSeen
from app.domain.facts import ABSENT, FactDocument, Present, Unreadable
from app.domain.paging import PageRequest
from app.http.deps import get_now
from app.kit import assets
from app.kit.clock import utc_now
from app.main import create_app
from app.services import connections
from app.store.queries import inventory
from app.store.queries.inventory import ResourceFilter, ResourceItem
from app.store.session import transaction
from app.web.resource_view import address_of
from tests.support import azure_files as files
from tests.support import callers
from tests.support.journeys import seen_words
from tests.support.schema import create_schema
from tests.support.site import installed
from tests.support.web_estate import AZURE, sweep

NOW = utc_now()
POOL = "/x/netAppAccounts/a/capacityPools/pool-notes"
FILE_SYSTEMS: dict[str, FactDocument] = {
    "amlfs-good": files.lustre(
        auto_export_jobs=Present(
            (
                files.auto_export(
                    last_success_at=NOW - timedelta(minutes=4),
                    failed_files=3,
                    found_bytes=3 * 2**40,
                    moved_bytes=2**40,
                ),
                files.auto_export(name="old", admin_status="Disable", state="Disabled"),
            )
        ),
        expansion_jobs=Present(
            (
                files.expansion(state="InProgress", progress_percent=45.0),
                files.expansion(name="to-24", state="Failed", code="InsufficientCapacity"),
            )
        ),
        health_state=Present("Expanding"),
    ),
    "amlfs-alone": files.lustre(hsm_container_id=ABSENT, auto_export_jobs=Present(())),
    "amlfs-shut": files.lustre(auto_export_jobs=Unreadable("AuthorizationFailed")),
    "pool-notes": files.pool(allocated_bytes=Present(files.TIB)),
    "vol-copy": files.volume(
        replication_endpoint_type=Present("dst"),
        replication_healthy=Present(False),
        mirror_state=Present("Broken"),
        replication_message=Present("Broken off by a user."),
    ),
    "vol-plain": files.volume(cool_access=ABSENT, snapshot_policy_id=ABSENT),
    "anq": files.qumulo(),
}


def seen() -> Iterator[Observation]:
    for name, facts in FILE_SYSTEMS.items():
        yield ResourceSeen(
            kind=facts.KIND,
            immutable_id=name,
            native_id=POOL if name == "pool-notes" else f"{POOL}/volumes/{name}",
            name=name,
            sub_account_id="s",
            region_id="westeurope",
            created_at=None,
            tags={},
            facts=facts,
            scope="s",
            parent_native_id=POOL if name.startswith("vol-") else "",
        )
    for kind in {facts.KIND for facts in FILE_SYSTEMS.values()}:
        yield ListingDone(kind, "s", complete=True)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    url = f"sqlite:///{tmp_path_factory.mktemp('files')}/atalaya.db"
    assets.build()
    create_schema(url)
    with installed(url):
        with transaction() as session:
            made = connections.create(
                session, access=SYSTEM, name="Azure", provider="azure", config=AZURE,
                now=NOW - timedelta(days=1),
            )  # fmt: skip
        sweep(made.id, azure_lustre, seen, NOW)
        app = create_app()
        app.dependency_overrides[get_now] = lambda: NOW
        known = callers.browser(app, callers.person())
        yield TestClient(app, callers.HOST, headers=dict(known.headers), cookies=known.cookies)


def listed(where: ResourceFilter) -> tuple[ResourceItem, ...]:
    with transaction() as session:
        page = PageRequest(limit=50)
        found = inventory.search_resources(session, access=SYSTEM, where=where, page=page)
    return tuple(found.items)


@pytest.fixture
def words(browser: TestClient) -> dict[str, str]:
    """The words of the page of each file system."""
    found = listed(ResourceFilter())
    pages = {one.name: browser.get(address_of(one.kind, one.id)) for one in found}
    assert {page.status_code for page in pages.values()} == {200}
    return {name: seen_words(page.text) for name, page in pages.items()}


def test_lustre_tells_its_last_good_export_and_what_it_left(words: dict[str, str]) -> None:
    good = words["amlfs-good"]
    assert "Last good export 4 min ago 3 files failed" in good
    assert "deletions and new names stay on Lustre" in good
    assert "2 TiB" in good
    assert "InProgress 45 %" in good
    assert "InsufficientCapacity" in good
    assert "Changing Expanding" in good


def test_lustre_without_a_container_exports_nothing(words: dict[str, str]) -> None:
    assert "Last good export Never" in words["amlfs-alone"]
    assert "Nothing is exported by itself." in words["amlfs-alone"]


def test_exports_that_could_not_be_read_are_not_none(words: dict[str, str]) -> None:
    assert "Last good export Not readable AuthorizationFailed" in words["amlfs-shut"]
    assert "Nothing is exported by itself." not in words["amlfs-shut"]


def test_a_pool_tells_what_is_paid_for_nothing_and_leads_to_its_volumes(
    words: dict[str, str], browser: TestClient
) -> None:
    assert "Paid, given to none 75 % 3 TiB" in words["pool-notes"]
    assert "75 % given to no volume" in words["pool-notes"]
    (pool,) = listed(ResourceFilter(kind="azure_netapp_pool"))
    parts = seen_words(browser.get(f"{address_of(pool.kind, pool.id)}?tab=parts").text)
    assert "Volumes 2" in parts
    assert "vol-copy" in parts
    assert "vol-plain" in parts


def test_a_volume_tells_its_tier_its_snapshots_and_whether_it_is_kept_up(
    words: dict[str, str],
) -> None:
    assert "As a copy Broken Broken off by a user." in words["vol-copy"]
    assert "Cool tier On unread for 31 d" in words["vol-copy"]
    assert "Cool tier Off Snapshots Off As a copy It is none" in words["vol-plain"]


def test_what_only_qumulo_tells_is_neither_none_nor_refused(words: dict[str, str]) -> None:
    assert "Size Not told ToldByQumuloAlone" in words["anq"]
    assert "Ordered Hot_ZRS" in words["anq"]


def test_the_list_shows_them_all(browser: TestClient) -> None:
    words = seen_words(browser.get("/file-systems").text)
    assert all(name in words for name in FILE_SYSTEMS)
    csv = browser.get("/file-systems?format=csv").text
    assert "unreadable: Passing Expanding" in csv
