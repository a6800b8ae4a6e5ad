"""Sentences in code, and sentences that nobody sees who reads the rendered response.

A fence is often no code at all, and comments and strings of code speak to the reader as well: the code around them is
blanked, one space for one character, so that every offset stays. HTML comments, scripts, styles, tooltips, the titles
of links, attributes and elements that are not displayed are hidden: a model or a page behind them may take in what no
reader can object to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from verifier.core.patterns import compiled_later
from verifier.core.text import sentence_spans, trimmed
from verifier.types import Claim, HiddenText, SkippedSpan, Span
from verifier.verification.claims.html import TAG, closed_fences
from verifier.verification.claims.presupposition import is_sentence
from verifier.verification.claims.responses import ExtractedResponse

__all__ = ["hidden_in", "read_code_block"]

# -- code ------------------------------------------------------------------------------------------------------

_CODE_COMMENT = compiled_later(
    r"(?:^|(?<=\s))(?:#+|//+|--|;+|%+|/\*+|\*+(?!\S)|<!--|>+)[ \t]*+(?P<said>[^\n]*)", re.MULTILINE
)
_STRING = compiled_later(
    r"\"(?P<double>[^\"\n]{8,400})\"|'(?P<single>[^'\n]{8,400})'|`(?P<tick>[^`\n]{8,400})`"
)
_LINE = compiled_later(r"^[ \t]*+(?P<said>\S[^\n]*)", re.MULTILINE)
_FENCE = compiled_later(r"\A[ \t>]*(?:`{3,}|~{3,})[^\n]*|^[ \t>]*(?:`{3,}|~{3,})[ \t]*\Z", re.MULTILINE)
_CODE = compiled_later(r"[{}<>=;\\|]|\w\(|\)\s*$(?<=\(\))|\w\.\w+\(|::|->|\$\w|(?:^|\s)--?\w")
"""Signs that a line is code."""


def _prose_in_code(code: str) -> str:
    """The block with everything blanked but the sentences in it: lines of prose, comments and strings.

    >>> _prose_in_code("x = 1  # The pool is open on Mondays.").strip()
    'The pool is open on Mondays.'
    >>> _prose_in_code("pip install verifier").strip()
    ''
    """
    code = _FENCE.sub(lambda mark: " " * len(mark[0]), code)
    out = [char if char == "\n" else " " for char in code]
    for start, end in _spans(code):
        if not "".join(out[start:end]).strip():
            out[start:end] = code[start:end]
    return "".join(out)


def read_code_block(
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
    said = _prose_in_code(response[start:end])
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
    for pattern in (_CODE_COMMENT, _STRING):
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


# -- hidden text -----------------------------------------------------------------------------------------------

_HTML_COMMENT = compiled_later(r"<!--(?P<said>.*?)(?:-->|\Z)", re.DOTALL)
_UNSEEN = compiled_later(
    r"<(?P<name>script|style|template|noscript)\b[^<>]{0,2000}>(?P<said>.*?)(?:</(?P=name)|\Z)",
    re.DOTALL | re.I,
)
_TAG = compiled_later(TAG)
_ATTRIBUTE = compiled_later(
    r"\s(?P<name>[\w:@.-]+)\s{0,9}=\s{0,9}(?:\"(?P<double>[^\"<>]*)\"|'(?P<single>[^'<>]*)')"
)
_SHOWN_ATTRIBUTES = frozenset({"alt", "value", "placeholder", "label"})
_CONCEALED = compiled_later(
    r"\s(?:hidden(?=[\s/>=])|style\s{0,9}=\s{0,9}[\"'][^\"'<>]*(?:display\s*:\s*none|visibility\s*:\s*hidden"
    r"|font-size\s*:\s*0(?:px|em|rem|%)?\s*[;\"']|opacity\s*:\s*0(?:\.0+)?\s*[;\"']|color\s*:\s*transparent))",
    re.IGNORECASE,
)
_NAME = compiled_later(r"<(?P<name>[A-Za-z][\w-]*)")
_TARGET = r"(?:<[^<>\n]{0,500}>|[^\s()]{0,500})"
_TITLE = r"(?:\"(?P<double>[^\"\n]*)\"|'(?P<single>[^'\n]*)'|\((?P<round>[^()\n]*)\))"
_LINK_TITLE = compiled_later(rf"\]\({_TARGET}\s+{_TITLE}\s*\)")
_DEFINITION = compiled_later(
    rf"^[ ]{{0,3}}\[[^\[\]\n]{{1,200}}\]:[ \t]+{_TARGET}[ \t]+{_TITLE}", re.MULTILINE
)


def hidden_in(response: str) -> tuple[HiddenText, ...]:
    """The hidden sentences of a response, in order; what stands in a block or a stretch of code is shown.

    >>> [(one.text, one.where) for one in hidden_in("Fine.<!-- The fee is 5 EUR. -->")]
    [('The fee is 5 EUR.', 'a comment')]
    """
    if "<" not in response and "](" not in response and "]:" not in response:
        return ()
    shown = closed_fences(response)
    found = {
        (start, end): where
        for start, end, where in _stretches(response)
        if not any(a <= start < b for a, b in shown)
    }
    said = {span: where for at, where in sorted(found.items()) for span in _sentences(response, *at)}
    return tuple(
        HiddenText(response[start:end], start, end, where) for (start, end), where in sorted(said.items())
    )


def _sentences(response: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentences in a hidden stretch; each of its lines, comments and strings may be one."""
    text = _prose_in_code(response[start:end])
    for first, last in sentence_spans(text):
        if is_sentence(text[first:last]):
            yield trimmed(response, start + first, start + last)


def _stretches(response: str) -> Iterator[tuple[int, int, str]]:
    for pattern, where in ((_HTML_COMMENT, "a comment"), (_UNSEEN, "")):
        for match in pattern.finditer(response):
            yield *match.span("said"), where or f"the element {match['name'].lower()}"
    for pattern, where in ((_LINK_TITLE, "the title of a link"), (_DEFINITION, "the title of a link")):
        for match in pattern.finditer(response):
            yield *_quoted_span(match), where
    concealed = 0
    for tag in _TAG.finditer(response):
        yield from _in_attributes(response, tag)
        name = _NAME.match(tag[0])
        if name and tag.start() >= concealed and _CONCEALED.search(tag[0]):
            close = re.compile(rf"</{re.escape(name['name'])}\b", re.IGNORECASE).search(response, tag.end())
            concealed = close.start() if close else len(response)
            yield tag.end(), concealed, "an element that is not displayed"


def _in_attributes(response: str, tag: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    """The attributes of a tag that are not displayed."""
    for match in _ATTRIBUTE.finditer(response, tag.start(), tag.end()):
        if match["name"].lower() not in _SHOWN_ATTRIBUTES:
            yield *_quoted_span(match), f"the attribute {match['name'].lower()}"


def _quoted_span(match: re.Match[str]) -> tuple[int, int]:
    """The span of the one quoted value that matched."""
    names = (name for name in ("double", "single", "round") if name in match.re.groupindex)
    return next(match.span(name) for name in names if match[name] is not None)
