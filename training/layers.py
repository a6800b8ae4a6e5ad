"""The parts of :class:`training.model.PairModel`: transformer layers, and the alignment of two texts."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - the field's usual name

from training.attention import attend
from training.shape import ModelConfig

__all__ = ["Alignment", "Layer", "Likeness", "Text", "TextDropout", "hidden_from"]


class Text(NamedTuple):
    """Texts as the alignment needs them."""

    ids: Tensor
    """(batch, tokens)."""
    vectors: Tensor
    """Contextual, (batch, tokens, hidden)."""
    words: Tensor
    """Plain word vectors of length one, (batch, tokens, hidden)."""


class Likeness(NamedTuple):
    """How like the tokens of texts are to those of others, each (batch, tokens, tokens of the other)."""

    similar: Tensor
    """Cosines of contextual vectors."""
    alike: Tensor
    """Cosines of plain word vectors."""
    same: Tensor
    """Whether it is the very token."""

    @classmethod
    def of(cls, text: Text, other: Text) -> Likeness:
        """Of every token of ``text`` to every one of ``other``."""
        return cls(
            F.normalize(text.vectors, dim=-1) @ F.normalize(other.vectors, dim=-1).transpose(1, 2),
            text.words @ other.words.transpose(1, 2),
            text.ids[:, :, None] == other.ids[:, None, :],
        )

    def turned(self) -> Likeness:
        """That of the others to the texts."""
        return Likeness(*(part.transpose(1, 2) for part in self))


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
        self.heads = config.heads
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
        hidden = self.qkv.in_features
        if asked is None:
            q, k, v = self.qkv(x).split(hidden, dim=-1)
            return self._answer(x, q, k, v, mask)
        q = F.linear(asked, self.qkv.weight[:hidden], self.qkv.bias[:hidden])
        k, v = F.linear(x, self.qkv.weight[hidden:], self.qkv.bias[hidden:]).split(hidden, dim=-1)
        return self._answer(asked, q, k, v, mask)

    def _answer(self, x: Tensor, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        seen = attend(q, k, v, None if mask is None else mask.to(q.dtype), self.heads)
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

    def forward(self, x: Tensor, opposite: Tensor, facts: Tensor) -> Tensor:
        """What to add to the vectors of texts by what :meth:`facing` found for them, all (batch, tokens, ...)."""
        return self.compare(torch.cat([opposite, x * opposite, x - opposite, facts], dim=-1))

    def facing(self, likeness: Likeness, other: Tensor, across: Tensor | None) -> tuple[Tensor, Tensor]:
        """What stands opposite every token, (batch, tokens, hidden), and the plain facts, (batch, tokens, 3).

        Args:
            likeness: of those tokens to what may stand opposite them.
            other: the vectors of the latter.
            across: (batch, 1 or tokens, tokens of ``other``), 1 where it does stand opposite; ``None``: everywhere.
        """
        similar, alike, same = likeness
        weights = similar * self.sharpness
        if across is not None:
            hidden = hidden_from(across, other.dtype)
            same = same & across.bool()
            weights, similar, alike = weights + hidden, similar + hidden, alike + hidden
        opposite = weights.softmax(dim=-1).to(other.dtype) @ other
        facts = [same.to(other.dtype).amax(dim=-1), alike.amax(dim=-1), similar.amax(dim=-1)]
        if across is not None:
            # A text without a counterpart has no highest cosine; without the floor it would be -1e4.
            facts = [fact.clamp(min=-1.0) for fact in facts]
        return opposite, torch.stack(facts, dim=-1)
