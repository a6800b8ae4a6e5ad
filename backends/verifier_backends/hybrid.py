"""The ``hybrid`` backend: fuses a vector search, a keyword search and any others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from itertools import islice
from operator import and_
from pathlib import Path
from typing import Any, Literal

from verifier.core.errors import ConfigError
from verifier_backends.base import VectorBackend
from verifier_backends.fusion import convex_combination, reciprocal_rank_fusion
from verifier_backends.index.locks import ReadWriteLock
from verifier_backends.index.parts import keep_once
from verifier_backends.index.records import checked_item, checked_n_results
from verifier_backends.index.storage import examined, read_manifest, writing
from verifier_backends.types import Capabilities, Hit, Item, Metadata, Where

__all__ = ["HybridBackend"]

_MIN_CANDIDATES = 30
"""Candidates taken from each part at least: with fewer, fusing says little about small ``n_results``."""

_BATCH = 512
"""Texts that ``add_many`` stores at a time; readers wait only while one such batch is stored."""


class HybridBackend(VectorBackend):
    """Fuses the rankings of backends that hold the same texts. Capabilities are those that all have.

    Args:
        dense: backend for meaning.
        sparse: backend for words.
        inner: further backends, or all of them, by names of your choice.
        rrf_k: constant of reciprocal rank fusion.
        dense_weight: weight of the dense ranking, at least 0.
        sparse_weight: weight of the sparse ranking, at least 0.
        weights: weights of the rankings of ``inner`` by name, at least 0; 1 where none is given.
        fetch_multiplier: each part is asked for this many times ``n_results``, and for 30 at least.
        method: ``rrf`` (by ranks; scores up to the sum of the weights over ``rrf_k + 1``) or ``convex`` (by
            min-max normalised scores; scores in [0, 1]).

    Raises:
        ConfigError: there are fewer than two parts, or a parameter is out of its range.
    """

    def __init__(
        self,
        dense: VectorBackend | None = None,
        sparse: VectorBackend | None = None,
        *,
        inner: Mapping[str, VectorBackend] | None = None,
        rrf_k: float = 60,
        dense_weight: float = 1.0,
        sparse_weight: float = 1.0,
        weights: Mapping[str, float] | None = None,
        fetch_multiplier: int = 3,
        method: Literal["rrf", "convex"] = "rrf",
    ) -> None:
        if method not in ("rrf", "convex"):
            raise ConfigError(f"unknown fusion method {method!r}; known: convex, rrf")
        if rrf_k < 0 or fetch_multiplier < 1:
            raise ConfigError("rrf_k must be at least 0 and fetch_multiplier at least 1")
        self.dense, self.sparse = dense, sparse
        self._inner = dict(inner or {})
        self._parts = {**_given(dense=dense, sparse=sparse), **self._inner}
        _check_names(self._inner, weights or {}, len(self._parts))
        asked = {"dense": dense_weight, "sparse": sparse_weight, **(weights or {})}
        self._weights = [asked.get(name, 1.0) for name in self._parts]
        if min(self._weights) < 0 or not sum(self._weights):
            raise ConfigError("the weights of a hybrid backend must be at least 0, and not all 0")
        self._rrf_k, self._fetch_multiplier, self._method = rrf_k, fetch_multiplier, method
        self._lock = ReadWriteLock()

    @property
    def parts(self) -> Mapping[str, VectorBackend]:
        """The inner backends by name: ``dense`` and ``sparse`` where given, then the others."""
        return dict(self._parts)

    @property
    def capabilities(self) -> Capabilities:
        """What all parts can do."""
        return reduce(and_, (part.capabilities for part in self._parts.values()))

    @property
    def resident(self) -> bool:
        """Whether the texts of any part lie elsewhere."""
        return any(part.resident for part in self._parts.values())

    @property
    def divided(self) -> bool:
        """Whether those of all parts do."""
        return all(part.divided for part in self._parts.values())

    @property
    def identity(self) -> dict[str, Any]:
        """The parts' identities; how they are fused does not change what is stored."""
        own = {name: part.identity for name, part in self._parts.items() if name not in self._inner}
        inner = {name: part.identity for name, part in self._inner.items()}
        return {**super().identity, **own, **({"inner": inner} if inner else {})}

    def add(self, doc_id: str, text: str, metadata: Metadata | None = None) -> None:
        """Store one text in every part."""
        self.add_many([Item(doc_id, text, metadata)])

    def add_many(self, items: Iterable[Item]) -> None:
        """Store many texts in every part, a batch at a time.

        If a part fails in between, the batch may be in some parts only; adding it again mends that.
        """
        checked = map(checked_item, items)
        while batch := list(islice(checked, _BATCH)):
            self.stage(batch)()

    def stage(self, items: Iterable[Item]) -> Callable[[], None]:
        """Stage all parts now; readers see none or all when the result is called."""
        checked = [checked_item(item) for item in items]
        commits = [part.stage(checked) for part in self._parts.values()]

        def commit() -> None:
            with self._lock.writing():
                for store in commits:
                    store()

        return commit

    def query(self, text: str, n_results: int = 3) -> list[Hit]:
        """The texts that stand highest in all rankings together."""
        return self.query_many([text], n_results)[0]

    def query_many(
        self, texts: Sequence[str], n_results: int = 3, where: Where | None = None
    ) -> list[list[Hit]]:
        """One batch to each part, then the fusion of their rankings of each text."""
        if not checked_n_results(n_results):
            return [[] for _ in texts]
        depth = max(n_results * self._fetch_multiplier, _MIN_CANDIDATES)
        with self._lock.reading():
            found = [part.query_many(texts, depth, where) for part in self._parts.values()]
        return [self._fuse(rankings, n_results) for rankings in zip(*found, strict=True)]

    def _fuse(self, rankings: Sequence[list[Hit]], n_results: int) -> list[Hit]:
        if self._method == "rrf":
            ids = [[hit["id"] for hit in ranking] for ranking in rankings]
            fused = reciprocal_rank_fusion(ids, self._weights, rrf_k=self._rrf_k)
        else:
            scores = [{hit["id"]: hit["score"] for hit in ranking} for ranking in rankings]
            fused = convex_combination(scores, self._weights)
        hits = {hit["id"]: hit for ranking in rankings for hit in ranking}
        return [
            Hit(id=doc_id, text=hits[doc_id]["text"], score=score, metadata=hits[doc_id]["metadata"])
            for doc_id, score in fused[:n_results]
        ]

    def count(self) -> int:
        """Number of stored texts."""
        with self._lock.reading():
            return next(iter(self._parts.values())).count()

    def get(self, doc_ids: Sequence[str]) -> list[Hit | None]:
        """The stored texts under these ids, ``None`` where there is none."""
        self._require("get")
        with self._lock.reading():
            return next(iter(self._parts.values())).get(doc_ids)

    def delete(self, doc_ids: Iterable[str]) -> int:
        """Remove these ids from every part; returns how many were there."""
        self._require("delete")
        ids = list(doc_ids)
        with self._lock.writing():
            return max(part.delete(ids) for part in self._parts.values())

    def save(self, directory: Path) -> None:
        """Write each part into the folder of its name in an empty or new directory."""
        self._require("persist")
        with writing(directory, self.identity), self._lock.reading():
            for name, part in self._parts.items():
                part.save(directory / name)
            keep_once([directory / name for name in self._parts])

    def load(self, directory: Path) -> None:
        """Replace the content of all parts by what ``save`` wrote."""
        self._require("persist")
        read_manifest(directory, self.identity)
        with self._lock.writing(), examined(directory):
            for name, part in self._parts.items():
                part.load(directory / name)

    def attach(self, directory: Path) -> None:
        """``load`` without reading what only a search reads."""
        self._require("persist")
        read_manifest(directory, self.identity, searching=False)
        with self._lock.writing(), examined(directory):
            for name, part in self._parts.items():
                part.attach(directory / name)

    @property
    def goes_on_from_files(self) -> bool:
        """Whether all parts do."""
        return all(part.goes_on_from_files for part in self.parts.values())

    def saved_in(self, directory: Path) -> None:
        """Tell each part of its folder."""
        with self._lock.writing():
            for name, part in self._parts.items():
                part.saved_in(directory / name)

    def discard(self, directory: Path, keeping: Sequence[Path] = ()) -> None:
        """Free what each part holds elsewhere."""
        for name, part in self._parts.items():
            part.discard(directory / name, [kept / name for kept in keeping])

    def _require(self, capability: str) -> None:
        if capability in self.capabilities.missing():
            raise self._refusal(capability)


def _given(**parts: VectorBackend | None) -> dict[str, VectorBackend]:
    return {name: part for name, part in parts.items() if part is not None}


def _check_names(inner: Mapping[str, VectorBackend], weights: Mapping[str, float], count: int) -> None:
    for name in inner:
        # A part's name is that of its folder in a saved index, and must not be one of the two fixed names.
        if name in ("dense", "sparse") or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name):
            raise ConfigError(
                f"{name!r} cannot name an inner backend: letters, digits, - and _, not 'dense' or 'sparse'"
            )
    for name in weights:
        if name not in inner:
            raise ConfigError(
                f"weights has {name!r}, which is no backend of inner; known: {', '.join(inner) or 'none'} "
                "(for dense and sparse: dense_weight, sparse_weight)"
            )
    if count < 2:
        raise ConfigError(
            f"a hybrid backend fuses at least two backends (dense, sparse, inner); it has {count}"
        )
