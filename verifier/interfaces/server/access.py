"""Who asks, what they may do and where, or the problem that stops them."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection

from verifier.interfaces.server.keys import ANYWHERE, ApiKey, KeyRing, Right
from verifier.interfaces.server.problems import Problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["Access", "Admission", "Allowance", "Caller", "is_loopback"]

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

    def charge(self, owner: str, requests: int) -> None:
        """So many requests less, for one that is as much as several and was let in; the next waits for a debt."""
        with self._lock:
            left, then = self._left.get(owner, (self._size, self._clock()))
            self._left[owner] = (left - requests, then)


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever asks.

    Args:
        owner: of the key.
        charge: counts one request as so many more.
    """

    owner: ApiKey
    charge: Callable[[int], None]

    def must(self, right: Right) -> None:
        """Nothing, for one who has that right.

        Raises:
            Problem: they lack it.
        """
        if not self.owner.may(right):
            raise Problem(403, "forbidden", f"this key lacks the right {right.value!r}")

    def namespace(self, asked: str | None, default: str) -> str:
        """The namespace of a request: the one asked for, else the only one of the key, else the configured one.

        Raises:
            Problem: the key may not enter it. Whether it exists is not told.
        """
        only = self.owner.namespaces[0] if len(self.owner.namespaces) == 1 else ANYWHERE
        namespace = asked or (default if only == ANYWHERE else only)
        if not self.owner.may_enter(namespace):
            raise Problem(403, "forbidden", "this key may not enter that namespace")
        return namespace


class Access:
    """Who may do what.

    Args:
        ring: the keys; ``None`` where none are needed because only this machine can reach the server.
        per_minute: requests of each owner.
        origins: web pages that may ask where no keys are needed, besides the server's own.
    """

    def __init__(self, ring: KeyRing | None, per_minute: int, origins: Sequence[str] = ()) -> None:
        self._ring, self._origins = ring, frozenset(origins)
        self._allowance = Allowance(per_minute)

    def admit(self, connection: HTTPConnection) -> Caller:
        """Who asks, with one request less left.

        Raises:
            Problem: no key or a wrong one, a foreign web page, or too many requests.
        """
        if self._ring is None:
            owner, name = self._anyone(connection), _address(connection)
        else:
            owner = self._owner(connection, self._ring)
            name = owner.name
        self._take(name)
        return Caller(owner, partial(self._allowance.charge, name))

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

    def _anyone(self, connection: HTTPConnection) -> ApiKey:
        """Without keys any program of this machine may ask, but no web page that a browser on it shows.

        The host keeps out pages whose name was made to mean this machine; the origin, which browsers send with every
        WebSocket and form, keeps out the rest.
        """
        if (connection.url.hostname or "").strip("[]") not in _LOCAL_NAMES:
            raise Problem(
                403, "forbidden", "without keys only this machine may ask, by the name of localhost"
            )
        origin = connection.headers.get("origin")
        own = {f"{scheme}://{connection.url.netloc}" for scheme in ("http", "https")}
        if origin is not None and origin not in own | self._origins:
            raise Problem(403, "forbidden", "without keys no other web page may ask")
        return ApiKey("local", "")


class Admission:
    """Stops those who may not ask, before their body is taken in.

    Args:
        app: gets the others, each with its ``Caller`` in the state of the request.
        access: who may ask.
        is_open: which other paths than the health routes need no key, since they say nothing of anybody.
    """

    def __init__(
        self, app: ASGIApp, access: Access, is_open: Callable[[str], bool] = lambda _: False
    ) -> None:
        self._app, self._access, self._is_open = app, access, is_open

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or WebSocket."""
        path = scope.get("path", "")
        if scope["type"] in {"http", "websocket"} and path not in _OPEN and not self._is_open(path):
            caller = self._access.admit(HTTPConnection(scope))
            scope["state"]["caller"], scope["state"]["owner"] = caller, caller.owner.name
        await self._app(scope, receive, send)


_OPEN = frozenset({"/healthz", "/readyz", "/openapi.json"})
"""Routes that say nothing of anybody."""

_CHALLENGE = {"WWW-Authenticate": "Bearer"}


def _address(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else "unknown"
