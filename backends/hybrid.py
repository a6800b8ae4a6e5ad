"""Two backends in, one ranking out: what a vector search and a keyword search find, fused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from backends.base import VectorBackend
from backends.fusion import convex_combination, reciprocal_rank_fusion
from backends.index.locks import ReadWriteLock
from backends.index.records import checked_item, checked_n_results
from backends.index.storage import read_manifest, writing
from backends.types import Capabilities, Hit, Item, Metadata, Where
from verifier.core.errors import ConfigError

__all__ = ["HybridBackend"]

_MIN_CANDIDATES = 30
"""Candidates taken from each part at least: with fewer, fusing says little about small ``n_results``."""

_BATCH = 512
"""Texts that ``add_many`` stores at a time; readers wait only while one such batch is stored."""


class HybridBackend(VectorBackend):
    """Fuses the rankings of two backends that hold the same texts. Capabilities are those that both have.

    Args:
        dense: backend for meaning.
        sparse: backend for words.
        rrf_k: constant of reciprocal rank fusion.
        dense_weight: weight of the dense ranking, at least 0.
        sparse_weight: weight of the sparse ranking, at least 0.
        fetch_multiplier: each part is asked for this many times ``n_results``, and for 30 at least.
        method: ``rrf`` (by ranks; scores up to ``(dense_weight + sparse_weight) / (rrf_k + 1)``) or
            ``convex`` (by min-max normalised scores; scores in [0, 1]).

    Raises:
        ConfigError: a parameter is out of its range.
    """

    def __init__(
        self,
        dense: VectorBackend,
        sparse: VectorBackend,
        *,
        rrf_k: float = 60,
        dense_weight: float = 1.0,
        sparse_weight: float = 1.0,
        fetch_multiplier: int = 3,
        method: Literal["rrf", "convex"] = "rrf",
    ) -> None:
        if method not in ("rrf", "convex"):
            raise ConfigError(f"unknown fusion method {method!r}; known: convex, rrf")
        if min(dense_weight, sparse_weight) < 0 or dense_weight + sparse_weight == 0:
            raise ConfigError("dense_weight and sparse_weight must be at least 0, and not both 0")
        if rrf_k < 0 or fetch_multiplier < 1:
            raise ConfigError("rrf_k must be at least 0 and fetch_multiplier at least 1")
        self.dense, self.sparse = dense, sparse
        self._weights = (dense_weight, sparse_weight)
        self._rrf_k, self._fetch_multiplier, self._method = rrf_k, fetch_multiplier, method
        self._lock = ReadWriteLock()

    @property
    def capabilities(self) -> Capabilities:
        """What both parts can do."""
        return self.dense.capabilities & self.sparse.capabilities

    @property
    def identity(self) -> dict[str, Any]:
        """Both parts' identities; how they are fused does not change what is stored."""
        return {**super().identity, "dense": self.dense.identity, "sparse": self.sparse.identity}

    def add(self, doc_id: str, text: str, metadata: Metadata | None = None) -> None:
        """Store one text in both parts."""
        self.add_many([Item(doc_id, text, metadata)])

    def add_many(self, items: Iterable[Item]) -> None:
        """Store many texts in both parts, a batch at a time.

        If a part fails in between, the batch may be in one part only; adding it again mends that.
        """
        checked = map(checked_item, items)
        while batch := list(islice(checked, _BATCH)):
            self.stage(batch)()

    def stage(self, items: Iterable[Item]) -> Callable[[], None]:
        """Stage both parts now; readers see neither or both when the result is called."""
        checked = [checked_item(item) for item in items]
        commits = [part.stage(checked) for part in (self.dense, self.sparse)]

        def commit() -> None:
            with self._lock.writing():
                for store in commits:
                    store()

        return commit

    def query(self, text: str, n_results: int = 3) -> list[Hit]:
        """The texts that stand highest in both rankings together."""
        return self.query_many([text], n_results)[0]

    def query_many(
        self, texts: Sequence[str], n_results: int = 3, where: Where | None = None
    ) -> list[list[Hit]]:
        """One batch to each part, then the fusion of each pair of rankings."""
        if not checked_n_results(n_results):
            return [[] for _ in texts]
        depth = max(n_results * self._fetch_multiplier, _MIN_CANDIDATES)
        with self._lock.reading():
            found = [part.query_many(texts, depth, where) for part in (self.dense, self.sparse)]
        return [self._fuse(rankings)[:n_results] for rankings in zip(*found, strict=True)]

    def _fuse(self, rankings: Sequence[list[Hit]]) -> list[Hit]:
        if self._method == "rrf":
            ids = [[hit["id"] for hit in ranking] for ranking in rankings]
            fused = reciprocal_rank_fusion(ids, self._weights, rrf_k=self._rrf_k)
        else:
            scores = [{hit["id"]: hit["score"] for hit in ranking} for ranking in rankings]
            fused = convex_combination(scores, self._weights)
        hits = {hit["id"]: hit for ranking in rankings for hit in ranking}
        return [
            Hit(id=doc_id, text=hits[doc_id]["text"], score=score, metadata=hits[doc_id]["metadata"])
            for doc_id, score in fused
        ]

    def count(self) -> int:
        """Number of stored texts."""
        with self._lock.reading():
            return self.dense.count()

    def get(self, doc_ids: Sequence[str]) -> list[Hit | None]:
        """The stored texts under these ids, ``None`` where there is none."""
        self._require("get")
        with self._lock.reading():
            return self.sparse.get(doc_ids)

    def delete(self, doc_ids: Iterable[str]) -> int:
        """Remove these ids from both parts; returns how many were there."""
        self._require("delete")
        ids = list(doc_ids)
        with self._lock.writing():
            return max(self.dense.delete(ids), self.sparse.delete(ids))

    def save(self, directory: Path) -> None:
        """Write both parts into the folders ``dense`` and ``sparse`` of an empty or new directory."""
        self._require("persist")
        with writing(directory, self.identity), self._lock.reading():
            self.dense.save(directory / "dense")
            self.sparse.save(directory / "sparse")

    def load(self, directory: Path) -> None:
        """Replace the content of both parts by what ``save`` wrote."""
        self._require("persist")
        read_manifest(directory, self.identity)
        with self._lock.writing():
            self.dense.load(directory / "dense")
            self.sparse.load(directory / "sparse")

    def _require(self, capability: str) -> None:
        if capability in self.capabilities.missing():
            raise self._refusal(capability)
