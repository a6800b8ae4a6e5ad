"""The ``reranked`` backend: what another backend finds, reordered by a reranker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from verifier.core.errors import ConfigError
from verifier.core.recent import RecentlyUsed, digest
from verifier_backends.base import VectorBackend
from verifier_backends.fusion import min_max
from verifier_backends.index.records import checked_n_results
from verifier_backends.rerankers.late import LateReranker
from verifier_backends.rerankers.protocol import Reranker, stretched
from verifier_backends.types import Capabilities, Hit, Item, Metadata, Where

__all__ = ["RerankedBackend"]

_DECIMALS = 9
"""Scores are rounded to this: equal texts must tie."""


class RerankedBackend(VectorBackend):
    """Ranks the best candidates of ``inner`` anew. Capabilities, identity and what is stored are those of ``inner``.

    ``score = weight * r + (1 - weight) * f`` for the first ``top_n`` candidates, in [0, 1], with ``r`` the reranker's
    score and ``f`` the first stage's, each min-max normalised over these candidates. Where more results are asked for
    than candidates are read, the others follow in the order of ``inner``, with scores below 0.

    Args:
        inner: finds the candidates.
        reranker: reads them; ``LateReranker()`` by default.
        top_n: how many candidates are read for a query, at least 1.
        weight: what the reranker counts beside the first stage, in [0, 1]; the default is what ``python -m training
            rerank`` finds for the default reranker over ``hybrid``.
        cache_size: scores of pairs of a query and a text that are remembered, about 200 bytes each; 0 for none.

    Raises:
        ConfigError: a parameter is out of its range.
    """

    def __init__(
        self,
        inner: VectorBackend,
        reranker: Reranker | None = None,
        *,
        top_n: int = 30,
        weight: float = 0.7,
        cache_size: int = 16384,
    ) -> None:
        if top_n < 1 or cache_size < 0:
            raise ConfigError(
                f"top_n must be at least 1 and cache_size at least 0; got {top_n} and {cache_size}"
            )
        if not 0.0 <= weight <= 1.0:
            raise ConfigError(f"weight must be in [0, 1], got {weight}")
        self.inner, self.reranker = inner, reranker or LateReranker()
        self._top_n, self._weight = top_n, weight
        self._cache: RecentlyUsed[float] = RecentlyUsed(cache_size)

    @property
    def capabilities(self) -> Capabilities:
        """What ``inner`` can do."""
        return self.inner.capabilities

    @property
    def identity(self) -> dict[str, Any]:
        """That of ``inner``: reading again changes nothing that is stored, so an index serves with and without."""
        return self.inner.identity

    @property
    def resident(self) -> bool:
        """As with ``inner``."""
        return self.inner.resident

    def query(self, text: str, n_results: int = 3) -> list[Hit]:
        """The candidates that answer best."""
        return self.query_many([text], n_results)[0]

    def query_many(
        self, texts: Sequence[str], n_results: int = 3, where: Where | None = None
    ) -> list[list[Hit]]:
        """One batch to ``inner``, and one to the reranker for all that it has not read lately."""
        if not checked_n_results(n_results):
            return [[] for _ in texts]
        found = self.inner.query_many(texts, max(n_results, self._top_n), where)
        scores = self._scores([(text, hits[: self._top_n]) for text, hits in zip(texts, found, strict=True)])
        return [self._ranked(hits, own)[:n_results] for hits, own in zip(found, scores, strict=True)]

    def _scores(self, candidates: Sequence[tuple[str, list[Hit]]]) -> list[list[float]]:
        """The reranker's score of every candidate of every query; each different pair is read once."""
        known: dict[tuple[str, str], float] = {}
        unread: dict[str, dict[str, None]] = {}
        for query, hits in candidates:
            for text in (hit["text"] for hit in hits):
                kept = self._cache.get(digest(query, text))
                if kept is None:
                    unread.setdefault(query, {})[text] = None
                else:
                    known[query, text] = kept
        asked = [(query, list(texts)) for query, texts in unread.items()]
        if asked:
            for (query, texts), own in zip(asked, self.reranker.score_many(asked), strict=True):
                fresh = dict(zip(texts, own.tolist(), strict=True))
                known.update({(query, text): score for text, score in fresh.items()})
                self._cache.update((digest(query, text), score) for text, score in fresh.items())
        return [[known[query, hit["text"]] for hit in hits] for query, hits in candidates]

    def _ranked(self, hits: list[Hit], scores: list[float]) -> list[Hit]:
        read = hits[: len(scores)]
        first = min_max({hit["id"]: hit["score"] for hit in read})
        ranked = [
            _scored(hit, round(self._weight * own + (1.0 - self._weight) * first[hit["id"]], _DECIMALS))
            for hit, own in zip(read, stretched(scores), strict=True)
        ]
        ranked.sort(key=lambda hit: (-hit["score"], hit["id"]))
        unread = enumerate(hits[len(scores) :], start=2)
        return [*ranked, *(_scored(hit, 1.0 / place - 1.0) for place, hit in unread)]

    def add(self, doc_id: str, text: str, metadata: Metadata | None = None) -> None:
        """Store one text in ``inner``."""
        self.inner.add(doc_id, text, metadata)

    def add_many(self, items: Iterable[Item]) -> None:
        """Store many texts in ``inner``."""
        self.inner.add_many(items)

    def stage(self, items: Iterable[Item]) -> Callable[[], None]:
        """Stage in ``inner``."""
        return self.inner.stage(items)

    def count(self) -> int:
        """Number of stored texts."""
        return self.inner.count()

    def get(self, doc_ids: Sequence[str]) -> list[Hit | None]:
        """The stored texts under these ids, ``None`` where there is none."""
        return self.inner.get(doc_ids)

    def delete(self, doc_ids: Iterable[str]) -> int:
        """Remove these ids; returns how many were there."""
        return self.inner.delete(doc_ids)

    def save(self, directory: Path) -> None:
        """Write ``inner``'s index into an empty or new directory."""
        self.inner.save(directory)

    def load(self, directory: Path) -> None:
        """Replace ``inner``'s content by what ``save`` of it wrote."""
        self.inner.load(directory)

    def attach(self, directory: Path) -> None:
        """Attach ``inner``."""
        self.inner.attach(directory)

    @property
    def goes_on_from_files(self) -> bool:
        """Whether the inner one does."""
        return self.inner.goes_on_from_files

    def saved_in(self, directory: Path) -> None:
        """Tell ``inner``."""
        self.inner.saved_in(directory)

    def discard(self, directory: Path, keeping: Sequence[Path] = ()) -> None:
        """Free what ``inner`` holds elsewhere."""
        self.inner.discard(directory, keeping)


def _scored(hit: Hit, score: float) -> Hit:
    return Hit(id=hit["id"], text=hit["text"], score=float(score), metadata=hit["metadata"])
