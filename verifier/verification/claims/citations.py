"""The marks by which an answer says where a sentence is taken from, as patterns; and which alike ones are none.

``[plans.md]``, ``[citation:3d1f]``, ``【4†source】``, ``(source: ...)``, ``<ref>7</ref>``, ``.²`` and ``(1)`` are
no part of what the sentence says; ``m²``, ``10⁵`` and ``thirty (30)`` are.
"""

from __future__ import annotations

import re

from verifier_signals.values.numerals import NUMBER_WORDS
from verifier_signals.values.units import units

from verifier.core.lexicon import lexicon

__all__ = ["NUMBER", "RAISED", "SOURCE", "is_counted", "is_power"]

_FILE = (
    r"[^\[\]()\n]{1,80}\.(?:md|txt|pdf|docx?|html?|csv|tsv|jsonl?|xlsx?|pptx?)(?:[#,:\s][^\[\]()\n]{0,40})?"
)
_DOCUMENT = (
    r"(?:doc(?:ument)?|source|src|ref(?:erence)?|passage|chunk|cit(?:ation|e)|context|excerpt|snippet)s?"
)
_LABEL = rf"(?:{_DOCUMENT}|(?:search|result|web|page|pp?|note|footnote|fn|file|oaicite|id)s?)"
_MARK = rf"(?:{_LABEL}(?:[_\#:=†]\s?[\w.†/-]{{1,60}}|[.:]?[\s-]?\d{{1,4}})|\d{{1,4}})"
"""``citation:3d1f``, ``doc 3``, ``p. 7``; behind a space only a number, for ``[note the date]`` says something."""
_MARKS = rf"{_MARK}(?:\s?[,;&]\s?{_MARK}){{0,9}}"
_PLACE = rf"{_DOCUMENT}[\s_\#:-]{{0,2}}\d{{1,4}}(?:[,;:][^\[\]()\n]{{0,40}})?"
_LINK = r"\[[^\[\]\n]{1,80}\]\([^()\s]{1,500}\)"
SOURCE = rf"""
      【[^】\n]{{1,60}}】
    | \[(?:{_FILE}|{_PLACE}|{_DOCUMENT}[\s_\#:-]{{0,2}}\w{{0,20}})\](?!\()
    | \[\^?\s?(?=[a-z]){_MARKS}\s?\](?!\()
    | \[\[\d{{1,3}}\]\](?:\([^()\s]{{1,500}}\))? | \[/?cite(?:_start|_end)?\] | \[[SDR]\d{{1,2}}\](?!\()
    | :contentReference\[[^\[\]\n]{{1,60}}\](?:\{{[^{{}}\n]{{1,60}}\}})? | \ue200[^\ue201\n]{{0,200}}\ue201
    | <ref\b[^<>]{{0,200}}(?:/>|>[^<>]{{0,300}}</ref>) | </?co(?::|\s)?\s?\d[\d,]{{0,20}}>
    | <(?P<element>cite|citation|source|footnote|fn|fnref|doc)\b[^<>]{{0,200}}>\s?
      (?:\[?{_MARKS}\]?|{_FILE})\s?</(?P=element)>
    | \((?:sources?|references?|ref\.?)\s?:[^()\n]{{1,120}}\)
    | \((?:(?:see|cf\.?|from|in)\s)?(?:{_FILE}|{_PLACE})\)
    | \((?:(?:see|cf\.?|from|in|sources?:)\s)?{_LINK}\)
    | \[(?:{_FILE}|source|link|ref(?:erence)?|\d{{1,3}})\]\([^()\s]{{1,500}}\)
    """
"""Marks that tell by their form (with ``re.VERBOSE``; the group ``element`` is its own)."""
RAISED = r"(?<=\S)[⁰¹²³⁴-⁹]{1,3}(?:[,⁻–-][⁰¹²³⁴-⁹]{1,3}){0,9}"
"""Raised figures; :func:`is_power` tells those that belong to what stands before them."""
NUMBER = r"(?<=\s)\(\d{1,2}(?:\s?[,–-]\s?\d{1,2}){0,9}\)(?=[ \t]*(?:[.,;:!?]|$))"
"""``(1)`` before a stop; :func:`is_counted` tells those that belong to what stands before them."""

_WORD_BEFORE = re.compile(r"[^\W\d_]+$")
_FIGURE_BEFORE = re.compile(r"\d[\d.,]*$")
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d")
_LONGEST = 40
_SHORTEST_WORD = 3
_POWERS = frozenset("²³")
_NUMBERED = lexicon("""
    section sections article articles paragraph clause rule rules class category group type level stage step option
    item point phase note table figure fig part chapter schedule annex appendix equation no number act
    """)
"""What ``(2)`` numbers behind it, also behind a figure: ``section 5 (2)``."""


def is_power(text: str, at: int, raised: str) -> bool:
    """Whether raised figures at ``at`` are an exponent of what stands before them: a figure, a unit, a variable.

    >>> is_power("420 m²", 5, "²"), is_power("has 23 locks⁴", 12, "⁴"), is_power("in 1872¹", 7, "¹")
    (True, False, False)
    """
    before = text[max(0, at - _LONGEST) : at]
    if before.endswith(("⁻", "^", "⁺")):
        return True
    if figure := _FIGURE_BEFORE.search(before):
        return figure[0][-1].isdigit() and not _YEAR.fullmatch(figure[0])
    word = _WORD_BEFORE.search(before)
    if word is None:
        return False
    unit = any(one.dimension == "length" for one in units().get(word[0], ()))
    return len(word[0]) < _SHORTEST_WORD or (unit and raised in _POWERS)


def is_counted(text: str, at: int) -> bool:
    """Whether a number in brackets at ``at`` belongs to what stands before it: ``thirty (30)``, ``section 5 (2)``."""
    words = text[max(0, at - _LONGEST) : at].lower().split()[-2:]
    last = words[-1].strip(".,;") if words else ""
    return last in NUMBER_WORDS or last in _NUMBERED or (last[-1:].isdigit() and words[0] in _NUMBERED)
