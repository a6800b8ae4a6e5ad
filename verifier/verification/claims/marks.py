"""A sentence with marks in it goes in; what the marks themselves say comes out.

A mark of a source names a document; whatever more stands inside it, or in the words of an address, is a statement of
its own. A cross or ``(not)`` beside a sentence turns it round.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier.core.text import MAX_SENTENCE
from verifier.types import Claim, Span
from verifier.verification.claims.asserted import is_sentence
from verifier.verification.claims.citations import SOURCE
from verifier.verification.claims.quotes import quote_claim
from verifier.verification.claims.verbs import tokens_of

__all__ = ["NOT_TRUE", "Said", "affirming_end", "claims_in_marks", "denying_marks", "said_in_marks"]

NOT_TRUE = "It is not true that "
"""What a mark that denies stands for."""


_MOST_CLAUSES = 20
"""Claims of one sentence among which the one that bears a mark is looked for."""


class Said(NamedTuple):
    """``text[start:end]`` is what a mark says, read as ``reading``."""

    start: int
    end: int
    reading: str


_SOURCE = re.compile(SOURCE, re.VERBOSE | re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s/<>()]{1,200}(?P<path>/[^\s<>()?#]{8,300})")
_SEPARATOR = re.compile(
    r"[\[\](){}【】<>,;|†]|:(?!\d)|\s[-–—]\s|\.(?:md|txt|pdf|docx?|html?|csv)\b|\b(?:doc|source|ref)\s?\d+",
    re.I,
)
_RELATIVE = re.compile(
    r"(?:(?:where|which|it)\s)?(?:(?:says?|states?|shows?|confirms?)\s)?(?:that\s)?", re.IGNORECASE
)
_EXTENSION = re.compile(r"\.[a-z]{2,5}$", re.IGNORECASE)
_CROSS = "[❌❎✗✘✖👎🚫⛔]\ufe0f?"
_DENYING = re.compile(
    rf"(?P<first>\A\W{{0,3}}(?:{_CROSS}|(?:not\strue|false|wrong|untrue|incorrect|myth)\s?[:–—])\s*)"
    rf"|(?P<last>\s*(?:{_CROSS}|\((?:not|false|wrong|untrue|incorrect|not\strue|no)\)|(?<=\s)/s)[\s.!]*\Z)"
    rf"|(?P<within>{_CROSS}\s?)",
    re.IGNORECASE,
)
_AFFIRMING = re.compile(r"(?:[✅✔☑👍✓]\ufe0f?[ \t]*)+(?=\w)")
_DENIES = lexicon("not no never cannot nobody nothing none don't doesn't isn't aren't can't won't without")


def said_in_marks(text: str) -> Iterator[Said]:
    """The statements inside of marks of sources and in the words of addresses, in order.

    >>> [one.reading for one in said_in_marks("Refunds take 5 days (source: the fee is 5 EUR).")]
    ['the fee is 5 EUR']
    >>> [*said_in_marks("Refunds take 5 days [policy.md, page 3].")]
    []
    """
    for mark in _SOURCE.finditer(text):
        at = mark.start()
        for part in _parts(text, *mark.span()):
            part = _behind_relative(text, *part)
            part = part[0], part[0] + len(text[slice(*part)].rstrip(". "))
            at = part[0]
            if is_sentence(text[slice(*part)]) and not _EXTENSION.search(text[slice(*part)]):
                yield Said(at, part[1], text[slice(*part)])
                break
    for address in _ADDRESS.finditer(text):
        start = address.start("path") + address["path"].rstrip("/.,").rfind("/") + 1
        end = address.start("path") + len(address["path"].rstrip("/.,"))
        words = re.sub(r"[-_+]|%20", " ", _EXTENSION.sub("", text[start:end]))
        if is_sentence(words):
            yield Said(start, end, words)


def claims_in_marks(response: str, stretch: Span, claims: Sequence[Claim]) -> list[Claim]:
    """What the marks and addresses in a stretch of a response say, as claims.

    Each quotes the claim of the stretch that it stands in; where there is none, or one so long that it would not be
    read for each of its marks, all from the mark before it.
    """
    at, stop = stretch
    said = [*said_in_marks(response[at:stop])]
    begin = at
    found: list[Claim] = []
    for number, one in enumerate(said, 1):
        first, last = at + one.start, at + one.end
        within = (
            claim
            for claim in reversed(claims[-_MOST_CLAUSES:])
            if claim.start <= first and claim.end - claim.start <= MAX_SENTENCE
        )
        alone = begin, stop if number == len(said) else last
        start, end = next(((claim.start, claim.end) for claim in within if last <= claim.end), alone)
        begin = end
        edits = [(start, first, ""), (first, last, one.reading), (last, end, ".")]
        kept = [edit for edit in edits if edit[0] < edit[1] or edit[2]]
        found.append(quote_claim(response, response[start:end], start, start, end, kept))
    return found


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretches of a mark between its brackets, labels and separators."""
    at = start
    for gap in (*_SEPARATOR.finditer(text, start, end), None):
        stop = gap.start() if gap else end
        part = text[at:stop]
        if part.strip():
            yield at + len(part) - len(part.lstrip()), at + len(part.rstrip())
        at = gap.end() if gap else end


def _behind_relative(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch without the ``where`` or ``which says that`` that it opens with."""
    opening = _RELATIVE.match(text, start, end)
    return (opening.end() if opening else start), end


def denying_marks(sentence: str) -> list[tuple[int, int]]:
    """Where a sentence bears a mark that turns it round; none where it is a denial already (``❌ No pets``).

    >>> denying_marks("The pump is safe ❌"), denying_marks("❌ Dogs are not allowed")
    ([(16, 18)], [])
    """
    spans = [match.span() for match in _DENYING.finditer(sentence)]
    if not spans or any(form in _DENIES for _, _, form in tokens_of(_without(sentence, spans))):
        return []
    return spans


def affirming_end(sentence: str) -> int:
    """Length of the ticks that a sentence begins with, which say no more than the sentence does.

    >>> affirming_end("✅ Dogs are allowed")
    2
    """
    found = _AFFIRMING.match(sentence)
    return found.end() if found else 0


def _without(sentence: str, spans: list[tuple[int, int]]) -> str:
    out, at = [], 0
    for start, end in spans:
        out.append(sentence[at:start])
        at = end
    return " ".join([*out, sentence[at:]])
