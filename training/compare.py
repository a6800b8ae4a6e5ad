"""Compare model folders on held-back pairs: how right each is, how far from the first, how fast.

The first folder is the reference, as a rule the float export, that the quantised ones are held against.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from verifier_signals.nli import NLISignal
from verifier_signals.nli.kinds import CLASSES
from verifier_signals.types import TextPair

from training.data import Pair
from verifier.measure.metrics import balanced_accuracy

__all__ = ["Compared", "compare"]


class Compared(NamedTuple):
    """One model on the pairs."""

    model: str
    megabytes: float
    accuracy: float
    """Three-way, over the pairs whose label is one of the three."""
    balanced: float
    """Balanced accuracy of entailment."""
    distance: float
    """Mean absolute difference of the probability of entailment from the first model's."""
    milliseconds: float
    """CPU time a pair, one thread."""


def compare(folders: Sequence[Path], pairs: Sequence[Pair]) -> Iterator[Compared]:
    """Score the pairs with each model, one thread, nothing cached."""
    asked = [TextPair(pair.premise, pair.hypothesis) for pair in pairs]
    entailed = [pair.label == "entailment" for pair in pairs]
    first: np.ndarray[tuple[int], np.dtype[np.float64]] | None = None
    for folder in folders:
        signal = NLISignal(str(folder), threads=1, cache_size=0)
        signal.score(asked[:4])
        began = time.process_time()
        scores = signal.score(asked)
        spent = time.process_time() - began
        chances = np.array([[score.features[name] for name in CLASSES] for score in scores])
        first = chances[:, 0] if first is None else first
        hits = [
            CLASSES[int(row.argmax())] == pair.label
            for row, pair in zip(chances, pairs, strict=True)
            if pair.label in CLASSES
        ]
        yield Compared(
            folder.name,
            sum(path.stat().st_size for path in folder.iterdir()) / 1e6,
            float(np.mean(hits)),
            balanced_accuracy(entailed, (chances[:, 0] >= 0.5).tolist()) or 0.0,
            float(np.abs(chances[:, 0] - first).mean()),
            1000 * spent / len(asked),
        )
