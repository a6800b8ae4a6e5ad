"""An index of token vectors ranked by MaxSim: exact while small, over chosen candidates beyond."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import BackendRejected
from verifier_backends.index.records import Records
from verifier_backends.late.codecs import CodecName, FloatCodec, Int8Codec, ResidualCodec, TokenCodec
from verifier_backends.late.store import TokenStore, pooled
from verifier_backends.late.tokens import TokenVectors
from verifier_backends.types import Hit, Item, Where

__all__ = ["LateIndex"]

_Slots = NDArray[np.intp]

_DECIMALS = 5
"""Scores are rounded to this: below it lies the noise of encoders and BLAS, which must not break a tie."""

_TOLERANCE = 1e-4
"""How far a float32 MaxSim over some forty query tokens may lie from the true one, with room to spare; for longer
queries it grows with them."""

_QUERY_BLOCK = 256
"""Query tokens settled at a time; bounds the memory where query and text are both long."""

_FIT_TOKENS = 1 << 15
"""Token vectors from which the centroids of ``residual2`` are learnt; until then int8 is kept."""


@dataclass(frozen=True)
class _State:
    records: Records
    store: TokenStore


class LateIndex:
    """MaxSim over stored token vectors, safe for any number of reading threads beside one writer.

    Where the texts that match a filter have at most ``exact_tokens`` tokens together, all of them are scored.
    Beyond that, the ``candidates`` texts are scored whose mean token vector is nearest to the query's, so that a
    text which a single of its tokens would bring up can be missed. In both cases the scores are exactly MaxSim over
    the stored vectors.

    Args:
        dimension: length of the token vectors.
        compression: how they are stored, one of ``codecs.CODECS``.
        candidates: texts that are scored in a large index, or ``n_results`` where that is more.
        exact_tokens: how many tokens make it large.
    """

    def __init__(self, dimension: int, *, compression: CodecName, candidates: int, exact_tokens: int) -> None:
        self._compression, self._candidates, self._exact_tokens = compression, candidates, exact_tokens
        self._first = FloatCodec(dimension) if compression == "float32" else Int8Codec(dimension)
        self._state = _State(Records(), TokenStore(self._first))
        self._write_lock = threading.Lock()

    def count(self) -> int:
        """Number of stored texts."""
        return self._state.records.live

    @property
    def codec(self) -> TokenCodec:
        """How the token vectors are packed now."""
        return self._state.store.codec

    def upsert(self, items: Sequence[Item], vectors: Sequence[TokenVectors]) -> None:
        """Store the token vectors of ``items``, all at once; the last of an id wins.

        Raises:
            BackendRejected: the vectors are not finite, not one array for each item, or of another dimension.
        """
        self._check(vectors, len(items))
        last = list({item.doc_id: row for row, item in enumerate(items)}.values())
        with self._write_lock:
            state = self._state
            records = state.records.append([items[row] for row in last])
            store = state.store.append([_distinct(vectors[row])[0] for row in last])
            if (
                self._compression == "residual2"
                and store.codec is self._first
                and store.tokens >= _FIT_TOKENS
            ):
                store = store.recoded(ResidualCodec.fit(store.sample(2 * _FIT_TOKENS)))
            self._publish(_State(records, store))

    def _check(self, vectors: Sequence[TokenVectors], n: int) -> None:
        dimension = self._first.dimension
        if len(vectors) != n:
            raise BackendRejected(f"the encoder gave the token vectors of {len(vectors)} texts for {n}")
        for found in vectors:
            if found.ndim != 2 or found.shape[1] != dimension:
                raise BackendRejected(
                    f"the encoder gave an array of shape {found.shape}; expected (tokens, {dimension})"
                )
            if not np.isfinite(found).all():
                raise BackendRejected("the encoder gave a vector that is not finite")

    def delete(self, doc_ids: Iterable[str]) -> int:
        """Remove these ids, all at once; returns how many were there."""
        with self._write_lock:
            before = self._state.records
            after = before.remove(doc_ids)
            self._publish(replace(self._state, records=after))
            return before.live - after.live

    def _publish(self, state: _State) -> None:
        if state.records.wasteful:
            state = _State(state.records.compacted(), state.store.kept(state.records.alive))
        self._state = state

    def get(self, doc_ids: Iterable[str]) -> list[Hit | None]:
        """The stored items under these ids, in this order."""
        with self._write_lock:
            return self._state.records.get(doc_ids)

    def search(
        self, queries: Sequence[TokenVectors], n_results: int, where: Where | None = None
    ) -> list[list[Hit]]:
        """The best ``n_results`` texts for each query's token vectors, score descending, ties by id.

        A query or a text without tokens finds nothing and is not found. Scores are rounded to 5 decimals.
        """
        self._check(queries, len(queries))
        state = self._state
        allowed = np.flatnonzero(state.records.mask(where))
        allowed = allowed[state.store.lengths(allowed) > 0]
        if not n_results or not len(allowed):
            return [[] for _ in queries]
        return [self._best(state, allowed, query, n_results) if len(query) else [] for query in queries]

    def _best(self, state: _State, allowed: _Slots, query: TokenVectors, n_results: int) -> list[Hit]:
        rows, counts = _distinct(query)
        query = rows * counts[:, None].astype(np.float32)  # as many equal terms of the sum
        slots = self._chosen(state.store, allowed, query, n_results)
        scores = state.store.scores(slots, query)
        k = min(n_results, len(slots))
        kth = np.partition(scores, len(scores) - k)[len(scores) - k]
        finalists = slots[scores >= kth - _TOLERANCE * max(1, len(query) / 40)]
        exact = np.array(
            [_settled(state.store.vectors(finalists[i : i + 1]), query) for i in range(len(finalists))]
        )
        return state.records.best(finalists, np.round(exact, _DECIMALS) + 0.0, k)

    def _chosen(self, store: TokenStore, allowed: _Slots, query: TokenVectors, n_results: int) -> _Slots:
        """All slots where they are few, else those whose mean token vector is nearest to the query's."""
        n = max(self._candidates, n_results)
        if n >= len(allowed) or int(store.lengths(allowed).sum()) <= self._exact_tokens:
            return allowed
        nearness = store.means @ pooled([query], store.codec.dimension)[0]
        if len(allowed) < store.size:
            nearness = nearness[allowed]
        return np.sort(allowed[np.argpartition(-nearness, n - 1)[:n]])

    def save(self, directory: Path) -> None:
        """Write the whole index: the items, their token vectors, and the codec where one was learnt."""
        with self._write_lock:
            state = self._state
        alive = state.records.alive
        store = state.store if alive.all() else state.store.kept(alive)
        state.records.save(directory / "records.jsonl")
        store.save(directory)
        codec = store.codec
        (directory / "codec.json").write_text(json.dumps({"codec": codec.name}) + "\n", encoding="utf-8")
        if isinstance(codec, ResidualCodec):
            np.savez(
                directory / "codec.npz", centroids=codec.centroids, cutoffs=codec.cutoffs, levels=codec.levels
            )

    def load(self, directory: Path) -> None:
        """Replace the content by what ``save`` wrote."""
        records = Records.load(directory / "records.jsonl")
        name = json.loads((directory / "codec.json").read_text(encoding="utf-8"))["codec"]
        codec: TokenCodec = self._first
        if name == self._compression == "residual2":
            with np.load(directory / "codec.npz") as parts:
                codec = ResidualCodec(parts["centroids"], parts["cutoffs"], parts["levels"])
        if name != codec.name:
            raise BackendRejected(f"{directory} holds token vectors as {name!r}, not as {codec.name!r}")
        store = TokenStore.load(directory, codec, records.size)
        with self._write_lock:
            self._state = _State(records, store)


def _distinct(vectors: TokenVectors) -> tuple[TokenVectors, NDArray[np.intp]]:
    """Each vector once, and how often it occurs: a text that repeats itself has the same greatest product."""
    if len(vectors) < 2:
        return vectors, np.ones(len(vectors), dtype=np.intp)
    rows, counts = np.unique(vectors, axis=0, return_counts=True)
    return rows, counts


def _settled(vectors: TokenVectors, query: TokenVectors) -> float:
    """MaxSim of one text, its winning products added up in an order that is the same for equal texts.

    BLAS may add up two equal rows in different orders, according to where they lie in the matrix.
    """
    total = 0.0
    for start in range(0, len(query), _QUERY_BLOCK):
        asked = query[start : start + _QUERY_BLOCK]
        winners = vectors[(vectors @ asked.T).argmax(axis=0)]
        total += float((winners.astype(np.float64) * asked).sum())
    return total
