"""Tables, records and lists in a passage: what each cell or item says once its labels and lead-in are added.

``- the drawing instruments`` below ``The following are never lent:`` says the contrary of what it says alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from verifier_signals.syntax import is_common
from verifier_signals.values import label_units, parse

from verifier.core.lexicon import lexicon
from verifier.core.tables import cells_of, is_row, is_rule, spanning
from verifier.core.text import COLONS, LIST_ITEM, sentence_spans
from verifier.types import Span

__all__ = [
    "Field",
    "Led",
    "Row",
    "led_items",
    "record_of",
    "split_context",
    "table_rows",
    "told_inline",
    "told_of",
    "with_unit",
]

_RECORD_LINE = re.compile(r"[ \t]*([^\n:|]{1,60}): +(\S[^\n]*)")
_BARE_NUMBER = re.compile(r"[\d.,]*\d")
_NAMING = lexicon("name title")
_CALENDAR = lexicon("""
    monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun mondays tuesdays wednesdays
    thursdays fridays saturdays sundays weekday weekdays weekend weekends daily holidays january february march april
    may june july august september october november december spring summer autumn winter
    """)
_NAME = "Name"
"""The label of the first column, where the head has none and has labels for the others."""

Field = tuple[str, int, int]
"""A labelled value: its label, and its span in the text."""


class Row(NamedTuple):
    """A row, or a column of a table whose columns are things: its span, its cells, and what stands above it.

    ``lead`` is written in front of the cells: the thing that a column is headed by. ``column`` is the head of the only
    column that it is from, and ``beside`` the heads of the others.
    """

    start: int
    end: int
    fields: tuple[Field, ...]
    group: str = ""
    lead: str = ""
    column: str = ""
    beside: tuple[str, ...] = ()


def split_context(context: str) -> tuple[str, str]:
    """What leads into a passage, and the head of the table that it begins within; either may be empty.

    >>> split_context("Fares: | Ticket | Price |"), split_context("The fee covers:")
    (('Fares:', '| Ticket | Price |'), ('The fee covers:', ''))
    """
    at = context.find("|")
    head = context[at:].strip() if at >= 0 else ""
    return (context[:at].strip(), head) if is_row(head) else (context, "")


def table_rows(text: str, lines: Sequence[tuple[int, int]], head: str = "") -> list[Row]:
    """What the lines of a table tell, row by row, its head and the rule below that left out.

    A row of one cell governs those below it (``Adults``). A table of two columns without a head holds keys and their
    values. Where the things stand in columns (each row has values of one kind, each column of several), each column is
    a row.

    Args:
        text: where the lines are.
        lines: their spans, in order.
        head: the head of the table, where it stands above the text.
    """
    columns, group = _labels(head), ""
    rows: list[Row] = []
    rules = [is_rule(text[start:end]) for start, end in lines]
    for n, (start, end) in enumerate(lines):
        if rules[n]:
            continue
        cells = [(start + left, start + right) for left, right in cells_of(text[start:end])]
        values = [text[left:right] for left, right in cells]
        if n + 1 < len(lines) and rules[n + 1]:
            columns, group = values, ""
            if n + 2 == len(lines) or not _is_pair(values, _labels(text[slice(*lines[n + 2])])):
                continue
        if over := spanning(values):
            group = over
            rows.append(Row(start, end, (("", *cells[0]),)))
        else:
            rows.append(Row(start, end, tuple(_labelled(columns, values, cells)), group))
    return _turned(text, columns, rows) if columns and not columns[0] and len(columns) > 2 else rows


def _labelled(
    columns: Sequence[str], values: Sequence[str], cells: Sequence[tuple[int, int]]
) -> Iterator[Field]:
    if len(cells) == 2 and (not any(columns) or _is_pair(columns, values)):
        yield values[0].strip("*_: "), *cells[1]
        return
    for n, span in enumerate(cells):
        label = columns[n] if n < len(columns) else ""
        yield label or (_NAME if n == 0 and any(columns) else ""), *span


def _turned(text: str, columns: Sequence[str], rows: list[Row]) -> list[Row]:
    """The rows of a table whose corner is empty: its columns where they are its things, and each cell by itself where
    the kinds of the values tell neither whose properties they are.
    """
    whole = [row for row in rows if len(row.fields) == len(columns)]
    kinds = [[_kind(text[left:right]) for _, left, right in row.fields[1:]] for row in whole]
    if not whole or _alike(list(zip(*kinds, strict=True))):
        return rows
    if not _alike(kinds):
        return [cell for row in rows for cell in _apart(row)]
    labels = tuple(columns[1:])
    heads = [text[row.fields[0][1] : row.fields[0][2]] for row in whole]
    return [
        Row(
            whole[0].fields[n][1],
            whole[-1].fields[n][2],
            tuple((head, *row.fields[n][1:]) for head, row in zip(heads, whole, strict=True)),
            lead=f"{_NAME}: {columns[n]}; ",
            column=columns[n],
            beside=labels[: n - 1] + labels[n:],
        )
        for n in range(1, len(columns))
    ]


def _alike(kinds: Sequence[Sequence[str]]) -> bool:
    """Whether each of these holds values of one kind, and not all of them of the same."""
    return all(len(set(some)) == 1 for some in kinds) and len({some[0] for some in kinds}) > 1


def _apart(row: Row) -> list[Row]:
    """Each cell of a row with what heads the row."""
    head, *cells = row.fields
    labels = tuple(label for label, _, _ in cells)
    return [
        row._replace(fields=(head, cell), column=cell[0], beside=labels[:n] + labels[n + 1 :])
        for n, cell in enumerate(cells)
    ] or [row]


def _labels(head: str) -> list[str]:
    return [head[start:end] for start, end in cells_of(head)] if is_row(head) else []


def _is_pair(head: Sequence[str], row: Sequence[str]) -> bool:
    """Whether what stands as the head of two columns is a pair of a key and its value, as the row below is."""
    if len(head) != 2 or len(row) != 2 or not all(head):
        return False
    return _is_calendar(head[0]) and _is_calendar(row[0])


def _is_calendar(text: str) -> bool:
    words = re.findall(r"[^\W_]+", text.casefold())
    return bool(words) and all(word in _CALENDAR or word in ("to", "and", "till") for word in words)


@lru_cache(maxsize=1024)
def record_of(text: str, *, row: bool = False) -> tuple[Field, ...]:
    """The fields of a text that is nothing but ``label: value`` lines about one thing; empty for any other.

    Lines that give one kind of value for several things (``Monday: closed``, ``Tuesday: 9 to 17``) are no record.

    Args:
        text: the lines.
        row: whether it is a row of a file of rows, which is about one thing whatever it holds.
    """
    lines = [line for line in re.finditer(r"[^\n]+", text) if line[0].strip()]
    matches = [_RECORD_LINE.fullmatch(line[0]) for line in lines]
    found = [
        (match[1].strip(), line.start() + match.start(2), line.start() + match.end(2))
        for line, match in zip(lines, matches, strict=True)
        if match
    ]
    if len(found) < 2 or len(found) < len(lines):
        return ()
    one_thing = row or _of_one_thing(
        [label for label, _, _ in found], [text[left:right] for _, left, right in found]
    )
    return tuple(found) if one_thing else ()


def _of_one_thing(labels: Sequence[str], values: Sequence[str]) -> bool:
    """Whether these are the properties of one thing, and not one property of several."""
    words = [set(re.findall(r"[^\W_]+", label.casefold())) for label in labels]
    if labels[0].casefold().split()[-1] in _NAMING:
        return True
    if any(_is_calendar(label) for label in labels) or not any(map(is_common, set().union(*words))):
        return False
    if values[0].rstrip().endswith((".", "!", "?")):
        return False
    shared = set.intersection(*words)
    kinds = [_kind(value + with_unit(label, value)[1]) for label, value in zip(labels, values, strict=True)]
    told = [kind for kind in kinds if kind != "text"]
    alike = len(told) > 1 and len(set(told)) == 1 and 2 * len(told) >= len(kinds)
    return not (shared or alike)


def _kind(value: str) -> str:
    """A dimension, a name, or mere text."""
    found = [one.dimension for each in parse(value) for one in each.quantities]
    if found:
        return found[0] or "number"
    words = re.findall(r"[^\W\d_]+", value)
    named = len(words) > 1 and all(word[0].isupper() for word in words)
    return "name" if named else "text"


def with_unit(label: str, value: str) -> tuple[str, str]:
    """Move a unit from the label of a bare number behind it: ``altitude_m`` 2490 is read as ``altitude: 2490 m``."""
    told = label_units(label)
    if told.units and told.scale == 1.0 and _BARE_NUMBER.fullmatch(value):
        return told.name.replace("_", " "), f" {told.units[0].spelling}"
    return label.replace("_", " "), ""


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
