"""Find claims of the chosen candidate that the other candidates do not support."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from verifier.guard.consistency.result import ConsistencyResult, Disagreement
from verifier.types import Claim, Status, Verdict
from verifier.verification.claims import extract_answer, extract_claims
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

__all__ = ["find_disagreements", "with_disagreements"]


def with_disagreements(result: ConsistencyResult, scorer: VerifiedScorer, prompt: str) -> ConsistencyResult:
    """The result with the claims of its best candidate that the others do not share; a single one has no others."""
    if len(result.all_candidates) == 1:
        return result
    found = find_disagreements(scorer, result.all_candidates, result.best_candidate_index, prompt=prompt)
    return replace(result, disagreements=found)


def find_disagreements(
    scorer: VerifiedScorer, candidates: Sequence[str], chosen: int, *, prompt: str = ""
) -> tuple[Disagreement, ...]:
    """Check each claim of the chosen candidate against each of the others, one by one, as if it were the evidence.

    What a model makes up, it seldom makes up twice (Manakul et al. 2023, arXiv:2303.08896). A claim is listed when
    another candidate contradicts it, or fewer than half of the others support it.

    Args:
        scorer: gives the verdicts; its own knowledge base is not asked.
        candidates: all of them, shape [n].
        chosen: index of the one whose claims are checked.
        prompt: completes answers that say nothing without it (``In 1990.``).
    """
    claims = extract_answer(candidates[chosen], prompt, extract_claims).claims
    others = [index for index in range(len(candidates)) if index != chosen]
    if not claims or not others:
        return ()
    says = {index: scorer.judge(claims, GivenTexts.of(candidates[index])) for index in others}
    found = []
    for at, claim in enumerate(claims):
        verdicts = {index: says[index][at] for index in others}
        supported = sum(verdict.verdict is Verdict.SUPPORTED for verdict in verdicts.values())
        against = tuple(i for i, verdict in verdicts.items() if verdict.verdict is Verdict.CONTRADICTED)
        if against or supported * 2 < len(others):
            unread = sum(verdict.status is Status.ERROR for verdict in verdicts.values())
            found.append(_disagreement(claim, len(others), supported, against, unread))
    return tuple(found)


def _disagreement(
    claim: Claim, others: int, supported: int, against: tuple[int, ...], unread: int
) -> Disagreement:
    return Disagreement(claim.text, claim.start, claim.end, others, supported, against, unread)
