"""Citations of a response: the files and numbers that they name, and what they state themselves.

A citation names a document; whatever more stands inside it, or in the words of an address, is a statement of
its own. A cross or ``(not)`` beside a sentence turns it round. A number is an ordinary citation, and nothing is said of
it, unless the response has a list of sources that lacks it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier.core.patterns import compiled_later
from verifier.core.reasoning import asides_in
from verifier.core.text import MAX_SENTENCE, blanked
from verifier.types import Claim, Span, UnknownSource
from verifier.verification.claims.html import closed_fences
from verifier.verification.claims.markup import CITATION, quote_claim
from verifier.verification.claims.presupposition import is_sentence
from verifier.verification.grammar.verbs import tokens_of

__all__ = [
    "NOT_TRUE",
    "MarkStatement",
    "NamedFile",
    "claims_in_marks",
    "files_cited",
    "negating_marks",
    "numbers_without_source",
    "ticks_end",
]

# -- statements in and beside marks ----------------------------------------------------------------------------

NOT_TRUE = "It is not true that "
"""What a mark that denies stands for."""


_MOST_CLAUSES = 20
"""Claims of one sentence among which the one that bears a mark is looked for."""


class MarkStatement(NamedTuple):
    """``text[start:end]`` is what a mark says, read as ``reading``."""

    start: int
    end: int
    reading: str


_CITATION = compiled_later(CITATION, re.VERBOSE | re.IGNORECASE)
_ADDRESS_PATH = compiled_later(r"(?:https?://|www\.)[^\s/<>()]{1,200}(?P<path>/[^\s<>()?#]{8,300})")
_SEPARATOR = compiled_later(
    r"[\[\](){}【】<>,;|†]|:(?!\d)|\s[-–—]\s|\.(?:md|txt|pdf|docx?|html?|csv)\b|\b(?:doc|source|ref)\s?\d+",
    re.I,
)
_RELATIVE = compiled_later(
    r"(?:(?:where|which|it)\s)?(?:(?:says?|states?|shows?|confirms?)\s)?(?:that\s)?", re.IGNORECASE
)
_EXTENSION = compiled_later(r"\.[a-z]{2,5}$", re.IGNORECASE)
_CROSS = "[❌❎✗✘✖👎🚫⛔]\ufe0f?"
_DENYING = compiled_later(
    rf"(?P<first>\A\W{{0,3}}(?:{_CROSS}|(?:not\strue|false|wrong|untrue|incorrect|myth)\s?[:–—])\s*)"
    rf"|(?P<last>\s*(?:{_CROSS}|\((?:not|false|wrong|untrue|incorrect|not\strue|no)\)|(?<=\s)/s)[\s.!]*\Z)"
    rf"|(?P<within>{_CROSS}\s?)",
    re.IGNORECASE,
)
_AFFIRMING = compiled_later(r"(?:[✅✔☑👍✓]\ufe0f?[ \t]*)+(?=\w)")
_DENIES = lexicon("not no never cannot nobody nothing none don't doesn't isn't aren't can't won't without")


def _statements_in_marks(text: str) -> Iterator[MarkStatement]:
    """The statements inside of marks of sources and in the words of addresses, in order.

    >>> [one.reading for one in _statements_in_marks("Refunds take 5 days (source: the fee is 5 EUR).")]
    ['the fee is 5 EUR']
    >>> [*_statements_in_marks("Refunds take 5 days [policy.md, page 3].")]
    []
    """
    for mark in _CITATION.finditer(text):
        at = mark.start()
        for part in _parts(text, *mark.span()):
            part = _behind_relative(text, *part)
            part = part[0], part[0] + len(text[slice(*part)].rstrip(". "))
            at = part[0]
            if is_sentence(text[slice(*part)]) and not _EXTENSION.search(text[slice(*part)]):
                yield MarkStatement(at, part[1], text[slice(*part)])
                break
    for address in _ADDRESS_PATH.finditer(text):
        start = address.start("path") + address["path"].rstrip("/.,").rfind("/") + 1
        end = address.start("path") + len(address["path"].rstrip("/.,"))
        words = re.sub(r"[-_+]|%20", " ", _EXTENSION.sub("", text[start:end]))
        if is_sentence(words):
            yield MarkStatement(start, end, words)


def claims_in_marks(response: str, stretch: Span, claims: Sequence[Claim]) -> list[Claim]:
    """What the marks and addresses in a stretch of a response say, as claims.

    Each quotes the claim of the stretch that it stands in; where there is none, or one so long that it would not be
    read for each of its marks, all from the mark before it.
    """
    at, stop = stretch
    said = [*_statements_in_marks(response[at:stop])]
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


def negating_marks(sentence: str) -> list[tuple[int, int]]:
    """Where a sentence bears a mark that turns it round; none where it is a denial already (``❌ No pets``).

    >>> negating_marks("The pump is safe ❌"), negating_marks("❌ Dogs are not allowed")
    ([(16, 18)], [])
    """
    spans = [match.span() for match in _DENYING.finditer(sentence)]
    if not spans or any(form in _DENIES for _, _, form in tokens_of(_without(sentence, spans))):
        return []
    return spans


def ticks_end(sentence: str) -> int:
    """Length of the ticks that a sentence begins with, which say no more than the sentence does.

    >>> ticks_end("✅ Dogs are allowed")
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


# -- named files and numbers -----------------------------------------------------------------------------------


class NamedFile(NamedTuple):
    """A file named at ``response[start:end]``; ``before`` are the words of its mark up to its ending.

    They may begin with more than its name, as ``see`` does: the name is what some of the last of them say.
    """

    start: int
    end: int
    before: str


_ENDING = compiled_later(r"\.(?:md|txt|pdf|docx?|html?|csv|tsv|jsonl?|xlsx?|pptx?)\b", re.IGNORECASE)
_ADDRESS = compiled_later(r"(?:https?://|www\.)[^\s\])】>]*", re.IGNORECASE)
_CODE = compiled_later(r"(?<![\[(【`])`[^`\n]{1,200}`(?!`)")
_BEFORE_NAME = compiled_later(
    r".*(?:[\[\](){}】【<>;,|†\"“”]|:\s|\s[-–—]\s)"
    r"|\s*(?:(?:see|cf|from|in|sources?|refs?|references?)\b[:.]?|\d{1,3}[.)](?=\s)|[-*+•](?=\s))\s*",
    re.IGNORECASE | re.DOTALL,
)
_LIST = compiled_later(
    r"^[ \t>]*(?:\#{1,6}[ \t]*)?[*_]{0,2}(?:sources?|references?|citations?|bibliography|works[ ]cited|footnotes)"
    r"(?:[ ](?:used|cited|consulted))?[*_]{0,2}(?:[ \t]*:[*_]{0,2}(?P<rest>[^\n]*)|[ \t]*)$",
    re.IGNORECASE | re.MULTILINE,
)
_ENTRY = compiled_later(
    r"[ \t>]*(?:[-*+•][ \t]+)?(?:\[\^?(\d{1,3})\]:?|(\d{1,3})[.):])[ \t]+\S|[ \t>]*[-*+•][ \t]+\S"
)
_LINE = compiled_later(r"^[^\n]*", re.MULTILINE)
_DEFINITION = compiled_later(r"^[ \t]{0,3}\[\^?(\d{1,3})\]:[ \t]+\S[^\n]*", re.MULTILINE)
_NUMBERS = compiled_later(r"(?<!\w)\[(\^?\d{1,3}(?:\s?[,;–-]\s?\^?\d{1,3}){0,9})\](?![(:])")
_NUMBER = compiled_later(r"\d+")
_LONGEST_NAME = 120
"""Code points before the ending of a file that may belong to its name."""


def files_cited(response: str) -> list[NamedFile]:
    """The files that marks of sources and lists of sources name, in order; addresses and code name none.

    >>> [(one.start, one.end) for one in files_cited("Refunds take 5 days [fees.md, page 3] (see p. 2).")]
    [(21, 28)]
    """
    text = _citing(response)
    spans = [match.span() for match in _CITATION.finditer(text)]
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
    text = blanked(response, [*closed_fences(response), *thoughts])
    text = _CODE.sub(lambda code: " " * len(code[0]), text)
    return _ADDRESS.sub(lambda address: "x" * len(address[0]), text)
