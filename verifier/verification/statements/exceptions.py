"""Exceptions: a sentence with one is read as two, the second of which says what holds of the exception.

``All rooms but the attic are heated``: ``All rooms are heated except the attic. The attic is not heated.`` The first
has the exception behind it, so that nobody reads of a heated attic in it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from verifier_signals.syntax import read

from verifier.core.patterns import compiled_later
from verifier.core.text import LIST_ITEM as BULLET
from verifier.types import Span
from verifier.verification.statements.negation import (
    EditedText,
    TextEdit,
    apply_edits,
    capitalised_parts,
    main_verb,
    negation_edits,
    said_of,
    with_capital,
)
from verifier.verification.statements.types import StatementPiece

__all__ = ["ExceptedStatement", "exception_of"]

_EXCEPT = (
    r"(?:with the (?:sole |only |one )?exceptions? of|except(?:ing)?(?: for)?|apart from|aside from|other than"
    r"|save(?: for)?|bar(?:ring)?|excluding|but not)"
)
_ALL = (
    r"(?:(?:nearly |almost )?(?:all|every|each|any|no)(?: of)?|none of|everyone|everybody|everything|everywhere"
    r"|anyone|anybody|anything|anywhere|no one|nobody|nothing|nowhere|whole|entire|always|never|at all times|daily)"
)
_NONE = compiled_later(r"(?:no\b|none\b|nobody|nothing|nowhere|never|not\b)", re.IGNORECASE)
_SUBJECT = compiled_later(
    rf"(?P<all>{_ALL}(?: (?!{_EXCEPT}\b|but\b)[^\s,;:]+){{0,6}}?),? (?:but|{_EXCEPT}) (?P<one>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_BEHIND = compiled_later(
    rf"(?P<main>[^;:]+?),? (?P<by>{_EXCEPT}|(?<=thing )but|(?<=one )but|(?<=body )but) "
    r"(?P<one>[^;:]+?)(?P<end>[.!]?)",
    re.IGNORECASE,
)
_FRONT = compiled_later(
    rf"(?P<by>{_EXCEPT}) (?P<one>[^,;:]+), (?P<main>[^;:]+?)(?P<end>[.!]?)", re.IGNORECASE
)
_PLACING = compiled_later(
    r"(?:in|on|at|by|for|with|without|near|along|during|from|to|under|over|within|between|after|before|inside|outside"
    r"|through|where|when|if|while|until|as|because)\b",
    re.IGNORECASE,
)
_UNIVERSAL = compiled_later(rf"\b{_ALL}\b(?: (?:of )?(?:the |its |our |their )?[^\s,;:.]+)?", re.IGNORECASE)
_TIME = compiled_later(
    r",? (?:every (?:day|week|month|year|hour|night|morning|evening|weekday)(?: of the (?:week|year|month))?"
    r"|daily|all (?:day|night|week|year)(?: (?:long|round))?|always|at all times|the whole (?:day|week|year)"
    r"|seven days a week|throughout the (?:week|year))\b"
    r"|(?:^| )(?:always|anywhere|everywhere|throughout (?:the )?[\w-]+)(?= |$)",
    re.IGNORECASE,
)
"""What says that a thing is always or everywhere so, and has no place in what is said of one time or place."""
_DAY = compiled_later(
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:christmas|new year)\b.*|weekends"
    r"|(?:public|bank) holidays)(?: \w+)?\b",
    re.IGNORECASE,
)
_MONTH = compiled_later(
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn"
    r"|winter|\d{4})\b",
    re.IGNORECASE,
)
_COUNTED = compiled_later(
    r"(?:\d|a few|few|some|several|one\b|two|three|four|five|six|seven|eight|nine|ten\b|half|most|certain|that\b"
    r"|perhaps)",
    re.IGNORECASE,
)
"""An exception that is only counted, or is none (``all but one``): of whom it is said is not known."""
_OBJECT = compiled_later(
    r"(?:everything|anything|nothing|everyone|everybody|nobody|no one|anyone|anybody"
    r"|(?:all|every|each|any|no)\b[^,;:.]*)$",
    re.IGNORECASE,
)


_Found = tuple[str, EditedText, str]


class ExceptedStatement(NamedTuple):
    """What a sentence excepts, in its words; the sentence with its exception behind it and what holds of that; and what
    it says of all the others."""

    one: str
    parts: EditedText
    general: str


@lru_cache(maxsize=4096)
def exception_of(text: str) -> ExceptedStatement | None:
    """What a sentence excepts; ``None`` where it excepts nothing, or nothing that is plain.

    >>> found = exception_of("All rooms but the attic are heated.")
    >>> found.one, "".join(piece for piece, _ in found.parts)
    ('the attic', 'All rooms are heated except the attic. The attic is not heated.')
    """
    body = text.rstrip()
    mark = BULLET.match(body)
    begin = mark.end() if mark else 0
    for turn in (_of_subject, _in_front, _behind):
        if found := turn(body[begin:]):
            one, parts, general = found
            return ExceptedStatement(one, [part.moved(begin) for part in parts], f"{with_capital(general)}.")
    return None


def _of_subject(text: str) -> _Found | None:
    """``Every room but the attic is heated``: what stands between the exception's opener and the verb is excepted."""
    frame = _SUBJECT.match(text)
    if frame is None or _COUNTED.match(frame["one"]):
        return None
    found = _parted(text, frame.start("one"), frame["all"])
    if found is None:
        return None
    one, start = found
    end = len(text.rstrip(".!"))
    held = said_of(text, *one, (start - 1, end), affirmed=_denies(frame["all"]))
    if held is None:
        return None
    all_ = frame.span("all")
    general: EditedText = [
        StatementPiece.quoted(text, *all_),
        StatementPiece.quoted(text, start - 1, end),
        StatementPiece(" except ", None),
        StatementPiece.quoted(text, *one),
        StatementPiece(". ", None),
    ]
    return (
        text[slice(*one)],
        [*general, *held, StatementPiece(".", None)],
        text[slice(*all_)] + text[start - 1 : end],
    )


def _parted(text: str, at: int, all_: str) -> tuple[Span, int] | None:
    """What is excepted, from a place on, and where the verb behind it begins; ``None`` where that is not plain."""
    end = text.find(",", at)
    if end < 0:
        end = _behind_noun(text, at, all_)
    if end > at:  # the verb agrees with all of them: it is read as theirs
        begin = end + (text[end] == ",")
        told = all_ + text[begin:]
        verb = main_verb(read(told), len(all_), len(told))
        start = None if verb is None else read(told).tokens[verb.first].start - len(all_) + begin
        return None if start is None or text[begin:start].strip() else ((at, end), start)
    verb = main_verb(read(text[at:]), 0, len(text) - at)
    if verb is None:
        return None
    start = at + read(text[at:]).tokens[verb.first].start
    end = len(text[:start].rstrip())
    return ((at, end), start) if at < end else None


def _behind_noun(text: str, at: int, all_: str) -> int:
    """Where the noun of all of them ends in what is excepted (``all plans but the Basic plan``), ``at`` without it."""
    nouns, tokens = read(all_).tokens[-1:], read(text[at:]).tokens
    for n, token in enumerate(tokens[:6] if nouns else ()):
        if token.word.stem == nouns[0].word.stem:
            behind = tokens[n + 1 : n + 2]
            named = bool(behind) and (behind[0].word.number or behind[0].word.capital)
            return at + (behind[0] if named else token).end
    return at


def _denies(words: str) -> bool:
    return _NONE.match(words) is not None


def _in_front(text: str) -> _Found | None:
    """``Apart from the attic, all rooms are heated``."""
    frame = _FRONT.fullmatch(text)
    if frame is None or _COUNTED.match(frame["one"]):
        return None
    sure = frame["by"].casefold().startswith(("except", "with"))
    if not sure and not _UNIVERSAL.search(frame["main"]):
        return None
    said = _contrary(text, frame.span("main"), frame.span("one"), by_for=frame["by"].endswith(" for"))
    if said is None:
        return None
    main, one = frame.span("main"), frame.span("one")
    parts = [
        *capitalised_parts([StatementPiece.quoted(text, *main)]),
        StatementPiece(" except ", None),
        StatementPiece.quoted(text, *one),
        StatementPiece(". ", None),
        *capitalised_parts(said),
        StatementPiece(".", None),
    ]
    return frame["one"], parts, frame["main"]


def _behind(text: str) -> _Found | None:
    """``Cycling is forbidden except on the towpath``: the sentence as it stands, and the exception behind it."""
    frame = _BEHIND.fullmatch(text)
    if frame is None or _COUNTED.match(frame["one"]):
        return None
    low = frame["by"].casefold()
    if low in ("apart from", "aside from", "other than", "but not") and not _UNIVERSAL.search(frame["main"]):
        return None
    said = _contrary(text, frame.span("main"), frame.span("one"), by_for=frame["by"].endswith(" for"))
    if said is None:
        return None
    gap = StatementPiece(" " if frame["end"] else ". ", None)
    parts = [StatementPiece(text, 0), gap, *capitalised_parts(said), StatementPiece(".", None)]
    return frame["one"], parts, frame["main"]


def _contrary(text: str, main: Span, one: Span, *, by_for: bool) -> EditedText | None:
    """The contrary of a statement, said of what is excepted from it."""
    told, name = text[slice(*main)], text[slice(*one)]
    universal = _UNIVERSAL.search(told)
    verb = main_verb(read(told), universal.end() if universal and not universal.start() else 0, len(told))
    if verb is None or re.search(r"\b(?:and|or)\b", told[read(told).tokens[verb.main].end :]):
        return None
    verb_start = read(told).tokens[verb.first].start
    if _PLACING.match(name):
        return _placed(text, main, one, "")
    if _DAY.fullmatch(name) or (_TIME.search(told) and _DAY.match(name)):
        return _placed(text, main, one, "on ")
    if _MONTH.fullmatch(name):
        return _placed(text, main, one, "in ")
    if universal is None:
        return _placed(text, main, one, "for ") if by_for else None
    if universal.start() < verb_start:
        rest = (main[0] + verb_start - 1, main[1])
        return said_of(text, *one, rest, affirmed=_denies(universal[0]))
    things = _OBJECT.search(told)
    if things is None or things.start() < verb_start:
        return None
    edits = [] if _denies(things[0]) else negation_edits(text, main[0], main[0] + things.start())
    if edits is None:
        return None
    return [*apply_edits(text, main[0], main[0] + things.start(), edits), StatementPiece.quoted(text, *one)]


def _placed(text: str, main: Span, one: Span, preposition: str) -> EditedText | None:
    """The contrary with a place or a time behind it: ``The shop is not open on Monday``."""
    told = text[slice(*main)]
    gone = [TextEdit(main[0] + match.start(), main[0] + match.end(), "") for match in _TIME.finditer(told)]
    denied = re.match(r"(?:no|nobody|no one|nothing|none of|not)\b", told, re.IGNORECASE)
    if denied is not None and denied[0].casefold() == "no":
        edits: list[TextEdit] | None = [TextEdit(main[0], main[0] + 3, "")]
    elif (every := re.match(r"(?:all|every|each|any)(?: of)?(?: the)? ", told, re.IGNORECASE)) is not None:
        every_end = main[0] + every.end()
        edits = negation_edits(text, every_end, main[1])
        edits = None if edits is None else [TextEdit(main[0], every_end, ""), *edits]
    else:
        edits = negation_edits(text, *main)
    if edits is None or any(a.start < b.end and b.start < a.end for a in edits for b in gone):
        return None
    said = apply_edits(text, *main, [*edits, *gone])
    return [*said, StatementPiece(f" {preposition}", None), StatementPiece.quoted(text, *one)]
