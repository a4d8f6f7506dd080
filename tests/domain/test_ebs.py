"""Whether anything needs a volume or a snapshot."""

from typing import Any

import pytest

from app.domain.ebs import snapshot_use, volume_use
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from tests.support.ec2_facts import orphan_volume, snapshot, volume

DENIED = Unreadable("UnauthorizedOperation")
HERE, GONE = Present(True), Present(False)
USED, UNUSED = Present(("ami-1",)), Present(())


@pytest.mark.parametrize(
    ("state", "attached", "is_orphan"),
    [
        ("available", (), True),
        ("in-use", ("i-1",), False),
        ("available", ("i-1",), False),
        ("creating", (), False),
        ("deleting", (), False),
        ("error", (), False),
    ],
)
def test_an_orphan_volume_is_one_that_could_be_attached_and_is_not(
    state: str, attached: tuple[str, ...], is_orphan: bool
) -> None:
    found = volume_use(volume(state=Present(state), attached_to=Present(attached)))
    assert found.is_orphan == Present(is_orphan)


def test_an_unread_attachment_is_no_orphan() -> None:
    assert volume_use(volume(attached_to=DENIED)).is_orphan == DENIED
    assert volume_use(orphan_volume()).is_orphan == Present(True)


@pytest.mark.parametrize(
    ("exists", "images", "is_orphan"),
    [
        (HERE, UNUSED, Present(False)),
        (HERE, DENIED, Present(False)),
        (GONE, USED, Present(False)),
        (GONE, UNUSED, Present(True)),
        (DENIED, USED, Present(False)),
        (GONE, DENIED, DENIED),
        (DENIED, UNUSED, DENIED),
        (DENIED, DENIED, DENIED),
        (ABSENT, USED, Present(False)),
        (ABSENT, UNUSED, ABSENT),
        (ABSENT, DENIED, DENIED),
    ],
)
def test_an_orphan_snapshot_needs_two_whole_lists(
    exists: Fact[bool], images: Any, is_orphan: Fact[bool]
) -> None:
    found = snapshot_use(snapshot(volume_exists=exists, used_by_images=images))
    assert found.is_orphan == is_orphan
