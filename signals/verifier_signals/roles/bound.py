"""A claim and what its evidence says go in; whether that is said of the claim's subject, or of another, comes out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from verifier.core.deadline import each
from verifier.core.lexicon import lexicon
from verifier_signals.lexicon import antonyms_of, senses_of
from verifier_signals.roles.subjects import Likeness, Phrase, exactly, likeness
from verifier_signals.roles.told import Told, told_in
from verifier_signals.stems import lemma, word_key

__all__ = ["Bound", "bound"]

Span = tuple[int, int]

_SYMMETRIC = lexicon("""
    be have do meet merge cooperate collaborate partner play agree border resemble marry talk match face join equal
    adjoin neighbour neighbor accompany differ touch cross wed divorce fight date
    """)
"""Verbs that say the same with their sides exchanged."""
_LIGHT = lexicon("be have do become remain get")


class Bound(NamedTuple):
    """That the evidence says of ``other`` what the claim says of its subject.

    ``ours`` is the span of the subject in the claim. Premise ``other`` says the same of another, named at ``theirs``,
    and premise ``own`` something else in its place of the claim's subject, which makes it a conflict; ``None``: none.
    """

    ours: Span
    other: int
    theirs: Span
    own: int | None

    @property
    def conflict(self) -> bool:
        """Whether the claim is wrong, and not only unsaid."""
        return self.own is not None


def bound(claim: str, premises: Sequence[str]) -> Bound | None:
    """Whether evidence says of another what a claim says of its subject, and nowhere of that subject.

    Args:
        claim: one sentence.
        premises: texts of the evidence, whatever document they are of.
    """
    asked = _asked(claim)
    if asked is None:
        return None
    told = [(n, one) for n, premise in each(enumerate(premises)) for one in told_in(premise)]
    pool = _Pool(told)
    if any(_is_said(ours, told, pool) for ours in asked):
        return None
    found = [_of_one(ours, told, pool) for ours in asked]
    some = [one for one in found if one is not None]
    return max(some, key=lambda one: one.conflict, default=None)


class _Pool:
    """The phrases that the evidence tells something of, and its names."""

    def __init__(self, told: Sequence[tuple[int, Told]]) -> None:
        phrases = (phrase for _, one in told for phrase in (*one.subjects, *filter(_is_name, one.things)))
        self._phrases = [*dict.fromkeys(phrases)]
        self._held: dict[Phrase, bool] = {}

    def holds(self, phrase: Phrase) -> bool:
        """Whether it has just this phrase; each is looked for once."""
        if phrase not in self._held:
            self._held[phrase] = exactly(phrase, self._phrases)
        return self._held[phrase]


def _is_name(phrase: Phrase) -> bool:
    return phrase.named


def _is_said(ours: Told, told: Sequence[tuple[int, Told]], pool: _Pool) -> bool:
    """Whether all of it is said of the claim's subject, or of what may be that."""
    return any(
        _says(ours, one, loosely=True) and _stands(ours, one, pool) is not Likeness.OTHER for _, one in told
    )


@lru_cache(maxsize=2048)
def _asked(claim: str) -> tuple[Told, ...] | None:
    """What a claim says of subjects that it names; nothing where it denies or has no verb that is known."""
    told = told_in(claim)
    if any(one.denied or one.shape == ("label",) for one in told):
        return None
    named = tuple(
        one
        for one in told
        if one.subjects
        and all(phrase.head and not phrase.general for phrase in one.subjects)
        and (one.keys or (one.verb and len(told) == 1))
    )
    return named or None


def _of_one(ours: Told, told: Sequence[tuple[int, Told]], pool: _Pool) -> Bound | None:
    others: list[tuple[int, Told]] = []
    own: list[tuple[int, Told]] = []
    for n, one in told:
        how = _stands(ours, one, pool)
        if how is Likeness.OTHER:
            if _unsaid_agent(ours, one) or (_says(ours, one, loosely=False) and _one_matter(ours, one)):
                others.append((n, one))
            continue
        if how is Likeness.SAME:
            own.append((n, one))
        if (
            how is Likeness.EITHER
            and _unsaid_agent(ours, one)
            and any(pool.holds(mine) for mine in ours.subjects)
        ):
            others.append((n, one))
    swapped = next(((n, one) for n, one in told if _swapped(ours, one)), None)
    if swapped is not None:
        return Bound(ours.span, swapped[0], swapped[1].span, swapped[0])
    if not others:
        return _spread(ours, told, own, pool)
    other = others[0]
    rival = next((n for n, one in own if _in_place(ours, one, other[1])), None)
    return Bound(ours.span, other[0], other[1].span, rival)


def _spread(
    ours: Told, told: Sequence[tuple[int, Told]], own: Sequence[tuple[int, Told]], pool: _Pool
) -> Bound | None:
    """Where what is told of the claim's subject, with the claim's verb, lacks just what the same verb says of another:
    ``Anton lent Karl a drill`` of ``Birgit lent Anton a drill. Anton lent Karl a saw``."""
    mine = [(n, one) for n, one in own if one.lemma == ours.lemma and one.keys & ours.keys and not one.denied]
    if not mine or not ours.verb:
        return None
    near = [one for _, one in told if _named(ours, one, pool) is not Likeness.OTHER]
    said = frozenset().union(*(one.keys | {one.verb} for one in near))
    senses = frozenset().union(*(one.senses for one in near))
    missing = {key for key, low in _paired(ours) if key not in said and not _means(low, senses)}
    for n, one in told:
        if missing and one.lemma == ours.lemma and missing <= one.keys and one.subjects and not one.denied:
            return Bound(ours.span, n, one.span, mine[0][0])
    return None


def _stands(ours: Told, one: Told, pool: _Pool) -> Likeness:
    """How the subject of what is told stands to the claim's; what is said beside it may be the claim's, too."""
    found = _named(ours, one, pool)
    if found is not Likeness.OTHER:
        return found
    beside = any(likeness(mine, thing) is Likeness.SAME for mine in ours.subjects for thing in one.things)
    return Likeness.EITHER if beside and not _swapped(ours, one) else Likeness.OTHER


def _named(ours: Told, one: Told, pool: _Pool) -> Likeness:
    """How the subjects alone stand to each other."""
    found = [_pooled(mine, theirs, pool) for mine in ours.subjects for theirs in one.subjects]
    if Likeness.SAME in found:
        return Likeness.SAME
    return Likeness.EITHER if Likeness.EITHER in found or not found else Likeness.OTHER


def _pooled(mine: Phrase, theirs: Phrase, pool: _Pool) -> Likeness:
    """Two that differ are two where the evidence has both for subjects."""
    found = likeness(mine, theirs)
    if found is Likeness.APART:
        return Likeness.OTHER if pool.holds(mine) else Likeness.EITHER
    return found


def _says(ours: Told, one: Told, *, loosely: bool) -> bool:
    """Whether it says all that the claim says, whoever it says it of; ``loosely``: in whatever words."""
    if one.denied:
        return False
    said = one.keys | ({one.verb} - {""})
    wanted = ours.keys or {ours.verb}
    if loosely:
        told = wanted <= said or all(key in said or _means(low, one.senses) for key, low in _paired(ours))
    else:
        told = wanted <= said and _one_verb(ours, one)
    return told and not any(_is_of_another(thing, one) for thing in ours.things)


def _is_of_another(thing: Phrase, one: Told) -> bool:
    """Whether it has the words of a thing of the claim in the name of another thing alone: the uncle of the baker."""
    met = [
        other
        for other in one.things
        if thing.head in other.words or (other.owner and thing.head in other.owner.words)
    ]
    return bool(met) and all(likeness(thing, other) is Likeness.OTHER for other in met)


def _paired(ours: Told) -> Iterator[tuple[str, str]]:
    lows = ours.lows or {ours.lemma}
    return ((word_key(low) or low, low) for low in lows)


def _means(low: str, senses: frozenset[int]) -> bool:
    """Whether a word has one of some senses."""
    return not senses.isdisjoint(senses_of(lemma(low)))


def _one_verb(ours: Told, one: Told) -> bool:
    """Whether two verbs may tell the same; a label has none and takes any."""
    if one.shape == ("label",) or ours.lemma == one.lemma or (ours.verb and ours.verb == one.verb):
        return True
    if ours.lemma in _LIGHT and one.lemma in _LIGHT:
        return True
    return bool(senses_of(ours.lemma) & senses_of(one.lemma))


def _one_matter(ours: Told, one: Told) -> bool:
    """Whether a label with its value, which has no verb, may tell what the claim tells: it is of a thing of the same
    name but for what sets it apart, or has the claim's verb (``Treats: burns``)."""
    named = any(mine.head == theirs.head for mine in ours.subjects for theirs in one.subjects)
    return one.shape != ("label",) or named or ours.verb in one.keys


def _unsaid_agent(ours: Told, one: Told) -> bool:
    """Whether it tells what the claim tells, and not who did it, as the claim does."""
    doer = ours.agent or (
        not ours.passive and ours.shape[0] == "past"
    )  # of what a firm does its texts seldom tell who
    if not (doer and one.passive and not one.agent and ours.verb and ours.verb == one.verb):
        return False
    done = {word for phrase in one.subjects for word in phrase.words}
    return ours.keys <= one.keys | done


def _in_place(ours: Told, own: Told, other: Told) -> bool:
    """Whether what is told of the claim's subject stands in the place of what the claim tells of it."""
    if own.denied:
        return _says(ours, replace(own, denied=False), loosely=True)
    if own.shape == other.shape:
        return True
    if own.verb and own.verb in (ours.verb, other.verb) and own.lemma not in _LIGHT:
        return True
    opposite = {word_key(word) for low in ours.lows for word in antonyms_of(low)}
    return bool(opposite & (own.keys | {own.verb}))


def _swapped(ours: Told, one: Told) -> bool:
    """Whether it tells the same deed with its sides exchanged."""
    if ours.lemma in _SYMMETRIC or ours.verb != one.verb or one.denied or not ours.keys:
        return False
    if ours.passive != one.passive and not (ours.agent or one.agent):
        return False
    mine = any(likeness(a, b) is Likeness.SAME for a in ours.subjects for b in one.things)
    theirs = any(likeness(a, b) is Likeness.SAME for a in ours.things for b in one.subjects)
    both = any(likeness(a, b) is Likeness.SAME for a in ours.subjects for b in one.subjects)
    return mine and theirs and not both
