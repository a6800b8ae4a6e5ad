"""Learn the fusion from labelled samples, with out-of-fold predictions for each of them.

Nothing is judged on samples it was learnt from: every choice is made by out-of-fold predictions.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from verifier.measure.fit import Matrix, SoftmaxWeights, fit_softmax, fit_temperature, log_loss, softmax
from verifier.measure.samples import FOLDS, Sample
from verifier.types import Verdict
from verifier.verification.decision.features import (
    FEATURES,
    IN_FAVOUR,
    NLI_FEATURES,
    conflicting_checks,
    feature_names,
)
from verifier.verification.decision.summary import ClaimCase, summarise
from verifier.verification.decision.verdict import ANY_CHECK, Decided, Fusion, support_of

__all__ = ["Learnt", "learn", "vetoes_of"]

SAME_THING = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
L2 = (0.0001, 0.0003, 0.001, 0.003, 0.01)
VETO_AT = (0.3, 0.5, 0.7, 0.9)
CONFIRMED_AT = (0.9, 0.8, 0.7, 0.6, 0.5)
COUNTS = (1.0, 0.3, 0.1)
"""Grids that cross-validation chooses from. None of them can be out of reach: evidence that conflicts with a claim, and
sources that disagree, never support it."""

PRIOR = 10.0
"""Claims by which the precision of a check is drawn towards that of all checks. On claims of other sets, 10, 30 and the
share of all checks alone give the same log loss to within 0.003 (fresh sets from the others: 0.541, 0.539, 0.538)."""

_CLASSES = tuple(Verdict)
_SUPPORTED = _CLASSES.index(Verdict.SUPPORTED)


@dataclass(frozen=True)
class Learnt:
    """A fusion that withholds nothing yet, and the out-of-fold predictions of its kind.

    ``plain`` are the probabilities of support [n] before the temperature, ``tempered`` those with a temperature from
    the other folds, ``support`` those with the temperature of the fusion, ``called`` [n] whether its rules then say
    ``supported``. ``decided`` [n] is what its rules make of each.
    """

    fusion: Fusion
    plain: Matrix
    tempered: Matrix
    support: Matrix
    called: NDArray[np.bool_]
    decided: tuple[Decided, ...]


def learn(
    samples: Sequence[Sample],
    nli: str,
    *,
    teaching: Sequence[Sample] = (),
    same_thing: Sequence[float] = SAME_THING,
) -> Learnt:
    """Learn weights, temperature and the limits of the rules for the signals and NLI model that read the samples.

    Args:
        samples: all with a verdict, several of each, over at least two folds.
        nli: fingerprint of that model, ``"none"`` without one.
        teaching: further ones with a verdict, about other documents, that teach the weights and nothing else: signals
            that were tuned on a claim read it better than the next one. What each counts beside one of ``samples`` is
            chosen from ``COUNTS`` by the log loss of ``samples``.
        same_thing: the values of ``Fusion.same_thing`` to choose from.
    """
    classes, folds = _labels(samples), np.array([sample.fold for sample in samples])
    cases = {share: [summarise(one.read, same_thing=share) for one in samples] for share in same_thing}
    lesson_cases = {
        share: [summarise(one.read, same_thing=share) for one in teaching] for share in same_thing
    }
    names = feature_names(
        case.features for some in (cases, lesson_cases) for of in some.values() for case in of
    )
    signs = _signs(names, nli != "none")
    matrices = {share: _matrix(some, names) for share, some in cases.items()}
    taught = {share: _matrix(some, names) for share, some in lesson_cases.items()}
    lessons = _labels(teaching)

    def fit(own: NDArray[np.bool_], share: float, l2: float, count: float) -> SoftmaxWeights:
        return fit_softmax(
            np.vstack([matrices[share][own], taught[share]]),
            np.concatenate([classes[own], lessons]),
            signs,
            l2=l2,
            counts=np.concatenate([np.ones(own.sum()), np.full(len(lessons), count)]),
        )

    def out_of_fold(share: float, l2: float, count: float) -> Matrix:
        logits = np.zeros((len(samples), len(_CLASSES)))
        for fold in np.unique(folds):
            own = folds == fold
            logits[own] = fit(~own, share, l2, count).logits(matrices[share][own])
        return logits

    def best(choices: Iterable[tuple[float, float, float]]) -> tuple[Matrix, tuple[float, float, float]]:
        tried = ((out_of_fold(*choice), choice) for choice in choices)
        return min(tried, key=lambda item: log_loss(item[0], classes))

    logits, choice = best(itertools.product(same_thing, L2, COUNTS[:1]))
    if teaching:
        logits, choice = best(itertools.product(choice[:1], choice[1:2], COUNTS))
    chosen, l2, count = choice
    temperature = fit_temperature(logits, classes)
    model = fit(np.ones(len(samples), dtype=np.bool_), *choice)
    fusion = _fusion(model, names, nli, temperature, chosen)
    chances = softmax(logits / temperature)
    fusion, decided = _limits(fusion, samples, chances)
    fusion = replace(fusion, vetoes=vetoes_of(fusion, [*samples, *teaching]))
    verdicts = [one.verdict for one in decided]
    accuracy = float(np.mean([verdict is s.verdict for verdict, s in zip(verdicts, samples, strict=True)]))
    tempered = np.zeros(len(samples))
    for fold in np.unique(folds):
        own = folds == fold
        tempered[own] = softmax(logits[own] / fit_temperature(logits[~own], classes[~own]))[:, _SUPPORTED]
    plain, tempered, support = (
        _as_worded(samples, some)
        for some in (softmax(logits)[:, _SUPPORTED], tempered, chances[:, _SUPPORTED])
    )
    return Learnt(
        fusion=replace(
            fusion,
            learnt_from={"claims": len(samples)}
            | ({"teaching": {"claims": len(teaching), "count": count}} if teaching else {}),
            figures={
                "folds": FOLDS,
                "l2": l2,
                "log_loss": round(log_loss(logits, classes), 4),
                "accuracy": round(accuracy, 4),
            },
        ),
        plain=plain,
        tempered=tempered,
        support=support,
        called=np.array([verdict is Verdict.SUPPORTED for verdict in verdicts]),
        decided=tuple(decided),
    )


def _as_worded(samples: Sequence[Sample], support: Matrix) -> Matrix:
    """Support [n] as the fusion's rules have it of claims that a document states, or that add to what it states."""
    rows = zip(samples, support.tolist(), strict=True)
    return np.array([support_of(sample.read, own) for sample, own in rows])


def _labels(samples: Sequence[Sample]) -> NDArray[np.intp]:
    return np.array(
        [_CLASSES.index(sample.verdict) for sample in samples if sample.verdict is not None], dtype=np.intp
    )


def _matrix(cases: Sequence[ClaimCase], names: Sequence[str]) -> Matrix:
    rows = [[case.features.get(name, 0.0) for name in names] for case in cases]
    return np.array(rows, dtype=np.float64).reshape(-1, len(names))


def _signs(names: Sequence[str], with_nli: bool) -> NDArray[np.intp]:
    """``supported`` is the reference: a weight of another verdict below 0 is one that raises support. Features of third
    parties may do either, for nothing tells which way they speak."""
    signs = np.empty((len(names), len(_CLASSES)), dtype=np.intp)
    for row, name in enumerate(names):
        signs[row] = -1 if name in IN_FAVOUR else 1 if name in FEATURES else 0
        if name in NLI_FEATURES and not with_nli:
            signs[row] = 2
    signs[:, _SUPPORTED] = 2
    return signs


def _limits(fusion: Fusion, samples: Sequence[Sample], chances: Matrix) -> tuple[Fusion, list[Decided]]:
    """``veto_at`` and ``confirmed_at``, and what they make of each sample out of fold.

    Of the pairs whose accuracy is at most one standard error below the best (that of the paired difference) they are
    the one that vetoes most and sees fewest disagreements: a rule that costs nothing measurable is kept.
    """
    cases = [fusion.case_of(sample.read) for sample in samples]
    rows = [dict(zip(_CLASSES, row.tolist(), strict=True)) for row in chances]
    tried = [
        replace(fusion, veto_at=veto_at, confirmed_at=confirmed_at)
        for veto_at, confirmed_at in itertools.product(VETO_AT, CONFIRMED_AT)
    ]
    verdicts = [
        [candidate.rule(case, row) for case, row in zip(cases, rows, strict=True)] for candidate in tried
    ]
    right = np.array(
        [
            [own.verdict is sample.verdict for own, sample in zip(some, samples, strict=True)]
            for some in verdicts
        ]
    )
    best = right[right.sum(axis=1).argmax()]
    lost = (best & ~right).sum(axis=1) - (right & ~best).sum(axis=1)
    allowed = np.sqrt((best != right).sum(axis=1))
    chosen = int(np.flatnonzero(lost <= allowed)[0])
    return tried[chosen], verdicts[chosen]


def vetoes_of(fusion: Fusion, samples: Sequence[Sample]) -> dict[str, float]:
    """How often a claim with a vetoing conflict is not supported, by the check that finds it and of all together.

    Weights do not enter into it: which window speaks best for a claim, and what conflicts there, is known before. What
    a check is right in is drawn towards the share of all checks by ``PRIOR`` claims (a beta prior's mean and weight).
    """
    right: Counter[str] = Counter()
    fired: Counter[str] = Counter()
    plain = replace(fusion, vetoes={})
    for sample in samples:
        pro = fusion.case_of(sample.read).pro
        if pro is not None and plain.veto(pro) is not None:
            names = [ANY_CHECK, *conflicting_checks(pro)]
            fired.update(names)
            right.update(names if not sample.supported else ())
    if not fired:
        return {}
    share = (right[ANY_CHECK] + 1) / (fired[ANY_CHECK] + 2)
    own = {name: (right[name] + PRIOR * share) / (count + PRIOR) for name, count in fired.items()}
    return {name: round(value, 4) for name, value in sorted((own | {ANY_CHECK: share}).items())}


def _fusion(
    model: SoftmaxWeights, names: Sequence[str], nli: str, temperature: float, same_thing: float
) -> Fusion:
    weights = {
        verdict.value: {
            name: round(float(model.weights[row, column]), 4)
            for row, name in enumerate(names)
            if model.weights[row, column]
        }
        for column, verdict in enumerate(_CLASSES)
    }
    return Fusion(
        nli=nli,
        weights=weights,
        bias={verdict.value: round(float(model.bias[n]), 4) for n, verdict in enumerate(_CLASSES)},
        temperature=round(temperature, 4),
        supported_at=0.0,
        veto_at=VETO_AT[0],
        same_thing=same_thing,
        confirmed_at=CONFIRMED_AT[0],
        learnt_from={},
        figures={},
    )
