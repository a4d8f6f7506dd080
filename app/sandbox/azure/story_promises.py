"""Storage accounts that promise a protection and cannot keep it: holds, scopes, restores, lists."""

from app.sandbox.azure.model import Account, BlobService, Container, Json
from app.sandbox.azure.rules import good, inventory_rule, rule, tiers
from app.sandbox.azure.story_datasets import RG_NEU, VERSIONED
from app.sandbox.story import CLINICAL_NOTES, EVAL_SUITE, NEU, PATHOLOGY, SPEECH, WEU


def _unlocked_versions(days: int) -> Json:
    """What an account says that makes each new version immutable, until somebody changes it."""
    policy = {
        "immutabilityPeriodSinceCreationInDays": days,
        "allowProtectedAppendWrites": False,
        "state": "Unlocked",
    }
    return {"immutableStorageWithVersioning": {"enabled": True, "immutabilityPolicy": policy}}


ACCOUNTS = (
    Account(
        "stscopesweu",
        WEU,
        "encryption scope on a container that the rules want to archive: they never do",
        tags=CLINICAL_NOTES.tags(),
        blob=VERSIONED,
        rules=good(["notes/", "public/"]),
        scopes={"patients": True, "retired": False},
        containers=(Container("notes", scope="patients"), Container("public")),
    ),
    Account(
        "stretainneu",
        NEU,
        "retention that is not locked, on the account and on one container of two",
        resource_group=RG_NEU,
        tags=PATHOLOGY.tags(role="archive"),
        blob=VERSIONED,
        rules=good(["slides/", "consents/"]),
        properties=_unlocked_versions(365),
        containers=(
            Container("slides", retention_days=3650, locked=False),
            Container("consents", retention_days=3650),
        ),
    ),
    Account(
        "strestoreweu",
        WEU,
        "point-in-time restore of 30 days, with soft delete of 14 and a change feed of 7",
        tags=SPEECH.tags(),
        blob=BlobService(
            versioning=True,
            soft_delete_days=14,
            container_soft_delete_days=14,
            change_feed=True,
            change_feed_days=7,
            restore_days=30,
        ),
        rules=good(["speech/"]),
        containers=(Container("speech"),),
    ),
    Account(
        "stshortweu",
        WEU,
        "archived after 30 days and deleted after 90: Archive is billed for 180",
        tags=EVAL_SUITE.tags(),
        blob=VERSIONED,
        rules=[rule("tidy", tiers(archive=30, delete=90), ["eval/"])],
        containers=(Container("eval"),),
    ),
    Account(
        "stlistsweu",
        WEU,
        "inventory into a container that is gone",
        tags=EVAL_SUITE.tags(),
        blob=VERSIONED,
        rules=good(["eval/"]),
        inventory=[inventory_rule("inventory")],
        containers=(Container("eval"),),
    ),
)
