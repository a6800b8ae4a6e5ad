"""What a reader said of a claim, as features and as a verdict, as far as it holds.

A reader's word counts as far as it can be shown: *supported* and *contradicted* of a reader that quotes need words that
stand in the evidence. The other signals stay as guards over the sentences that it quotes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from verifier.readers import Answer, Reading, State
from verifier.types import Verdict
from verifier.verification.consultation.quotations import Quoted
from verifier.verification.decision.features import CONFLICTS, READER_FEATURES, WindowScores, conflict_in

__all__ = ["PROVEN", "Consulted", "objection_to", "reader_features", "reader_verdict"]

PROVEN = ("number_conflict", "entity_conflict")
"""The conflicts that forbid *supported* also when the reader insists: of two values, or of two names."""

PROVEN_AT = 0.9
"""How much of the claim a quoted sentence must speak of for such a conflict to be proven, in [0, 1]. Of 975 supported
claims whose deciding words a large model quotes, 3 are then stopped wrongly; of 700 contradicted ones, 74 would be
stopped if the reader called them supported (``python -m benchmarks.readers guards``)."""


@dataclass(frozen=True)
class Consulted:
    """A reading, and what was found of it.

    ``quoted`` are its quotations that stand in the evidence, ``windows`` what the rule signals say of the places they
    stand in, ``lost`` the quotations that stand nowhere. ``quotes_needed`` says whether an answer needs one.
    ``left_out`` counts the passages that were found for the claim and not put before the reader. ``objection`` is what
    was held against its first answer, where it was asked again; ``insisted``, that it gave the same answer.
    """

    reading: Reading
    quotes_needed: bool
    quoted: tuple[Quoted, ...] = ()
    windows: tuple[WindowScores, ...] = ()
    lost: tuple[str, ...] = ()
    left_out: int = 0
    objection: str = ""
    insisted: bool = False

    @property
    def unproven(self) -> bool:
        """Whether it gave an answer for or against the claim, and showed no words that decide."""
        decided = self.reading.answer in (Answer.SUPPORTED, Answer.CONTRADICTED)
        return decided and self.quotes_needed and not self.quoted

    @property
    def answer(self) -> Answer | None:
        """What counts: its answer, *not found* for one that shows nothing, ``None`` where it gave none."""
        if self.reading.state is not State.SETTLED:
            return None
        return Answer.NOT_FOUND if self.unproven else self.reading.answer

    @property
    def conflicts(self) -> Mapping[str, float]:
        """The conflicts that the rule signals see in the quoted places, by feature: of each kind the least, for a place
        that agrees clears it. Where some places speak of the claim as a whole, only they count: silence clears nothing.
        """
        speaking = self._speaking or self.windows
        return {name: min((one.named(name) for one in speaking), default=0.0) for name in CONFLICTS}

    @property
    def proven(self) -> float:
        """The strongest conflict of values or names in quoted places that speak of the claim as a whole, in [0, 1]."""
        near = self._speaking
        return max(min(one.named(name) for one in near) for name in PROVEN) if near else 0.0

    @property
    def _speaking(self) -> list[WindowScores]:
        return [one for one in self.windows if one.alignment >= PROVEN_AT]


def reader_features(consulted: Consulted | None) -> dict[str, float]:
    """The features of a reading, each in [0, 1]: the probability of each answer (1 or 0 without probabilities),
    whether sources disagree, and whether what is missing has no trace; all 0 where no reader was asked."""
    features = dict.fromkeys(READER_FEATURES, 0.0)
    if consulted is None or consulted.answer is None:
        return features
    chances = consulted.reading.probabilities
    if chances is None or consulted.unproven:
        features[f"reader_{consulted.answer.value}"] = 1.0
    else:
        features |= {f"reader_{answer.value}": chances[answer] for answer in Answer}
    features["reader_disputed"] = float(consulted.reading.disputed)
    features["reader_unheard"] = float(consulted.reading.unheard)
    return features


def reader_verdict(consulted: Consulted, chances: Mapping[Verdict, float]) -> Verdict:
    """The verdict that a reading leads to; what it did not find is fabricated or unverifiable, whichever is likelier.

    Raises:
        ValueError: the reading has no answer.
    """
    match consulted.answer:
        case Answer.SUPPORTED:
            return Verdict.SUPPORTED
        case Answer.CONTRADICTED:
            return Verdict.CONTRADICTED
        case Answer.NOT_FOUND:
            if consulted.unproven or consulted.reading.disputed:
                return Verdict.UNVERIFIABLE
            return max((Verdict.FABRICATED, Verdict.UNVERIFIABLE), key=lambda one: chances[one])
        case None:
            raise ValueError("the reading has no answer")


def objection_to(consulted: Consulted, veto_at: float, *, stated: str | None) -> str:
    """What the other signals hold against a reading, in a sentence for the reader; empty for nothing.

    Args:
        consulted: the reading.
        veto_at: the least conflict that counts, in (0, 1].
        stated: the words of a document that are the claim's own, where there are such.
    """
    if consulted.answer is Answer.CONTRADICTED and stated is not None:
        return f"A document states the claim word for word: {stated}"
    if consulted.answer is not Answer.SUPPORTED:
        return ""
    for name, strength in consulted.conflicts.items():
        seen = [conflict_in(one, name) for one in consulted.windows] if strength >= veto_at else []
        found = next((one for one in seen if one is not None), None)
        if found is not None:
            value = found[1]
            told = value.evidence_value or value.note or "otherwise"
            return f"The claim says {value.claim_value or 'this'!r}, and the quoted words say {told!r}."
    return ""
