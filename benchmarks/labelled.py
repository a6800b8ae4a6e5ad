"""Names of labelled sets in; what all signals say of each claim, every set against its own documents, out.

And what a fusion learnt from such claims calls supported, out of fold, as two shares.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from verifier.config import load
from verifier.factory import build_scorer, temporary_store
from verifier.knowledge.ingest import ReadOptions, discover, read_documents
from verifier.measure.learn import Learnt
from verifier.measure.rows import LabelledRow, read_rows
from verifier.measure.samples import Sample, samples_of
from verifier.types import Verdict

__all__ = ["LABELLED", "VOUCHING", "called_shares", "read_samples"]

FOLDER = Path(__file__).resolve().parent.parent / "corpora" / "verdicts"

LABELLED: Mapping[str, str] = {
    path.stem: "t" if path.stem == "tuning" else path.stem.partition("_")[2]
    for path in sorted(FOLDER.glob("*.jsonl"))
    if path.stem != "untouched"
}
"""Each labelled set but the untouched half, with the prefix of its documents."""

VOUCHING = tuple(name for name in LABELLED if name.startswith("fresh_"))
"""Those that vouch for the weights: no signal was tuned on them."""


def read_samples(
    names: Sequence[str], overrides: Mapping[str, Any] | None = None
) -> tuple[dict[str, list[Sample]], str]:
    """What all signals say of each claim of these sets, and the fingerprint of the NLI model.

    Args:
        names: of :data:`LABELLED`.
        overrides: settings other than the default ones, as ``{"signals.nli.model": ...}``.
    """
    settings = load(overrides=dict(overrides or {}), environ={}).settings
    samples: dict[str, list[Sample]] = {}
    nli = "none"
    for name in names:
        with temporary_store(settings) as store:
            found = discover(sorted((FOLDER / "kb").glob(f"{LABELLED[name]}_*")))
            documents = (document for file in found for document in read_documents(file, ReadOptions()))
            store.ingest(documents, namespace=LABELLED[name])
            scorer = build_scorer(settings, store)
            samples[name] = samples_of(list(_with_verdict(FOLDER / f"{name}.jsonl")), scorer)
            nli = scorer.nli
    return samples, nli


def called_shares(samples: Sequence[Sample], learnt: Learnt) -> tuple[float, float]:
    """Shares called supported: of the contradicted and fabricated claims, and of the supported ones."""
    wrong = np.array([sample.verdict in (Verdict.CONTRADICTED, Verdict.FABRICATED) for sample in samples])
    right = np.array([sample.supported for sample in samples])
    return float(learnt.called[wrong].mean()), float(learnt.called[right].mean())


def _with_verdict(path: Path) -> Iterator[LabelledRow]:
    """The rows that have one of the four verdicts."""
    for row in read_rows(path):
        if isinstance(row, LabelledRow) and row.label in set(Verdict):
            yield row
