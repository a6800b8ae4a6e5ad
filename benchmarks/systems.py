"""The systems of ``benchmarks.scale``, ours and peers, all behind the same three calls.

``Replay`` stands in for the encoder: it gives vectors that were computed once, so that building an index is measured
without the encoder, and encodes queries for real, so that a query is measured with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from verifier_backends.ann import ANNBackend
from verifier_backends.base import VectorBackend
from verifier_backends.bm25 import BM25Backend
from verifier_backends.encoders import Encoder
from verifier_backends.hybrid import HybridBackend
from verifier_backends.memory import InMemoryBackend
from verifier_backends.types import Item, Where

from benchmarks.databases import BACKENDS, LanceIndex, QdrantMemory

__all__ = ["BY_VECTORS", "PEERS", "SYSTEMS", "Replay"]

_WORD = re.compile(r"\w+")


class Replay:
    """An encoder whose documents' vectors come from a file, in the order in which they are asked for."""

    def __init__(self, encoder: Encoder, file: Path) -> None:
        self._encoder, self._file = encoder, file
        self._open: BinaryIO | None = None

    @property
    def identity(self) -> str:
        """That of the encoder."""
        return self._encoder.identity

    @property
    def dimension(self) -> int:
        """That of the encoder."""
        return self._encoder.dimension

    def __enter__(self) -> Replay:
        """From here on, texts are documents."""
        self._open = self._file.open("rb")
        return self

    def __exit__(self, *_: object) -> None:
        """From here on, texts are queries."""
        if self._open:
            self._open.close()
        self._open = None

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The next vectors of the file, or those of the encoder."""
        if self._open is None:
            return self._encoder.encode(texts)
        rows = np.fromfile(self._open, np.float32, len(texts) * self.dimension)
        return rows.reshape(len(texts), self.dimension)


class Ours:
    """One of our backends."""

    keeps = True
    """Whether another process can open what was built."""

    def __init__(self, make: Callable[[Encoder], VectorBackend], replay: Replay) -> None:
        self._replay, self._backend = replay, make(replay)

    def fill(self, batches: Iterable[Sequence[Item]], folder: Path) -> None:
        """Store all items and save the index."""
        with self._replay:
            for batch in batches:
                self._backend.add_many(batch)
        self._backend.save(folder)

    def open(self, folder: Path) -> None:
        """Open what ``fill`` saved."""
        self._backend.load(folder)

    def ask(self, queries: Sequence[str], k: int, where: Where | None = None) -> list[list[str]]:
        """The ids found for each query, in one call."""
        return [[hit["id"] for hit in hits] for hits in self._backend.query_many(queries, k, where)]


class RankBM25:
    """BM25Okapi of rank_bm25 over lower-cased words; it can neither grow nor be saved, nor filter."""

    keeps = False

    def fill(self, batches: Iterable[Sequence[Item]], folder: Path) -> None:  # noqa: ARG002
        """Make the index of all items."""
        from rank_bm25 import BM25Okapi

        items = [item for batch in batches for item in batch]
        self._ids = [item.doc_id for item in items]
        self._index = BM25Okapi([_words(item.text) for item in items])

    def ask(self, queries: Sequence[str], k: int, where: Where | None = None) -> list[list[str]]:
        """The ids found for each query."""
        if where is not None:
            raise NotImplementedError
        return [self._index.get_top_n(_words(query), self._ids, k) for query in queries]


class Chroma:
    """Chroma's own persistent client and HNSW index, given the same vectors, with cosine as its distance."""

    keeps = True

    def __init__(self, replay: Replay) -> None:
        self._replay = replay

    def fill(self, batches: Iterable[Sequence[Item]], folder: Path) -> None:
        """Store all items, in pieces that Chroma takes; it writes as it goes."""
        self.open(folder)
        with self._replay:
            for batch in batches:
                for start in range(0, len(batch), self._most):
                    part = batch[start : start + self._most]
                    self._collection.add(
                        ids=[item.doc_id for item in part],
                        embeddings=self._replay.encode([item.text for item in part]),
                        documents=[item.text for item in part],
                        metadatas=[dict(item.metadata or {}) for item in part],
                    )

    def open(self, folder: Path) -> None:
        """Open what is there, or begin."""
        import chromadb

        client = chromadb.PersistentClient(str(folder), chromadb.Settings(anonymized_telemetry=False))
        self._most = client.get_max_batch_size()
        cosine: Any = {"hnsw": {"space": "cosine"}}
        self._collection = client.get_or_create_collection("scale", configuration=cosine)

    def ask(self, queries: Sequence[str], k: int, where: Where | None = None) -> list[list[str]]:
        """The ids found for each query, in one call; texts and metadata are fetched, as our hits have them."""
        found: Any = self._collection.query(
            query_embeddings=self._replay.encode(queries),
            n_results=k,
            where=None if where is None else dict(where),
            include=["documents", "metadatas", "distances"],
        )
        ids: list[list[str]] = found["ids"]
        return ids


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _ours(make: Callable[[Encoder], VectorBackend]) -> Callable[[Replay], Ours]:
    return lambda replay: Ours(make, replay)


SYSTEMS: Mapping[str, Callable[[Replay], Any]] = {
    "memory": _ours(InMemoryBackend),
    "ann": _ours(ANNBackend),
    "bm25": _ours(lambda _: BM25Backend()),
    "hybrid": _ours(lambda encoder: HybridBackend(InMemoryBackend(encoder), BM25Backend())),
    "hybrid-ann": _ours(lambda encoder: HybridBackend(ANNBackend(encoder), BM25Backend())),
    "rank_bm25": lambda _: RankBM25(),
    "chroma-own": Chroma,
    "qdrant-memory": QdrantMemory,
    "lancedb-own": LanceIndex,
    **{name: _ours(make) for name, make in BACKENDS.items()},
}
"""What runs in this environment."""

PEERS = ("director-memory", "director-hybrid")
"""What runs in an environment of its own, by ``benchmarks/director_peer.py``."""

BY_VECTORS = ("memory", "ann", "chroma-own", "qdrant-memory", "lancedb-own", *BACKENDS)
"""Systems whose true neighbours are those of the vectors alone; these can filter too."""
