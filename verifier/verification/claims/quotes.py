"""A span of the response in; the claim that quotes it out, with every edit that makes it read alone."""

from __future__ import annotations

import re

from verifier.types import Claim, Substitution

__all__ = ["Edit", "quote_claim"]

_WIDE_SPACE = re.compile(r"\s{2,}|[^\S ]")
"""White space that is not one space: a broken line, a tab, two words far apart."""

Edit = tuple[int, int, str]
"""Start and end in the response, and what is read there instead."""


def quote_claim(response: str, blanked: str, offset: int, start: int, end: int, edits: list[Edit]) -> Claim:
    """Quote ``response[start:end]`` and read it without its markup and with single spaces.

    Args:
        response: the whole response.
        blanked: a stretch of it with its markup blanked out, one space for one character.
        offset: where that stretch begins in the response.
        start, end: the span of the claim, in the response.
        edits: replacements of the caller's, in the response, not overlapping; where one overlaps markup, the
            edit wins.
    """
    taken = [(first, last) for first, last, _ in edits if first < last]
    chosen = list(edits)
    for first, last in _blanked_runs(response, blanked, offset, start, end):
        if not any(a < last and first < b for a, b in taken):
            chosen.append((first, last, _gap_filler(response, first, last, start, end)))
    taken = [(first, last) for first, last, _ in chosen]
    chosen += (
        (*gap.span(), " ")
        for gap in _WIDE_SPACE.finditer(response, start, end)
        if not any(a <= gap.end() and gap.start() <= b for a, b in taken)
    )
    chosen.sort(key=lambda edit: (edit[0], edit[1]))
    substitutions = tuple(Substitution(first - start, last - start, new) for first, last, new in chosen)
    return Claim(response[start:end], start, end, substitutions)


def _blanked_runs(response: str, blanked: str, offset: int, start: int, end: int) -> list[tuple[int, int]]:
    """Maximal stretches of markup inside the span, with the space that only separated them from the text."""
    runs: list[tuple[int, int]] = []
    at = start
    while at < end:
        if blanked[at - offset] != response[at]:
            first = at
            while at < end and (
                blanked[at - offset] != response[at]
                or (response[at].isspace() and _inside_tag(response, first, at))
            ):
                at += 1
            runs.append((first, at))
        else:
            at += 1
    return [_with_space(response, first, last, start, end) for first, last in runs]


def _inside_tag(response: str, first: int, at: int) -> bool:
    """Whether a run of markup is in the middle of a tag, whose own spaces look like blanked ones."""
    return response.rfind("<", first, at) > response.rfind(">", first, at)


def _with_space(response: str, first: int, last: int, start: int, end: int) -> tuple[int, int]:
    if first == start:
        while last < end and response[last].isspace():
            last += 1
    elif last == end or response[last] in ".,;:!?)" or (response[last] == " " and response[first - 1] == " "):
        while first > start and response[first - 1].isspace():
            first -= 1
    return first, last


def _gap_filler(response: str, first: int, last: int, start: int, end: int) -> str:
    """A line break or space written as a tag or entity (``a<br>b``, ``30&nbsp;days``) keeps two words apart."""
    inside = start < first and last < end
    tag = "<" in response[first:last] or response[first] == "&"
    return " " if inside and tag and response[first - 1].isalnum() and response[last].isalnum() else ""
