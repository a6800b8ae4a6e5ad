"""Make a table of token vectors whose mean stands in for a sentence encoder.

Distilled as in Model2Vec (Minish Lab 2024): every word piece goes through the encoder by itself, the vectors are
reduced by principal components, and each is weighed by its rarity, a / (a + p) (Arora et al. 2017, "A simple but
tough-to-beat baseline for sentence embeddings"). The table is then taught by gradient: to give for a whole text what
the encoder gives, and to put a claim nearer to its evidence than to the evidence of other claims.
"""

from __future__ import annotations

import itertools
import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - the field's usual name

from training.encoders.model import TextEncoder
from training.tables import four_bit, packed

__all__ = [
    "Lesson",
    "Schedule",
    "batches",
    "contrast",
    "distil",
    "evidence_rows",
    "frequencies",
    "piece_vectors",
    "same_evidence",
    "save_table",
    "teach",
]

BLOCK = 64
"""Values of a row that share a scale in the file; with 32 the development pool is found no better."""
RARITY = 1e-4
"""The constant a of the rarity weight: words of that share of all tokens weigh one half."""


def piece_vectors(
    model: TextEncoder, frame: tuple[list[int], list[int]], batch: int = 512
) -> NDArray[np.float32]:
    """The encoder's pooled vector of every word piece by itself, (vocabulary, hidden), not normalised."""
    before, behind = (torch.tensor(ids) for ids in frame)
    rows = []
    with torch.inference_mode():
        for start in range(0, model.config.vocabulary, batch):
            ids = torch.arange(start, min(start + batch, model.config.vocabulary))
            framed = torch.cat(
                [before.expand(len(ids), -1), ids[:, None], behind.expand(len(ids), -1)], dim=1
            )
            rows.append(model(framed).mean(dim=1).numpy())
    return np.concatenate(rows)


def frequencies(texts: Sequence[Sequence[int]], vocabulary: int) -> NDArray[np.float64]:
    """Share of each token among all of ``texts``, each occurrence and one beyond counted: none is 0."""
    counts = np.bincount(np.fromiter(itertools.chain.from_iterable(texts), np.int64), minlength=vocabulary)
    return (counts + 1.0) / (counts + 1.0).sum()


def distil(
    vectors: NDArray[np.float32], shares: NDArray[np.float64], dimension: int, rarity: float = RARITY
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The table (vocabulary, dimension), and the axes (hidden, dimension) it was made with.

    Components are those of the tokens as texts use them: each counts by the root of its share.
    """
    weight = np.sqrt(shares)
    mean = (vectors * weight[:, None]).sum(axis=0) / weight.sum()
    centred = vectors - mean
    _, axes = np.linalg.eigh((centred * weight[:, None]).T @ centred)
    axes = axes[:, ::-1][:, :dimension].astype(np.float32)
    table = (centred @ axes) * (rarity / (rarity + shares))[:, None]
    # One length for all tables, so that a rate of learning means the same for each.
    table /= np.linalg.norm(table, axis=1).mean()
    return table.astype(np.float32), axes


@dataclass(frozen=True)
class Lesson:
    """Pairs to tell apart and texts to imitate, as token ids."""

    claims: Sequence[Sequence[int]]
    evidence: Sequence[Sequence[int]]
    hard: NDArray[np.int64]
    """For each pair the rows of ``evidence`` that look relevant and are not, (pairs, hard negatives)."""
    texts: Sequence[Sequence[int]]
    targets: NDArray[np.float32]
    """What the encoder gives for ``texts``, in the table's axes, (texts, dimension)."""


@dataclass(frozen=True)
class Schedule:
    """How the table is taught."""

    steps: int = 1000
    batch: int = 256
    rate: float = 3e-3
    temperature: float = 0.05
    imitation: float = 3.0
    """Weight of the loss against the encoder's vectors."""
    hard: int = 1
    """Hard negatives a pair, beside those of the batch."""
    seed: int = 13


def teach(table: NDArray[np.float32], lesson: Lesson, schedule: Schedule) -> NDArray[np.float32]:
    """The table after ``schedule``; it starts from ``table`` and is changed token by token."""
    torch.manual_seed(schedule.seed)
    rng = np.random.default_rng(schedule.seed)
    bag = nn.EmbeddingBag.from_pretrained(torch.from_numpy(table.copy()), freeze=False, mode="sum")
    optimiser = torch.optim.Adam(bag.parameters(), lr=schedule.rate)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.02, schedule.steps)
    pairs, texts = (
        batches(rng, len(lesson.claims), schedule.batch),
        batches(rng, len(lesson.texts), schedule.batch),
    )
    started, running = time.monotonic(), 0.0
    for step in range(schedule.steps):
        loss = torch.zeros(())
        if len(lesson.claims):
            rows = next(pairs)
            evidence = evidence_rows(lesson, rows, schedule.hard)
            asked = _pooled(bag, [lesson.claims[row] for row in rows])
            found = _pooled(bag, [lesson.evidence[row] for row in evidence])
            loss = loss + contrast(
                asked, found, same_evidence(lesson, evidence, len(rows)), schedule.temperature
            )
        if schedule.imitation and len(lesson.texts):
            rows = next(texts)
            near = _pooled(bag, [lesson.texts[row] for row in rows])
            wanted = F.normalize(torch.from_numpy(lesson.targets[rows]), dim=-1)
            loss = loss + schedule.imitation * (1.0 - (near * wanted).sum(dim=-1)).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        scheduler.step()
        running += (loss.item() - running) / min(step + 1, 100)
        if (step + 1) % 250 == 0:
            logging.info("step %d: loss %.4f, %.0f s", step + 1, running, time.monotonic() - started)
    return bag.weight.detach().numpy()


def evidence_rows(lesson: Lesson, rows: NDArray[np.int64], hard: int) -> list[int]:
    """Rows of the evidence that a batch of pairs is told apart from: its own first, then its hard negatives."""
    return list(dict.fromkeys([*rows.tolist(), *lesson.hard[rows, :hard].ravel().tolist()]))


def same_evidence(lesson: Lesson, rows: Sequence[int], own: int) -> Tensor:
    """Where the evidence of two rows is the same text, and is no negative: (own, rows); false for a row and itself."""
    places: dict[tuple[int, ...], int] = {}
    text = torch.tensor([places.setdefault(tuple(lesson.evidence[row]), len(places)) for row in rows])
    same: Tensor = text[:own, None] == text[None, :]
    same[torch.arange(own), torch.arange(own)] = False
    return same


def contrast(asked: Tensor, found: Tensor, same: Tensor, temperature: float) -> Tensor:
    """Cross entropy of each claim's evidence among all that stands there, and of the claim among the batch's claims.

    InfoNCE (van den Oord et al. 2018, arXiv:1807.03748) with in-batch negatives, both ways.

    Args:
        asked: unit vectors of the claims (claims, dimension).
        found: unit vectors of their evidence, in their order, and of further evidence (at least claims, dimension).
        same: pairs of them that are no negatives (claims, evidence).
        temperature: what cosines are divided by.
    """
    scores = (asked @ found.T / temperature).masked_fill(same, -1e4)
    own = torch.arange(len(asked))
    return F.cross_entropy(scores, own) + F.cross_entropy(scores[:, : len(asked)].T, own)


def _pooled(bag: nn.EmbeddingBag, texts: Sequence[Sequence[int]]) -> Tensor:
    """Unit vectors (texts, dimension)."""
    flat = torch.from_numpy(np.fromiter(itertools.chain.from_iterable(texts), np.int64))
    starts = torch.tensor([0, *itertools.accumulate(map(len, texts))][:-1])
    return F.normalize(bag(flat, starts), dim=-1)


def batches(rng: np.random.Generator, count: int, size: int) -> Iterator[NDArray[np.int64]]:
    """Rows in random order, epoch after epoch."""
    while count:
        order = rng.permutation(count)
        for start in range(0, max(1, count - size + 1), size):
            yield order[start : start + size]


def save_table(table: NDArray[np.float32], path: Path) -> None:
    """Write a table in 4 bits, a scale for each block, as :mod:`verifier_backends.encoders.static` reads it."""
    values, scales = four_bit(table, BLOCK)
    np.savez(path, packed=packed(values), scales=scales)
