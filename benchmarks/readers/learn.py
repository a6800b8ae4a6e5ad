"""Stored readings of labelled claims in; the weights of claims that a reader has read, and where one need not be asked, out.

Claims of ``fresh_*`` vouch, the others teach (``corpora/verdicts/README.md``). Everything is judged out of fold: the
weights, what the signals alone decide, and the probabilities from which on a reader need not be asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.readers.sets import claims_of, scorer_over, settings_of
from benchmarks.readers.stored import StoredReader, load
from verifier.factory import SharedSignals
from verifier.measure.samples import Sample, examined
from verifier.verification.consulting import Consultant
from verifier.verification.sheets import ReadingRules

__all__ = ["trials_of"]


def trials_of(names: Sequence[str], folder: Path) -> dict[str, list[Sample]]:
    """The samples of each set, with the stored readings of its claims; a claim that nobody has read is left out.

    Raises:
        ConfigError: a set has no readings.
    """
    settings = settings_of()
    shared = SharedSignals.of(settings)
    found: dict[str, list[Sample]] = {}
    for name in names:
        lines = load(folder / f"{name}.jsonl")
        known = {line["claim"] for line in lines}
        consultant = Consultant(StoredReader(lines), ReadingRules())
        with scorer_over(name, settings, shared, consultant) as scorer:
            rows = [row for row in claims_of(name) if row.claim in known]
            found[name] = [one for one in examined(rows, scorer) if one.read.consulted is not None]
    return found
