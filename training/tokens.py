"""Tokenize pairs and make padded batches of like length, with one tokenizer file per architecture.

A batch is of whole pairs, or, for the split model, of premises and the claims about them: there a premise is encoded
once for all of its claims in the batch.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from tokenizers.processors import TemplateProcessing
from torch import Tensor

from training.data import Pair, weight_of

__all__ = [
    "Batch",
    "SharedBatch",
    "TokenizedPairs",
    "batches",
    "pair_tokenizer",
    "shared_batches",
    "shorter_than",
    "tokenize",
]

CODES = {"entailment": 0, "neutral": 1, "contradiction": 2, "not_entailment": 3}
"""Label codes: the first three are positions of the logits."""


def pair_tokenizer(source: Path, split: bool, max_length: int) -> Tokenizer:
    """The encoder's tokenizer, writing pairs as the model reads them; the longer text is cut to make ``max_length``.

    In the split form the hypothesis has a ``[CLS]`` of its own, since the encoder reads it as a text by itself.
    """
    tokenizer = Tokenizer.from_file(str(source))
    opening = " [CLS]:1" if split else ""
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair=f"[CLS] $A [SEP]{opening} $B:1 [SEP]:1",
        special_tokens=[(name, tokenizer.token_to_id(name)) for name in ("[CLS]", "[SEP]")],
    )
    tokenizer.enable_truncation(max_length, strategy="longest_first")
    tokenizer.no_padding()
    return tokenizer


@dataclass(frozen=True)
class TokenizedPairs:
    """Pairs as ids: row ``i`` is ``ids[starts[i]:starts[i + 1]]``, its hypothesis the last ``claims[i]`` of them."""

    ids: NDArray[np.uint16]
    starts: NDArray[np.int64]
    claims: NDArray[np.int64]
    labels: NDArray[np.int64]
    weights: NDArray[np.float32]
    relevance: NDArray[np.int64]
    """1 relevant, 0 irrelevant, -1 unknown."""
    taught: NDArray[np.float32]
    """(rows, 3): a teacher's probabilities, NaN where none was asked."""

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Tokens of each row."""
        return np.diff(self.starts)

    def parts(self, row: int) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
        """The ids of a row's premise and of its hypothesis."""
        start, end = int(self.starts[row]), int(self.starts[row + 1])
        middle = end - int(self.claims[row])
        return self.ids[start:middle], self.ids[middle:end]


@dataclass(frozen=True)
class Batch:
    """Model inputs, int64 (rows, tokens), with labels, weights and relevance (rows,) and a teacher's say (rows, 3)."""

    ids: Tensor
    attention: Tensor
    types: Tensor
    labels: Tensor
    weights: Tensor
    relevance: Tensor
    taught: Tensor
    rows: list[int]


@dataclass(frozen=True)
class SharedBatch:
    """Texts of a split model, each padded on the right: premises (few, tokens) and claims (rows, tokens), int64.

    Row ``i`` is the claim ``i`` with the premise ``owners[i]``; ``_seen`` is 1 at tokens and 0 at padding.
    """

    premises: Tensor
    premises_seen: Tensor
    claims: Tensor
    claims_seen: Tensor
    owners: Tensor
    labels: Tensor
    weights: Tensor
    relevance: Tensor
    taught: Tensor
    rows: list[int]


def tokenize(pairs: Sequence[Pair], tokenizer: Tokenizer, chunk: int = 8192) -> TokenizedPairs:
    """All pairs as ids."""
    rows: list[NDArray[np.uint16]] = []
    claims: list[int] = []
    for begin in range(0, len(pairs), chunk):
        texts = [(pair.premise, pair.hypothesis) for pair in pairs[begin : begin + chunk]]
        for encoding in tokenizer.encode_batch(texts):
            rows.append(np.array(encoding.ids, dtype=np.uint16))
            claims.append(sum(encoding.type_ids))
    return TokenizedPairs(
        ids=np.concatenate(rows) if rows else np.zeros(0, np.uint16),
        starts=np.cumsum([0, *map(len, rows)], dtype=np.int64),
        claims=np.array(claims, dtype=np.int64),
        labels=np.array([CODES[pair.label] for pair in pairs], dtype=np.int64),
        weights=np.array([weight_of(pair.source) for pair in pairs], dtype=np.float32),
        relevance=np.array([-1 if p.relevant is None else int(p.relevant) for p in pairs], dtype=np.int64),
        taught=np.array([p.taught or (np.nan,) * 3 for p in pairs], dtype=np.float32).reshape(-1, 3),
    )


def _collate(pairs: TokenizedPairs, rows: list[int]) -> Batch:
    ids, attention = _padded([pairs.ids[pairs.starts[row] : pairs.starts[row + 1]] for row in rows])
    types = torch.zeros_like(ids)
    for place, row in enumerate(rows):
        premise, claim = map(len, pairs.parts(row))
        types[place, premise : premise + claim] = 1
    return Batch(
        ids,
        attention,
        types,
        torch.from_numpy(pairs.labels[rows]),
        torch.from_numpy(pairs.weights[rows]),
        torch.from_numpy(pairs.relevance[rows]),
        torch.from_numpy(pairs.taught[rows]),
        rows,
    )


def batches(
    pairs: TokenizedPairs, tokens: int, seed: int | None, start: int = 0, pool: int = 4096
) -> Iterator[Batch]:
    """Batches of at most ``tokens`` padded tokens, each of rows of like length.

    With a ``seed`` one epoch in random order (sorted by length within pools of ``pool`` rows, the batches of a pool
    shuffled), skipping the first ``start`` rows; without, every row from the longest to the shortest.
    """
    order = np.arange(len(pairs))
    if seed is not None:
        order = np.random.default_rng(seed).permutation(order)[start:]
    else:
        pool = len(order)
    lengths = pairs.lengths
    for begin in range(0, len(order), max(pool, 1)):
        part = sorted(order[begin : begin + pool].tolist(), key=lambda row: -lengths[row])
        groups: list[list[int]] = []
        while part:
            fit = max(1, tokens // int(lengths[part[0]]))
            groups.append(part[:fit])
            part = part[fit:]
        if seed is not None:
            random.Random(seed * 7919 + begin).shuffle(groups)
        for group in groups:
            yield _collate(pairs, group)


def shared_batches(
    pairs: TokenizedPairs, tokens: int, seed: int, claims_each: int = 8, pool: int = 1024
) -> Iterator[SharedBatch]:
    """One epoch in random order, in batches of at most ``tokens`` padded tokens of pairs.

    At most ``claims_each`` claims of a premise stand in one batch, so that a step does not see few texts only. Premises
    of like length (to 16 tokens) and claims of like length share a batch, within pools of ``pool``.
    """
    rng = np.random.default_rng(seed)
    rows_of: dict[bytes, list[int]] = {}
    for row in rng.permutation(len(pairs)).tolist():
        rows_of.setdefault(pairs.parts(row)[0].tobytes(), []).append(row)
    chunks = [
        rows[at : at + claims_each]
        for rows in (sorted(some, key=lambda row: pairs.claims[row]) for some in rows_of.values())
        for at in range(0, len(rows), claims_each)
    ]

    def lengths(chunk: list[int]) -> tuple[int, int]:
        return len(pairs.parts(chunk[0])[0]) // 16, int(pairs.claims[chunk[-1]])

    order = rng.permutation(len(chunks)).tolist()
    for begin in range(0, len(order), pool):
        part = sorted((chunks[at] for at in order[begin : begin + pool]), key=lengths, reverse=True)
        groups = list(_filled(pairs, part, tokens))
        random.Random(seed * 7919 + begin).shuffle(groups)
        for group in groups:
            yield _collate_shared(pairs, group)


def _filled(pairs: TokenizedPairs, chunks: list[list[int]], tokens: int) -> Iterator[list[list[int]]]:
    """Neighbouring chunks, put together until a batch is full; at least one a batch."""
    group: list[list[int]] = []
    rows = premise = claim = 0
    for chunk in chunks:
        wide, long = len(pairs.parts(chunk[0])[0]), int(pairs.claims[chunk].max())
        if group and (rows + len(chunk)) * (max(premise, wide) + max(claim, long)) > tokens:
            yield group
            group, rows, premise, claim = [], 0, 0, 0
        group.append(chunk)
        rows, premise, claim = rows + len(chunk), max(premise, wide), max(claim, long)
    if group:
        yield group


def _padded(texts: Sequence[NDArray[np.uint16]]) -> tuple[Tensor, Tensor]:
    """Ids and where they are, both int64 (texts, tokens of the longest)."""
    ids = torch.zeros((len(texts), max(map(len, texts))), dtype=torch.int64)
    seen = torch.zeros_like(ids)
    for place, text in enumerate(texts):
        ids[place, : len(text)] = torch.from_numpy(text.astype(np.int64))
        seen[place, : len(text)] = 1
    return ids, seen


def _collate_shared(pairs: TokenizedPairs, group: list[list[int]]) -> SharedBatch:
    rows = [row for chunk in group for row in chunk]
    premises, premises_seen = _padded([pairs.parts(chunk[0])[0] for chunk in group])
    claims, claims_seen = _padded([pairs.parts(row)[1] for row in rows])
    return SharedBatch(
        premises,
        premises_seen,
        claims,
        claims_seen,
        torch.tensor([owner for owner, chunk in enumerate(group) for _ in chunk]),
        torch.from_numpy(pairs.labels[rows]),
        torch.from_numpy(pairs.weights[rows]),
        torch.from_numpy(pairs.relevance[rows]),
        torch.from_numpy(pairs.taught[rows]),
        rows,
    )


def shorter_than(pairs: TokenizedPairs, limit: int) -> TokenizedPairs:
    """The rows of fewer than ``limit`` tokens. A row that fills the limit was cut: its label may no longer hold."""
    kept = np.flatnonzero(pairs.lengths < limit)
    return TokenizedPairs(
        ids=np.concatenate([pairs.ids[pairs.starts[row] : pairs.starts[row + 1]] for row in kept]),
        starts=np.concatenate([[0], np.cumsum(pairs.lengths[kept])]),
        claims=pairs.claims[kept],
        labels=pairs.labels[kept],
        weights=pairs.weights[kept],
        relevance=pairs.relevance[kept],
        taught=pairs.taught[kept],
    )
