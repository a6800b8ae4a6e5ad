"""Check the address of a web page, and connect to it without reaching a private network."""

from __future__ import annotations

import http.client
import ipaddress
import re
import socket
import ssl
from typing import NamedTuple
from urllib.parse import quote, urlsplit, urlunsplit

from verifier.core.errors import IngestError

__all__ = ["Address", "connection_to", "is_web_address", "read_address", "root_uri"]

_WEB = re.compile(r"https?://", re.IGNORECASE)
_SAFE = "/%:=&?~+!$,;'@()*[]"


class Address(NamedTuple):
    """An address taken apart. ``url`` is what identifies the page: without what stands behind ``#``."""

    url: str
    scheme: str
    host: str
    port: int
    target: str
    """Path and query, as they are asked for."""

    @property
    def origin(self) -> str:
        """Scheme, host and port: what one ``robots.txt`` speaks for."""
        return "/".join(self.url.split("/", 3)[:3])


def is_web_address(text: str) -> bool:
    """Whether a text is an address of the web, and no path.

    >>> is_web_address("https://example.org/a"), is_web_address("docs/a.md")
    (True, False)
    """
    return _WEB.match(text) is not None


def read_address(text: str) -> Address:
    """The parts of an address.

    Raises:
        IngestError: it is none, or holds a user's name or password.

    >>> read_address("HTTPS://Example.org/a b?q=1#top")
    Address(url='https://example.org/a%20b?q=1', scheme='https', host='example.org', port=443, target='/a%20b?q=1')
    """
    try:
        parts = urlsplit(text.strip())
        port, host = parts.port, parts.hostname
        host = host.encode("idna").decode("ascii") if host and not host.isascii() else host
    except ValueError as error:
        raise IngestError(f"not an address of the web ({error})") from error
    scheme = parts.scheme.lower()
    if scheme not in ("http", "https") or not host:
        raise IngestError("not an address of the web (http:// or https:// and a host)")
    if parts.username is not None or parts.password is not None:
        raise IngestError("an address with a user's name or password is not fetched")
    path, query = quote(parts.path or "/", safe=_SAFE), quote(parts.query, safe=_SAFE)
    where = f"[{host}]" if ":" in host else host
    url = urlunsplit((scheme, where if port is None else f"{where}:{port}", path, query, ""))
    return Address(
        url, scheme, host, port or (443 if scheme == "https" else 80), f"{path}?{query}" if query else path
    )


def root_uri(text: str) -> str:
    """What the uris of the pages at or below an address begin with: the folder, where it is that of a sitemap."""
    try:
        url = read_address(text).url
    except IngestError:
        return text
    return url.rpartition("/")[0] if url.endswith(".xml") else url


def connection_to(address: Address, seconds: float, *, allow_private: bool) -> http.client.HTTPConnection:
    """An open connection. The host's name is looked up once, and the address that was looked at is the one that is
    connected to, so that a name cannot mean another one a moment later.

    Raises:
        IngestError: the host is not found, cannot be reached, or lies in a private network that is not allowed.
    """
    found = _lookup(address)
    if not allow_private and (private := [place for place in found if not _is_public(place)]):
        raise IngestError(
            f"{address.host} leads to the private address {private[0]}; --allow-private permits it"
        )
    try:
        plain = socket.create_connection((found[0], address.port), timeout=seconds)
        if address.scheme == "https":
            plain = ssl.create_default_context().wrap_socket(plain, server_hostname=address.host)
    except ssl.SSLError as error:
        raise IngestError(f"no safe connection to {address.host}: {error.reason or error}") from error
    except OSError as error:
        raise IngestError(f"cannot reach {address.host}: {error.strerror or error}") from error
    connection = http.client.HTTPConnection(address.host, address.port, timeout=seconds)
    connection.default_port = 443 if address.scheme == "https" else 80  # the port is then no part of the name
    connection.sock = plain
    return connection


def _lookup(address: Address) -> list[str]:
    try:
        found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise IngestError(f"no such host: {address.host}") from error
    return list(dict.fromkeys(str(one[4][0]) for one in found))


def _is_public(place: str) -> bool:
    """Whether an IP address is one of the public internet, also where IPv6 wraps it.

    >>> _is_public("93.184.216.34"), _is_public("127.0.0.1"), _is_public("::ffff:10.0.0.1"), _is_public("fe80::1%eth0")
    (True, False, False, False)
    >>> _is_public("64:ff9b::7f00:1"), _is_public("169.254.169.254")
    (False, False)
    """
    found = ipaddress.ip_address(place.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour
        if found in ipaddress.ip_network("64:ff9b::/96"):
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        found = inner or found
    return found.is_global and not found.is_multicast
