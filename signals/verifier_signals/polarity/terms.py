"""Content words of a statement, and how they are related: stems, opposites, senses, denying prefixes.

A :class:`Term` is compared by its stem; ``unlocked`` counts as ``locked`` with a sign that is flipped. Words that stand
together in a list or a name form a group.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.lexicon import antonyms_of, common_words, nominal_verb, senses_of, verb_of
from verifier_signals.syntax import Reading, is_common, stem
from verifier_signals.values.units import lookup

__all__ = [
    "PREFIXES",
    "Term",
    "TermRelations",
    "is_month",
    "is_name",
    "term_groups",
    "term_relations",
    "terms_in",
    "without_prefix",
    "word_relations",
]

PREFIXES = ("non-", "non", "un", "in", "im", "ir", "il", "dis")
_LIGHT = lexicon("""
    be have do get make take give go come use able thing way kind one also however therefore according
    reason time same two three four five six seven eight nine ten eleven twelve mr mrs ms dr prof contain ever
    """)
"""Verbs, nouns and titles too light to tell what a clause is about."""

_SYMBOL = 3
"""The longest sign of a unit, in letters."""
_ACTING = ("er", "or", "ent", "ant", "ist")
"""Endings of nouns for those who do what a verb says."""
_FREE_OF = frozenset({"charge", "charges", "cost"})
"""What ``free of`` may add to say no more than ``free``."""
_JOINING = frozenset({"and", "or", "nor", ",", "&", "the", "a", "an"})
_COORDINATING = frozenset({"and", "or", "nor", ",", "&"})


class Term(NamedTuple):
    """A content word of a statement: its stem without a denying prefix, whether it had one, its token."""

    stem: str
    flipped: bool
    at: int
    low: str


class WordRelations(NamedTuple):
    """A word's form, its lemma and the deed of whom it calls by it, the opposites of each, the senses of the lemma."""

    forms: tuple[str, ...]
    opposites: frozenset[str]
    senses: frozenset[int]


def _lemma(low: str) -> str:
    verb = verb_of(low)
    return low if verb is None else verb.lemma


@lru_cache(maxsize=16384)
def word_relations(low: str) -> WordRelations:
    lemma = _lemma(low)
    deed = _deed(low.removesuffix("s")) or lemma
    opposites = antonyms_of(low) | antonyms_of(lemma) | antonyms_of(deed)
    return WordRelations((low, lemma, deed), opposites, senses_of(lemma))


def _deed(low: str) -> str | None:
    """What the one does whom a noun calls by it: ``opponent``, ``supporter``."""
    return nominal_verb(low) if low.endswith(_ACTING) and verb_of(low) is None else None


class TermRelations(NamedTuple):
    """From a form of a statement's words, from a word set against some of them, and from the number of a sense of
    theirs, to their stems."""

    forms: Mapping[str, str]
    opposites: Mapping[str, Sequence[str]]
    senses: Mapping[int, str]


def term_relations(terms: Mapping[str, Term]) -> TermRelations:
    """What the words of a statement are related to."""
    forms: dict[str, str] = {}
    opposites: dict[str, list[str]] = {}
    senses: dict[int, str] = {}
    for one, term in terms.items():
        known = word_relations(term.low)
        for form in known.forms:
            forms[form] = one
        for other in known.opposites:
            opposites.setdefault(other, []).append(one)
        for sense in known.senses:
            senses[sense] = one
    return TermRelations(forms, opposites, senses)


def terms_in(reading: Reading, first: int, last: int, covered: Set[int] = frozenset()) -> list[Term]:
    """The content words of tokens ``first`` up to ``last``, but those at covered tokens."""
    found = _all_terms(reading)
    if first > 0 or last < len(reading.tokens):
        found = found[bisect_left(found, first, key=_place) : bisect_left(found, last, key=_place)]
    return [term for term in found if term.at not in covered]


_place = attrgetter("at")


@lru_cache(maxsize=2048)
def _all_terms(reading: Reading) -> tuple[Term, ...]:
    """The content words of a text."""
    found = []
    for at, (word, _, _) in enumerate(reading.tokens):
        low = word.low
        if word.punct or word.number or low in _LIGHT or (word.function and not is_month(reading, at)):
            continue
        if low in _FREE_OF and at > 1 and reading.lows[at - 2] == "free":
            continue
        if len(low) <= _SYMBOL and _is_unit(reading, at):
            continue
        base = without_prefix(low)
        found.append(Term(word.stem, False, at, low) if base is None else Term(stem(base), True, at, low))
    return tuple(found)


@lru_cache(maxsize=16384)
def without_prefix(low: str) -> str | None:
    """The word that a denying prefix stands before, when the two are known opposites or written with a hyphen."""
    for prefix in PREFIXES if low.startswith(PREFIXES) else ():
        if low.startswith(prefix) and len(low) > len(prefix) + 3:
            base = low[len(prefix) :].lstrip("-")
            ordinary = prefix == "un" and len(base) > 4 and base in common_words()
            if (
                base in antonyms_of(low)
                or prefix == "non-"
                or ordinary
                or _lemma(base) in antonyms_of(_lemma(low))
            ):
                return base
    return None


def _is_unit(reading: Reading, at: int) -> bool:
    """Whether a short word is the sign of a unit behind a figure: ``3 m``, ``31 °C``, ``80 km/h``."""
    if at > 1 and reading.tokens[at - 1].word.low == "/":
        return _is_unit(reading, at - 2)
    before = at - 1 - (at > 1 and reading.tokens[at - 1].word.low == "°")
    return before >= 0 and reading.tokens[before].word.number and bool(lookup(reading.tokens[at].word.low))


def is_month(reading: Reading, at: int) -> bool:
    """Whether a ``may`` is the month."""
    word = reading.tokens[at].word
    return word.low == "may" and word.capital and at not in reading.heads


def is_name(reading: Reading, at: int) -> bool:
    word = reading.tokens[at].word
    return word.capital and (at not in reading.heads or not is_common(word.low))


def term_groups(reading: Reading, terms: Iterable[Term]) -> Mapping[str, int]:
    """The number of the list, or of the name, that a stem is part of; a word that stands alone has none."""
    found: dict[str, int] = {}
    previous: Term | None = None
    for number, term in enumerate(terms):
        if previous is not None:
            between = reading.lows[previous.at + 1 : term.at]
            if between:
                together = _JOINING.issuperset(between) and not _COORDINATING.isdisjoint(between)
            else:
                together = is_name(reading, previous.at) and is_name(reading, term.at)
            if together:
                found[term.stem] = found.setdefault(previous.stem, number)
        previous = term
    return found
