"""Statements of a claim and a premise go in, where one affirms what the other denies comes out.

Negations, opposites and denying prefixes are signs that multiply: two of them cancel, on one side or across both.
Modals stand beside: who says *may* against *must not* clashes like who affirms what is denied.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from verifier_signals.polarity.align import Alignment, align
from verifier_signals.polarity.clash import Clash, Span, main_span, span_of
from verifier_signals.polarity.statement import Statement
from verifier_signals.polarity.statements import Context, contexts_in
from verifier_signals.polarity.ties import Ties
from verifier_signals.syntax import Reading

__all__ = ["Opposition", "oppositions"]

_WEAK = 0.7
"""Strength of a clash between statements that are not alike enough for a firm one."""

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
    claim: Reading,
    ours: Sequence[Statement],
    premise: Reading,
    theirs: Sequence[Statement],
    whole: frozenset[str],
    ties: Ties,
) -> Opposition:
    """Judge every statement of the claim against those of the premise that speak of the same thing."""
    around = contexts_in(premise.text) if theirs else {}
    asserting = [other for other in theirs if other.opener not in _CONDITIONAL]
    clashes: list[Clash] = []
    compared = False
    for mine in ours:
        if mine.opener in _CONDITIONAL:
            continue
        telling = [other for other in asserting if _may_clash(mine, other)]
        pairs = [
            _Pair(mine, other, alignment, _clash(claim, mine, premise, other, alignment, ties))
            for other in telling
            if (alignment := _met(mine, other, around[other.sentence], whole, ties)) is not None
        ]
        compared = compared or any(
            pair.ours.cues or pair.theirs.cues or pair.alignment.opposed for pair in pairs
        )
        if all(pair.clash is None for pair in pairs):
            continue
        agreed = [pair.alignment for pair in pairs if pair.clash is None and not _at_odds(pair)]
        agreed.extend(
            alignment
            for other in asserting
            if other not in telling
            and (alignment := _met(mine, other, around[other.sentence], whole, ties)) is not None
        )
        clashes.extend(
            pair.clash
            for pair in pairs
            if pair.clash is not None and not any(_outweighs(other, pair.alignment) for other in agreed)
        )
    return Opposition(tuple(clashes), compared)


def _at_odds(pair: _Pair) -> bool:
    """Whether one statement denies what is like the other: it does not agree, even if that is too little to clash."""
    ours, theirs, alignment, _ = pair
    flips = sum(_flipped(ours, theirs, one) for one in alignment.shared & ours.stems & theirs.stems)
    opposites = len({second.stem for _, second in alignment.opposed})
    return ((ours.negative ^ theirs.negative) + flips + opposites) % 2 == 1


def _may_clash(ours: Statement, theirs: Statement) -> bool:
    """Whether one of the two has a cue or a denying prefix, or they have opposites; others agree or do not meet."""
    if ours.cues or theirs.cues or ours.flips or theirs.flips:
        return True
    opposites = ours.related.opposites
    return bool(opposites) and not theirs.related.forms.keys().isdisjoint(opposites)


def _met(
    ours: Statement, theirs: Statement, context: Context, whole: frozenset[str], ties: Ties
) -> Alignment | None:
    """How two statements lie on each other; ``None`` where they do not say something of the same thing."""
    alignment = align(ours, theirs, context, whole, ties)
    same = (
        _about_the_same(ours, theirs, alignment, ties)
        and _same_subject(ours, theirs, alignment, context)
        and _same_predicate(ours, theirs, alignment)
    )
    return alignment if same else None


def _about_the_same(ours: Statement, theirs: Statement, alignment: Alignment, ties: Ties) -> bool:
    if alignment.score >= ties.same:
        return True
    if theirs.denied and not ours.denied and alignment.shared and alignment.covered >= 1.0:
        return True
    bare = theirs.modal is not None and ours.modal is not None and not theirs.predicates
    return bare and len(alignment.shared) >= ties.same * len(theirs.stems)


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
    if theirs.demands and ours.denied and not ours.predicates:
        return bool(alignment.shared)
    if ours.light_verbs & theirs.light_verbs:
        return bool(alignment.shared)
    if theirs.denied and theirs.existence and ours.existence and theirs.subjects & alignment.shared:
        return True
    return theirs.denied and not theirs.predicates and bool(alignment.shared)


def _outweighs(agreed: Alignment, clashing: Alignment) -> bool:
    """Whether another statement that agrees speaks of everything that the clashing one shares with the claim."""
    if clashing.shared <= agreed.shared:
        return agreed.score >= clashing.score
    return agreed.score > clashing.score and clashing.shared <= agreed.shared | agreed.beside


def _clash(
    claim: Reading, ours: Statement, premise: Reading, theirs: Statement, alignment: Alignment, ties: Ties
) -> Clash | None:
    if _both_of_some(ours, theirs):
        return None
    here, there = _modal(ours), _modal(theirs)
    if theirs.demands and here == ("permit", False):
        return None
    flips = [
        one for one in sorted(alignment.shared & ours.stems & theirs.stems) if _flipped(ours, theirs, one)
    ]
    opposites = len({second.stem for _, second in alignment.opposed})
    contrary_case = (len(flips) + opposites) % 2 == 1
    if contrary_case and here[0] == there[0] == "permit" and here != there:
        return None
    if contrary_case and here == there == ("permit", False):
        strength = _strength(alignment, alignment.mutual >= ties.modal_mutual, ties)
        at, over = _contrary(ours, theirs, alignment, flips)
        spans = span_of(claim, at, at + 1), span_of(premise, over, over + 1)
        return Clash("negation.contrary-case", "condition", _WEAK * strength, *spans) if strength else None
    if here[0] and there[0]:
        modal = _MODAL_CLASHES.get((there, here), 0.0)
        feature = "polarity" if here[0] == there[0] == "permit" else "modality"
        strength = _strength(alignment, alignment.mutual >= ties.modal_mutual, ties)
        if not modal or not strength:
            return None
        spans = _cue_spans(claim, ours, premise, theirs, alignment, "modal")
        return Clash("negation.permission-or-duty", feature, modal * strength, *spans)
    if ((ours.negative ^ theirs.negative) + len(flips) + opposites) % 2 == 0:
        return None
    if alignment.opposed:
        strength = _strength(alignment, alignment.mutual >= ties.antonym_mutual, ties)
        first, second = alignment.opposed[0]
        spans = (span_of(claim, first.at, first.at + 1), span_of(premise, second.at, second.at + 1))
        return Clash("negation.opposite-words", "antonym", strength, *spans) if strength else None
    strength = _strength(alignment, _denial_met(ours, theirs, alignment, ties), ties)
    if not strength or not _one_denies_the_other(ours, theirs, alignment):
        return None
    plain = ("", False)
    if ("oblige", True) in (here, there) and not flips:
        modal = _MODAL_CLASHES.get((there if there[0] else plain, here if here[0] else plain), 0.0)
        spans = _cue_spans(claim, ours, premise, theirs, alignment, "modal")
        return Clash("negation.duty-denied", "modality", modal * strength, *spans)
    spans = _cue_spans(claim, ours, premise, theirs, alignment, "negation")
    return Clash("negation.denied", "polarity", strength, *spans)


def _contrary(
    ours: Statement, theirs: Statement, alignment: Alignment, flips: Sequence[str]
) -> tuple[int, int]:
    """The tokens of the first opposites, or of the first word that only one side has with a denying prefix."""
    if alignment.opposed:
        first, second = alignment.opposed[0]
        return first.at, second.at
    return ours.items[flips[0]].at, theirs.items[flips[0]].at


def _both_of_some(ours: Statement, theirs: Statement) -> bool:
    """Whether both speak of a part of their things, so that one may affirm what the other denies: that not all rooms
    have a bath, and that some have none. The comparison of quantities reads them."""
    return all(
        (cue := statement.cue("quantifier")) is not None and cue.value not in ("all", "none")
        for statement in (ours, theirs)
    )


def _strength(alignment: Alignment, same: bool, ties: Ties) -> float:
    """Of a clash between two statements that may be about the same thing, or not; 0 for none."""
    if not same:
        return 0.0
    return 1.0 if max(alignment.score, alignment.covered) >= ties.firm else _WEAK


def _denial_met(ours: Statement, theirs: Statement, alignment: Alignment, ties: Ties) -> bool:
    """Whether what one side denies is what the other affirms, and not only something like it.

    Who denies a thing (``did not raise wages``) denies nothing wider (``raised prices``): the denied statement must
    be covered by the affirmed one, which may say more.
    """
    if alignment.mutual < ties.denied_mutual:
        return False
    if theirs.negative and not ours.negative:
        return alignment.covered >= ties.denied_covered
    if ours.negative and not theirs.negative:
        return max(alignment.score, alignment.covered) >= ties.denied_covered
    return True


def _one_denies_the_other(ours: Statement, theirs: Statement, alignment: Alignment) -> bool:
    """Whether what is denied on one side is what the other affirms: the same predicate, in more than a word.

    ``None earned as much as A`` denies of the others, not of A.
    """
    if ours.compares != theirs.compares:
        return False
    common = alignment.shared | alignment.matched
    there = theirs.subjects & common or ours.existing & theirs.existing
    if ours.existence and theirs.existence and theirs.denied and there:
        return True
    if len(alignment.shared) == 1 and alignment.score < 1.0:
        return theirs.denied and not theirs.predicates and theirs.stems <= common
    if not (ours.predicates and theirs.predicates):
        return True
    denying = ours if ours.denied else theirs
    return bool(denying.predicates & common)


def _flipped(ours: Statement, theirs: Statement, one: str) -> bool:
    return ours.items[one].flipped != theirs.items[one].flipped


def _modal(statement: Statement) -> tuple[str, bool]:
    """The modal and whether it is denied; ``must not`` forbids, so it is ``permit`` denied, and what may not be done
    without a thing obliges to it."""
    if statement.modal is None:
        return "", False
    if statement.demands:
        return "oblige", False
    value = statement.modal.value.removeprefix("-")
    if value == "must":
        value = "permit" if statement.negative else "oblige"
    return value, statement.negative


def _cue_spans(
    claim: Reading, ours: Statement, premise: Reading, theirs: Statement, alignment: Alignment, kind: str
) -> tuple[Span, Span]:
    """What a reader would point at on both sides; evidence that denies is quoted with its denial."""
    there = _cue_span(premise, theirs, alignment, kind, "negation")
    return _cue_span(claim, ours, alignment, kind), there


def _cue_span(reading: Reading, statement: Statement, alignment: Alignment, *kinds: str) -> Span:
    """The cues of these kinds with the word they bear on, else another cue with it, or that word alone."""
    cues = [cue for kind in kinds if (cue := statement.cue(kind)) is not None]
    others = (statement.cue("negation"), statement.cue("modal"))
    cues = cues or [cue for cue in others if cue is not None][:1]
    spans = [main_span(reading, statement, alignment.shared)]
    spans += [span_of(reading, cue.first, cue.last) for cue in cues]
    return min(first for first, _ in spans), max(last for _, last in spans)
