"""Run a split cross-encoder: each text is encoded once, and a small second graph reads the pairs.

The first graph reads a text by itself, the second what the first made of two texts. What it made of a text is
remembered, so that passages are read once for many claims about them. Every text and every pair is a run of its own
(``verifier.core.onnx`` says why), and between the two graphs vectors are always rounded to half precision: a result
depends neither on the pairs beside it nor on what was remembered.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import ConfigError
from verifier.core.models import ModelFolder
from verifier.core.onnx import EncodedPair, InferenceError, OnnxClassifier, OnnxGraph, side_by_side
from verifier.core.recent import RecentlyUsed

__all__ = ["ENCODED", "JOINT_INPUTS", "MEMORY_BYTES", "SplitClassifier", "open_graphs"]

_T = TypeVar("_T")
ENCODED = ("vectors", "words")
"""Outputs of the first graph: a text's token vectors, and its plain word vectors, both (1, tokens, hidden).

A plain word vector is that of its token whatever stands beside it. In half precision they go from graph to graph as
they are; otherwise they are rounded to it here.
"""
JOINT_INPUTS = tuple(f"{side}_{part}" for side in ("premise", "claim") for part in ("ids", *ENCODED))
"""Inputs of the second graph: ids (pairs, tokens) and vectors (pairs, tokens, hidden) of both texts."""
MEMORY_BYTES = 96 * 2**20
"""Encoded texts that are remembered: about 1,080 passages of 120 tokens, 384 wide. What is asked again after as many
others is encoded again, all of it: with 64 MiB and word vectors beside each text, answers over 30 documents were."""
_CALL_TOKENS = 2**15
"""Tokens of different texts that a call holds at a time: 48 MiB, 384 wide."""


class _Text(NamedTuple):
    """What the first graph makes of a text but its word vectors; vectors are (tokens, hidden)."""

    ids: NDArray[np.int64]
    vectors: NDArray[np.float16]


class _Words:
    """The word vectors of the tokens that were met, each kept once: (highest id + 1, hidden)."""

    def __init__(self) -> None:
        self._rows = np.zeros((0, 0), np.float16)
        self._lock = Lock()

    def keep(self, ids: NDArray[np.int64], rows: NDArray[np.float16]) -> None:
        """Keep the vectors of some tokens."""
        with self._lock:
            missing = int(ids.max()) + 1 - len(self._rows)
            if missing > 0:
                width = rows.shape[1]
                self._rows = np.vstack(
                    [self._rows.reshape(-1, width), np.zeros((missing, width), np.float16)]
                )
            self._rows[ids] = rows

    def of(self, ids: NDArray[np.int64]) -> NDArray[np.float16]:
        """Those of tokens that are kept."""
        return self._rows[ids]


class _Pair(NamedTuple):
    """The ids of a pair's texts, (tokens,)."""

    premise: NDArray[np.int64]
    claim: NDArray[np.int64]


class SplitClassifier(OnnxClassifier):
    """A classifier in two graphs, ``encoder.onnx`` and ``joint.onnx``; opened on first use, safe to share by threads.

    Args:
        encoder: ``input_ids`` of a text (1, tokens) in, :data:`ENCODED` out.
        joint: :data:`JOINT_INPUTS` in, logits out.
        threads: how many texts or pairs run at once; by default the cores this process may use, at most 8.
        output: the output of ``joint`` that is read; the first one by default.
        memory: bytes of encoded texts that are remembered, the least recently used go first; 0 for none.
    """

    inputs: ClassVar[Sequence[str]] = JOINT_INPUTS

    def __init__(
        self,
        encoder: Path,
        joint: Path,
        *,
        threads: int | None = None,
        output: str | None = None,
        memory: int = MEMORY_BYTES,
    ) -> None:
        super().__init__(joint, threads=threads, output=output)
        self._encoder = OnnxGraph(encoder, ("input_ids",), ENCODED)
        self._words = _Words()
        self._memory: RecentlyUsed[_Text] = RecentlyUsed(memory, lambda text: sum(p.nbytes for p in text))

    @property
    def remembered(self) -> int:
        """Bytes of the encoded texts that are remembered now."""
        return self._memory.used

    def each(self, inputs: Sequence[EncodedPair], read: Callable[[NDArray[np.float32]], _T]) -> list[_T]:
        """``read`` of the second graph's output for every pair, in the order of ``inputs``; equal pairs are read once.

        Raises:
            ConfigError: a file is no such graph, or the tokenizer does not tell the texts of a pair apart.
            InferenceError: the runtime failed on an input, or a vector is beyond half precision.
        """
        keys = [given.input_ids.tobytes() + given.token_type_ids.tobytes() for given in inputs]
        different = dict(zip(keys, inputs, strict=True))
        pairs = [self._parted(given) for given in different.values()]
        answers: dict[int, _T] = {}
        for rows in _portions(pairs):
            texts = self._encoded({_key(ids): ids for row in rows for ids in pairs[row]})
            asked = [[texts[_key(ids)] for ids in pairs[row]] for row in rows]
            sizes = [sum(len(text.ids) for text in both) for both in asked]
            found = side_by_side(lambda both: read(self._joined(*both)), asked, sizes, self.threads)
            answers.update(zip(rows, found, strict=True))
        row_of = {key: row for row, key in enumerate(different)}
        return [answers[row_of[key]] for key in keys]

    def _parted(self, given: EncodedPair) -> _Pair:
        types = given.token_type_ids
        start = len(types) - int(types.sum())
        if not 0 < start < len(types) or not types[start:].all():
            raise ConfigError(
                f"the tokenizer beside {self.weights} does not write a pair as a text of type 0 and one of type 1"
            )
        return _Pair(given.input_ids[:start], given.input_ids[start:])

    def _encoded(self, texts: dict[bytes, NDArray[np.int64]]) -> dict[bytes, _Text]:
        """Key -> text, remembered or encoded now."""
        kept = {key: self._memory.get(key) for key in texts}
        found = {key: text for key, text in kept.items() if text is not None}
        fresh = [key for key in texts if key not in found]
        sizes = [len(texts[key]) for key in fresh]
        made = side_by_side(lambda key: self._encode(texts[key]), fresh, sizes, self.threads)
        found.update(zip(fresh, made, strict=True))
        self._memory.update(zip(fresh, made, strict=True))
        return found

    def _encode(self, ids: NDArray[np.int64]) -> _Text:
        with np.errstate(over="ignore"):
            vectors, words = (
                part[0].astype(np.float16, copy=False)
                for part in self._encoder.run({"input_ids": ids}, len(ids))
            )
        if not (np.isfinite(vectors).all() and np.isfinite(words).all()):
            raise InferenceError(f"model {self._encoder.weights} answered a value that is not finite")
        self._words.keep(ids, words)
        # A copy, since a view would keep the ids of the whole pair.
        return _Text(ids.copy(), vectors)

    def _joined(self, premise: _Text, claim: _Text) -> NDArray[np.float32]:
        read = [part for text in (premise, claim) for part in (*text, self._words.of(text.ids))]
        values: dict[str, NDArray[Any]] = dict(zip(JOINT_INPUTS, read, strict=True))
        return np.asarray(self._graph.run(values, len(premise.ids) + len(claim.ids))[0], dtype=np.float32)


def open_graphs(
    folder: ModelFolder, *, threads: int | None = None, output: str | None = None
) -> OnnxClassifier:
    """What runs the graphs of a folder, be it one or two; they are opened on first use."""
    if folder.encoder is None:
        return OnnxClassifier(folder.weights, threads=threads, output=output)
    return SplitClassifier(folder.encoder, folder.weights, threads=threads, output=output)


def _key(ids: NDArray[np.int64]) -> bytes:
    return hashlib.blake2b(ids.tobytes(), digest_size=16).digest()


def _portions(pairs: Sequence[_Pair]) -> Iterator[list[int]]:
    """Rows of pairs, those of one premise together, as many at a time as a call may hold the texts of."""
    first: dict[bytes, int] = {}
    order = [first.setdefault(pair.premise.tobytes(), row) for row, pair in enumerate(pairs)]
    rows: list[int] = []
    held: set[bytes] = set()
    tokens = 0
    for row in sorted(range(len(pairs)), key=order.__getitem__):
        own = {ids.tobytes(): len(ids) for ids in pairs[row]}
        if rows and tokens + sum(size for key, size in own.items() if key not in held) > _CALL_TOKENS:
            yield rows
            rows, held, tokens = [], set(), 0
        rows.append(row)
        tokens += sum(size for key, size in own.items() if key not in held)
        held |= own.keys()
    if rows:
        yield rows
