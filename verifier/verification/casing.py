"""A claim whose capitals tell nothing and its evidence in; the claim with its words as the evidence writes them out.

In the capitals of a headline every word looks like a name, and without any capital none does. There, and only there,
each word is read as the evidence writes it inside its sentences; the length never changes, so that spans stay right.
Nor does the mark that a claim ends with tell anything: ``closed`` gives every claim the same.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from signals.lexicon import common_words, verb_of
from signals.stems import lemma
from signals.syntax.words import FUNCTION_WORDS
from verifier.core.lexicon import lexicon

__all__ = ["closed", "recased"]

_WORD = re.compile(r"[^\W\d_]+(?:(?<=n)['’]t)?")
_INSIDE = re.compile(r"(?<=[^\W\d_A-Z][ -]|[,;] )([^\W\d_]+)")
"""A word behind a small letter or a comma: its first letter says what it is, not that a sentence begins."""
_SMALL = FUNCTION_WORDS | lexicon(
    "anything anyone anybody something someone everything everyone nothing nobody"
)
_FEWEST = 3
"""With fewer capitals a claim may consist of names."""


def recased(text: str, evidence: Iterable[str]) -> str:
    """The text with its words as they are written in the evidence, where its own capitals tell nothing.

    >>> recased("Castellan Cables Supplied The Turbines", ["The blades were made by Castellan Cables in Hull."])
    'Castellan Cables supplied the turbines'
    >>> recased("castellan cables supplied them", ["The blades were made by Castellan Cables in Hull."])
    'Castellan Cables supplied them'
    >>> recased("Castellan Cables supplied The Turbines", ["The blades were made by Castellan Cables in Hull."])
    'Castellan Cables supplied The Turbines'
    >>> recased("40 percent of them are three-year-old bulbs", ["The Old Market sells them."])
    '40 percent of them are three-year-old bulbs'
    """
    words = list(_WORD.finditer(text))
    telling = [word[0] for word in words[1:] if _begins(text, word) and _folded(word) not in FUNCTION_WORDS]
    headline = len(telling) >= _FEWEST and all(word[0].isupper() for word in telling)
    if not words or (not headline and not text.islower()):
        return text
    evidence = list(evidence)
    forms, named = _forms(evidence), _named(text, words, "\n".join(evidence))
    out = list(text)
    for word in words:
        form = _as_listed(word[0])
        if word.start() in named:
            form = word[0].capitalize()
        elif _begins(text, word):
            form = forms.get(_folded(word), form)
        out[slice(*word.span())] = form
    first = words[0].start()
    if not any(map(str.isdigit, text[:first])):
        out[first] = out[first].upper()
    return "".join(out)


def closed(text: str) -> str:
    """The text with one full stop at its end, whatever mark it ends with; a question and a closing quote stay.

    >>> closed("It opens at 9!"), closed("It opens at 9 ."), closed("Price: 4 EUR"), closed("Is it open?")
    ('It opens at 9.', 'It opens at 9.', 'Price: 4 EUR.', 'Is it open?')
    """
    bare = text.rstrip(" .!")
    return f"{bare}." if bare and (bare[-1].isalnum() or bare[-1] in "%)°€$£") else text


def _folded(word: re.Match[str]) -> str:
    return word[0].casefold()


def _begins(text: str, word: re.Match[str]) -> bool:
    """Whether a capital could be expected: not behind a hyphen or an apostrophe."""
    return text[word.start() - 1 : word.start()] not in ("-", "'", "’")


def _named(text: str, words: Sequence[re.Match[str]], evidence: str) -> set[int]:
    """Where neighbouring words begin that the evidence has as a name anywhere, be it at the head of a sentence."""
    return {
        word.start()
        for left, right in pairwise(words)
        if text[left.end() : right.start()] == " "
        and f"{left[0].capitalize()} {right[0].capitalize()}" in evidence
        for word in (left, right)
    }


def _forms(evidence: Iterable[str]) -> Mapping[str, str]:
    """How the evidence mostly writes each word inside its sentences, by the folded word."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for text in evidence:
        for match in _INSIDE.finditer(text):
            if (word := match[0].casefold()) not in FUNCTION_WORDS:
                seen[word][match[0]] += 1
    return {
        word: max(sorted(forms), key=lambda form: forms[form])
        for word, forms in seen.items()
        if all(len(form) == len(word) for form in forms)
    }


def _as_listed(word: str) -> str:
    """A word of the language in small letters; what the dictionary lacks is a name or a code, and stays."""
    low = word.lower()
    known = low in _SMALL or low in common_words() or lemma(low) in common_words() or verb_of(low) is not None
    return low if known and len(low) == len(word) else word
