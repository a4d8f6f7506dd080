"""What follows from the facts of FSx and EFS, in the words of any file system."""

from dataclasses import fields
from typing import Any

import pytest

from app.domain.derive import derive
from app.domain.facts import ABSENT, FactDocument, Present, Unreadable
from app.domain.file_system import FileSystemFacts
from tests.support.file_systems import (
    association,
    cache,
    configuration,
    efs,
    fsx,
    replication,
    volume,
)

DENIED = Unreadable("AccessDenied")


def derived(document: FactDocument) -> FileSystemFacts:
    (found,) = derive(document)
    assert isinstance(found, FileSystemFacts)
    return found


def places(document: FactDocument) -> list[tuple[str, str | None, str]]:
    rest = derived(document).rest_places
    assert isinstance(rest, Present)
    return [(one.role, one.region_id, one.store) for one in rest.value]


@pytest.mark.parametrize(
    ("kind", "protocols"),
    [
        ("LUSTRE", Present(("lustre",))),
        ("ONTAP", Present(("nfs", "smb"))),
        ("OPENZFS", Present(("nfs",))),
        ("WINDOWS", Present(("smb",))),
        ("CEPH", Unreadable("UnknownType CEPH")),
    ],
)
def test_the_type_says_how_it_is_mounted(kind: str, protocols: object) -> None:
    assert derived(fsx(file_system_type=Present(kind))).protocols == protocols


@pytest.mark.parametrize(
    ("deployment", "durability"),
    [
        ("SCRATCH_1", "scratch"),
        ("SCRATCH_2", "scratch"),
        ("PERSISTENT_1", "persistent"),
        ("SINGLE_AZ_HA_2", "persistent"),
        ("MULTI_AZ_2", "multi_az"),
    ],
)
def test_the_deployment_says_how_often_files_are_kept(deployment: str, durability: str) -> None:
    found = derived(fsx(deployment_type=Present(deployment)))
    assert found.durability == Present(durability)


def test_a_scratch_file_system_is_encrypted_by_a_key_of_the_service() -> None:
    found = derived(
        fsx(deployment_type=Present("SCRATCH_2"), kms_key_id=ABSENT, key_manager=ABSENT)
    )
    assert (found.encrypted, found.encryption) == (Present(True), Present("provider_key"))


@pytest.mark.parametrize(
    ("manager", "kind"),
    [
        (Present("CUSTOMER"), Present("customer_key")),
        (Present("AWS"), Present("provider_key")),
        (DENIED, DENIED),
        (Present("SOMEBODY"), Unreadable("UnknownKeyManager SOMEBODY")),
    ],
)
def test_kms_alone_tells_whose_key_it_is(manager: Any, kind: object) -> None:
    assert derived(fsx(key_manager=manager)).encryption == kind
    assert derived(efs(key_manager=manager)).encryption == kind


def test_an_unencrypted_file_system_has_no_key() -> None:
    found = derived(efs(encryption_enabled=Present(False), kms_key_id=ABSENT, key_manager=ABSENT))
    assert (found.encrypted, found.encryption) == (Present(False), Present("none"))


@pytest.mark.parametrize(
    ("events", "exports"),
    [
        (("NEW", "CHANGED", "DELETED"), True),
        (("NEW", "CHANGED"), True),
        (("NEW",), False),
        ((), False),
    ],
)
def test_only_new_and_changed_files_together_are_an_export(
    events: tuple[str, ...], exports: bool
) -> None:
    one = association(export_events=events)
    found = derived(fsx(data_repository_associations=Present((one,))))
    assert found.exports_changes == Present(exports)
    assert isinstance(found.repositories, Present)
    (repository,) = found.repositories.value
    assert (repository.system, repository.store, repository.prefix) == ("s3", "bucket", "prefix/")
    assert repository.exports is exports


def test_one_directory_that_is_not_exported_decides() -> None:
    both = (association(), association(association_id="dra-2", path="/x", export_events=()))
    found = derived(fsx(data_repository_associations=Present(both)))
    assert found.exports_changes == Present(False)


def test_the_older_link_never_exports_by_itself() -> None:
    found = derived(fsx(data_repository_configuration=Present(configuration())))
    assert found.exports_changes == Present(False)
    assert isinstance(found.repositories, Present)
    (repository,) = found.repositories.value
    assert (repository.path, repository.prefix, repository.export_prefix) == ("/", "in/", "out/")
    assert repository.imports


def test_an_older_link_without_any_path_is_none() -> None:
    bare = configuration(import_path="", export_path="")
    found = derived(fsx(data_repository_configuration=Present(bare)))
    assert (found.repositories, found.exports_changes) == (ABSENT, ABSENT)


def test_a_broken_link_is_named_by_its_directory() -> None:
    links = (association(), association(path="/logs", lifecycle="MISCONFIGURED"))
    found = derived(fsx(data_repository_associations=Present(links)))
    assert found.broken_repository_paths == Present(("/logs",))


@pytest.mark.parametrize("state", ["CREATING", "UPDATING", "DELETING"])
def test_a_link_that_changes_may_be_broken_afterwards(state: str) -> None:
    changing, bad = association(lifecycle=state), association(path="/b", lifecycle="FAILED")
    one = derived(fsx(data_repository_associations=Present((changing,))))
    two = derived(fsx(data_repository_associations=Present((changing, bad))))
    assert one.broken_repository_paths == Unreadable(f"Passing {state}")
    assert two.broken_repository_paths == Present(("/b",))


def test_links_that_were_not_read_are_not_no_links() -> None:
    found = derived(fsx(data_repository_associations=DENIED))
    assert found.repositories == DENIED
    assert found.exports_changes == DENIED
    assert found.broken_repository_paths == DENIED
    assert found.backups_possible == DENIED


def test_a_linked_or_scratch_file_system_cannot_be_backed_up() -> None:
    linked = fsx(data_repository_associations=Present((association(),)))
    scratch = fsx(deployment_type=Present("SCRATCH_2"), data_repository_associations=DENIED)
    for document in (linked, scratch):
        assert derived(document).backups_possible == Present(False)
    assert derived(fsx()).backups_possible == Present(True)


@pytest.mark.parametrize(
    ("days", "backed_up", "kept"),
    [
        (Present(30), Present(True), Present(30)),
        (Present(0), Present(False), ABSENT),
        (ABSENT, Present(False), ABSENT),
        (DENIED, DENIED, DENIED),
    ],
)
def test_backups_kept_for_no_day_are_none(days: Any, backed_up: object, kept: object) -> None:
    found = derived(fsx(automatic_backup_retention_days=days))
    assert (found.backed_up, found.backups_kept_days) == (backed_up, kept)


@pytest.mark.parametrize(
    ("status", "backed_up", "kept"),
    [
        (Present("ENABLED"), Present(True), Unreadable("NotReported")),
        (Present("DISABLING"), Present(False), ABSENT),
        (ABSENT, Present(False), ABSENT),
        (DENIED, DENIED, DENIED),
    ],
)
def test_efs_says_whether_but_not_how_long(status: Any, backed_up: object, kept: object) -> None:
    found = derived(efs(backup_policy_status=status))
    assert (found.backed_up, found.backups_kept_days) == (backed_up, kept)


def test_a_replica_of_efs_is_a_place_even_when_it_is_paused() -> None:
    copies = (
        replication(),
        replication(file_system_id="fs-3", region_id="us-east-1", status="PAUSED"),
    )
    assert places(efs(replications=Present(copies))) == [
        ("primary", "eu-central-1", ""),
        ("replica", "eu-west-1", "fs-2"),
        ("replica", "us-east-1", "fs-3"),
    ]
    found = derived(efs(replications=Present(copies)))
    assert found.rest_region_ids == Present(("eu-central-1", "eu-west-1", "us-east-1"))
    assert (found.home_region, found.home_zone) == (Present("eu-central-1"), Present("EU"))


def test_a_replica_in_another_account_names_it() -> None:
    found = derived(efs(replications=Present((replication(account_id="777788889999"),))))
    assert isinstance(found.rest_places, Present)
    assert found.rest_places.value[1].account_id == "777788889999"


def test_replications_that_were_not_read_are_said_to_be() -> None:
    assert places(efs(replications=DENIED)) == [
        ("primary", "eu-central-1", ""),
        ("replica", None, ""),
    ]


def test_where_ontap_replicates_to_is_not_known() -> None:
    assert places(fsx(file_system_type=Present("ONTAP"))) == [
        ("primary", "eu-central-1", ""),
        ("replica", None, ""),
    ]
    assert places(fsx()) == [("primary", "eu-central-1", "")]


def test_a_file_system_is_a_replica_when_every_volume_with_data_is() -> None:
    root, mirror = volume(name="root", is_root=True), volume(ontap_type="DP", path="")
    assert derived(fsx(volumes=Present((root, mirror)))).is_replica == Present(True)
    assert derived(fsx(volumes=Present((root, mirror, volume())))).is_replica == Present(False)
    assert derived(fsx(volumes=Present((root,)))).is_replica == Present(False)
    assert derived(fsx(volumes=DENIED)).is_replica == DENIED
    replicating = efs(replication_overwrite_protection=Present("REPLICATING"))
    assert derived(replicating).is_replica == Present(True)


def test_a_regional_file_system_names_no_zone() -> None:
    assert (derived(efs()).durability, derived(efs()).zones) == (Present("multi_az"), ABSENT)
    one_zone = derived(efs(availability_zone=Present("eu-central-1a")))
    assert (one_zone.durability, one_zone.zones) == (
        Present("persistent"),
        Present(("eu-central-1a",)),
    )


def test_a_cache_keeps_nothing_of_its_own() -> None:
    found = derived(cache())
    assert found.durability == Present("cache")
    assert found.backups_possible == Present(False)
    nfs = association(data_repository_path="nfs://filer.example/export/", export_events=())
    found = derived(cache(data_repository_associations=Present((nfs,))))
    assert isinstance(found.repositories, Present)
    assert (found.repositories.value[0].system, found.repositories.value[0].store) == (
        "nfs",
        "filer.example",
    )


@pytest.mark.parametrize("given", [fsx, efs])
def test_of_what_was_not_read_nothing_follows_but_what_always_holds(given: Any) -> None:
    blind = given(**{found.name: DENIED for found in fields(given())})
    facts = derived(blind)
    for name in ("home_region", "rest_places", "encryption", "encrypted", "zones"):
        assert getattr(facts, name) == DENIED, name


def test_a_deployment_that_is_new_says_nothing_of_how_files_are_kept() -> None:
    found = derived(fsx(deployment_type=Present("FLEETING_1")))
    assert found.durability == Unreadable("UnknownDeployment FLEETING_1")
