"""Cut labelled rows of the development sets into the windows that a model reads, as token ids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from tokenizers import Tokenizer
from verifier_signals.nli.signal import windowed
from verifier_signals.types import TextPair

from benchmarks.evaluation import REAL, claims_of
from training.development import DevelopmentSets
from training.tokens import CODES, TokenizedPairs
from verifier.core.onnx import PairTokenizer
from verifier.measure.rows import LabelledRow

__all__ = ["development_sets"]


def development_sets(
    sets: Mapping[str, Sequence[LabelledRow]], tokenizer: Tokenizer, max_length: int
) -> DevelopmentSets:
    """The sets as :class:`verifier_signals.nli.NLISignal` would read them with a model of ``max_length`` tokens.

    Args:
        sets: as :func:`benchmarks.evaluation.read_sets` gives them.
        tokenizer: the model's; its truncation and padding are switched off.
        max_length: tokens of the longest window, with its claim.
    """
    reader = PairTokenizer(tokenizer)
    rows = [row for own in sets.values() for row in own]
    claims = [(number, claim.hypothesis) for number, row in enumerate(rows) for claim in claims_of(row.claim)]
    ids: list[np.ndarray[tuple[int], np.dtype[np.uint16]]] = []
    claim_of: list[int] = []
    for number, (row, claim) in enumerate(claims):
        for window in _windows(reader, TextPair(rows[row].premise or "", claim), max_length):
            ids.append(window)
            claim_of.append(number)
    return DevelopmentSets(
        windows=_unlabelled(ids),
        claim_of=np.array(claim_of, dtype=np.int64),
        row_of=np.array([row for row, _ in claims], dtype=np.int64),
        set_of=np.repeat(np.arange(len(sets)), [len(own) for own in sets.values()]),
        supported=np.array([row.is_supported for row in rows], dtype=np.bool_),
        names=list(sets),
        real=[name for name in sets if name in REAL],
    )


def _windows(
    reader: PairTokenizer, pair: TextPair, limit: int
) -> Iterator[np.ndarray[tuple[int], np.dtype[np.uint16]]]:
    """None for a claim that leaves half of the input or less to its premise, or for a text without a letter."""
    if not all(any(map(str.isalnum, text)) for text in pair):
        return
    encoded = dict(zip(pair, reader.encode(list(pair)), strict=True))
    if len(encoded[pair.hypothesis].ids) > limit // 2:
        return
    for window in windowed(reader, limit, pair, encoded):
        yield window.input_ids.astype(np.uint16)


def _unlabelled(rows: Sequence[np.ndarray[tuple[int], np.dtype[np.uint16]]]) -> TokenizedPairs:
    """The rows as pairs whose labels are never looked at."""
    count = len(rows)
    return TokenizedPairs(
        ids=np.concatenate(rows) if rows else np.zeros(0, np.uint16),
        starts=np.cumsum([0, *map(len, rows)], dtype=np.int64),
        claims=np.zeros(count, dtype=np.int64),
        labels=np.full(count, CODES["not_entailment"], dtype=np.int64),
        weights=np.ones(count, dtype=np.float32),
        relevance=np.full(count, -1, dtype=np.int64),
        taught=np.full((count, 3), np.nan, dtype=np.float32),
    )
