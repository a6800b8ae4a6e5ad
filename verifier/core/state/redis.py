"""Connections to a server that speaks the Redis protocol, none of which waits for long."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

from verifier.core.errors import ConfigError, StateUnavailable
from verifier.core.registry import require

__all__ = ["Connection"]

T = TypeVar("T")

_TIMEOUT = 1.0
"""Seconds that a connection and an answer may take."""
_PAUSE = 2.0
"""Seconds for which a server that did not answer is not asked again."""


class Connection:
    """A pool of connections to one server. Thread-safe.

    After a failure the server is left alone for two seconds: callers are told at once, and do not all wait for it.

    Args:
        address: ``redis://HOST:PORT/DB``, or ``rediss://`` with encryption; user and password come from
            ``REDIS_USERNAME`` and ``REDIS_PASSWORD``.
        clock: seconds; replaced in tests.

    Raises:
        ConfigError: the address is none, or the server refuses the password.
        MissingExtra: the client is not installed.
        StateUnavailable: the server does not answer.
    """

    def __init__(self, address: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._redis = require("redis", extra="redis")
        self.name, self._clock = address, clock
        self._resting_until = 0.0
        self._lock = threading.Lock()
        try:
            self._client = self._redis.Redis.from_url(
                address,
                username=os.environ.get("REDIS_USERNAME") or None,
                password=os.environ.get("REDIS_PASSWORD") or None,
                socket_timeout=_TIMEOUT,
                socket_connect_timeout=_TIMEOUT,
                decode_responses=True,
                retry=_one_more(self._redis),
            )
            urlsplit(address).port  # noqa: B018 - raises where it is no number
        except ValueError as error:
            raise ConfigError(f"{address}: expected redis://HOST:PORT/DB ({error})") from error
        try:
            self.call(lambda client: client.ping())
        except StateUnavailable as error:
            if isinstance(error.__cause__, self._redis.exceptions.AuthenticationError):
                raise ConfigError(f"{address} refuses: set REDIS_PASSWORD, and REDIS_USERNAME") from error
            raise

    def call(self, ask: Callable[[Any], T]) -> T:
        """What ``ask`` gets from the client.

        Raises:
            StateUnavailable: it does not answer, or refuses.
        """
        with self._lock:
            if self._clock() < self._resting_until:
                raise StateUnavailable(f"{self.name} did not answer, and is asked again in a moment")
        try:
            return ask(self._client)
        except self._redis.RedisError as error:
            with self._lock:
                self._resting_until = self._clock() + _PAUSE
            raise StateUnavailable(
                f"{self.name} cannot be reached or refuses: start it, or configure another place"
            ) from error

    def close(self) -> None:
        """Close all connections."""
        self._client.close()


def _one_more(redis: Any) -> Any:
    """Tries once more where a connection was closed meanwhile, not where the server takes its time."""
    pause = require("redis.backoff", extra="redis").NoBackoff()
    return require("redis.retry", extra="redis").Retry(
        pause, 1, supported_errors=(redis.exceptions.ConnectionError,)
    )
