"""Pinecone's own client, with the key from the environment, and its errors translated into ours.

The client is spoken to over REST, which needs no further package, and retries by itself: a connection error and the
statuses 408, 429, 500, 502, 503 and 504 up to three times, after what ``Retry-After`` says (at most a minute) or a
growing random pause. Every request of ours may be repeated: upserts and deletions are by id.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from verifier.core.errors import (
    BackendError,
    BackendRejected,
    BackendUnavailable,
    ConfigError,
    MissingExtra,
    VerifierError,
)
from verifier.core.registry import require

__all__ = ["KEY_VARIABLE", "client", "sdk", "translated"]

KEY_VARIABLE = "PINECONE_API_KEY"
"""Environment variable that holds the key. No secret stands in a configuration."""

_OLDEST = 10
"""Major version of the client from which on an index is created by its schema."""

_TRANSIENT = frozenset({408, 425, 429, *range(500, 600)})

_MEANING = {
    401: f"the key in {KEY_VARIABLE} is not accepted",
    402: "the account must be paid for first",
    403: "the key may not do this, or a quota is used up",
    404: "there is no such index or namespace",
    413: "the request is too large",
    429: "too many requests",
}


def sdk() -> ModuleType:
    """The package ``pinecone``.

    Raises:
        MissingExtra: it is not installed.
        ConfigError: what is installed is too old, or ``pinecone-client``, which took its name before.
    """
    line = "run: pip uninstall pinecone-client; pip install 'rag-claim-verifier[pinecone]'"
    try:
        module = require("pinecone", extra="pinecone")
    except MissingExtra:
        raise
    except Exception as error:
        # pinecone-client 6 raises a bare Exception on import.
        raise ConfigError(f"the package that is imported as pinecone is not usable; {line}") from error
    if int(module.__version__.split(".")[0]) < _OLDEST:
        raise ConfigError(f"pinecone {module.__version__} is older than {_OLDEST}; {line}")
    return module


def client(host: str | None, timeout: float) -> Any:
    """A client of the service, or of one that speaks like it at ``host``; opens no connection yet.

    Raises:
        ConfigError: there is no key in the environment, or none that can be sent.
        MissingExtra: the package is not installed.
    """
    pinecone = sdk()
    key = os.environ.get(KEY_VARIABLE, "")
    if not key:
        raise ConfigError(f"Pinecone needs a key: set the environment variable {KEY_VARIABLE}")
    try:
        return pinecone.Pinecone(api_key=key, host=host, timeout=timeout)
    except pinecone.PineconeValueError as error:
        raise ConfigError(f"Pinecone's client refuses the key in {KEY_VARIABLE}, or {host!r}") from error


@contextmanager
def translated(what: str) -> Iterator[None]:
    """Raise what the client raises inside as one of our errors, without the service's own words.

    Raises:
        BackendUnavailable: the service cannot be reached, is busy, or failed (5xx), after all retries.
        BackendRejected: anything else.
    """
    try:
        yield
    except VerifierError:
        raise
    except Exception as error:
        raise _ours(what, error) from error


def _ours(what: str, error: Exception) -> BackendError:
    errors = sdk()
    if isinstance(error, errors.PineconeTimeoutError | errors.PineconeConnectionError):
        return BackendUnavailable(f"Pinecone could not {what}: no connection, or no answer in time")
    if isinstance(error, errors.ApiError):
        status = int(error.status_code)
        said = f"Pinecone could not {what} (status {status}"
        said += f": {_MEANING[status]})" if status in _MEANING else ")"
        return BackendUnavailable(said) if status in _TRANSIENT else BackendRejected(said)
    return BackendRejected(f"Pinecone could not {what}: {type(error).__name__}")
