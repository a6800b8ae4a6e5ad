"""Statements of a claim and a premise go in, where one affirms what the other denies comes out.

Negations, opposites and denying prefixes are signs that multiply: two of them cancel, on one side or across both.
Modals stand beside: who says *may* against *must not* clashes like who affirms what is denied.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from signals.polarity.align import SAME, Alignment, align
from signals.polarity.clash import Clash, Span, main_span, span_of
from signals.polarity.statements import Context, Statement, contexts_in
from signals.syntax import Reading

__all__ = ["Opposition", "oppositions"]

_FIRM = 0.6
"""From this alignment on a clash has full strength."""
_WEAK = 0.7
"""Strength of a clash between ``SAME`` and ``_FIRM``."""
_HEDGE_LOST = 0.9

_CONDITIONAL = frozenset({"if", "unless", "except", "provided", "whether", "until"})
"""Openers of clauses that assert nothing; the comparison of conditions reads them."""

_MODAL_CLASHES = {
    (("oblige", True), ("oblige", False)): 1.0,
    (("oblige", False), ("oblige", True)): 1.0,
    (("permit", False), ("oblige", False)): 0.9,
    (("oblige", False), ("permit", False)): 0.4,
    (("oblige", False), ("permit", True)): 1.0,
    (("permit", True), ("oblige", False)): 1.0,
    (("permit", False), ("permit", True)): 1.0,
    (("permit", True), ("permit", False)): 1.0,
    (("oblige", True), ("permit", True)): 0.6,
    (("recommend", False), ("oblige", False)): 0.6,
    (("oblige", False), ("recommend", False)): 0.4,
    (("recommend", False), ("recommend", True)): 1.0,
    (("recommend", True), ("recommend", False)): 1.0,
    (("recommend", True), ("permit", False)): 0.6,
    (("oblige", True), ("", False)): 0.4,
    (("", False), ("oblige", True)): 0.6,
}
"""(modal, denied) of the premise, then of the claim; ``""`` is a plain statement. What is not here is no clash of
modals; ``must not`` counts as ``permit`` denied."""


class Opposition(NamedTuple):
    """The clashes, and whether any two statements were about the same thing and had a cue to compare."""

    clashes: tuple[Clash, ...]
    compared: bool


class _Pair(NamedTuple):
    ours: Statement
    theirs: Statement
    alignment: Alignment
    clash: Clash | None


def oppositions(
    claim: Reading, ours: Sequence[Statement], premise: Reading, theirs: Sequence[Statement]
) -> Opposition:
    """Judge every statement of the claim against those of the premise that speak of the same thing."""
    around = contexts_in(premise.text)
    clashes: list[Clash] = []
    compared = False
    for mine in ours:
        if mine.opener in _CONDITIONAL:
            continue
        pairs = [
            _Pair(mine, other, alignment, _clash(claim, mine, premise, other, alignment))
            for other in theirs
            if other.opener not in _CONDITIONAL
            and _about_the_same(mine, other, alignment := align(mine, other, around[other.sentence]))
            and _same_subject(mine, other, alignment, around[other.sentence])
            and _same_predicate(mine, other, alignment)
        ]
        compared = compared or any(
            pair.ours.cues or pair.theirs.cues or pair.alignment.opposed for pair in pairs
        )
        agreed = [pair.alignment for pair in pairs if pair.clash is None]
        clashes.extend(
            pair.clash
            for pair in pairs
            if pair.clash is not None and not any(_outweighs(other, pair.alignment) for other in agreed)
        )
    return Opposition(tuple(clashes), compared)


def _about_the_same(ours: Statement, theirs: Statement, alignment: Alignment) -> bool:
    if alignment.score >= SAME:
        return True
    bare = theirs.modal is not None and ours.modal is not None and not theirs.predicates
    return bare and len(alignment.shared) >= SAME * len(theirs.stems)


def _same_subject(ours: Statement, theirs: Statement, alignment: Alignment, context: Context) -> bool:
    """Whether either subject occurs on the other side, in whatever role; a missing subject can be any."""
    subjects = ours.subjects - context.above
    if not subjects or not theirs.subjects:
        return True
    met = {first.stem for first, _ in alignment.opposed}
    return bool(subjects & (alignment.shared | context.near | met) or theirs.subjects & ours.stems)


def _same_predicate(ours: Statement, theirs: Statement, alignment: Alignment) -> bool:
    """Whether the statements say something of the same thing, not only of things of the same name."""
    if alignment.opposed:
        return bool(alignment.shared) or not ours.stems - {first.stem for first, _ in alignment.opposed}
    if theirs.predicates & alignment.shared:
        return True
    if ours.modal and theirs.modal and not (ours.predicates and theirs.predicates) and alignment.shared:
        return True
    if ours.predicates & alignment.shared and (theirs.predicates or theirs.denied):
        return True
    if theirs.denied and theirs.existence and ours.existence and theirs.subjects & alignment.shared:
        return True
    return theirs.denied and not theirs.predicates and bool(alignment.shared)


def _outweighs(agreed: Alignment, clashing: Alignment) -> bool:
    """Whether another statement that agrees speaks of everything that the clashing one shares with the claim."""
    return agreed.score >= clashing.score and clashing.shared <= agreed.shared


def _clash(
    claim: Reading, ours: Statement, premise: Reading, theirs: Statement, alignment: Alignment
) -> Clash | None:
    strength = 1.0 if alignment.score >= _FIRM else _WEAK
    here, there = _modal(ours), _modal(theirs)
    if here[0] and there[0]:
        modal = _MODAL_CLASHES.get((there, here), 0.0)
        feature = "polarity" if here[0] == there[0] == "permit" else "modality"
        if modal:
            spans = _cue_spans(claim, ours, premise, theirs, alignment, "modal")
            return Clash(feature, modal * strength, *spans)
        return None
    denied = ours.denied ^ theirs.denied ^ _modal_flip(ours) ^ _modal_flip(theirs)
    flips = [
        one for one in sorted(alignment.shared & ours.stems & theirs.stems) if _flipped(ours, theirs, one)
    ]
    odd = (denied + len(flips) + len(alignment.opposed)) % 2 == 1
    if not odd:
        return None
    if alignment.opposed:
        first, second = alignment.opposed[0]
        spans = (span_of(claim, first.at, first.at + 1), span_of(premise, second.at, second.at + 1))
        return Clash("antonym", strength, *spans)
    if not _one_denies_the_other(ours, theirs, alignment):
        return None
    plain = ("", False)
    if ("oblige", True) in (here, there) and not flips:
        modal = _MODAL_CLASHES.get((there if there[0] else plain, here if here[0] else plain), 0.0)
        spans = _cue_spans(claim, ours, premise, theirs, alignment, "modal")
        return Clash("modality", modal * strength, *spans)
    return Clash("polarity", strength, *_cue_spans(claim, ours, premise, theirs, alignment, "negation"))


def _one_denies_the_other(ours: Statement, theirs: Statement, alignment: Alignment) -> bool:
    """Whether what is denied on one side is what the other affirms: the same predicate, in more than a word.

    ``None earned as much as A`` denies of the others, not of A.
    """
    if ours.compares != theirs.compares:
        return False
    alone = len(alignment.shared) == 1 and alignment.score < 1.0
    if alone or not (ours.predicates and theirs.predicates):
        return not alone
    common = alignment.shared | alignment.matched
    if ours.existence and theirs.existence and theirs.denied and theirs.subjects & common:
        return True
    denying = ours if ours.denied else theirs
    return bool(denying.predicates & common)


def _flipped(ours: Statement, theirs: Statement, one: str) -> bool:
    return ours.items[one].flipped != theirs.items[one].flipped


def _modal_flip(statement: Statement) -> bool:
    return statement.modal is not None and statement.modal.value.startswith("-")


def _modal(statement: Statement) -> tuple[str, bool]:
    """The modal and whether it is denied; ``must not`` forbids, so it is ``permit`` denied."""
    if statement.modal is None:
        return "", False
    value = statement.modal.value.removeprefix("-")
    denied = statement.denied ^ _modal_flip(statement)
    if value == "must":
        value = "permit" if denied else "oblige"
    return value, denied


def _cue_spans(
    claim: Reading, ours: Statement, premise: Reading, theirs: Statement, alignment: Alignment, kind: str
) -> tuple[Span, Span]:
    return _cue_span(claim, ours, alignment, kind), _cue_span(premise, theirs, alignment, kind)


def _cue_span(reading: Reading, statement: Statement, alignment: Alignment, kind: str) -> Span:
    """The cue with the word it bears on, or that word alone where the statement has no cue."""
    begin, end = main_span(reading, statement, alignment.shared)
    cue = statement.cue(kind) or statement.cue("negation") or statement.cue("modal")
    if cue is None:
        return begin, end
    first, last = span_of(reading, cue.first, cue.last)
    return min(begin, first), max(end, last)
