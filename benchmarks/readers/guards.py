"""How often a signal would rightly or wrongly stop a reader that says *supported*.

A reader that is right quotes the words that decide also where it denies a claim. If it said *supported* there instead,
a guard should see the conflict in the quoted words; where it rightly says *supported*, every conflict is a false alarm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.measure.samples import Sample
from verifier.types import Verdict
from verifier.verification.consultation.answers import Consulted
from verifier.verification.decision.features import CONFLICTS

__all__ = ["again", "lines"]

ALIGNED = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0)
STRENGTH = 0.5


def lines(samples: Sequence[Sample]) -> Iterator[str]:
    """For each conflict and least alignment of the quoted sentence with the claim: supported claims on which it fires,
    and contradicted ones."""
    held = [one.read.consulted for one in samples if one.verdict is Verdict.SUPPORTED]
    wrong = [one.read.consulted for one in samples if one.verdict is Verdict.CONTRADICTED]
    quoted = [[one for one in some if one is not None and one.windows] for some in (held, wrong)]
    yield f"claims with words quoted: {len(quoted[0])} supported, {len(quoted[1])} contradicted"
    yield "| conflict | " + " | ".join(f"aligned {share:g}" for share in ALIGNED) + " |"
    yield "|---|" + "---|" * len(ALIGNED)
    for name in CONFLICTS:
        cells = (
            " / ".join(str(sum(_fires(one, name, share) for one in some)) for some in quoted)
            for share in ALIGNED
        )
        yield f"| {name} | " + " | ".join(cells) + " |"


def again(samples: Sequence[Sample]) -> Iterator[str]:
    """Of the claims that were asked about twice: how often the reader stayed with its answer, and who was right."""
    asked = [one for one in samples if one.read.consulted is not None and one.read.consulted.objection]
    for name, kept in (("stayed", True), ("changed", False)):
        some = [
            one for one in asked if one.read.consulted is not None and one.read.consulted.insisted is kept
        ]
        right = sum(one.supported for one in some)
        yield f"asked again and {name}: {len(some)}, of which {right} are labelled supported"


def _fires(consulted: Consulted, name: str, aligned: float) -> bool:
    """Whether every quoted sentence that is about the claim has this conflict, and one is."""
    near = [one for one in consulted.windows if one.alignment >= aligned]
    return bool(near) and all(one.named(name) >= STRENGTH for one in near)
