"""Stanford's own ColBERT as an engine: its Indexer, its PLAID index, its Searcher (extra ``colbert``)."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import ConfigError
from verifier.core.registry import require
from verifier_backends.checkpoints import checkpoint_identity, load_checkpoint
from verifier_backends.index.records import Records, checked_item
from verifier_backends.late.engine import LateEngine
from verifier_backends.late.pieces import pieces, token_starts
from verifier_backends.late.stanford import BITS, PlaidIndex, infra, one_at_a_time, quietly
from verifier_backends.maxsim import maxsim_ragged
from verifier_backends.types import Hit, Item, Where

__all__ = ["PlaidEngine"]

_DECIMALS = 5

_FRAME = 3
"""Tokens beside a text's own: ``[CLS]``, the mark of a query or document, ``[SEP]``."""


@dataclass(frozen=True)
class _Built:
    """An index, and the slot of the text that each of its passages is a piece of."""

    index: PlaidIndex
    slots: NDArray[np.intp]


@dataclass(frozen=True)
class _State:
    """One state of the stored texts; its index is built when it is first searched."""

    records: Records = field(default_factory=Records)
    built: list[_Built] = field(default_factory=list)


class PlaidEngine(LateEngine):
    """Hands texts to ``colbert.Indexer`` and queries to ``colbert.Searcher``, with residuals of two bits.

    The library cannot take or drop a passage reliably once an index is built, so that a write makes the next query
    build the whole index anew, in a temporary folder; the query waits for that. Where the library would cut a text,
    it is given pieces: a text scores as its best piece, a query as all its pieces together.

    Args:
        model: a folder with a Stanford checkpoint, or its name on the Hugging Face hub.
        revision: branch, tag or commit of a hub model.
        candidates: passages that are scored in full in a large index (the library's ``ndocs`` / 4).
        exact_tokens: an index, or what a filter leaves of it, with at most so many tokens is scored in full.

    Raises:
        MissingExtra: colbert-ai is not installed (on first use).
        ConfigError: the folder holds no such checkpoint, or one that brings code of its own (on first use).
        BackendUnavailable: the hub has no such model or cannot be reached (on first use).
    """

    def __init__(self, model: str, *, revision: str | None, candidates: int, exact_tokens: int) -> None:
        self._name, self._revision = model, revision
        self._candidates, self._exact_tokens = candidates, exact_tokens
        self._state = _State()
        self._write_lock = threading.Lock()
        self._read: tuple[Any, int, int] | None = None

    @property
    def identity(self) -> dict[str, Any]:
        """The checkpoint, and the bits of a residual."""
        return {"encoder": f"colbert-ai:{checkpoint_identity(self._name, self._revision)}", "bits": BITS}

    def stage(self, items: Iterable[Item]) -> Callable[[], None]:
        """Check now, store when the result is called; texts are encoded before the next query."""
        checked = list({item.doc_id: item for item in map(checked_item, items)}.values())
        if checked:
            self._opened()  # lest texts be taken that no query could ever reach
        return lambda: self._store(checked)

    def _store(self, items: Sequence[Item]) -> None:
        if items:
            with self._write_lock:
                self._publish(self._state.records.append(items))

    def _publish(self, records: Records) -> None:
        self._state = _State(records.compacted() if records.wasteful else records)

    def delete(self, doc_ids: Iterable[str]) -> int:
        """Remove these ids; returns how many were there. The next index is built without them."""
        with self._write_lock:
            before = self._state.records
            after = before.remove(doc_ids)
            if after is not before:
                self._publish(after)
            return before.live - after.live

    def count(self) -> int:
        """Number of stored texts."""
        return self._state.records.live

    def get(self, doc_ids: Sequence[str]) -> list[Hit | None]:
        """The stored texts under these ids, ``None`` where there is none."""
        with self._write_lock:
            return self._state.records.get(doc_ids)

    def search(self, texts: Sequence[str], n_results: int, where: Where | None) -> list[list[Hit]]:
        """One search for each text, after the index has been built where a write made that necessary."""
        state = self._state
        allowed = state.records.mask(where)
        if not allowed.any():
            return [[] for _ in texts]
        with one_at_a_time, quietly():
            built = self._built(state)
            return [self._ranked(state.records, built, allowed, text, n_results) for text in texts]

    def _ranked(
        self, records: Records, built: _Built, allowed: NDArray[np.bool_], text: str, n_results: int
    ) -> list[Hit]:
        tokenizer, _, room = self._opened()
        index, wanted = built.index, np.flatnonzero(allowed[built.slots])
        query = index.query(Counter(pieces(text, token_starts(tokenizer, text), room)), room + _FRAME)
        lengths = index.lengths
        pids = wanted if lengths[wanted].sum() <= self._exact_tokens else index.candidates(wanted, query)
        best = np.full(records.size, -np.inf)
        np.maximum.at(
            best, built.slots[pids], maxsim_ragged(query[0].numpy(), index.vectors(pids), lengths[pids])
        )
        slots = np.flatnonzero(np.isfinite(best))
        return records.best(slots, np.round(best[slots], _DECIMALS) + 0.0, n_results)

    def _built(self, state: _State) -> _Built:
        """The index of this state, built if it is not yet."""
        if not state.built:
            passages, slots = self._passages(state.records)
            index = PlaidIndex.build(passages, self._folder(), self._candidates)
            state.built.append(_Built(index, slots))
        return state.built[0]

    def _passages(self, records: Records) -> tuple[list[str], NDArray[np.intp]]:
        """The pieces of all texts that are stored, and the slot of each.

        By id, since the library's centroids depend on the order: equal texts give equal indexes, however they came.
        """
        tokenizer, room, _ = self._opened()
        stored = zip(np.flatnonzero(records.alive), records.items(), strict=True)
        by_id = sorted(stored, key=lambda one: one[1].doc_id)
        cut = [
            list(dict.fromkeys(pieces(item.text, token_starts(tokenizer, item.text), room)))
            for _, item in by_id
        ]
        slots = np.repeat(np.array([slot for slot, _ in by_id], dtype=np.intp), [len(parts) for parts in cut])
        return [piece for parts in cut for piece in parts], slots

    def _folder(self) -> str:
        """Where the checkpoint lies; fetched from the hub if need be.

        Raises:
            ConfigError: it brings code of its own, which the library would run without asking.
        """

        def find(local: bool) -> str:
            if local:
                return self._name
            hub = require("huggingface_hub", extra="colbert")
            return str(hub.snapshot_download(self._name, revision=self._revision))

        folder = Path(load_checkpoint(self._name, find, extra="colbert"))
        try:
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ConfigError(f"{self._name!r} holds no ColBERT checkpoint: {error}") from error
        if "auto_map" in config:
            raise ConfigError(
                f"{self._name!r} brings code of its own, which colbert-ai would run without asking"
            )
        return str(folder)

    def _opened(self) -> tuple[Any, int, int]:
        """The checkpoint's tokenizer, and how many tokens of a passage and of a query fit beside the special ones."""
        with one_at_a_time, quietly():
            if self._read is None:
                settings = infra().ColBERTConfig
                folder = self._folder()
                given = settings.load_from_checkpoint(folder)
                if given is None:
                    raise ConfigError(
                        f"{self._name!r} holds no ColBERT checkpoint: artifact.metadata is missing"
                    )
                config = settings.from_existing(given)
                tokenizer = require("transformers", extra="colbert").AutoTokenizer.from_pretrained(folder)
                self._read = tokenizer, config.doc_maxlen - _FRAME, config.query_maxlen - _FRAME
            return self._read

    def save(self, directory: Path) -> None:
        """Write the items and a copy of the library's index."""
        with self._write_lock:
            state = self._state
        state.records.save(directory / "records.jsonl")
        if state.records.live:
            with one_at_a_time, quietly():
                self._built(state).index.save(directory)

    def load(self, directory: Path) -> None:
        """Replace the content by what ``save`` wrote; the library's index is copied to a temporary folder."""
        state = _State(Records.load(directory / "records.jsonl"))
        if state.records.live:
            with one_at_a_time, quietly():
                index = PlaidIndex.load(directory, self._folder(), self._candidates)
                state.built.append(_Built(index, self._passages(state.records)[1]))
        with self._write_lock:
            self._state = state
