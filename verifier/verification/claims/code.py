"""A block of code in; the lines of prose that a reader of the rendered answer sees in it out.

A fence is often no code at all, and comments and strings of code speak to the reader as well. What is blanked here is
the code around them, one space for one character, so that every offset stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from verifier.core.text import trimmed
from verifier.types import Claim, SkippedSpan, Span
from verifier.verification.claims.asserted import is_sentence
from verifier.verification.claims.types import ExtractedResponse

__all__ = ["pieces_of_code", "prose_of"]

_COMMENT = re.compile(
    r"(?:^|(?<=\s))(?:#+|//+|--|;+|%+|/\*+|\*+(?!\S)|<!--|>+)[ \t]*+(?P<said>[^\n]*)", re.MULTILINE
)
_STRING = re.compile(r"\"(?P<double>[^\"\n]{8,400})\"|'(?P<single>[^'\n]{8,400})'|`(?P<tick>[^`\n]{8,400})`")
_LINE = re.compile(r"^[ \t]*+(?P<said>\S[^\n]*)", re.MULTILINE)
_FENCE = re.compile(r"\A[ \t>]*(?:`{3,}|~{3,})[^\n]*|^[ \t>]*(?:`{3,}|~{3,})[ \t]*\Z", re.MULTILINE)
_CODE = re.compile(r"[{}<>=;\\|]|\w\(|\)\s*$(?<=\(\))|\w\.\w+\(|::|->|\$\w|(?:^|\s)--?\w")
"""Signs that a line is code."""


def prose_of(code: str) -> str:
    """The block with everything blanked but the sentences in it: lines of prose, comments and strings.

    >>> prose_of("x = 1  # The pool is open on Mondays.").strip()
    'The pool is open on Mondays.'
    >>> prose_of("pip install verifier").strip()
    ''
    """
    code = _FENCE.sub(lambda mark: " " * len(mark[0]), code)
    out = [char if char == "\n" else " " for char in code]
    for start, end in _spans(code):
        if not "".join(out[start:end]).strip():
            out[start:end] = code[start:end]
    return "".join(out)


def pieces_of_code(
    original: str, response: str, block: Span, extract: Callable[[str], ExtractedResponse]
) -> Iterator[Claim | SkippedSpan]:
    """The claims in a block of code, and the code between them as skipped spans.

    Args:
        original: the response.
        response: the same with its HTML blanked.
        block: the span of the block.
        extract: what takes its prose apart.
    """
    start, end = block
    said = prose_of(response[start:end])
    found = extract(said) if said.strip() else ExtractedResponse((), ())
    pieces: list[Claim | SkippedSpan] = [*found.claims, *found.skipped]
    at = start
    for piece in sorted(pieces, key=lambda one: (one.start, one.end)):
        first, last = start + piece.start, start + piece.end
        yield from _code_at(original, at, first)
        yield replace(piece, text=original[first:last], start=first, end=last)
        at = max(at, last)
    yield from _code_at(original, at, end)


def _code_at(original: str, start: int, end: int) -> Iterator[SkippedSpan]:
    """What stands there as a skipped span, if anything does."""
    start, end = trimmed(original, start, end)
    if start < end:
        yield SkippedSpan(original[start:end], start, end, "code")


def _spans(code: str) -> Iterator[tuple[int, int]]:
    """Where a sentence stands, whole lines first."""
    for line in _LINE.finditer(code):
        start, end = trimmed(code, *line.span("said"))
        if not _CODE.search(code[start:end].strip("\"'")) and is_sentence(code[start:end]):
            yield start, end
    for pattern in (_COMMENT, _STRING):
        for match in pattern.finditer(code):
            name = next(name for name, said in match.groupdict().items() if said is not None)
            start, end = trimmed(code, *match.span(name))
            end -= _marks_at_the_end(code[start:end])
            if is_sentence(code[start:end]):
                yield start, end


def _marks_at_the_end(text: str) -> int:
    """Length of what closes a comment."""
    closing = next((mark for mark in ("*/", "-->") if text.endswith(mark)), "")
    return len(text) - len(text.removesuffix(closing).rstrip()) if closing else 0
