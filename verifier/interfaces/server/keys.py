"""API keys: made once and shown once, kept as hashes with their rights."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import shlex
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from verifier.core.alone import alone_with
from verifier.core.errors import ConfigError

__all__ = ["ANYWHERE", "ApiKey", "KeyRing", "Right", "changing"]

ANYWHERE = "*"
"""Stands for every namespace."""

_PREFIX = "rv_"


class Right(StrEnum):
    """What a key may do."""

    CHECK = "check"
    """Verify, review, search, rate, and stream."""
    WRITE = "write"
    """Add and delete documents."""
    ASK = "ask"
    """Let a language model answer or judge, which costs money."""
    METRICS = "metrics"
    """Read the metrics."""


@dataclass(frozen=True, slots=True)
class ApiKey:
    """The owner of a key. ``digest`` is the SHA-256 of the key, which is random, so that it needs no salt."""

    name: str
    digest: str
    namespaces: tuple[str, ...] = (ANYWHERE,)
    rights: tuple[Right, ...] = tuple(Right)

    def may(self, right: Right) -> bool:
        """Whether it has that right."""
        return right in self.rights

    def may_enter(self, namespace: str) -> bool:
        """Whether it may see that namespace."""
        return ANYWHERE in self.namespaces or namespace in self.namespaces


class KeyRing:
    """The keys of one file.

    Args:
        keys: their owners, each name once.
    """

    def __init__(self, keys: Sequence[ApiKey] = ()) -> None:
        self.keys = tuple(keys)

    @classmethod
    def load(cls, path: Path) -> KeyRing:
        """The keys of a file that :meth:`save` wrote.

        Raises:
            ConfigError: there is none, or it is something else.
        """
        try:
            rows = json.loads(path.read_text(encoding="utf-8"))["keys"]
            return cls(
                [
                    ApiKey(
                        row["name"],
                        row["sha256"],
                        tuple(row["namespaces"]),
                        tuple(Right(right) for right in row["rights"]),
                    )
                    for row in rows
                ]
            )
        except FileNotFoundError as error:
            made = f"verifier keys add NAME --keys {shlex.quote(str(path))}"
            raise ConfigError(f"there are no keys in {path}; to make one: {made}") from error
        except OSError as error:
            raise ConfigError(f"cannot read the keys in {path}: {error.strerror}") from error
        except (ValueError, KeyError, TypeError) as error:
            raise ConfigError(f"{path} is no file of API keys") from error

    def save(self, path: Path) -> None:
        """Write the file, readable by its owner alone, at once and whole.

        Raises:
            ConfigError: it cannot be written.
        """
        rows = [
            {"name": k.name, "sha256": k.digest, "namespaces": list(k.namespaces), "rights": list(k.rights)}
            for k in self.keys
        ]
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                json.dump({"keys": rows}, file, indent=1)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        except OSError as error:
            raise ConfigError(f"cannot write the keys to {path}: {error.strerror}") from error

    def with_new(self, name: str, namespaces: Iterable[str], rights: Iterable[Right]) -> tuple[KeyRing, str]:
        """A ring with one key more, and that key, which is kept nowhere.

        Raises:
            ConfigError: the name is taken.
        """
        if any(key.name == name for key in self.keys):
            raise ConfigError(f"there is a key named {name!r} already")
        secret = _PREFIX + secrets.token_urlsafe(32)
        key = ApiKey(name, _digest(secret), tuple(namespaces), tuple(rights))
        return KeyRing((*self.keys, key)), secret

    def without(self, name: str) -> KeyRing:
        """A ring that lacks the key of that name.

        Raises:
            ConfigError: there is none.
        """
        left = [key for key in self.keys if key.name != name]
        if len(left) == len(self.keys):
            known = ", ".join(sorted(key.name for key in self.keys)) or "none"
            raise ConfigError(f"no key named {name!r}; there are: {known}")
        return KeyRing(left)

    def owner(self, secret: str) -> ApiKey | None:
        """Whose key it is. Every key is compared, in constant time, whichever it is."""
        digest = _digest(secret)
        found = None
        for key in self.keys:
            if hmac.compare_digest(key.digest, digest):
                found = key
        return found


@contextmanager
def changing(path: Path) -> Iterator[None]:
    """In the block nobody else changes the keys of that file; who wants to waits. The lock lies beside it.

    Raises:
        ConfigError: nothing can be written there.
    """
    with alone_with(path.with_name(f".{path.name}.lock")) as alone:
        if not alone:
            raise ConfigError(f"cannot change the keys in {path}: nothing can be written to its folder")
        yield


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
