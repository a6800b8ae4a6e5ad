"""The ``bm25`` backend: keyword search by BM25, with exact statistics while texts come and go."""

from __future__ import annotations

import json
import math
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import ConfigError
from verifier_backends.base import VectorBackend
from verifier_backends.filters import plain_filter
from verifier_backends.index.postings import Segment, merged, with_segment
from verifier_backends.index.records import Records, checked_item, checked_n_results, grown
from verifier_backends.index.storage import read_manifest, writing
from verifier_backends.index.tokens import Analyzer
from verifier_backends.types import Capabilities, Hit, Item, Metadata, Where

__all__ = ["BM25Backend"]

_DECIMALS = 9
"""Scores are rounded to this: the order in which terms are added up must not break a tie."""


@dataclass(frozen=True)
class _State:
    """One state of the index; ``weights`` fills lazily and belongs to this state alone."""

    k1: float
    b: float
    records: Records = field(default_factory=Records)
    segments: tuple[Segment, ...] = ()
    lengths: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    vocabulary: dict[str, int] = field(default_factory=dict)
    _weights: dict[int, tuple[NDArray[np.int32], NDArray[np.float64]]] = field(default_factory=dict)

    @cached_property
    def norms(self) -> NDArray[np.float64]:
        """``k1 (1 - b + b |d| / avgdl)`` for every slot, over the live documents' mean length."""
        lengths = self.lengths[: self.records.size]
        mean = lengths[self.records.alive].mean() or 1.0
        return self.k1 * (1 - self.b + self.b * lengths / mean)

    def weights(self, term: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """The live slots that hold ``term`` and what it adds to their score."""
        if term not in self._weights:
            found = [segment.postings(term) for segment in self.segments]
            slots = np.concatenate([slots for slots, _ in found])
            counts = np.concatenate([counts for _, counts in found])
            live = self.records.alive[slots]
            slots, counts = slots[live], counts[live]
            idf = math.log1p((self.records.live - len(slots) + 0.5) / (len(slots) + 0.5))
            self._weights[term] = slots, idf * counts / (counts + self.norms[slots])
        return self._weights[term]

    def scores(self, terms: Counter[int]) -> NDArray[np.float64]:
        """The score of every slot for a query, 0 where no term is shared."""
        scores = np.zeros(self.records.size)
        for term in sorted(terms):
            slots, weights = self.weights(term)
            np.add.at(scores, slots, weights if terms[term] == 1 else weights * terms[term])
        return scores

    def compacted(self) -> _State:
        """The same live documents without the dead slots, in one segment."""
        lengths, segments = self.of_the_living()
        return replace(
            self, records=self.records.compacted(), segments=segments, lengths=lengths, _weights={}
        )

    def of_the_living(self) -> tuple[NDArray[Any], tuple[Segment, ...]]:
        """Lengths and postings, in one segment, as if there had never been any dead slots."""
        alive = self.records.alive
        lengths = self.lengths[: self.records.size][alive]
        return lengths, (merged(self.segments, alive, renumber=True),) if self.segments else ()


class BM25Backend(VectorBackend):
    """Robertson and Zaragoza's BM25 in Lucene's variant (Kamphuis et al., ECIR 2020), over stemmed words.

    ``score(q, d) = sum over t in q of idf(t) tf(t, d) / (tf(t, d) + k1 (1 - b + b |d| / avgdl))`` with
    ``idf(t) = ln(1 + (N - df(t) + 0.5) / (df(t) + 0.5))``; a term that the query repeats counts as often.
    Beside ``rank_bm25``'s ``BM25Okapi``, scores lack its constant factor ``k1 + 1``, and the idf is never negative.
    ``N``, ``df`` and ``avgdl`` are always those of the documents stored now: the index keeps term counts, in
    segments that merge as they grow, and weighs a term when it is first asked for after a write. Only texts
    that share a term with the query are hits, with a score above 0.

    Args:
        k1: how slowly repetitions of a term saturate, at least 0.
        b: how far a document's length is normalised, 0 to 1.
        language: Snowball stemmer for documents and queries, ``None`` for none.
        stop_words: whether English words without content are left out of the index. Kept by default: over the
            retrieval sets of ``benchmarks.retrieval`` both ways are equal in the mean, and a word of one
            language without content may be a name in another.

    Raises:
        ConfigError: a parameter is out of its range (on construction), or there is no such stemmer (on use).
    """

    capabilities = Capabilities(delete=True, get=True, where=True, persist=True)

    def __init__(
        self, *, k1: float = 1.2, b: float = 0.75, language: str | None = "english", stop_words: bool = False
    ) -> None:
        if not (k1 >= 0 and 0 <= b <= 1):
            raise ConfigError(f"k1 must be at least 0 and b in [0, 1]; got k1={k1}, b={b}")
        self._analyzer = Analyzer(language, stop_words)
        self._state = _State(k1, b)
        self._write_lock = threading.Lock()

    @property
    def identity(self) -> dict[str, Any]:
        """The analysis, which decides the terms; ``k1`` and ``b`` only weigh what is found."""
        analyzer = self._analyzer
        return {**super().identity, "language": analyzer.language, "stop_words": analyzer.stop_words}

    def add(self, doc_id: str, text: str, metadata: Metadata | None = None) -> None:
        """Store one text."""
        self.add_many([Item(doc_id, text, metadata)])

    def add_many(self, items: Iterable[Item]) -> None:
        """Store many texts; all become visible at once."""
        self.stage(items)()

    def stage(self, items: Iterable[Item]) -> Callable[[], None]:
        """Find the terms now, index when the result is called."""
        checked = list({item.doc_id: item for item in map(checked_item, items)}.values())
        terms = [self._analyzer.terms(item.text) for item in checked]
        return lambda: self._index(checked, terms)

    def _index(self, items: list[Item], terms: list[list[str]]) -> None:
        if not items:
            return
        with self._write_lock:
            state, known = self._state, self._state.vocabulary
            first = state.records.size
            documents = [[known.setdefault(term, len(known)) for term in found] for found in terms]
            lengths = grown(state.lengths, first, len(items))
            lengths[first : first + len(items)] = [len(document) for document in documents]
            records = state.records.append(items)
            segments = with_segment(state.segments, Segment.build(documents, first), records.alive)
            self._publish(replace(state, records=records, segments=segments, lengths=lengths, _weights={}))

    def _publish(self, state: _State) -> None:
        self._state = state.compacted() if state.records.wasteful else state

    def query(self, text: str, n_results: int = 3) -> list[Hit]:
        """The texts with the highest BM25 score."""
        return self.query_many([text], n_results)[0]

    def query_many(
        self, texts: Sequence[str], n_results: int = 3, where: Where | None = None
    ) -> list[list[Hit]]:
        """One list of hits for each text, all from the same state of the index."""
        where = None if where is None else plain_filter(where)
        state = self._state
        known = state.vocabulary
        n_results = checked_n_results(n_results)
        if not n_results or not state.records.live:
            return [[] for _ in texts]
        allowed = state.records.mask(where) if where else None
        queries = (Counter(known[t] for t in self._analyzer.terms(text) if t in known) for text in texts)
        return [_best(state, terms, n_results, allowed) for terms in queries]

    def count(self) -> int:
        """Number of stored texts."""
        return self._state.records.live

    def get(self, doc_ids: Sequence[str]) -> list[Hit | None]:
        """The stored texts under these ids, ``None`` where there is none."""
        with self._write_lock:
            return self._state.records.get(doc_ids)

    def delete(self, doc_ids: Iterable[str]) -> int:
        """Remove these ids; returns how many were there."""
        with self._write_lock:
            state = self._state
            records = state.records.remove(doc_ids)
            self._publish(replace(state, records=records, _weights={}))
            return state.records.live - records.live

    def save(self, directory: Path) -> None:
        """Write the whole index into an empty or new directory."""
        with self._write_lock:
            state = self._state
            vocabulary = list(state.vocabulary)
        with writing(directory, self.identity):
            state.records.save(directory / "records.jsonl")
            (directory / "vocabulary.json").write_text(json.dumps(vocabulary), encoding="ascii")
            lengths, segments = state.of_the_living()
            np.save(directory / "lengths.npy", lengths)
            for segment in segments:
                for name in Segment.__slots__:
                    np.save(directory / f"{name}.npy", getattr(segment, name))

    def load(self, directory: Path) -> None:
        """Replace the content by an index that ``save`` wrote with the same analysis."""
        read_manifest(directory, self.identity)
        records = Records.load(directory / "records.jsonl")
        words = json.loads((directory / "vocabulary.json").read_text(encoding="ascii"))
        lengths = np.load(directory / "lengths.npy")
        segments: tuple[Segment, ...] = ()
        if records.size:
            segments = (Segment(*(np.load(directory / f"{name}.npy") for name in Segment.__slots__)),)
        with self._write_lock:
            vocabulary = {word: i for i, word in enumerate(words)}
            self._state = _State(self._state.k1, self._state.b, records, segments, lengths, vocabulary)


def _best(state: _State, terms: Counter[int], n_results: int, allowed: NDArray[np.bool_] | None) -> list[Hit]:
    scores = state.scores(terms)
    if allowed is not None:
        scores[~allowed] = 0.0
    floor = 0.0
    if n_results < len(scores):
        kth = np.partition(scores, len(scores) - n_results)[len(scores) - n_results]
        floor = max(0.0, kth - 10.0**-_DECIMALS)
    slots = np.flatnonzero(scores > floor)
    return state.records.best(slots, np.round(scores[slots], _DECIMALS), n_results)
