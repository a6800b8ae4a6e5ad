"""A pool of psycopg connections, each used by one thread at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from verifier.core.database_url import checked_url, scrubbed, without_password
from verifier.core.errors import KnowledgeBaseUnavailable
from verifier.core.registry import require
from verifier.knowledge.postgres.faults import is_passing, is_unreached
from verifier.knowledge.postgres.schema import SCHEMA

__all__ = ["Pool"]

PATIENCE = 5.0
"""Seconds for which a server that does not answer is tried."""

_SESSION = (
    "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3 "
    "-c idle_in_transaction_session_timeout=600000 -c jit=off"
)
"""After a minute the server lets go of a machine that went, after ten of a process that hangs."""

_PAUSE = 0.25
_KEPT = 8
"""Connections kept open at most."""


class Pool:
    """Connections to one database. What it raises is of psycopg, but where no server can be reached.

    Args:
        url: the address, with or without its password.
    """

    def __init__(self, url: str) -> None:
        self.url = checked_url(url)
        self._free: list[Any] = []
        self._guard = threading.Lock()

    def connect(self) -> Any:
        """A connection of its own, without a transaction.

        Raises:
            KnowledgeBaseUnavailable: the server did not answer for five seconds.
            MissingExtra: psycopg is not installed.
        """
        psycopg = require("psycopg", extra="pgvector")
        give_up = time.monotonic() + PATIENCE
        while True:
            try:
                return psycopg.connect(
                    self.url,
                    autocommit=True,
                    connect_timeout=int(PATIENCE),
                    cursor_factory=psycopg.ClientCursor,
                    options=f"-c search_path={SCHEMA},public {_SESSION}",
                    keepalives_idle=30,
                    keepalives_interval=10,
                    keepalives_count=3,
                    application_name="verifier",
                )
            except psycopg.OperationalError as error:
                if not is_passing(error):
                    raise
                if time.monotonic() + _PAUSE > give_up:
                    raise self._unreached(error) from error
                time.sleep(_PAUSE)

    def _unreached(self, error: Exception) -> KnowledgeBaseUnavailable:
        told = scrubbed(" ".join(str(error).split()), self.url)
        return KnowledgeBaseUnavailable(
            f"the server of {without_password(self.url)} cannot be reached, tried for {PATIENCE:.0f} s: see that it "
            f"runs and that the address is right ({told})"
        )

    @contextmanager
    def transaction(self, begin: str) -> Iterator[Any]:
        """A connection after the statement ``begin``: committed at the end of the block, or rolled back."""
        raw = self._begun(begin)
        try:
            yield raw
            raw.execute("COMMIT")
        except BaseException:
            raw.close()  # which rolls back
            raise
        with self._guard:
            if len(self._free) < _KEPT:
                self._free.append(raw)
                return
        raw.close()

    def _begun(self, begin: str) -> Any:
        while True:
            with self._guard:
                raw = self._free.pop() if self._free else None
            if raw is None:
                break
            try:
                raw.execute(begin)
            except Exception as error:
                raw.close()
                if not is_unreached(error):
                    raise
                continue  # the server was started anew since
            return raw
        raw = self.connect()
        raw.execute(begin)
        return raw

    def close(self) -> None:
        """Close those that nobody has."""
        with self._guard:
            while self._free:
                self._free.pop().close()
