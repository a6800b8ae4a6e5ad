"""What the word tables know of a word; each table is read once, when first asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache, lru_cache, partial
from importlib.resources import files
from typing import NamedTuple

from verifier.core.lexicon import table_rows

__all__ = [
    "CausalPhrase",
    "Frame",
    "Measures",
    "Verb",
    "american_spelling",
    "antonyms_of",
    "base_form",
    "causal_phrases",
    "common_words",
    "complements_of",
    "frames",
    "irregular_forms_of",
    "measures_of",
    "nominal_verb",
    "scales_of",
    "senses_of",
    "verb_of",
]


class Verb(NamedTuple):
    """A reading of a form as a verb. ``share`` is how often the lemma's base form is a verb, in [0, 1]."""

    lemma: str
    form: str
    """``base``, ``s``, ``past`` (also the participle) or ``ing``."""
    share: float


class Frame(NamedTuple):
    """The event that a verb names and the role of each of its slots (``subj``, ``obj``, ``to``, ``from`` ...)."""

    event: str
    roles: Mapping[str, str]


_rows = partial(table_rows, "verifier_signals.lexicon")


@cache
def _antonyms() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for first, second, _ in _rows("antonyms.tsv"):
        found[first].add(second)
        found[second].add(first)
    for left, right in _rows("opposites.tsv"):
        for first in left.split():
            for second in right.split():
                found[first].add(second)
                found[second].add(first)
    for (pair,) in _rows("not_opposites.tsv"):
        first, second = pair.split()
        found[first].discard(second)
        found[second].discard(first)
    return {word: frozenset(others) for word, others in found.items()}


def antonyms_of(word: str) -> frozenset[str]:
    """The opposites of a lower-case word or lemma; empty when none is known."""
    return _antonyms().get(word, frozenset())


@cache
def _complements() -> Mapping[str, frozenset[tuple[str, str]]]:
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for left, right, said in _rows("complements.tsv"):
        for first in left.split():
            for second in right.split():
                found[first].add((second, said))
                found[second].add((first, said))
    return {word: frozenset(others) for word, others in found.items()}


def complements_of(word: str) -> frozenset[tuple[str, str]]:
    """The words of which one holds where a lower-case word does not, and the other way round.

    Each with ``be``, where it is said with such a verb, or ``do``, where it is a verb itself, by its lemma.

    >>> sorted(complements_of("open")), complements_of("cold")
    ([('closed', 'be'), ('shut', 'be')], frozenset())
    """
    return _complements().get(word, frozenset())


@cache
def _synonyms() -> Mapping[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, (_, words) in enumerate(_rows("synonyms.tsv")):
        for word in words.split():
            found.setdefault(word, []).append(number)
    return found


@lru_cache(maxsize=16384)
def senses_of(word: str) -> frozenset[int]:
    """The usual senses of a lower-case word, as numbers; words that share one are synonyms."""
    return frozenset(_synonyms().get(word, ()))


@cache
def _verbs() -> tuple[Mapping[str, float], Mapping[str, str]]:
    shares: dict[str, float] = {}
    irregular: dict[str, str] = {}
    for lemma, verb, other, forms in _rows("verbs.tsv"):
        shares[lemma] = (int(verb) + 0.5) / (int(verb) + int(other) + 1.0)
        for form in forms.split():
            irregular[form] = lemma
    return shares, irregular


@cache
def _irregular_forms() -> Mapping[str, tuple[str, ...]]:
    return {lemma: tuple(forms.split()) for lemma, _, _, forms in _rows("verbs.tsv") if forms}


def irregular_forms_of(lemma: str) -> tuple[str, ...]:
    """The forms of a verb that no rule of spelling gives, in alphabetical order; none of a regular one.

    >>> irregular_forms_of("take"), irregular_forms_of("open")
    (('taken', 'took'), ())
    """
    return _irregular_forms().get(lemma, ())


_ENDINGS = (
    ("ies", "y", "s"),
    ("es", "", "s"),
    ("s", "", "s"),
    ("ied", "y", "past"),
    ("ed", "e", "past"),
    ("ed", "", "past"),
    ("ing", "e", "ing"),
    ("ing", "", "ing"),
)
_LAST = ("s", "d", "g")
"""The last letters of these endings."""
_HISSING = ("ses", "xes", "zes", "ches", "shes", "oes")
"""Where an *-es* is one ending: ``passes``, ``goes``. Elsewhere its *-e* is the verb's: ``rides``, ``wines``."""


@lru_cache(maxsize=16384)
def verb_of(word: str) -> Verb | None:
    """The likeliest reading of a lower-case form as a verb.

    >>> verb_of("acquired"), verb_of("sold").lemma, verb_of("teapot")
    (Verb(lemma='acquire', form='past', share=0.9878048780487805), 'sell', None)
    """
    shares, irregular = _verbs()
    if word in irregular:
        lemma = irregular[word]
        form = "ing" if word.endswith("ing") else "s" if word.endswith("s") else "past"
        return Verb(lemma, form, shares[lemma])
    for ending, instead, form in _ENDINGS if word.endswith(_LAST) else ():
        if (
            word.endswith(ending)
            and len(word) > len(ending) + 1
            and (ending != "es" or word.endswith(_HISSING))
        ):
            stem = word[: -len(ending)]
            undoubled = stem[:-1] if not instead and form != "s" and stem[-1:] == stem[-2:-1] else stem
            for lemma in (stem + instead, undoubled):
                if lemma in shares and (form != "s" or not word.endswith("ss")):
                    return Verb(lemma, form, shares[lemma])
    return Verb(word, "base", shares[word]) if word in shares else None


@cache
def _nominals() -> Mapping[str, str]:
    return {noun: verb for noun, verb, *_ in _rows("nominals.tsv")}


def nominal_verb(noun: str) -> str | None:
    """The verb that a lower-case noun is derived from: ``acquisition`` -> ``acquire``."""
    return _nominals().get(noun)


@cache
def _inflections() -> Mapping[str, str]:
    return dict(_rows("inflections.tsv"))


def base_form(form: str) -> str | None:
    """The base form of a lower-case irregular plural, or of a comparative or superlative; ``None`` for any other word.

    >>> base_form("children"), base_form("heavier"), base_form("bridges")
    ('child', 'heavy', None)
    """
    return _inflections().get(form)


@cache
def _spellings() -> Mapping[str, str]:
    return dict(_rows("spellings.tsv"))


def american_spelling(word: str) -> str | None:
    """The American spelling of a lower-case word that the table of British spellings lists.

    >>> american_spelling("licence"), american_spelling("bridge")
    ('license', None)
    """
    return _spellings().get(word)


@cache
def frames() -> Mapping[str, tuple[Frame, ...]]:
    """Frames by verb lemma, in the order of the table; a phrasal verb is written with a space (``take over``)."""
    found: dict[str, tuple[Frame, ...]] = {}
    for verbs, event, slots in _rows("frames.tsv"):
        roles = dict(slot.split("=") for slot in slots.split())
        for verb in verbs.split(", "):
            found[verb] = (*found.get(verb, ()), Frame(event, roles))
    return found


@cache
def _scales() -> Mapping[str, frozenset[tuple[str, int]]]:
    found: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for name, more, less in _rows("scales.tsv"):
        for sign, words in ((1, more), (-1, less)):
            for word in words.split():
                found[word].add((name, sign))
    return {word: frozenset(places) for word, places in found.items()}


def scales_of(word: str) -> frozenset[tuple[str, int]]:
    """The scales on which a lower-case positive form or lemma stands: 1 towards more of it, -1 towards less.

    >>> scales_of("cheap")
    frozenset({('cost', -1)})
    """
    return _scales().get(word, frozenset())


class CausalPhrase(NamedTuple):
    """Words that tie a cause to its effect, each by its form or its verb's base form."""

    words: tuple[str, ...]
    parted: int
    """How many of them stand before the effect, which parts them from the others; 0 where it does not."""
    behind: bool
    """Whether the cause stands behind them."""
    kind: str
    """``link``, ``change``, ``loose`` or ``clause``, as ``causes.tsv`` says."""


@cache
def causal_phrases() -> Mapping[str, tuple[CausalPhrase, ...]]:
    """The causal phrases by their first word, the longest first."""
    found: dict[str, list[CausalPhrase]] = defaultdict(list)
    for words, side, kind in _rows("causes.tsv"):
        listed = words.split()
        parted = listed.index("...") if "..." in listed else 0
        phrase = CausalPhrase(tuple(w for w in listed if w != "..."), parted, side == "after", kind)
        found[phrase.words[0]].append(phrase)
    return {
        first: tuple(sorted(phrases, key=lambda phrase: -len(phrase.words)))
        for first, phrases in found.items()
    }


class Measures(NamedTuple):
    """How a scale is measured: its dimensions, each with 1 or -1 (more of it is the smaller figure), and its names."""

    dimensions: Mapping[str, int]
    names: frozenset[str]


@cache
def _measures() -> Mapping[str, Measures]:
    return {
        scale: Measures(
            {one.lstrip("-"): -1 if one.startswith("-") else 1 for one in dimensions.split()},
            frozenset(names.split()),
        )
        for scale, dimensions, names in _rows("measures.tsv")
    }


def measures_of(scale: str) -> Measures:
    """What measures a scale of ``scales_of``; nothing where no dimension does. ``money`` stands for every currency.

    >>> dict(measures_of("age").dimensions)
    {'age': 1, 'date': -1}
    """
    return _measures().get(scale, Measures({}, frozenset()))


@cache
def common_words() -> frozenset[str]:
    """Lower-case words of the language: a capital at the head of a sentence does not make them names."""
    return frozenset((files(__package__) / "common.txt").read_text("utf-8").split())
