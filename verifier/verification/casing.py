"""A claim whose capitals tell nothing and its evidence in; the claim with its words as the evidence writes them out.

In the capitals of a headline every word looks like a name, and without any capital none does. There, and only there,
each word is read as the evidence writes it inside its sentences; the length never changes, so that spans stay right.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from signals.lexicon import common_words
from signals.stems import lemma
from signals.syntax.words import FUNCTION_WORDS

__all__ = ["recased"]

_WORD = re.compile(r"[^\W\d_]+(?:(?<=n)['’]t)?")
_INSIDE = re.compile(r"(?<=[^\W\d_A-Z][ -]|[,;] )([^\W\d_]+)")
"""A word behind a small letter or a comma: its first letter says what it is, not that a sentence begins."""
_FEWEST = 3
"""With fewer capitals a claim may consist of names."""
_SHORT = 3
"""Words of at most this many letters are often small in headlines."""


def recased(text: str, evidence: Iterable[str]) -> str:
    """The text with its words as they are written in the evidence, where its own capitals tell nothing.

    >>> recased("Castellan Cables Supplied The Turbines", ["The blades were made by Castellan Cables in Hull."])
    'Castellan Cables supplied the turbines'
    >>> recased("castellan cables supplied them", ["The blades were made by Castellan Cables in Hull."])
    'Castellan Cables supplied them'
    >>> recased("Castellan Cables supplied The Turbines", ["The blades were made by Castellan Cables in Hull."])
    'Castellan Cables supplied The Turbines'
    """
    words = list(_WORD.finditer(text))
    telling = [match[0] for match in words[1:] if len(match[0]) > _SHORT]
    headline = len(telling) >= _FEWEST and all(word[0].isupper() for word in telling)
    if not headline and not text.islower():
        return text
    forms = _forms(evidence)
    read = "".join(
        text[before : match.start()] + forms.get(match[0].casefold(), _as_listed(match[0]))
        for before, match in zip([0, *(word.end() for word in words)], words, strict=False)
    )
    read += text[words[-1].end() :] if words else text
    return read[: words[0].start()] + read[words[0].start() :][:1].upper() + read[words[0].start() + 1 :]


def _forms(evidence: Iterable[str]) -> Mapping[str, str]:
    """How the evidence mostly writes each word inside its sentences, by the folded word."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for text in evidence:
        for match in _INSIDE.finditer(text):
            seen[match[0].casefold()][match[0]] += 1
    return {
        word: max(sorted(forms), key=lambda form: forms[form])
        for word, forms in seen.items()
        if all(len(form) == len(word) for form in forms)
    }


def _as_listed(word: str) -> str:
    """A word of the language in small letters; what the dictionary lacks is a name or a code, and stays."""
    low = word.lower()
    known = low in common_words() or lemma(low) in common_words() or low in FUNCTION_WORDS
    return low if known and len(low) == len(word) else word
