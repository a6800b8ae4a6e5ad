"""Pack matrices in 4 bits a weight, with a scale for each 32 of a row, and unpack them.

A reader can also be trained for this (quantisation-aware training): products then use rounded weights, and gradients go
to the weights themselves, as if there were no rounding (the straight-through estimator; Bengio, Leonard and Courville
2013).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - the field's usual name

from training import checkpoints
from training.checkpoints import pack_weights, unpack_weights
from training.errors import CheckpointError

__all__ = ["from_int4", "pack_in_four_bits", "read_in_four_bits", "rounded", "to_int4", "unpack_in_four_bits"]

BLOCK = 32
LEAST = 2.0**-14
"""The scale of a block of zeros."""
STEPS, BLOCKS = ".steps", ".blocks"
"""What is added to the name of a matrix in the names of its steps and of their scales."""
SHARES = (1.0, 0.92, 0.84, 0.76)
"""Parts of a block's range that are tried: a smaller one cuts the largest value and has finer steps."""


def to_int4(weights: Tensor) -> tuple[Tensor, Tensor]:
    """A matrix (rows, columns) as bytes (rows, columns / 2), and float16 scales (rows, columns / 32).

    Steps are from -8 to 7, the scale of a block the one of ``SHARES`` with the least square error.

    >>> steps, scales = to_int4(torch.linspace(-8, 7, 32)[None].round())
    >>> from_int4(steps, scales)[0, [0, 16, 31]].tolist()
    [-8.0, 0.0, 7.0]
    """
    blocks = weights.float().reshape(len(weights), -1, BLOCK)
    scales = _scales(blocks)
    whole = (_steps(blocks, scales).to(torch.int16) & 15).to(torch.uint8).reshape(len(weights), -1)
    return whole[:, 0::2] | whole[:, 1::2] << 4, scales.squeeze(2).half()


def _scales(blocks: Tensor) -> Tensor:
    """A scale of each block (rows, blocks, 1), which float16 holds; the largest value is on the side of -8."""
    largest = blocks.gather(2, blocks.abs().argmax(2, keepdim=True)) / -8
    best, error = torch.ones_like(largest), torch.full_like(largest, torch.inf)
    for share in SHARES:
        scale = (largest * share).half().float()
        scale = torch.where(scale == 0, torch.full_like(scale, LEAST), scale)
        missed = ((_steps(blocks, scale) * scale - blocks) ** 2).sum(2, keepdim=True)
        best = torch.where(missed < error, scale, best)
        error = torch.minimum(missed, error)
    return best


def rounded(weights: Tensor) -> Tensor:
    """A matrix as :func:`from_int4` would give it back, in its own precision.

    >>> matrix = torch.randn(4, 64)
    >>> torch.equal(rounded(matrix), from_int4(*to_int4(matrix)))
    True
    """
    blocks = weights.float().reshape(len(weights), -1, BLOCK)
    scales = _scales(blocks)
    return (_steps(blocks, scales) * scales).reshape(weights.shape).to(weights.dtype)


def _steps(blocks: Tensor, scales: Tensor) -> Tensor:
    return (blocks / scales).round().clamp(-8, 7)


def from_int4(steps: Tensor, scales: Tensor) -> Tensor:
    """The float32 matrix that :func:`to_int4` made these of, but for rounding."""
    pairs = torch.stack([steps & 15, steps >> 4], dim=2).to(torch.int8).reshape(len(steps), -1)
    signed = torch.where(pairs > 7, pairs - 16, pairs).float()
    return (signed.reshape(*scales.shape, BLOCK) * scales.float()[:, :, None]).reshape(len(steps), -1)


def pack_in_four_bits(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Named weights: large matrices whose rows are whole blocks in 4 bits, all else as :func:`pack_weights` keeps it.

    Raises:
        CheckpointError: a weight is infinite, no number, or beyond what float16 holds.
    """
    small = {name: weight for name, weight in weights.items() if not _is_in_blocks(weight)}
    packed = pack_weights(small)
    for name in weights.keys() - small.keys():
        packed[name + STEPS], packed[name + BLOCKS] = to_int4(weights[name])
        # The 4 bits of a block with NaN would look sound.
        if not (weights[name].isfinite().all() and packed[name + BLOCKS].isfinite().all()):
            raise CheckpointError(f"{name} has values that cannot be kept: infinite, or no numbers")
    return packed


def unpack_in_four_bits(packed: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """What :func:`pack_in_four_bits` packed, or :func:`pack_weights`, in float32."""
    plain = {name: value for name, value in packed.items() if not name.endswith((STEPS, BLOCKS))}
    names = [name.removesuffix(STEPS) for name in packed if name.endswith(STEPS)]
    blocks = {name: from_int4(packed[name + STEPS], packed[name + BLOCKS]) for name in names}
    return {**unpack_weights(plain), **blocks}


def read_in_four_bits(layers: Iterable[nn.Module], is_on: Callable[[], bool]) -> None:
    """Let the matrices of layers be rounded whenever ``is_on`` says so; names and weights stay what they are."""
    for part in (part for layer in layers for part in layer.modules()):
        if isinstance(part, nn.Linear) and part.in_features % BLOCK == 0:
            part.forward = partial(_product, part, is_on)  # type: ignore[method-assign]


def _product(part: nn.Linear, is_on: Callable[[], bool], given: Tensor) -> Tensor:
    weight = part.weight
    if is_on():
        weight = weight + (rounded(weight.detach()) - weight.detach())
    return F.linear(given, weight, part.bias)


def _is_in_blocks(weight: Tensor) -> bool:
    large = weight.ndim == 2 and weight.numel() >= checkpoints.SMALL
    return large and weight.is_floating_point() and weight.shape[1] % BLOCK == 0
