"""Notice that the text of a page is unlikely to be what a reader of the page sees."""

from __future__ import annotations

import re
import unicodedata

from verifier.core.text import foreign_language, unreadable_script
from verifier.knowledge.formats.pdf_words import is_word

__all__ = ["implausible"]

_CODES = re.compile(r"\(cid:\d+\)|/(?:g|G|uni|glyph|index)[0-9A-Fa-f]{1,5}\b")
_MOJIBAKE = re.compile(r"Ã[\u0080-¿ƒ‚„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€[^\s]?|Â[\u00a0-¿]|ï»¿|Ð[\u0080-¿]")
_WORD = re.compile(r"[A-Za-zÀ-ɏ]{3,}")
_LETTER = re.compile(r"(?<!\S)[^\W\d_](?!\S)")
_MOST_LOST = 0.05
"""Share of the characters that may be private glyphs, replacements or control characters: bullets of symbol fonts."""
_MOST_CODES = 0.02
_MOST_MOJIBAKE = 0.01
_MOST_SPACED = 0.4
_LEAST_WORDS = 0.05
_ENOUGH = 20
"""Words from which on their share tells something."""


def implausible(text: str) -> str | None:
    """Why a page's text is hardly what stands on the page; ``None`` where nothing tells.

    >>> implausible("(cid:12)(cid:7)(cid:88) (cid:3)(cid:9)")
    'codes of glyphs in place of letters (100 % of the text)'
    >>> implausible("The mill grinds rye.") is None
    True
    """
    dense = "".join(text.split())
    if not dense:
        return None
    tokens = text.split()
    checks = (
        (
            "codes of glyphs in place of letters",
            sum(map(len, _CODES.findall(text))) / len(dense),
            _MOST_CODES,
        ),
        ("glyphs without a meaning", sum(map(_is_lost, dense)) / len(dense), _MOST_LOST),
        ("letters of a wrong encoding", sum(map(len, _MOJIBAKE.findall(text))) / len(dense), _MOST_MOJIBAKE),
        (
            "letters with spaces between them",
            len(_LETTER.findall(text)) / len(tokens) if len(tokens) >= _ENOUGH else 0.0,
            _MOST_SPACED,
        ),
    )
    for what, share, most in checks:
        if share > most:
            return f"{what} ({share:.0%} of the text)".replace("%", " %")
    return "words of no language that is known here" if _is_of_no_language(text) else None


def _is_lost(character: str) -> bool:
    return character == "\ufffd" or unicodedata.category(character) in ("Co", "Cn", "Cc")


def _is_of_no_language(text: str) -> bool:
    """Whether hardly a word of many in Latin letters is English, and no other language is told."""
    words = [word for word in _WORD.findall(text) if not word.isupper()]
    if len(words) < _ENOUGH or unreadable_script(text) is not None:
        return False
    known = sum(map(is_word, words))
    return known < _LEAST_WORDS * len(words) and foreign_language(text) is None
