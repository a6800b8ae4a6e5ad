"""Make labelled pairs of fact sheets: what follows from a document, what it rules out, what it leaves open.

A document states one fact, in one of its ways, among facts of the same topic. The claims are the fact's other ways
and consequences (entailment), the same with another value or exchanged roles and what cannot be true beside it
(contradiction), and what it leaves open, tells of something else or does not hold at all (neutral). Every third
document also tells of a second thing of the same kind, with values of its own, so that a number or name that stands
*somewhere* in the document is not enough.

So that no wording gives its label away, the claims are also put to documents without the fact (all are neutral
there), and every fourth document states not the fact but something that it rules out, entails or leaves open.

``python -m training.bank SHEET`` validates a sheet and shows some of its pairs.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from training.data import Pair, is_held_back
from training.sheets import (
    PART,
    Binding,
    Fact,
    Sheet,
    SheetError,
    bind,
    other_value,
    read_sheet,
    read_sheets,
    render,
    slots_in,
)
from training.values import CURRENCIES

__all__ = ["FactClaim", "FactDocument", "bank_pairs", "is_held_back_fact"]

HELD_BACK_PERCENT = 12
"""Facts that are kept for development whole: none of their wordings is trained on."""

CONTEXT = (0, 0, 0, 1, 1, 2, 2, 3, 4, 6)
"""How many sentences of other facts stand around one, drawn from these."""

PERSON = (("He", "His"), ("She", "Her"))
PRONOUNS = ("It ", "Its ", "He ", "His ", "She ", "Her ")
SECTIONS = (
    "Overview",
    "Details",
    "1. General",
    "2. Terms",
    "Summary",
    "Questions and answers",
    "Rules",
    "Notes",
    "Background",
    "Conditions",
    "In short",
    "What you should know",
    "At a glance",
    "3. Scope",
    "History",
    "Figures",
    "Results",
)
"""Headings that say nothing of what stands below."""

STATED = ("fact", "fact", "fact", "fact", "fact", "fact", "against", "wider", "open")
"""What a document states, drawn from these."""


def is_held_back_fact(fact: Fact) -> bool:
    """Whether a fact is kept for development: decided by its name."""
    return is_held_back(fact.name, HELD_BACK_PERCENT)


def bank_pairs(rows: int, seed: int, sheets: Sequence[Sheet] | None = None) -> tuple[list[Pair], list[Pair]]:
    """About ``rows`` pairs to train on, and those of the held-back facts, both in an order of chance."""
    sheets = read_sheets() if sheets is None else sheets
    train: list[Pair] = []
    back: list[Pair] = []
    rng = random.Random(seed)
    while sheets and len(train) < rows:
        for sheet in sheets:
            for fact in sheet.facts:
                (back if is_held_back_fact(fact) else train).extend(
                    FactDocument(sheet, fact, rng, rng.choice(STATED)).pairs()
                )
    rng.shuffle(train)
    rng.shuffle(back)
    return train[:rows], back[: rows // 20]


@dataclass(frozen=True)
class FactClaim:
    """A claim about a fact, not yet rendered."""

    template: str
    values: Binding
    label: str


class FactDocument:
    """One document about one fact, and the claims about it.

    ``stated`` is ``fact``, or the kind of claim (``against``, ``wider``, ``open``) that it states in the fact's place.
    """

    def __init__(self, sheet: Sheet, fact: Fact, rng: random.Random, stated: str = "fact") -> None:
        self.sheet, self.fact, self.rng = sheet, fact, rng
        other: list[str] = getattr(fact, stated, [])
        self.stated = stated if other else "fact"
        self.currency = rng.choice(list(CURRENCIES))
        first = bind(fact, sheet.names, {}, rng, self.currency)
        self.shared = {name: first[name] for name in sheet.names if name in first}
        self.values = first
        beside = self.stated == "fact" and bool(fact.elsewhere) and rng.random() < 0.35
        self.sibling = self._sibling() if beside else None
        self.own = rng.choice(other or [*fact.says, *fact.shown])

    def _sibling(self) -> Binding | None:
        """The values of a second thing of the same kind: nothing that tells them apart is equal."""
        apart = [*self.fact.elsewhere, *self.fact.exact]
        kept = {slot: value for slot, value in self.values.items() if slot not in apart}
        for _ in range(20):
            values = bind(self.fact, self.sheet.names, kept, self.rng, self.currency)
            if all(values[slot].key != self.values[slot].key for slot in apart):
                return values
        return None

    def pairs(self) -> Iterator[Pair]:
        """About six pairs, two of each label, and one or two against a document without the fact."""
        premise, without = self._premise(True), self._premise(False)
        for claim in self.claims():
            text = render(claim.template, claim.values, self.rng)
            if text not in premise or claim.label == "entailment":
                yield Pair(premise, text, claim.label, f"bank/{self.sheet.name}")
        fact = self.fact
        for texts in (fact.says + fact.wider, fact.against + fact.open):
            if without and texts and self.rng.random() < 0.5:
                text = render(self.rng.choice(texts), self.values, self.rng)
                yield Pair(without, text, "neutral", f"bank/{self.sheet.name}")

    def _premise(self, with_fact: bool) -> str:
        count = max(self.rng.choice(CONTEXT), 0 if with_fact else 1)
        return " ".join(self.lines(count, with_fact))

    def lines(self, others: int, with_fact: bool) -> list[str]:
        """The sentences of the document: ``others`` facts of the sheet, and this one with its sibling among them."""
        beside = [fact for fact in self.sheet.facts if fact is not self.fact]
        lines = [self._told(fact) for fact in self.rng.sample(beside, min(others, len(beside)))]
        told = [self._filled(self.own, self.values)] if with_fact else []
        heading = self._heading(told)
        if with_fact and self.sibling is not None:
            told.append(self._filled(self.rng.choice(self.fact.says), self.sibling))
            self.rng.shuffle(told)
        for parts in told:
            places = sorted(self.rng.choices(range(len(lines) + 1), k=len(parts)))
            places[0] = 0 if heading and parts[0].startswith(PRONOUNS) else places[0]
            for offset, (place, part) in enumerate(zip(places, parts, strict=True)):
                lines.insert(place + offset, part)
        lines = [*heading, *lines] if lines else lines
        return [line if line[-1] in ".!?:;" else f"{line}." for line in lines]

    def _heading(self, told: list[list[str]]) -> list[str]:
        """The headings above half of the documents.

        Where the fact begins with a name, the title gives the name, and the fact becomes one about ``it``.
        """
        if self.rng.random() < 0.5:
            return []
        topic = self.sheet.topic
        title = topic[:1].upper() + topic[1:]
        for slot in sorted(self.values) if self.sibling is None and told else ():
            found = re.match(rf"{re.escape(str(self.values[slot].key))}('s)? (?!and )", told[0][0])
            if found and found[0][:1].isupper():
                by_person = self.fact.slots.get(slot) == "person"
                it, its = self.rng.choice(PERSON) if by_person else ("It", "Its")
                told[0][0] = f"{its if found[1] else it} {told[0][0][found.end() :]}"
                title = f"{self.values[slot].key}{self.rng.choice((': ', ', '))}{topic}"
                break
        return [title, self.rng.choice(SECTIONS)] if self.rng.random() < 0.5 else [title]

    def _filled(self, template: str, values: Binding) -> list[str]:
        return [render(part, values, self.rng) for part in template.split(PART)]

    def _told(self, fact: Fact) -> str:
        values = bind(fact, self.sheet.names, self.shared, self.rng, self.currency)
        return " ".join(self._filled(self.rng.choice([*fact.says, *fact.shown]), values))

    def claims(self) -> Iterator[FactClaim]:
        """About two claims of each label, to be rendered."""
        fact, rng = self.fact, self.rng
        if self.stated != "fact":
            # What is ruled out rules the fact out in turn; what follows from it, or is open, leaves it open.
            label = "contradiction" if self.stated == "against" else "neutral"
            yield FactClaim(rng.choice(fact.says), self.values, label)
            if rng.random() < 0.5:
                yield FactClaim(self.own, self.values, "entailment")
            return
        named = [text for text in fact.says if text != self.own] or fact.says
        yield FactClaim(rng.choice(named if rng.random() < 0.93 else fact.says), self.values, "entailment")
        if self.sibling is not None and rng.random() < 0.5:
            yield FactClaim(rng.choice(fact.says), self.sibling, "entailment")
        yield from self._some(fact.wider, "entailment", 1)
        wrong = [claim for slot in fact.exact if (claim := self._changed(slot, "contradiction"))]
        wrong += [claim for left, right in fact.swap if (claim := self._exchanged(left, right))]
        for claim in rng.sample(wrong, min(len(wrong), 1 + (rng.random() < 0.5))):
            yield claim
        yield from self._some(fact.against, "contradiction", 1)
        yield from self._some(fact.open, "neutral", 1 + (rng.random() < 0.3))
        if fact.elsewhere and (other := self._changed(rng.choice(fact.elsewhere), "neutral")):
            yield other

    def _some(self, texts: list[str], label: str, count: int) -> Iterator[FactClaim]:
        """Some of the texts; beside a sibling only those that say which of the two they speak of."""
        fit = [text for text in texts if self.sibling is None or set(self.fact.elsewhere) <= slots_in(text)]
        for text in self.rng.sample(fit, min(count, len(fit))):
            yield FactClaim(text, self.values, label)

    def _exchanged(self, left: str, right: str) -> FactClaim | None:
        """A statement of the fact with two of its values exchanged."""
        texts = [text for text in self.fact.says if {left, right} <= slots_in(text)]
        exchanged = {left: self.values[right], right: self.values[left]}
        return FactClaim(self.rng.choice(texts), self.values | exchanged, "contradiction") if texts else None

    def _changed(self, slot: str, label: str) -> FactClaim | None:
        """A statement of the fact with another value in one slot: often the sibling's, to be mistaken for its own."""
        texts = [text for text in self.fact.says if slot in slots_in(text)]
        if label == "contradiction" and self.sibling is not None and self.rng.random() < 0.7:
            other = self.sibling.get(slot)
        else:
            beside = {f"other {name}": value for name, value in (self.sibling or {}).items()}
            other = other_value(self.fact, self.sheet.names, slot, self.values | beside, self.rng)
        if not texts or other is None or other.key == self.values[slot].key:
            return None
        return FactClaim(self.rng.choice(texts), {**self.values, slot: other}, label)


def _main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.bank", description=__doc__.split("\n")[0])
    parser.add_argument("sheet", type=Path, nargs="+")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print so many pairs")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    for path in given.sheet:
        try:
            sheet = read_sheet(path)
        except SheetError as error:
            sys.exit(str(error))
        rng = random.Random(given.seed)
        pairs = [
            pair for fact in sheet.facts for _ in range(4) for pair in FactDocument(sheet, fact, rng).pairs()
        ]
        labels = [pair.label for pair in pairs]
        counts = ", ".join(f"{label} {labels.count(label)}" for label in sorted(set(labels)))
        print(f"{path.name}: {len(sheet.facts)} facts; of {len(pairs)} pairs: {counts}")
        for pair in rng.sample(pairs, min(given.show, len(pairs))):
            print(f"\n{pair.label}\n  document: {pair.premise}\n  claim:    {pair.hypothesis}")


if __name__ == "__main__":
    _main()
