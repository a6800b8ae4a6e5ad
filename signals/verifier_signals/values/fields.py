"""Tables and records in a text: their cells, each with the label that says what its figures mean."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from verifier_signals.values.units import CURRENCY_SIGN, MeasurementUnit, lookup

__all__ = ["Field", "LabelUnits", "field_at", "fields_of", "label_units"]


class Field(NamedTuple):
    """A cell at ``start:end``; ``row`` is the span of its row, ``first`` the span of the row's first cell."""

    start: int
    end: int
    label: str
    row: tuple[int, int]
    first: tuple[int, int]


_LABELLED = re.compile(r"(?:^|(?<=; )|(?<=[.:] ))(?P<label>[^\n:;|.?!]{1,60}(?:\([^()\n]{1,20}\))?): (?=\S)")
_RULE = re.compile(r"[\s|:=-]*-{2,}[\s|:=-]*")
_SENTENCE_END = re.compile(r"[a-z]{4}\. (?=[A-Z])")
"""Behind a word that is no title (``Prof.``)."""
_BRACKETED = re.compile(r"[(\[]\s*(?P<unit>[^()\[\]]{1,24})\s*[)\]]")
_SCALED = re.compile(
    rf"(?P<sign>{CURRENCY_SIGN}|[A-Z]{{3}})?\s*"
    r"(?P<scale>(?i:thousands?|millions?|billions?|trillions?)|['’]?000s?|k|K|m|M|mn|bn|b|B)?"
)
_SCALE_FIRST = re.compile(
    r"(?P<scale>(?i:thousands?|millions?|billions?|trillions?)|['’]?000s?|k|K|mn?|M|bn|b|B)\s+(?:of\s+)?(?P<sign>\S+)"
)
"""``million tonnes``, ``k SEK``."""
_SYMBOL_LAST = re.compile(
    r"(?P<name>.*?(?:[^\d\s]|\b(?:19|20)\d\d)) "
    r"(?:(?P<unit>(?!min|day|bar)[a-z]{2,3}|km/h|m/s|(?=\w\w)[A-Za-z]?[A-Z][a-z]?|[A-Za-z]{2,3}[²³])"
    r"|(?P<money>[A-Z]{3}|[%€£$])(?:/\w+)?)"
)
"""``Weight kg``, ``Power kW``, ``Price EUR/m``; ``min`` is mostly the minimum, and ``20 mg`` is a dose that heads
a column."""
_LETTER_LAST = re.compile(r"(?P<name>(?:.*[ _-])?(?P<measure>[a-z]+)) (?P<unit>[A-Za-z])", re.IGNORECASE)
_MEASURED = {
    measure: dimension
    for dimension, measures in {
        "length": "length height width depth altitude elevation ascent descent climb drop distance span wingspan order "
        "diameter radius beam draught draft range visibility thickness",
        "mass": "weight mass load payload",
        "volume": "volume capacity",
        "time": "time duration",
        "power": "power",
        "voltage": "voltage",
    }.items()
    for measure in measures.split()
}
"""What a word in front of a lone letter measures: ``Ascent m``, ``weight g``; behind others, ``m`` may be millions,
minutes or men."""
_AMOUNT = re.compile(r"(?<!\d)(?!(?:19|20)\d\d\b)\d[\d.,]*[\s-]+$")
"""Before a unit: then the label states a quantity (``14 days``) and gives no unit to its cells."""
_SCALES = {"t": 1e3, "0": 1e3, "'": 1e3, "’": 1e3, "k": 1e3, "m": 1e6, "b": 1e9}
_SNAKE = {"c": "°C", "f": "°F", "pct": "%", "percent": "%"}
_YEAR_LAST = re.compile(r"(?P<name>.+?)(?P<year>_(?:19|20)\d\d)")
"""``annual_cost_gbp_2024``: the unit stands before the year."""
_SHORTEST_WORD = 3


@lru_cache(maxsize=2048)
def fields_of(text: str) -> tuple[Field, ...]:
    """The cells of a text: of rows with ``|``, of ``label: value`` lines, of ``label: value; label: value`` rows.

    >>> [(f.label, "a: 1\\nb: 2"[f.start : f.end]) for f in fields_of("a: 1\\nb: 2")]
    [('a', '1'), ('b', '2')]
    """
    if "|" not in text and ": " not in text:
        return ()
    found: list[Field] = []
    header: list[str] = []
    record: list[tuple[int, int]] = []
    for match in re.finditer(r"[^\n]+|\n(?=\n)", text):
        line, at = match[0], match.start()
        if line.count("|") >= 2 or (header and "|" in line):
            cells = list(_cells(line, at))
            if _RULE.fullmatch(line):
                continue
            if not header:
                header = [text[start:end] for start, end in cells]
            found += [
                Field(*cell, header[n] if n < len(header) else "", match.span(), cells[0])
                for n, cell in enumerate(cells)
            ]
            continue
        header = []
        labelled = list(_LABELLED.finditer(line))
        if len(labelled) == 1 and labelled[0].start() == 0:
            record.append(match.span())
        elif len(labelled) > 1 and ";" in line:
            found += _row(line, at, _after_headings(line, labelled))
        elif line.strip():
            continue
        elif record:
            found += _record(text, record)
            record = []
    return tuple(sorted([*found, *_record(text, record)]))


def _cells(line: str, at: int) -> Iterator[tuple[int, int]]:
    for cell in re.finditer(r"[^|]+", line):
        bare = cell[0].strip()
        if bare or 0 < cell.start() < cell.end() < len(line):
            start = at + cell.start() + len(cell[0]) - len(cell[0].lstrip())
            yield start, start + len(bare)


def _after_headings(line: str, labelled: list[re.Match[str]]) -> list[re.Match[str]]:
    """The labels from the first cell on: headings in front of a row (``Prices: 2024. Item: ...``) may look like one."""
    first = line.find(";")
    leading = sum(match.start() < first for match in labelled)
    begun = max(0, leading - 1)
    if 0 < leading < len(labelled) and _SENTENCE_END.search(line, labelled[begun].end(), first):
        begun += 1  # ``3 June: A sale begins. Price; Elm: €3; Ash: €4``
    return labelled[begun:]


def _row(line: str, at: int, labelled: list[re.Match[str]]) -> list[Field]:
    """``Segment: Hydro; Revenue 2024 (£m): 176``."""
    ends = [match.start() for match in labelled[1:]] + [len(line)]
    cells = [
        (at + match.end(), at + match.end() + len(line[match.end() : end].rstrip("; ")))
        for match, end in zip(labelled, ends, strict=True)
    ]
    row = (at + labelled[0].start(), at + len(line))
    return [
        Field(*cell, match["label"].strip(), row, cells[0])
        for cell, match in zip(cells, labelled, strict=True)
    ]


def _record(text: str, lines: list[tuple[int, int]]) -> list[Field]:
    """Lines of ``label: value`` that stand together describe one thing, named by the first."""
    if len(lines) < 2:
        return []
    cells = []
    for start, end in lines:
        colon = text.index(": ", start, end)
        cells.append((text[start:colon], colon + 2, end))
    row, first = (lines[0][0], lines[-1][1]), cells[0][1:]
    return [Field(start, end, label, row, first) for label, start, end in cells]


def field_at(fields: tuple[Field, ...], at: int) -> Field | None:
    """The cell that a position lies in, if any."""
    index = bisect_right(fields, at, key=lambda field: field.start) - 1
    return fields[index] if index >= 0 and at < fields[index].end else None


class LabelUnits(NamedTuple):
    """What a label says of the bare figures under it: readings of their unit, their scale, and the label without it."""

    units: tuple[MeasurementUnit, ...]
    scale: float
    name: str


@lru_cache(maxsize=1024)
def label_units(label: str) -> LabelUnits:
    """The unit and the scale that a label gives to bare figures: ``Revenue (£m)``, ``altitude_m``, ``Output (GWh)``.

    >>> told = label_units("Revenue 2024 (£m)")
    >>> told.units[0].dimension, told.scale, told.name
    ('GBP', 1000000.0, 'Revenue 2024')
    """
    bracketed = _BRACKETED.search(label)
    if bracketed is not None:
        name = f"{label[: bracketed.start()].rstrip()} {label[bracketed.end() :].lstrip()}".strip()
        return LabelUnits(*_in_brackets(bracketed["unit"].strip().removeprefix("in ")), name)
    dated = _YEAR_LAST.fullmatch(label)
    stem, _, last = (dated["name"] if dated else label).rpartition("_")
    if stem and (units := lookup(_SNAKE.get(last.lower(), last)) or lookup(last.upper())):
        return LabelUnits(units, 1.0, stem + (dated["year"] if dated else ""))
    if (behind := _SYMBOL_LAST.fullmatch(label)) and (units := lookup(behind["unit"] or behind["money"])):
        return LabelUnits(units, 1.0, behind["name"])
    if lettered := _LETTER_LAST.fullmatch(label):
        measured = _MEASURED.get(lettered["measure"].lower())
        if units := tuple(unit for unit in lookup(lettered["unit"]) if unit.dimension == measured):
            return LabelUnits(units, 1.0, lettered["name"])
    for found in re.finditer(r"[^\W_]+", label):
        word = found[0]
        plural = len(word) >= _SHORTEST_WORD and word.endswith("s") and (word.islower() or "_" in label)
        if plural and not _AMOUNT.search(label, 0, found.start()) and (units := lookup(word)):
            return LabelUnits(units, 1.0, label)
    return LabelUnits((), 1.0, label)


def _in_brackets(text: str) -> tuple[tuple[MeasurementUnit, ...], float]:
    """Unit and scale of what stands in the brackets of a label."""
    if units := lookup(text):
        return units, 1.0
    scaled = _SCALED.fullmatch(text) or _SCALE_FIRST.fullmatch(text)
    if scaled is None or not (scaled["sign"] or scaled["scale"]):
        return (), 1.0
    units = lookup(scaled["sign"]) if scaled["sign"] else ()
    scale = _SCALES.get((scaled["scale"] or " ")[0].lower(), 1.0)
    return (units, scale) if units or not scaled["sign"] else ((), 1.0)
