"""Find the smallest edit of a contradicted claim after which its verdict is another.

Every edit is tried: the edited claim is judged by all signals, by the windows that the claim was judged by, and by no
others. Those of all claims are one batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from verifier.types import Edit, Verdict
from verifier.verification.decision.summary import ClaimCase, ReadClaim
from verifier.verification.decision.verdict import Decided
from verifier.verification.edits import Proposal, proposals
from verifier.verification.evidence.windows import Window
from verifier.verification.explanation.ledger import text_span

__all__ = ["Candidate", "Judge", "Judged", "find_fixes"]

MAX_TRIED = 5
"""Edits of one claim that are tried at most."""

MAX_WINDOWS = 3
"""Windows that an edit is judged by at most."""

_TURNS = (slice(1), slice(1, MAX_TRIED))
"""Most claims are mended by the likeliest edit: the others are judged, together, for those that are not."""


class Judged(NamedTuple):
    """A claim with its readings, summed up, and what was decided of it."""

    read: ReadClaim
    case: ClaimCase
    decided: Decided


class Candidate(NamedTuple):
    """A claim, an edit of it, and the windows that the two are judged by."""

    read: ReadClaim
    made: Proposal
    windows: tuple[Window, ...]

    @property
    def text(self) -> str:
        """The claim with the edit made."""
        return self.made.apply(self.read.claim.hypothesis)


Judge = Callable[[Sequence[Candidate]], Sequence[Decided]]
"""Edited claims in, what is decided of each out."""


def find_fixes(found: Sequence[Judged], judge: Judge) -> list[Edit | None]:
    """For each contradicted claim the first edit that is supported, else the first that nothing speaks against.

    ``None`` for the other claims, and where no edit passes.

    Offsets are into the claim's hypothesis. Only edits of words that stand in the claim's own text count, and none
    of words that were read into it.
    """
    tries = [_tries(item) for item in found]
    fixes: list[Edit | None] = [None] * len(found)
    for turn in _TURNS:
        asked = [
            (at, one) for at, some in enumerate(tries) if not _supported(fixes[at]) for one in some[turn]
        ]
        decided = judge([one for _, one in asked]) if asked else []
        for (at, one), said in zip(asked, decided, strict=True):
            fixes[at] = _better(fixes[at], one, said)
    return fixes


def _tries(item: Judged) -> list[Candidate]:
    against = item.case.con or item.case.pro
    if against is None or item.decided.verdict is not Verdict.CONTRADICTED:
        return []
    claim, windows = item.read.claim, tuple(_windows(item))
    made = proposals(claim.hypothesis, against, item.decided.feature)
    written = [one for one in made if text_span(claim, (one.start, one.end)) is not None]
    return [Candidate(item.read, one, windows) for one in written[:MAX_TRIED]]


def _windows(item: Judged) -> Iterator[Window]:
    """The window that decided, those that together have most of the claim, then the others, best first; each once."""
    joined = [reading for reading in item.read.wide if reading.window.parts]
    readings = (item.case.con, *joined, item.case.pro, *item.case.readings)
    windows = [reading.window for reading in readings if reading is not None]
    parts = [part for window in windows for part in window.parts or (window,)]
    distinct = {(part.evidence.doc_id, part.start, part.end, part.premise): part for part in parts}
    return islice(distinct.values(), MAX_WINDOWS)


def _supported(fix: Edit | None) -> bool:
    return fix is not None and fix.verdict is Verdict.SUPPORTED


def _passes(decided: Decided) -> Verdict | None:
    """The verdict, where it is supported, or unverifiable with nothing that speaks against it."""
    if decided.verdict is Verdict.SUPPORTED:
        return Verdict.SUPPORTED
    quiet = decided.verdict is Verdict.UNVERIFIABLE and not decided.conflict and decided.vetoed is None
    return Verdict.UNVERIFIABLE if quiet else None


def _better(fix: Edit | None, tried: Candidate, decided: Decided) -> Edit | None:
    """The edit found so far, or this one, where it is the first that passes, or the first that is supported."""
    verdict, made = _passes(decided), tried.made
    if verdict is None or _supported(fix):
        return fix
    if verdict is not Verdict.SUPPORTED and (fix is not None or made.loose):
        return fix
    before = tried.read.claim.hypothesis[made.start : made.end]
    return Edit(before, made.after, made.start, made.end, tried.text, verdict)
