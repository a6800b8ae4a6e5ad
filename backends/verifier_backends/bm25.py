"""The ``bm25`` backend: keyword search by BM25, with exact statistics while texts come and go."""

from __future__ import annotations

import json
import math
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import BackendRejected, ConfigError
from verifier_backends.base import VectorBackend
from verifier_backends.filters import plain_filter
from verifier_backends.index.parts import Part, has_parts, open_parts, records_of, save_parts
from verifier_backends.index.postings import Segment, merged, with_segment
from verifier_backends.index.records import Records, checked_item, checked_n_results, grown
from verifier_backends.index.storage import read_manifest, writing
from verifier_backends.index.tokens import Analyzer
from verifier_backends.index.words import WordPostings, write_merged
from verifier_backends.types import Capabilities, Hit, Item, Metadata, Where

__all__ = ["BM25Backend"]

_DECIMALS = 9
"""Scores are rounded to this: the order in which terms are added up must not break a tie."""


@dataclass(frozen=True)
class _State:
    """One state of the index: postings of saved parts and of the tail, whose slots count from its first.

    ``lengths``, ``segments`` and ``vocabulary`` are of the tail; ``weights`` fills lazily and belongs to this state
    alone. What a term weighs depends on all documents, however they are divided.
    """

    k1: float
    b: float
    records: Records = field(default_factory=Records)
    parts: tuple[Part, ...] = ()
    postings: tuple[WordPostings, ...] = ()
    segments: tuple[Segment, ...] = ()
    lengths: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    vocabulary: dict[str, int] = field(default_factory=dict)
    _weights: dict[str, tuple[NDArray[np.int32], NDArray[np.float64]]] = field(default_factory=dict)

    @cached_property
    def norms(self) -> NDArray[np.float64]:
        """``k1 (1 - b + b |d| / avgdl)`` for every slot, over the live documents' mean length."""
        tail = self.lengths[: self.records.size - self.records.stored]
        lengths = np.concatenate([*(part.lengths for part in self.postings), tail])
        mean = lengths[self.records.alive].mean() or 1.0
        return self.k1 * (1 - self.b + self.b * lengths / mean)

    def weights(self, word: str) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """The live slots that hold ``word`` and what it adds to their score."""
        if word not in self._weights:
            found = list(self._found(word))
            slots = np.concatenate([np.zeros(0, dtype=np.int32), *(slots for slots, _ in found)])
            counts = np.concatenate([np.zeros(0, dtype=np.int32), *(counts for _, counts in found)])
            live = self.records.alive[slots]
            slots, counts = slots[live], counts[live]
            idf = math.log1p((self.records.live - len(slots) + 0.5) / (len(slots) + 0.5))
            self._weights[word] = slots, idf * counts / (counts + self.norms[slots])
        return self._weights[word]

    def _found(self, word: str) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int32]]]:
        """Slots, dead or alive, and counts of a word, from each part and segment that has it."""
        for first, part in zip(self.records.bounds, self.postings, strict=False):
            slots, counts = part.of_word(word)
            if len(slots):
                yield slots + np.int32(first), counts
        if (term := self.vocabulary.get(word)) is not None:
            for segment in self.segments:
                slots, counts = segment.postings(term)
                yield slots + np.int32(self.records.stored), counts

    def scores(self, terms: Counter[str]) -> NDArray[np.float64]:
        """The score of every slot for a query, 0 where no term is shared."""
        scores = np.zeros(self.records.size)
        for word in sorted(terms):
            slots, weights = self.weights(word)
            np.add.at(scores, slots, weights if terms[word] == 1 else weights * terms[word])
        return scores

    def with_documents(self, items: Sequence[Item], terms: Sequence[Sequence[str]]) -> _State:
        """The state with these items, whose terms are given, in the next slots."""
        known, first = self.vocabulary, self.records.size - self.records.stored
        documents = [[known.setdefault(term, len(known)) for term in found] for found in terms]
        lengths = grown(self.lengths, first, len(items))
        lengths[first : first + len(items)] = [len(document) for document in documents]
        records = self.records.append(items)
        segments = with_segment(
            self.segments, Segment.build(documents, first), records.alive[records.stored :]
        )
        return replace(self, records=records, segments=segments, lengths=lengths, _weights={})

    def trimmed(self) -> _State:
        """The same live documents without the dead slots of the tail, which becomes one segment."""
        alive = self.records.alive[self.records.stored :]
        segments = (merged(self.segments, alive, renumber=True),) if self.segments else ()
        lengths = self.lengths[: len(alive)][alive]
        return replace(self, records=self.records.trimmed(), segments=segments, lengths=lengths, _weights={})

    def tail(self) -> WordPostings:
        """The postings of the tail by word."""
        n_slots = self.records.size - self.records.stored
        segments = self.segments or (Segment.build([], 0),)
        whole = merged(segments, np.ones(n_slots, dtype=bool))
        return WordPostings.of(whole, list(self.vocabulary), self.lengths[:n_slots])

    def write(self, folder: Path, start: int, stop: int) -> None:
        """Write the postings of the live slots from ``start`` up to ``stop``."""
        bounds = [*self.records.bounds, self.records.size]
        parts, masks = [], []
        for number, (first, last) in enumerate(pairwise(bounds)):
            if start <= first < stop:
                parts.append(self.postings[number] if number < len(self.postings) else self.tail())
                masks.append(self.records.alive[first:last])
        write_merged(folder, parts, masks)


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
        if items:
            with self._write_lock:
                self._publish(self._state.with_documents(items, terms))

    def _publish(self, state: _State) -> None:
        self._state = state.trimmed() if state.records.untidy else state

    def query(self, text: str, n_results: int = 3) -> list[Hit]:
        """The texts with the highest BM25 score."""
        return self.query_many([text], n_results)[0]

    def query_many(
        self, texts: Sequence[str], n_results: int = 3, where: Where | None = None
    ) -> list[list[Hit]]:
        """One list of hits for each text, all from the same state of the index."""
        where = None if where is None else plain_filter(where)
        state = self._state
        n_results = checked_n_results(n_results)
        if not n_results or not state.records.live:
            return [[] for _ in texts]
        allowed = state.records.mask(where) if where else None
        queries = (Counter(self._analyzer.terms(text)) for text in texts)
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
        state = self._state
        with writing(directory, self.identity) as known:
            known.update(save_parts(directory, state.records, state.parts, state.write))

    def load(self, directory: Path) -> None:
        """Replace the content by an index that ``save`` wrote with the same analysis."""
        read_manifest(directory, self.identity)
        self._open(directory)

    def attach(self, directory: Path) -> None:
        """``load`` without reading what only a search reads."""
        read_manifest(directory, self.identity, searching=False)
        self._open(directory)

    @property
    def goes_on_from_files(self) -> bool:
        """It does."""
        return True

    def saved_in(self, directory: Path) -> None:
        """Go on from the files of the index instead of what is in memory."""
        self.attach(directory)

    def _open(self, directory: Path) -> None:
        if has_parts(directory):
            parts, alive = open_parts(directory)
            records = records_of(parts, alive)
            postings = [WordPostings.open(part.folder) for part in parts]
        else:
            parts, records = [], Records.load(directory / "records.jsonl")
            postings = [_before_parts(directory, records.size)]
        for items, own in zip(records.parts, postings, strict=True):
            if len(items) != len(own.lengths):
                raise BackendRejected(f"{directory} has {len(items)} items and {len(own.lengths)} lengths")
        with self._write_lock:
            before = self._state
            self._state = _State(before.k1, before.b, records, tuple(parts), tuple(postings))


def _before_parts(directory: Path, n_items: int) -> WordPostings:
    """The postings of an index that was saved before there were parts."""
    words = json.loads((directory / "vocabulary.json").read_text(encoding="ascii"))
    lengths = np.load(directory / "lengths.npy")
    segment = Segment.build([], 0)
    if n_items:
        segment = Segment(*(np.load(directory / f"{name}.npy") for name in Segment.__slots__))
    return WordPostings.of(segment, words, lengths)


def _best(state: _State, terms: Counter[str], n_results: int, allowed: NDArray[np.bool_] | None) -> list[Hit]:
    scores = state.scores(terms)
    if allowed is not None:
        scores[~allowed] = 0.0
    floor = 0.0
    if n_results < len(scores):
        kth = np.partition(scores, len(scores) - n_results)[len(scores) - n_results]
        floor = max(0.0, kth - 10.0**-_DECIMALS)
    slots = np.flatnonzero(scores > floor)
    return state.records.best(slots, np.round(scores[slots], _DECIMALS), n_results)
