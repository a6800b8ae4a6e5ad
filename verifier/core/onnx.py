"""Run an ONNX model over texts in batches; what it says of a text does not depend on the texts beside it.

Every pair or text is its own run of the graph. That was measured: dynamic int8 takes its scales from the whole input
tensor, so that padding and neighbours moved a pair's logits by 0.006 (where logits spread by 0.1 over the
pairs; an oracle test pins this), and on a CPU pairs side by side on single-threaded runs were as fast as padded
batches or faster from 64 tokens up, in float and int8. So a graph may leave out ``attention_mask``: there is no
padding to hide, and at 256 tokens int8 is then a third faster.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from verifier.core.deadline import checkpoint, each
from verifier.core.errors import ConfigError, VerifierError
from verifier.core.once import made_once
from verifier.core.plain import plain_reader
from verifier.core.shared import SharedByFile

__all__ = [
    "EncodedPair",
    "InferenceError",
    "OnnxClassifier",
    "OnnxGraph",
    "OnnxModel",
    "PairTokenizer",
    "available_cores",
    "session_of",
    "side_by_side",
]

_S = TypeVar("_S")
_T = TypeVar("_T")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NUMBERS = {
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(float)": np.float32,
    "tensor(float16)": np.float16,
}
_LEFT_OUT = ["SkipLayerNormFusion"]
"""Rewritings of a graph that cost time: the sum and its normalisation as one node take three times as long as two."""


class InferenceError(VerifierError):
    """A model that was loaded failed on an input; its text is one clear line."""


class EncodedPair(NamedTuple):
    """One pair as the model reads it; both arrays are int64 of shape (tokens,)."""

    input_ids: NDArray[np.int64]
    token_type_ids: NDArray[np.int64]


class PairTokenizer:
    """Turns texts into token ids and joins two texts into one input. Nothing is ever truncated.

    What looks like a special token in a text (``[SEP]``) is read as the plain characters it is.

    Args:
        tokenizer: a ``tokenizers.Tokenizer``; its truncation and padding are switched off.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._reader = plain_reader(tokenizer)

    @staticmethod
    def from_file(path: Path) -> PairTokenizer:
        """Read a ``tokenizer.json``; whoever asks for one that is in use has the same.

        Raises:
            ConfigError: it cannot be read as one.
        """
        try:
            return _TOKENIZERS(path)
        except Exception as error:  # tokenizers raises nothing more special than this
            raise ConfigError(f"cannot read tokenizer {path}: {error}") from error

    @cached_property
    def special_tokens(self) -> int:
        """How many tokens joining a pair adds."""
        return int(self._tokenizer.num_special_tokens_to_add(True))

    @cached_property
    def _unknown_id(self) -> int | None:
        model = self._tokenizer.model
        if (name := getattr(model, "unk_token", None)) is not None:
            known: int | None = self._tokenizer.token_to_id(name)
            return known
        # A Unigram model does not say which it is, but reads the last code point of all as it. Where that gives bytes,
        # which are several, nothing is unknown.
        tokens = model.tokenize("\U0010ffff") if type(model).__name__ == "Unigram" else []
        return int(tokens[0].id) if len(tokens) == 1 else None

    @cached_property
    def largest_id(self) -> int:
        """The highest id that a text can have in it."""
        return max(self._tokenizer.get_vocab(with_added_tokens=True).values(), default=-1)

    def encode(self, texts: Sequence[str]) -> list[Any]:
        """One ``tokenizers.Encoding`` for each text, without special tokens; offsets are code points."""
        # The library refuses lone surrogates; the replacement keeps all offsets.
        readable = [_SURROGATE.sub("\ufffd", text) for text in texts]
        return list(self._reader.encode_batch(readable, add_special_tokens=False))

    @cached_property
    def frame(self) -> tuple[list[int], list[int]]:
        """The ids that stand before and behind a text that is read by itself."""
        framed = self._tokenizer.encode("a")
        before = framed.special_tokens_mask.index(0)
        behind = framed.special_tokens_mask[::-1].index(0)
        return framed.ids[:before], framed.ids[len(framed.ids) - behind :]

    def join(self, premise: Any, hypothesis: Any) -> EncodedPair:
        """The model's input for two encodings, special tokens added."""
        joined = self._tokenizer.post_process(premise, hypothesis, True)
        return EncodedPair(np.array(joined.ids, dtype=np.int64), np.array(joined.type_ids, dtype=np.int64))

    def unknown_share(self, encoding: Any) -> float:
        """Share of an encoding's tokens that the vocabulary does not know, in [0, 1]; 0 for none at all."""
        ids = encoding.ids
        if self._unknown_id is None or not ids:
            return 0.0
        return float(ids.count(self._unknown_id) / len(ids))


def _read_tokenizer(path: Path) -> PairTokenizer:
    from tokenizers import Tokenizer

    return PairTokenizer(Tokenizer.from_file(str(path)))


_TOKENIZERS = SharedByFile(_read_tokenizer)


class OnnxGraph:
    """An ONNX graph, run on the CPU with one input at a time; opened on first use, safe to share by threads.

    Args:
        weights: the graph; each of its inputs is (batch, tokens, ...) and one of ``inputs``.
        inputs: names that its inputs may have.
        outputs: those that are read; only what leads to them is computed. By default all.
    """

    def __init__(self, weights: Path, inputs: Sequence[str], outputs: Sequence[str] = ()) -> None:
        self.weights, self.inputs, self.outputs = weights, inputs, outputs

    def run(self, values: Mapping[str, NDArray[Any]], tokens: int) -> list[NDArray[Any]]:
        """The outputs, each (1, ...), for inputs without the first axis; ``tokens`` is how long they are, for messages.

        Numbers go in as the graph wants them, and come out as it has them.

        Raises:
            ConfigError: the file is no such graph.
            InferenceError: the runtime failed on the input.
        """
        session, inputs = self._opened
        feed = {name: values[name][None].astype(kind, copy=False) for name, kind in inputs}
        try:
            return list(session.run(list(self.outputs) or None, feed))
        except _runtime_errors() as error:
            raise InferenceError(f"model {self.weights} failed on an input of {tokens} tokens") from error

    @made_once
    def _opened(self) -> tuple[Any, list[tuple[str, Any]]]:
        session = session_of(self.weights)
        names = [given.name for given in session.get_outputs()]
        for name in self.outputs:
            if name not in names:
                raise ConfigError(f"model {self.weights} has no output {name!r}; it has: {', '.join(names)}")
        return session, _inputs_of(session, self.weights, self.inputs)


class OnnxModel:
    """An ONNX graph over the token ids of a pair or a text; opened on first use, safe to share by threads.

    Args:
        weights: the graph; its inputs are ``input_ids`` and perhaps ``attention_mask`` and ``token_type_ids``,
            each (batch, tokens).
        threads: how many inputs run at once; by default the cores this process may use, at most 8.
        output: the output that is read; the first one by default.
    """

    inputs: ClassVar[Sequence[str]] = ("input_ids", "attention_mask", "token_type_ids")
    """Names that the graph's inputs may have."""

    def __init__(self, weights: Path, *, threads: int | None = None, output: str | None = None) -> None:
        self.weights = weights
        self.threads = threads
        self._graph = OnnxGraph(weights, self.inputs, () if output is None else (output,))

    def each(self, inputs: Sequence[EncodedPair], read: Callable[[NDArray[np.float32]], _T]) -> list[_T]:
        """``read`` of the graph's output for every input, in the order of ``inputs``.

        ``read`` is given an array (1, ...) and runs beside the next input, so that large outputs need not be kept.

        Raises:
            ConfigError: the file is no such graph.
            InferenceError: the runtime failed on an input.
        """
        return side_by_side(
            lambda given: read(self._run(given)),
            inputs,
            [len(given.input_ids) for given in inputs],
            self.threads,
        )

    def _run(self, given: EncodedPair) -> NDArray[np.float32]:
        values = {
            "input_ids": given.input_ids,
            "attention_mask": np.ones_like(given.input_ids),
            "token_type_ids": given.token_type_ids,
        }
        return np.asarray(self._graph.run(values, len(given.input_ids))[0], dtype=np.float32)


class OnnxClassifier(OnnxModel):
    """A sequence classifier: the first output of its graph holds the logits, (batch, classes)."""

    def logits(self, pairs: Sequence[EncodedPair]) -> NDArray[np.float32]:
        """The raw outputs, (pairs, classes), in the order of ``pairs``.

        Raises:
            ConfigError: the file is no such graph.
            InferenceError: the runtime failed on a pair, or answered what is not finite.
        """
        if not pairs:
            return np.zeros((0, 0), dtype=np.float32)
        logits = np.stack(self.each(pairs, self._row))
        if not np.isfinite(logits).all():
            raise InferenceError(f"model {self.weights} answered a value that is not finite")
        return logits

    def _row(self, output: NDArray[np.float32]) -> NDArray[np.float32]:
        if output.ndim != 2 or output.shape[0] != 1:
            raise ConfigError(
                f"model {self.weights} is no sequence classifier: its output has shape {output.shape}"
            )
        row: NDArray[np.float32] = output[0]
        return row


def side_by_side(
    work: Callable[[_S], _T], items: Sequence[_S], sizes: Sequence[int], threads: int | None
) -> list[_T]:
    """``work`` of every item, in the order of ``items``, as many at once as ``threads`` or the cores say.

    The largest by ``sizes`` go first, so that no worker is left alone with a large one at the end.
    """
    workers = min(threads or available_cores(), len(items))
    if workers <= 1:
        return [work(item) for item in each(items)]
    order = sorted(range(len(items)), key=lambda i: -sizes[i])
    context = copy_context()  # the caller's deadline among it

    def step(number: int) -> _T:
        checkpoint()
        return work(items[number])

    with ThreadPoolExecutor(workers) as pool:
        done = pool.map(lambda number: context.copy().run(step, number), order)
        found = dict(zip(order, done, strict=True))
    return [found[i] for i in range(len(items))]


def available_cores() -> int:
    """The cores that this process may use, at most 8: more workers cost memory and bring little.

    ``OMP_NUM_THREADS`` bounds them too, as it does the threads of the libraries below.
    """
    named = os.environ.get("OMP_NUM_THREADS", "")
    most = int(named) if named.isdecimal() and int(named) else 8
    if hasattr(os, "sched_getaffinity"):
        return min(8, most, len(os.sched_getaffinity(0)))
    return min(8, most, os.cpu_count() or 1)


def session_of(weights: Path) -> Any:
    """The session of a graph on the CPU; whoever asks for one that is in use has the same.

    Raises:
        ConfigError: the file is no ONNX graph.
    """
    try:
        return _SESSIONS(weights)
    except OSError as error:
        raise ConfigError(f"cannot open {weights} as an ONNX model: {error.strerror}") from error
    except _runtime_errors() as error:
        raise ConfigError(f"cannot open {weights} as an ONNX model") from error


def _open_session(weights: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    # Patterns are kept per input shape, and here nearly every input has its own.
    options.enable_mem_pattern = False
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(
        str(weights), options, providers=["CPUExecutionProvider"], disabled_optimizers=_LEFT_OUT
    )


_SESSIONS: SharedByFile[Any] = SharedByFile(_open_session)


def _inputs_of(session: Any, weights: Path, known: Sequence[str]) -> list[tuple[str, Any]]:
    inputs = []
    for given in session.get_inputs():
        if given.name not in known or given.type not in _NUMBERS:
            raise ConfigError(
                f"model {weights} wants an input {given.name!r} of {given.type}; known: {', '.join(known)}"
            )
        inputs.append((given.name, _NUMBERS[given.type]))
    return inputs


def _runtime_errors() -> tuple[type[Exception], ...]:
    """All that onnxruntime raises; its exceptions share no base class of their own."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    names = "Fail InvalidArgument InvalidGraph InvalidProtobuf NoSuchFile NotImplemented RuntimeException"
    return tuple(getattr(state, name) for name in names.split())
