"""The form of a connection and its settings say the same."""

from app.clouds.aws_config import parse_config as parse_aws
from app.clouds.azure_config import parse_config as parse_azure
from app.kit.i18n import translator
from app.web.connection_fields import config_of, field_name, fields_of, texts_of

EN = translator("en")
AWS, AZURE = fields_of("aws", EN), fields_of("azure", EN)


def test_a_filled_form_makes_settings_that_the_cloud_accepts() -> None:
    values = {
        "mode": "assume_role",
        "role_arn": "arn:aws:iam::123456789012:role/atalaya-reader",
        "external_id": "our-id",
        "account_id": " 123456789012 ",
        "regions": "eu-west-1\n eu-central-1, us-east-1\n",
        "endpoint_url": "",
    }
    config = config_of(AWS, values, {})
    assert config["regions"] == ["eu-west-1", "eu-central-1", "us-east-1"]
    assert parse_aws(config).account_id == "123456789012"
    assert "endpoint_url" not in config


def test_an_azure_form_does_too() -> None:
    values = {
        "mode": "client_secret",
        "tenant_id": "c1e72000-0000-4000-8000-00000000000a",
        "client_id": "c1e72000-0000-4000-8000-00000000000b",
        "client_secret": "env:AZURE_SECRET",
        "cloud": "public",
    }
    assert parse_azure(config_of(AZURE, values, {})).credentials.client_secret == "env:AZURE_SECRET"


def test_settings_that_the_form_does_not_show_stay() -> None:
    before = {
        "requests_per_second": 5,
        "home_region": "eu-west-1",
        "credentials": {"mode": "access_key", "access_key_id": "AKIA", "session_token": "env:T"},
    }
    config = config_of(AWS, {"mode": "access_key", "access_key_id": "NEW"}, before)
    assert config == {
        "requests_per_second": 5,
        "home_region": "eu-west-1",
        "credentials": {"mode": "access_key", "access_key_id": "NEW", "session_token": "env:T"},
    }


def test_the_form_shows_settings_as_they_are() -> None:
    config = {"regions": ["a", "b"], "credentials": {"mode": "profile", "profile": "p"}}
    texts = texts_of(AWS, config)
    assert (texts["mode"], texts["profile"], texts["regions"]) == ("profile", "p", "a\nb")
    assert config_of(AWS, texts, {}) == config


def test_an_organization_is_set_changed_and_taken_away_by_the_form() -> None:
    values = {
        "mode": "assume_role",
        "role_arn": "arn:aws:iam::123456789012:role/atalaya-reader",
        "external_id": "ours",
        "organization_role_name": "AtalayaReader",
        "organization_external_id": "theirs",
        "organization_exclude": "555566667777\n444455556666",
    }
    config = config_of(AWS, values, {})
    found = parse_aws(config).organization
    assert found is not None
    assert (found.role_name, found.external_id) == ("AtalayaReader", "theirs")
    assert found.exclude == ("555566667777", "444455556666")
    assert parse_aws(config).credentials.external_id == "ours"
    assert config_of(AWS, texts_of(AWS, config), {}) == config
    alone = config_of(
        AWS, {**values, **dict.fromkeys(values.keys() - {"mode", "role_arn"}, "")}, config
    )
    assert "organization" not in alone


def test_a_fault_of_a_setting_finds_its_field() -> None:
    names = {field.name for field in AWS}
    for where in ("credentials.role_arn", "organization.accounts[3]", "regions[0]"):
        assert field_name(where) in names
