"""Ablation of the signals: accuracy, false support and supported recall without each signal, and with each alone.

    python -m benchmarks.ablation [--corpus fresh_a,fresh_b,...] [--json FILE]

For every row the fusion is learnt anew from what the remaining signals say (``verifier.measure.learn``), and each
claim is judged by weights that were learnt from the other folds. Which windows are about the same thing is settled
once, with all signals. Nothing is withheld: the threshold of support is set for one fusion and would say more of
itself than of the signals. *False support* is the share of contradicted and fabricated claims that are called
supported, *recall* the share of supported ones that are found.

Below that, nothing is left out but the windows that can speak of less of a claim than a share of what its best one
covers (``retrieval.least_reach``).

Traceability chooses the windows that the others read and cannot be left out of that; what is left out is what the
fusion learns from it. The other signals are tried alone beside it for the same reason.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from pathlib import Path

from verifier_signals.types import SignalScore

from benchmarks.labelled import LABELLED, VOUCHING, called_shares, read_samples
from verifier.config import SIGNALS
from verifier.measure.learn import Learnt, learn
from verifier.measure.samples import Sample
from verifier.verification.decision.features import COMPARING, WindowScores, reaching

__all__ = ["Figures", "ablation", "lines", "without"]

CHOOSER = "traceability"
SAYS_NOTHING: Mapping[str, float] = {"coverage": 1.0, "order": 1.0, "novel": 0.0}
"""Features of traceability that are the same for every window."""
LEAST_REACH = (0.6, 0.7, 0.8, 0.9)
"""Shares of the best window's coverage that are tried."""


@dataclass(frozen=True)
class Figures:
    """One row: the signals that the fusion learnt from, and its shares in [0, 1], out of fold."""

    name: str
    signals: tuple[str, ...]
    accuracy: float
    false_support: float
    supported_recall: float


def without(sample: Sample, silent: Collection[str]) -> Sample:
    """The sample as it is when these signals say nothing; traceability then says the same of every window."""
    read = sample.read
    kept = replace(
        read,
        readings=tuple(_silenced(reading, silent) for reading in read.readings),
        wide=tuple(_silenced(reading, silent) for reading in read.wide),
        words_untraced=0.0 if CHOOSER in silent else read.words_untraced,
        settled=None if "negation" in silent else read.settled,
    )
    return replace(sample, read=kept)


def nearest(sample: Sample, share: float) -> Sample:
    """The sample without the windows that can speak of less than that share of what the best one covers."""
    readings = sample.read.readings
    compared = [
        item.claim_span for reading in readings for name in COMPARING for item in reading.findings(name)
    ]
    enough = reaching([reading.scores[CHOOSER] for reading in readings], compared, share)
    return replace(sample, read=replace(sample.read, readings=tuple(compress(readings, enough))))


def ablation(samples: Sequence[Sample], nli: str) -> Iterator[Figures]:
    """All signals, each left out, traceability alone and with one other, and the nearest windows alone."""
    whole = learn(samples, nli)
    yield _figures("all signals", SIGNALS, samples, whole)
    for name, speaking in _variants():
        silent = [signal for signal in SIGNALS if signal not in speaking]
        heard = [without(sample, silent) for sample in samples]
        learnt = learn(heard, nli if "nli" in speaking else "none", same_thing=[whole.fusion.same_thing])
        yield _figures(name, speaking, samples, learnt)
    for share in LEAST_REACH:
        near = [nearest(sample, share) for sample in samples]
        read = sum(len(sample.read.readings) for sample in near)
        name = f"windows reaching {share:g} of the best ({read / sum(len(s.read.readings) for s in samples):.0%})"
        learnt = learn(near, nli, same_thing=[whole.fusion.same_thing])
        yield _figures(name, SIGNALS, samples, learnt)


def lines(rows: Sequence[Figures]) -> Iterator[str]:
    """The table as Markdown; differences are to the first row, in points."""
    yield "| signals | accuracy | to all | false support | supported recall |"
    yield "|---|---|---|---|---|"
    for row in rows:
        change = 100 * (row.accuracy - rows[0].accuracy)
        yield (
            f"| {row.name} | {row.accuracy:.1%} | {change:+.1f} | {row.false_support:.1%} "
            f"| {row.supported_recall:.1%} |"
        )


def _silenced(reading: WindowScores, silent: Collection[str]) -> WindowScores:
    scores: dict[str, SignalScore] = {}
    for name, score in reading.scores.items():
        if name not in silent:
            scores[name] = score
        elif name == CHOOSER:
            scores[name] = replace(score, features=SAYS_NOTHING, findings=())
    return WindowScores(reading.window, scores)


def _variants() -> Iterator[tuple[str, Sequence[str]]]:
    """The name of each row below the first, and the signals that speak in it."""
    for name in SIGNALS:
        yield f"without {name}", [other for other in SIGNALS if other != name]
    yield f"{CHOOSER} alone", [CHOOSER]
    for name in SIGNALS:
        if name != CHOOSER:
            yield f"{CHOOSER} and {name}", [CHOOSER, name]


def _figures(name: str, speaking: Sequence[str], samples: Sequence[Sample], learnt: Learnt) -> Figures:
    false_support, supported_recall = called_shares(samples, learnt)
    return Figures(
        name,
        tuple(speaking),
        accuracy=float(learnt.fusion.figures["accuracy"]),
        false_support=false_support,
        supported_recall=supported_recall,
    )


def main() -> None:
    """Parse arguments, run, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", default=",".join(VOUCHING), help=f"of {', '.join(LABELLED)}")
    parser.add_argument("--json", type=Path, help="write the figures there")
    arguments = parser.parse_args()
    names = arguments.corpus.split(",")
    if unknown := [name for name in names if name not in LABELLED]:
        parser.error(f"no such claims as {', '.join(unknown)}; known: {', '.join(LABELLED)}")
    read, nli = read_samples(names, {"retrieval.least_reach": 0.0})
    samples = [sample for some in read.values() for sample in some]
    rows = list(ablation(samples, nli))
    print("\n".join(lines(rows)))
    if arguments.json:
        result = {"claims": len(samples), "nli": nli, "rows": [vars(row) for row in rows]}
        arguments.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
