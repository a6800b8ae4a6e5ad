"""Labelled claims and a scorer in; a fusion file out: weights, temperature and thresholds, all cross-validated.

Nothing is judged on rows it was learnt from: every figure and threshold comes from out-of-fold predictions.
Rows that share a deciding document share a fold.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import ConfigError
from verifier.measure.fit import Matrix, SoftmaxWeights, fit_softmax, fit_temperature, log_loss, softmax
from verifier.measure.rows import LabelledRow
from verifier.types import Claim, Verdict
from verifier.verification.features import FEATURES, IN_FAVOUR, NLI_FEATURES, ReadClaim, summarise
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer
from verifier.verification.verdict import Fusion

__all__ = ["MIN_ROWS", "learn"]

MIN_ROWS = 50
FOLDS = 5
SAME_THING = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
L2 = (0.0001, 0.0003, 0.001, 0.003, 0.01)
VETO_AT = (0.3, 0.5, 0.7, 0.9, 2.0)
CONFIRMED_AT = (0.9, 0.8, 0.7, 0.6, 0.5)
"""Grids that cross-validation chooses from. A veto at 2 is out of reach: never. Disagreement has no such value,
since an unresolved conflict between sources is never supported."""

_CLASSES = tuple(Verdict)
_VERDICT_OF = {
    "entailment": Verdict.SUPPORTED,
    "contradiction": Verdict.CONTRADICTED,
    "neutral": Verdict.UNVERIFIABLE,
    **{verdict.value: verdict for verdict in Verdict},
}


@dataclass(frozen=True)
class _Sample:
    """One labelled claim with what the signals say of it."""

    read: ReadClaim
    verdict: Verdict
    fold: int


def learn(
    rows: Sequence[LabelledRow], scorer: VerifiedScorer, *, target_error: float, files: Sequence[Path]
) -> Fusion:
    """Learn a fusion for this scorer's signals and NLI model.

    Args:
        rows: labelled claims; ``skipped`` and ``not_entailment`` ones carry no verdict and are left out.
        scorer: examines the claims; its own fusion is not used.
        target_error: in (0, 1); ``supported_at`` is the lowest threshold at which, out of fold, at most this
            share of the claims called supported are labelled otherwise.
        files: where the rows came from, recorded with their hashes.

    Raises:
        ConfigError: fewer than ``MIN_ROWS`` usable rows, or a verdict that has no row.
    """
    samples = _samples(rows, scorer)
    _check(samples)
    best = min(
        (
            (_cross_validate(samples, same_thing, l2), same_thing, l2)
            for same_thing, l2 in itertools.product(SAME_THING, L2)
        ),
        key=lambda item: item[0][0],
    )
    (loss, logits), same_thing, l2 = best
    classes = _labels(samples)
    temperature = fit_temperature(logits, classes)
    model = fit_softmax(_matrix(samples, same_thing), classes, _signs(scorer.nli != "none"), l2=l2)
    fusion = _fusion(model, scorer.nli, temperature, same_thing)
    fusion, right = _rules(fusion, samples, softmax(logits / temperature), target_error)
    return replace(
        fusion,
        learnt_from={
            "claims": len(samples),
            "files": {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files},
        },
        figures={
            "folds": FOLDS,
            "l2": l2,
            "log_loss": round(loss, 4),
            "accuracy": round(right, 4),
            "target_error": target_error,
        },
    )


def _samples(rows: Sequence[LabelledRow], scorer: VerifiedScorer) -> list[_Sample]:
    usable = [row for row in rows if row.label in _VERDICT_OF]
    own = [row for row in usable if row.premise is not None]
    shared = [row for row in usable if row.premise is None]
    reads = [
        scorer.examine([_claim(row)], GivenTexts.of(row.premise))[0] for row in own if row.premise is not None
    ]
    reads += scorer.examine([_claim(row) for row in shared])
    return [
        _Sample(read, _VERDICT_OF[row.label], _fold(row))
        for row, read in zip([*own, *shared], reads, strict=True)
    ]


def _claim(row: LabelledRow) -> Claim:
    return Claim(row.claim, 0, len(row.claim))


def _fold(row: LabelledRow) -> int:
    documents: Any = row.raw.get("documents")
    group = str(sorted(documents)) if documents else row.claim
    return hashlib.sha256(group.encode("utf-8", "surrogatepass")).digest()[0] % FOLDS


def _check(samples: Sequence[_Sample]) -> None:
    if len(samples) < MIN_ROWS:
        raise ConfigError(f"{len(samples)} labelled claims are too few to learn from; {MIN_ROWS} are needed")
    missing = [verdict.value for verdict in _CLASSES if all(s.verdict is not verdict for s in samples)]
    if missing:
        raise ConfigError(f"no labelled claim is {', '.join(missing)}: every verdict needs examples")


def _labels(samples: Sequence[_Sample]) -> NDArray[np.intp]:
    return np.array([_CLASSES.index(sample.verdict) for sample in samples])


def _matrix(samples: Sequence[_Sample], same_thing: float) -> Matrix:
    cases = (summarise(sample.read, same_thing=same_thing) for sample in samples)
    return np.array([[case.features[name] for name in FEATURES] for case in cases])


def _signs(with_nli: bool) -> NDArray[np.intp]:
    """``supported`` is the reference: a weight of another verdict below 0 is one that raises support."""
    signs = np.empty((len(FEATURES), len(_CLASSES)), dtype=np.intp)
    for row, name in enumerate(FEATURES):
        signs[row] = -1 if name in IN_FAVOUR else 1
        if name in NLI_FEATURES and not with_nli:
            signs[row] = 2
    signs[:, _CLASSES.index(Verdict.SUPPORTED)] = 2
    return signs


def _cross_validate(samples: Sequence[_Sample], same_thing: float, l2: float) -> tuple[float, Matrix]:
    """Out-of-fold log loss and logits."""
    x, classes = _matrix(samples, same_thing), _labels(samples)
    folds = np.array([sample.fold for sample in samples])
    with_nli = bool(x[:, [FEATURES.index(name) for name in NLI_FEATURES]].any())
    logits = np.zeros((len(samples), len(_CLASSES)))
    for fold in np.unique(folds):
        model = fit_softmax(x[folds != fold], classes[folds != fold], _signs(with_nli), l2=l2)
        logits[folds == fold] = model.logits(x[folds == fold])
    return log_loss(logits, classes), logits


def _rules(
    fusion: Fusion, samples: Sequence[_Sample], chances: Matrix, target_error: float
) -> tuple[Fusion, float]:
    """Thresholds of the rules, out of fold.

    ``veto_at`` and ``confirmed_at`` are those with the best accuracy, among equals the pair that vetoes most and
    sees fewest disagreements; then ``supported_at`` is the lowest at which at most ``target_error`` of the claims
    called supported are not.
    """
    cases = [summarise(sample.read, same_thing=fusion.same_thing) for sample in samples]
    rows = [dict(zip(_CLASSES, row.tolist(), strict=True)) for row in chances]

    def verdicts(candidate: Fusion) -> list[Verdict]:
        return [candidate.rule(case, row).verdict for case, row in zip(cases, rows, strict=True)]

    def accuracy(candidate: Fusion) -> float:
        hits = (verdict is s.verdict for verdict, s in zip(verdicts(candidate), samples, strict=True))
        return sum(hits) / len(samples)

    open_to_all = replace(fusion, supported_at=0.0)
    best = max(
        (
            replace(open_to_all, veto_at=veto_at, confirmed_at=confirmed_at)
            for veto_at, confirmed_at in itertools.product(VETO_AT, CONFIRMED_AT)
        ),
        key=accuracy,
    )
    called = [verdict is Verdict.SUPPORTED for verdict in verdicts(best)]
    support = np.array([row[Verdict.SUPPORTED] for row in rows])[called]
    wrong = np.array([sample.verdict is not Verdict.SUPPORTED for sample in samples])[called]
    best = replace(best, supported_at=_lowest_threshold(support, wrong, target_error))
    return best, accuracy(best)


def _lowest_threshold(support: Matrix, wrong: NDArray[np.bool_], target_error: float) -> float:
    """The lowest threshold above which at most ``target_error`` of the claims are wrong; 1 where there is none."""
    for threshold in np.unique(np.floor(support * 1000) / 1000):
        if wrong[support >= threshold].mean() <= target_error:
            return float(threshold)
    return 1.0


def _fusion(model: SoftmaxWeights, nli: str, temperature: float, same_thing: float) -> Fusion:
    weights = {
        verdict.value: {
            name: round(float(model.weights[row, column]), 4)
            for row, name in enumerate(FEATURES)
            if model.weights[row, column]
        }
        for column, verdict in enumerate(_CLASSES)
    }
    return Fusion(
        nli=nli,
        weights=weights,
        bias={verdict.value: round(float(model.bias[n]), 4) for n, verdict in enumerate(_CLASSES)},
        temperature=round(temperature, 4),
        supported_at=1.0,
        veto_at=VETO_AT[0],
        same_thing=same_thing,
        confirmed_at=CONFIRMED_AT[0],
        learnt_from={},
        figures={},
    )
