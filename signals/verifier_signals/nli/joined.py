"""Premise and hypothesis go in; one text with fixed words around them comes out as token ids, in one segment."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from verifier.core.errors import SignalError
from verifier.core.onnx import EncodedPair, PairTokenizer

__all__ = ["JoinedTokenizer", "Wording"]

_PROBE = "Water boils at 100 degrees.", "It boils."


@dataclass(frozen=True, slots=True)
class Wording:
    """What a model reads around the two texts; special tokens are written as the tokenizer names them.

    White space next to a text is that of the published form. It is dropped where the tokenizer opens each piece with
    a mark of its own, which stands for it.
    """

    before: str
    between: str

    def __call__(self, premise: str, hypothesis: str) -> str:
        """The whole text, as its model was trained on it."""
        return f"{self.before}{premise}{self.between}{hypothesis}"


class JoinedTokenizer(PairTokenizer):
    """Joins a pair into one text, piece by piece, so that a long premise can be cut to measure.

    What looks like a special token in the premise or the hypothesis is read as plain characters, which it would not
    be if the text were put together first.

    Args:
        tokenizer: a ``tokenizers.Tokenizer``.
        wording: what stands around the two texts.
        model: what to call the model in messages.

    Raises:
        SignalError: this tokenizer reads the whole text in another way than its pieces.
    """

    def __init__(self, tokenizer: Any, wording: Wording, model: str) -> None:
        super().__init__(tokenizer)
        self._wording = wording
        tokenizer.encode_special_tokens = False
        whole = tokenizer.encode(wording(*_PROBE)).ids
        before, between = (self._fixed(text) for text in (wording.before, wording.between))
        tokenizer.encode_special_tokens = True
        opening, closing = self.frame
        self._before, self._between, self._after = (*opening, *before), between, closing
        if self.join(*self.encode(_PROBE)).input_ids.tolist() != whole:
            raise SignalError(
                f"the tokenizer of NLI model {model} reads {wording(*_PROBE)!r} otherwise in one piece than in parts; "
                "it is not the one that this kind of model is published with"
            )

    @classmethod
    def of(cls, tokenizer: PairTokenizer, wording: Wording, model: str) -> JoinedTokenizer:
        """The same tokenizer, joining pairs this way."""
        return cls(tokenizer._tokenizer, wording, model)

    @cached_property
    def special_tokens(self) -> int:
        """How many tokens stand around the two texts."""
        return len(self._before) + len(self._between) + len(self._after)

    def join(self, premise: Any, hypothesis: Any) -> EncodedPair:
        """The model's input for two encodings; one segment, so that ``token_type_ids`` are 0."""
        ids = (*self._before, *premise.ids, *self._between, *hypothesis.ids, *self._after)
        return EncodedPair(np.array(ids, dtype=np.int64), np.zeros(len(ids), dtype=np.int64))

    def _fixed(self, text: str) -> tuple[int, ...]:
        return tuple(self._tokenizer.encode(text.rstrip(" "), add_special_tokens=False).ids)
