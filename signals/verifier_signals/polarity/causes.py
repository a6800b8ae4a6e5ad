"""A claim and a premise go in, causes that the claim asserts and the premise states, denies or leaves open come out."""

from __future__ import annotations

from verifier_signals.polarity.clash import Clash, span_of
from verifier_signals.polarity.cues import cues_in
from verifier_signals.polarity.links import Link, Meanings, links_in
from verifier_signals.polarity.told import Told
from verifier_signals.syntax import Reading, read

__all__ = ["cause_clashes"]

_DENIED, _OPEN, _NOT_STATED = 0.9, 0.9, 0.9
_SHORTEST = 4
"""Letters of a stem that may begin a compound: shorter ones begin too many other words."""
_NO_CAUSE = "the evidence states no cause"


def cause_clashes(claim: str, premise: str) -> list[Clash]:
    """What the premise says of each cause that the claim asserts firmly.

    * it denies the link: ``polarity``;
    * it leaves the link open: ``hedge``, and ``cause``;
    * it states no such link, and the claim has words that say cause and nothing else: ``cause``;
    * it states the link: ``cause`` with strength 0, which is agreement.

    That two things are linked as in the claim is seen by one word in common on each side, or a synonym.

    >>> [clash.feature for clash in cause_clashes("Rain delayed it because of mud.", "It came late, with rain.")]
    ['cause']
    """
    mine = read(claim)
    asserted = [link for link in links_in(claim) if link.told is Told.STATED and link.cause and link.effect]
    if not asserted or any(cue.kind == "hedge" for cue in cues_in(mine)):
        return []
    other, told = read(premise), links_in(premise)
    found: list[Clash] = []
    for link in asserted:
        found.extend(_compared(mine, link, other, [one for one in told if _same(link, one)]))
    return found


def _same(mine: Link, other: Link) -> bool:
    return _meet(mine.cause, other.cause) and _meet(mine.effect, other.effect)


def _meet(ours: Meanings, theirs: Meanings) -> bool:
    """Whether two sides share a word, a sense, or the beginning of a compound (``rock``, ``rockfall``)."""
    if not ours.isdisjoint(theirs):
        return True
    mine, other = ([one for one in side if isinstance(one, str)] for side in (ours, theirs))
    return any(_begins(one, two) or _begins(two, one) for one in mine for two in other)


def _begins(stem: str, other: str) -> bool:
    return len(stem) >= _SHORTEST and other.startswith(stem)


def _compared(claim: Reading, mine: Link, premise: Reading, same: list[Link]) -> list[Clash]:
    here = span_of(claim, mine.first, mine.last)
    by_told = {link.told: span_of(premise, link.first, link.last) for link in reversed(same)}
    if Told.STATED in by_told:
        return [Clash("negation.cause-stated", "cause", 0.0, here, by_told[Told.STATED])]
    found: list[Clash] = []
    if Told.DENIED in by_told:
        found.append(
            Clash(
                "negation.cause-denied",
                "polarity",
                _DENIED,
                here,
                by_told[Told.DENIED],
                "the evidence denies the cause",
            )
        )
    elif Told.OPEN in by_told:
        found.append(Clash("negation.cause-open", "hedge", _OPEN, here, by_told[Told.OPEN], _NO_CAUSE))
    if found or mine.sure:
        found.append(
            Clash(
                "negation.cause-not-stated",
                "cause",
                _NOT_STATED,
                here,
                by_told.get(Told.OPEN, (0, 0)),
                _NO_CAUSE,
            )
        )
    return found
