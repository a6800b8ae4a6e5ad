"""A response in; the files that its marks of sources name, and the numbers that its own list of sources lacks, out.

A number without a list of sources in the response is an ordinary mark of a citation, and nothing is said of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from verifier.core.reasoning import asides_in
from verifier.core.text import blanked
from verifier.types import Span, UnknownSource
from verifier.verification.claims.citations import SOURCE
from verifier.verification.claims.html import fenced

__all__ = ["NamedFile", "files_cited", "numbers_without_source"]


class NamedFile(NamedTuple):
    """A file named at ``response[start:end]``; ``before`` are the words of its mark up to its ending.

    They may begin with more than its name, as ``see`` does: the name is what some of the last of them say.
    """

    start: int
    end: int
    before: str


_MARK = re.compile(SOURCE, re.VERBOSE | re.IGNORECASE)
_ENDING = re.compile(r"\.(?:md|txt|pdf|docx?|html?|csv|tsv|jsonl?|xlsx?|pptx?)\b", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s\])】>]*", re.IGNORECASE)
_CODE = re.compile(r"(?<![\[(【`])`[^`\n]{1,200}`(?!`)")
_BEFORE_NAME = re.compile(
    r".*(?:[\[\](){}】【<>;,|†\"“”]|:\s|\s[-–—]\s)"
    r"|\s*(?:(?:see|cf|from|in|sources?|refs?|references?)\b[:.]?|\d{1,3}[.)](?=\s)|[-*+•](?=\s))\s*",
    re.IGNORECASE | re.DOTALL,
)
_LIST = re.compile(
    r"^[ \t>]*(?:\#{1,6}[ \t]*)?[*_]{0,2}(?:sources?|references?|citations?|bibliography|works[ ]cited|footnotes)"
    r"(?:[ ](?:used|cited|consulted))?[*_]{0,2}(?:[ \t]*:[*_]{0,2}(?P<rest>[^\n]*)|[ \t]*)$",
    re.IGNORECASE | re.MULTILINE,
)
_ENTRY = re.compile(
    r"[ \t>]*(?:[-*+•][ \t]+)?(?:\[\^?(\d{1,3})\]:?|(\d{1,3})[.):])[ \t]+\S|[ \t>]*[-*+•][ \t]+\S"
)
_LINE = re.compile(r"^[^\n]*", re.MULTILINE)
_DEFINITION = re.compile(r"^[ \t]{0,3}\[\^?(\d{1,3})\]:[ \t]+\S[^\n]*", re.MULTILINE)
_NUMBERS = re.compile(r"(?<!\w)\[(\^?\d{1,3}(?:\s?[,;–-]\s?\^?\d{1,3}){0,9})\](?![(:])")
_NUMBER = re.compile(r"\d+")
_LONGEST_NAME = 120
"""Code points before the ending of a file that may belong to its name."""


def files_cited(response: str) -> list[NamedFile]:
    """The files that marks of sources and lists of sources name, in order; addresses and code name none.

    >>> [(one.start, one.end) for one in files_cited("Refunds take 5 days [fees.md, page 3] (see p. 2).")]
    [(21, 28)]
    """
    text = _citing(response)
    spans = [match.span() for match in _MARK.finditer(text)]
    spans += [span for listed in _lists(text) for span in listed.lines]
    found = {(one.start, one.end): one for span in spans for one in _files(text, *span)}
    return [one for _, one in sorted(found.items())]


def numbers_without_source(response: str) -> list[UnknownSource]:
    """Marks with a number that the list of sources of the response does not have; none where there is no list.

    >>> [one.text for one in numbers_without_source("It is big [7].\\n\\nSources:\\n[1] a.md\\n[2] b.md")]
    ['[7]']
    """
    text = _citing(response)
    lists = _lists(text)
    known = {number for listed in lists for number in listed.numbers}
    text = blanked(text, [span for listed in lists for span in listed.lines])
    why = "the list of sources does not have it"
    return [
        UnknownSource(mark[0], *mark.span(), why)
        for mark in (_NUMBERS.finditer(text) if known else ())
        if not known.issuperset(map(int, _NUMBER.findall(mark[1])))
    ]


class _Listed(NamedTuple):
    lines: list[Span]
    numbers: set[int]


def _lists(text: str) -> list[_Listed]:
    """The lists of sources: under their title, behind it in its line, or defined by ``[1]:``."""
    defined = [*_DEFINITION.finditer(text)]
    found = [_Listed([match.span() for match in defined], {int(match[1]) for match in defined})]
    for title in _LIST.finditer(text):
        inline = {
            int(number) for mark in _NUMBERS.findall(title["rest"] or "") for number in _NUMBER.findall(mark)
        }
        below = _entries(text, title.end())
        found.append(_Listed([title.span(), *below.lines], inline | below.numbers))
    return found


def _entries(text: str, at: int) -> _Listed:
    """The lines of a list that begins behind ``at``; where none has a number they are counted."""
    lines: list[Span] = []
    numbers: set[int] = set()
    for line in _LINE.finditer(text, at + 1):
        entry = _ENTRY.match(text, *line.span())
        if entry is None and line[0].strip():
            break
        if entry is not None:
            lines.append(line.span())
            numbers |= {int(number) for number in entry.groups() if number}
    return _Listed(lines, numbers or set(range(1, len(lines) + 1)))


def _files(text: str, start: int, end: int) -> Iterator[NamedFile]:
    """The files named in ``text[start:end]``."""
    at = start
    for ending in _ENDING.finditer(text, start, end):
        first = max(at, ending.start() - _LONGEST_NAME)
        before = text[first : ending.start()]
        begin = first + _name_start(before)
        if begin < ending.start():
            yield NamedFile(begin, ending.end(), before)
        at = ending.end()


def _name_start(before: str) -> int:
    """Where the name begins in what stands before its ending, as far as marks and labels tell."""
    at = 0
    while (found := _BEFORE_NAME.match(before, at)) and found.end() > at:
        at = found.end()
    return at + len(before[at:]) - len(before[at:].lstrip())


def _citing(response: str) -> str:
    """The response without code, reasoning and addresses, which cite no file; every offset stays."""
    thoughts = [(one.start, one.end) for one in asides_in(response)]
    text = blanked(response, [*fenced(response), *thoughts])
    text = _CODE.sub(lambda code: " " * len(code[0]), text)
    return _ADDRESS.sub(lambda address: "x" * len(address[0]), text)
