"""Open the shared state at an address: a file or a server."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from verifier.core.errors import ConfigError
from verifier.core.state.base import State

__all__ = ["open_state", "place_of"]

_SERVERS = frozenset({"redis", "rediss"})


def place_of(address: str) -> Path | str:
    """The path of a file, or the address of a server as it stands.

    >>> place_of("redis://localhost:6379/0")
    'redis://localhost:6379/0'
    >>> place_of("kb/serving.db").name
    'serving.db'

    Raises:
        ConfigError: a server of another kind, or an address with a password in it.
    """
    scheme, separator, _ = address.partition("://")
    if not separator:
        return Path(address).expanduser()
    if scheme not in _SERVERS:
        raise ConfigError(
            f"{scheme}://...: expected the path of a file, redis://HOST:PORT/DB or rediss://..."
        )
    if "@" in urlsplit(address).netloc:
        raise ConfigError(
            f"{scheme}://...@...: user and password do not stand in an address; set REDIS_USERNAME and "
            "REDIS_PASSWORD"
        )
    return address


def open_state(address: str) -> State:
    """The state at an address, opened and reached.

    Raises:
        ConfigError: the address, or what is there, is no such state.
        MissingExtra: the client of the server is not installed.
        StateUnavailable: it cannot be reached.
    """
    place = place_of(address)
    if isinstance(place, Path):
        from verifier.core.state.file import StateFile

        return StateFile(place)
    from verifier.core.state.server import StateServer

    return StateServer(place)
