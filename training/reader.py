"""What a training run needs of a model: logits of pairs, what of it is trained and how fast, a checkpoint."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor, nn

__all__ = ["PairReader"]


class _Shape(Protocol):
    @property
    def split(self) -> bool:
        """Whether it reads each text by itself before it reads both."""

    @property
    def relevance(self) -> bool:
        """Whether a fourth logit says how relevant the premise is."""


class PairReader(nn.Module, ABC):
    """Three logits, in the order of ``training.model.LABELS``, for each pair; a fourth with a head for relevance."""

    config: _Shape

    @property
    def device(self) -> torch.device:
        """Where its weights are."""
        return next(self.parameters()).device

    @abstractmethod
    def forward(
        self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor, frozen_layers: int = 0
    ) -> Tensor:
        """Logits (batch, 3 or 4) of int64 inputs (batch, tokens); ``frozen_layers`` need no gradient."""

    @abstractmethod
    def groups(self, rate: float, decay: float, frozen_layers: int) -> Iterator[dict[str, Any]]:
        """Optimiser groups: the head at ``rate`` or more, each layer below at ``decay`` times the rate above it."""

    @abstractmethod
    def save(self, folder: Path, **facts: Any) -> None:
        """Write the weights, the shape and the ``facts`` to ``folder``."""
