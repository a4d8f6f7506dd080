"""What follows from the facts of NetApp and Qumulo, in the words of any file system."""

from typing import Any

import pytest

from app.domain.facts import ABSENT, Present, Unreadable
from app.domain.file_system_netapp import netapp_pool, netapp_volume, pool_use
from app.domain.file_system_qumulo import qumulo_file_system
from tests.support.azure_files import TIB, pool, qumulo, replicated_to, volume

DENIED = Unreadable("AuthorizationFailed")


@pytest.mark.parametrize(
    ("size", "given", "left", "percent"),
    [
        (Present(4 * TIB), Present(TIB), Present(3 * TIB), Present(75.0)),
        (Present(4 * TIB), Present(5 * TIB), Present(0), Present(0.0)),
        (Present(0), Present(0), Present(0), ABSENT),
        (Present(4 * TIB), DENIED, DENIED, DENIED),
        (DENIED, Present(0), DENIED, DENIED),
        (Present(TIB), ABSENT, Unreadable("NotReported"), Unreadable("NotReported")),
    ],
)
def test_what_of_a_pool_is_left(size: Any, given: Any, left: Any, percent: Any) -> None:
    found = pool_use(pool(size_bytes=size, allocated_bytes=given))
    assert (found.unallocated_bytes, found.unallocated_percent) == (left, percent)


def test_a_pool_is_not_mounted_itself() -> None:
    found = netapp_pool(pool())
    assert (found.protocols, found.capacity_bytes) == (ABSENT, Present(4 * TIB))
    assert (found.repositories, found.backups_possible) == (ABSENT, Present(False))


@pytest.mark.parametrize(
    ("level", "durability"),
    [
        (Present("Ultra"), Present("persistent")),
        (Present("Flexible"), Present("persistent")),
        (Present("StandardZRS"), Present("multi_az")),
        (Present("Extreme"), Unreadable("UnknownLevel Extreme")),
        (ABSENT, Unreadable("NotReported")),
        (DENIED, DENIED),
    ],
)
def test_the_service_level_says_how_often_files_are_kept(level: Any, durability: Any) -> None:
    assert netapp_volume(volume(service_level=level)).durability == durability
    assert netapp_pool(pool(pool_service_level=level)).durability == durability


@pytest.mark.parametrize(
    ("words", "protocols"),
    [
        (Present(("NFSv3", "NFSv4.1", "CIFS")), Present(("nfs", "smb"))),
        (ABSENT, Present(("nfs",))),
        (Present(("S3",)), Unreadable("UnknownType S3")),
        (DENIED, DENIED),
    ],
)
def test_the_protocols_say_how_it_is_mounted(words: Any, protocols: Any) -> None:
    assert netapp_volume(volume(protocol_types=words)).protocols == protocols


@pytest.mark.parametrize(
    ("policy", "enforced", "backed_up", "kept"),
    [
        (Present("/p"), Present(True), Present(True), Unreadable("NotReported")),
        (Present("/p"), Present(False), Present(False), ABSENT),
        (Present("/p"), ABSENT, Present(False), ABSENT),
        (ABSENT, ABSENT, Present(False), ABSENT),
        (DENIED, DENIED, DENIED, Unreadable("NotReported")),
    ],
)
def test_a_backup_policy_counts_when_it_is_in_force(
    policy: Any, enforced: Any, backed_up: Any, kept: Any
) -> None:
    found = netapp_volume(volume(backup_policy_id=policy, backup_policy_enforced=enforced))
    assert (found.backed_up, found.backups_kept_days) == (backed_up, kept)


def test_a_source_rests_where_its_copies_are() -> None:
    copies = Present((replicated_to("East US"), replicated_to("", "/volumes/w")))
    source = volume(replication_endpoint_type=Present("src"), replications=copies)
    found = netapp_volume(source).rest_places
    assert isinstance(found, Present)
    assert [(one.role, one.region_id, one.store, one.code) for one in found.value] == [
        ("primary", "westeurope", "", ""),
        ("replica", "eastus", "/volumes/copy", ""),
        ("replica", None, "/volumes/w", "NotReported"),
    ]


def test_a_copy_is_a_replica_and_its_source_no_place_of_it() -> None:
    copy = netapp_volume(
        volume(
            replication_endpoint_type=Present("Dst"),
            replications=Present((replicated_to("eastus"),)),
        )
    )
    assert copy.is_replica == Present(True)
    assert copy.rest_region_ids == Present(("westeurope",))
    unread = netapp_volume(volume(replication_endpoint_type=DENIED, replications=DENIED))
    assert unread.is_replica == DENIED


@pytest.mark.parametrize(
    ("source", "encryption"),
    [
        (ABSENT, Present("provider_key")),
        (Present("Microsoft.KeyVault"), Present("customer_key")),
        (Present("Elsewhere"), Unreadable("UnknownKeySource Elsewhere")),
        (DENIED, DENIED),
    ],
)
def test_the_key_source_says_whose_key_it_is(source: Any, encryption: Any) -> None:
    assert netapp_volume(volume(encryption_key_source=source)).encryption == encryption


def test_a_volume_without_a_zone_lies_in_one_that_is_not_told() -> None:
    assert netapp_volume(volume(availability_zones=ABSENT)).zones == Unreadable("NotReported")
    many = volume(availability_zones=ABSENT, service_level=Present("StandardZRS"))
    assert netapp_volume(many).zones == ABSENT


@pytest.mark.parametrize(
    ("sku", "zone", "durability", "zones"),
    [
        ("Cold_ZRS", ABSENT, Present("multi_az"), ABSENT),
        ("Hot_LRS", Present("2"), Present("persistent"), Present(("2",))),
        ("Hot_LRS", ABSENT, Present("persistent"), Unreadable("NotReported")),
        ("yhyzby", Present("1"), Unreadable("UnknownSku yhyzby"), Present(("1",))),
    ],
)
def test_the_order_of_qumulo_says_how_often_files_are_kept(
    sku: str, zone: Any, durability: Any, zones: Any
) -> None:
    found = qumulo_file_system(qumulo(storage_sku=Present(sku), availability_zone=zone))
    assert (found.durability, found.zones) == (durability, zones)
