"""Learn from which probability on the signals need no reader, on labelled claims that a reader has read.

Everything is judged out of fold: what the signals alone decide of a claim, and what is decided with the reader.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from verifier.measure.learn import Learnt, learn
from verifier.measure.samples import Sample
from verifier.types import Verdict
from verifier.verification.decision.verdict import Decided

__all__ = ["ANY_NLI", "Trial", "learn_with_reader", "settled_at"]

ANY_NLI = "any"
"""What stands for the NLI model in weights that no NLI model has a part in."""

GRID = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.97, 0.98, 0.99, 1.01)
"""Probabilities from which on a verdict of the signals may stand; the last one is never reached."""
MOST_LOST = 0.009
"""Share of all claims that may be wrong because the reader was not asked, over those that are right because of it: less
than the point that ``read = "open"`` may cost."""
MOST_FALSE = 0.002
"""Share of all claims that may be called supported wrongly because the reader was not asked."""


@dataclass(frozen=True)
class Trial:
    """Claims with labels, what the signals alone decide of each, and what is decided with the reader; out of fold."""

    samples: Sequence[Sample]
    alone: Sequence[Decided]
    read: Sequence[Decided]


def learn_with_reader(
    samples: Sequence[Sample], nli: str, reader: str, *, teaching: Sequence[Sample] = ()
) -> tuple[Learnt, Trial]:
    """Weights for claims that a reader has read, whatever NLI model there is, and where it need not be asked.

    Args:
        samples: claims that vouch, each with what the reader says of it.
        nli: fingerprint of the NLI model among the signals.
        reader: identity or kind of the reader, put into the fusion.
        teaching: further claims that teach the weights and nothing else.
    """
    alone = learn([_unread(one) for one in samples], nli, teaching=[_unread(one) for one in teaching])
    learnt = learn(samples, "none", teaching=teaching)
    made = Trial(samples, alone.decided, learnt.decided)
    fusion = replace(learnt.fusion, nli=ANY_NLI, reader=reader, settled_at=settled_at(made))
    return replace(learnt, fusion=fusion), made


def settled_at(made: Trial) -> dict[str, float]:
    """By verdict the least probability of the signals' own verdict from which on the reader is not asked.

    Of all choices from ``GRID`` that keep to ``MOST_LOST`` and ``MOST_FALSE`` the one that settles most claims; among
    equals, the one that loses least.
    """
    verdicts = [Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.FABRICATED, Verdict.UNVERIFIABLE]
    rows = [
        (
            alone.verdict,
            alone.confidence if not alone.conflict else 0.0,
            int(read.verdict is sample.verdict) - int(alone.verdict is sample.verdict),
            int(_falsely_supported(alone, sample)) - int(_falsely_supported(read, sample)),
        )
        for sample, alone, read in zip(made.samples, made.alone, made.read, strict=True)
    ]
    sums = {verdict: [_sums(rows, verdict, threshold) for threshold in GRID] for verdict in verdicts}
    best = max(_choices(sums, verdicts, len(rows)), key=lambda item: item[0])
    return {verdict.value: GRID[at] for verdict, at in zip(verdicts, best[1], strict=True) if GRID[at] <= 1}


_Row = tuple[Verdict, float, int, int]


def _sums(rows: Sequence[_Row], verdict: Verdict, threshold: float) -> tuple[int, int, int]:
    """Of the claims that a threshold settles: their number, how many are lost, and how many are falsely supported."""
    settled = [row for row in rows if row[0] is verdict and row[1] >= threshold]
    return len(settled), sum(row[2] for row in settled), sum(row[3] for row in settled)


def _choices(
    sums: Mapping[Verdict, Sequence[tuple[int, int, int]]], verdicts: Sequence[Verdict], claims: int
) -> Iterator[tuple[tuple[int, int], tuple[int, ...]]]:
    for places in itertools.product(range(len(GRID)), repeat=len(verdicts)):
        parts = [sums[verdict][at] for verdict, at in zip(verdicts, places, strict=True)]
        settled, lost, falsely = (sum(part[n] for part in parts) for n in range(3))
        if lost <= MOST_LOST * claims and falsely <= MOST_FALSE * claims:
            yield (settled, -lost), places


def _falsely_supported(decided: Decided, sample: Sample) -> bool:
    return decided.verdict is Verdict.SUPPORTED and not sample.supported


def _unread(sample: Sample) -> Sample:
    return replace(sample, read=replace(sample.read, consulted=None))
