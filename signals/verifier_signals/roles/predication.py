"""Assertions of a text about noun phrases, and whether evidence says of another what the claim says of its subject.

Pronouns that open a sentence stand for the subject of the one before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from verifier.core.deadline import each
from verifier.core.lexicon import lexicon
from verifier_signals.lexicon import antonyms_of, senses_of
from verifier_signals.roles.noun_phrases import (
    FEMALE,
    MALE,
    NounPhrase,
    PhraseRelation,
    has_exact_phrase,
    noun_phrase_of,
    phrase_relation,
)
from verifier_signals.stems import lemma, word_key
from verifier_signals.syntax import FUNCTION_WORDS, Reading
from verifier_signals.syntax.predications import Predication, predications_in
from verifier_signals.types import Span

__all__ = ["assertions_in", "said_of_another", "tells_of_subjects"]


_MALE, _FEMALE = lexicon("he his"), lexicon("she her")


@dataclass(frozen=True)
class Assertion:
    """One thing that a text says: of which phrases, with which words.

    ``keys`` are those of all content words of what is said, ``verb`` the key of its main verb, empty for none, and
    ``shape`` what sort of statement it is. ``span`` is that of the subject in the text, of all where none is known.
    """

    subjects: tuple[NounPhrase, ...]
    verb: str
    lemma: str
    keys: frozenset[str]
    lows: frozenset[str]
    things: tuple[NounPhrase, ...]
    shape: tuple[str, ...]
    passive: bool
    agent: bool
    denied: bool
    span: Span
    sentence: int

    @cached_property
    def senses(self) -> frozenset[int]:
        """The senses of all words of what is said."""
        return frozenset().union(*(senses_of(lemma(low)) for low in self.lows))


@lru_cache(maxsize=4096)
def assertions_in(text: str) -> tuple[Assertion, ...]:
    """What a text says, in reading order; pronouns that open a sentence stand for the subject of the one before."""
    found: list[Assertion] = []
    for one in predications_in(text):
        found += [_resolved(view, found) for view in _assertions_of(one)]
    return tuple(found)


def _assertions_of(one: Predication) -> Iterator[Assertion]:
    """What a predication says; one in the passive that names its agent says it of what is done to, too."""
    yield _seen_from_object(one)
    if one.patients:
        said = (*(stretch for stretch in one.said if stretch not in one.patients), *one.subjects)
        yield _seen_from_object(one._replace(subjects=one.patients, said=said, patients=()))


def _seen_from_object(one: Predication) -> Assertion:
    reading = one.reading
    subjects = tuple(
        phrase for first, last in one.subjects if (phrase := noun_phrase_of(reading, first, last)) is not None
    )
    places = list(one.tokens_said())
    group = one.verb
    words = [reading.tokens[at].word for at in places]
    alone = {first for first, last in one.said if last - first == 1}
    content = [
        at for at in places if _is_content(reading, at) or (at in alone and reading.tokens[at].word.capital)
    ]
    start, end = _span(reading, one)
    return Assertion(
        subjects,
        word_key(group.lemma) if group is not None else "",
        group.lemma if group is not None else "",
        frozenset(_key(reading, at) for at in content),
        frozenset(reading.lows[at] for at in content),
        tuple(
            phrase
            for first, last in _phrases(reading, one.said)
            if (phrase := noun_phrase_of(reading, first, last)) is not None
        ),
        _shape(one),
        group is not None and group.passive,
        bool(one.patients),
        one.denied or any(word.low in ("not", "never") for word in words),
        (start, end),
        one.sentence,
    )


def _span(reading: Reading, one: Predication) -> Span:
    places = [at for first, last in one.subjects for at in range(first, last)] or list(one.tokens_said())
    if not places:
        return 0, 0
    return reading.tokens[min(places)].start, reading.tokens[max(places)].end


def _is_content(reading: Reading, at: int) -> bool:
    word = reading.tokens[at].word
    if word.punct:
        return False
    if word.low not in FUNCTION_WORDS:
        return True
    inside = at > 0 and reading.sentences[at - 1] == reading.sentences[at]
    return word.capital and inside


def _key(reading: Reading, at: int) -> str:
    low = reading.lows[at]
    return word_key(low) or low


def _phrases(reading: Reading, said: Sequence[Span]) -> Iterator[Span]:
    """The stretches of what is said between function words and marks; a letter or number belongs to what it follows."""
    for first, last in said:
        begin = first
        for at in range(first, last + 1):
            if at == last or not _is_content(reading, at):
                if at > begin:
                    yield begin, at
                begin = at + 1


def _shape(one: Predication) -> tuple[str, ...]:
    """What sort of statement it is: tense, voice, and how it goes on behind the verb."""
    if one.verb is None:
        return ("label",)
    reading, group = one.reading, one.verb
    main = reading.tokens[group.main].word
    first, last = one.said[0]
    behind = next((at for at in range(first, last) if not reading.tokens[at].word.punct), None)
    if behind is None:
        sort = "nothing"
    else:
        word = reading.tokens[behind].word
        sort = "number" if word.number else word.low if word.function else "name" if word.capital else "word"
    return (
        main.verb.form if main.verb else main.low,
        reading.lows[group.first] if group.first < group.main else "",
        sort,
    )


def _resolved(one: Assertion, before: Sequence[Assertion]) -> Assertion:
    """The same with the subject of the sentence before in place of a pronoun; of two, none."""
    meant = _meant(before, one.sentence)
    if not meant or not one.subjects:
        return one
    subjects = tuple(_standing_for(phrase, meant) for phrase in one.subjects)
    return replace(one, subjects=tuple(phrase for some in subjects for phrase in some))


def _meant(before: Sequence[Assertion], sentence: int) -> tuple[NounPhrase, ...]:
    near = [one for one in before if one.sentence == sentence - 1]
    subjects = {one.subjects for one in near if one.subjects}
    return subjects.pop() if len(subjects) == 1 else ()


def _standing_for(phrase: NounPhrase, meant: Sequence[NounPhrase]) -> tuple[NounPhrase, ...]:
    if phrase.pronoun in ("it", "he", "she", "they"):
        return tuple(one for one in meant if _may_be(phrase.pronoun, one)) or (phrase,)
    if (
        phrase.owner is not None
        and phrase.owner.pronoun in ("its", "his", "her", "their")
        and len(meant) == 1
    ):
        return (replace(phrase, owner=meant[0]),)
    return (phrase,)


def _may_be(pronoun: str, phrase: NounPhrase) -> bool:
    wrong = FEMALE if pronoun in _MALE else MALE if pronoun in _FEMALE else frozenset()
    return phrase.titles.isdisjoint(wrong)


_SYMMETRIC = lexicon("""
    be have do meet merge cooperate collaborate partner play agree border resemble marry talk match face join equal
    adjoin neighbour neighbor accompany differ touch cross wed divorce fight date
    """)
"""Verbs that say the same with their sides exchanged."""
_LIGHT = lexicon("be have do become remain get")


class SaidOfAnother(NamedTuple):
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


def tells_of_subjects(claim: str) -> bool:
    """Whether a claim says of subjects that it names what could be said of another."""
    return _claimed(claim) is not None


def said_of_another(claim: str, premises: Sequence[str]) -> SaidOfAnother | None:
    """Whether evidence says of another what a claim says of its subject, and nowhere of that subject.

    Args:
        claim: one sentence.
        premises: texts of the evidence, whatever document they are of.
    """
    asked = _claimed(claim)
    if asked is None:
        return None
    told = [(n, one) for n, premise in each(enumerate(premises)) for one in assertions_in(premise)]
    pool = _Pool(told)
    if any(_is_said(ours, told, pool) for ours in asked):
        return None
    found = [_of_one(ours, told, pool) for ours in asked]
    some = [one for one in found if one is not None]
    return max(some, key=lambda one: one.conflict, default=None)


class _Pool:
    """The phrases that the evidence tells something of, and its names."""

    def __init__(self, told: Sequence[tuple[int, Assertion]]) -> None:
        self._told = told
        self._held: dict[NounPhrase, bool] = {}

    def holds(self, phrase: NounPhrase) -> bool:
        """Whether it has just this phrase; each is looked for once."""
        if phrase not in self._held:
            self._held[phrase] = has_exact_phrase(phrase, self._phrases())
        return self._held[phrase]

    def _phrases(self) -> Iterator[NounPhrase]:
        for _, one in self._told:
            yield from one.subjects
            yield from (thing for thing in one.things if thing.named)


def _is_said(ours: Assertion, told: Sequence[tuple[int, Assertion]], pool: _Pool) -> bool:
    """Whether all of it is said of the claim's subject, or of what may be that."""
    return any(
        _says_as_much(ours, one, loosely=True)
        and _subject_relation(ours, one, pool) is not PhraseRelation.OTHER
        for _, one in told
    )


@lru_cache(maxsize=2048)
def _claimed(claim: str) -> tuple[Assertion, ...] | None:
    """What a claim says of subjects that it names; nothing where it denies or has no verb that is known."""
    told = assertions_in(claim)
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


def _of_one(ours: Assertion, told: Sequence[tuple[int, Assertion]], pool: _Pool) -> SaidOfAnother | None:
    """The same of one statement of the claim. What is cheap is asked first: subjects are compared of few statements."""
    others = [(n, one) for n, one in told if _may_be_of_another(ours, one, pool)]
    swapped = next(((n, one) for n, one in told if _swapped(ours, one)), None)
    if swapped is not None:
        return SaidOfAnother(ours.span, swapped[0], swapped[1].span, swapped[0])
    if not others:
        return _confused_within_premise(ours, told, pool)
    other = others[0]
    rival = next(
        (n for n, one in told if _in_place(ours, one, other[1]) and _is_of_same(ours, one, pool)), None
    )
    return SaidOfAnother(ours.span, other[0], other[1].span, rival)


def _may_be_of_another(ours: Assertion, one: Assertion, pool: _Pool) -> bool:
    """Whether it tells of another, or of what may be another, what the claim tells of its subject."""
    unsaid = _unsaid_agent(ours, one)
    if not unsaid and not (_says_as_much(ours, one, loosely=False) and _one_matter(ours, one)):
        return False
    how = _subject_relation(ours, one, pool)
    if how is PhraseRelation.EITHER:
        return unsaid and any(pool.holds(mine) for mine in ours.subjects)
    return how is PhraseRelation.OTHER


def _is_of_same(ours: Assertion, one: Assertion, pool: _Pool) -> bool:
    return _subject_relation(ours, one, pool) is PhraseRelation.SAME


def _confused_within_premise(
    ours: Assertion, told: Sequence[tuple[int, Assertion]], pool: _Pool
) -> SaidOfAnother | None:
    """Where what is told of the claim's subject, with the claim's verb, lacks just what the same verb says of another:
    ``Anton lent Karl a drill`` of ``Birgit lent Anton a drill. Anton lent Karl a saw``."""
    if not ours.verb:
        return None
    mine = next(
        (
            n
            for n, one in told
            if one.lemma == ours.lemma
            and one.keys & ours.keys
            and not one.denied
            and _is_of_same(ours, one, pool)
        ),
        None,
    )
    if mine is None:
        return None
    near = [one for _, one in told if _name_relation(ours, one, pool) is not PhraseRelation.OTHER]
    said = frozenset().union(*(one.keys | {one.verb} for one in near))
    senses = frozenset().union(*(one.senses for one in near))
    missing = {key for key, low in _paired(ours) if key not in said and not _means(low, senses)}
    for n, one in told:
        if missing and one.lemma == ours.lemma and missing <= one.keys and one.subjects and not one.denied:
            return SaidOfAnother(ours.span, n, one.span, mine)
    return None


def _subject_relation(ours: Assertion, one: Assertion, pool: _Pool) -> PhraseRelation:
    """How the subject of what is told stands to the claim's; what is said beside it may be the claim's, too."""
    found = _name_relation(ours, one, pool)
    if found is not PhraseRelation.OTHER:
        return found
    beside = any(
        phrase_relation(mine, thing) is PhraseRelation.SAME for mine in ours.subjects for thing in one.things
    )
    return PhraseRelation.EITHER if beside and not _swapped(ours, one) else PhraseRelation.OTHER


def _name_relation(ours: Assertion, one: Assertion, pool: _Pool) -> PhraseRelation:
    """How the subjects alone stand to each other."""
    found = [_pooled(mine, theirs, pool) for mine in ours.subjects for theirs in one.subjects]
    if PhraseRelation.SAME in found:
        return PhraseRelation.SAME
    return PhraseRelation.EITHER if PhraseRelation.EITHER in found or not found else PhraseRelation.OTHER


def _pooled(mine: NounPhrase, theirs: NounPhrase, pool: _Pool) -> PhraseRelation:
    """Two that differ are two where the evidence has both for subjects."""
    found = phrase_relation(mine, theirs)
    if found is PhraseRelation.APART:
        return PhraseRelation.OTHER if pool.holds(mine) else PhraseRelation.EITHER
    return found


def _says_as_much(ours: Assertion, one: Assertion, *, loosely: bool) -> bool:
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


def _is_of_another(thing: NounPhrase, one: Assertion) -> bool:
    """Whether it has the words of a thing of the claim in the name of another thing alone: the uncle of the baker."""
    met = [
        other
        for other in one.things
        if thing.head in other.words or (other.owner and thing.head in other.owner.words)
    ]
    return bool(met) and all(phrase_relation(thing, other) is PhraseRelation.OTHER for other in met)


def _paired(ours: Assertion) -> Iterator[tuple[str, str]]:
    lows = ours.lows or {ours.lemma}
    return ((word_key(low) or low, low) for low in lows)


def _means(low: str, senses: frozenset[int]) -> bool:
    """Whether a word has one of some senses."""
    return not senses.isdisjoint(senses_of(lemma(low)))


def _one_verb(ours: Assertion, one: Assertion) -> bool:
    """Whether two verbs may tell the same; a label has none and takes any."""
    if one.shape == ("label",) or ours.lemma == one.lemma or (ours.verb and ours.verb == one.verb):
        return True
    if ours.lemma in _LIGHT and one.lemma in _LIGHT:
        return True
    return bool(senses_of(ours.lemma) & senses_of(one.lemma))


def _one_matter(ours: Assertion, one: Assertion) -> bool:
    """Whether a label with its value, which has no verb, may tell what the claim tells: it is of a thing of the same
    name but for what sets it apart, or has the claim's verb (``Treats: burns``)."""
    named = any(mine.head == theirs.head for mine in ours.subjects for theirs in one.subjects)
    return one.shape != ("label",) or named or ours.verb in one.keys


def _unsaid_agent(ours: Assertion, one: Assertion) -> bool:
    """Whether it tells what the claim tells, and not who did it, as the claim does."""
    doer = ours.agent or (
        not ours.passive and ours.shape[0] == "past"
    )  # of what a firm does its texts seldom tell who
    if not (doer and one.passive and not one.agent and ours.verb and ours.verb == one.verb):
        return False
    done = {word for phrase in one.subjects for word in phrase.words}
    return ours.keys <= one.keys | done


def _in_place(ours: Assertion, own: Assertion, other: Assertion) -> bool:
    """Whether what is told of the claim's subject stands in the place of what the claim tells of it."""
    if own.denied:
        return _says_as_much(ours, replace(own, denied=False), loosely=True)
    if own.shape == other.shape:
        return True
    if own.verb and own.verb in (ours.verb, other.verb) and own.lemma not in _LIGHT:
        return True
    opposite = {word_key(word) for low in ours.lows for word in antonyms_of(low)}
    return bool(opposite & (own.keys | {own.verb}))


def _swapped(ours: Assertion, one: Assertion) -> bool:
    """Whether it tells the same deed with its sides exchanged."""
    if ours.lemma in _SYMMETRIC or ours.verb != one.verb or one.denied or not ours.keys:
        return False
    if ours.passive != one.passive and not (ours.agent or one.agent):
        return False
    mine = any(phrase_relation(a, b) is PhraseRelation.SAME for a in ours.subjects for b in one.things)
    theirs = any(phrase_relation(a, b) is PhraseRelation.SAME for a in ours.things for b in one.subjects)
    both = any(phrase_relation(a, b) is PhraseRelation.SAME for a in ours.subjects for b in one.subjects)
    return mine and theirs and not both
