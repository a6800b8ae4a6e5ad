"""Calibrate on labelled claims: a fusion with a threshold that keeps its promise, and its reliability curve.

Two ways lead there. ``relearn`` learns the weights as well, from a few hundred claims. ``recalibrate`` keeps the
weights in use, and from as few as fifty claims moves their probabilities and sets the threshold. Both promise that, of
all claims like the labelled ones that are called supported, at most ``target_error`` are not, with the given confidence
(``verifier.measure.bounds`` says how, and what is assumed). After ``recalibrate`` the promise is exact, since the
weights never saw these labels; after ``relearn`` it is cross-validated: it rests on predictions for claims that the
weights were not learnt from, by models learnt from four fifths of them.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import ConfigError
from verifier.knowledge.records import Progress
from verifier.measure.bounds import (
    NEVER,
    Threshold,
    certify,
    certify_share,
    labels_needed,
    rows_needed,
    smallest_target,
    upper_bound,
)
from verifier.measure.cascade import learn_with_reader
from verifier.measure.fit import Matrix, fit_platt, sigmoid
from verifier.measure.learn import Learnt, learn
from verifier.measure.reliability import Reliability, reliability
from verifier.measure.rows import LabelledRow
from verifier.measure.samples import Sample, examined, samples_of, too_few_to_learn
from verifier.readers import State
from verifier.types import Verdict
from verifier.verification.decision.verdict import Fusion
from verifier.verification.scorer import VerifiedScorer

__all__ = ["TARGET_DENIAL", "Calibration", "Unproven", "recalibrate", "relearn", "with_threshold"]

LIKELIEST = 0.5
"""From here on ``supported`` is the most probable verdict whatever the others are, so that none takes an accepted
claim."""
TARGET_DENIAL = 0.1
"""By default at most so many of the supported claims are called contradicted. A choice, as each target is."""
_FLOOR = math.nextafter(LIKELIEST, 0.0)


@dataclass(frozen=True)
class Calibration:
    """A fusion that is ready to be saved, and the reliability of its support before and after, on held-out claims."""

    fusion: Fusion
    before: Reliability
    after: Reliability


class Unproven(ConfigError):
    """No threshold keeps the promise; ``before`` and ``after`` are the reliability of support all the same."""

    def __init__(self, message: str, before: Reliability, after: Reliability) -> None:
        super().__init__(message)
        self.before, self.after = before, after


def relearn(
    rows: Sequence[LabelledRow],
    scorer: VerifiedScorer,
    *,
    target_error: float,
    target_denial: float = TARGET_DENIAL,
    confidence: float = 0.9,
    files: Sequence[Path] = (),
    teaching: Sequence[LabelledRow] = (),
    progress: Progress | None = None,
) -> Calibration:
    """Learn a fusion for this scorer's signals and NLI model; its own fusion is not used.

    Args:
        rows: labelled claims; ``skipped`` and ``not_entailment`` ones carry no verdict and are left out.
        scorer: examines the claims.
        target_error, confidence: in (0, 1), the promise.
        target_denial: in (0, 1), the largest share of the supported claims that are called contradicted.
        files: where the rows came from, recorded with their hashes.
        teaching: further labelled claims that teach weights and vouch for nothing: those that signals were tuned on.
        progress: told how many claims are read.

    Raises:
        ConfigError: too few rows in all or of a verdict.
        Unproven: no threshold keeps the promise.
    """
    _check(target_error, confidence)
    labelled, lessons = ([row for row in some if row.label != "not_entailment"] for some in (rows, teaching))
    if reason := too_few_to_learn(labelled):
        raise ConfigError(reason)
    samples = samples_of(labelled, scorer, progress)
    taught = examined(lessons, scorer, progress)
    if scorer.reader:
        samples, taught = _answered(samples), _answered(taught)
        learnt, _ = learn_with_reader(samples, scorer.nli, scorer.reader, teaching=taught)
    else:
        learnt = learn(samples, scorer.nli, teaching=taught)
    supported = _supported(samples)
    before = reliability(learnt.plain.tolist(), supported.tolist())
    after = reliability(learnt.tempered.tolist(), supported.tolist())
    fusion = with_threshold(
        learnt,
        samples,
        target_error=target_error,
        target_denial=target_denial,
        confidence=confidence,
        hashes=_hashes(files),
    )
    if fusion is None:
        message = _refusal(_support_where_called(learnt), ~supported, target_error, confidence)
        raise Unproven(message, before, after)
    return Calibration(fusion, before=before, after=after)


def with_threshold(
    learnt: Learnt,
    samples: Sequence[Sample],
    *,
    target_error: float,
    target_denial: float = TARGET_DENIAL,
    confidence: float = 0.9,
    hashes: Mapping[str, str],
) -> Fusion | None:
    """The fusion that was learnt from these samples, with the threshold that keeps the promise; ``None``: none does.

    Below a second threshold ``contradicted`` is withheld, so that at most ``target_denial`` of the supported claims are
    called contradicted. It is for signals: a reader shows what contradicts.
    ``hashes`` are the SHA-256 of the files that the samples came from, by name.
    """
    wrong = ~_supported(samples)
    threshold = certify(_support_where_called(learnt), wrong, target=target_error, confidence=confidence)
    if threshold is None:
        return None
    guarantee = _guarantee(threshold, len(samples), target_error, confidence, "out-of-fold predictions")
    denial = None if learnt.fusion.reader else _denial(learnt, ~wrong, target_denial, confidence)
    contradicted_at, denied = denial or (0.0, {})
    return replace(
        learnt.fusion,
        supported_at=_next_above(threshold),
        contradicted_at=contradicted_at,
        learnt_from={**learnt.fusion.learnt_from, "files": dict(hashes)},
        figures={**learnt.fusion.figures, "guarantee": guarantee} | ({"denial": denied} if denied else {}),
    )


def _denial(
    learnt: Learnt, supported: NDArray[np.bool_], target: float, confidence: float
) -> tuple[float, dict[str, Any]] | None:
    """From which probability on a claim is called contradicted, that few supported ones are; with what proves it."""
    called = np.array([one.verdict is Verdict.CONTRADICTED for one in learnt.decided])
    chances = np.array([one.probabilities[Verdict.CONTRADICTED] for one in learnt.decided])
    scores = np.where(called, chances, NEVER)
    threshold = certify_share(scores[supported], target=target, confidence=confidence)
    if threshold is None:
        return None
    count = int(supported.sum())
    figures = {
        "target_denial": target,
        "confidence": confidence,
        "supported": count,
        "called_contradicted": threshold.wrong,
        "upper_bound": round(upper_bound(threshold.wrong, count, confidence=confidence), 4),
        "contradicted_found": int((scores[~supported] > threshold.above).sum()),
    }
    return _next_above(threshold), figures


def _answered(samples: Sequence[Sample]) -> list[Sample]:
    """The samples that the reader has answered.

    Raises:
        ConfigError: it failed on some: those that are left would not be like the others.
    """
    read = [(one, one.read.consulted) for one in samples]
    failed = [said.reading.note for _, said in read if said and said.reading.state is State.FAILED]
    if failed:
        raise ConfigError(
            f"the reader failed on {len(failed)} of {len(samples)} labelled claims: {failed[0]}"
        )
    return [one for one, said in read if said is not None and said.answer is not None]


def recalibrate(
    rows: Sequence[LabelledRow],
    scorer: VerifiedScorer,
    *,
    target_error: float,
    confidence: float = 0.9,
    files: Sequence[Path] = (),
    progress: Progress | None = None,
) -> Calibration:
    """Keep the weights of the scorer's fusion; fit Platt's line to its support and set the threshold.

    The line keeps the order of the claims, and that order is all that the choice of the threshold rests on; so the same
    labels may serve both without breaking the promise.

    Args:
        rows: labelled claims that the weights were not learnt from; ``skipped`` ones are left out.
        scorer, target_error, confidence, files, progress: as in ``relearn``.

    Raises:
        ConfigError: too few rows, or a file that the weights were learnt from.
        Unproven: no threshold keeps the promise.
    """
    _check(target_error, confidence)
    if scorer.reader:
        raise ConfigError(
            "with a reader the weights are learnt anew: give --learn-weights, and labels enough for it"
        )
    base = replace(scorer.fusion, support_slope=1.0, support_offset=0.0, supported_at=0.0)
    hashes = _hashes(files)
    if seen := [name for name, sha in hashes.items() if sha in base.learnt_from.get("files", {}).values()]:
        raise ConfigError(
            f"the weights in use were learnt from {', '.join(seen)}: its claims cannot vouch for a threshold; "
            "label others"
        )
    samples = samples_of(rows, scorer, progress)
    supported = _supported(samples)
    log_odds = _log_odds(base, samples)
    slope, offset = fit_platt(log_odds, supported)
    fusion = replace(base, support_slope=slope, support_offset=offset)
    scores = _scores(fusion, samples)
    before = reliability(sigmoid(log_odds).tolist(), supported.tolist())
    after = reliability(_held_out(log_odds, supported, samples).tolist(), supported.tolist())
    threshold = certify(scores, ~supported, target=target_error, confidence=confidence, floor=_FLOOR)
    if threshold is None:
        raise Unproven(_refusal(scores, ~supported, target_error, confidence, _FLOOR), before, after)
    guarantee = _guarantee(
        threshold, len(samples), target_error, confidence, "labels that the weights were not learnt from"
    )
    # What a report says of weights that nobody has calibrated holds no longer.
    learnt_from = {key: value for key, value in base.learnt_from.items() if key != "note"}
    return Calibration(
        replace(
            fusion,
            supported_at=_next_above(threshold),
            learnt_from={**learnt_from, "threshold": {"claims": len(samples), "files": hashes}},
            figures={**base.figures, "guarantee": guarantee},
        ),
        before=before,
        after=after,
    )


def _check(target_error: float, confidence: float) -> None:
    for name, share in (("target error", target_error), ("confidence", confidence)):
        if not 0 < share < 1:
            raise ConfigError(f"the {name} is a share between 0 and 1, not {share:g}")


def _supported(samples: Sequence[Sample]) -> NDArray[np.bool_]:
    return np.array([sample.supported for sample in samples], dtype=np.bool_)


def _support_where_called(learnt: Learnt) -> Matrix:
    """Out-of-fold support; ``NEVER`` where the fusion's rules do not call the claim supported."""
    return np.where(learnt.called, learnt.support, NEVER)


def _log_odds(fusion: Fusion, samples: Sequence[Sample]) -> Matrix:
    """Of support, by the weights alone. The other three are summed up: 1 minus a support near 1 loses its digits."""
    rows = (fusion.probabilities(fusion.case_of(sample.read).features) for sample in samples)
    pairs = (
        (row[Verdict.SUPPORTED], sum(row[verdict] for verdict in Verdict if verdict is not Verdict.SUPPORTED))
        for row in rows
    )
    return np.array([math.log(max(own, 1e-300)) - math.log(max(others, 1e-300)) for own, others in pairs])


def _scores(fusion: Fusion, samples: Sequence[Sample]) -> Matrix:
    """Support; ``NEVER`` where a rule forbids it. The most probable verdict has no say here: see ``LIKELIEST``."""
    cases = [fusion.case_of(sample.read) for sample in samples]
    decided = [fusion.decide(case) for case in cases]
    return np.array(
        [
            NEVER if item.vetoed is not None or item.conflict else item.probabilities[Verdict.SUPPORTED]
            for item in decided
        ]
    )


def _held_out(log_odds: Matrix, supported: NDArray[np.bool_], samples: Sequence[Sample]) -> Matrix:
    """Support [n] by lines that were fitted to the other folds."""
    folds = np.array([sample.fold for sample in samples])
    chances = np.zeros(len(samples))
    for fold in np.unique(folds):
        own = folds == fold
        slope, offset = fit_platt(log_odds[~own], supported[~own])
        chances[own] = sigmoid(slope * log_odds[own] + offset)
    return chances


def _next_above(threshold: Threshold) -> float:
    """The fusion accepts from its threshold on, the promise holds above it."""
    return math.nextafter(max(threshold.above, 0.0), 1.0)


def _hashes(files: Sequence[Path]) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def _guarantee(
    threshold: Threshold, labels: int, target: float, confidence: float, basis: str
) -> dict[str, Any]:
    bound = upper_bound(threshold.wrong, threshold.accepted, confidence=confidence)
    return {
        "target_error": target,
        "confidence": confidence,
        "labels": labels,
        "accepted": threshold.accepted,
        "wrong": threshold.wrong,
        "upper_bound": round(bound, 4),
        "basis": basis,
        "method": "fixed sequence testing of exact binomial bounds (Clopper-Pearson)",
    }


def _refusal(
    scores: Matrix, wrong: NDArray[np.bool_], target: float, confidence: float, floor: float = NEVER
) -> str:
    """What cannot be promised, what can, and what it would take."""
    fewest = rows_needed(0, target=target, confidence=confidence)
    message = (
        f"no threshold keeps the share of claims wrongly called supported at {target:.1%} with {confidence:.0%} "
        f"confidence: that takes at least {fewest} accepted claims, all of them right"
    )
    best = smallest_target(scores, wrong, confidence=confidence, floor=floor)
    message += f". With these {len(scores)} labels "
    message += (
        f"the smallest error that can be promised is about {best:.1%}" if best else "nothing can be promised"
    )
    labels = labels_needed(scores, wrong, target=target, confidence=confidence, floor=floor)
    if labels is None:
        return message + "; too few of the surest are right for it, so more labels alone will hardly help"
    return message + f"; if others turn out as these did, it takes {labels} labels or more"
