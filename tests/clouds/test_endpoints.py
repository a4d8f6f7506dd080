import pytest

from app.clouds.endpoints import (
    EndpointRefusedError,
    allowed_addresses,
    check_endpoint,
    system_resolver,
)
from app.kit.errors import InvalidInputError

PUBLIC = "52.218.1.1"


def answering(*addresses: str):  # type: ignore[no-untyped-def]  # noqa: ANN201
    return lambda _host, _port: addresses


def nobody(_host: str, _port: int) -> tuple[str, ...]:
    raise OSError("Name or service not known")


def test_a_public_endpoint_is_accepted_with_its_host_and_port() -> None:
    assert check_endpoint(
        "https://s3.eu-west-1.amazonaws.com", allow_private=False, resolve=answering(PUBLIC)
    ) == ("s3.eu-west-1.amazonaws.com", 443)
    assert check_endpoint(
        "http://store.example:9000/", allow_private=False, resolve=answering(PUBLIC)
    ) == ("store.example", 9000)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://s3.example",
        "file:///etc/passwd",
        "gopher://s3.example",
        "s3.example",
        "//s3.example",
        "",
        "https://",
        "https://user:pw@s3.example",
        "https://user@s3.example",
        "https://s3.example:99999",
        "https://s3.example:0",
        "https://s3.example/?x=1",
        "https://s3.example/#x",
        "https://s3.example\r\nX-Evil: 1",
        "https://s3.example /",
        "https://s3.example\\@127.0.0.1/",
        "https://[::1",
        "https://300.1.1.1",
        "https://a..b",
        f"https://{'a' * 64}.example",
        f"https://{'a.' * 127}example",
        "https://[fe80::1%25eth0]",
        "https://%31%32%37.0.0.1",
    ],
)
def test_a_malformed_endpoint_is_refused_with_what_where_and_how_to_mend(url: str) -> None:
    def resolve(host: str, port: int) -> tuple[str, ...]:
        return nobody(host, port) if host == "300.1.1.1" else (PUBLIC,)

    with pytest.raises(InvalidInputError) as raised:
        check_endpoint(url, allow_private=False, resolve=resolve)
    assert raised.value.errors[0]["where"] == "endpoint_url"
    assert raised.value.mend


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "240.0.0.1",
        "::1",
        "fd12::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "2002:7f00:1::",
        "64:ff9b::7f00:1",
        "64:ff9b:1::7f00:1",
        "::ffff:0:7f00:1",
        "::7f00:1",
    ],
)
def test_private_and_wrapped_private_addresses_need_the_switch(address: str) -> None:
    with pytest.raises(EndpointRefusedError):
        check_endpoint("http://store.example", allow_private=False, resolve=answering(address))


@pytest.mark.parametrize("address", ["127.0.0.1", "10.1.2.3", "::1", "fd12::1"])
def test_the_switch_admits_loopback_and_private_addresses(address: str) -> None:
    check_endpoint("http://store.example:1", allow_private=True, resolve=answering(address))


@pytest.mark.parametrize(
    "address",
    [
        "169.254.169.254",
        "168.63.129.16",
        "fe80::1%eth0",
        "fd00:ec2::254",
        "100.100.100.200",
        "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "0.0.0.0",  # noqa: S104 - the address under test
        "::",
        "224.0.0.1",
    ],
)
def test_metadata_link_local_and_unspecified_addresses_are_never_admitted(address: str) -> None:
    for allow_private in (False, True):
        with pytest.raises(EndpointRefusedError):
            check_endpoint(
                "http://store.example", allow_private=allow_private, resolve=answering(address)
            )


@pytest.mark.parametrize("host", ["2130706433", "0x7f000001", "0177.0.0.1", "127.1", "[::1]"])
def test_other_spellings_of_loopback_are_seen_through(host: str) -> None:
    with pytest.raises(EndpointRefusedError):
        check_endpoint(f"http://{host}/", allow_private=False)


def test_one_bad_address_among_good_ones_refuses_the_name() -> None:
    with pytest.raises(EndpointRefusedError):
        check_endpoint(
            "https://store.example", allow_private=False, resolve=answering(PUBLIC, "10.0.0.1")
        )


def test_a_name_that_does_not_resolve_yet_is_judged_at_use() -> None:
    assert check_endpoint("https://later.example", allow_private=False, resolve=nobody)
    with pytest.raises(OSError, match="not known"):
        allowed_addresses("later.example", 443, allow_private=False, resolve=nobody)


@pytest.mark.parametrize("host", ["a..b", "a" * 64])
def test_a_name_that_cannot_be_asked_for_does_not_resolve(host: str) -> None:
    with pytest.raises(OSError, match="label"):
        system_resolver(host, 443)


def test_a_refusal_does_not_repeat_a_password() -> None:
    with pytest.raises(EndpointRefusedError) as raised:
        check_endpoint("https://me:hunter2@store.example", allow_private=False)
    assert "hunter2" not in raised.value.detail


@pytest.mark.parametrize("host", ["localhost.", "a.localhost", "printer.local", "vault.internal."])
def test_a_name_of_an_inner_network_is_refused_before_it_resolves(host: str) -> None:
    with pytest.raises(EndpointRefusedError, match="inner network"):
        check_endpoint(f"https://{host}/", allow_private=False, resolve=nobody)
    assert check_endpoint(f"https://{host}/", allow_private=True, resolve=nobody) == (host, 443)
