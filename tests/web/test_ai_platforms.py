"""What pages tell of accounts and workspaces of machine learning."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import cast

from app.domain.azure_ai import AiAccountFacts, ModelDeployment
from app.domain.azure_batch import BatchAccountFacts, FamilyQuota
from app.domain.azure_machine_learning import MlWorkspaceFacts
from app.domain.derive import derive
from app.domain.fact_schema import to_fact_set
from app.domain.facts import FactDocument, Unreadable
from app.store.queries.inventory import ResourceItem
from app.web import ai_platforms
from app.web.facts_view import Cell, Reader
from app.web.pages import Shell
from app.web.resource_detail import Detail
from tests.support.azure_clusters import aks_cluster
from tests.support.documents import filled

SHELL = Shell(
    language="en", theme="", shortcuts=True, now=datetime(2026, 12, 1, tzinfo=UTC), here="/",
    organisation="Atalaya", sandbox=False, csrf_token="",
)  # fmt: skip


def described(document: FactDocument) -> Detail:
    reader = Reader(to_fact_set(document, *derive(document)), SHELL)
    known = SimpleNamespace(id="1", kind=document.KIND, sub_account_id="s", connection_name="Azure")
    return ai_platforms.describe(cast(ResourceItem, known), reader, SHELL)


def strip(document: FactDocument) -> dict[str, Cell]:
    return {one.label: one.cell for one in described(document).strip}


def test_an_account_tells_its_models_and_where_they_are_computed() -> None:
    served = (
        ModelDeployment(
            "writer", "gpt-4.1", "OpenAI", "2025-04-14", "GlobalStandard", 50, "Succeeded",
            "OnceNewDefaultVersionAvailable", None,
        ),
        ModelDeployment("embed", "e3", "OpenAI", "1", "Standard", None, None, None, None),
    )  # fmt: skip
    open_account = filled(
        AiAccountFacts,
        account_kind="OpenAI",
        public_network_access="Enabled",
        local_auth_disabled=False,
        deployments=served,
    )
    found = strip(open_account)
    assert found["Kind"] == Cell("", "OpenAI")
    assert (found["Reached from"], found["Keys"]) == (
        Cell("warn", "All networks"),
        Cell("warn", "Accepted"),
    )
    (models,) = described(open_account).tables
    writer, embed = models.rows
    assert writer.cells[1] == Cell("warn", "In any region", "GlobalStandard")
    assert writer.cells[3].shape == "warn"
    assert [cell.text for cell in embed.cells] == ["e3", "In its region", "Not told", "Not told"]


def test_models_that_could_not_be_read_are_no_empty_table() -> None:
    hidden = filled(AiAccountFacts, deployments=Unreadable("AuthorizationFailed"))
    (models,) = described(hidden).tables
    assert models.gap == Cell("unknown", "Not readable", "AuthorizationFailed")


def test_an_account_of_batch_tells_its_quotas() -> None:
    account = filled(
        BatchAccountFacts,
        dedicated_core_quota=1000,
        public_network_access="Disabled",
        authentication_modes=("AAD",),
        family_quotas=(FamilyQuota("standardNDISRH100V5Family", 960),),
    )
    assert strip(account)["Dedicated cores"] == Cell("", "1,000")
    assert strip(account)["Keys"] == Cell("", "Not accepted")
    (quotas,) = described(account).tables
    assert (quotas.rows[0].name, quotas.rows[0].cells[0].text) == (
        "standardNDISRH100V5Family",
        "960",
    )


def test_a_workspace_knows_no_keys() -> None:
    found = strip(filled(MlWorkspaceFacts, workspace_kind="Hub", public_network_access="Disabled"))
    assert (found["Kind"], found["Keys"]) == (Cell("", "Hub"), Cell("", "None"))
    assert found["Reached from"] == Cell("", "Named ones")


def test_other_kinds_have_nothing_of_this() -> None:
    assert described(aks_cluster()).strip == ()
