"""Policies: set, checked with line and column, written, refused and deleted."""

import pytest

from app.domain.access import SYSTEM
from app.policies.policy import Param
from app.services import policies
from app.services.policies import PolicyItem
from app.store.session import transaction
from app.web.policies_new import STARTER
from app.web.policy_actions import read_param
from tests.support.site import Site


def stored(policy_id: str) -> PolicyItem:
    with transaction(readonly=True) as session:
        return policies.get(session, access=SYSTEM, policy_id=policy_id)


def test_the_list_can_be_narrowed_down(site: Site) -> None:
    html = site.client().get("/policies?pillar=residency&q=copy").text
    results = html.split('id="results"')[1].split("</section>")[0]
    assert "replication-region-allowed" in results
    assert "versioning-on" not in results


def test_the_mode_is_set_by_the_form(site: Site) -> None:
    version = stored("last-access-tracking").version
    sent = {"mode": "report", "version": str(version)}
    answer = site.client().post("/policies/last-access-tracking/mode", data=sent)
    assert answer.headers["location"] == "/policies/last-access-tracking"
    assert stored("last-access-tracking").effective.mode == "report"


def test_a_change_that_somebody_else_made_first_is_a_conflict(site: Site) -> None:
    sent = {"mode": "off", "version": "41"}
    answer = site.client().post("/policies/encryption-at-rest/mode", data=sent)
    assert answer.status_code == 409
    assert "somebody else changed it" in answer.text
    assert stored("encryption-at-rest").effective.mode == "enforce"


def test_params_are_set_and_bad_ones_come_back_beside_their_field(site: Site) -> None:
    client = site.client()
    policy = stored("data-cools-in-time")
    url = "/policies/data-cools-in-time/params"
    sent = {"max_days_in_hot": "45,5", "small_objects_may_stay": "false"}
    answer = client.post(url, data={**sent, "version": str(policy.version)})
    assert answer.status_code == 303
    assert stored("data-cools-in-time").effective.params["max_days_in_hot"] == 45.5
    sent["max_days_in_hot"] = "soon"
    answer = client.post(url, data={**sent, "version": str(policy.version + 1)})
    assert answer.status_code == 422
    assert 'id="max_days_in_hot-error"' in answer.text
    assert 'value="soon"' in answer.text


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("int", " 7 ", 7),
        ("int", "7.5", "7.5"),
        ("float", "1,5", 1.5),
        ("bool", "true", True),
        ("bool", "maybe", "maybe"),
        ("list of string", "a\n\n b ", ["a", "b"]),
        ("string", " x ", "x"),
    ],
)
def test_a_field_holds_a_value_or_a_text_to_be_refused(kind: str, text: str, value: object) -> None:
    assert read_param(Param("p", kind, "", ""), text) == value


def test_a_text_is_checked_with_line_and_column(site: Site) -> None:
    text = STARTER.replace("facts.versioning_on\n", "facts.versioning_onn\n")
    answer = site.client().post("/policies/new", data={"text": text, "action": "check"})
    assert answer.status_code == 422
    assert "<code>9:15</code>" in answer.text
    assert "versioning_on" in answer.text.split("<code>9:15</code>")[1].split("</li>")[0]
    assert '<mark class="bad">' in answer.text


def test_a_good_text_is_said_to_be_good_and_not_saved(site: Site) -> None:
    answer = site.client().post("/policies/new", data={"text": STARTER, "action": "check"})
    assert (answer.status_code, "Valid" in answer.text) == (200, True)
    assert site.client().get("/policies/my-policy").status_code == 404


def test_a_policy_is_written_changed_and_deleted(site: Site) -> None:
    client = site.client()
    text = STARTER.replace("id: my-policy", "id: our-rule").replace("\n", "\r\n")
    answer = client.post("/policies/new", data={"text": text, "action": "save"})
    assert answer.headers["location"] == "/policies/our-rule"
    assert stored("our-rule").own
    edit = client.get("/policies/new?policy=our-rule").text
    assert 'name="version" value="1"' in edit
    again = client.post("/policies/new", data={"text": text, "action": "save", "version": "0"})
    assert again.status_code == 409
    plan = client.get("/policies/our-rule/delete").text
    assert "Delete our-rule" in plan
    assert 'action="/policies/our-rule/delete"' in plan
    assert client.post("/policies/our-rule/delete").headers["location"] == "/policies"
    assert client.get("/policies/our-rule").status_code == 404


def test_a_built_in_policy_cannot_be_replaced(site: Site) -> None:
    text = stored("versioning-on").effective.policy.text
    answer = site.client().post("/policies/new", data={"text": text, "action": "save"})
    assert answer.status_code == 409
    assert "built in" in answer.text


def test_hostile_text_is_shown_and_not_run(site: Site) -> None:
    text = "id: <img src=x onerror=alert(1)>\n</textarea><script>alert(1)</script>"
    answer = site.client().post("/policies/new", data={"text": text, "action": "check"})
    assert answer.status_code == 422
    assert "<img" not in answer.text
    assert "<script>" not in answer.text


def test_all_policies_are_exported_as_yaml(site: Site) -> None:
    answer = site.client().get("/policies/export.yaml")
    assert answer.text.count("\nassert:") >= 10
    assert "attachment" in answer.headers["content-disposition"]


def test_an_unknown_policy_is_not_found(site: Site) -> None:
    assert site.client().get("/policies/nope").status_code == 404
    assert site.client().post("/policies/nope/mode", data={"mode": "off"}).status_code == 404
