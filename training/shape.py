"""The shape of a model of pairs, which decides what weights it has."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

__all__ = ["ModelConfig"]


@dataclass(frozen=True)
class ModelConfig:
    """The shape of a model. ``joint_layers == 0`` with ``split == False`` is the usual cross-encoder."""

    split: bool = True
    encoder_layers: int = 6
    joint_layers: int = 2
    align: bool = True
    """Whether the joint layers start from an explicit alignment of the texts (:class:`training.layers.Alignment`)."""
    align_before: int = 0
    """The cross-encoder's layer that the alignment stands before; the split model's stands before the joint ones."""
    relevance: bool = False
    """Whether there is a head for relevance."""
    hidden: int = 384
    heads: int = 12
    intermediate: int = 1536
    vocabulary: int = 30522
    positions: int = 512
    dropout: float = 0.1
    norm_epsilon: float = 1e-12

    @classmethod
    def around(
        cls,
        encoder: Path,
        *,
        split: bool,
        joint_layers: int,
        encoder_layers: int | None = None,
        align_before: int | None = None,
        relevance: bool = False,
    ) -> ModelConfig:
        """The shape of a model around the BERT whose ``config.json`` is in ``encoder``, or around its lowest layers."""
        bert = json.loads((encoder / "config.json").read_text(encoding="utf-8"))
        return cls(
            split=split,
            encoder_layers=encoder_layers or bert["num_hidden_layers"],
            joint_layers=joint_layers if split else 0,
            align=split or align_before is not None,
            align_before=align_before or 0,
            relevance=relevance,
            hidden=bert["hidden_size"],
            heads=bert["num_attention_heads"],
            intermediate=bert["intermediate_size"],
            vocabulary=bert["vocab_size"],
            positions=bert["max_position_embeddings"],
            norm_epsilon=bert["layer_norm_eps"],
        )

    @property
    def architecture(self) -> str:
        """``split`` or ``cross-encoder``."""
        return "split" if self.split else "cross-encoder"
