"""Export a torch encoder as a model folder: ``model.onnx`` (int8, words in 4 bits), tokenizer, config."""

from __future__ import annotations

import json
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import torch
from tokenizers import Tokenizer

from training.encoders.model import TextEncoder
from training.export import quantise
from training.tables import shrink_tables
from verifier.core.models import promised_files, sha256_of

__all__ = ["PRECISIONS", "export", "write_config"]

Precision = Literal["float", "int8", "int8-words4"]
PRECISIONS: tuple[Precision, ...] = ("float", "int8", "int8-words4")
"""``int8``: matrices in dynamic int8, one scale an output channel, word vectors in half precision.
``int8-words4``: word vectors in 4 bits, too."""


def export(
    model: TextEncoder,
    tokenizer: Path,
    folder: Path,
    *,
    precision: Precision,
    max_length: int,
    facts: Mapping[str, Any],
) -> None:
    """Write the model folder; ``facts`` go into ``config.json`` as they are."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = folder / "model.onnx"
    with tempfile.TemporaryDirectory() as scratch:
        plain = Path(scratch) / "float.onnx"
        _write_graph(model, plain)
        if precision == "float":
            weights.write_bytes(plain.read_bytes())
        else:
            quantise(plain, weights, reduced=False, only=["MatMul"])
    if precision != "float":
        shrink_tables(weights, words_in_four_bits=precision == "int8-words4")
    own = Tokenizer.from_file(str(tokenizer))
    own.no_truncation()
    own.no_padding()
    own.save(str(folder / "tokenizer.json"), pretty=False)
    write_config(
        weights,
        dimension=model.config.hidden,
        vocabulary=model.config.vocabulary,
        max_length=max_length,
        precision=precision,
        **facts,
    )


def write_config(weights: Path, **facts: Any) -> None:
    """``config.json`` beside the weights, with their hash, by which a damaged file is told."""
    promised = promised_files(weights.parent, ["tokenizer.json"])
    config = {**facts, "fingerprint": sha256_of(weights), **promised}
    (weights.parent / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")


def _write_graph(model: TextEncoder, path: Path) -> None:
    """The graph in float, with any number of texts and tokens. The exporter's warnings are about its own future."""
    model.eval()
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            model,
            (torch.ones((2, 6), dtype=torch.int64),),
            str(path),
            input_names=["input_ids"],
            output_names=["tokens"],
            dynamic_axes={"input_ids": {0: "texts", 1: "tokens"}, "tokens": {0: "texts", 1: "tokens"}},
            opset_version=17,
            dynamo=False,
        )
