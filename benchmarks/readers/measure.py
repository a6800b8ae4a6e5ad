"""Measure verdicts on labelled sets with a reader: how right they are, what was sent and what it took.

The claims of a set are judged as one long response. "Wrongly denied" are supported claims that are called contradicted.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.readers.sets import claims_of, scorer_over, settings_of
from benchmarks.readers.stored import StoredReader, load
from verifier.factory import SharedSignals
from verifier.measure.metrics import expected_calibration_error
from verifier.types import Claim, ClaimVerdict, Status, Verdict
from verifier.verification.consultation.cases import ReadingRules
from verifier.verification.consultation.consulting import Consultant

__all__ = ["figures", "measured", "verdicts_of"]


def verdicts_of(
    name: str, overrides: Mapping[str, Any], *, stored: Path | None = None, only: Path | None = None
) -> list[tuple[Verdict, ClaimVerdict]]:
    """Label and verdict of each claim of a set.

    Args:
        name: of the set.
        overrides: settings; a ``reader.type`` among them is the reader that is asked.
        stored: a folder of stored readings, asked in its place, about the claims that it has.
        only: a folder of stored readings; claims that are not there are left out.
    """
    plain = {key: value for key, value in overrides.items() if not key.startswith(("reader.", "llm."))}
    settings = settings_of(overrides if stored is None else plain)
    shared = SharedSignals.of(settings)
    consultant = shared.consultant
    if stored is not None:
        rules = ReadingRules(read=overrides.get("reader.read", "open"))
        consultant = Consultant(StoredReader(load(stored / f"{name}.jsonl")), rules)
    rows = claims_of(name)
    for folder in filter(None, (stored, only)):
        known = {line["claim"] for line in load(folder / f"{name}.jsonl")}
        rows = [row for row in rows if row.claim in known]
    with scorer_over(name, settings, shared, consultant) as scorer:
        verdicts = scorer.judge([Claim(row.claim, 0, len(row.claim)) for row in rows])
    return [(Verdict(row.label), verdict) for row, verdict in zip(rows, verdicts, strict=True)]


def figures(judged: Sequence[tuple[Verdict, ClaimVerdict]]) -> dict[str, float | int | None]:
    """The figures of judged claims; an error counts as a wrong verdict, and never as a support."""
    right = [label is verdict.verdict for label, verdict in judged]
    false = [(Verdict.CONTRADICTED, Verdict.FABRICATED), Verdict.SUPPORTED]
    supported = [verdict.verdict for label, verdict in judged if label is Verdict.SUPPORTED]
    denied = [verdict.verdict for label, verdict in judged if label in false[0]]
    sure = [
        (verdict.confidence, label is verdict.verdict)
        for label, verdict in judged
        if verdict.confidence is not None
    ]
    read = [verdict.reader for _, verdict in judged if verdict.reader is not None]
    calls = {call.key: call for said in read for call in said.calls}
    tokens = [call.input_tokens or 0 for call in calls.values()]
    written = [call.output_tokens or 0 for call in calls.values()]
    return {
        "claims": len(judged),
        "accuracy": _share(right),
        "standard_error": math.sqrt(_share(right) * (1 - _share(right)) / len(right)),
        "false_support": _share([verdict is Verdict.SUPPORTED for verdict in denied]),
        "supported_found": _share([verdict is Verdict.SUPPORTED for verdict in supported]),
        "supported_denied": _share([verdict is Verdict.CONTRADICTED for verdict in supported]),
        "ece": expected_calibration_error([p for p, _ in sure], [hit for _, hit in sure]),
        "conflicts": sum(verdict.conflict for _, verdict in judged),
        "errors": sum(verdict.status is Status.ERROR for _, verdict in judged),
        "sent": len(read) / len(judged),
        "calls_per_8_claims": 8 * len(calls) / len(judged),
        "input_tokens_per_8_claims": 8 * sum(tokens) / len(judged),
        "output_tokens_per_8_claims": 8 * sum(written) / len(judged),
        "asked_again": sum(bool(said.objection) for said in read),
    }


def measured(
    names: Sequence[str],
    overrides: Mapping[str, Any],
    *,
    stored: Path | None = None,
    only: Path | None = None,
) -> str:
    """The figures of all these sets together, as JSON."""
    judged = [one for name in names for one in verdicts_of(name, overrides, stored=stored, only=only)]
    found = figures(judged)
    rounded = {key: round(value, 4) if isinstance(value, float) else value for key, value in found.items()}
    return json.dumps({"sets": list(names), **rounded}, indent=1)


def _share(these: Sequence[bool]) -> float:
    return sum(these) / len(these) if these else 0.0
