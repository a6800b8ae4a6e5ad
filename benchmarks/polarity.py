"""Precision and recall of the negation signal in each relation, on both halves of labelled sentence pairs.

    python -m benchmarks.polarity [--data FILE] [--misses] [--choose]

A row of ``corpora/signals/negation.jsonl`` has a ``premise``, a ``claim`` and the ``relation`` in which they clash
(``polarity``, ``antonym``, ``quantifier``, ``modality``, ``condition``, ``hedge``), or ``consistent`` or
``unrelated``; ``kind`` is what it tests. A hash of the premise puts it into the tuning or the test half.

For each relation: ``found``, the share of its pairs in which the signal sees a clash in just this relation, and
``right``, the share of the pairs with such a finding that are labelled so. ``clash`` asks only whether there is a
conflict of any kind; most denying words could be reported under two of these relations.

``--choose`` fits every constant of ``signals/verifier_signals/polarity/thresholds.json`` to the tuning half, one after
the other until none changes. It takes the middle of the longest stretch of the constant's grid with the fewest weighted
mistakes, and keeps the present value where no other makes fewer. A false conflict costs twice as much as a missed one,
because it refutes a supported claim, while other signals see the missed one too. ``--misses`` prints the mistakes of
the tuning half; those of the test half are never printed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from verifier_signals.negation import OPEN_FEATURES, STRONG, NegationSignal
from verifier_signals.polarity import Thresholds, compare, learnt_thresholds

from benchmarks.signals import half_of

DATA = Path("corpora/signals/negation.jsonl")
THRESHOLDS = Path("signals/verifier_signals/polarity/thresholds.json")
CLASHES = tuple(name for name in NegationSignal.feature_names if name not in OPEN_FEATURES)
FALSE_CONFLICT, MISSED, HEDGE = 2.0, 1.0, 0.5
"""What a mistake costs."""
GRID = {"ahead": [0.6 + 0.1 * step for step in range(15)], "clearly": [0.1 * step for step in range(1, 11)]}
"""Values to try; shares go from 0.1 to 1 by 0.05."""
SHARES = [0.05 * step for step in range(2, 21)]


class Row(NamedTuple):
    """A labelled pair."""

    premise: str
    claim: str
    relation: str
    kind: str


class Seen(NamedTuple):
    """The relations in which the signal sees a clash in a row."""

    row: Row
    relations: frozenset[str]

    @property
    def conflict(self) -> bool:
        """Whether any of them contradicts."""
        return not self.relations.isdisjoint(CLASHES)


def see(rows: Sequence[Row], thresholds: Thresholds) -> list[Seen]:
    """What the signal finds with the given constants."""
    found = []
    for row in rows:
        clashes = compare(row.claim, row.premise, thresholds).clashes
        relations = frozenset(clash.feature for clash in clashes if clash.strength >= STRONG)
        found.append(Seen(row, relations))
    return found


def cost(seen: Sequence[Seen]) -> float:
    """The weighted mistakes in conflicts and hedges."""
    total = 0.0
    for row, relations in seen:
        conflict = not relations.isdisjoint(CLASHES)
        if row.relation in CLASHES:
            total += MISSED * (not conflict)
        else:
            total += FALSE_CONFLICT * conflict
            total += HEDGE * (("hedge" in relations) is not (row.relation == "hedge"))
    return total


def choose(rows: Sequence[Row], thresholds: Thresholds) -> Thresholds:
    """Coordinate descent over the constants, the special ones before those that all comparisons share, until a
    round of it gains nothing."""
    before = cost(see(rows, thresholds))
    while True:
        for name in reversed(Thresholds._fields):
            grid = [round(value, 3) for value in GRID.get(name, SHARES)]
            costs = [cost(see(rows, thresholds._replace(**{name: value}))) for value in grid]
            if cost(see(rows, thresholds)) > min(costs):
                thresholds = thresholds._replace(**{name: _middle(grid, costs)})
        after = cost(see(rows, thresholds))
        print(f"cost {before:g} -> {after:g}", file=sys.stderr)
        if after >= before:
            return thresholds
        before = after


def _middle(grid: Sequence[float], costs: Sequence[float]) -> float:
    """The value in the middle of the longest stretch of the grid where the cost is least."""
    least, longest = min(costs), range(0)
    start = 0
    for at in range(len(costs) + 1):
        if at == len(costs) or costs[at] != least:
            longest = max(longest, range(start, at), key=len)
            start = at + 1
    return grid[longest[len(longest) // 2]]


def figures(seen: Sequence[Seen]) -> Mapping[str, tuple[int, int, int, int]]:
    """Of each relation, and of ``clash``: pairs labelled so, those of them found, findings, right ones of these."""
    table = {}
    for name in NegationSignal.feature_names:
        labelled = [one for one in seen if one.row.relation == name]
        told = [one for one in seen if name in one.relations]
        table[name] = (
            len(labelled),
            sum(name in one.relations for one in labelled),
            len(told),
            sum(one.row.relation == name for one in told),
        )
    labelled = [one for one in seen if one.row.relation in CLASHES]
    told = [one for one in seen if one.conflict]
    right = sum(one.row.relation in CLASHES for one in told)
    table["clash"] = (len(labelled), sum(one.conflict for one in labelled), len(told), right)
    return table


def print_table(name: str, seen: Sequence[Seen]) -> None:
    """Print the figures of a half."""
    free = [one for one in seen if one.row.relation in ("consistent", "unrelated")]
    print(f"\n{name}: {len(seen)} pairs, {len(free)} of them without a clash")
    print(f"{'relation':12} {'pairs':>6} {'recall':>7} {'findings':>9} {'precision':>10}")
    for relation, (labelled, found, told, right) in figures(seen).items():
        recall = f"{found / labelled:.2f}" if labelled else "-"
        precision = f"{right / told:.2f}" if told else "-"
        print(f"{relation:12} {labelled:6} {recall:>7} {told:9} {precision:>10}")
    wrong = sum(one.conflict for one in free)
    print(f"false conflicts: {wrong} of {len(free)} ({wrong / len(free):.1%})")


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Measure the negation signal, or choose its constants.")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--misses", action="store_true", help="print the mistakes of the tuning half")
    parser.add_argument("--choose", action="store_true", help=f"fit the constants and write {THRESHOLDS}")
    options = parser.parse_args()
    rows = [Row(**json.loads(line)) for line in options.data.read_text("utf-8").splitlines()]
    tuning = [row for row in rows if half_of(row.premise) == "tune"]
    thresholds = learnt_thresholds()
    if options.choose:
        thresholds = choose(tuning, thresholds)
        THRESHOLDS.write_text(
            json.dumps(thresholds._asdict(), indent=1, sort_keys=True) + "\n", encoding="utf-8"
        )
    seen = see(tuning, thresholds)
    print_table("tuning half", seen)
    print_table("test half", see([row for row in rows if half_of(row.premise) == "test"], thresholds))
    if options.misses:
        for row, relations in seen:
            wanted = {row.relation} if row.relation in NegationSignal.feature_names else set()
            if cost([Seen(row, relations)]):
                print(f"{row.relation} {sorted(relations - wanted)}: {row.premise} | {row.claim}")


if __name__ == "__main__":
    main()
