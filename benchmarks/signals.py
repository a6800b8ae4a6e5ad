"""How well a rule signal reads labelled sentence pairs, by relation and half.

``python -m benchmarks.signals number [--fit] [--misses] [--json]``

The pairs stand in ``corpora/signals/``; a premise belongs to one half with all its claims, by a hash of its text.
``--fit`` searches, on the tuning half alone, for constants that read it better than the shipped ones and prints those
that move. ``--misses`` lists the pairs of the tuning half that are read wrongly, and never one of the other.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table
from verifier_signals.number import read_pair
from verifier_signals.types import Outcome, TextPair
from verifier_signals.values.weights import TIE_WEIGHTS, TieWeights

CORPORA = Path(__file__).resolve().parents[1] / "corpora" / "signals"
RELATIONS = (Outcome.CONSISTENT, Outcome.CONFLICTING, Outcome.ABSENT)
HALVES = ("tune", "test")

COSTS: Mapping[tuple[str, str], float] = {
    ("conflicting", "consistent"): 2.0,
    ("absent", "consistent"): 2.0,
    ("conflicting", "absent"): 1.0,
    ("absent", "conflicting"): 1.0,
    ("consistent", "conflicting"): 1.5,
    ("consistent", "absent"): 1.0,
}
"""What it costs to read the first as the second: false support most, then a conflict that kills a supported claim."""
FACTORS = (0.5, 0.67, 0.8, 0.9, 1.1, 1.25, 1.5, 2.0)
"""What a constant is multiplied by in the search for a better one."""
PRIOR = 2.0
"""The least that a move must save, one false support: less is a pair or two that happen to lie so."""


class Labelled(NamedTuple):
    """A pair with the relation of the claim's values to the premise's, and the two values that decide it."""

    pair: TextPair
    relation: str
    half: str
    kind: str
    name: str
    claim_value: str
    evidence_value: str | None


def load(signal: str) -> list[Labelled]:
    """The pairs of a signal's corpus."""
    lines = (CORPORA / f"{signal}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = map(json.loads, lines)
    return [
        Labelled(
            TextPair(row["premise"], row["claim"]),
            row["relation"],
            half_of(row["premise"]),
            row["kind"],
            row["id"],
            row["claim_value"],
            row["evidence_value"],
        )
        for row in rows
    ]


def half_of(premise: str, *, tune: int = 0) -> str:
    """``tune`` or ``test``, by the parity of the first byte that SHA-256 gives for a premise.

    Args:
        premise: all pairs about one premise stay together.
        tune: the parity of the half that rules were developed on; the other one is ``test``.
    """
    return HALVES[hashlib.sha256(premise.encode()).digest()[0] % 2 ^ tune]


def read(rows: Iterable[Labelled], ties: TieWeights = TIE_WEIGHTS) -> list[tuple[Labelled, str]]:
    """Each pair with the outcome that the number signal gives; a claim without values counts as absent."""
    found = ((row, read_pair(row.pair, ties).outcome) for row in rows)
    return [
        (row, (Outcome.ABSENT if outcome is Outcome.NOT_APPLICABLE else outcome).value)
        for row, outcome in found
    ]


def figures(found: Sequence[tuple[Labelled, str]]) -> dict[str, Any]:
    """Accuracy, and precision and recall of each relation, ``None`` where there is nothing to divide by."""
    told, given = Counter(outcome for _, outcome in found), Counter(row.relation for row, _ in found)
    right = Counter(outcome for row, outcome in found if row.relation == outcome)
    return {
        "n": len(found),
        "accuracy": right.total() / len(found),
        **{
            relation.value: {
                "n": given[relation.value],
                "precision": right[relation.value] / told[relation.value] if told[relation.value] else None,
                "recall": right[relation.value] / given[relation.value] if given[relation.value] else None,
            }
            for relation in RELATIONS
        },
    }


def cost(found: Iterable[tuple[Labelled, str]]) -> float:
    """The sum of ``COSTS`` over what is read wrongly."""
    return sum(COSTS.get((row.relation, outcome), 0.0) for row, outcome in found)


def fit(rows: Sequence[Labelled], console: Console) -> TieWeights:
    """Move one constant after the other to where the rows cost least, until none moves."""
    ties, best = TIE_WEIGHTS, cost(read(rows))
    console.print(f"cost {best:g} with the shipped constants")
    moved = True
    while moved:
        moved = False
        for name in TieWeights._fields:
            value = getattr(ties, name)
            tried = {
                other: cost(read(rows, ties._replace(**{name: other})))
                for factor in FACTORS
                if (other := round(value * factor, 3)) <= max(1.0, 2 * value)
            }
            other = min(tried, key=lambda at: (tried[at], abs(at - value)))
            if tried[other] <= best - PRIOR:
                console.print(f"{name}: {value:g} -> {other:g}, cost {best:g} -> {tried[other]:g}")
                ties, best, moved = ties._replace(**{name: other}), tried[other], True
    return ties


def report(rows: Sequence[Labelled], ties: TieWeights) -> dict[str, dict[str, Any]]:
    """The figures of both halves."""
    return {half: figures(read([row for row in rows if row.half == half], ties)) for half in HALVES}


def show(found: Mapping[str, Mapping[str, Any]], console: Console) -> None:
    """Print the figures as a table."""
    table = Table("half", "relation", "pairs", "precision", "recall")
    for half, row in found.items():
        for relation in RELATIONS:
            one = row[relation.value]
            cells = ("–" if one[name] is None else f"{one[name]:.3f}" for name in ("precision", "recall"))
            table.add_row(half, relation.value, str(one["n"]), *cells)
        table.add_row(half, "accuracy", str(row["n"]), "", f"{row['accuracy']:.3f}", end_section=True)
    console.print(table)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("signal", choices=["number"])
    parser.add_argument("--fit", action="store_true", help="search the tuning half for better constants")
    parser.add_argument("--misses", action="store_true", help="list what is read wrongly in the tuning half")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    given = parser.parse_args()
    console = Console(width=110, stderr=given.json)
    rows = load(given.signal)
    tuning = [row for row in rows if row.half == "tune"]
    ties = fit(tuning, console) if given.fit else TIE_WEIGHTS
    found = report(rows, ties)
    if given.json:
        print(json.dumps(found, indent=1))
    else:
        show(found, console)
    if given.misses:
        for row, outcome in read(tuning, ties):
            if row.relation != outcome:
                console.print(f"{row.name}: {row.relation}, read as {outcome}: {row.pair}", soft_wrap=True)


if __name__ == "__main__":
    main()
