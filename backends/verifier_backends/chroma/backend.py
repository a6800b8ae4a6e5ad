"""The contract of a backend over a collection of Chroma's."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import BackendRejected, ConfigError
from verifier_backends.chroma.client import translated
from verifier_backends.chroma.content import Content, Embedded, Server
from verifier_backends.chroma.search import nearest, payloads
from verifier_backends.embedding import PlacedBackend
from verifier_backends.encoders import Encoder
from verifier_backends.index.batches import batches
from verifier_backends.index.binding import recorded
from verifier_backends.index.flat import filter_of, hit_of, stored
from verifier_backends.index.locks import ReadWriteLock
from verifier_backends.index.records import checked_item, checked_n_results
from verifier_backends.index.storage import read_manifest, writing
from verifier_backends.types import Capabilities, Hit, Item, Metadata, Where

__all__ = ["ChromaBackend"]

_REQUEST_BYTES = 8 << 20
"""About what one write may weigh; a server refuses requests above 40 MB."""

_ABSENT = {"$ne": True}
"""Chroma's ``$ne`` is also met by records without the key, and by them alone where the key only says ``True``."""

_CANDIDATES = 2
"""Candidates asked for, as a multiple of ``n_results``; never fewer than ``ef_search``, which cost little more."""


class ChromaBackend(PlacedBackend):
    """Approximate cosine search by Chroma, in this process or on a server. Scores are cosines in [-1, 1].

    Guaranteed: upserts, deletions, filters, scores and the order of hits are exact, never fewer hits come than
    match, and the ranking is exact where at most ``max(2 n_results, ef_search)`` texts match. Beyond that the
    hits are those that Chroma's HNSW graph finds, which may miss some.

    Embedded (no ``host``), the texts lie in a private temporary folder, and ``save`` and ``load`` copy it: two
    processes never open the same files, which Chroma does not support. On a server they lie in a collection
    of the backend's own, named ``<collection>-<random>``; ``save`` records it, and it stays until ``discard``.

    Args:
        encoder: what turns texts into vectors; ``EmbeddedEncoder()`` by default, ``ChromaEncoder`` for Chroma's own.
        host: address of a running server (``chroma run``); none for Chroma in this process.
        port: port of the server.
        ssl: whether to speak https. A token is taken from the environment variable ``CHROMA_API_KEY``.
        tenant: tenant on the server.
        database: database on the server.
        collection: how the names of collections begin.
        ef_search: how many candidates the graph is searched for at least.
        ef_construction: the same while it is built.
        max_neighbors: edges of a node of the graph.
        timeout: seconds that the server may take for one answer.

    Raises:
        ConfigError: a parameter is out of its range.
        MissingExtra: chromadb is not installed (on first use).
        BackendUnavailable: the server cannot be reached (on first use).
    """

    needs_one_of = ("chromadb",)

    capabilities = Capabilities(delete=True, get=True, where=True, persist=True)

    def __init__(
        self,
        encoder: Encoder | None = None,
        *,
        host: str | None = None,
        port: int = 8000,
        ssl: bool = False,
        tenant: str = "default_tenant",
        database: str = "default_database",
        collection: str = "verifier",
        ef_search: int = 100,
        ef_construction: int = 100,
        max_neighbors: int = 16,
        timeout: float = 60.0,
    ) -> None:
        if min(ef_search, ef_construction, max_neighbors - 1) < 1 or timeout <= 0:
            raise ConfigError(
                "ef_search and ef_construction must be at least 1, max_neighbors 2, and timeout above 0"
            )
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{2,199}", collection):
            raise ConfigError(
                f"collection must be 3 to 200 letters, digits, dots, dashes or underscores; got {collection!r}"
            )
        super().__init__(encoder)
        self._place: Server | Embedded = (
            Server(host, port, ssl, tenant, database, timeout) if host is not None else Embedded()
        )
        self._prefix = collection
        self._parameters = {
            "ef_search": ef_search,
            "ef_construction": ef_construction,
            "max_neighbors": max_neighbors,
        }
        self._lock = ReadWriteLock()
        self._opening = threading.Lock()
        self._opened: Content | None = None

    @property
    def identity(self) -> dict[str, Any]:
        """The encoder's identity decides the vectors, the graph's parameters how they are found."""
        return {**super().identity, "hnsw": self._parameters}

    def add(self, doc_id: str, text: str, metadata: Metadata | None = None) -> None:
        """Store one text. Many at once go faster through ``add_many``."""
        self.add_many([Item(doc_id, text, metadata)])

    def add_many(self, items: Iterable[Item]) -> None:
        """Store many texts; to readers of this backend all become visible at once.

        If Chroma fails in between, some may be stored and others not; adding them again mends that.
        """
        self.stage(items)()

    def stage(self, items: Iterable[Item]) -> Callable[[], None]:
        """Encode now, store when the result is called. Opens Chroma, so that what is missing shows here."""
        checked = list({item.doc_id: item for item in map(checked_item, items)}.values())
        if not checked:
            return lambda: None
        ids = [_id(item.doc_id) for item in checked]
        records = [stored(item) for item in checked]
        self._content()
        vectors = _finite(self._encoder.encode([item.text for item in checked]), len(checked))
        return lambda: self._store(ids, records, vectors)

    def _store(
        self, ids: list[str], records: list[dict[str, str | bool]], vectors: NDArray[np.float32]
    ) -> None:
        with self._lock.writing(), translated("store texts"):
            content = self._content()
            collection = content.made(self._prefix, self._parameters)
            most = content.client.get_max_batch_size()
            for rows in _batches(records, vectors.shape[1], most):
                # Chroma's upsert merges the new metadata into the old; what is replaced has to go first.
                self._remove(collection, ids[rows])
                collection.add(ids=ids[rows], embeddings=vectors[rows], metadatas=records[rows])

    def query(self, text: str, n_results: int = 3) -> list[Hit]:
        """The nearest texts by cosine."""
        return self.query_many([text], n_results)[0]

    def query_many(
        self, texts: Sequence[str], n_results: int = 3, where: Where | None = None
    ) -> list[list[Hit]]:
        """One batch through the encoder, one request for all candidates, one for the texts of the hits."""
        hits: list[list[Hit]] = [[] for _ in texts]
        asked = [i for i, text in enumerate(texts) if text.strip()]
        wanted = filter_of(where, absent=_ABSENT, vendor="Chroma")
        if not checked_n_results(n_results) or not asked or wanted == {} or not self.count():
            return hits
        vectors = _finite(self._encoder.encode([texts[i] for i in asked]), len(asked))
        # A zero row has no direction and so no neighbours.
        pointed = [row for row in range(len(asked)) if vectors[row].any()]
        depth = max(_CANDIDATES * n_results, self._parameters["ef_search"])
        with self._lock.reading(), translated("search"):
            collection = self._collection
            if collection is None or not pointed:
                return hits
            rankings = nearest(collection, vectors[pointed], n_results, wanted, depth)
            records = payloads(collection, sorted({doc_id for ranking in rankings for _, doc_id in ranking}))
        for row, ranking in zip(pointed, rankings, strict=True):
            # On a server, another process may have removed a text between the two requests.
            hits[asked[row]] = [
                hit_of(i, records[i], -negated + 0.0) for negated, i in ranking if i in records
            ]
        return hits

    def count(self) -> int:
        """Number of stored texts."""
        with self._lock.reading(), translated("count"):
            collection = self._collection
            return 0 if collection is None else int(collection.count())

    def get(self, doc_ids: Sequence[str]) -> list[Hit | None]:
        """The stored texts under these ids, ``None`` where there is none."""
        with self._lock.reading(), translated("read texts"):
            collection = self._collection
            records = {} if collection is None else payloads(collection, list(dict.fromkeys(doc_ids)))
        return [hit_of(i, records[i], 0.0) if i in records else None for i in doc_ids]

    def delete(self, doc_ids: Iterable[str]) -> int:
        """Remove these ids; returns how many were there."""
        ids = list(dict.fromkeys(doc_ids))
        with self._lock.writing(), translated("delete texts"):
            collection = self._collection
            if collection is None:
                return 0
            most = self._content().client.get_max_batch_size()
            parts = (ids[start : start + most] for start in range(0, len(ids), most))
            return sum(self._remove(collection, part) for part in parts)

    @staticmethod
    def _remove(collection: Any, ids: list[str]) -> int:
        """Delete those that are there: Chroma counts unknown ids as deleted."""
        known = collection.get(ids=ids, include=[])["ids"]
        if known:
            collection.delete(ids=known)
        return len(known)

    def save(self, directory: Path) -> None:
        """Embedded: copy the index into an empty or new directory. On a server: record its collection there."""
        content = self._content()
        with self._lock.writing(), writing(directory, self.identity), translated("save"):
            self._place.save(content, directory)

    def load(self, directory: Path) -> None:
        """Embedded: take a copy of what ``save`` wrote. On a server: go on with the collection it recorded."""
        read_manifest(directory, self.identity)
        with translated(f"load {directory}"):
            content = self._place.load(directory)
        with self._lock.writing():
            before, self._opened = self._opened, content
        if before is not None:
            before.close()

    def discard(self, directory: Path, keeping: Sequence[Path] = ()) -> None:
        """Remove the collection that ``directory`` records from the server, unless it is in use here or kept."""
        name = recorded(directory)
        if not self._place.resident or name is None or name in map(recorded, keeping):
            return
        content = self._content()
        with self._lock.writing(), translated(f"remove the collection {name!r}"):
            if content.collection is None or content.collection.name != name:
                known = {collection.name for collection in content.client.list_collections()}
                if name in known:
                    content.client.delete_collection(name)

    @property
    def _collection(self) -> Any:
        """The collection of the texts, ``None`` before the first write."""
        return self._opened.collection if self._opened is not None else None

    def _content(self) -> Content:
        with self._opening:
            if self._opened is None:
                self._opened = self._place.open()
            return self._opened


def _id(doc_id: str) -> str:
    try:
        doc_id.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"Chroma takes no id with lone surrogates: {doc_id!r}") from error
    return doc_id


def _finite(vectors: NDArray[np.float32], n_rows: int) -> NDArray[np.float32]:
    if vectors.ndim != 2 or len(vectors) != n_rows or not np.isfinite(vectors).all():
        raise BackendRejected(f"the encoder gave no {n_rows} finite vectors but shape {vectors.shape}")
    return np.ascontiguousarray(vectors, dtype=np.float32)


def _batches(records: Sequence[dict[str, str | bool]], dimension: int, most: int) -> Iterator[slice]:
    """Slices of at most ``most`` records and about ``_REQUEST_BYTES``."""
    # Vectors travel as base64 of 4 bytes a number, texts as JSON.
    weights = [
        6 * dimension + sum(len(str(value)) + len(key) for key, value in record.items()) for record in records
    ]
    return batches(weights, most=most, limit=_REQUEST_BYTES)
