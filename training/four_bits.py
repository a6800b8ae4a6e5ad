"""A reader in training goes in; it then reads with its matrices as 4 bits will have them, and learns to do so.

Quantisation-aware training: the products are with rounded weights, and the gradients go to the weights themselves,
as if rounding were nothing (the straight-through estimator; Bengio, Leonard and Courville 2013).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - the field's usual name

from training.nibbles import BLOCK, rounded
from training.teacher import Teacher

__all__ = ["read_in_four_bits"]


def read_in_four_bits(reader: Teacher, is_on: Callable[[], bool]) -> None:
    """Let the matrices of the layers be rounded whenever ``is_on`` says so; names and weights stay what they are."""
    for part in (part for layer in reader.layers for part in layer.modules()):
        if isinstance(part, nn.Linear) and part.in_features % BLOCK == 0:
            part.forward = partial(_product, part, is_on)  # type: ignore[method-assign]


def _product(part: nn.Linear, is_on: Callable[[], bool], given: Tensor) -> Tensor:
    weight = part.weight
    if is_on():
        weight = weight + (rounded(weight.detach()) - weight.detach())
    return F.linear(given, weight, part.bias)
