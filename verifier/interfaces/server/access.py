"""Who asks, what they may do and where, or the problem that stops them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection

from verifier.interfaces.server.keys import ANYWHERE, ApiKey, KeyRing, Right
from verifier.interfaces.server.problems import Problem
from verifier.interfaces.server.rates import Rates

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["Access", "Admission", "Caller", "is_loopback"]

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


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever asks.

    Args:
        owner: of the key.
        charge: counts one request as so many more.
    """

    owner: ApiKey
    charge: Callable[[int], Awaitable[None]]

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
        rates: requests of each owner.
        origins: web pages that may ask where no keys are needed, besides the server's own.
    """

    def __init__(self, ring: KeyRing | None, rates: Rates, origins: Sequence[str] = ()) -> None:
        self._ring, self._origins = ring, frozenset(origins)
        self._rates = rates

    async def admit(self, connection: HTTPConnection) -> Caller:
        """Who asks, with one request less left.

        Raises:
            Problem: no key or a wrong one, a foreign web page, or too many requests.
        """
        if self._ring is None:
            owner, name = self._anyone(connection), _address(connection)
        else:
            owner = await self._owner(connection, self._ring)
            name = owner.name
        await self._take(name)
        return Caller(owner, partial(self._rates.charge, name))

    async def _owner(self, connection: HTTPConnection, ring: KeyRing) -> ApiKey:
        scheme, _, secret = connection.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            secret = connection.headers.get("x-api-key", "")
        if not secret.strip():
            raise Problem(401, "no_key", "a key is needed: Authorization: Bearer KEY", _CHALLENGE)
        owner = ring.owner(secret.strip())
        if owner is None:
            # Guesses are counted by where they come from, so that they end before they get anywhere.
            await self._take(f"guess {_address(connection)}")
            raise Problem(401, "wrong_key", "this key is not known", _CHALLENGE)
        return owner

    async def _take(self, name: str) -> None:
        wait = await self._rates.take(name)
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
            caller = await self._access.admit(HTTPConnection(scope))
            scope["state"]["caller"], scope["state"]["owner"] = caller, caller.owner.name
        await self._app(scope, receive, send)


_OPEN = frozenset({"/healthz", "/readyz", "/openapi.json"})
"""Routes that say nothing of anybody."""

_CHALLENGE = {"WWW-Authenticate": "Bearer"}


def _address(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else "unknown"
