"""A text in; the edits that set it as a reader writes it, where it is spaced out or its raised figures are tags.

Data sets and some models write text as a tokenizer leaves it (``56, 000 people .``, ``non - profit``, ``do n't``): the
spaces say nothing, and a figure with one in it is another figure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.core.text import Folded

__all__ = ["edited", "spaced_out"]

_BEFORE_A_MARK = re.compile(
    r"(?<=[\w)\]%\"'’”°€$£])[ \u00a0]+(?=[.,;!?](?:\s|$)|:(?=\s(?!\d\d\b)))", re.MULTILINE
)
_BEFORE_A_STOP = re.compile(r"(?<=[\w)\]%\"'’”])[ \u00a0][.,](?=\s|$)", re.MULTILINE)
"""What only a tokenizer writes."""
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:, \d{3})+(?![\d]|[.,]\d)")
_BRACKETS = re.compile(r"(?<=[(\[])[ ]+(?=\w)|(?<=[\w.%])[ ]+(?=[)\]])")
_CONTRACTION = re.compile(r"(?<=\w)[ ]+(?=(?:n['’]t|['’](?:s|re|ll|ve|d|m))\b)")
_CLOCK = re.compile(r"(?<=\d)[ ]:[ ](?=\d\d\b)")
_HYPHEN = re.compile(r"(?<=[^\W_])[ ]-[ ](?=[^\W_])")
_PREFIX = re.compile(
    r"(?:^|(?<=\W))(?:non|anti|pre|post|co|re|semi|multi|ex|self|mid|sub|pro|inter|ultra|quasi|vice)$",
    re.IGNORECASE,
)
"""What no word of its own is, as a rule: a hyphen belongs behind it."""
_RAISED = re.compile(
    r"<sup\b[^<>]{0,200}>\s?(?:<a\b[^<>]{0,300}>)?\s?[\[(]?(\d{1,3}(?:,\s?\d{1,3}){0,9})[\])]?\s?(?:</a>)?\s?</sup>",
    re.IGNORECASE,
)
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹", " ")
_LONGEST_PREFIX = 6

_Edit = tuple[int, int, str]


def spaced_out(text: str) -> list[_Edit]:
    """Start, end and replacement of what is to be written otherwise, in order, not overlapping.

    >>> text = "About 56, 000 people work for the non - profit ( 2 ) ."
    >>> edited(Folded(text, tuple(range(len(text))), tuple(range(1, len(text) + 1))), spaced_out(text)).text
    'About 56,000 people work for the non-profit (2).'
    """
    tokenised = _BEFORE_A_STOP.search(text) is not None
    found: list[_Edit] = [(*match.span(), "") for match in _BEFORE_A_MARK.finditer(text)]
    found += [(*match.span(), "") for match in (*_BRACKETS.finditer(text), *_CONTRACTION.finditer(text))]
    found += [(*match.span(), ":") for match in _CLOCK.finditer(text)]
    for match in _HYPHEN.finditer(text):
        if tokenised or _PREFIX.search(text, max(0, match.start() - _LONGEST_PREFIX), match.start()):
            found.append((*match.span(), "-"))
    for match in _THOUSANDS.finditer(text):
        if tokenised or ", 000" in match[0]:
            gaps = re.finditer(r"(?<=,) ", match[0])
            found += [(match.start() + gap.start(), match.start() + gap.end(), "") for gap in gaps]
    if "<" in text:
        found += [(*match.span(), match[1].translate(_SUPERSCRIPTS)) for match in _RAISED.finditer(text)]
    found.sort()
    return [edit for at, edit in enumerate(found) if not at or found[at - 1][1] <= edit[0]]


def edited(folded: Folded, edits: Sequence[_Edit]) -> Folded:
    """The text with the edits made; what is left out belongs to the character before it."""
    text: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for start, end, new in edits:
        text.append(folded.text[at:start])
        starts += folded.starts[at:start]
        ends += folded.ends[at:start]
        first, last = folded.starts[start], folded.ends[end - 1]
        if new:
            text.append(new)
            starts += [first] * len(new)
            ends += [last] * len(new)
        else:
            ends[-1] = last
        at = end
    text.append(folded.text[at:])
    return Folded("".join(text), (*starts, *folded.starts[at:]), (*ends, *folded.ends[at:]))
