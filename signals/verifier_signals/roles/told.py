"""A text goes in, what it says of which noun phrases comes out, pronouns resolved, ready to be compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from verifier.core.lexicon import lexicon
from verifier_signals.lexicon import senses_of
from verifier_signals.roles.subjects import FEMALE, MALE, Phrase, phrase_of
from verifier_signals.stems import lemma, word_key
from verifier_signals.syntax import FUNCTION_WORDS, Reading
from verifier_signals.syntax.predications import Predication, predications_in

__all__ = ["Told", "told_in"]

Span = tuple[int, int]

_MALE, _FEMALE = lexicon("he his"), lexicon("she her")


@dataclass(frozen=True)
class Told:
    """One thing that a text says: of which phrases, with which words.

    ``keys`` are those of all content words of what is said, ``verb`` the key of its main verb, empty for none, and
    ``shape`` what sort of statement it is. ``span`` is that of the subject in the text, of all where none is known.
    """

    subjects: tuple[Phrase, ...]
    verb: str
    lemma: str
    keys: frozenset[str]
    lows: frozenset[str]
    things: tuple[Phrase, ...]
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
def told_in(text: str) -> tuple[Told, ...]:
    """What a text says, in reading order; pronouns that open a sentence stand for the subject of the one before."""
    found: list[Told] = []
    for one in predications_in(text):
        found += [_resolved(view, found) for view in _told(one)]
    return tuple(found)


def _told(one: Predication) -> Iterator[Told]:
    """What a predication says; one in the passive that names its agent says it of what is done to, too."""
    yield _viewed(one)
    if one.patients:
        said = (*(stretch for stretch in one.said if stretch not in one.patients), *one.subjects)
        yield _viewed(one._replace(subjects=one.patients, said=said, patients=()))


def _viewed(one: Predication) -> Told:
    reading = one.reading
    subjects = tuple(
        phrase for first, last in one.subjects if (phrase := phrase_of(reading, first, last)) is not None
    )
    places = list(one.tokens_said())
    group = one.verb
    words = [reading.tokens[at].word for at in places]
    alone = {first for first, last in one.said if last - first == 1}
    content = [
        at for at in places if _is_content(reading, at) or (at in alone and reading.tokens[at].word.capital)
    ]
    start, end = _span(reading, one)
    return Told(
        subjects,
        word_key(group.lemma) if group is not None else "",
        group.lemma if group is not None else "",
        frozenset(_key(reading, at) for at in content),
        frozenset(reading.lows[at] for at in content),
        tuple(
            phrase
            for first, last in _phrases(reading, one.said)
            if (phrase := phrase_of(reading, first, last)) is not None
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


def _resolved(one: Told, before: Sequence[Told]) -> Told:
    """The same with the subject of the sentence before in place of a pronoun; of two, none."""
    meant = _meant(before, one.sentence)
    if not meant or not one.subjects:
        return one
    subjects = tuple(_standing_for(phrase, meant) for phrase in one.subjects)
    return replace(one, subjects=tuple(phrase for some in subjects for phrase in some))


def _meant(before: Sequence[Told], sentence: int) -> tuple[Phrase, ...]:
    near = [one for one in before if one.sentence == sentence - 1]
    subjects = {one.subjects for one in near if one.subjects}
    return subjects.pop() if len(subjects) == 1 else ()


def _standing_for(phrase: Phrase, meant: Sequence[Phrase]) -> tuple[Phrase, ...]:
    if phrase.pronoun in ("it", "he", "she", "they"):
        return tuple(one for one in meant if _may_be(phrase.pronoun, one)) or (phrase,)
    if (
        phrase.owner is not None
        and phrase.owner.pronoun in ("its", "his", "her", "their")
        and len(meant) == 1
    ):
        return (replace(phrase, owner=meant[0]),)
    return (phrase,)


def _may_be(pronoun: str, phrase: Phrase) -> bool:
    wrong = FEMALE if pronoun in _MALE else MALE if pronoun in _FEMALE else frozenset()
    return phrase.titles.isdisjoint(wrong)
