"""Make a ``CrossEncoder`` with the weights of the embedded NLI model, in float."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from sentence_transformers import CrossEncoder
from sentence_transformers.cross_encoder.modules import InputModule
from tokenizers import Tokenizer
from torch import Tensor

from training.restore import restore
from verifier.core.models import ModelFolder

__all__ = ["cross_encoder"]


class _Reading(InputModule):  # type: ignore[misc]  # the base class has no types
    """The whole model over padded batches of pairs, each pair read anew: what ``predict`` does with any model."""

    def __init__(self, folder: ModelFolder) -> None:
        super().__init__()
        self.model, _ = restore(folder.path)
        self.tokenizer = Tokenizer.from_file(str(folder.tokenizer))
        self.tokenizer.enable_padding()

    def preprocess(self, inputs: Sequence[Any], **_: Any) -> dict[str, Tensor]:
        """The inputs of the model for pairs of texts; the library's prompt and the like are not for it."""
        rows = self.tokenizer.encode_batch([tuple(pair) for pair in inputs])
        parts = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
        return {name: torch.tensor([getattr(row, part) for row in rows]) for name, part in parts.items()}

    def forward(self, features: dict[str, Tensor], **_: Any) -> dict[str, Tensor]:
        """The features with ``scores``, the logits (pairs, 3)."""
        return {**features, "scores": self.model(**features)[:, :3]}

    def save(self, *_: Any, **__: Any) -> None:
        """Nothing: the library asks for this method, and the benchmark saves no model."""


def cross_encoder(folder: ModelFolder) -> CrossEncoder:
    """The weights of a folder that ``python -m training export`` wrote, for ``predict`` on the CPU."""
    return CrossEncoder(modules=[_Reading(folder)], device="cpu")
