"""Compare ways to combine the entailments of a long premise's windows, and lengths of the windows.

``python -m benchmarks.aggregation [--rows 100] [--budgets 48,96,144] [--model DIR]``, with ``VERIFIER_DATA`` set.

It reads the real sets whose premises are longer than one window. The threshold of each way is fixed on the odd rows of
all sets; balanced accuracy is over the even rows, AUROC over all. ``whole`` is the mean over the windows, the least
that a way must beat. ``gathered`` reads one window only: the sentences nearest to the claim.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from tokenizers import Tokenizer
from verifier_signals.nli import NLISignal
from verifier_signals.nli.windows import gathered_spans, pieces_of, window_spans
from verifier_signals.types import TextPair

from benchmarks.evaluation import claims_of, read_sets
from verifier.measure.metrics import auroc, balanced_accuracy, best_threshold
from verifier.measure.rows import LabelledRow

SETS = (
    "frank.valid",
    "wice_claim.dev",
    "begin_tc.dev",
    "begin_cmu.dev",
    "summedits_news.test",
    "summedits_ectsum.test",
    "summedits_samsum.test",
    "summedits_scitldr.test",
)

Windows = NDArray[np.float64]

WAYS: dict[str, Callable[[Windows], float]] = {
    "highest": lambda e: float(e[:-1].max()),
    "mean of the two highest": lambda e: float(np.sort(e[:-1])[-2:].mean()),
    "mean of the three highest": lambda e: float(np.sort(e[:-1])[-3:].mean()),
    "noisy or": lambda e: float(1.0 - np.prod(1.0 - e[:-1])),
    "whole": lambda e: float(e[:-1].mean()),
    "gathered": lambda e: float(e[-1]),
    "highest of windows and gathered (in use)": lambda e: float(e.max()),
    "mean of highest and gathered": lambda e: float((e[:-1].max() + e[-1]) / 2),
}
"""From the entailments of a premise's windows, and by what is gathered from it (the last), to one."""


def cut(tokenizer: Tokenizer, text: str, claim: str, budget: int) -> list[str]:
    """The text in windows of at most ``budget`` tokens, and what it gathers for a claim."""
    offsets = tokenizer.encode(text, add_special_tokens=False).offsets
    pieces = pieces_of(text, offsets, budget)
    windows = [text[start:end] for start, end in window_spans(pieces, budget)] or [text]
    spans = gathered_spans(text, pieces, claim, budget)
    return [*windows, " ".join(text[start:end] for start, end in spans) or windows[0]]


def entailments(
    signal: NLISignal, tokenizer: Tokenizer, text: str, claims: Sequence[str], budget: int
) -> list[Windows]:
    """The entailment of each claim by each window."""
    cuts = [cut(tokenizer, text, claim, budget) for claim in claims]
    asked = [TextPair(window, claim) for claim, own in zip(claims, cuts, strict=True) for window in own]
    scores = iter(signal.score(asked))
    return [np.array([next(scores).support or 0.0 for _ in own]) for own in cuts]


def figures(
    signal: NLISignal, tokenizer: Tokenizer, sets: dict[str, list[LabelledRow]], budget: int
) -> Iterator[tuple[str, float, float]]:
    """Each way with its mean balanced accuracy and mean AUROC."""
    read = {
        name: [
            entailments(
                signal,
                tokenizer,
                row.premise or "",
                [item.hypothesis for item in claims_of(row.claim)],
                budget,
            )
            for row in rows
        ]
        for name, rows in sets.items()
    }
    truth = {name: [row.is_supported for row in rows] for name, rows in sets.items()}
    for way, together in WAYS.items():
        scores = {name: [min(map(together, claims)) for claims in rows] for name, rows in read.items()}
        threshold = best_threshold([(truth[name][::2], scores[name][::2]) for name in sets])
        called = {name: [score >= threshold for score in scores[name][1::2]] for name in sets}
        yield (
            way,
            float(np.mean([balanced_accuracy(truth[name][1::2], called[name]) or 0.0 for name in sets])),
            float(np.mean([auroc(truth[name], scores[name]) or 0.0 for name in sets])),
        )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--budgets", default="48,96,144", help="tokens of a premise's windows")
    parser.add_argument("--model", type=Path, default=Path("signals/verifier_signals/models/nli"))
    arguments = parser.parse_args()
    data = os.environ.get("VERIFIER_DATA")
    if not data:
        sys.exit("set VERIFIER_DATA to the data folder")
    sets = read_sets(Path(data), SETS, arguments.rows)
    signal = NLISignal(str(arguments.model), cache_size=0)
    tokenizer = Tokenizer.from_file(str(arguments.model / "tokenizer.json"))
    table = Table("window", "way", "mean balanced accuracy", "mean AUROC")
    for budget in map(int, arguments.budgets.split(",")):
        for way, balanced, area in figures(signal, tokenizer, sets, budget):
            table.add_row(str(budget), way, f"{balanced:.3f}", f"{area:.3f}")
        table.add_section()
    Console().print(table)


if __name__ == "__main__":
    main()
