"""A reranker by the second head of an embedded model: ONNX, no torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import BackendRejected, ConfigError
from verifier.core.models import ModelFolder, embedded_model, open_model_folder
from verifier.core.once import made_once
from verifier.core.onnx import EncodedPair, InferenceError, OnnxModel, PairTokenizer
from verifier.core.split import open_graphs
from verifier_backends.encoders.folder import digest_of, read_tokenizer, window_of
from verifier_backends.rerankers.protocol import Reranker
from verifier_backends.rerankers.windows import pieces

__all__ = ["EmbeddedReranker"]

OUTPUT = "relevance"
"""The graph's output that is read: one logit a pair."""

_LEAST_WINDOW = 32
_OVERLAP = 4
"""Neighbouring windows of a text share one part in so many of a window."""


class EmbeddedReranker(Reranker):
    """The probability that a text is evidence for or against the query, whatever it says of it.

    A text that does not fit beside the query is read in overlapping windows, and its best window counts. A query that
    takes more than half of the input is read in parts of that length, and the mean over the parts counts. Each window
    is its own run of the graph, so that no score depends on its neighbours (``verifier.core.onnx`` says why).

    Args:
        model: a folder with ``model.onnx``, or ``encoder.onnx`` and ``joint.onnx`` (with an output ``relevance``,
            (batch, 1)), ``tokenizer.json`` and ``config.json``; by default the embedded reranker, or the NLI model,
            of an installation whose own has that output.
        max_tokens: the longest input, query and special tokens included; by default what the model says.
        threads: cores to use; by default those this process may use, at most 8.

    Raises:
        ConfigError: there is no such model, or an option is out of its range (on first use).
        BackendRejected: the model failed on a text (on use).
    """

    def __init__(
        self, model: str | None = None, *, max_tokens: int | None = None, threads: int | None = None
    ) -> None:
        self._model, self._max_tokens, self._threads = model, max_tokens, threads

    @property
    def identity(self) -> str:
        """A hash of the weights and the tokenizer, and the window: what the scores depend on."""
        opened = self._opened
        return f"embedded:{opened.digest}:window={opened.window}:temperature={opened.temperature:g}"

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape [texts], each in [0, 1]."""
        return self.score_many([(query, texts)])[0]

    def score_many(self, asked: Sequence[tuple[str, Sequence[str]]]) -> list[NDArray[np.float64]]:
        """All queries in one go, on all cores, the longest inputs first."""
        if not any(texts for _, texts in asked):
            return [np.zeros(0) for _ in asked]
        opened = self._opened
        strings = dict.fromkeys(text for query, texts in asked for text in (query, *texts))
        ids = {
            text: encoding.ids
            for text, encoding in zip(strings, opened.tokenizer.encode(list(strings)), strict=True)
        }
        inputs: list[EncodedPair] = []
        windows: list[list[int]] = []
        for query, texts in asked:
            parts = opened.parts(ids[query])
            for text in texts:
                own = [opened.inputs(part, ids[text]) for part in parts]
                inputs.extend(window for part in own for window in part)
                windows.append([len(part) for part in own])
        found = iter(opened.relevance(inputs))
        scores = iter([np.mean([max(islice(found, count)) for count in own]) for own in windows])
        return [np.array(list(islice(scores, len(texts))), dtype=np.float64) for _, texts in asked]

    @made_once
    def _opened(self) -> _Opened:
        folder = self._folder()
        return _Opened(
            folder,
            read_tokenizer(folder),
            open_graphs(folder, threads=self._threads, output=OUTPUT),
            window_of(folder, self._max_tokens, self._threads, least=_LEAST_WINDOW, what="reranker"),
        )

    def _folder(self) -> ModelFolder:
        if self._model is not None:
            return open_model_folder(Path(self._model).expanduser())
        for package, name in (("verifier_backends", "reranker"), ("verifier_signals", "nli")):
            # The NLI model's second head, unless there is a model for this alone.
            folder = embedded_model(package, name)
            if folder is not None and OUTPUT in folder.config.get("outputs", ()):
                return folder
        raise ConfigError(
            "the models of this installation have no output relevance; name a folder with model= that has, or "
            "set another reranker (late, the default, needs no folder)"
        )


@dataclass
class _Opened:
    """A model folder with what reads it."""

    folder: ModelFolder
    tokenizer: PairTokenizer
    model: OnnxModel
    window: int

    @cached_property
    def digest(self) -> str:
        """Names the weights and the tokenizer; fails if the weights are not those that were exported."""
        return digest_of(self.folder)

    @cached_property
    def temperature(self) -> float:
        """What the logits are divided by: learnt beside the weight of the ``reranked`` backend."""
        value = self.folder.config.get("relevance_temperature", 1.0)
        if not isinstance(value, int | float) or not 0.0 < value < float("inf"):
            raise ConfigError(
                f"model {self.folder.path}: relevance_temperature = {value!r} in its config.json is no number above 0"
            )
        return float(value)

    def parts(self, query: Sequence[int]) -> list[Sequence[int]]:
        """The query's ids in as few pieces as leave half of the input to the text."""
        return [query[start:end] for start, end in pieces(len(query), self.window // 2, 0)]

    def inputs(self, query: Sequence[int], text: Sequence[int]) -> list[EncodedPair]:
        """The text as the premise of the query, in windows."""
        (before, _), (between, types), (behind, _) = self._frame
        room = self.window - len(before) - len(between) - len(behind) - len(query)
        found = []
        for start, end in pieces(len(text), room, room // _OVERLAP):
            ids = [*before, *text[start:end], *between, *query, *behind]
            kinds = [0] * (len(before) + end - start) + types + [1] * (len(query) + len(behind))
            found.append(EncodedPair(np.array(ids, dtype=np.int64), np.array(kinds, dtype=np.int64)))
        return found

    @cached_property
    def _frame(self) -> tuple[tuple[list[int], list[int]], ...]:
        """Ids and types that stand before the text, between text and query, and behind the query."""
        text, query = self.tokenizer.encode(["a", "b"])
        joined = self.tokenizer.join(text, query)
        ids, types = joined.input_ids.tolist(), joined.token_type_ids.tolist()
        start, end = ids.index(text.ids[0]), len(ids) - ids[::-1].index(query.ids[-1])
        bounds = ((0, start), (start + len(text.ids), end - len(query.ids)), (end, len(ids)))
        return tuple((ids[low:high], types[low:high]) for low, high in bounds)

    def relevance(self, inputs: Sequence[EncodedPair]) -> list[float]:
        """The probability of each input."""
        try:
            return self.model.each(inputs, self._probability)
        except InferenceError as error:
            raise BackendRejected(str(error)) from error

    def _probability(self, output: NDArray[np.float32]) -> float:
        if output.shape != (1, 1):
            raise ConfigError(
                f"model {self.folder.path} gives a {OUTPUT} of shape {output.shape}; expected (1, 1)"
            )
        if not np.isfinite(output).all():
            raise InferenceError(f"model {self.folder.path} answered a value that is not finite")
        return float(1.0 / (1.0 + np.exp(-float(output[0, 0]) / self.temperature)))
