"""Contradicted claims go in; for each the smallest edit after which its verdict is another comes out, or none.

Every edit is tried: the edited claim is judged as any claim is, evidence retrieved anew. They are tried in rounds,
one edit of each claim a round, so that each signal sees one batch a round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from verifier.types import Edit, Verdict
from verifier.verification.edits import Proposal, proposals
from verifier.verification.ledger import text_span
from verifier.verification.summary import ClaimCase
from verifier.verification.verdict import Decided

__all__ = ["Judge", "Judged", "find_fixes"]

MAX_TRIED = 5
"""Edits of one claim that are tried at most."""

Judge = Callable[[Sequence[str]], Mapping[str, Decided]]
"""Statements in, what is decided of each out."""


class Judged(NamedTuple):
    """A claim summed up, and what was decided of it."""

    case: ClaimCase
    decided: Decided


def find_fixes(found: Sequence[Judged], judge: Judge) -> list[Edit | None]:
    """For each contradicted claim the first edit that is supported, else the first that nothing speaks against.

    ``None`` for the other claims, and where no edit passes.

    Offsets are into the claim's hypothesis. Only edits of words that stand in the claim's own text count, and none
    of words that were read into it.
    """
    tries = [_tries(item) for item in found]
    fixes: list[Edit | None] = [None] * len(found)
    for turn in range(MAX_TRIED):
        asked = {
            at: some[turn].apply(found[at].case.claim.hypothesis)
            for at, some in enumerate(tries)
            if turn < len(some) and not _supported(fixes[at])
        }
        if not asked:
            break
        decided = judge(list(dict.fromkeys(asked.values())))
        for at, text in asked.items():
            verdict = _passes(decided[text])
            made = tries[at][turn]
            if verdict is Verdict.SUPPORTED or (verdict and fixes[at] is None and not made.loose):
                fixes[at] = _edit(found[at].case.claim.hypothesis, made, text, verdict)
    return fixes


def _tries(item: Judged) -> list[Proposal]:
    against = item.case.con or item.case.pro
    if against is None or item.decided.verdict is not Verdict.CONTRADICTED:
        return []
    claim = item.case.claim
    made = proposals(claim.hypothesis, against, item.decided.feature)
    return [one for one in made if text_span(claim, (one.start, one.end)) is not None][:MAX_TRIED]


def _supported(fix: Edit | None) -> bool:
    return fix is not None and fix.verdict is Verdict.SUPPORTED


def _passes(decided: Decided) -> Verdict | None:
    """The verdict, where it is supported, or unverifiable with nothing that speaks against it."""
    if decided.verdict is Verdict.SUPPORTED:
        return Verdict.SUPPORTED
    quiet = decided.verdict is Verdict.UNVERIFIABLE and not decided.conflict and decided.vetoed is None
    return Verdict.UNVERIFIABLE if quiet else None


def _edit(claim: str, made: Proposal, text: str, verdict: Verdict) -> Edit:
    return Edit(claim[made.start : made.end], made.after, made.start, made.end, text, verdict)
