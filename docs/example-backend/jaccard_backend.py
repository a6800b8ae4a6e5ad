"""A whole backend in three methods, which ranks by the share of words in common."""

from __future__ import annotations

import re

from verifier_backends.base import VectorBackend
from verifier_backends.types import Hit, Metadata


class JaccardBackend(VectorBackend):
    """Ranks by ``|q & d| / |q | d|`` over the words of query and text.

    Args:
        min_length: shorter words are left out; ``[backend] min_length = 3`` in the configuration sets it.
    """

    def __init__(self, *, min_length: int = 1) -> None:
        self._min_length = min_length
        self._texts: dict[str, tuple[str, dict[str, str | int | float | bool | None]]] = {}

    def add(self, doc_id: str, text: str, metadata: Metadata | None = None) -> None:
        """Store one text. A new dictionary each time: readers in other threads keep the one they have."""
        if not doc_id or not text.strip():
            raise ValueError("an id must not be empty, nor a text blank")
        self._texts = {**self._texts, doc_id: (text, dict(metadata or {}))}

    def query(self, text: str, n_results: int = 3) -> list[Hit]:
        """The texts that share most of their words with ``text``; those that share none are no hits."""
        if n_results < 0:
            raise ValueError(f"n_results must be at least 0, got {n_results}")
        asked = self._words(text)
        hits = []
        for doc_id, (stored, metadata) in self._texts.items():
            words = self._words(stored)
            if asked & words:
                score = len(asked & words) / len(asked | words)
                hits.append(Hit(id=doc_id, text=stored, score=score, metadata=dict(metadata)))
        return sorted(hits, key=lambda hit: (-hit["score"], hit["id"]))[:n_results]

    def count(self) -> int:
        """Number of stored texts."""
        return len(self._texts)

    def _words(self, text: str) -> set[str]:
        return {word for word in re.findall(r"\w+", text.lower()) if len(word) >= self._min_length}
