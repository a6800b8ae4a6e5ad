"""A model folder and labelled sets go in; the table comes out: balanced accuracy and AUROC, beside word overlap.

A premise longer than the model's input is read in windows of whole sentences by the run time itself, and the highest
entailment counts. ``worst sentence`` reads a hypothesis of several sentences one by one and takes the least supported
one, as the verifier does with a response.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.evaluation import REAL, best_threshold, overlap
from signals.nli import NLISignal
from signals.types import TextPair
from training.data import Pair
from verifier.core.text import sentence_spans
from verifier.measure.metrics import auroc, balanced_accuracy, expected_calibration_error

__all__ = [
    "Figures",
    "as_markdown",
    "calibration",
    "evaluate",
    "fit_temperature",
    "fixed_rows",
    "means",
    "store",
]

Figures = dict[str, dict[str, dict[str, float | None]]]
"""Set -> system -> figure (``balanced_accuracy``, ``auroc``)."""

MEAN = "mean of the real sets"


def fixed_rows(pairs: Sequence[Pair], rows: int | None) -> list[Pair]:
    """``rows`` of the pairs, or all, in a fixed order that has nothing to do with labels, as several sets' has.

    The order is that of ``benchmarks.evaluation``, so that both commands speak of the same rows.
    """

    def key(pair: Pair) -> bytes:
        return hashlib.sha256(f"{pair.premise}\0{pair.hypothesis}".encode("utf-8", "surrogatepass")).digest()

    return sorted(pairs, key=key)[:rows]


def supports(signal: NLISignal, pairs: Sequence[Pair]) -> dict[str, list[float]]:
    """The probability of entailment of each pair, read whole and by its worst sentence."""
    parts = [_sentences(pair.hypothesis) for pair in pairs]
    whole = [TextPair(pair.premise, pair.hypothesis) for pair in pairs]
    asked = [TextPair(pair.premise, part) for pair, own in zip(pairs, parts, strict=True) for part in own]
    # One call, since most hypotheses are one sentence and a signal reads equal pairs once.
    found = [score.support or 0.0 for score in signal.score([*whole, *asked])]
    by_part = iter(found[len(whole) :])
    return {
        "model": found[: len(whole)],
        "worst sentence": [min(next(by_part) for _ in own) for own in parts],
    }


def _sentences(text: str) -> list[str]:
    """The sentences of a hypothesis, those of under three words left to their neighbours' verdict."""
    found = [text[start:end] for start, end in sentence_spans(text)]
    long = [sentence for sentence in found if len(sentence.split()) >= 3]
    return long if len(long) > 1 else [text]


def evaluate(signal: NLISignal, sets: Mapping[str, Sequence[Pair]]) -> tuple[dict[str, float], Figures]:
    """The threshold of each system, fixed on the odd rows of the real sets, and all figures on the even rows."""
    scores = {
        name: {
            "overlap": [overlap(pair.premise, pair.hypothesis) for pair in pairs],
            **supports(signal, pairs),
        }
        for name, pairs in sets.items()
    }
    truth = {name: [pair.label == "entailment" for pair in pairs] for name, pairs in sets.items()}
    tuned_on = [name for name in sets if name in REAL] or list(sets)
    thresholds: dict[str, float] = {}
    figures: Figures = {name: {} for name in sets}
    for system in next(iter(scores.values())):
        thresholds[system] = best_threshold(
            [(truth[name][::2], scores[name][system][::2]) for name in tuned_on]
        )
        for name in sets:
            labels, values = truth[name][1::2], scores[name][system][1::2]
            figures[name][system] = {
                "balanced_accuracy": balanced_accuracy(
                    labels, [value >= thresholds[system] for value in values]
                ),
                "auroc": auroc(labels, values),
            }
    return thresholds, figures


def means(figures: Figures) -> dict[str, dict[str, float | None]]:
    """System -> figure -> plain mean over the real sets that are there; ``None`` where no set has the figure."""
    real = [figures[name] for name in REAL if name in figures] or list(figures.values())
    found: dict[str, dict[str, float | None]] = {}
    for system, row in real[0].items():
        for figure in row:
            values = [one[system][figure] for one in real]
            known = [value for value in values if value is not None]
            found.setdefault(system, {})[figure] = float(np.mean(known)) if known else None
    return found


def as_markdown(figures: Figures) -> str:
    """The table, real sets first, then their mean, then the others."""
    systems = list(next(iter(figures.values())))
    real = [name for name in REAL if name in figures]
    rows: dict[str, Mapping[str, Mapping[str, float | None]]] = {name: figures[name] for name in real}
    rows[MEAN] = means(figures)
    rows |= {name: figures[name] for name in figures if name not in real}
    lines = ["| set | " + " | ".join(f"{system} BA | {system} AUROC" for system in systems) + " |"]
    lines.append("|---|" + "---|" * (2 * len(systems)))
    for name, row in rows.items():
        cells = [row[system][figure] for system in systems for figure in ("balanced_accuracy", "auroc")]
        lines.append(
            f"| {name} | " + " | ".join("-" if cell is None else f"{cell:.3f}" for cell in cells) + " |"
        )
    return "\n".join(lines)


def fit_temperature(logits: NDArray[np.float32], labels: NDArray[np.int64]) -> float:
    """The temperature with the least loss on held-back pairs (Guo et al. 2017), from a grid of ratios of 1.02."""
    grid = 1.02 ** np.arange(-60, 90)
    return float(grid[int(np.argmin([_loss(logits / t, labels) for t in grid]))])


def _loss(logits: NDArray[np.float32], labels: NDArray[np.int64]) -> float:
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares = shares / shares.sum(axis=1, keepdims=True)
    binary = labels == 3
    own = np.where(binary, 1.0 - shares[:, 0], shares[np.arange(len(labels)), np.where(binary, 0, labels)])
    return float(-np.log(np.clip(own, 1e-9, None)).mean())


def calibration(logits: NDArray[np.float32], labels: NDArray[np.int64]) -> dict[str, float]:
    """The temperature and the expected calibration error of entailment before and after it."""
    temperature = fit_temperature(logits, labels)
    found = {"temperature": round(temperature, 4)}
    for name, divisor in (("ece_before", 1.0), ("ece", temperature)):
        shares = np.exp((logits - logits.max(axis=1, keepdims=True)) / divisor)
        entailment = shares[:, 0] / shares.sum(axis=1)
        sure = np.maximum(entailment, 1.0 - entailment)
        right = (entailment >= 0.5) == (labels == 0)
        found[name] = round(float(expected_calibration_error(sure.tolist(), right.tolist()) or 0.0), 4)
    return found


def store(path: Path, rows: int | None, thresholds: Mapping[str, float], figures: Figures) -> None:
    """Write the figures as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    record = {"rows": rows, "thresholds": dict(thresholds), "means": means(figures), "sets": figures}
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
