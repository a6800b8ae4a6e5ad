"""Slots: whether a text has another name in the place where the claim has its own, and whose subject it leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.names.matching import can_be_rivals
from verifier_signals.names.recognition import names_in
from verifier_signals.names.types import ORGANISATION, PLACE, Name, Sort
from verifier_signals.syntax import BE, Reading, VerbGroup, is_common, read

__all__ = ["is_subject", "may_compete", "preposition_before", "rival_of", "unnamed_subjects"]

_TYING_PREPOSITIONS = lexicon("of in on at by for with about against to from under over as than into")
_BACK = 5
"""Tokens looked through for the preposition before a name."""


def preposition_before(reading: Reading, name: Name) -> str:
    """The preposition before a name, or nothing; what it is called is passed over: ``by the director Ada Orr``."""
    for at in range(name.first - 1, max(name.first - 1 - _BACK, -1), -1):
        word = reading.tokens[at].word
        if word.low in _TYING_PREPOSITIONS:
            return word.low
        if word.punct or word.verb is not None or reading.sentences[at] != reading.sentences[name.first]:
            break
    return ""


def is_subject(reading: Reading, name: Name) -> bool:
    """Whether a sentence tells of a name: it, or what is its, stands before the first verb, behind no preposition."""
    verb = _first_verbs(reading)[reading.sentences[name.first]]
    return name.last <= verb and not preposition_before(reading, name)


@lru_cache(maxsize=2048)
def unnamed_subjects(text: str) -> tuple[bool, ...]:
    """For each sentence whether its subject is nobody whom it or an earlier one names.

    >>> unnamed_subjects("In May she moved to Elm. Ada Orr liked it. She stayed.")
    (True, False, False)
    """
    reading = read(text)
    count = reading.sentences[-1] + 1 if reading.sentences else 0
    first = min(
        (reading.sentences[name.first] for name in names_in(text) if is_subject(reading, name)), default=count
    )
    ordering = {
        clause.sentence for clause in reading.clauses if clause.verbs and _orders(reading, clause.verbs[0])
    }
    return tuple(sentence < first and sentence not in ordering for sentence in range(count))


def _orders(reading: Reading, verb: VerbGroup) -> bool:
    """Whether a verb opens its sentence as an order, which tells of nobody: ``Write to Ada Orr``."""
    opens = verb.first == 0 or reading.sentences[verb.first - 1] != reading.sentences[verb.first]
    return opens and reading.tokens[verb.first].word.low == verb.lemma


@lru_cache(maxsize=2048)
def _first_verbs(reading: Reading) -> tuple[int, ...]:
    """The place of the first verb of each sentence, or where the sentence ends."""
    ends = [0] * ((reading.sentences[-1] if reading.sentences else 0) + 1)
    for at, sentence in enumerate(reading.sentences):
        ends[sentence] = at + 1
    for clause in reversed(reading.clauses):
        if clause.verbs:
            ends[clause.sentence] = clause.verbs[0].first
    return tuple(ends)


_SAME_SUBJECT = 0.7
"""Share of the claim's other content words that the rival's sentence must have before the two compete."""
_SAME_CASE = 0.5
"""The same share where the two names differ in one word alone: ``Orr Chess Club``, ``Tolm Chess Club``."""
_NEAR = 5
"""Tokens looked through for a name's neighbour."""

_JOINS = lexicon(", ( ) – - / and or but while who which that whose where when")
"""What opens a part of a sentence of its own."""


class _Place(NamedTuple):
    """Where a name stands, on one side: the preposition that ties it in, what lies before the neighbour, and the stem
    of that content word, empty for none."""

    tie: str
    between: frozenset[str]
    stem: str


def may_compete(claim: str, premise: str) -> bool:
    """Whether a premise has words enough for ``rival_of`` to find a rival of a name of the claim in it."""
    return _has_share_of(read(premise).stems, _content_of_claim(claim), _SAME_CASE)


def rival_of(name: Name, claim: str, rivals: Sequence[Name], premise: str) -> Name | None:
    """The first of ``rivals`` that stands in the evidence where ``name`` stands in the claim.

    Same place: the same neighbouring content word over the same preposition, before or behind the name, or a name
    of the same kind (``MV Petrel``, ``MV Skua``), in a sentence that has most of the claim's other content words.
    """
    if not rivals:
        return None
    ours = read(claim)
    left, right = _places(ours, name)
    wanted = _content_of_claim(claim)
    theirs = read(premise)
    unnamed = unnamed_subjects(premise) if is_subject(ours, name) else ()
    for rival in rivals:
        if unnamed and unnamed[theirs.sentences[rival.first]]:
            continue
        if not can_be_rivals(name, rival):
            continue
        told = _content(premise)[theirs.sentences[rival.first]]
        if _has_share_of(told, wanted, _SAME_SUBJECT):
            if _same_place((left, right), _places(theirs, rival)) or _are_of_one_kind(name, rival):
                return rival
        elif _has_share_of(told, wanted, _SAME_CASE) and _but_for_one_word(name, rival):
            return rival
    return None


def _same_place(ours: tuple[_Place, _Place], theirs: tuple[_Place, _Place]) -> bool:
    return any(one.stem and one == other for one, other in zip(ours, theirs, strict=True))


def _are_of_one_kind(name: Name, rival: Name) -> bool:
    """Whether two names say by a word of theirs what they name: ``Lindersund Museum``, ``Orlow Museum``.

    One surname says of two people that they are a family.
    """
    if min(len(name.words), len(rival.words)) < 2:
        return False
    first, last = name.words[0], name.words[-1]
    if last == rival.words[-1]:
        return is_common(last) or last in ORGANISATION or last in PLACE
    return first == rival.words[0] and (
        is_common(first) or name.text.split()[0].isupper() or name.sort == Sort.CODE
    )


def _but_for_one_word(name: Name, rival: Name) -> bool:
    """Whether two names of three words or more differ in the first one alone, and the others say what they name."""
    return len(name.words) > 2 and name.words[1:] == rival.words[1:] and _are_of_one_kind(name, rival)


def _has_share_of(sentence: frozenset[str], wanted: frozenset[str], share: float) -> bool:
    return bool(wanted) and len(wanted & sentence) >= share * len(wanted)


@lru_cache(maxsize=2048)
def _content_of_claim(claim: str) -> frozenset[str]:
    return frozenset().union(*_content(claim))


@lru_cache(maxsize=2048)
def _content(text: str) -> tuple[frozenset[str], ...]:
    """The stems of the content words of each sentence, names left out."""
    reading = read(text)
    inside = {at for name in names_in(text) for at in range(name.first, name.last)}
    stems: list[set[str]] = [set() for _ in range((reading.sentences[-1] if reading.sentences else 0) + 1)]
    for at, token in enumerate(reading.tokens):
        if at not in inside and not (token.word.punct or token.word.function or token.word.number):
            stems[reading.sentences[at]].add(token.word.stem)
    return tuple(map(frozenset, stems))


@lru_cache(maxsize=8192)
def _places(reading: Reading, name: Name) -> tuple[_Place, _Place]:
    links, left = _neighbour(reading, range(name.first - 1, max(name.first - 1 - _NEAR, -1), -1), name)
    between, right = _neighbour(reading, range(name.last, min(name.last + _NEAR, len(reading.tokens))), name)
    tie = next((low for low in links if low in _TYING_PREPOSITIONS), "")
    return _Place(tie, frozenset(), left), _Place(
        preposition_before(reading, name), _joining_words(between), right
    )


def _joining_words(between: Sequence[str]) -> frozenset[str]:
    """What lies between a name and the next content word, as far as it says how the two hang together."""
    joins = {"," for low in between if low in _JOINS}
    links = {low for low in between if low in _TYING_PREPOSITIONS}
    return frozenset(joins | links | {"be" for low in between if low in BE})


def _neighbour(reading: Reading, tokens: range, name: Name) -> tuple[list[str], str]:
    """The words and marks up to the next content word, and the stem of that one."""
    passed: list[str] = []
    for at in tokens:
        word = reading.tokens[at].word
        if reading.sentences[at] != reading.sentences[name.first] or word.low in ";:.|":
            break
        if not (word.function or word.punct or word.number):
            return passed, word.stem
        passed.append(word.low)
    return passed, ""
