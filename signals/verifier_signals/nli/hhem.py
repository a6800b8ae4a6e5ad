"""The folder of an HHEM-2.1 model goes in; its network comes out, without running the code that the model brings.

HHEM-2.1-open is the encoder of a Flan-T5 with two outputs for each token, of which the first token's are read, and a
fixed prompt (``modeling_hhem_v2.py`` of the published model). Its configuration names no sizes: it takes them from
another model on the hub. Here they are read off the weights themselves.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verifier.core.errors import SignalError
from verifier.core.registry import require
from verifier_signals.nli.joined import Wording

__all__ = ["PROMPT", "first_token_head", "load_hhem"]

PROMPT = Wording(
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
