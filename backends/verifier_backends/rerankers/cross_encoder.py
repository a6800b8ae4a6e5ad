"""A reranker over any cross-encoder of sentence-transformers (extra ``st``)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import BackendRejected, ConfigError
from verifier.core.registry import require
from verifier_backends.checkpoints import Checkpoint
from verifier_backends.rerankers.protocol import Reranker
from verifier_backends.rerankers.windows import pieces

__all__ = ["CrossEncoderReranker"]

_USUAL_LIMIT = 512
"""Tokens of an input, where the model does not say."""
_MARGIN = 8
"""Tokens kept free: special ones, and those more into which a text may fall that is cut in another place."""
_OVERLAP = 4
"""Neighbouring windows of a text share one part in so many of a window."""


class CrossEncoderReranker(Reranker):
    """Scores with a cross-encoder of one output, loaded on first use; the logistic function of its logit.

    A text that does not fit beside the query is read in overlapping windows, and its best window counts. A query that
    takes more than half of the input is read in parts of that length, and the mean over the parts counts.

    Args:
        model: a folder on disk, or the name of a model on the Hugging Face hub. No code of a model is run.
        device: ``cpu``, ``cuda`` ...; the library's choice by default.
        batch_size: pairs that go through the model at a time.
        revision: branch, tag or commit of a hub model.

    Raises:
        MissingExtra: sentence-transformers is not installed (on first use).
        ConfigError: the model's folder does not exist, holds no such model, or it has several outputs (on first use).
        BackendUnavailable: the hub has no such model or cannot be reached (on first use).
        BackendRejected: the model failed on a text (on use).
    """

    needs_one_of = ("sentence_transformers",)

    def __init__(
        self, model: str, *, device: str | None = None, batch_size: int = 32, revision: str | None = None
    ) -> None:
        self._checkpoint = Checkpoint(
            "CrossEncoder", model, device=device, revision=revision, check=self._usable
        )
        self._batch_size = batch_size

    @property
    def identity(self) -> str:
        """The name of a hub model, or a hash of a local one: the same wherever its folder lies."""
        return f"cross-encoder:{self._checkpoint.identity}"

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape [texts], each in [0, 1]."""
        return self.score_many([(query, texts)])[0]

    def score_many(self, asked: Sequence[tuple[str, Sequence[str]]]) -> list[NDArray[np.float64]]:
        """All queries in one go, one call at a time: the tokenizer keeps the cut and the padding of its last user."""
        with self._checkpoint.lock:
            return self._scored(self._checkpoint.model(), asked)

    def _scored(self, model: Any, asked: Sequence[tuple[str, Sequence[str]]]) -> list[NDArray[np.float64]]:
        limit = int(model.max_length or _USUAL_LIMIT) - _MARGIN
        pairs: list[tuple[str, str]] = []
        windows: list[list[int]] = []
        for query, texts in asked:
            parts = _cut(model.tokenizer, query, limit // 2, overlap=0)
            for text in texts:
                own = [_cut(model.tokenizer, text, limit - tokens, overlap=_OVERLAP) for _, tokens in parts]
                pairs += [
                    (part, window) for (part, _), found in zip(parts, own, strict=True) for window, _ in found
                ]
                windows.append([len(found) for found in own])
        found = iter(self._probabilities(model, pairs))
        scores = iter([np.mean([max(islice(found, count)) for count in own]) for own in windows])
        return [np.array(list(islice(scores, len(texts))), dtype=np.float64) for _, texts in asked]

    def _probabilities(self, model: Any, pairs: list[tuple[str, str]]) -> list[float]:
        if not pairs:
            return []
        identity = require("torch", extra="st").nn.Identity()
        try:
            logits = model.predict(
                pairs, batch_size=self._batch_size, show_progress_bar=False, activation_fn=identity
            )
        except (RuntimeError, ValueError, IndexError, TypeError) as error:
            raise BackendRejected(
                f"the model {self._checkpoint.name!r} could not read the texts: {error}"
            ) from error
        values = np.asarray(logits, dtype=np.float64)
        if not np.isfinite(values).all():
            raise BackendRejected(f"the model {self._checkpoint.name!r} answered a value that is not finite")
        return list((1.0 / (1.0 + np.exp(-values))).tolist())

    def _usable(self, model: Any) -> None:
        if model.num_labels != 1:
            raise ConfigError(
                f"the model {self._checkpoint.name!r} has {model.num_labels} outputs; a reranker has one"
            )
        if not getattr(model.tokenizer, "is_fast", False):
            raise ConfigError(
                f"the model {self._checkpoint.name!r} has no fast tokenizer, which says where tokens stand"
            )


def _cut(tokenizer: Any, text: str, room: int, *, overlap: int) -> list[tuple[str, int]]:
    """The text in pieces of at most ``room`` tokens, each with its number of tokens."""
    offsets = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)[
        "offset_mapping"
    ]
    spans = pieces(len(offsets), room, room // overlap if overlap else 0)
    if len(spans) == 1:
        return [(text, len(offsets))]
    return [(text[offsets[start][0] : offsets[end - 1][1]], end - start) for start, end in spans]
