import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.clouds.aws import AwsClients
from app.clouds.failures import CallFailedError
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_wire import ACCESS_KEY_ID, ACCOUNT, AwsWire, Fault, refusal

WEST = "us-west-2"
BUCKET = "training"
ROLE = f"arn:aws:iam::{ACCOUNT}:role/AtalayaReader"


def versioning(clients: AwsClients, bucket: str = BUCKET) -> dict[str, object]:
    return clients.call("s3", "GetBucketVersioning", WEST, Bucket=bucket)


def failing(clients: AwsClients, bucket: str = BUCKET) -> CallFailedError:
    with pytest.raises(CallFailedError) as raised:
        versioning(clients, bucket)
    return raised.value


def signed_as(wire: AwsWire, question: str) -> list[str]:
    headers = (asked.headers["authorization"] for asked in wire.questions(question))
    return [re.findall(r"Credential=([^/]+)/", header)[0] for header in headers]


def test_it_says_who_we_are(connection: MakeConnection) -> None:
    who = AwsClients(connection()).identity()
    assert who.account_id == ACCOUNT
    assert who.arn.startswith("arn:aws:")


def test_credentials_of_another_account_than_named_are_refused(connection: MakeConnection) -> None:
    clients = AwsClients(connection(account_id="999999999999"))
    with pytest.raises(CallFailedError, match="123456789012") as raised:
        clients.identity()
    assert (raised.value.code, raised.value.permanent) == ("WrongAccount", True)


def test_secrets_are_resolved_from_their_references(
    aws: AwsWire, connection: MakeConnection
) -> None:
    values = {"env:KEY_ID": "AKIAFROMENVIRONMENT1", "file:/run/aws": "s"}
    made = connection(
        credentials={
            "mode": "access_key",
            "access_key_id": "env:KEY_ID",
            "secret_access_key": "file:/run/aws",
        }
    )
    AwsClients(replace(made, secret=values.__getitem__)).identity()
    assert signed_as(aws, "GetCallerIdentity") == ["AKIAFROMENVIRONMENT1"]


def test_the_default_chain_finds_the_environments_credentials(
    aws: AwsWire, connection: MakeConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAFROMCHAIN0000000")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "x")
    AwsClients(connection(credentials={"mode": "default_chain"})).identity()
    assert signed_as(aws, "GetCallerIdentity") == ["AKIAFROMCHAIN0000000"]


def test_no_credentials_at_all_is_a_clear_permanent_failure(
    connection: MakeConnection, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    with pytest.raises(CallFailedError) as raised:
        AwsClients(connection(credentials={"mode": "default_chain"})).identity()
    assert (raised.value.code, raised.value.permanent) == ("NoCredentials", True)


def test_an_unknown_profile_is_a_clear_permanent_failure(connection: MakeConnection) -> None:
    with pytest.raises(CallFailedError) as raised:
        AwsClients(connection(credentials={"mode": "profile", "profile": "nobody"})).identity()
    assert (raised.value.code, raised.value.permanent) == ("ProfileNotFound", True)


def role_connection(connection: MakeConnection, **more: str) -> AwsClients:
    credentials = {
        "mode": "assume_role",
        "role_arn": ROLE,
        "access_key_id": ACCESS_KEY_ID,
        "secret_access_key": "env:S",
        **more,
    }
    return AwsClients(connection(credentials=credentials))


def test_a_role_is_assumed_once_and_signs_the_calls(
    aws: AwsWire, connection: MakeConnection
) -> None:
    aws.bucket(BUCKET)
    clients = role_connection(connection, external_id="ex-1")
    versioning(clients)
    versioning(clients)
    (assumed,) = aws.questions("AssumeRole")
    assert assumed.parameters["RoleArn"] == ROLE
    assert assumed.parameters["ExternalId"] == "ex-1"
    assert assumed.parameters["RoleSessionName"] == "atalaya"
    signers = set(signed_as(aws, "versioning"))
    assert signers
    assert ACCESS_KEY_ID not in signers


def assumed_until(moment: datetime) -> Fault:
    expiry = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    body = (
        "<AssumeRoleResponse xmlns='https://sts.amazonaws.com/doc/2011-06-15/'><AssumeRoleResult>"
        "<Credentials><AccessKeyId>ASIASHORT</AccessKeyId><SecretAccessKey>x</SecretAccessKey>"
        f"<SessionToken>t</SessionToken><Expiration>{expiry}</Expiration></Credentials>"
        "</AssumeRoleResult></AssumeRoleResponse>"
    )
    return Fault(question="AssumeRole", status=200, body=body)


def test_a_role_is_renewed_before_it_expires(aws: AwsWire, connection: MakeConnection) -> None:
    aws.bucket(BUCKET)
    aws.faults = [assumed_until(datetime.now(UTC) + timedelta(minutes=5))]
    clients = role_connection(connection)
    for _ in range(3):
        versioning(clients)
    assert len(aws.questions("AssumeRole")) >= 3


def test_a_role_that_may_not_be_assumed_is_denied(aws: AwsWire, connection: MakeConnection) -> None:
    body = (
        "<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code>"
        "<Message>not authorized to perform: sts:AssumeRole</Message></Error></ErrorResponse>"
    )
    aws.faults = [Fault(question="AssumeRole", status=403, body=body)]
    with pytest.raises(CallFailedError, match="sts:AssumeRole") as raised:
        role_connection(connection).identity()
    assert (raised.value.code, raised.value.denied) == ("AccessDenied", True)


def test_an_expired_token_is_a_permanent_failure(aws: AwsWire, connection: MakeConnection) -> None:
    aws.faults = [refusal("ExpiredToken", 400, question="versioning")]
    failure = failing(AwsClients(connection()))
    assert (failure.code, failure.permanent, failure.denied) == ("ExpiredToken", True, False)
