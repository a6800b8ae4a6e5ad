"""Cross-encoders for the pipeline by hand: in float by torch, or in int8 by onnxruntime.

The float one is ``CrossEncoder.predict`` of sentence-transformers. The int8 one is what ``quantize_dynamic`` of
onnxruntime makes of the same weights. Without a folder one of MiniLM's size with random weights stands in: it takes the
same time, and says nothing.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.byhand.pipeline import Judge, in_order
from training.__main__ import encoder_folder

__all__ = [
    "float_judge",
    "int8_judge",
    "make_int8",
    "random_cross_encoder",
    "same_weights_judge",
    "taught_by",
]

LABELS = ("entailment", "neutral", "contradiction")
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
LONGEST = 512
"""Tokens of a pair."""
BATCH = 32
"""Pairs read at once, as ``CrossEncoder.predict`` does by itself."""
GRAPH = "byhand-int8.onnx"


def random_cross_encoder(folder: Path, **shape: int) -> Path:
    """Write a classifier with random weights, of the shape of MiniLM where ``shape`` does not say otherwise."""
    from transformers import AutoConfig, AutoModelForSequenceClassification

    source = encoder_folder(None)
    names = dict(enumerate(LABELS))
    config = AutoConfig.from_pretrained(
        source, id2label=names, label2id={name: code for code, name in names.items()}, **shape
    )
    AutoModelForSequenceClassification.from_config(config).save_pretrained(folder)
    for path in source.glob("*token*.json"):
        shutil.copyfile(path, folder / path.name)
    return folder


def taught_by(folder: Path) -> str:
    """Which weights these are, in a few words."""
    from training.teacher import pairs_seen

    pairs = pairs_seen(folder)
    return f"taught by {pairs:,} pairs of the training mix" if pairs else "taught by others"


def float_judge(folder: Path) -> Judge:
    """``CrossEncoder.predict`` over the weights in float32."""
    import torch
    from sentence_transformers import CrossEncoder

    model = CrossEncoder(
        str(folder), device="cpu", max_length=LONGEST, activation_fn=torch.nn.Softmax(dim=-1)
    )
    columns = in_order(model.model.config.id2label)

    def judge(pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        read = model.predict(list(pairs), show_progress_bar=False, apply_softmax=False)
        return np.asarray(read, dtype=np.float32)[:, columns]

    return judge


def same_weights_judge() -> Judge:
    """``CrossEncoder.predict`` over the weights of the embedded NLI model, in float32: a pair is read as a whole.

    Raises:
        FileNotFoundError: this installation has no embedded NLI model.
    """
    import torch

    from benchmarks.same_weights import cross_encoder
    from verifier.core.models import embedded_model

    folder = embedded_model("verifier_signals", "nli")
    if folder is None:
        raise FileNotFoundError("this installation has no embedded NLI model")
    model = cross_encoder(folder)

    def judge(pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        read = model.predict(list(pairs), activation_fn=torch.nn.Softmax(dim=-1), show_progress_bar=False)
        return np.asarray(read, dtype=np.float32)

    return judge


def make_int8(folder: Path, target: Path) -> Path:
    """Write the weights of a folder as an int8 graph, with what is needed to read pairs by it."""
    import torch
    from transformers import AutoModelForSequenceClassification

    from training.export import quantise, write_graph

    class Logits(torch.nn.Module):  # type: ignore[misc]  # the base class has no types
        """The model, its inputs by place."""

        def __init__(self) -> None:
            super().__init__()
            self.model = AutoModelForSequenceClassification.from_pretrained(
                folder, attn_implementation="eager"
            )

        def forward(self, ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
            """Logits (pairs, 3)."""
            logits: torch.Tensor = self.model(input_ids=ids, attention_mask=mask, token_type_ids=types).logits
            return logits

    target.mkdir(parents=True, exist_ok=True)
    ids = torch.ones((2, 6), dtype=torch.int64)
    example = (ids, torch.ones_like(ids), torch.tensor([[0, 0, 0, 1, 1, 1]] * 2))
    axes = {name: {0: "pairs", 1: "tokens"} for name in INPUTS}
    plain = write_graph(target / "float.onnx", Logits(), example, axes, {"logits": {0: "pairs"}})
    quantise(plain, target / GRAPH, reduced=False)
    plain.unlink()
    for name in ("tokenizer.json", "config.json"):
        shutil.copyfile(folder / name, target / name)
    return target


def int8_judge(folder: Path) -> Judge:
    """The graph that :func:`make_int8` wrote, over batches sorted by length."""
    import onnxruntime
    from tokenizers import Tokenizer

    session = onnxruntime.InferenceSession(str(folder / GRAPH), providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(LONGEST)
    tokenizer.enable_padding()
    named = json.loads((folder / "config.json").read_text(encoding="utf-8"))["id2label"]
    columns = in_order({int(column): name for column, name in named.items()})

    def judge(pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        logits = np.zeros((len(pairs), len(columns)), dtype=np.float32)
        order = sorted(range(len(pairs)), key=lambda place: sum(map(len, pairs[place])))
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            rows = tokenizer.encode_batch([pairs[place] for place in places])
            parts = ("ids", "attention_mask", "type_ids")
            fed = {
                name: np.array([getattr(row, part) for row in rows], dtype=np.int64)
                for name, part in zip(INPUTS, parts, strict=True)
            }
            logits[places] = session.run(None, fed)[0]
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray((shares / shares.sum(axis=1, keepdims=True))[:, columns], dtype=np.float32)

    return judge
