"""Guards endpoint addresses that people type in: no way into this host's own network (SSRF).

A name is judged when it is saved and again at each connection, because its addresses may change
in between (DNS rebinding).
"""

import re
import socket
from collections.abc import Callable, Iterator, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

from app.kit.errors import InvalidInputError

Resolver = Callable[[str, int], Sequence[str]]
_Address = IPv4Address | IPv6Address

# Where clouds keep credentials for the machines inside them. Never an endpoint of ours, also
# where private addresses are allowed. The first is Azure's WireServer, which looks public.
_METADATA = frozenset(
    map(ip_address, ("168.63.129.16", "100.100.100.200", "192.0.0.192", "fd00:ec2::254"))
)
# Networks whose last 32 bits are an IPv4 address: NAT64 (also a site's own), translated and
# compatible addresses.
_WRAPPING = tuple(map(IPv6Network, ("64:ff9b::/96", "64:ff9b:1::/48", "::ffff:0:0:0/96", "::/96")))
_DIGITS_LIKE_AN_ADDRESS = re.compile(r"[0-9a-fx.]+", re.IGNORECASE)
_LONGEST_NAME = 253
# Never names of a public cloud (RFC 6761, RFC 6762; ICANN's private-use domain of 2024).
_INNER_NAMES = ("localhost", ".local", ".internal")
_PORTS = {"http": 80, "https": 443}


class EndpointRefusedError(InvalidInputError):
    """The address is malformed or leads where no cloud may be."""

    title = "Endpoint refused"


def system_resolver(host: str, port: int) -> tuple[str, ...]:
    """Addresses of a host as the operating system knows them; OSError when there are none."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:  # an empty or overlong label, which no name server has
        raise OSError(str(error)) from error
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


def check_endpoint(
    url: str, *, allow_private: bool, resolve: Resolver = system_resolver
) -> tuple[str, int]:
    """Host and port of an endpoint URL that may be called; EndpointRefusedError says why not.

    A name that does not resolve now passes: it is judged again by `allowed_addresses` at use.
    """
    parts = _split(url)
    host, port = str(parts.hostname), parts.port or _PORTS[parts.scheme]
    try:
        allowed_addresses(host, port, allow_private=allow_private, resolve=resolve)
    except OSError:
        if _DIGITS_LIKE_AN_ADDRESS.fullmatch(host):
            raise _refused(url, "its host is not a valid address") from None
        if not allow_private and host.rstrip(".").endswith(_INNER_NAMES):
            raise _refused(url, "its name is one of this host or of an inner network") from None
    return host, port


def allowed_addresses(
    host: str, port: int, *, allow_private: bool, resolve: Resolver = system_resolver
) -> tuple[str, ...]:
    """Addresses to connect to. One bad address refuses the whole name: the next answer may be it.

    Raises EndpointRefusedError, or OSError when the name does not resolve.
    """
    addresses = tuple(resolve(host, port))
    for text in addresses:
        fault = _fault(ip_address(text.partition("%")[0]), allow_private=allow_private)
        if fault:
            raise _refused(host, f"it leads to {text}, {fault}")
    return addresses


def is_address(host: str) -> bool:
    """The host is an address itself, so what was judged once stays true."""
    try:
        ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


def _split(url: str) -> SplitResult:
    if re.search(r"[\x00-\x20\x7f\\]", url):
        raise _refused(url, "it contains spaces, control characters or backslashes")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise _refused(url, str(error)) from None
    faults = {
        "only http and https are spoken": parts.scheme not in _PORTS,
        "the host is missing": not parts.hostname,
        "its host is not a valid address": "%" in parts.netloc or not _is_a_name(parts.hostname),
        "credentials do not belong into an address": "@" in parts.netloc,
        "port 0 does not exist": port == 0,
        "an endpoint has no query or fragment": bool(parts.query or parts.fragment),
    }
    for fault, found in faults.items():
        if found:
            raise _refused(url, fault)
    return parts


def _is_a_name(host: str | None) -> bool:
    """Name servers know labels of 1 to 63 characters, 253 in all (RFC 1035, section 2.3.4)."""
    try:
        return len(str(host).encode("idna")) <= _LONGEST_NAME
    except UnicodeError:
        return False


def _fault(address: _Address, *, allow_private: bool) -> str:
    for found in _meant(address):
        if found in _METADATA or found.is_link_local:
            return "a link-local or metadata address"
        if found.is_multicast or found.is_unspecified:
            return "which is no host's address"
        if not found.is_global and not allow_private:
            return "a loopback, private or reserved address"
    return ""


def _meant(address: _Address) -> Iterator[_Address]:
    """The address itself and every IPv4 address that is wrapped in it."""
    yield address
    if isinstance(address, IPv4Address):
        return
    wrapped = (address.ipv4_mapped, address.sixtofour, *(address.teredo or ()))
    yield from (found for found in wrapped if found is not None)
    if any(address in network for network in _WRAPPING):
        yield IPv4Address(int(address) & 0xFFFFFFFF)


def _refused(what: str, why: str) -> EndpointRefusedError:
    shown = re.sub(r"//[^/@]*@", "//…@", what)[:200]
    return EndpointRefusedError(
        f"The endpoint {shown!r} is refused: {why}.",
        mend="Give the http(s) address of a cloud. Loopback and private addresses need "
        "ATALAYA_ALLOW_PRIVATE_ENDPOINTS=true.",
        errors=({"where": "endpoint_url", "what": why},),
    )
