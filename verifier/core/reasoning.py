"""Find the reasoning blocks and turn marks in a model's reply, which are no part of the answer.

Models that think aloud write their thoughts between marks of their own: ``<think>...</think>``, ``[THINK]``, the
``analysis`` channel of ``<|channel|>``. A reader never sees them, so nothing in them is answered for.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from verifier.core.text import trimmed

__all__ = ["OPEN_REASONING", "REASONING", "Aside", "asides_in", "without_asides"]

REASONING = "reasoning"
OPEN_REASONING = "reasoning that is never closed"
_MARKUP = "markup"

_NAMES = (
    r"(?:seed:|ant)?think(?:ing)?|thoughts?|reasoning|reflection|scratch_?pad|inner_?monologue"
    r"|chain[_-]of[_-]thought|begin_of_thought|end_of_thought|start_thinking|end_thinking"
)
_TAG = re.compile(
    rf"""<(?P<slash>/)?(?P<tag>{_NAMES})\s{{0,9}}>
    | \[(?P<bracket_slash>/)?(?P<bracket>think|reasoning)\]
    | ◁(?P<kimi_slash>/)?(?P<kimi>think)▷
    | <\|(?P<special>{_NAMES})\|>
    | <\|channel\|>(?P<channel>\w{{1,20}})(?:\s[^<>\n]{{0,80}})?<\|message\|>
    | (?P<turn><\|[A-Za-z_]{{1,30}}\|>(?:(?<=<\|start\|>)assistant)?)
    | (?P<bare>\Aanalysis(?=[A-Z])) | (?P<bare_end>assistant(?:commentary|final)(?=\S))
    """,
    re.IGNORECASE | re.VERBOSE,
)
_INLINE_CODE = re.compile(r"(?<!`)(?P<ticks>`{1,2})(?!`)[^`\n]{1,300}(?P=ticks)(?!`)")
_FENCE = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})", re.MULTILINE)
_CHANNEL_SHOWN = "final"
_LINE_START = re.compile(r"(?:\A|[\n.!?…:>*_\"”)])[ \t]*\Z")
"""What stands before the mark of a block; elsewhere an open mark may be a word about such marks."""


@dataclass(frozen=True, slots=True)
class Aside:
    """``reply[start:end]`` is no part of the answer; ``reason`` is one to skip it for."""

    start: int
    end: int
    reason: str


@dataclass(frozen=True, slots=True)
class _Mark:
    start: int
    end: int
    kind: str
    """``open``, ``close``, or ``turn``: a mark by which a model ends and begins its messages."""


def asides_in(reply: str) -> list[Aside]:
    """The blocks of reasoning of a reply, and the special marks outside of them, in order.

    A block may hold others. Where its end is missing, all up to the end of the reply is one
    (:data:`OPEN_REASONING`); where its beginning is, all before it, since some prompts end with it. Marks in code are
    text.

    >>> [(one.start, one.end, one.reason) for one in asides_in("<think>1872?</think>It is old.")]
    [(0, 20, 'reasoning')]
    """
    if not any(sign in reply for sign in "<[◁") and not reply.startswith("analysis"):
        return []
    found: list[Aside] = []
    depth, start = 0, 0
    for mark in _marks(reply):
        if mark.kind == "open":
            start = start if depth else mark.start
            depth += 1
        elif mark.kind == "close" and depth <= 1:
            begin = start if depth else 0
            found = [one for one in found if one.end <= begin]
            found.append(Aside(begin, mark.end, REASONING))
            depth = 0
        elif mark.kind == "close":
            depth -= 1
        elif not depth:
            found.append(Aside(mark.start, mark.end, _MARKUP))
    if depth and _LINE_START.search(reply[max(0, start - 20) : start]):
        found = [one for one in found if one.end <= start]
        found.append(Aside(start, len(reply), OPEN_REASONING))
    return [Aside(*trimmed(reply, one.start, one.end), one.reason) for one in found]


def without_asides(reply: str) -> str:
    """The reply as a reader sees it, without the reasoning of the model.

    >>> without_asides('<think>Perhaps {"a": 2}?</think>{"a": 1}')
    '{"a": 1}'
    """
    kept, at = [], 0
    for one in asides_in(reply):
        kept.append(reply[at : one.start])
        at = one.end
    return "".join([*kept, reply[at:]]).strip() if at else reply


def _marks(reply: str) -> Iterator[_Mark]:
    """The marks in order; ``<|channel|>final`` ends what another channel began."""
    code = _code_in(reply)
    starts = [start for start, _ in code]
    in_channel = bare = False
    for match in _TAG.finditer(reply):
        before = bisect_right(starts, match.start()) - 1
        if (before >= 0 and match.start() < code[before][1]) or (match["bare_end"] and not bare):
            continue
        bare = bare or bool(match["bare"])
        if channel := match["channel"]:
            shown = channel.lower() == _CHANNEL_SHOWN
            if in_channel or not shown:
                yield _Mark(*match.span(), "close" if shown else "turn" if in_channel else "open")
            else:
                yield _Mark(*match.span(), "turn")
            in_channel = not shown
        elif match["turn"]:
            yield _Mark(*match.span(), "turn")
        else:
            yield _Mark(*match.span(), _kind(match))


def _code_in(reply: str) -> list[tuple[int, int]]:
    """The spans of fenced blocks that are closed, and of code inside a line, in order."""
    spans: list[tuple[int, int]] = []
    opened: tuple[int, str] | None = None
    for match in _FENCE.finditer(reply):
        if opened is None:
            opened = match.start(), match[1]
        elif match[1].startswith(opened[1]):
            spans.append((opened[0], match.end()))
            opened = None
    starts, inline = [start for start, _ in spans], []
    for match in _INLINE_CODE.finditer(reply):
        before = bisect_right(starts, match.start()) - 1
        if before < 0 or spans[before][1] <= match.start():
            inline.append(match.span())
    return sorted([*spans, *inline])


def _kind(match: re.Match[str]) -> str:
    special = (match["special"] or match["tag"] or "").lower()
    if match["bare"] or special.startswith(("begin", "start")):
        return "open"
    closing = match["slash"] or match["bracket_slash"] or match["kimi_slash"] or match["bare_end"]
    return "close" if closing or special.startswith("end") else "open"
