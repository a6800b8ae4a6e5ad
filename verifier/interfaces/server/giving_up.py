"""A job whose client is gone or was told that time is up goes in; it ends at its next step, and frees its worker."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from verifier.core.errors import Cancelled
from verifier.types import Evidence
from verifier.verification.retrieve import KnowledgeSource

__all__ = ["GivenUp", "Ticket", "WatchedSource"]

Item = TypeVar("Item")


class GivenUp(Cancelled):
    """Nobody waits for the result any more."""


class Ticket:
    """Says of one job whether anybody still waits for it."""

    def __init__(self) -> None:
        self._given_up = threading.Event()

    def give_up(self) -> None:
        """Nobody waits any more."""
        self._given_up.set()

    def check(self) -> None:
        """Nothing, while somebody waits.

        Raises:
            GivenUp: nobody does.
        """
        if self._given_up.is_set():
            raise GivenUp

    def each(self, items: Iterable[Item]) -> Iterator[Item]:
        """The items, as long as somebody waits."""
        for item in items:
            self.check()
            yield item


class WatchedSource:
    """A knowledge base that is read only while somebody waits: a long check ends between two blocks of claims.

    Args:
        source: what is read.
        ticket: of the job that reads it.
    """

    def __init__(self, source: KnowledgeSource, ticket: Ticket) -> None:
        self._source, self._ticket = source, ticket

    def retrieve(
        self, queries: Sequence[str], *, top_k: int = 5, namespace: str = "default"
    ) -> list[list[Evidence]]:
        """As the source has it."""
        return self._source.retrieve(queries, top_k=top_k, namespace=namespace)

    def term_document_frequency(self, terms: Iterable[str], namespace: str = "default") -> dict[str, int]:
        """As the source has it."""
        return self._source.term_document_frequency(terms, namespace)

    def passage_count(self, namespace: str = "default") -> int:
        """As the source has it; asked before each block of claims, so that this is where a job ends."""
        self._ticket.check()
        return self._source.passage_count(namespace)

    def content_hash(self, namespace: str | None = None) -> str:
        """As the source has it."""
        return self._source.content_hash(namespace)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)
