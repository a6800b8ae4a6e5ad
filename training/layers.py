"""What :class:`training.model.PairModel` is built of: transformer layers, and the alignment of two texts."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - the field's usual name

from training.shape import ModelConfig

__all__ = ["Alignment", "Layer", "Text", "TextDropout", "hidden_from"]


class Text(NamedTuple):
    """Texts as the alignment needs them."""

    ids: Tensor
    """(batch, tokens)."""
    vectors: Tensor
    """Contextual, (batch, tokens, hidden)."""
    words: Tensor
    """Plain word vectors, (batch, tokens, hidden)."""


def _attend(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, scale: float) -> Tensor:
    """Attention; written out for training, where the fused CPU kernel's backward pass outweighs all products."""
    if not torch.is_grad_enabled():
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale)
    scores = (q * scale) @ k.transpose(-1, -2)
    if mask is not None:
        scores = scores + mask
    with torch.autocast(q.device.type, enabled=False):
        # Autocast would carry the largest tensor of the model through float32 and back.
        weights = scores.softmax(dim=-1)
    return weights @ v


class TextDropout(nn.Module):
    """Dropout with one mask a text, shared by its tokens: 40 times fewer random numbers than a mask a token."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate

    def forward(self, x: Tensor) -> Tensor:
        """``x`` (batch, ..., hidden)."""
        if not self.training or self.rate == 0.0:
            return x
        shape = (x.shape[0], *(1 for _ in x.shape[1:-1]), x.shape[-1])
        keep = 1.0 - self.rate
        return x * (torch.rand(shape, device=x.device) < keep).to(x.dtype).div_(keep)


class Layer(nn.Module):
    """One post-norm transformer layer, as in BERT (Devlin et al. 2019)."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.heads, self.scale = config.heads, (config.hidden // config.heads) ** -0.5
        self.qkv = nn.Linear(config.hidden, 3 * config.hidden)
        self.attention_out = nn.Linear(config.hidden, config.hidden)
        self.attention_norm = nn.LayerNorm(config.hidden, config.norm_epsilon)
        self.expand = nn.Linear(config.hidden, config.intermediate)
        self.contract = nn.Linear(config.intermediate, config.hidden)
        self.output_norm = nn.LayerNorm(config.hidden, config.norm_epsilon)
        self.dropout = TextDropout(config.dropout)

    def forward(self, x: Tensor, mask: Tensor | None, asked: Tensor | None = None) -> Tensor:
        """The layer's answer at every column of ``x``, or at some alone, the rest of which is only attended to.

        Args:
            x: (batch, tokens, hidden).
            mask: (batch, 1, tokens or 1, tokens), 0 where visible, else very low; ``None``: all is visible.
            asked: (batch, columns, hidden), some columns of ``x``; ``None``: all of them.
        """
        if asked is None:
            q, k, v = self._heads(self.qkv(x), 3)
            return self._answer(x, q, k, v, mask)
        hidden = self.qkv.in_features
        (q,) = self._heads(F.linear(asked, self.qkv.weight[:hidden], self.qkv.bias[:hidden]), 1)
        k, v = self._heads(F.linear(x, self.qkv.weight[hidden:], self.qkv.bias[hidden:]), 2)
        return self._answer(asked, q, k, v, mask)

    def _heads(self, products: Tensor, parts: int) -> tuple[Tensor, ...]:
        """(batch, tokens, parts * hidden) as so many times (batch, heads, tokens, hidden / heads)."""
        batch, tokens, _ = products.shape
        return products.view(batch, tokens, parts, self.heads, -1).permute(2, 0, 3, 1, 4).unbind(0)

    def _answer(self, x: Tensor, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        mask = None if mask is None else mask.to(q.dtype)
        seen = _attend(q, k, v, mask, self.scale).transpose(1, 2).reshape(x.shape)
        x = self.attention_norm(x + self.dropout(self.attention_out(seen)))
        return self.output_norm(x + self.dropout(self.contract(F.gelu(self.expand(x)))))


def hidden_from(seen: Tensor, dtype: torch.dtype) -> Tensor:
    """The additive attention mask of ``seen`` (1 visible, 0 hidden); -1e4 is within reach of every float type."""
    return (1.0 - seen.to(dtype)) * -1e4


class Alignment(nn.Module):
    """Tells every token what stands opposite it in the other text, before the joint layers read both.

    As in decomposable attention (Parikh et al. 2016): each token attends to the other text by similarity and is
    compared with what it finds. Three plain facts go along: whether the very token occurs there, the highest cosine
    of its word vector, and of its contextual vector. A small model needs many pairs to learn these by itself.
    """

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.sharpness = nn.Parameter(torch.tensor(10.0))
        self.compare = nn.Linear(3 * hidden + 3, hidden)
        nn.init.normal_(self.compare.weight, std=0.005)
        nn.init.zeros_(self.compare.bias)

    def forward(self, found: Tensor) -> Tensor:
        """What to add to the vectors of texts, (batch, tokens, hidden), by what :meth:`facing` found for them."""
        return self.compare(found)

    def facing(self, text: Text, other: Text, across: Tensor | None) -> Tensor:
        """What stands opposite every token of ``text``, and the plain facts: (batch, tokens, 3 * hidden + 3).

        Args:
            text: the tokens that are told.
            other: what may stand opposite them.
            across: (batch, 1 or tokens, tokens of ``other``), 1 where it does stand opposite; ``None``: everywhere.
        """
        x = text.vectors
        similar = F.normalize(x, dim=-1) @ F.normalize(other.vectors, dim=-1).transpose(1, 2)
        alike = F.normalize(text.words, dim=-1) @ F.normalize(other.words, dim=-1).transpose(1, 2)
        same = text.ids[:, :, None] == other.ids[:, None, :]
        weights = similar * self.sharpness
        if across is not None:
            hidden = hidden_from(across, x.dtype)
            same = same & across.bool()
            weights, similar, alike = weights + hidden, similar + hidden, alike + hidden
        opposite = weights.softmax(dim=-1).to(x.dtype) @ other.vectors
        facts = [same.to(x.dtype).amax(dim=-1), alike.amax(dim=-1), similar.amax(dim=-1)]
        # A text without a counterpart has no highest cosine; without the floor it would be -1e4.
        facts = [fact.clamp(min=-1.0) for fact in facts]
        return torch.cat([opposite, x * opposite, x - opposite, torch.stack(facts, dim=-1)], dim=-1)
