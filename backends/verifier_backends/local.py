"""What backends that keep their texts in this process share: a store behind the contract. No backend by itself."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from verifier_backends.base import VectorBackend
from verifier_backends.filters import plain_filter
from verifier_backends.index.records import checked_n_results
from verifier_backends.index.storage import read_manifest, writing
from verifier_backends.types import Capabilities, Hit, Item, Metadata, Where

__all__ = ["LocalBackend", "Store"]


class Store(Protocol):
    """Keeps texts and finds none; the methods promise what those of ``VectorBackend`` do.

    ``save`` may return the checksums of files that it has not written, by name in the directory.
    """

    def count(self) -> int: ...
    def get(self, doc_ids: Sequence[str]) -> list[Hit | None]: ...
    def delete(self, doc_ids: Iterable[str]) -> int: ...
    def save(self, directory: Path) -> Mapping[str, Sequence[int]] | None: ...
    def load(self, directory: Path) -> None: ...


class LocalBackend(VectorBackend):
    """A backend over a store in this process; a subclass says how texts come in (``stage``) and are searched."""

    capabilities = Capabilities(delete=True, get=True, where=True, persist=True)

    @property
    @abstractmethod
    def _store(self) -> Store:
        """Where the texts are."""

    @abstractmethod
    def stage(self, items: Iterable[Item]) -> Callable[[], None]:
        """Check and encode now, store when the result is called."""

    @abstractmethod
    def _search(self, texts: Sequence[str], n_results: int, where: Where | None) -> list[list[Hit]]:
        """One ranking for each text, none of which is blank; ``n_results`` is at least 1, the store not empty."""

    def add(self, doc_id: str, text: str, metadata: Metadata | None = None) -> None:
        """Store one text. Many at once go faster through ``add_many``."""
        self.add_many([Item(doc_id, text, metadata)])

    def add_many(self, items: Iterable[Item]) -> None:
        """Store many texts; all become visible at once."""
        self.stage(items)()

    def query(self, text: str, n_results: int = 3) -> list[Hit]:
        """The nearest texts."""
        return self.query_many([text], n_results)[0]

    def query_many(
        self, texts: Sequence[str], n_results: int = 3, where: Where | None = None
    ) -> list[list[Hit]]:
        """All texts in one go; a blank one finds nothing."""
        where = None if where is None else plain_filter(where)
        hits: list[list[Hit]] = [[] for _ in texts]
        asked = [i for i, text in enumerate(texts) if text.strip()]
        if checked_n_results(n_results) and asked and self.count():
            found = self._search([texts[i] for i in asked], n_results, where)
            for i, ranking in zip(asked, found, strict=True):
                hits[i] = ranking
        return hits

    def count(self) -> int:
        """Number of stored texts."""
        return self._store.count()

    def get(self, doc_ids: Sequence[str]) -> list[Hit | None]:
        """The stored texts under these ids, ``None`` where there is none."""
        return self._store.get(doc_ids)

    def delete(self, doc_ids: Iterable[str]) -> int:
        """Remove these ids; returns how many were there."""
        return self._store.delete(doc_ids)

    def save(self, directory: Path) -> None:
        """Write the whole index into an empty or new directory."""
        with writing(directory, self.identity) as known:
            known.update(self._store.save(directory) or {})

    def load(self, directory: Path) -> None:
        """Replace the content by an index that ``save`` wrote under the same identity."""
        read_manifest(directory, self.identity)
        self._store.load(directory)

    def attach(self, directory: Path) -> None:
        """``load`` without reading what only a search reads."""
        read_manifest(directory, self.identity, searching=False)
        self._store.load(directory)
