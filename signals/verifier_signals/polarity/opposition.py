"""Opposition: one text affirms what the other denies.

Negations, opposites and denying prefixes are signs that multiply: two of them cancel, on one side or across both.
Modals stand beside: *may* clashes with *must not* as an affirmation does with a denial. A claim that repeats a sentence
with one word turned round (``before``, ``after``) clashes without an alignment of statements. :func:`both_deny` tells
whether both texts deny the same thing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.likeness import are_opposed
from verifier_signals.polarity.alignment import (
    Alignment,
    PolarityClash,
    Thresholds,
    align,
    main_span,
    span_of,
)
from verifier_signals.polarity.statements import Statement, StatementContext, contexts_in, statements_in
from verifier_signals.polarity.terms import without_prefix
from verifier_signals.repeated import Gap, gaps_in, stems_of
from verifier_signals.syntax import Reading, Token, read
from verifier_signals.types import Span

__all__ = ["both_deny", "contrary_word_clashes", "oppositions"]

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


class Oppositions(NamedTuple):
    """The clashes, and whether any two statements were about the same thing and had a cue to compare."""

    clashes: tuple[PolarityClash, ...]
    compared: bool


class _Pair(NamedTuple):
    ours: Statement
    theirs: Statement
    alignment: Alignment
    clash: PolarityClash | None


def oppositions(
    claim: Reading,
    ours: Sequence[Statement],
    premise: Reading,
    theirs: Sequence[Statement],
    whole: frozenset[str],
    thresholds: Thresholds,
) -> Oppositions:
    """Judge every statement of the claim against those of the premise that speak of the same thing."""
    around = contexts_in(premise.text) if theirs else {}
    asserting = [other for other in theirs if other.opener not in _CONDITIONAL]
    clashes: list[PolarityClash] = []
    compared = False
    for mine in ours:
        if mine.opener in _CONDITIONAL:
            continue
        telling = [other for other in asserting if _has_contrast(mine, other)]
        pairs = [
            _Pair(
                mine, other, alignment, _opposition_clash(claim, mine, premise, other, alignment, thresholds)
            )
            for other in telling
            if (alignment := _alignment_of_same(mine, other, around[other.sentence], whole, thresholds))
            is not None
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
            and (alignment := _alignment_of_same(mine, other, around[other.sentence], whole, thresholds))
            is not None
        )
        clashes.extend(
            pair.clash
            for pair in pairs
            if pair.clash is not None and not any(_outweighs(other, pair.alignment) for other in agreed)
        )
    return Oppositions(tuple(clashes), compared)


def _at_odds(pair: _Pair) -> bool:
    """Whether one statement denies what is like the other: it does not agree, even if that is too little to clash."""
    ours, theirs, alignment, _ = pair
    flips = sum(_flipped(ours, theirs, one) for one in alignment.shared & ours.stems & theirs.stems)
    opposites = len({second.stem for _, second in alignment.opposed})
    return ((ours.negative ^ theirs.negative) + flips + opposites) % 2 == 1


def _has_contrast(ours: Statement, theirs: Statement) -> bool:
    """Whether one of the two has a cue or a denying prefix, or they have opposites; others agree or do not meet."""
    if ours.cues or theirs.cues or ours.flips or theirs.flips:
        return True
    opposites = ours.related.opposites
    return bool(opposites) and not theirs.related.forms.keys().isdisjoint(opposites)


def _alignment_of_same(
    ours: Statement,
    theirs: Statement,
    context: StatementContext,
    whole: frozenset[str],
    thresholds: Thresholds,
) -> Alignment | None:
    """How two statements lie on each other; ``None`` where they do not say something of the same thing."""
    alignment = align(ours, theirs, context, whole, thresholds)
    same = (
        _about_the_same(ours, theirs, alignment, thresholds)
        and _same_subject(ours, theirs, alignment, context)
        and _same_predicate(ours, theirs, alignment)
    )
    return alignment if same else None


def _about_the_same(ours: Statement, theirs: Statement, alignment: Alignment, thresholds: Thresholds) -> bool:
    if alignment.score >= thresholds.same:
        return True
    if theirs.denied and not ours.denied and alignment.shared and alignment.covered >= 1.0:
        return True
    bare = theirs.modal is not None and ours.modal is not None and not theirs.predicates
    return bare and len(alignment.shared) >= thresholds.same * len(theirs.stems)


def _same_subject(
    ours: Statement, theirs: Statement, alignment: Alignment, context: StatementContext
) -> bool:
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


def _opposition_clash(
    claim: Reading,
    ours: Statement,
    premise: Reading,
    theirs: Statement,
    alignment: Alignment,
    thresholds: Thresholds,
) -> PolarityClash | None:
    if _both_of_some(ours, theirs):
        return None
    here, there = _modal_of(ours), _modal_of(theirs)
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
        strength = _opposition_strength(alignment, alignment.mutual >= thresholds.modal_mutual, thresholds)
        at, over = _contrary_words(ours, theirs, alignment, flips)
        spans = span_of(claim, at, at + 1), span_of(premise, over, over + 1)
        return (
            PolarityClash("negation.contrary-case", "condition", _WEAK * strength, *spans)
            if strength
            else None
        )
    if here[0] and there[0]:
        modal = _MODAL_CLASHES.get((there, here), 0.0)
        feature = "polarity" if here[0] == there[0] == "permit" else "modality"
        strength = _opposition_strength(alignment, alignment.mutual >= thresholds.modal_mutual, thresholds)
        if not modal or not strength:
            return None
        spans = _cue_spans(claim, ours, premise, theirs, alignment, "modal")
        return PolarityClash("negation.permission-or-duty", feature, modal * strength, *spans)
    if ((ours.negative ^ theirs.negative) + len(flips) + opposites) % 2 == 0:
        return None
    if alignment.opposed:
        strength = _opposition_strength(alignment, alignment.mutual >= thresholds.antonym_mutual, thresholds)
        first, second = alignment.opposed[0]
        spans = (span_of(claim, first.at, first.at + 1), span_of(premise, second.at, second.at + 1))
        return PolarityClash("negation.opposite-words", "antonym", strength, *spans) if strength else None
    strength = _opposition_strength(alignment, _denial_met(ours, theirs, alignment, thresholds), thresholds)
    if not strength or not _one_denies_the_other(ours, theirs, alignment):
        return None
    plain = ("", False)
    if ("oblige", True) in (here, there) and not flips:
        modal = _MODAL_CLASHES.get((there if there[0] else plain, here if here[0] else plain), 0.0)
        spans = _cue_spans(claim, ours, premise, theirs, alignment, "modal")
        return PolarityClash("negation.duty-denied", "modality", modal * strength, *spans)
    spans = _cue_spans(claim, ours, premise, theirs, alignment, "negation")
    return PolarityClash("negation.denied", "polarity", strength, *spans)


def _contrary_words(
    ours: Statement, theirs: Statement, alignment: Alignment, flips: Sequence[str]
) -> tuple[int, int]:
    """The tokens of the first opposites, or of the first word that only one side has with a denying prefix."""
    if alignment.opposed:
        first, second = alignment.opposed[0]
        return first.at, second.at
    return ours.terms[flips[0]].at, theirs.terms[flips[0]].at


def _both_of_some(ours: Statement, theirs: Statement) -> bool:
    """Whether both speak of a part of their things, so that one may affirm what the other denies: that not all rooms
    have a bath, and that some have none. The comparison of quantities reads them."""
    return all(
        (cue := statement.cue("quantifier")) is not None and cue.value not in ("all", "none")
        for statement in (ours, theirs)
    )


def _opposition_strength(alignment: Alignment, same: bool, thresholds: Thresholds) -> float:
    """Of a clash between two statements that may be about the same thing, or not; 0 for none."""
    if not same:
        return 0.0
    return 1.0 if max(alignment.score, alignment.covered) >= thresholds.firm else _WEAK


def _denial_met(ours: Statement, theirs: Statement, alignment: Alignment, thresholds: Thresholds) -> bool:
    """Whether what one side denies is what the other affirms, and not only something like it.

    Who denies a thing (``did not raise wages``) denies nothing wider (``raised prices``): the denied statement must
    be covered by the affirmed one, which may say more.
    """
    if alignment.mutual < thresholds.denied_mutual:
        return False
    if theirs.negative and not ours.negative:
        return alignment.covered >= thresholds.denied_covered
    if ours.negative and not theirs.negative:
        return max(alignment.score, alignment.covered) >= thresholds.denied_covered
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
    return ours.terms[one].flipped != theirs.terms[one].flipped


def _modal_of(statement: Statement) -> tuple[str, bool]:
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


_DENYING_VERB_STEMS = lexicon(
    "exclud ban prohibit disallow reject oppos hinder withhold miss omit revok suspend cancel"
)
"""Stems of verbs that deny something and are no negation by themselves."""


def both_deny(ours: Sequence[Statement], theirs: Sequence[Statement], thresholds: Thresholds) -> bool:
    """Whether the claim denies something, and the premise does, in a statement that speaks of the same things.

    It does when ``thresholds.same`` of its content words are the claim's, or of those of the claim's denial are its
    own. Who calls a statement untrue denies what the premise does only by the same word: that no door was shut is no
    refusal. Nor is that stock is not excluded, if the premise says that it is not insured: it denies what denies.
    """
    denials = [statement for statement in ours if _has_denial(statement)]
    if not denials:
        return False
    claimed = frozenset[str]().union(*(statement.stems for statement in ours))
    framed = [statement for statement in denials if _is_framed(statement)]
    return any(
        (
            len(claimed & told.stems) >= thresholds.same * len(told.stems)
            or any(
                len(denied.stems & told.stems) >= thresholds.same * len(denied.stems) for denied in denials
            )
        )
        and any(denied.negative == told.negative for denied in denials)
        and all(denied.predicates & told.stems for denied in framed)
        and all(denied.predicates & _DENYING_VERB_STEMS <= told.stems for denied in denials)
        for told in theirs
        if _has_denial(told)
    )


def _is_framed(statement: Statement) -> bool:
    """Whether what denies a statement stands outside of it: ``It is not true that the gate was shut``."""
    return any(cue.kind == "negation" and cue.first < statement.first for cue in statement.cues)


def _has_denial(statement: Statement) -> bool:
    """Whether a statement holds a word that denies, even if another one cancels it."""
    return statement.cue("negation") is not None or statement.forbids


_CONTRARY_FUNCTION_WORDS = frozenset(
    frozenset(pair)
    for pair in (
        ("before", "after"),
        ("within", "after"),
        ("by", "after"),
        ("above", "below"),
        ("over", "under"),
        ("with", "without"),
        ("from", "until"),
        ("since", "until"),
        ("inside", "outside"),
        ("up", "down"),
        ("including", "except"),
        ("including", "excluding"),
        ("if", "unless"),
        ("when", "unless"),
        ("more", "less"),
        ("more", "fewer"),
        ("most", "least"),
        ("most", "fewest"),
        ("into", "from"),
    )
)
"""Function words that say the contrary in the same place; other opposites are in the word tables."""


def contrary_word_clashes(claim: str, premise: str) -> list[PolarityClash]:
    """Whether one text denies or turns round, in an odd number of places, what the other says in the same words.

    Not where the claim has another word that the premise lacks: it may then tell of another thing.

    >>> contrary_word_clashes("Dogs may not enter the park.", "Dogs may enter the park.")[0].feature
    'polarity'
    >>> contrary_word_clashes("It shuts before the last bus.", "It shuts after the last bus.")[0].feature
    'antonym'
    """
    signs: list[PolarityClash] = []
    for gap in gaps_in(claim, premise):
        contrary = [(one, other) for one in gap.ours for other in gap.theirs if _are_contrary(one, other)]
        said = stems_of([token for token in gap.ours if token not in {one for one, _ in contrary}])
        if not said <= read(premise).stems:
            return []
        signs += _contrary_signs(gap, contrary[:1], claim, premise)
    return signs[:1] if len(signs) % 2 == 1 else []


def _contrary_signs(
    gap: Gap, contrary: Sequence[tuple[Token, Token]], claim: str, premise: str
) -> Iterator[PolarityClash]:
    for one, other in contrary:
        yield PolarityClash(
            "negation.word-turned", "antonym", 1.0, _span_of_tokens([one]), _span_of_tokens([other])
        )
    denials = [*_denials(claim, gap.ours), *_denials(premise, gap.theirs)]
    ours, theirs = ([*gap.ours], [*gap.theirs]) if gap.ahead is None else _with_following(gap, gap.ahead)
    yield from (
        PolarityClash(
            "negation.denial-turned", "polarity", 1.0, _span_of_tokens(ours), _span_of_tokens(theirs)
        )
        for _ in denials
    )


def _with_following(gap: Gap, ahead: tuple[Token, Token]) -> tuple[list[Token], list[Token]]:
    """Both sides with the word behind them, which the denial is of: ``not sold``, ``sold``."""
    return [*gap.ours, ahead[0]], [*gap.theirs, ahead[1]]


def _are_contrary(one: Token, other: Token) -> bool:
    first, second = one.word.low, other.word.low
    if one.word.function or other.word.function:
        return frozenset((first, second)) in _CONTRARY_FUNCTION_WORDS
    return are_opposed(first, second) or without_prefix(first) == second or without_prefix(second) == first


def _denials(text: str, tokens: Sequence[Token]) -> list[Span]:
    starts = {token.start for token in tokens}
    return [span for span in _denial_spans(text) if span[0] in starts]


@lru_cache(maxsize=1024)
def _denial_spans(text: str) -> tuple[Span, ...]:
    tokens = read(text).tokens
    cues = {cue for one in statements_in(text) for cue in one.cues if cue.kind == "negation"}
    return tuple(sorted(_span_of_tokens(tokens[cue.first : cue.last]) for cue in cues))


def _span_of_tokens(tokens: Sequence[Token]) -> Span:
    return (tokens[0].start, tokens[-1].end) if tokens else (0, 0)
