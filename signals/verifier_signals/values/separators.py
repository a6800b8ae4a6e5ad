"""A text in, what the marks in its figures mean out: whether ``1.234`` is a little over one, or over a thousand.

Some figures tell: ``1.234.567``, ``2,5 kg`` and ``1.234,50`` have the comma for decimals, ``1,234,567``, ``4,50,000``
and ``2.5 kg`` the point. Where none does, what is counted tells (there is no 1.234th guest), and money has no third
decimal; else both readings stay, the one with the point for decimals first, and the other is doubtful.
"""

from __future__ import annotations

import re
from functools import lru_cache

from verifier.core.lexicon import lexicon
from verifier_signals.values.spelled import SCALES
from verifier_signals.values.units import is_money, unit_after

__all__ = ["counts_after", "decimal_mark", "is_grouped"]

_NO_DIGIT = r"(?<![\d.,])"
_COMMA_TELLS = re.compile(
    rf"{_NO_DIGIT}(?:\d{{1,3}}(?:\.\d{{3}})+,\d{{1,2}}|\d{{1,3}}(?:\.\d{{3}}){{2,}}|\d+,\d{{1,2}}(?=\s?[%€£$°]|\s[a-z]))(?![\d]|[.,]\d)"
)
_POINT_TELLS = re.compile(
    rf"{_NO_DIGIT}(?:\d{{1,3}}(?:,\d{{2,3}})*,\d{{3}}|\d+\.\d{{1,2}}(?=\s?[%€£$°]|\s[a-z])|(?<=[€£$])\d+\.\d\d)(?![\d]|[.,]\d)"
)
_WORDS = re.compile(r"\s+([a-z][a-z-]*)(?:\s+(?:of\s+)?([a-z][a-z-]*))?")
_PLURALS = lexicon("people men women children staff sheep fish cattle aircraft personnel crew")
_MEASURES = lexicon(
    "points marks goals times units degrees seconds goes is was has does as its this thus less across"
)
"""Words in ``s`` of which there may be parts, or that are no plural."""


@lru_cache(maxsize=1024)
def decimal_mark(text: str) -> str:
    """``.`` or ``,`` where the figures of a text show which mark stands before its decimals, else ``""``.

    >>> decimal_mark("2,5 kg or 1.234 guests"), decimal_mark("2.5 kg"), decimal_mark("1.234 guests")
    (',', '.', '')
    """
    comma, point = _COMMA_TELLS.search(text) is not None, _POINT_TELLS.search(text) is not None
    return "" if comma == point else "," if comma else "."


def is_grouped(text: str, end: int, *, money: bool) -> bool:
    """Whether a figure with a mark before its last three digits is one in thousands, by what stands around it.

    A sum of money is, unless a scale follows (``€1.234 billion``); and the number of things that have no parts.

    >>> is_grouped("1.234 guests", 5, money=False), is_grouped("1.234 kg", 5, money=False)
    (True, False)
    """
    following = _WORDS.match(text, end)
    words = [word for word in following.groups() if word] if following else []
    if words and words[0] in SCALES:
        return False
    unit = unit_after(text, end)[0]
    if money or any(map(is_money, unit)):
        return True
    return counts_after(text, end)


def counts_after(text: str, end: int) -> bool:
    """Whether the figure that ends at ``end`` counts things that have no parts.

    >>> counts_after("1.234 guests", 5), counts_after("9.125 points", 5)
    (True, False)
    """
    following = _WORDS.match(text, end)
    if following is None or unit_after(text, end)[0]:
        return False
    return any(_is_counted(word) for word in following.groups() if word)


def _is_counted(word: str) -> bool:
    plural = len(word) > 3 and word.endswith("s") and not word.endswith("ss") and word not in _MEASURES
    return plural or word in _PLURALS
