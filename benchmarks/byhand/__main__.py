"""Compare speed, memory and verdicts of ours with those of a pipeline that a careful user writes by hand.

    python -m benchmarks.byhand [--cross-encoder DIR] [--answers 24] [--rounds 2] [--systems ours,byhand] [--json FILE]

By hand: passages of 300 characters in Chroma in memory, MiniLM's vectors by sentence-transformers, an answer split into
sentences, a cross-encoder of MiniLM's size over the three best passages for each (``byhand``, in float32 by
``CrossEncoder.predict``; ``byhand-int8`` by onnxruntime; ``byhand-10`` and ``byhand-int8-10`` over ten). Ours has its
default configuration; ``ours-ahead`` also reads what passages assert as it takes them in. Each runs in a process of its
own with as many threads as it chooses by itself, everything is loaded, and every answer goes to all systems in turn; no
process sees an answer twice.

Its time does not depend on the cross-encoder's weights, its verdicts do: ``--cross-encoder`` names a folder of a
classifier of premise and hypothesis (``python -m training teach``, started from the sentence encoder, makes one).
Without it the weights are random, and no verdict is shown. ``byhand-same`` has the weights of our embedded NLI model in
float32, which are MiniLM's with two layers more, so that verdicts differ by the pipeline alone. The index by hand is
built anew at each start; that time is not in the cold start, nor is that of our ingest: it stands by itself.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.byhand.answers import LabelledAnswer, namespaces, read_answers
from benchmarks.byhand.quality import FIGURES
from benchmarks.byhand.rounds import alternated
from benchmarks.byhand.summary import AIMS, COLUMNS, summary
from benchmarks.byhand.worker import CANDIDATES, OURS

SYSTEMS = (*OURS, *CANDIDATES)
USUAL = "ours,byhand,byhand-10,byhand-int8,byhand-same"
READ_ANYHOW = (*OURS, "byhand-same")
"""Their verdicts do not depend on ``--cross-encoder``."""


def _arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.byhand", description=__doc__.split("\n")[0])
    parser.add_argument(
        "--answers", type=int, help="the first so many; all by default (their sets take turns)"
    )
    parser.add_argument("--rounds", type=int, default=1, help="each in new processes")
    parser.add_argument("--systems", default=USUAL, help=f"of {', '.join(SYSTEMS)}; by default {USUAL}")
    parser.add_argument("--cross-encoder", type=Path, metavar="DIR", help="its folder; random by default")
    parser.add_argument(
        "--all-documents", action="store_true", help="those of every set, not of the answers' sets alone"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    arguments = parser.parse_args(given)
    if min(arguments.rounds, 1 if arguments.answers is None else arguments.answers) < 1:
        parser.error("give at least one answer and one round")
    if unknown := set(arguments.systems.split(",")) - set(SYSTEMS):
        parser.error(f"no system {', '.join(sorted(unknown))}: choose from {', '.join(SYSTEMS)}")
    if arguments.cross_encoder and not (arguments.cross_encoder / "config.json").is_file():
        parser.error(
            f"{arguments.cross_encoder} holds no classifier of transformers (config.json is missing)"
        )
    return arguments


def main(given: Sequence[str] | None = None) -> None:
    """Print the table."""
    arguments = _arguments(given)
    answers = read_answers()[: arguments.answers]
    spaces = namespaces() if arguments.all_documents else sorted({answer.namespace for answer in answers})
    systems = arguments.systems.split(",")
    with tempfile.TemporaryDirectory() as scratch:
        weights, folders = _weights(arguments.cross_encoder, systems, Path(scratch))
        taken = alternated(folders, spaces, answers, arguments.rounds)
    rows = {
        system: summary(
            one,
            claims=sum(len(answer.claims) for answer in answers) * arguments.rounds,
            four=system in OURS,
            read=system in READ_ANYHOW or arguments.cross_encoder is not None,
        )
        for system, one in taken.items()
    }
    _print(rows, _title(answers, spaces, arguments.rounds), weights)
    if arguments.json:
        told = {"cross_encoder": weights, "answers": len(answers), "systems": rows}
        arguments.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def _weights(given: Path | None, systems: Sequence[str], scratch: Path) -> tuple[str, dict[str, Path]]:
    """In words, what the cross-encoder's weights are; and the folder that each system reads."""
    if set(systems) <= set(READ_ANYHOW):
        return "none is used", dict.fromkeys(systems, scratch)
    from benchmarks.byhand.cross_encoders import make_int8, random_cross_encoder, taught_by

    plain = given or random_cross_encoder(scratch / "random")
    told = taught_by(plain) if given else "random: no verdict by hand is shown; time does not depend on them"
    int8 = make_int8(plain, scratch / "int8") if any("int8" in name for name in systems) else plain
    return told, {name: int8 if "int8" in name else plain for name in systems}


def _title(answers: Sequence[LabelledAnswer], spaces: Sequence[str], rounds: int) -> str:
    claims = sum(len(answer.claims) for answer in answers)
    return f"{len(answers)} answers, {claims} claims, documents of {len(spaces)} sets, {rounds} round(s)"


def _print(rows: Mapping[str, Mapping[str, Any]], title: str, weights: str) -> None:
    console = Console()
    table = Table("", *rows, "aim of ours", title=title)
    for key, (name, form) in {**COLUMNS, **{key: (name, ".3f") for key, name in FIGURES.items()}}.items():
        values = [row[key] for row in rows.values()]
        table.add_row(
            name, *("-" if value is None else format(value, form) for value in values), AIMS.get(key, "")
        )
        if key == list(COLUMNS)[-1]:
            table.add_section()
    console.print(table)
    console.print(f"weights of the cross-encoder: {weights}")


if __name__ == "__main__":
    main()
