"""A request goes in; who asks, what they may do and where comes out, or the problem that stops them."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import ip_address

from starlette.requests import HTTPConnection

from verifier.interfaces.server.keys import ApiKey, KeyRing, Right
from verifier.interfaces.server.problems import Problem

__all__ = ["Access", "Allowance", "is_loopback"]

_REMEMBERED = 10_000
"""Owners whose allowance is remembered; the one that asked longest ago is forgotten first."""

_LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


class Allowance:
    """Requests a minute for each owner: a bucket that holds them, refilled all the time.

    Args:
        per_minute: requests.
        clock: seconds; replaced in tests.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._size, self._clock = float(per_minute), clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, owner: str) -> float:
        """0 and one request less, or the seconds until there is one."""
        now, rate = self._clock(), self._size / 60
        with self._lock:
            left, then = self._left.pop(owner, (self._size, now))
            left = min(self._size, left + (now - then) * rate)
            wait = 0.0 if left >= 1 else (1 - left) / rate
            self._left[owner] = (left if wait else left - 1, now)
            if len(self._left) > _REMEMBERED:
                self._left.popitem(last=False)
        return wait


class Access:
    """Who may do what.

    Args:
        ring: the keys; ``None`` where none are needed because only this machine can reach the server.
        per_minute: requests of each owner.
    """

    def __init__(self, ring: KeyRing | None, per_minute: int) -> None:
        self._ring = ring
        self._allowance = Allowance(per_minute)

    def admit(self, connection: HTTPConnection, right: Right) -> ApiKey:
        """The owner of the request's key.

        Raises:
            Problem: no key or a wrong one, a right that is lacking, or too many requests.
        """
        owner = self._anyone(connection) if self._ring is None else self._owner(connection, self._ring)
        name = owner.name if self._ring is not None else _address(connection)
        self._take(name)
        if not owner.may(right):
            raise Problem(403, "forbidden", f"this key lacks the right {right.value!r}")
        connection.state.owner = owner.name
        return owner

    def namespace(self, owner: ApiKey, asked: str | None, default: str) -> str:
        """The namespace of a request.

        Raises:
            Problem: the key may not enter it. Whether it exists is not told.
        """
        namespace = asked or default
        if not owner.may_enter(namespace):
            raise Problem(403, "forbidden", "this key may not enter that namespace")
        return namespace

    def _owner(self, connection: HTTPConnection, ring: KeyRing) -> ApiKey:
        scheme, _, secret = connection.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            secret = connection.headers.get("x-api-key", "")
        if not secret.strip():
            raise Problem(401, "no_key", "a key is needed: Authorization: Bearer KEY", _CHALLENGE)
        owner = ring.owner(secret.strip())
        if owner is None:
            # Guesses are counted by where they come from, so that they end before they get anywhere.
            self._take(f"guess {_address(connection)}")
            raise Problem(401, "wrong_key", "this key is not known", _CHALLENGE)
        return owner

    def _take(self, name: str) -> None:
        wait = self._allowance.take(name)
        if wait:
            later = {"Retry-After": str(int(wait) + 1)}
            raise Problem(429, "too_many_requests", "too many requests in a minute", later)

    @staticmethod
    def _anyone(connection: HTTPConnection) -> ApiKey:
        """Without keys any program of this machine may ask, but no web page that a browser on it shows."""
        name = (connection.url.hostname or "").strip("[]")
        if name not in _LOCAL_NAMES:
            raise Problem(
                403, "forbidden", "without keys only this machine may ask, by the name of localhost"
            )
        return ApiKey("local", "")


_CHALLENGE = {"WWW-Authenticate": "Bearer"}


def _address(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else "unknown"
