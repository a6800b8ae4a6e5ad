"""Inclusion: one text counts a thing in that the other leaves out.

``The pass covers the cable car`` clashes with ``The cable car and guided tours are not covered``, and so does a claim
with a row of a table that answers yes or no (``Dogs: no``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from verifier.core.patterns import compiled_later
from verifier.core.text import sentence_spans
from verifier_signals.polarity.alignment import PolarityClash, main_span
from verifier_signals.polarity.statements import Statement
from verifier_signals.stems import content_words
from verifier_signals.syntax import Reading, tokenise
from verifier_signals.types import Span
from verifier_signals.values.fields import Field, fields_of

__all__ = ["content_keys", "inclusion_clashes", "listed_items", "table_answer_clashes"]

_NOT = r"(?P<not>\bnot\b|\bnever\b|n['’]t\b)"
_PASSIVE = compiled_later(
    rf"(?P<item>[^;:]*?)\b(?:is|are|was|were|be|been)\s*(?:{_NOT}\s+)?(?:also |both |all |automatically )?"
    r"(?P<verb>covered|included|insured|contained|reimbursed|paid for)\b"
    r"(?:\s+(?:by|in|under|with|through)\b(?P<whole>[^,;:]*))?",
    re.IGNORECASE,
)
_ACTIVE = compiled_later(
    rf"(?P<whole>[^,;:]*?)(?:\b(?:do|does|did|will)\s*{_NOT}\s+)?\b"
    r"(?P<verb>covers?|includes?|insures?|contains?|comprises?|pays? for|reimburses?)\b(?P<item>[^;:]*)",
    re.IGNORECASE,
)
_NONE = compiled_later(r"\s*(?:no|neither|none of|nothing)\b", re.IGNORECASE)
"""What leaves out all that it stands before: ``contains no nuts``, ``contains neither milk nor eggs``."""
_BELONGS = compiled_later(
    rf"(?P<item>[^;:]*?)\b(?:(?:do|does|did)\s*{_NOT}\s+)?(?P<verb>belong(?:s|ed)? to|counts? (?:as|among))\b"
    r"(?P<whole>[^,;:]*)",
    re.IGNORECASE,
)
_AMONG = compiled_later(
    r"(?P<item>[^;:]*?)\b(?:is|are|was|were)\s*(?:(?P<not>not|never)\s+)?(?:also )?"
    r"(?P<verb>among|part of|one of|(?:an? )?members? of)\b(?P<whole>[^,;:]*)",
    re.IGNORECASE,
)
_EXCEPT = compiled_later(
    r"\b(?:except(?: for)?|apart from|other than|with the exception of|excluding|but not)\b(?P<item>[^.;:]*)",
    re.IGNORECASE,
)
_CUT = compiled_later(r",|\band\b|\bor\b|\bnor\b|\bas well as\b", re.IGNORECASE)
_TAIL = compiled_later(
    r",? \b(?:except|apart from|other than|with the exception|excluding|but|for which|which|who|if|when)\b.*"
)
_HELD_BACK = compiled_later(
    r"\b(?:if|unless|when|whenever|provided|only|until|before|since|no longer|formerly|now|may|might|could|would)\b",
    re.IGNORECASE,
)
"""Words of a sentence that counts a thing in, or out, in some case or at some time only."""
_VERB_GROUPS = {
    "cover": ("cover", "insur", "pay", "reimburs", "includ"),
    "hold": ("includ", "contain", "compris", "cover", "among", "part", "one"),
    "belong": ("belong", "count", "member", "part", "among", "one"),
}
"""Verbs that say the same of a thing where nothing tells what it is counted in."""


class _Inclusion(NamedTuple):
    """What is counted in, or left out: the words of each item, those of what it is counted in, and the verb."""

    items: tuple[frozenset[str], ...]
    whole: frozenset[str]
    verb: str
    out: bool
    span: Span


def inclusion_clashes(claim: str, premise: str) -> Iterator[PolarityClash]:
    """Each thing that one text counts in and the other leaves out of the same.

    A thing that the premise counts in, too, is not looked at, nor is one of which it leaves out only a sort (``bicycles
    kept outdoors``).
    """
    ours = _inclusions_in(claim)
    told = _inclusions_in(premise) if ours else ()
    for mine in ours:
        for item in mine.items:
            same = [other for other in told if any(_is_in(item, one) for one in other.items)]
            against = [other for other in same if other.out != mine.out and _of_one_thing(mine, other)]
            if against and not any(other.out == mine.out for other in same):
                yield PolarityClash(
                    "negation.counted-otherwise",
                    "polarity",
                    1.0,
                    mine.span,
                    against[0].span,
                    "the evidence counts it otherwise",
                )
                return


def _is_in(item: frozenset[str], other: frozenset[str]) -> bool:
    return bool(other) and other <= item


def _of_one_thing(mine: _Inclusion, other: _Inclusion) -> bool:
    if mine.whole and other.whole:
        return bool(mine.whole & other.whole)
    return any(mine.verb.startswith(kind) and other.verb.startswith(kind) for kind in _VERB_GROUPS.values())


@lru_cache(maxsize=2048)
def _inclusions_in(text: str) -> tuple[_Inclusion, ...]:
    """What a text counts in or leaves out, sentence by sentence."""
    found: list[_Inclusion] = []
    for start, end in sentence_spans(text):
        if _HELD_BACK.search(text, start, end):
            continue
        here = list(_in_sentence(text, start, end))
        found += here
        if here:
            found += (
                _Inclusion(
                    listed_items(text, match.span("item")),
                    here[0].whole,
                    here[0].verb,
                    not here[0].out,
                    match.span(),
                )
                for match in _EXCEPT.finditer(text, start, end)
            )
    return tuple(found)


def _in_sentence(text: str, start: int, end: int) -> Iterator[_Inclusion]:
    at = start
    while at < end:
        match = next((one for pattern in _PATTERNS if (one := pattern.match(text, at, end))), None)
        if match is None:
            stop = re.compile(r"[;:]").search(text, at, end)
            if stop is None:
                return
            at = stop.end()
            continue
        whole = match["whole"] or ""
        yield _Inclusion(
            listed_items(text, match.span("item")),
            content_keys(text, match.span("whole")) if whole else frozenset(),
            match["verb"].casefold().removeprefix("a ").removeprefix("an "),
            bool(match["not"]) != (_NONE.match(text, match.start("item")) is not None),
            (match.start("verb"), match.end("verb")),
        )
        at = match.end()


_PATTERNS = (_PASSIVE, _AMONG, _BELONGS, _ACTIVE)


def listed_items(text: str, span: Span) -> tuple[frozenset[str], ...]:
    """The words of each thing of a row: ``the tram, the baths and boats``."""
    tail = _TAIL.search(text, *span)
    first, last = span[0], tail.start() if tail else span[1]
    cuts = [first, *(at for match in _CUT.finditer(text, first, last) for at in match.span()), last]
    parts = [content_keys(text, (cuts[n], cuts[n + 1])) for n in range(0, len(cuts), 2)]
    return tuple(part for part in parts if part)


def content_keys(text: str, span: Span) -> frozenset[str]:
    """The keys of the content words there."""
    return frozenset(word.key for word in content_words(text[slice(*span)]))


_ANSWERS = {
    "yes": True,
    "no": False,
    "none": False,
    "true": True,
    "false": False,
    "included": True,
    "excluded": False,
}


class _AnswerCell(NamedTuple):
    """A cell: the stems of its label, its text, and its span with the label."""

    label: frozenset[str]
    text: str
    labelled: Span


@lru_cache(maxsize=2048)
def _answer_rows(text: str) -> tuple[tuple[_AnswerCell, ...], ...]:
    """The rows of two cells or more, in reading order; a heading before a row is no cell of it."""
    rows: dict[Span, list[Field]] = {}
    for field in fields_of(text):
        rows.setdefault(field.row, []).append(field)
    found = []
    for fields in rows.values():
        inside = [field for field in fields if text[field.end : field.end + 1] in ("", ";", "\n")]
        if len(inside) > 1:
            found.append(tuple(_cell(text, field) for field in inside))
    return tuple(found)


def _cell(text: str, field: Field) -> _AnswerCell:
    begin = max(text.rfind(field.label, 0, field.start), 0)
    return _AnswerCell(_stems(field.label), text[field.start : field.end], (begin, field.end))


@lru_cache(maxsize=8192)
def _stems(text: str) -> frozenset[str]:
    """Stems of the content words of a label or cell, figures included where they name a thing (``C4``)."""
    words = (token.word for token in tokenise(text))
    return frozenset(item.stem for item in words if not (item.punct or item.function or item.number))


def table_answer_clashes(claim: Reading, ours: Sequence[Statement], premise: Reading) -> list[PolarityClash]:
    """The answers, yes or no, that the rows of the premise give and a claim says otherwise."""
    if ": " not in premise.text:
        return []
    found: list[PolarityClash] = []
    content = frozenset(token.word.stem for token in claim.tokens if not token.word.punct)
    for row in _answer_rows(premise.text):
        subject = _stems(row[0].text)
        known = content | _stems(premise.text[: row[0].labelled[0]])
        if subject & content and subject <= known:
            found.extend(_answer_clashes(claim, ours, row, subject))
    return found


def _answer_clashes(
    claim: Reading, ours: Sequence[Statement], row: Sequence[_AnswerCell], subject: frozenset[str]
) -> Iterator[PolarityClash]:
    """``Dogs: no``, where the claim affirms of the row's subject what the label says; and the other way round."""
    for cell in row[1:]:
        answer = _ANSWERS.get(cell.text.strip(" .*").casefold())
        if answer is None or not cell.label:
            continue
        for mine in ours:
            shared = mine.stems & cell.label
            rest = mine.stems - subject - cell.label
            if len(shared) * 2 < len(cell.label) or mine.compares or len(rest) > 2 + len(shared):
                continue
            if mine.negative is answer:
                yield PolarityClash(
                    "negation.table-answer", "polarity", 1.0, main_span(claim, mine, shared), cell.labelled
                )
