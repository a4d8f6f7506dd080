"""Wrong input from end to end: a clear error, nothing lost, nothing changed."""

from collections.abc import Iterator
from typing import Any

import pytest

from app.clouds import aws, azure_calls
from app.sandbox.aws_server import AwsServer
from app.sandbox.azure_server import AzureServer
from app.sandbox.story import AMERICAS
from tests.support import own_aws
from tests.support import policies as policy_texts
from tests.support.journeys import API, Journey, work_off
from tests.support.steadiness import kept

HUGE = "n" * 1_000_000


@pytest.fixture(scope="module")
def cloud() -> Iterator[AwsServer]:
    """An account with one bucket."""
    server = AwsServer()
    server.start()
    own_aws.make_bucket(server, "corpus")
    yield server
    server.stop()


@pytest.fixture
def source(journey: Journey, cloud: AwsServer, monkeypatch: pytest.MonkeyPatch) -> str:
    """A connection to it that was read well; its id."""
    monkeypatch.setattr(aws, "_ATTEMPTS", 1)
    monkeypatch.setenv("OWN_AWS_SECRET", cloud.secret_access_key)
    connection = journey.connect("AWS", "aws", own_aws.settings(cloud))
    assert journey.sweep(connection)["state"] == "complete"
    return connection


def refusal(journey: Journey, path: str, body: Any, status: int = 422) -> dict[str, Any]:
    """The problem that the API answers."""
    answer = journey.program.post(f"{API}{path}", json=body)
    assert answer.status_code == status, answer.text[:500]
    assert answer.headers["content-type"] == "application/problem+json"
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize(
    ("secret", "code"), [("wrong", "SignatureDoesNotMatch"), ("", "SecretMissing")]
)
def test_a_wrong_secret_is_told_and_nothing_is_lost(
    journey: Journey, source: str, monkeypatch: pytest.MonkeyPatch, secret: str, code: str
) -> None:
    before = kept(journey)
    monkeypatch.setenv("OWN_AWS_SECRET", secret)
    sweep = journey.sweep(source)
    assert (sweep["state"], sweep["code"]) == ("failed", code)
    assert kept(journey) == before
    words = journey.words(f"/connections/{source}")
    assert sweep["message"][:40] in words
    verdicts = journey.verdicts(journey.resource("corpus")["id"])
    assert verdicts["versioning-on"] == "non_compliant"  # as last read
    problem = refusal(journey, f"/connections/{source}/test", None, 502)
    assert problem["detail"]


def test_a_wrong_token_of_azure_is_told(
    journey: Journey, azure_cloud: AzureServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(azure_calls, "_ATTEMPTS", 1)
    monkeypatch.setenv("AZURE_TOKEN", azure_cloud.token)
    config = {
        "endpoint_url": azure_cloud.endpoint,
        "subscriptions": [AMERICAS.subscription_id],
        "credentials": {"mode": "static_token", "token": "env:AZURE_TOKEN"},
    }
    connection = journey.connect("Azure", "azure", config)
    journey.sweep(connection)
    before = kept(journey)
    monkeypatch.setenv("AZURE_TOKEN", "sandbox.any.0.forged")
    sweep = journey.sweep(connection)
    assert (sweep["state"], sweep["code"]) == ("failed", "InvalidAuthenticationToken")
    assert kept(journey) == before
    assert "InvalidAuthenticationToken" in str(journey.get(f"/connections/{connection}"))
    assert "forged" not in journey.page(f"/connections/{connection}")


BAD_CONFIGS: dict[str, tuple[dict[str, Any], str]] = {
    "unknown region": ({"regions": ["eu-wst-1"]}, "eu-wst-1"),
    "region of the wrong type": ({"regions": "eu-west-1"}, "regions"),
    "unknown setting": ({"regionz": []}, "regionz"),
    "unknown operation": ({"operations": ["s3:DeleteBucket"]}, "s3:DeleteBucket"),
    "secret in the open": (
        {
            "credentials": {
                "mode": "access_key",
                "access_key_id": "AKIAIOSFODNN7EXAMPLE",
                "secret_access_key": "plain-secret",
            }
        },
        "secret_access_key",
    ),
    "no such endpoint": ({"endpoint_url": "ftp://x"}, "endpoint_url"),
}


@pytest.mark.parametrize("kind", BAD_CONFIGS)
def test_wrong_settings_are_refused_by_name_and_nothing_is_made(
    journey: Journey, cloud: AwsServer, kind: str
) -> None:
    change, named = BAD_CONFIGS[kind]
    config = own_aws.settings(cloud) | change
    problem = refusal(journey, "/connections", {"name": "bad", "provider": "aws", "config": config})
    assert named in str(problem["errors"]) + problem["detail"]
    assert problem["mend"]
    assert "plain-secret" not in str(problem)
    assert journey.every("/connections") == []
    assert not any(kind == "sweep" for kind, _ in work_off())


BAD_POLICIES = {
    "no YAML": ("id: [", "1:"),
    "unknown field": (policy_texts.text(assertt="x"), "18:1"),
    "unknown fact": (policy_texts.text(**{"assert": "facts.versionning_on"}), "10:15"),
    "no boolean": (policy_texts.text(**{"assert": "facts.versioning_status"}), "10:15"),
    "a test that fails": (
        policy_texts.text(
            tests=[{"name": "on", "facts": {"versioning_on": False}, "expect": "compliant"}]
        ),
        ":",
    ),
    "huge": (f"id: {HUGE[:100_000]}", ""),
}


@pytest.mark.parametrize("kind", BAD_POLICIES)
def test_a_malformed_policy_is_refused_with_line_and_column(journey: Journey, kind: str) -> None:
    text, where = BAD_POLICIES[kind]
    known = [row["id"] for row in journey.every("/policies")]
    problem = refusal(journey, "/policies", {"text": text})
    assert problem["errors"], problem
    if where:
        places = [error["where"] for error in problem["errors"]]
        assert any(where in place for place in places), places
    assert [row["id"] for row in journey.every("/policies")] == known


def test_the_page_marks_the_line_and_keeps_the_text(journey: Journey) -> None:
    text = policy_texts.text(**{"assert": "facts.versionning_on"})
    answer = journey.pages.post("/policies/new", data={"text": text, "action": "save"})
    assert answer.status_code == 422
    assert "facts.versionning_on" in answer.text
    assert "versioning_on" in answer.text
    assert journey.pages.get("/policies/keeps-versions").status_code == 404


def test_names_of_a_megabyte_are_refused(journey: Journey, cloud: AwsServer) -> None:
    body = {"name": HUGE, "provider": "aws", "config": own_aws.settings(cloud)}
    problem = refusal(journey, "/connections", body)
    assert problem["errors"][0]["where"] == "#/name"
    assert len(str(problem)) < 2_000
    answer = journey.program.get(f"{API}/resources", params={"q": HUGE[:60_000]})
    assert answer.status_code == 422
    assert len(answer.content) < 2_000
    twice = journey.program.post(f"{API}/connections", content=b"[" * 2_000_000)
    assert twice.status_code in {400, 413, 415}


@pytest.mark.parametrize("week", ["2026-W00", "2026-W54", "2025-W53", "2026-W1", "2999-W01", "now"])
def test_a_week_that_does_not_exist_or_has_not_begun_makes_no_report(
    journey: Journey, week: str
) -> None:
    problem = refusal(journey, "/reports", {"week": week})
    assert problem["detail"] or problem["errors"]
    assert journey.every("/reports") == []
    page = journey.pages.post("/reports", data={"week": week})
    assert page.status_code == 422
    assert journey.every("/reports") == []


@pytest.mark.parametrize("week", ["2026-W20", "2025-W53", "2026-W99", "x"])
def test_a_report_that_was_never_made_is_not_found(journey: Journey, week: str) -> None:
    assert journey.program.get(f"{API}/reports/{week}.json").status_code in {404, 422}
    for path in (f"/reports/{week}", f"/reports/{week}/file?format=pdf"):
        answer = journey.pages.get(path)
        assert answer.status_code in {404, 422}
        assert "text/html" in answer.headers["content-type"]
