"""A stretch of a response goes in; it comes back with its markup and decoration blanked out, at the same length.

So sentences are found in what a reader sees, while every offset still points into the response.
"""

from __future__ import annotations

import re

from verifier.core.layout import STRUCK
from verifier.verification.claims.citations import NUMBER, RAISED, SOURCE, is_counted, is_power
from verifier.verification.claims.html import TAG

__all__ = ["blank_markup"]

_BLOCK_START = re.compile(
    r"""\A[ \t]*
    (?:(?: > | \#{1,6}(?=\s) | [-*+•‣◦▪●○■□·∙⁃–](?=\s) | \(?\d{1,3}[.)](?=\s) | \(?[A-Za-z]\)(?=\s)
    | \[[ xX]\](?=\s))[ \t]*)+""",
    re.VERBOSE,
)
_QUOTE_START = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_RULE_LINE = re.compile(r"^[ \t]*(?:[-=*_~`][ \t]*){3,}$", re.MULTILINE)
_EMOJI = (
    "(?:[\u2600-\u2604\u2607-\u2610\u2614-\u2704\u2706-\u2712\u2719-\u274b\u274f-\u27bf\U0001f300-\U0001f44c"
    "\U0001f44f-\U0001f51e\U0001f530-\U0001faff][\ufe0e\ufe0f\u200d\U0001f3fb-\U0001f3ff]{0,3}+)"
)
"""Pictures that only decorate. Ticks, crosses, stars, thumbs and numbers in a circle say something, and stay."""
_INLINE = re.compile(
    rf"""
      (?P<source>{SOURCE})
    | (?P<raised>{RAISED}) | (?P<number>{NUMBER})
    | (?P<citation>^\[\^[\w-]{{1,40}}\]:                                 # [^note]: before what it says
        |\[(?:\^?\d{{1,4}}(?:\s?[,–-]\s?\d{{1,4}}){{0,9}}|\^[\w-]{{1,40}})\](?!\())   # [1], [^note], [3, 4]
    | (?P<opener>!?\[(?=[^\[\]\n]{{1,300}}\]\())                        # of [text](target)
    | (?P<closer>(?<!\[)\]\((?:[^()\n]|\([^()\n]{{0,200}}\)){{0,1000}}\))
    | (?P<struck>{STRUCK.pattern})
    | (?P<tag>(?!(?<=`){TAG}`){TAG})
    | (?P<space>&(?:nbsp|thinsp|ensp|emsp|\#160);) | (?P<ampersand>(?<=&)amp;)
    | (?P<emoji>{_EMOJI}(?:\s*{_EMOJI}){{0,20}}(?=[.!?…]{{1,9}}\s|[.!?…]{{0,9}}[ \t]*$)
        |(?:(?<=[.!?…])|(?<=[.!?…][ \t])|\A){_EMOJI}+)
    | (?P<autolink><(?=https?://[^<>\s]{{1,500}}>)|(?<=\S)(?<!-)>(?=\s|$|[.,;:!?)]))
    | (?P<escape>\\(?=[\\`*_{{}}\[\]()#+.!|<>~-]))
    | (?P<code>`+)
    | (?P<strike>~~)
    | (?P<stars>(?<!\\)\*+)
    | (?P<underscores>(?<![^\W_])_{{1,3}}(?=[^\W_])|(?<=[^\W_.!?])_{{1,3}}(?![^\W_])|(?<=[.!?)])_{{1,3}}(?![^\W_]))
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)


def blank_markup(text: str, *, listed: bool) -> str:
    """Replace markup characters by spaces, one for one.

    Args:
        text: whole lines of a response.
        listed: whether a list marker, heading mark or task box at the very start is markup; without it only
            the ``>`` of quotations is, so that a paragraph that happens to begin with ``12.`` keeps it.

    Struck-out words go, which are taken back. Link targets, HTML tags, marks of sources (``[1]``,
    ``(source: plans.md)``), emphasis and code marks go; what they mark stays. The spaces inside a mark of a source
    become tabs, so that it is seen to be one mark. A star between digits or spaces is a multiplication and stays.

    >>> blank_markup("- **Price**: [4 EUR](http://a.b/c) [1]", listed=True)
    '    Price  :  4 EUR                   '
    """
    blanked = _BLOCK_START.sub(_blank, text) if listed else text
    blanked = _QUOTE_START.sub(_blank, blanked)
    blanked = _RULE_LINE.sub(_blank, blanked)
    return _INLINE.sub(_blank_inline, blanked)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"\S", " ", match[0])


def _blank_inline(match: re.Match[str]) -> str:
    text = match.string
    if match["stars"]:
        before = text[match.start() - 1 : match.start()]
        after = text[match.end() : match.end() + 1]
        if (not before.strip() and not after.strip()) or (before.isdigit() and after.isdigit()):
            return match[0]
    if match["autolink"] == ">" and "<http" not in text[max(0, match.start() - 520) : match.start()]:
        return match[0]
    if (match["raised"] and is_power(text, match.start(), match["raised"])) or (
        match["number"] and is_counted(text, match.start())
    ):
        return match[0]
    if any(match[kind] for kind in ("source", "citation", "raised", "number")):
        return re.sub(r"\S| ", lambda mark: "\t" if mark[0] == " " else " ", match[0])
    return _blank(match)
