"""Find such an edit later, for a claim of a saved report, by the evidence that is quoted there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from verifier.types import Claim, ClaimVerdict, Edit, Evidence
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

__all__ = ["with_fix"]


@dataclass(frozen=True)
class _Quoted(GivenTexts):
    """Evidence of a report as the source that the claim is judged by."""

    evidence: tuple[Evidence, ...] = ()

    @classmethod
    def by(cls, claim: ClaimVerdict) -> _Quoted:
        return cls(GivenTexts.of(*(item.text for item in claim.evidence)).documents, evidence=claim.evidence)

    def retrieve(
        self, queries: Sequence[str], *, top_k: int = 5, namespace: str = "default"
    ) -> list[list[Evidence]]:
        """All of it for every query."""
        del top_k, namespace
        return [list(self.evidence) for _ in queries]


def with_fix(claim: ClaimVerdict, scorer: VerifiedScorer) -> ClaimVerdict:
    """The claim with an edit, or with the word that there is none; as it is where the evidence that is quoted does not
    contradict it by itself, or the edit cannot be placed in the response.

    ``scorer`` has no reader; its own source is not asked.
    """
    if claim.ledger is None:
        return claim
    text = claim.hypothesis or claim.text
    [again] = scorer.judge([Claim(text, 0, len(text))], _Quoted.by(claim), suggest_fixes=True)
    if again.ledger is None or not again.ledger.fix_sought:
        return claim
    found = again.ledger.fix
    fix = None if found is None else _placed(found, claim)
    if found is not None and fix is None:
        return claim
    return replace(claim, ledger=replace(claim.ledger, fix=fix, fix_sought=True))


def _placed(edit: Edit, claim: ClaimVerdict) -> Edit | None:
    """An edit of what is read for the claim, as one of its text; ``None`` where its words do not stand there once."""
    same = claim.text == (claim.hypothesis or claim.text)
    if not same and (not edit.before or claim.text.count(edit.before) != 1):
        return None
    start = edit.start if same else claim.text.index(edit.before)
    end = start + len(edit.before)
    text = claim.text[:start] + edit.after + claim.text[end:]
    return replace(edit, start=claim.start + start, end=claim.start + end, text=text)
