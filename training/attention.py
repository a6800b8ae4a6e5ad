"""Scaled dot-product attention, which an export writes as one node."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 - the field's usual name

__all__ = ["FUSED_DOMAIN", "attend"]

FUSED_DOMAIN = "com.microsoft"
"""The operators of onnxruntime's own, of which an export without a mask needs ``MultiHeadAttention``."""


def attend(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, heads: int) -> Tensor:
    """Scaled dot-product attention (Vaswani et al. 2017) in several heads, (batch, asked, hidden).

    Args:
        q: (batch, asked, hidden).
        k: (batch, tokens, hidden).
        v: (batch, tokens, hidden).
        mask: (batch, 1, asked or 1, tokens), added to the scores; ``None``: all is visible.
        heads: a divisor of ``hidden``.
    """
    if mask is None and torch.onnx.is_in_onnx_export():
        fused: Tensor = _Fused.apply(q, k, v, heads)
        return fused
    q, k, v = (part.unflatten(-1, (heads, -1)).transpose(1, 2) for part in (q, k, v))
    return _seen(q, k, v, mask).transpose(1, 2).flatten(2)


def _seen(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
    """Attention, (batch, heads, asked, width); written out for training.

    There the fused CPU kernel's backward pass outweighs all products.
    """
    if not torch.is_grad_enabled():
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    scores = (q * q.shape[-1] ** -0.5) @ k.transpose(-1, -2)
    if mask is not None:
        scores = scores + mask
    with torch.autocast(q.device.type, enabled=False):
        # Autocast would carry the largest tensor of the model through float32 and back.
        weights = scores.softmax(dim=-1)
    return weights @ v


class _Fused(torch.autograd.Function):
    """Attention as one node of an exported graph, in place of some 20 that copy heads to and fro."""

    @staticmethod
    def forward(_: Any, q: Tensor, k: Tensor, v: Tensor, heads: int) -> Tensor:
        """What the exporter traces the shapes with."""
        parts = (part.unflatten(-1, (heads, -1)).transpose(1, 2) for part in (q, k, v))
        return F.scaled_dot_product_attention(*parts).transpose(1, 2).flatten(2)

    @staticmethod
    def symbolic(graph: Any, q: Any, k: Any, v: Any, heads: int) -> Any:
        """The node."""
        return graph.op(f"{FUSED_DOMAIN}::MultiHeadAttention", q, k, v, num_heads_i=heads).setType(q.type())
