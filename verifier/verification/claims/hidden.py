"""A response in; the sentences in it that nobody sees who reads the rendered answer out.

Comments, scripts, styles, tooltips, the titles of links, attributes and elements that are not displayed: a model or a
page behind them may take in what no reader can object to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from verifier.core.text import sentence_spans, trimmed
from verifier.types import HiddenText
from verifier.verification.claims.asserted import is_sentence
from verifier.verification.claims.code import prose_of
from verifier.verification.claims.html import TAG, fenced

__all__ = ["hidden_in"]

_COMMENT = re.compile(r"<!--(?P<said>.*?)(?:-->|\Z)", re.DOTALL)
_UNSEEN = re.compile(
    r"<(?P<name>script|style|template|noscript)\b[^<>]{0,2000}>(?P<said>.*?)(?:</(?P=name)|\Z)",
    re.DOTALL | re.I,
)
_TAG = re.compile(TAG)
_ATTRIBUTE = re.compile(
    r"\s(?P<name>[\w:@.-]+)\s{0,9}=\s{0,9}(?:\"(?P<double>[^\"<>]*)\"|'(?P<single>[^'<>]*)')"
)
_SHOWN_ATTRIBUTES = frozenset({"alt", "value", "placeholder", "label"})
_CONCEALED = re.compile(
    r"\s(?:hidden(?=[\s/>=])|style\s{0,9}=\s{0,9}[\"'][^\"'<>]*(?:display\s*:\s*none|visibility\s*:\s*hidden"
    r"|font-size\s*:\s*0(?:px|em|rem|%)?\s*[;\"']|opacity\s*:\s*0(?:\.0+)?\s*[;\"']|color\s*:\s*transparent))",
    re.IGNORECASE,
)
_NAME = re.compile(r"<(?P<name>[A-Za-z][\w-]*)")
_TARGET = r"(?:<[^<>\n]{0,500}>|[^\s()]{0,500})"
_TITLE = r"(?:\"(?P<double>[^\"\n]*)\"|'(?P<single>[^'\n]*)'|\((?P<round>[^()\n]*)\))"
_LINK_TITLE = re.compile(rf"\]\({_TARGET}\s+{_TITLE}\s*\)")
_DEFINITION = re.compile(rf"^[ ]{{0,3}}\[[^\[\]\n]{{1,200}}\]:[ \t]+{_TARGET}[ \t]+{_TITLE}", re.MULTILINE)


def hidden_in(response: str) -> tuple[HiddenText, ...]:
    """The hidden sentences of a response, in order; what stands in a block or a stretch of code is shown.

    >>> [(one.text, one.where) for one in hidden_in("Fine.<!-- The fee is 5 EUR. -->")]
    [('The fee is 5 EUR.', 'a comment')]
    """
    if "<" not in response and "](" not in response and "]:" not in response:
        return ()
    shown = fenced(response)
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
    text = prose_of(response[start:end])
    for first, last in sentence_spans(text):
        if is_sentence(text[first:last]):
            yield trimmed(response, start + first, start + last)


def _stretches(response: str) -> Iterator[tuple[int, int, str]]:
    for pattern, where in ((_COMMENT, "a comment"), (_UNSEEN, "")):
        for match in pattern.finditer(response):
            yield *match.span("said"), where or f"the element {match['name'].lower()}"
    for pattern, where in ((_LINK_TITLE, "the title of a link"), (_DEFINITION, "the title of a link")):
        for match in pattern.finditer(response):
            yield *_said(match), where
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
            yield *_said(match), f"the attribute {match['name'].lower()}"


def _said(match: re.Match[str]) -> tuple[int, int]:
    """The span of the one quoted value that matched."""
    names = (name for name in ("double", "single", "round") if name in match.re.groupindex)
    return next(match.span(name) for name in names if match[name] is not None)
