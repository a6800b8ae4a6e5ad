"""Texts in, rankings by Stanford's own ColBERT out: its Indexer, its PLAID index, its Searcher (extra ``colbert``)."""

from __future__ import annotations

import contextlib
import io
import json
import random
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backends.checkpoints import checkpoint_identity, load_checkpoint
from backends.index.records import Records, checked_item
from backends.late.engine import LateEngine
from backends.late.pieces import pieces, token_starts
from backends.types import Hit, Item, Where
from verifier.core.errors import BackendRejected, BackendUnavailable, ConfigError
from verifier.core.registry import require

__all__ = ["PlaidEngine"]

_NAME = "index"
_BITS = 2
_DECIMALS = 5
_SEED = 13

_LEAST = 128
"""Passages that an index is built of at least. Its k-means asks for more tokens than centroids, 16 times the root of
their number; with fewer, each passage is given several times over, and the copies are left out of every search."""

_FRAME = 3
"""Tokens beside a text's own: ``[CLS]``, the mark of a query or document, ``[SEP]``."""

_CELLS, _THRESHOLD = 4, 0.4
"""What the Searcher takes where many results are asked for; fixed, lest the first query decide for all that follow."""

_one_at_a_time = threading.RLock()
"""The library keeps its run, its configuration and its random state for the whole process, and prints as it goes."""


@dataclass(frozen=True)
class _State:
    """One state of the stored texts; its index is built when it is first searched."""

    records: Records = field(default_factory=Records)
    built: list[_Built] = field(default_factory=list)


@dataclass(frozen=True)
class _Built:
    """An index on disk, and what searches it; the folder goes when this does."""

    folder: tempfile.TemporaryDirectory[str]
    searcher: Any
    slots: NDArray[np.intp]
    """The slot of the text that each passage of the index is a piece of; copies are not counted."""


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
        return {"encoder": f"colbert-ai:{checkpoint_identity(self._name, self._revision)}", "bits": _BITS}

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
        with _one_at_a_time, _quietly():
            built = self._built(state)
            return [self._ranked(state.records, built, allowed, text, n_results) for text in texts]

    def _ranked(
        self, records: Records, built: _Built, allowed: NDArray[np.bool_], text: str, n_results: int
    ) -> list[Hit]:
        torch = require("torch", extra="colbert")
        searcher = built.searcher
        wanted = np.flatnonzero(allowed[built.slots])
        options: dict[str, Any] = {}
        if int(searcher.ranker.doclens[torch.from_numpy(wanted)].sum()) <= self._exact_tokens:
            options["pids"] = wanted.tolist()
        else:
            mask = torch.zeros(len(searcher.ranker.doclens), dtype=torch.bool)
            mask[torch.from_numpy(wanted)] = True
            options["filter_fn"] = lambda pids: pids[mask[pids.long()]]
        pids, _, scores = searcher.dense_search(self._query(searcher, text), k=len(built.slots), **options)
        best = np.full(records.size, -np.inf)
        np.maximum.at(best, built.slots[np.array(pids, dtype=np.intp)], np.array(scores, dtype=np.float64))
        slots = np.flatnonzero(np.isfinite(best))
        return records.best(slots, np.round(best[slots], _DECIMALS) + 0.0, n_results)

    def _query(self, searcher: Any, text: str) -> Any:
        """The vectors of a query, [1, tokens, dimension]; those of its pieces behind each other."""
        torch = require("torch", extra="colbert")
        tokenizer, _, room = self._opened()
        searcher.configure(query_maxlen=room + _FRAME)
        query = torch.cat([searcher.encode([part]) for part in self._pieces(tokenizer, text, room)], dim=1)
        # Candidates are looked for with the vectors up to this one.
        searcher.configure(query_maxlen=query.size(1))
        return query

    @staticmethod
    def _pieces(tokenizer: Any, text: str, room: int) -> list[str]:
        return pieces(text, token_starts(tokenizer, text), room)

    def _built(self, state: _State) -> _Built:
        """The index of this state, built if it is not yet."""
        if not state.built:
            folder = tempfile.TemporaryDirectory(prefix="verifier-colbert-")
            passages, slots = self._passages(state.records)
            copies = -(-_LEAST // len(passages))
            self._index(Path(folder.name), passages * copies)
            state.built.append(_Built(folder, self._searcher(Path(folder.name)), slots))
        return state.built[0]

    def _passages(self, records: Records) -> tuple[list[str], NDArray[np.intp]]:
        """The pieces of all texts that are stored, and the slot of each."""
        tokenizer, room, _ = self._opened()
        cut = [self._pieces(tokenizer, item.text, room) for item in records.items()]
        slots = np.repeat(np.flatnonzero(records.alive), [len(parts) for parts in cut])
        return [piece for parts in cut for piece in parts], slots

    def _index(self, folder: Path, texts: list[str]) -> None:
        colbert, infra = _library()
        with _seeded(), infra.Run().context(self._run(infra, folder)):
            config = infra.ColBERTConfig(
                nbits=_BITS, checkpoint=self._folder(), index_path=str(folder / _NAME)
            )
            colbert.Indexer(checkpoint=self._folder(), config=config, verbose=0).index(
                _NAME, texts, overwrite=True
            )

    def _searcher(self, folder: Path) -> Any:
        colbert, infra = _library()
        with infra.Run().context(self._run(infra, folder)):
            config = infra.ColBERTConfig(
                ncells=_CELLS, centroid_score_threshold=_THRESHOLD, ndocs=4 * self._candidates
            )
            return colbert.Searcher(
                _NAME,
                index_root=str(folder),
                checkpoint=self._folder(),
                collection=[],
                config=config,
                verbose=0,
            )

    @staticmethod
    def _run(infra: Any, folder: Path) -> Any:
        return infra.RunConfig(nranks=1, root=str(folder), experiment="run", avoid_fork_if_possible=True)

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

        _library()
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
        with _one_at_a_time:
            if self._read is None:
                _, infra = _library()
                folder = self._folder()
                given = infra.ColBERTConfig.load_from_checkpoint(folder)
                if given is None:
                    raise ConfigError(
                        f"{self._name!r} holds no ColBERT checkpoint: artifact.metadata is missing"
                    )
                config = infra.ColBERTConfig.from_existing(given)
                tokenizer = require("transformers", extra="colbert").AutoTokenizer.from_pretrained(folder)
                self._read = tokenizer, config.doc_maxlen - _FRAME, config.query_maxlen - _FRAME
            return self._read

    def save(self, directory: Path) -> None:
        """Write the items and a copy of the library's index."""
        with self._write_lock:
            state = self._state
        state.records.save(directory / "records.jsonl")
        if state.records.live:
            with _one_at_a_time, _quietly():
                shutil.copytree(Path(self._built(state).folder.name) / _NAME, directory / _NAME)

    def load(self, directory: Path) -> None:
        """Replace the content by what ``save`` wrote; the library's index is copied to a temporary folder."""
        state = _State(Records.load(directory / "records.jsonl"))
        if state.records.live:
            folder = tempfile.TemporaryDirectory(prefix="verifier-colbert-")
            shutil.copytree(directory / _NAME, Path(folder.name) / _NAME)
            with _one_at_a_time, _quietly():
                searcher = self._searcher(Path(folder.name))
            state.built.append(_Built(folder, searcher, self._passages(state.records)[1]))
        with self._write_lock:
            self._state = state


def _library() -> tuple[Any, Any]:
    return require("colbert", extra="colbert", package="colbert-ai"), require(
        "colbert.infra", extra="colbert", package="colbert-ai"
    )


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """Keep what the library prints off standard output, where reports go, and translate how it fails."""
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            yield
    except MemoryError as error:
        raise BackendUnavailable("colbert-ai ran out of memory") from error
    except (RuntimeError, ValueError, TypeError, AssertionError, KeyError, IndexError, OSError) as error:
        raise BackendRejected(f"colbert-ai failed: {error}") from error


@contextlib.contextmanager
def _seeded() -> Iterator[None]:
    """The same index for the same texts: the library draws its samples from global random states."""
    torch = require("torch", extra="colbert")
    before = random.getstate()
    with torch.random.fork_rng(devices=[]):
        random.seed(_SEED)
        torch.manual_seed(_SEED)
        try:
            yield
        finally:
            random.setstate(before)
