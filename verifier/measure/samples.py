"""Labelled samples: what the signals say of each labelled claim, with its label and its fold."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifier.core.errors import ConfigError
from verifier.knowledge.records import Progress
from verifier.measure.rows import LabelledRow
from verifier.types import Claim, Verdict
from verifier.verification.decision.summary import ReadClaim
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

__all__ = ["MIN_PER_VERDICT", "MIN_ROWS", "Sample", "examined", "samples_of", "too_few_to_learn"]

MIN_ROWS = 50
"""Fewer claims calibrate nothing."""

MIN_PER_VERDICT = 20
"""Fewer claims of a verdict do not teach what it looks like."""

FOLDS = 5

_BLOCK = 128
"""Claims that are read together."""

_VERDICT_OF: Mapping[str, Verdict | None] = {
    "entailment": Verdict.SUPPORTED,
    "contradiction": Verdict.CONTRADICTED,
    "neutral": Verdict.UNVERIFIABLE,
    "not_entailment": None,
    **{verdict.value: verdict for verdict in Verdict},
}


@dataclass(frozen=True)
class Sample:
    """One labelled claim with what the signals say of it; no ``verdict`` where only "not supported" is known."""

    read: ReadClaim
    verdict: Verdict | None
    fold: int

    @property
    def supported(self) -> bool:
        """Whether the label says that the evidence bears the claim out."""
        return self.verdict is Verdict.SUPPORTED


def samples_of(
    rows: Sequence[LabelledRow], scorer: VerifiedScorer, progress: Progress | None = None
) -> list[Sample]:
    """:func:`examined` rows that something is to be proven by.

    Raises:
        ConfigError: fewer than ``MIN_ROWS`` rows, or only one fold.
        BackendError, SignalError: retrieval or a signal failed.
    """
    usable = [row for row in rows if row.label in _VERDICT_OF]
    if len(usable) < MIN_ROWS:
        raise ConfigError(
            f"{len(usable)} labelled claims are too few to calibrate with; {MIN_ROWS} are needed"
        )
    if len({_fold(row) for row in usable}) == 1:
        raise ConfigError("all labelled claims share their documents; claims about several are needed")
    return examined(usable, scorer, progress)


def examined(
    rows: Sequence[LabelledRow], scorer: VerifiedScorer, progress: Progress | None = None
) -> list[Sample]:
    """Every row but the ``skipped`` ones, which are no claims, with what the signals and the reader say of it.

    A row that names a namespace is read against that part of the scorer's knowledge base. Rows that share their
    ``documents`` share a fold, so that no fold is judged by what was learnt from its documents. ``progress`` is
    told how many claims are read.

    Raises:
        BackendError, SignalError: retrieval or a signal failed.
    """
    usable = [row for row in rows if row.label in _VERDICT_OF]
    reads: dict[int, ReadClaim] = {}
    places: dict[str | None, list[int]] = defaultdict(list)
    for place, row in enumerate(usable):
        if row.premise is not None:
            [reads[place]] = scorer.consult([_claim(row)], GivenTexts.of(row.premise))
        else:
            places[row.namespace].append(place)
            continue
        if progress is not None:
            progress("claims", len(reads), len(usable))
    for namespace, all_of_it in places.items():
        for some in _blocks(all_of_it):
            found = scorer.within(namespace).consult([_claim(usable[place]) for place in some])
            reads |= zip(some, found, strict=True)
            if progress is not None:
                progress("claims", len(reads), len(usable))
    return [Sample(reads[place], _VERDICT_OF[row.label], _fold(row)) for place, row in enumerate(usable)]


def _blocks(places: Sequence[int]) -> Iterator[Sequence[int]]:
    return (places[at : at + _BLOCK] for at in range(0, len(places), _BLOCK))


def too_few_to_learn(rows: Sequence[LabelledRow]) -> str | None:
    """Why weights cannot be learnt from these rows; ``None`` where they can."""
    counts = Counter(_VERDICT_OF.get(row.label) for row in rows)
    scarce = [verdict for verdict in Verdict if counts[verdict] < MIN_PER_VERDICT]
    if not scarce:
        return None
    found = ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in scarce)
    return f"{MIN_PER_VERDICT} labelled claims of each verdict are needed to learn weights, and there are {found}"


def _claim(row: LabelledRow) -> Claim:
    return Claim(row.claim, 0, len(row.claim))


def _fold(row: LabelledRow) -> int:
    documents: Any = row.raw.get("documents")
    group = str(sorted(documents)) if documents else row.claim
    return hashlib.sha256(group.encode("utf-8", "surrogatepass")).digest()[0] % FOLDS
