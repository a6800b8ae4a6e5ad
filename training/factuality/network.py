"""The network of the factuality head: fit it to rows, and write the graphs that the runtime reads."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from training.export import write_graph
from training.factuality.rows import Row, labels_of
from verifier.verification.statements.factuality import GRAPHS, KINDS, MARKS, PLACES, FrameReader

__all__ = ["Fitted", "Shape", "fitted"]


class Shape:
    """What is chosen about the network and how it is learnt."""

    kept, kept_words, width, wide, layers, heads = 192, 96, 128, 256, 2, 4
    batch, epochs, rate, decay, dropout = 64, 6, 1.5e-3, 0.02, 0.2


class _Layer(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.norm, self.wide_norm = nn.LayerNorm(shape.width), nn.LayerNorm(shape.width)
        self.query, self.key, self.value, self.mix = (nn.Linear(shape.width, shape.width) for _ in range(4))
        self.wide, self.narrow = nn.Linear(shape.width, shape.wide), nn.Linear(shape.wide, shape.width)
        self.drop = nn.Dropout(shape.dropout)

    def forward(self, made: torch.Tensor, there: torch.Tensor | None) -> torch.Tensor:
        seen = self.norm(made)
        query, key, value = (
            part(seen).unflatten(2, (self.heads, -1)).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        scores = query @ key.transpose(2, 3) / math.sqrt(query.shape[3])
        if there is not None:
            scores = scores.masked_fill(~there[:, None, None, :], -1e4)
        mixed = torch.softmax(scores, dim=3) @ value
        made = made + self.drop(self.mix(mixed.transpose(1, 2).flatten(2)))
        return made + self.drop(self.narrow(torch.relu(self.wide(self.wide_norm(made)))))


class Network(nn.Module):
    """The network of the two graphs, over vectors that are turned to their main axes."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.into = nn.Linear(shape.kept, shape.width)
        self.words = nn.ModuleList(nn.Linear(shape.kept_words, shape.width, bias=False) for _ in range(3))
        self.drop_words = nn.Dropout(shape.dropout)
        self.places = nn.Parameter(torch.randn(len(PLACES), shape.width) * 0.1)
        self.marks = nn.Parameter(torch.zeros(len(MARKS), shape.width))
        self.in_norm, self.out_norm = nn.LayerNorm(shape.width), nn.LayerNorm(shape.width)
        self.layers = nn.ModuleList(_Layer(shape) for _ in range(shape.layers))
        self.out = nn.Linear(shape.width, len(KINDS))
        self.drop, self.drop_in = nn.Dropout(shape.dropout), nn.Dropout(shape.dropout / 2)

    def forward(
        self,
        vectors: torch.Tensor,
        words: torch.Tensor,
        marks: torch.Tensor,
        places: torch.Tensor,
        there: torch.Tensor,
    ) -> torch.Tensor:
        made = self.narrowed(self.drop_in(vectors), self.drop_words(words), 1 - marks[:, :, :1])
        return self.read(made, marks, places, there)

    def narrowed(
        self, vectors: torch.Tensor, words: torch.Tensor, inner: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Both narrowed and summed up, each word with its neighbours.

        Where several sentences stand one behind the other, ``inner`` is 0 at the row that stands for a whole one, which
        has no word before it, and is none.
        """
        itself, before, after = self.words
        behind = words if inner is None else words * inner
        last = before(nn.functional.pad(words[:, :-1], (0, 0, 1, 0)))
        made = self.into(vectors) + itself(words) + (last if inner is None else last * inner)
        return made + after(nn.functional.pad(behind[:, 1:], (0, 0, 0, 1)))

    def read(
        self,
        made: torch.Tensor,
        marks: torch.Tensor,
        places: torch.Tensor,
        there: torch.Tensor | None,
    ) -> torch.Tensor:
        """The logits of every piece; ``there`` is false where a batch is padded."""
        made = made + self.places[places] + marks @ self.marks
        made = self.drop(self.in_norm(made))
        for layer in self.layers:
            made = layer(made, there)
        return self.out(self.out_norm(made))


class Axes(NamedTuple):
    """The main axes of some vectors: ``(vectors - mean) @ turn`` keeps most of them in fewer numbers."""

    mean: NDArray[np.float32]
    turn: NDArray[np.float32]

    @classmethod
    def of(cls, vectors: NDArray[np.float32], kept: int, *, centred: bool = True) -> Axes:
        """Those of a sample (n, hidden), scaled to a mean spread of 1."""
        mean = vectors.mean(axis=0) if centred else np.zeros(vectors.shape[1])
        spread, axes = np.linalg.eigh(np.cov((vectors - mean).T))
        turn = axes[:, ::-1][:, :kept] / np.sqrt(spread[::-1][:kept].mean())
        return cls(mean.astype(np.float32), turn.astype(np.float32))


class Example(NamedTuple):
    """A row as it is learnt from: its turned vectors, marks, places and labels."""

    vectors: NDArray[np.float32]
    words: NDArray[np.float32]
    marks: NDArray[np.float32]
    places: NDArray[np.int64]
    labels: NDArray[np.int64]
    weight: float


class Fitted(NamedTuple):
    """A network that was learnt, and the axes that its vectors are turned to."""

    network: Network
    axes: Axes
    word_axes: Axes

    def store(self, folder: Path) -> None:
        """Write the graphs that the runtime reads, over the encoder's vectors as they are."""
        width, hidden = self.network.out_norm.normalized_shape[0], len(self.axes.mean)
        values, narrowed = torch.rand(1, 5, 2 * hidden), torch.rand(1, 5, width)
        marks, places = torch.rand(1, 5, len(MARKS)), torch.zeros(1, 5, dtype=torch.int64)
        pieces = {1: "pieces"}
        narrow, head = (folder / name for name in GRAPHS)
        write_graph(narrow, _Narrow(self), (values,), {"values": pieces}, {"narrowed": pieces})
        write_graph(
            head,
            _Head(self.network),
            (narrowed, marks, places),
            {"narrowed": pieces, "marks": pieces, "places": pieces},
            {"logits": pieces},
        )


class _Narrow(nn.Module):
    """What reads the values of one sentence."""

    def __init__(self, fitted: Fitted) -> None:
        super().__init__()
        self.network, self.hidden = fitted.network, len(fitted.axes.mean)
        for name in ("axes", "word_axes"):
            self.register_buffer(f"{name}_mean", torch.from_numpy(getattr(fitted, name).mean))
            self.register_buffer(f"{name}_turn", torch.from_numpy(getattr(fitted, name).turn))

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        vectors, words = values[:, :, : self.hidden], values[:, :, self.hidden :]
        return self.network.narrowed(
            (vectors - self.axes_mean) @ self.axes_turn, (words - self.word_axes_mean) @ self.word_axes_turn
        )


class _Head(nn.Module):
    """What reads a sentence and its frame."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, narrowed: torch.Tensor, marks: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
        return self.network.read(narrowed, marks, places, None)


def fitted(reader: FrameReader, rows: Sequence[Row], shape: Shape, seed: int) -> Fitted:
    """The network that fits the rows."""
    torch.manual_seed(seed)
    chance = np.random.default_rng(seed)
    sample = [reader(rows[at].framed) for at in chance.permutation(len(rows))[:1500]]
    vectors, words = np.hsplit(np.concatenate([one.values for one in sample]), 2)
    axes, word_axes = Axes.of(vectors, shape.kept), Axes.of(words, shape.kept_words, centred=False)
    examples = [_example(reader, row, axes, word_axes) for row in rows]
    network = Network(shape)
    optimiser = torch.optim.AdamW(network.parameters(), lr=shape.rate, weight_decay=shape.decay)
    lengths = np.array([len(one.vectors) for one in examples])
    steps, step = shape.epochs * math.ceil(len(rows) / shape.batch), 0
    network.train()
    for epoch in range(shape.epochs):
        total = 0.0
        for batch in _batches(lengths, shape.batch, chance):
            for group in optimiser.param_groups:
                group["lr"] = shape.rate * min(1.0, (step + 1) / 100) * (1 - step / steps)
            loss = _loss(network, [examples[at] for at in batch])
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            total += loss.item() * len(batch)
            step += 1
        logging.info("epoch %d of %d: loss %.3f", epoch + 1, shape.epochs, total / len(rows))
    network.eval()
    return Fitted(network, axes, word_axes)


def _example(reader: FrameReader, row: Row, axes: Axes, word_axes: Axes) -> Example:
    read = reader(row.framed)
    vectors, words = np.hsplit(read.values, 2)
    turned = ((vectors - axes.mean) @ axes.turn).astype(np.float32)
    words = (words @ word_axes.turn).astype(np.float32)
    return Example(turned, words, read.marks, read.places, labels_of(row, read.spans), row.weight)


def _loss(network: Network, examples: Sequence[Example]) -> torch.Tensor:
    vectors, words, marks, places, there, labels, weights = _padded(examples)
    logits = network(vectors, words, marks, places, there)[:, : labels.shape[1]]
    losses = nn.functional.cross_entropy(logits.transpose(1, 2), labels, ignore_index=-1, reduction="none")
    known = (labels >= 0).float()
    return ((losses * known).sum(1) / known.sum(1).clamp(min=1) * weights).sum() / weights.sum()


def _batches(lengths: np.ndarray, size: int, chance: np.random.Generator) -> Iterator[np.ndarray]:
    """Rows of like length, in a drawn order."""
    order = np.argsort(lengths + chance.uniform(0, 12, len(lengths)), kind="stable")
    parts = np.split(order, range(size, len(order), size))
    for at in chance.permutation(len(parts)):
        yield parts[at]


def _padded(examples: Sequence[Example]) -> tuple[torch.Tensor, ...]:
    longest = max(len(one.vectors) for one in examples)
    own = max(len(one.labels) for one in examples) + 1
    vectors = torch.zeros(len(examples), longest, examples[0].vectors.shape[1])
    words = torch.zeros(len(examples), longest, examples[0].words.shape[1])
    marks = torch.zeros(len(examples), longest, len(MARKS))
    places = torch.zeros(len(examples), longest, dtype=torch.long)
    there = torch.zeros(len(examples), longest, dtype=torch.bool)
    labels = torch.full((len(examples), own), -1)
    for at, one in enumerate(examples):
        size = len(one.vectors)
        vectors[at, :size], words[at, :size] = torch.from_numpy(one.vectors), torch.from_numpy(one.words)
        marks[at, :size] = torch.from_numpy(one.marks)
        places[at, :size], there[at, :size] = torch.from_numpy(one.places), True
        labels[at, 1 : len(one.labels) + 1] = torch.from_numpy(one.labels)
    return vectors, words, marks, places, there, labels, torch.tensor([one.weight for one in examples])
