"""Fetch from the web within bounds of size and time, as the host permits."""

from __future__ import annotations

import http.client
import time
import zlib
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import urljoin

from verifier.core.errors import IngestError
from verifier.core.release import RELEASE
from verifier.core.visible import one_line
from verifier.knowledge.web.address import Address, connection_to, read_address
from verifier.knowledge.web.robots import Robots

__all__ = ["Fetched", "Refused", "Web"]

_MOST_REDIRECTS = 8
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_GONE = frozenset({404, 410})
_PIECE = 1 << 16
_ROBOTS_BYTES = 512_000
_MEGABYTE = 1_000_000


class Refused(IngestError):
    """The server answered with an error."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(f"the server says {status} {one_line(reason)[:80]}".rstrip())
        self.status = status

    @property
    def gone(self) -> bool:
        """Whether there is no such page."""
        return self.status in _GONE


class Fetched(NamedTuple):
    """What lay at an address: where it was found in the end, its media type, its encoding as told, and its bytes."""

    url: str
    media_type: str
    charset: str | None
    data: bytes


class Web:
    """Fetches pages: one at a time, over connections that are checked, as the ``robots.txt`` of each host permits.

    Args:
        allow_private: whether addresses of this machine and of private networks may be asked.
        max_bytes: of a page.
        seconds: for a page, from the first byte asked to the last received.
        wait: sleeps; another one for tests.
    """

    def __init__(
        self,
        *,
        allow_private: bool = False,
        max_bytes: int = 20 * _MEGABYTE,
        seconds: float = 30.0,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self.agent = f"rag-claim-verifier/{RELEASE}"
        self._allow_private, self._max_bytes, self._seconds, self._wait = (
            allow_private,
            max_bytes,
            seconds,
            wait,
        )
        self._robots: dict[str, Robots] = {}
        self._asked: dict[str, float] = {}

    def get(self, url: str) -> Fetched:
        """What lies at an address; redirects are followed, each checked as the first address is.

        Raises:
            Refused: the server has no such page, or gives none.
            IngestError: it may not or cannot be fetched, with the reason.
        """
        address = read_address(url)
        for _ in range(_MOST_REDIRECTS + 1):
            robots = self.robots_of(address)
            if not robots.allows(address.target):
                raise IngestError(f"{address.origin}/robots.txt forbids it")
            self._keep_distance(address, robots.delay)
            found = self._ask(address, self._max_bytes)
            if isinstance(found, Fetched):
                return found
            address = read_address(urljoin(address.url, found))
        raise IngestError(f"more than {_MOST_REDIRECTS} redirects")

    def robots_of(self, address: Address) -> Robots:
        """What the host of an address permits; all where it has no rules, nothing where they cannot be had.

        Raises:
            IngestError: the host cannot be asked at all.
        """
        if address.origin not in self._robots:
            self._robots[address.origin] = self._read_robots(address)
        return self._robots[address.origin]

    def _read_robots(self, address: Address) -> Robots:
        rules = read_address(f"{address.origin}/robots.txt")
        for _ in range(_MOST_REDIRECTS):
            try:
                found = self._ask(rules, _ROBOTS_BYTES)
            except Refused as error:
                return Robots() if error.status < 500 else Robots.none()
            if isinstance(found, Fetched):
                return Robots.of(found.data.decode("utf-8", "replace"), self.agent)
            rules = read_address(urljoin(rules.url, found))
        return Robots()

    def _keep_distance(self, address: Address, delay: float) -> None:
        """Wait until the host may be asked again."""
        before = self._asked.get(address.origin)
        if before is not None and delay and (left := before + delay - time.monotonic()) > 0:
            self._wait(left)
        self._asked[address.origin] = time.monotonic()

    def _ask(self, address: Address, most: int) -> Fetched | str:
        """What the server answers: a page, or where else it is."""
        until = time.monotonic() + self._seconds
        connection = connection_to(address, self._seconds, allow_private=self._allow_private)
        try:
            headers = {"User-Agent": self.agent, "Accept-Encoding": "gzip", "Connection": "close"}
            connection.request("GET", address.target, headers=headers)
            answer = connection.getresponse()
            if answer.status in _REDIRECTS and (target := answer.getheader("Location")):
                return target
            if answer.status != 200:
                raise Refused(answer.status, answer.reason)
            kind, charset = answer.headers.get_content_type(), answer.headers.get_content_charset()
            return Fetched(address.url, kind, charset, _body(answer, most, until, self._seconds))
        except TimeoutError as error:
            raise IngestError(f"no answer within {self._seconds:g} seconds") from error
        except (OSError, http.client.HTTPException, zlib.error, ValueError) as error:
            raise IngestError(f"the connection broke off ({type(error).__name__})") from error
        finally:
            connection.close()


def _body(answer: http.client.HTTPResponse, most: int, until: float, seconds: float) -> bytes:
    """The bytes of an answer, unpacked as they come, so that a small one cannot grow without end.

    Raises:
        IngestError: it is too large, takes too long, or is packed in a way that was not asked for.
    """
    packing = (answer.getheader("Content-Encoding") or "identity").lower()
    if packing not in ("identity", "gzip"):
        raise IngestError(f"packed as {one_line(packing)[:20]}, which was not asked for")
    unpack = zlib.decompressobj(wbits=31) if packing == "gzip" else None
    data = bytearray()
    while piece := answer.read(_PIECE):
        data += unpack.decompress(piece, most + 1 - len(data)) if unpack is not None else piece
        if len(data) > most:
            raise IngestError(f"larger than the limit of {most / _MEGABYTE:g} MB")
        if time.monotonic() > until:
            raise IngestError(f"not whole within {seconds:g} seconds")
    return bytes(data)
