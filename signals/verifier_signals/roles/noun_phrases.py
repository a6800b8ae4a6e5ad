"""Noun phrases, and whether two of them name one thing, two, or either: by what sets them apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, lru_cache

from verifier.core.lexicon import lexicon
from verifier_signals.lexicon import antonyms_of, scales_of, senses_of
from verifier_signals.lexicon.kinds import kinship
from verifier_signals.names import Name, is_alias
from verifier_signals.names.types import HONORIFICS
from verifier_signals.stems import lemma, word_key
from verifier_signals.syntax import Reading, Word, is_common
from verifier_signals.syntax.verbs import DETERMINERS, PREPOSITIONS

__all__ = [
    "FEMALE",
    "MALE",
    "NounPhrase",
    "PhraseRelation",
    "has_exact_phrase",
    "noun_phrase_of",
    "phrase_relation",
]


class PhraseRelation(StrEnum):
    """How one phrase stands to another."""

    SAME = "same"
    EITHER = "either"
    """They may name one thing: one is a pronoun, a shorter form, a more general word."""
    APART = "apart"
    """They differ, and name two things where a text uses both."""
    OTHER = "other"
    """They name two things by themselves: they differ in a letter, a number, a title, a name, by opposites."""


@dataclass(frozen=True)
class NounPhrase:
    """A noun phrase: the ``head`` and the other words (``modifiers``) by their keys, and what says which one is meant.

    ``marks``: letters, numbers, and which of two generations. ``titles`` are words before a name. ``names`` are the
    modifiers with a capital, each with the preposition before it. ``owner`` is whose it is. A ``general`` phrase may
    mean any (``both``, ``each patient``), and so may one without a ``head``: a pronoun.
    """

    head: str
    low: str
    modifiers: frozenset[str]
    lows: frozenset[str]
    marks: frozenset[str]
    titles: frozenset[str]
    names: frozenset[tuple[str, str]]
    named: bool
    general: bool
    plural: bool
    owner: NounPhrase | None = None
    name: Name | None = None
    pronoun: str = ""

    @property
    def words(self) -> frozenset[str]:
        """The keys of all its words."""
        return self.modifiers | {self.head}

    @cached_property
    def base(self) -> str:
        """The base form of the head."""
        return lemma(self.low)

    @cached_property
    def senses(self) -> frozenset[int]:
        """The senses of the head."""
        return senses_of(self.base)

    @property
    def proper(self) -> bool:
        """Whether its head is a name, and no common noun in capitals that tells what it is: ``Orby Museum``."""
        return self.named and not is_common(self.low)

    @property
    def bare(self) -> bool:
        """Whether it is one common noun alone, which may take up anything: ``the building``."""
        return not (self.modifiers or self.marks or self.named or self.owner or self.titles)


_SENIOR = {
    **dict.fromkeys(("elder", "older", "senior", "sr", "eldest", "oldest"), "senior"),
    **dict.fromkeys(("younger", "junior", "jr", "youngest"), "junior"),
}
MALE = lexicon("mr sir lord king prince father brother duke baron count emperor uncle")
FEMALE = lexicon(
    "mrs ms miss lady dame queen princess sister mother duchess baroness countess empress aunt madam"
)
_TITLES = HONORIFICS | MALE | FEMALE
_GENERAL = lexicon(
    "all both each every any either neither no some many most several few everyone everybody none other"
)
_PRONOUNS = lexicon("""
    it he she they i we you this that these those one ones his her its their there who which what them him both all
    others another such
    """)
_OWNED = lexicon("its his her their")
_NUMBERS = lexicon("""
    one two three four five six seven eight nine ten eleven twelve first second third fourth fifth sixth seventh eighth
    ninth tenth last
    """)
_SHARES = lexicon("third half quarter fifth tenth percent part share majority number total")
_ROMAN = lexicon("i ii iii iv v vi vii viii ix x xi xii")
_COLOURS = lexicon("""
    red blue green yellow black white grey gray brown orange purple violet pink turquoise silver gold golden crimson
    scarlet amber beige
    """)
_SIDES = lexicon("""
    north south east west northern southern eastern western central upper lower middle inner outer left right front rear
    back top bottom
    """)


def noun_phrase_of(reading: Reading, first: int, last: int, name: Name | None = None) -> NounPhrase | None:
    """The phrase of tokens ``first`` up to ``last``; ``None`` where they hold no noun. ``name``: that stands in it."""
    owner_at = next((at for at in range(first, last) if reading.tokens[at].word.possessive), None)
    owner = None
    if owner_at is not None and owner_at + 1 < last:
        owner = _plain(reading, first, owner_at + 1, None, None)
        first = owner_at + 1
    elif last - first > 1 and reading.lows[first] in _OWNED:
        owner = _pronoun(reading.lows[first])
        first += 1
    return _plain(reading, first, last, owner, name)


def _pronoun(low: str) -> NounPhrase:
    nothing = frozenset[str]()
    return NounPhrase(
        "", "", nothing, nothing, nothing, nothing, frozenset(), False, True, False, pronoun=low
    )


def _plain(
    reading: Reading, first: int, last: int, owner: NounPhrase | None, name: Name | None
) -> NounPhrase | None:
    tokens = [at for at in range(first, last) if not reading.tokens[at].word.punct]
    if len(tokens) == 1 and reading.lows[tokens[0]] in _PRONOUNS and not _is_named(reading, tokens[0]):
        return _pronoun(reading.lows[tokens[0]])
    before = next((n for n, at in enumerate(tokens) if n and reading.lows[at] in PREPOSITIONS), len(tokens))
    general = any(reading.lows[at] in _GENERAL for at in tokens[:2]) or _is_count(reading, tokens)
    marks, titles, words = set[str](), set[str](), list[tuple[int, Word]]()
    for n, at in enumerate(tokens):
        word = reading.tokens[at].word
        mark = _mark(reading, at, n, len(tokens))
        if mark:
            marks.add(mark)
        elif word.low in _TITLES and n + 1 < len(tokens) and word.capital:
            titles.add(word.low)
        elif not _is_empty(reading, at, len(tokens)):
            words.append((n, word))
    alone = len(tokens) == 1 and last - first == 1 and _may_be_name(reading.tokens[tokens[0]].word)
    if alone and not words:
        words.append((0, reading.tokens[tokens[0]].word))  # ``Per``, which is a preposition elsewhere
    heads = [(n, word) for n, word in words if n < before] or words
    if not heads:
        return None
    head = heads[-1][1]
    others = [word for n, word in words if n != heads[-1][0]]
    stood_for = reading.lows[tokens[before - 1]] in ("one", "ones") and reading.lows[tokens[0]] in DETERMINERS
    general = general or stood_for  # ``the old one``
    return NounPhrase(
        _key(head),
        head.low,
        frozenset(map(_key, others)),
        frozenset(word.low for word in others),
        frozenset(marks),
        frozenset(titles),
        frozenset(
            (_slot(reading, tokens, n), _key(word)) for n, word in words if word.capital and word is not head
        ),
        alone or _is_named(reading, tokens[heads[-1][0]]),
        general,
        head.low.endswith("s") and lemma(head.low) != head.low,
        owner,
        name,
    )


def _may_be_name(word: Word) -> bool:
    """Whether a word that stands without an article and has a capital is no plural: ``Vale hired Brandt``."""
    return word.capital and not (word.low.endswith("s") and lemma(word.low) != word.low)


def _slot(reading: Reading, tokens: list[int], n: int) -> str:
    """The last preposition before a word of a phrase."""
    lows = (reading.lows[at] for at in reversed(tokens[:n]))
    return next((low for low in lows if low in PREPOSITIONS), "")


def _is_count(reading: Reading, tokens: list[int]) -> bool:
    """Whether a phrase counts or measures: ``71% of arrivals``, ``just over two thirds of them``."""
    first = reading.tokens[tokens[0]].word if tokens else None
    parted = any(reading.lows[at] == "of" for at in tokens)
    return (
        first is not None
        and len(tokens) > 1
        and (first.number or (parted and any(lemma(reading.lows[at]) in _SHARES for at in tokens[:4])))
    )


def _key(word: Word) -> str:
    return word_key(word.low) or word.low


def _mark(reading: Reading, at: int, n: int, count: int) -> str:
    """A letter, a number or a generation; not an article, nor a number that counts (``five members``)."""
    word = reading.tokens[at].word
    if word.low in _SENIOR:
        return _SENIOR[word.low]
    behind = n == count - 1 and n > 0
    if word.number or word.coded:
        return word.low if behind or n == 0 or word.coded else ""
    if word.low in _NUMBERS:
        return word.low if behind or word.low.endswith(("st", "nd", "rd", "th")) else ""
    if (len(word.low) == 1 or word.low in _ROMAN) and behind:
        return word.low
    return ""


def _is_empty(reading: Reading, at: int, count: int) -> bool:
    word = reading.tokens[at].word
    if _is_named(reading, at) and (word.low not in DETERMINERS or count == 1):
        return False
    return word.function and word.low not in _SIDES


def _is_named(reading: Reading, at: int) -> bool:
    word = reading.tokens[at].word
    return word.capital and not (_is_sentence_head(reading, at) and (word.function or is_common(word.low)))


def _is_sentence_head(reading: Reading, at: int) -> bool:
    return at == 0 or reading.sentences[at - 1] != reading.sentences[at] or reading.lows[at - 1] in ":-•*"


def phrase_relation(claim: NounPhrase, evidence: NounPhrase) -> PhraseRelation:
    """How a phrase of a claim stands to one of its evidence.

    A claim may shorten (``the museum`` for ``the Orby Sea Museum``) or add words that nothing denies.
    """
    if not claim.head or not evidence.head or evidence.general or claim.general:
        return PhraseRelation.EITHER
    owned = _owners(claim, evidence)
    if owned is not None:
        return owned
    if (claim.titles & MALE and evidence.titles & FEMALE) or (
        claim.titles & FEMALE and evidence.titles & MALE
    ):
        return PhraseRelation.OTHER
    if _one_word(claim, evidence):
        return _by_modifiers(claim, evidence)
    if (claim.named or evidence.named) and (claim.words <= evidence.words or evidence.words <= claim.words):
        return PhraseRelation.SAME if claim.words <= evidence.words else PhraseRelation.EITHER
    if claim.name is not None and evidence.name is not None and is_alias(claim.name, evidence.name):
        return PhraseRelation.SAME
    return _by_heads(claim, evidence)


def _owners(claim: NounPhrase, evidence: NounPhrase) -> PhraseRelation | None:
    """What the owners alone tell: the baker is not the baker's uncle, the red tent's poles are not the blue one's."""
    if claim.owner is None and evidence.owner is None:
        return None
    if claim.owner is not None and evidence.owner is not None:
        found = phrase_relation(claim.owner, evidence.owner)
        alike = _one_word(claim, evidence)
        return found if found in (PhraseRelation.OTHER, PhraseRelation.APART) and alike else None
    if _one_word(claim, evidence):
        return _by_modifiers(_with_owner(claim), _with_owner(evidence))
    for one, other in ((claim, evidence), (evidence, claim)):
        if (
            one.owner is not None
            and one.owner.head
            and phrase_relation(one.owner, other) is PhraseRelation.SAME
        ):
            return PhraseRelation.OTHER
    return None


def _with_owner(phrase: NounPhrase) -> NounPhrase:
    """``Dunmarrow's tram`` as ``the tram in Dunmarrow``."""
    owner = phrase.owner
    if owner is None or not owner.head:
        return phrase
    return replace(
        phrase,
        modifiers=phrase.modifiers | owner.words,
        names=phrase.names | {("'s", key) for key in owner.words if owner.named},
        owner=None,
    )


def _by_modifiers(claim: NounPhrase, evidence: NounPhrase) -> PhraseRelation:
    if claim.marks and evidence.marks and claim.marks != evidence.marks:
        return PhraseRelation.OTHER
    ours = claim.modifiers - evidence.modifiers
    theirs = evidence.modifiers - claim.modifiers
    if claim.name is not None and evidence.name is not None and is_alias(claim.name, evidence.name):
        ours -= {key for _, key in claim.names}
        theirs -= {key for _, key in evidence.names}
    if ours and theirs:
        slots = {slot for slot, key in claim.names if key in ours}
        hard = slots & {slot for slot, key in evidence.names if key in theirs}
        opposed = any(_opposed(one, other) for one in claim.lows for other in evidence.lows)
        return PhraseRelation.OTHER if hard or opposed else PhraseRelation.APART
    if (
        claim.titles
        and evidence.titles
        and claim.titles != evidence.titles
        and not claim.modifiers & evidence.modifiers
    ):
        return PhraseRelation.APART
    exact = not (ours or theirs) and claim.marks == evidence.marks
    shorter = not ours and claim.marks <= evidence.marks and claim.titles <= evidence.titles
    if exact or (not ours and not claim.marks - evidence.marks):
        return PhraseRelation.SAME
    return PhraseRelation.SAME if shorter else PhraseRelation.EITHER


def _by_heads(claim: NounPhrase, evidence: NounPhrase) -> PhraseRelation:
    if claim.proper != evidence.proper and (claim.bare or evidence.bare):
        return PhraseRelation.EITHER
    if (
        claim.marks
        and evidence.marks
        and claim.marks != evidence.marks
        and claim.modifiers & evidence.modifiers
    ):
        return PhraseRelation.OTHER
    kin = kinship(claim.base, evidence.base)
    if kin.alike or ((kin.up or kin.down) and not (claim.plural and evidence.plural)):
        return PhraseRelation.EITHER
    return PhraseRelation.APART


def _one_word(one: NounPhrase, other: NounPhrase) -> bool:
    """Whether two heads are one word, or have a sense in common."""
    return one.head == other.head or one.base == other.base or not one.senses.isdisjoint(other.senses)


@lru_cache(maxsize=16384)
def _opposed(one: str, other: str) -> bool:
    """Whether two words cannot both describe one thing: opposites, two colours, two sides, two names of a kind."""
    if one == other:
        return False
    for some in (_COLOURS, _SIDES, _NUMBERS):
        if one in some and other in some:
            return True
    if other in antonyms_of(one) or lemma(other) in antonyms_of(lemma(one)):
        return True
    places = dict(scales_of(lemma(one)))
    return any(places.get(name, sign) != sign for name, sign in scales_of(lemma(other)))


def has_exact_phrase(phrase: NounPhrase, others: Iterable[NounPhrase]) -> bool:
    """Whether one of some phrases has the same head, modifiers and marks: the text uses it of its own."""
    return any(
        _one_word(phrase, one)
        and phrase.modifiers <= one.modifiers
        and phrase.marks <= one.marks
        and phrase.titles <= one.titles
        for one in others
        if one.head
    )
