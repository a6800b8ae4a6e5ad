"""Twins that exchange who did what: how often a false one is supported and a true one found, by kind.

    python -m benchmarks.properties.subjects [--sample N] [--show N] [--json FILE] [--set KEY=VALUE]

A source says one thing of each of two subjects that differ in a letter, a title, a colour, a role. A claim says of one
what the source says of it (true), or what the source says of the other (false). Where the source says the thing of one
alone, the claim about the other is open. Each claim is a response of its own over a source of its own, and is verified
as a whole by the default scorer. Rates come with a 95 % Clopper-Pearson interval.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from random import Random

from benchmarks.metamorphic import clopper_pearson
from benchmarks.properties.subject_kinds import PARAPHRASES, PLACES, PREDICATES, SUBJECTS, Predicate, Subject
from benchmarks.readers.sets import settings_of
from verifier.config import Settings
from verifier.factory import SharedSignals, build_scorer
from verifier.types import Status, Verdict
from verifier.verification.retrieve import GivenTexts

__all__ = ["Judged", "Twin", "judged", "sample", "table", "twins"]

_PRONOUNS = {"thing": "It", "he": "He", "she": "She", "they": "They"}
_INTRODUCED = {
    "thing": ("has been listed since 2003", "has been listed since 2011"),
    "he": ("lives in the valley", "lives on the coast"),
    "they": ("pay at the desk", "pay on the bus"),
}


@dataclass(frozen=True, slots=True)
class Twin:
    """A claim about one of two subjects over a source; ``true`` tells whether the source says it of that one."""

    kind: str
    place: str
    source: tuple[str, ...]
    claim: str
    true: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """A twin with its verdict (or status), and why."""

    twin: Twin
    said: str
    reason: str


def twins() -> Iterator[Twin]:
    """All twins: every pair of subjects with every predicate that fits in every place; the same each time."""
    for kind, pairs in SUBJECTS.items():
        for pair, predicate in product(pairs, PREDICATES):
            if pair.being in predicate.beings.split():
                yield from _of(kind, pair, predicate)
    for kind, source, true, false in PARAPHRASES:
        yield Twin("in other words", kind, (source,), true, True)
        yield Twin("in other words", kind, (source,), false, False)


def _of(kind: str, pair: Subject, predicate: Predicate) -> Iterator[Twin]:
    chance = Random(f"{pair}{predicate.of_one}")
    one, two = chance.sample(predicate.values, 2)
    said = predicate.of_several if pair.being == "they" else predicate.of_one
    first, second = said.format(one), said.format(two)
    sides = (pair.one, first, pair.two, second)
    for place, laid_out in PLACES.items():
        yield from _twins(kind, place, tuple(laid_out(sides).split("\f")), pair, first, second)
    yield from _twins(kind, "rows", (_rows(pair, said, one, two),), pair, first, second)
    if predicate.passive and kind != "kin":
        source = (f"{pair.one} {first}. {pair.two} {second}.",)
        for subject, true in ((pair.one, True), (pair.two, False)):
            inside = subject[0].lower() + subject[1:] if subject.startswith("The ") else subject
            text = f"{predicate.passive.format(one)} {inside}."
            yield Twin(kind, "passive", source, text[0].upper() + text[1:], true)
    known = _INTRODUCED["he" if pair.being == "she" else pair.being]
    alone = f"{pair.one} {first}. {pair.two} {known[1]}."
    yield Twin(kind, "of one", (alone,), f"{pair.one} {first}.", True)
    yield Twin(kind, "of one", (alone,), f"{pair.two} {first}.", False)
    if kind == "title":
        return  # no one pronoun stands for a man and a woman
    pronoun = _PRONOUNS[pair.being]
    told = f"{pair.one} {known[0]}. {pronoun} {first}. {pair.two} {known[1]}."
    yield from _twins(kind, "pronoun", (f"{told} {pronoun} {second}.",), pair, first, second)
    yield Twin(kind, "pronoun, of one", (told,), f"{pair.one} {first}.", True)
    yield Twin(kind, "pronoun, of one", (told,), f"{pair.two} {first}.", False)


def _twins(
    kind: str, place: str, source: tuple[str, ...], pair: Subject, first: str, second: str
) -> Iterator[Twin]:
    yield Twin(kind, place, source, f"{pair.one} {first}.", True)
    yield Twin(kind, place, source, f"{pair.two} {second}.", True)
    yield Twin(kind, place, source, f"{pair.two} {first}.", False)
    yield Twin(kind, place, source, f"{pair.one} {second}.", False)


def _rows(pair: Subject, said: str, one: str, two: str) -> str:
    """A table with a column for the subjects and one for the rest, its head the words before the value."""
    before, _, after = said.partition("{}")
    head = before.strip()[0].upper() + before.strip()[1:] if before.strip() else after.strip()
    return f"| Name | {head} |\n|---|---|\n| {pair.one} | {one}{after} |\n| {pair.two} | {two}{after} |\n"


def sample(found: Iterable[Twin], size: int) -> list[Twin]:
    """So many of them, chosen evenly over kinds and places; the same each time."""
    cells: defaultdict[tuple[str, str, bool], list[Twin]] = defaultdict(list)
    for twin in found:
        cells[twin.kind, twin.place, twin.true].append(twin)
    chance = Random(29)
    for some in cells.values():
        chance.shuffle(some)
    chosen: list[Twin] = []
    while len(chosen) < size and cells:
        for cell in list(cells):
            chosen.append(cells[cell].pop())
            if not cells[cell]:
                del cells[cell]
    return chosen[:size]


def judged(
    asked: Iterable[Twin], settings: Settings | None = None, shared: SharedSignals | None = None
) -> Iterator[Judged]:
    """What the verifier says of each twin: the worst of the claims that it is taken apart into."""
    settings = settings or settings_of({"verdict.suggest_fixes": False})
    scorer = build_scorer(settings, GivenTexts.of(""), shared or SharedSignals.of(settings))
    for twin in asked:
        report = scorer.verify(twin.claim, source=GivenTexts.of(*twin.source))
        checked = [claim for claim in report.claims if claim.status is Status.CHECKED]
        said = [str(claim.verdict) for claim in checked] or ["unchecked"]
        worst = next((one for one in said if one != Verdict.SUPPORTED), said[0])
        yield Judged(twin, worst, "; ".join(claim.reason for claim in report.claims))


def table(found: Sequence[Judged], key: Callable[[Twin], str]) -> str:
    """A row a kind: false claims with the share supported, true ones with the shares found and contradicted."""
    rows: defaultdict[str, list[Judged]] = defaultdict(list)
    for one in found:
        rows[key(one.twin)].append(one)
    lines = [
        "| | false | supported | contradicted | true | found | denied |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, some in [*sorted(rows.items()), ("all", list(found))]:
        false = [one.said for one in some if not one.twin.true]
        true = [one.said for one in some if one.twin.true]
        denied = sum(said in ("contradicted", "fabricated") for said in true)
        lines.append(
            f"| {name} | {len(false)} | {_rate(false.count('supported'), len(false))} "
            f"| {_rate(false.count('contradicted'), len(false))} | {len(true)} "
            f"| {_rate(true.count('supported'), len(true))} | {_rate(denied, len(true))} |"
        )
    return "\n".join(lines)


def _rate(count: int, of: int) -> str:
    if not of:
        return "-"
    low, high = clopper_pearson(count, of)
    return f"{count / of:.3f} [{low:.3f}, {high:.3f}]"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; 0 whatever they say."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sample", type=int, default=3000, help="how many twins; 0 for all")
    parser.add_argument("--show", type=int, default=0, help="print so many of those judged wrongly")
    parser.add_argument("--json", type=Path, help="write what was said of each")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting")
    options = parser.parse_args(arguments)
    given = {"verdict.suggest_fixes": False, **dict(item.split("=", 1) for item in options.set)}
    some = list(twins())
    found = list(judged(sample(some, options.sample) if options.sample else some, settings_of(given)))
    print(table(found, lambda twin: twin.kind), end="\n\n")
    print(table(found, lambda twin: twin.place))
    wrong = [one for one in found if (one.said == "supported") != one.twin.true]
    for one in wrong[: options.show]:
        print(f"- {one.twin.kind}, {one.twin.place}: {' / '.join(one.twin.source)!r} {one.twin.claim!r} "
              f"true={one.twin.true}: {one.said}: {one.reason}", file=sys.stderr)  # fmt: skip
    if options.json:
        options.json.write_text(json.dumps([asdict(one) for one in found], indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
