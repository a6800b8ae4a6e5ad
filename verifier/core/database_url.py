"""Addresses of PostgreSQL databases, and what may be shown of them and of their errors."""

from __future__ import annotations

import os
import re
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from verifier.core.errors import ConfigError

__all__ = ["checked_url", "is_database_url", "scrubbed", "without_password"]

_SCHEME = re.compile(r"postgres(?:ql)?://")
_SECRET = frozenset({"password", "sslpassword"})
_LEAST = 3
"""Characters of a password that is looked for in a message; a shorter one would be found in any word."""


def is_database_url(place: str | os.PathLike[str]) -> bool:
    """Whether a place is an address of PostgreSQL, and not a folder.

    >>> is_database_url("postgresql://db/facts"), is_database_url("kb")
    (True, False)
    """
    return _SCHEME.match(os.fspath(place)) is not None


def checked_url(url: str) -> str:
    """The address, if its parts can be told apart.

    Raises:
        ConfigError: they cannot; nothing of it is quoted, since a part of the password might be.
    """
    rest = url.partition("://")[2].partition("?")[0]
    user = rest.rpartition("@")[0]
    try:
        urlsplit(url).port  # noqa: B018 - raises where it is no number
        if "/" not in user and "@" not in user and "#" not in rest:
            return url
    except ValueError:
        pass
    raise ConfigError(
        "the address of the knowledge base cannot be read: it must be postgresql://USER@HOST:PORT/DATABASE, "
        "and in a password @ is written %40, / %2F, : %3A, # %23 and ? %3F"
    )


def without_password(url: str) -> str:
    """The address as it may be shown.

    >>> without_password("postgresql://me:secret@db:5432/facts?sslmode=require&password=secret")
    'postgresql://me@db:5432/facts?sslmode=require'
    """
    parts = urlsplit(checked_url(url))
    user, mark, host = parts.netloc.rpartition("@")
    query = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] not in _SECRET]
    shown = parts._replace(
        netloc=user.partition(":")[0] + mark + host, query=urlencode(query, quote_via=quote)
    )
    found = urlunsplit(shown)
    # Without a host, a path is joined by two slashes fewer.
    return found if "://" in found else found.replace(":", "://", 1)


def scrubbed(message: str, url: str) -> str:
    """A message without the passwords of the address.

    >>> scrubbed("no user me/s%40cret or s@cret", "postgresql://me:s%40cret@db/facts")
    'no user me/*** or ***'
    """
    parts = urlsplit(url)
    given = [parts.netloc.rpartition("@")[0].partition(":")[2]]
    given += [value for name, value in parse_qsl(parts.query) if name in _SECRET]
    for secret in {form for one in given for form in (one, unquote(one), quote(one, safe=""))}:
        if len(secret) >= _LEAST:
            message = message.replace(secret, "***")
    return message
