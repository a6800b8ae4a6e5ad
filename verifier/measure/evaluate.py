"""Evaluate verdicts on labelled rows: a prediction for each row, and the figures over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from verifier.core.errors import ConfigError
from verifier.core.frames import Table
from verifier.measure.bounds import upper_bound
from verifier.measure.metrics import (
    auroc,
    balanced_accuracy,
    confusion,
    expected_calibration_error,
    f1_per_class,
)
from verifier.measure.rows import LabelledRow
from verifier.types import ClaimVerdict, Status, Verdict
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

__all__ = ["Prediction", "acceptance", "figures", "predict", "prediction_table", "tables_of"]

_WORST_FIRST = ("error", "contradicted", "fabricated", "unverifiable", "supported", "skipped")
_NLI_LABEL: Mapping[str, str] = {
    "supported": "entailment",
    "contradicted": "contradiction",
    "fabricated": "neutral",
    "unverifiable": "neutral",
    "skipped": "neutral",
}
_NLI_LABELS = frozenset({"entailment", "neutral", "contradiction", "not_entailment"})


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the scorer says of one row: a verdict, ``skipped`` or ``error``; support is 0 unless checked."""

    row: LabelledRow
    predicted: str
    support: float
    confidence: float | None
    reason: str

    @property
    def is_correct(self) -> bool:
        """Whether the prediction meets the label, in the label's own terms."""
        return _in_terms_of(self.row.label, self.predicted) == self.row.label

    def as_row(self) -> dict[str, Any]:
        """The row as it was read, with the prediction added."""
        return {
            **self.row.raw,
            "predicted": self.predicted,
            "support": round(self.support, 6),
            "confidence": None if self.confidence is None else round(self.confidence, 6),
            "reason": self.reason,
        }


def predict(
    rows: Iterable[LabelledRow], scorer: VerifiedScorer, *, knowledge_base: bool
) -> Iterator[Prediction]:
    """Check every row: against its own premise, or against the scorer's knowledge base where it has none.

    A row that names a namespace is checked against that part of the knowledge base.

    Raises:
        ConfigError: a row has no premise and ``knowledge_base`` says that there is none.
    """
    within = cache(scorer.within)
    for row in rows:
        if row.premise is None and not knowledge_base:
            raise ConfigError(f"row {row.number} has no 'premise': give a knowledge base with --kb")
        source = GivenTexts.of(row.premise) if row.premise is not None else None
        report = within(row.namespace).verify(row.claim, source=source, suggest_fixes=False)
        yield _prediction(row, report.claims)


def _prediction(row: LabelledRow, claims: Sequence[ClaimVerdict]) -> Prediction:
    """One row is one claim: if it was split, its worst part counts; with no part checked it is skipped."""
    if not claims:
        return Prediction(row, "skipped", 0.0, None, "nothing to check")
    worst = min(claims, key=lambda claim: (_WORST_FIRST.index(_named(claim)), claim.support or 0.0))
    supports = [claim.support or 0.0 for claim in claims if claim.status is Status.CHECKED]
    return Prediction(row, _named(worst), min(supports, default=0.0), worst.confidence, worst.reason)


def _named(claim: ClaimVerdict) -> str:
    """Its verdict, or why it has none; what only says that something is not told is no claim."""
    if claim.status is Status.ABSTAINED:
        return Status.SKIPPED.value
    return claim.verdict.value if claim.verdict is not None else claim.status.value


def _in_terms_of(label: str, predicted: str) -> str:
    """The prediction as a label of the same scheme: four verdicts, three NLI classes, or two."""
    if label not in _NLI_LABELS:
        return predicted
    if label == "not_entailment":
        return "entailment" if predicted == Verdict.SUPPORTED else "not_entailment"
    return _NLI_LABEL.get(predicted, predicted)


def figures(predictions: Sequence[Prediction]) -> dict[str, Any]:
    """Counts (``n``, ``errors``, ``confusion``), shares, ``auroc``, ``f1`` of each class, ``ece`` and ``acceptance``.

    Balanced accuracy and AUROC take entailment or supported against the rest. ``false_support`` is the share
    of contradicted or fabricated claims that were called supported, ``support_recall`` the share of supported
    claims that were found so; ``acceptance`` is as ``acceptance`` says. Shares that have no rows are ``None``.
    """
    truth = [item.row.label for item in predictions]
    guesses = [_in_terms_of(item.row.label, item.predicted) for item in predictions]
    borne_out = [item.row.is_supported for item in predictions]
    called = [item.predicted == Verdict.SUPPORTED for item in predictions]
    sure = [(item.confidence, item.is_correct) for item in predictions if item.confidence is not None]
    false_rows = [
        call
        for label, call in zip(truth, called, strict=True)
        if label in {"contradicted", "fabricated", "contradiction"}
    ]
    true_rows = [call for real, call in zip(borne_out, called, strict=True) if real]
    return {
        "n": len(predictions),
        "errors": sum(item.predicted == "error" for item in predictions),
        "accuracy": _share([item.is_correct for item in predictions]),
        "balanced_accuracy": balanced_accuracy(borne_out, called),
        "auroc": auroc(borne_out, [item.support for item in predictions]),
        "f1": f1_per_class(truth, guesses),
        "ece": expected_calibration_error([c for c, _ in sure], [right for _, right in sure]),
        "false_support": _share(false_rows),
        "support_recall": _share(true_rows),
        "acceptance": acceptance(predictions),
        "confusion": confusion(truth, [item.predicted for item in predictions]),
    }


def prediction_table(predictions: Sequence[Prediction]) -> Table:
    """A row for each labelled row, all its fields kept, with the prediction; ``.to_df()`` makes a data frame of it."""
    return Table([item.as_row() for item in predictions])


def tables_of(result: Mapping[str, Any]) -> dict[str, Table]:
    """What ``figures`` gave, and by group where ``by`` has groups, as tables.

    ``Figures`` has a row for all rows together and one a group; ``Labels and predictions`` the counts of each pair;
    ``Acceptance`` the errors of the surest.
    """
    groups = {"all": result, **result.get("by", {})}
    rows = [{"group": name, **_flat(part)} for name, part in groups.items()]
    guesses = sorted({name for counts in result["confusion"].values() for name in counts})
    pairs = [
        {"label": label, **{name: counts.get(name, 0) for name in guesses}}
        for label, counts in result["confusion"].items()
    ]
    return {
        "Figures": Table(rows),
        "Labels and predictions": Table(pairs),
        "Acceptance": Table(result["acceptance"]),
    }


def _flat(part: Mapping[str, Any]) -> dict[str, Any]:
    """The single figures, and F1 a class."""
    single = {key: value for key, value in part.items() if not isinstance(value, Mapping | list)}
    return single | {f"f1_{name}": value for name, value in part["f1"].items()}


def acceptance(predictions: Sequence[Prediction], steps: int = 5) -> list[dict[str, float]]:
    """How the error falls when fewer claims are called supported: all that are, then the surest 4/5, 3/5 and so on.

    Each row has ``support_at`` (the lowest support that is still accepted), ``accepted`` (claims), ``share`` (of all
    rows), ``wrong``, ``error`` (of the accepted) and ``error_at_most`` (the bound of Clopper and Pearson at 90 %
    confidence, for that row alone: ``verifier calibrate`` chooses among thresholds without losing the confidence).
    """
    called = sorted((item for item in predictions if item.predicted == Verdict.SUPPORTED), key=_surest_first)
    rows: dict[float, dict[str, float]] = {}
    for step in range(steps, 0, -1):
        lowest = called[len(called) * step // steps - 1].support if len(called) * step // steps else None
        if lowest is None or lowest in rows:
            continue
        accepted = [item for item in called if item.support >= lowest]
        wrong = sum(not item.row.is_supported for item in accepted)
        rows[lowest] = {
            "support_at": lowest,
            "accepted": len(accepted),
            "share": len(accepted) / len(predictions),
            "wrong": wrong,
            "error": wrong / len(accepted),
            "error_at_most": upper_bound(wrong, len(accepted), confidence=0.9),
        }
    return list(rows.values())


def _surest_first(prediction: Prediction) -> float:
    return -prediction.support


def _share(flags: Sequence[bool]) -> float | None:
    return sum(flags) / len(flags) if flags else None
