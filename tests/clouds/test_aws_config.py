from typing import Any

import pytest
from botocore import UNSIGNED

from app.clouds.aws_config import (
    CredentialMode,
    known_regions,
    new_session,
    parse_config,
    partition_of,
)
from app.kit.errors import InvalidInputError

KEY = {"mode": "access_key", "access_key_id": "AKIAIOSFODNN7EXAMPLE"}
ROLE = "arn:aws:iam::123456789012:role/AtalayaReader"


def faults_of(**config: Any) -> dict[str, str]:
    with pytest.raises(InvalidInputError) as raised:
        parse_config(config)
    assert raised.value.mend
    return {fault["where"]: fault["what"] for fault in raised.value.errors}


def test_nothing_set_means_the_default_chain_and_virginia() -> None:
    config = parse_config({})
    assert config.credentials.mode is CredentialMode.DEFAULT_CHAIN
    assert (config.home_region, config.regions, config.endpoint_url) == ("us-east-1", (), "")
    assert config.requests_per_second is None


def test_every_setting_is_understood() -> None:
    config = parse_config(
        {
            "credentials": {
                "mode": "assume_role",
                "role_arn": ROLE,
                "external_id": "ex-1",
                "access_key_id": "env:KEY_ID",
                "secret_access_key": "file:/run/secrets/aws key",
            },
            "endpoint_url": "https://s3.example/",
            "home_region": "eu-west-1",
            "regions": ["eu-west-1", "eu-central-1"],
            "account_id": "123456789012",
            "operations": ["s3:GetBucketVersioning"],
            "requests_per_second": 20,
        }
    )
    assert config.credentials.role_arn == ROLE
    assert config.credentials.secret_access_key == "file:/run/secrets/aws key"
    assert config.endpoint_url == "https://s3.example"
    assert config.regions == ("eu-west-1", "eu-central-1")
    assert config.requests_per_second == 20.0


def test_empty_settings_of_a_form_count_as_not_given() -> None:
    config = parse_config(
        {
            "credentials": {
                **KEY,
                "secret_access_key": "env:S",
                "session_token": "",
                "role_arn": "",
            },
            "endpoint_url": "",
            "account_id": None,
        }
    )
    assert config.credentials.mode is CredentialMode.ACCESS_KEY


def test_a_wrong_mode_names_the_right_ones() -> None:
    what = faults_of(credentials={"mode": "root"})["credentials.mode"]
    assert "'root'" in what
    assert "assume_role" in what


@pytest.mark.parametrize("field", ["secret_access_key", "session_token"])
def test_a_secret_in_plain_is_refused_and_not_repeated(field: str) -> None:
    plain = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    credentials = {**KEY, "secret_access_key": "env:S", field: plain}
    with pytest.raises(InvalidInputError) as raised:
        parse_config({"credentials": credentials})
    assert raised.value.errors[0]["where"] == f"credentials.{field}"
    assert "never stored" in raised.value.detail
    assert plain not in raised.value.detail + raised.value.mend


@pytest.mark.parametrize("region", ["mars-north-1", "eu-west-99", "", "EU", 7, ["eu-west-1"]])
def test_an_unknown_region_is_refused_with_its_place(region: object) -> None:
    assert "unknown region" in faults_of(regions=["eu-west-1", region]).get("regions[1]", "") or (
        "must be a list of texts" in faults_of(regions=["eu-west-1", region])["regions"]
    )


def test_an_unknown_home_region_is_refused() -> None:
    assert "'mars-north-1'" in faults_of(home_region="mars-north-1")["home_region"]


def test_what_a_mode_needs_and_what_it_does_not_take() -> None:
    assert "credentials.secret_access_key" in faults_of(credentials=KEY)
    assert "credentials.role_arn" in faults_of(credentials={"mode": "assume_role"})
    assert "credentials.profile" in faults_of(credentials={"mode": "profile"})
    chain = {"mode": "default_chain", "role_arn": ROLE}
    assert "does not belong" in faults_of(credentials=chain)["credentials.role_arn"]
    half = {"mode": "assume_role", "role_arn": ROLE, "access_key_id": "AKIAIOSFODNN7EXAMPLE"}
    assert "come together" in faults_of(credentials=half)["credentials"]
    strange = {"mode": "default_chain", "passwd": "x"}
    assert "does not belong" in faults_of(credentials=strange)["credentials.passwd"]


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("role_arn", "arn:aws:iam::123:role/x"),
        ("role_arn", "AtalayaReader"),
        ("external_id", "a b"),
        ("external_id", "x"),
    ],
)
def test_malformed_role_settings_are_refused(setting: str, value: str) -> None:
    credentials = {"mode": "assume_role", "role_arn": ROLE, setting: value}
    assert f"credentials.{setting}" in faults_of(credentials=credentials)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("acount_id", "123456789012"),
        ("account_id", "12345"),
        ("account_id", 123),
        ("regions", "eu-west-1"),
        ("operations", "s3:GetBucketVersioning"),
        ("operations", [1]),
        ("requests_per_second", 0),
        ("requests_per_second", -1),
        ("requests_per_second", "fast"),
        ("requests_per_second", True),
        ("requests_per_second", float("nan")),
        ("requests_per_second", float("inf")),
        ("endpoint_url", 5),
        ("credentials", "AKIA"),
        ("account_id", "١٢٣٤٥٦٧٨٩٠١٢"),
        ("organization", "AtalayaReader"),
        ("organization", ["AtalayaReader"]),
    ],
)
def test_other_malformed_settings_are_refused_by_name(setting: str, value: object) -> None:
    assert setting in faults_of(**{setting: value})


def test_all_faults_are_named_at_once() -> None:
    assert faults_of(home_region="x", account_id="1", credentials={"mode": "?"}).keys() == {
        "home_region",
        "account_id",
        "credentials.mode",
    }


def test_regions_know_their_partition() -> None:
    assert partition_of("eu-west-1") == "aws"
    assert partition_of("cn-north-1") == "aws-cn"
    assert partition_of("xx-new-1") == "aws"
    assert len(known_regions()) > 30


def test_what_botocore_reads_from_its_own_files_is_read_once_for_all_sessions() -> None:
    first, second = (new_session().get_component("data_loader") for _ in range(2))
    described = first.load_service_model("sts", "service-2")
    assert second.load_service_model("sts", "service-2") is described


def test_sessions_have_botocore_s_own_handlers_and_share_none_that_is_added() -> None:
    first, second = (new_session().get_component("event_emitter") for _ in range(2))
    first.register("x.y", lambda **_: "added")
    assert [answer for _, answer in first.emit("x.y")] == ["added"]
    assert second.emit("x.y") == []
    event, asked = "choose-signer.sts.AssumeRoleWithSAML", {"context": {}, "signing_name": "sts"}
    assert UNSIGNED in [answer for _, answer in second.emit(event, **asked)]


def test_without_the_setting_there_is_no_organization() -> None:
    assert parse_config({}).organization is None
    assert parse_config({"organization": None}).organization is None


def test_an_organization_is_understood() -> None:
    organization = parse_config(
        {
            "organization": {
                "role_name": "audit/AtalayaReader",
                "external_id": "ex-1",
                "accounts": ["111122223333"],
                "exclude": ["444455556666"],
            }
        }
    ).organization
    assert organization is not None
    assert organization.external_id == "ex-1"
    arn = "arn:aws-cn:iam::111122223333:role/audit/AtalayaReader"
    assert organization.role_arn("111122223333", "aws-cn") == arn


@pytest.mark.parametrize(
    ("settings", "covered"),
    [
        ({}, {"111122223333", "444455556666"}),
        ({"accounts": ["111122223333"]}, {"111122223333"}),
        ({"exclude": ["111122223333"]}, {"444455556666"}),
        ({"accounts": ["111122223333"], "exclude": ["111122223333"]}, set()),
    ],
)
def test_an_organization_covers_what_is_named_and_not_excluded(
    settings: dict[str, list[str]], covered: set[str]
) -> None:
    organization = parse_config({"organization": {"role_name": "R", **settings}}).organization
    assert organization is not None
    assert {a for a in ("111122223333", "444455556666") if organization.covers(a)} == covered


@pytest.mark.parametrize("role", ["", None, ROLE, "/Reader", "Reader/", "a b", "r" * 65, "Leseñ"])
def test_a_role_of_members_needs_the_name_of_a_role(role: str | None) -> None:
    assert "organization.role_name" in faults_of(organization={"role_name": role})


def test_all_faults_of_an_organization_are_named_at_once() -> None:
    organization = {
        "external_id": "x",
        "accounts": ["111122223333", "1"],
        "exclude": "444455556666",
        "role": "AtalayaReader",
    }
    assert faults_of(organization=organization, home_region="x").keys() == {
        "organization.role_name",
        "organization.external_id",
        "organization.accounts[1]",
        "organization.exclude",
        "organization.role",
        "home_region",
    }


def test_sts_is_asked_at_its_regional_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_STS_REGIONAL_ENDPOINTS", "legacy")
    session = new_session()
    session.set_credentials("A", "x")
    client = session.create_client("sts", region_name="eu-west-1")
    assert client.meta.endpoint_url == "https://sts.eu-west-1.amazonaws.com"
