"""Which POSTs only read: no name in a path makes another question of one."""

import pytest

from app.clouds.azure_versions import reads

COMPUTES = "/subscriptions/s/resourceGroups/g/providers/P/workspaces/w/computes"


def test_the_nodes_of_a_compute_are_read_by_post() -> None:
    assert reads(f"{COMPUTES}/gpu-cluster/listNodes")
    assert reads(f"{COMPUTES}/gpu-cluster/LISTNODES")


@pytest.mark.parametrize(
    "name", ["?", "c?x=", "c#", "..", ".", "a/start?x=", "%2e%2e", "c/../d", "c/start", ""]
)
def test_a_name_that_leads_elsewhere_is_no_such_question(name: str) -> None:
    assert not reads(f"{COMPUTES}/{name}/listNodes")
