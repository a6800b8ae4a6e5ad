"""All that touches colbert-ai: a PLAID index on disk and its search, with the library's quirks mended."""

from __future__ import annotations

import contextlib
import ctypes
import io
import os
import random
import shutil
import sys
import tempfile
import threading
import weakref
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import BackendRejected, BackendUnavailable
from verifier.core.registry import require
from verifier_backends.late.tokens import TokenVectors

__all__ = ["BITS", "PlaidIndex", "infra", "one_at_a_time", "quietly"]

BITS = 2
"""Bits of a residual, for each dimension."""

_NAME = "index"

_LEAST = 128
"""Passages that an index is built of at least. Its k-means asks for more tokens than centroids, 16 times the root of
their number; with fewer, each passage is given several times over, and the copies are left out of every search."""

_CELLS, _THRESHOLD = 4, 0.4
"""What the Searcher takes where many results are asked for; fixed, lest the first query decide for all that follow."""

one_at_a_time = threading.RLock()
"""The library keeps its run, its configuration and its random state for the whole process, and prints as it goes."""


def infra() -> Any:
    """The library's configuration classes, or ``MissingExtra``."""
    return require("colbert.infra", extra="colbert", package="colbert-ai")


def _library() -> Any:
    """The library, its C++ parts ready; on a machine without graphics cards it has three sets of them.

    It would compile them one by one when it first needs each; side by side they are there in half the time.
    """
    library = require("colbert", extra="colbert", package="colbert-ai")
    if not require("torch", extra="colbert").cuda.device_count():
        holders = [
            require("colbert.search.index_storage", extra="colbert").IndexScorer,
            require("colbert.search.strided_tensor", extra="colbert").StridedTensor,
            require("colbert.modeling.colbert", extra="colbert").ColBERT,
        ]
        with ThreadPoolExecutor(len(holders)) as threads:
            list(threads.map(lambda holder: holder.try_load_torch_extensions(False), holders))
    return library


class PlaidIndex:
    """An index in a temporary folder, which goes when this does; held under ``one_at_a_time`` by whoever calls.

    Args:
        folder: holds the library's index; this object's own from now on.
        checkpoint: folder of the checkpoint that it was built with.
        candidates: passages that the Searcher scores in full (its ``ndocs`` / 4).
    """

    def __init__(self, folder: Path, checkpoint: str, candidates: int) -> None:
        self.folder = folder
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        with infra().Run().context(_run(folder)):
            config = infra().ColBERTConfig(
                ncells=_CELLS, centroid_score_threshold=_THRESHOLD, ndocs=4 * candidates
            )
            self.searcher = _library().Searcher(
                _NAME,
                index_root=str(folder),
                checkpoint=checkpoint,
                collection=[""],
                config=config,
                verbose=0,
            )

    @staticmethod
    def build(passages: list[str], checkpoint: str, candidates: int) -> PlaidIndex:
        """Encode and index ``passages``, at least one; their places in the list are their pids."""
        copies = -(-_LEAST // len(passages))
        with _scratch() as folder:
            with _undisturbed(), infra().Run().context(_run(folder)):
                config = infra().ColBERTConfig(
                    nbits=BITS, checkpoint=checkpoint, index_path=str(folder / _NAME)
                )
                indexer = _library().Indexer(checkpoint=checkpoint, config=config, verbose=0)
                indexer.index(_NAME, passages * copies, overwrite=True)
            return PlaidIndex(folder, checkpoint, candidates)

    @staticmethod
    def load(saved: Path, checkpoint: str, candidates: int) -> PlaidIndex:
        """Open a copy of what ``save`` wrote."""
        with _scratch() as folder:
            shutil.copytree(saved / _NAME, folder / _NAME)
            return PlaidIndex(folder, checkpoint, candidates)

    def save(self, directory: Path) -> None:
        """Copy the library's index into ``directory``."""
        shutil.copytree(self.folder / _NAME, directory / _NAME)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Number of tokens of each passage, copies included."""
        lengths: NDArray[np.int64] = self.searcher.ranker.doclens.numpy()
        return lengths

    def query(self, parts: Mapping[str, int], longest: int) -> Any:
        """The vectors of a query, a tensor [1, tokens, dimension]: of its pieces behind each other.

        Args:
            parts: the pieces, and how often each occurs: n times are n equal terms of the sum.
            longest: tokens that a piece is filled up to, special ones included.
        """
        torch = require("torch", extra="colbert")
        self.searcher.configure(query_maxlen=longest)
        query = torch.cat([self.searcher.encode([part]) * count for part, count in parts.items()], dim=1)
        # Candidates are looked for with the vectors up to this one.
        self.searcher.configure(query_maxlen=query.size(1))
        return query

    def candidates(self, wanted: NDArray[np.intp], query: Any) -> NDArray[np.intp]:
        """Which of the ``wanted`` passages the Searcher takes to the end."""
        torch = require("torch", extra="colbert")
        mask = torch.zeros(len(self.lengths), dtype=torch.bool)
        mask[torch.from_numpy(wanted)] = True
        pids, _, _ = self.searcher.dense_search(
            query, k=len(mask), filter_fn=lambda pids: pids[mask[pids.long()]]
        )
        return np.array(pids, dtype=np.intp)

    def vectors(self, pids: NDArray[np.intp]) -> TokenVectors:
        """The token vectors of these passages behind each other, as the library's codec unpacks them.

        They are scored by ``verifier_backends.maxsim``: on a CPU the library starts each maximum at 0, so that a
        query's token which all tokens of a passage are unlike would count as if one were neither like nor unlike it.
        """
        torch = require("torch", extra="colbert")
        ends, packed = np.cumsum(self.lengths), self.searcher.ranker.embeddings
        spans = [np.arange(ends[pid] - self.lengths[pid], ends[pid]) for pid in pids]
        rows = torch.from_numpy(np.concatenate([np.arange(0), *spans]))
        chosen = type(packed)(packed.codes[rows], packed.residuals[rows])
        unpacked: TokenVectors = self.searcher.ranker.codec.decompress(chosen).numpy()
        return unpacked


def _run(folder: Path) -> Any:
    return infra().RunConfig(nranks=1, root=str(folder), experiment="run", avoid_fork_if_possible=True)


@contextlib.contextmanager
def _scratch() -> Iterator[Path]:
    """A temporary folder, which goes at once when the block fails."""
    folder = Path(tempfile.mkdtemp(prefix="verifier-colbert-"))
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """Keep what the library prints off standard output, where reports go, and translate how it fails.

    Python's prints are dropped; what faiss prints from C goes to standard error.
    """
    printed = io.StringIO()
    sys.stdout.flush()
    before = os.dup(1)
    os.dup2(2, 1)
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            yield
    except MemoryError as error:
        raise BackendUnavailable("colbert-ai ran out of memory") from error
    except (RuntimeError, ValueError, TypeError, AssertionError, KeyError, IndexError, OSError) as error:
        raise BackendRejected(f"colbert-ai failed: {error}") from error
    finally:
        ctypes.CDLL(None).fflush(None)
        os.dup2(before, 1)
        os.close(before)


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Leave the process as it was: the library seeds all random states and hides graphics cards."""
    torch = require("torch", extra="colbert")
    drawn, numbers, cards = random.getstate(), np.random.get_state(), os.environ.get("CUDA_VISIBLE_DEVICES")
    with torch.random.fork_rng(devices=[]):
        try:
            yield
        finally:
            random.setstate(drawn)
            np.random.set_state(numbers)
            if cards is None:
                os.environ.pop("CUDA_VISIBLE_DEVICES", None)
            else:
                os.environ["CUDA_VISIBLE_DEVICES"] = cards
