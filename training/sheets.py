"""Read and check fact sheets (TOML), and fill values into the texts of their facts.

A fact is stated in several equivalent ways (``says``), some of them fit for a document only (``shown``), with claims
that follow from it (``wider``), cannot be true beside it (``against``) or are left open by it (``open``).
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.values import SHEETS, SheetError, Value, computed, draw

__all__ = [
    "Binding",
    "Fact",
    "Sheet",
    "bind",
    "other_value",
    "read_sheet",
    "read_sheets",
    "render",
    "slots_in",
]

Binding = dict[str, Value]
"""Slot -> value."""

PART = "||"
"""Stands in a ``shown`` text where other sentences of the document may come between."""

_SLOT = re.compile(r"\{(\w+)(:words)?\}")
_TEXTS = ("says", "shown", "wider", "against", "open")
_FIELDS = {"slots", "exact", "elsewhere", "swap", "less", *_TEXTS}
TRIES = 400


@dataclass(frozen=True)
class Fact:
    """One fact of a sheet; the brief of each field stands in ``training/bank/README.md``."""

    name: str
    slots: Mapping[str, str | list[str]]
    says: list[str]
    shown: list[str]
    wider: list[str]
    against: list[str]
    open: list[str]
    exact: list[str]
    elsewhere: list[str]
    swap: list[tuple[str, str]]
    less: list[tuple[str, str]]


@dataclass(frozen=True)
class Sheet:
    """A topic, the lists of names that its facts share, and the facts."""

    name: str
    topic: str
    names: Mapping[str, list[str]]
    facts: list[Fact]


def read_sheets(folder: Path = SHEETS) -> list[Sheet]:
    """Every sheet of a folder, by name."""
    return [read_sheet(path) for path in sorted(folder.glob("[a-z]*.toml"))]


def read_sheet(path: Path) -> Sheet:
    """One sheet.

    Raises:
        SheetError: it is no TOML, or breaks a rule; the message says where.
    """
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
        names = found.get("names", {})
        facts = [
            _fact(f"{path.stem}/{index}", raw, names) for index, raw in enumerate(found["fact"], start=1)
        ]
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise SheetError(f"{path.name}: {error}") from error
    return Sheet(path.stem, found["topic"], names, facts)


def _fact(name: str, raw: dict[str, Any], names: Mapping[str, list[str]]) -> Fact:
    if unknown := set(raw) - _FIELDS:
        raise SheetError(f"fact {name}: unknown {sorted(unknown)}")
    fact = Fact(
        name,
        raw.get("slots", {}),
        **{field: list(raw.get(field, [])) for field in (*_TEXTS, "exact", "elsewhere")},
        swap=[(left, right) for left, right in raw.get("swap", [])],
        less=[(low, high) for low, high in raw.get("less", [])],
    )
    if len(fact.says) < 2:
        raise SheetError(f"fact {name}: needs at least two texts in says")
    used = {slot for texts in _TEXTS for text in getattr(fact, texts) for slot in slots_in(text)}
    known = set(fact.slots) | set(names)
    asked = {
        *used,
        *fact.exact,
        *fact.elsewhere,
        *(slot for pair in (*fact.swap, *fact.less) for slot in pair),
    }
    if missing := asked - known:
        raise SheetError(f"fact {name}: no slot {sorted(missing)}")
    for field in (*_TEXTS[:1], *_TEXTS[2:]):
        for text in getattr(fact, field):
            if PART in text:
                raise SheetError(f"fact {name}: {PART} is for shown texts only: {text!r}")
            if re.search(r"[{}]", _SLOT.sub("", text)):
                raise SheetError(f"fact {name}: stray bracket in {text!r}")
    bind(fact, names, {}, random.Random(0))
    return fact


def slots_in(text: str) -> set[str]:
    """The slots that a text names."""
    return {match[1] for match in _SLOT.finditer(text)}


def _kind(fact: Fact, names: Mapping[str, list[str]], slot: str) -> str | list[str]:
    """What a slot draws from: its own kind, a list of the sheet, or a list of the sheet that it is named after."""
    kind = fact.slots.get(slot, slot)
    return names[kind] if isinstance(kind, str) and kind in names else kind


def bind(
    fact: Fact, names: Mapping[str, list[str]], shared: Binding, rng: random.Random, currency: str = "$"
) -> Binding:
    """Values for all slots of a fact, different ones within a kind and in their stated order.

    Args:
        fact: whose slots.
        names: the lists of its sheet.
        shared: values that this document has settled on for the lists of the sheet.
        rng: where chance comes from.
        currency: of all sums of money.

    Raises:
        SheetError: no values fit.
    """
    wanted = dict.fromkeys(
        [*fact.slots, *(slot for text in fact.says + fact.shown for slot in slots_in(text))]
    )
    drawn = [slot for slot in wanted if not _is_computed(fact.slots.get(slot, ""))]
    for _ in range(TRIES):
        values = {
            slot: shared[slot] if slot in shared else draw(_kind(fact, names, slot), rng, currency)
            for slot in drawn
        }
        kinds = [(str(_kind(fact, names, slot)), value.key) for slot, value in values.items()]
        in_order = all(_below(values, low, high) for low, high in fact.less)
        if len(set(kinds)) == len(kinds) and in_order:
            return values | {
                slot: computed(str(fact.slots[slot]), values) for slot in wanted if slot not in values
            }
    raise SheetError(f"fact {fact.name}: no values fit its slots")


def _is_computed(kind: str | list[str]) -> bool:
    return isinstance(kind, str) and kind.startswith("=")


def _below(values: Binding, low: str, high: str) -> bool:
    left, right = values[low].key, values[high].key
    return isinstance(left, int | float) and isinstance(right, int | float) and left < right


def other_value(
    fact: Fact, names: Mapping[str, list[str]], slot: str, values: Binding, rng: random.Random
) -> Value | None:
    """Another value for one slot, unlike all that are in use; ``None`` where there is none."""
    kind = fact.slots.get(slot, slot)
    taken = {value.key for value in values.values()}
    if _is_computed(kind):
        key = values[slot].key
        if not isinstance(key, int | float):
            return None
        found = Value(round(key * rng.choice((0.5, 0.8, 1.25, 1.5, 2))), values[slot].kind, values[slot].unit)
        return found if found.key not in taken else None
    for _ in range(TRIES):
        found = draw(_kind(fact, names, slot), rng)
        if found.key not in taken:
            return Value(found.key, found.kind, values[slot].unit)
    return None


def render(text: str, values: Binding, rng: random.Random) -> str:
    """The text with its values written out, upper-case at its start."""

    def fill(match: re.Match[str]) -> str:
        value = values[match[1]]
        around = text[: match.start()][-1:] + text[match.end() :][:1]
        spelt = value.kind == "number" and isinstance(value.key, int) and 2 <= value.key <= 20
        by_chance = spelt and not re.search(r"[^\s.,;?!]", around) and rng.random() < 0.2
        return value.text(rng, words=match[2] is not None or by_chance)

    filled = _SLOT.sub(fill, text).strip()
    return filled[:1].upper() + filled[1:]
