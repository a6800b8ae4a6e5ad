"""Figures of a system's verdicts on the labelled claims."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from benchmarks.byhand.answers import Labelled
from verifier.types import Verdict

__all__ = ["FIGURES", "figures", "said_of"]

_WORST_FIRST = ("error", "contradicted", "fabricated", "unverifiable", "neither", "supported")
_WRONG = (Verdict.CONTRADICTED, Verdict.FABRICATED)
FIGURES = {
    "accuracy_four": "accuracy, four verdicts",
    "accuracy_three": "accuracy, fabricated and unverifiable as one",
    "false_support": "contradicted or fabricated, called supported",
    "supported_found": "supported, found so",
    "supported_contradicted": "supported, called contradicted",
}


class Said(NamedTuple):
    """A claim's label and what a system said of it."""

    label: Verdict
    said: str


def said_of(claims: Sequence[Labelled], read: Sequence[tuple[int, int, str]]) -> list[Said]:
    """What was said of each claim: the worst of what was said of any part of its sentence, ``skipped`` where nothing.

    A system takes an answer apart by itself, so its spans are others.
    """
    return [Said(claim.verdict, _worst(claim, read)) for claim in claims]


def _worst(claim: Labelled, read: Sequence[tuple[int, int, str]]) -> str:
    of_it = {said for start, end, said in read if start < claim.end and claim.start < end}
    return next((said for said in _WORST_FIRST if said in of_it), "skipped")


def figures(all_said: Iterable[Said], *, four: bool) -> dict[str, float | None]:
    """Shares by the names of ``FIGURES``; that of four verdicts is ``None`` for a system that tells three apart.

    >>> told = figures([Said(Verdict.SUPPORTED, "supported"), Said(Verdict.FABRICATED, "neither")], four=False)
    >>> told["accuracy_four"], told["accuracy_three"], told["false_support"], told["supported_found"]
    (None, 1.0, 0.0, 1.0)
    """
    rows = list(all_said)
    wrong = [said for label, said in rows if label in _WRONG]
    right = [said for label, said in rows if label is Verdict.SUPPORTED]
    return {
        "accuracy_four": _share([said == label.value for label, said in rows]) if four else None,
        "accuracy_three": _share([_three(said) == _three(label.value) for label, said in rows]),
        "false_support": _share([said == "supported" for said in wrong]),
        "supported_found": _share([said == "supported" for said in right]),
        "supported_contradicted": _share([said == "contradicted" for said in right]),
    }


def _three(said: str) -> str:
    return said if said in ("supported", "contradicted") else "neither"


def _share(hits: Sequence[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None
