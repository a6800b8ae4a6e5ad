"""Prose with lists goes in; what leads into each item comes out, which an item means nothing without.

``- the drawing instruments`` below ``The following are never lent:`` says the contrary of what it says alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from verifier.core.text import COLONS, LIST_ITEM, sentence_spans
from verifier.types import Span

__all__ = ["Led", "led_items", "told_inline", "told_of"]

_LINE = re.compile(r"[^\n]*\S[^\n]*")
_FOLLOWING = re.compile(
    r"(?:the )?following(?: \w+){0,2}? "
    r"((?:are|is|were|was|may|must|can|cannot|could|will|shall|should|do|does|did|have|has|had|need)\b.*)[:：]",
    re.IGNORECASE | re.DOTALL,
)
_ITEM_END = re.compile(r"[\s,;.]*(?:\b(?:and|or))?[\s,;.]*\Z")


@dataclass(frozen=True, slots=True)
class Led:
    """An item with the lines that belong to it, and what leads into it: the stem of its list, and outer items."""

    span: Span
    stem: str


def led_items(text: str, context: str = "") -> list[Led]:
    """The items of the lists of a text that something leads into, in order.

    Args:
        text: prose, with line breaks.
        context: the stem of the list that the text begins in the midst of, if it does.

    >>> [(item.stem, text[slice(*item.span)]) for text in ["Never lent are:\\n- glass,\\n- silk.\\n\\nAsk us."]
    ...  for item in led_items(text)]
    [('Never lent are:', '- glass,'), ('Never lent are:', '- silk.')]
    """
    lists: list[tuple[int, str]] = [(0, context)] if context else []  # indent and stem, the innermost last
    found: list[Led] = []
    above: Span | None = None  # the paragraph or item that the next line may belong to
    for line in _LINE.finditer(text):
        parted = above is not None and "\n" in text[above[1] : line.start()].replace("\n", "", 1)
        indent = len(line[0]) - len(line[0].lstrip())
        if LIST_ITEM.match(line[0]):
            while len(lists) > 1 and lists[-1][0] > indent:
                lists.pop()
            if not lists or indent > lists[-1][0]:
                outer = lists[-1][1] if lists else ""
                lists.append((indent, " ".join(filter(None, [outer, _leading(text, above)]))))
            above = line.span()
        elif lists and (not parted or indent > lists[-1][0]):
            above = (above[0] if above and not parted else line.start(), line.end())
        else:
            lists = []
            above = (above[0] if above and not parted else line.start(), line.end())
        if lists and lists[-1][1]:
            if found and found[-1].span[0] == above[0]:
                found.pop()
            found.append(Led(above, lists[-1][1]))
    return found


def _leading(text: str, above: Span | None) -> str:
    """The last sentence of what stands above a list, if it ends with a colon."""
    if above is None or not text[: above[1]].endswith(COLONS):
        return ""
    told = text[slice(*above)]
    return LIST_ITEM.sub("", told[slice(*sentence_spans(told)[-1])])


def told_of(stem: str, item: str) -> tuple[str, int] | None:
    """What a stem like ``The following are never lent:`` tells of one item, and how much of the item it is told of.

    ``None`` where the stem does not name its items as what follows.

    >>> told_of("The following tools are never lent:", "the saw, and")
    ('are never lent.', 7)
    """
    stated = _FOLLOWING.fullmatch(stem)
    end = _ITEM_END.search(item)
    return (f"{stated[1].rstrip()}.", end.start()) if stated and end else None


def told_inline(sentence: str) -> tuple[Span, str] | None:
    """Where the things of ``The following are never lent: the saw and the drill.`` stand, and what is told of them.

    >>> told_inline("The following are never lent: the saw and the drill.")
    ((30, 51), ' are never lent.')
    """
    bullet = LIST_ITEM.match(sentence)
    first = bullet.end() if bullet else 0
    colon = sentence.find(": ", first)
    stated = _FOLLOWING.fullmatch(sentence, first, colon + 1) if colon > 0 else None
    things = sentence[colon + 2 :].rstrip(" .;") if stated else ""
    if not stated or not things or any(mark in things for mark in "\n.:"):
        return None
    return (colon + 2, colon + 2 + len(things)), f" {stated[1].rstrip()}."
