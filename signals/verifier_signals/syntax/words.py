"""Tokens of a text: folded form, stem, reading as a verb, place."""

from __future__ import annotations

import re
import threading
import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import Stemmer

from verifier.core.deadline import checkpoint
from verifier.core.lexicon import lexicon
from verifier.core.text import normalise
from verifier_signals.lexicon import Verb, nominal_verb, verb_of

__all__ = ["Token", "Word", "fold_word", "stem", "tokenise", "word"]

_TOKEN = re.compile(
    r"\b(?:i|you|he|she|it|we|they|that|there|who)(?=['’](?:ll|ve|re|d|m)\b)|(?<=\w)['’](?:ll|ve|re|d|m)\b"
    r"|[^\W_]++(?:['’ʼ.‐‑-][^\W_]++)*+['’]?|[^\w\s]|_",
    re.IGNORECASE,
)
_CLITICS = {"'ll": "will", "'ve": "have", "'re": "are", "'d": "would", "'m": "am"}
"""Verbs that are written on to a pronoun; ``'d`` may be ``had``, too."""
_STROKES = str.maketrans("øłđħŧ", "oldht")
"""Letters with a stroke, which Unicode does not take apart."""

FUNCTION_WORDS = lexicon("""
    a an the this that these those such same own any some all both each every either neither no none one
    ones i you he she it we they me him her us them my your his its our their mine yours hers ours
    theirs himself herself itself themselves myself yourself ourselves who whom whose which what
    whatever whoever where when why how there here then than as of in on at by for with about against
    between into through during before after above below to from up down out off over under again
    further once until till upon within without across along among around behind beside besides beyond
    despite except inside like near outside per since toward towards underneath unlike via am is are was
    were be been being do does did done doing have has had having can could may might must shall should
    will would ought need and or but nor so yet if because although though while whereas unless whether
    not n't never also too very just only even still already much many more most few fewer less least
    other another several rather quite almost nearly however therefore thus hence moreover furthermore
    meanwhile instead otherwise can't cannot don't doesn't didn't isn't aren't wasn't weren't won't
    wouldn't shouldn't couldn't hasn't haven't hadn't mustn't needn't mayn't shan't it's there's that's
    he's she's they're we're you're i'm i've we've they've you've let's etc e.g i.e according
    """)


class Word:
    """What one written form is, apart from where it stands. Made once a form and shared."""

    __slots__ = (
        "camel",
        "capital",
        "capitals",
        "coded",
        "function",
        "low",
        "number",
        "possessive",
        "punct",
        "stem",
        "verb",
    )

    def __init__(self, surface: str) -> None:
        low = fold_word(surface)
        low = _CLITICS.get(low, low)
        self.possessive = low.endswith(("'s", "s'")) and low not in FUNCTION_WORDS
        if self.possessive:
            low = low[:-2] if low.endswith("'s") else low[:-1]
        self.low = low.rstrip("'")
        self.punct = not surface[0].isalnum() and len(surface) == 1
        self.number = surface[0].isdecimal()
        self.capital = surface[0].isupper()
        self.capitals = self.camel = self.coded = False
        if not surface.islower():
            self._read_capitals(surface)
        self.function = self.low in FUNCTION_WORDS
        plain = self.low.isalpha() and not self.function
        self.verb: Verb | None = verb_of(self.low) if plain else None
        self.stem = stem(self._root()) if plain else stem(self.low)

    def _read_capitals(self, surface: str) -> None:
        """Whether a form is in capitals, has one behind a small letter, or one beside figures."""
        letters = [mark for mark in surface if mark.isalpha()]
        upper = sum(map(str.isupper, letters))
        self.capitals = len(letters) > 1 and upper >= len(letters) - self.possessive
        self.camel = any(first.islower() and second.isupper() for first, second in pairwise(surface))
        self.coded = upper > 0 and any(map(str.isdecimal, surface))

    def _root(self) -> str:
        """The verb behind an irregular form or a derived noun, else the word: ``paid``, ``payment`` -> ``pay``."""
        derived = nominal_verb(self.low) or nominal_verb(self.low.removesuffix("s"))
        if derived is not None:
            return derived
        irregular = self.verb is not None and self.verb.share >= 0.5 and self.verb.form == "past"
        return self.verb.lemma if irregular and self.verb is not None else self.low


class Token(NamedTuple):
    """A word or mark at its place: ``text[start:end]``."""

    word: Word
    start: int
    end: int


_local = threading.local()


@lru_cache(maxsize=65536)
def stem(low: str) -> str:
    """The Snowball English stem of a folded word; a word of other letters is its own stem.

    >>> stem("refunds") == stem("refunded")
    True
    """
    if not low.isascii():
        return low
    if not hasattr(_local, "stemmer"):
        _local.stemmer = Stemmer.Stemmer("english", 0)
    found: str = _local.stemmer.stemWord(low)
    return found


def fold_word(surface: str) -> str:
    """A form without case, diacritics and typographic variants.

    >>> fold_word("Café’s"), fold_word("ＩＳＯ"), fold_word("Straße")
    ("cafe's", 'iso', 'strasse')
    """
    if surface.isascii():
        return surface.lower()
    apart = unicodedata.normalize("NFKD", normalise(surface).text)
    return "".join(mark for mark in apart if not unicodedata.combining(mark)).translate(_STROKES)


@lru_cache(maxsize=65536)
def word(surface: str) -> Word:
    """The word behind a written form."""
    return Word(surface)


def tokenise(text: str) -> list[Token]:
    """The words and marks of a text in order. Linear time."""
    checkpoint()
    return [Token(word(match[0]), match.start(), match.end()) for match in _TOKEN.finditer(text)]
