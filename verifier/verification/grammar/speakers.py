"""Attribution of quotations: who says the sentences that are quoted but do not name their speaker themselves.

``"We close in May. The staff will move," said Ada Dahl.`` is two sentences of hers, and both are claims about what she
said. A quotation whose speaker stands neither before nor behind it is left as it is.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from verifier_signals.lexicon import verb_of

from verifier.core.lexicon import lexicon
from verifier.verification.grammar.clauses import SplitClause

__all__ = ["QUOTATION_MARKS", "quotation_speakers", "quoted_clause"]

QUOTATION_MARKS = '"“”„«»'
_QUOTATION = re.compile(r"“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|\"[^\"]*\"")
_NAME = r"(?:(?:[Tt]he|[Aa]n?|[Hh]is|[Hh]er|[Ii]ts|[Tt]heir|[Oo]ur)\s)?(?:[\w’'.-]+\s){0,4}?[\w’'-]+"
_VERB_FIRST = re.compile(
    rf"[\s,.]*(?P<verb>[a-z]+)\s(?P<who>{_NAME})(?=\s*(?:[.,;:!?(]|$|\b(?:in|on|at|to|who)\s))"
)
_NAME_FIRST = re.compile(rf"[\s,.]*(?P<who>{_NAME})\s(?P<verb>[a-z]+)\b")
_SOURCE_BEHIND = re.compile(rf"[\s,.]*according\sto\s(?P<who>{_NAME})(?=\s*(?:[.,;:!?(]|$))")
_SOURCE_BEFORE = re.compile(rf"\b[Aa]ccording\sto\s(?P<who>{_NAME})\s*,\s*$")
_BEFORE = re.compile(
    rf"(?:^|[.!?]\s+)(?:[Aa]s\s)?(?P<who>{_NAME})\s(?P<verb>[a-z]+)(?:\s[\w’'-]+){{0,4}}\s*[:,]\s*$"
)
_SAYING = lexicon("""
    say tell ask add write explain note argue claim warn announce reply answer state insist recall put report declare
    admit promise stress conclude remark
    """)
_REACH = 160
"""Code points before and behind a quotation in which its speaker is looked for."""


class _Quotation(NamedTuple):
    start: int
    end: int


def quotation_speakers(text: str, sentences: Sequence[tuple[int, int]]) -> dict[int, str]:
    """The speaker of each sentence, by its number, that lies in a quotation and does not name its speaker.

    >>> text = '"We close in May. The staff will move," said Ada Dahl.'
    >>> quotation_speakers(text, [(0, 17), (18, 54)])
    {0: 'Ada Dahl'}
    """
    found: dict[int, str] = {}
    ends = [end for _, end in sentences]
    before: tuple[int, int, str] | None = None
    for match in _QUOTATION.finditer(text):
        quotation = _Quotation(match.start(), match.end())
        told = _speaker(text, quotation)
        if told is None and before is not None and not text[before[0] : quotation.start].strip(" \t\n.,"):
            told = before[1:]
        if told is None:
            before = None
            continue
        place, who = told
        last = quotation.end
        for number in range(bisect_right(ends, quotation.start), len(sentences)):
            start, end = sentences[number]
            if start >= max(quotation.end, place):
                break
            if start < quotation.end and not start <= place < end:
                found[number] = who
            last = end
        before = last, place, who
    return found


def quoted_clause(sentence: str) -> SplitClause:
    """A sentence of a quotation without its marks; it is not split, because all of it is somebody's word."""
    inner = sentence.rstrip()
    opening = len(sentence) - len(sentence.lstrip(QUOTATION_MARKS + " "))
    closing = len(inner.rstrip(QUOTATION_MARKS))
    edits = ((closing, len(inner), ""),) if opening < closing < len(inner) else ()
    return SplitClause(0, opening if opening < closing else 0, len(sentence), "", edits)


def _speaker(text: str, quotation: _Quotation) -> tuple[int, str] | None:
    """Where the speaker of a quotation is named, and who that is."""
    behind = text[quotation.end : quotation.end + _REACH]
    for pattern in (_SOURCE_BEHIND, _VERB_FIRST, _NAME_FIRST):
        match = pattern.match(behind)
        if match and _says(match) and text[quotation.end - 2] in ",?!.":
            return quotation.end + match.start("who"), match["who"]
    first = max(0, quotation.start - _REACH)
    for pattern in (_SOURCE_BEFORE, _BEFORE):
        match = pattern.search(text[first : quotation.start])
        if match and _says(match):
            return first + match.start("who"), match["who"]
    return None


def _says(match: re.Match[str]) -> bool:
    if "verb" not in match.re.groupindex:
        return True
    verb = verb_of(match["verb"])
    return verb is not None and verb.lemma in _SAYING
