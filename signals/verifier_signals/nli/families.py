"""Model families that read premise and hypothesis as one text with fixed words around them: MiniCheck and HHEM.

MiniCheck: Tang, Laban and Durrett 2024 (arXiv:2404.10774); the form is that of their ``minicheck/inference.py``.
Document and claim are one text with the end token between them. The classifiers (RoBERTa, DeBERTa) have two outputs,
unsupported and supported. Flan-T5 reads ``predict: `` before that text and writes ``0`` or ``1``; its probability of
support is the softmax over the first tokens of these two answers (in T5's vocabulary 3, the bare word mark before
``0``, and 209).

HHEM-2.1-open is the encoder of a Flan-T5 with two outputs for each token, of which the first token's are read, and a
fixed prompt (``modeling_hhem_v2.py`` of the published model). Its configuration names no sizes: it takes them from
another model on the hub. Here they are read off the weights themselves, and the code that the model brings is not run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from verifier.core.errors import SignalError
from verifier.core.onnx import EncodedPair, PairTokenizer
from verifier.core.registry import require

__all__ = [
    "ANSWERS",
    "HHEM_WORDING",
    "JoinedTokenizer",
    "Wording",
    "answer_head",
    "answer_tokens",
    "first_token_head",
    "load_hhem",
    "minicheck_wording",
]

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


ANSWERS = ("0", "1")
"""What Flan-T5 writes for unsupported and for supported."""


def minicheck_wording(end: str | None, model: str, *, writes: bool) -> Wording:
    """What stands around document and claim.

    Args:
        end: the tokenizer's token for the end of a text.
        model: what to call the model in messages.
        writes: whether it is the form that writes its answer.

    Raises:
        SignalError: the tokenizer has no such token.
    """
    if not end:
        raise SignalError(f"the tokenizer of NLI model {model} has no end token, which MiniCheck models need")
    return Wording("predict: " if writes else "", end)


def answer_tokens(tokenizer: Any, model: str) -> tuple[int, int]:
    """The first token of each of ``ANSWERS``.

    Args:
        tokenizer: a ``tokenizers.Tokenizer``.
        model: what to call the model in messages.

    Raises:
        SignalError: both answers begin with the same token, or with one that stands for anything unknown.
    """
    unsupported, supported = (tokenizer.encode(text, add_special_tokens=False).ids for text in ANSWERS)
    if not unsupported or not supported or unsupported[0] == supported[0]:
        raise SignalError(
            f"the tokenizer of NLI model {model} does not tell the answers 0 and 1 apart by their first token; "
            "it is not the one of a MiniCheck model"
        )
    return unsupported[0], supported[0]


def answer_head(network: Any, inputs: Mapping[str, Any], answers: tuple[int, int]) -> Any:
    """The logits (pairs, 2) of the two answers as the first thing that the model writes."""
    ids = inputs["input_ids"]
    start = ids.new_full((ids.shape[0], 1), network.config.decoder_start_token_id or 0)
    written = network(
        input_ids=ids, attention_mask=inputs["attention_mask"], decoder_input_ids=start, use_cache=False
    )
    return written.logits[:, 0, list(answers)]


HHEM_WORDING = Wording(
    "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: ", "\n\nHypothesis: "
)
_WRAPPER = "t5."
_WEIGHTS = "model.safetensors"
_BLOCK = "transformer.encoder.block.{}.layer.{}."
_ATTENTION = _BLOCK.format(0, 0) + "SelfAttention."
_FEED_FORWARD = _BLOCK.format(0, 1) + "DenseReluDense."


def load_hhem(folder: Path, dtype: Any, model: str) -> Any:
    """The T5 token classifier that the published class wraps, in ``dtype``.

    Raises:
        SignalError: the weights are not there, or not of that shape.
    """
    transformers = require("transformers", extra="transformers")
    if not (folder / _WEIGHTS).is_file():
        raise SignalError(f"cannot load NLI model {model}: an HHEM model is {_WEIGHTS}, which is not there")
    weights = require("safetensors.torch", extra="transformers").load_file(folder / _WEIGHTS)
    own = {name.removeprefix(_WRAPPER): value for name, value in weights.items()}
    try:
        config = transformers.T5Config(**_sizes({name: tuple(value.shape) for name, value in own.items()}))
        network = transformers.T5ForTokenClassification(config)
        lacking, strange = network.load_state_dict(own, strict=False)
    except (KeyError, RuntimeError, ValueError) as error:
        raise SignalError(
            f"cannot load NLI model {model}: its weights are not those of an HHEM model"
        ) from error
    # The word vectors are stored once, and the encoder's are the same.
    lacking = [name for name in lacking if not name.endswith("embed_tokens.weight")]
    if lacking or strange:
        raise SignalError(
            f"cannot load NLI model {model}: its weights are not those of an HHEM model "
            f"({(*lacking, *strange)[0]} differs)"
        )
    network.tie_weights()
    return network.to(dtype)


def first_token_head(network: Any, inputs: Mapping[str, Any]) -> Any:
    """The logits (pairs, 2) over the first token: hallucinated, consistent."""
    return network(input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"]).logits[:, 0, :]


def _sizes(shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Any]:
    """The configuration that these shapes can only have.

    Raises:
        KeyError, ValueError: a weight that every T5 encoder has is not there.
    """
    layers = {int(found[1]) for name in shapes if (found := re.match(_BLOCK.format(r"(\d+)", 0), name))}
    vocabulary, width = shapes["transformer.shared.weight"]
    buckets, heads = shapes[_ATTENTION + "relative_attention_bias.weight"]
    gated = f"{_FEED_FORWARD}wi_0.weight" in shapes
    return {
        "vocab_size": vocabulary,
        "d_model": width,
        "d_kv": shapes[_ATTENTION + "q.weight"][0] // heads,
        "d_ff": shapes[_FEED_FORWARD + ("wi_0.weight" if gated else "wi.weight")][0],
        "num_layers": max(layers) + 1,
        "num_heads": heads,
        "relative_attention_num_buckets": buckets,
        "feed_forward_proj": "gated-gelu" if gated else "relu",
        "num_labels": shapes["classifier.weight"][0],
    }
