"""Say errors of PostgreSQL as one line for a user, without a password."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from verifier.core.database_url import scrubbed, without_password
from verifier.core.errors import (
    KnowledgeBaseError,
    KnowledgeBaseFull,
    KnowledgeBaseLocked,
    KnowledgeBaseNotFound,
    KnowledgeBaseUnavailable,
)
from verifier.core.registry import require

__all__ = ["is_passing", "is_unreached", "plain_errors"]

_NO_ROOM = ("53100", "53200")
"""SQLSTATEs of a full disk and of memory that ran out."""

_RIGHTS = ("42501", "25006")
"""SQLSTATEs of a right that is lacking, and of a server that takes no writes."""


@contextmanager
def plain_errors(url: str) -> Iterator[None]:
    """Raise what psycopg raises inside as an error of ours; an error of ours in a statement stays as it is.

    Raises:
        MissingExtra: psycopg is not installed.
    """
    psycopg = require("psycopg", extra="pgvector")
    try:
        yield
    except psycopg.Error as error:
        raise _explained(error, url) from error


def is_unreached(error: Exception) -> bool:
    """Whether no server answered, or it broke off: connections (08), an operator's intervention (57), no state."""
    state = str(getattr(error, "sqlstate", None) or "")
    return type(error).__name__ in (
        "ConnectionTimeout",
        "OperationalError",
        "AdminShutdown",
        "CannotConnectNow",
    ) and (not state or state[:2] in ("08", "57"))


def is_passing(error: Exception) -> bool:
    """Whether another attempt to connect may succeed: nobody listens, or the server is just starting or stopping."""
    told = str(error)
    return "FATAL" not in told or "starting up" in told or "shutting down" in told


def _explained(error: Exception, url: str) -> Exception:
    shown, state = without_password(url), str(getattr(error, "sqlstate", None) or "")
    told = scrubbed(" ".join(str(error).split("\n")[0].split()), url)
    if state == "55P03":
        return KnowledgeBaseLocked(f"another process is writing to {shown}; try again when it has ended")
    if state in _NO_ROOM:
        return KnowledgeBaseFull(f"the server of {shown} has no room left ({told}); nothing stored is lost")
    if state in _RIGHTS:
        return KnowledgeBaseError(
            f"{shown} does not let this user do that ({told}); let its owner do it, or grant the right"
        )
    if state == "3D000" or ("FATAL" in told and "does not exist" in told and "database" in told):
        name = urlsplit(url).path.strip("/") or "NAME"
        return KnowledgeBaseNotFound(f"{shown}: there is no such database; make it with: createdb {name}")
    if "FATAL" in told and not state:
        return KnowledgeBaseError(
            f"the server of {shown} refused the connection: {told.partition('FATAL:')[2].strip()}"
        )
    if "NUL" in told and not state:
        return KnowledgeBaseError(
            "PostgreSQL has no texts with the character NUL, and none can be looked for"
        )
    if is_unreached(error):
        return KnowledgeBaseUnavailable(
            f"the connection to {shown} was lost ({told}); nothing is stored by half: run the command again"
        )
    return error
