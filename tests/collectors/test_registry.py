from dataclasses import replace
from pathlib import Path

import pytest

import app.collectors
from app.collectors import registry
from app.collectors.aws_s3 import COLLECTOR
from app.domain.collecting import Provider
from app.kit.errors import CollectorError, NotFoundError
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_wire import ACCOUNT, AwsWire, Fault


def test_every_folder_with_a_collector_is_found_under_its_own_name() -> None:
    folders = {file.parent.name for file in Path(app.collectors.__path__[0]).glob("*/__init__.py")}
    assert set(registry.collectors()) == folders
    assert registry.collectors()["aws_s3"] is COLLECTOR


def test_one_collector_can_be_had_alone() -> None:
    assert registry.collector("aws_s3") is COLLECTOR


@pytest.mark.parametrize("name", ["", "nothing", "../aws_s3", "registry", "aws_s3.mapping"])
def test_an_unknown_collector_is_refused(name: str) -> None:
    with pytest.raises(NotFoundError):
        registry.collector(name)


def test_a_collector_in_a_folder_of_another_name_stops_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.collectors.aws_s3.COLLECTOR", replace(COLLECTOR, id="aws"))
    registry.collectors.cache_clear()
    with pytest.raises(ValueError, match="aws_s3"):
        registry.collectors()
    registry.collectors.cache_clear()


def test_a_connection_test_says_who_we_are(connection: MakeConnection) -> None:
    status = registry.identity(connection())
    assert status.scopes == (ACCOUNT,)
    assert ACCOUNT in status.identity


def test_a_connection_test_with_a_wrong_credential_says_so(
    aws: AwsWire, connection: MakeConnection
) -> None:
    body = (
        "<ErrorResponse><Error><Code>InvalidClientTokenId</Code>"
        "<Message>The security token included in the request is invalid.</Message></Error>"
        "</ErrorResponse>"
    )
    aws.faults = [Fault(question="GetCallerIdentity", status=403, body=body)]
    with pytest.raises(CollectorError, match="security token") as raised:
        registry.identity(connection())
    assert (raised.value.code, raised.value.permanent) == ("InvalidClientTokenId", True)


def test_a_connection_test_with_malformed_settings_says_so(connection: MakeConnection) -> None:
    with pytest.raises(CollectorError, match="mars-north-1") as raised:
        registry.identity(connection(home_region="mars-north-1"))
    assert raised.value.code == "InvalidConfiguration"
    assert connection().provider is Provider.AWS
