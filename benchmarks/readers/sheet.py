"""Labelled claims in; what a good reader makes of the same evidence that the verifier reads, out.

    python -m benchmarks.readers write FILE [--evidence windows|passages]
    python -m benchmarks.readers score ANSWERS

Tells apart what is not found, what is found and not read rightly, and what is labelled wrongly. ``write`` puts 200
claims of the ``extra_*`` sets, drawn by chance, into a sheet (JSON Lines: ``n``, ``claim``, ``evidence``) without
label, category or set, for a person or a language model to judge; ``windows`` are the pieces that the NLI model reads,
``passages`` all that was retrieved. ``score`` takes the answers, a JSON list of verdicts in the order of ``n``, and
prints how they do. ``corpora/readings`` has the answers of a large language model.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.labelled import FOLDER, LABELLED, read_samples
from verifier.core.errors import ConfigError
from verifier.measure.rows import LabelledRow, read_rows
from verifier.types import Verdict
from verifier.verification.summary import ReadClaim

__all__ = ["drawn", "evidence_of", "lines"]

CLAIMS = 200
SEED = 77
EVIDENCE = ("windows", "passages")

Place = tuple[str, int]
"""A set, and which of its claims."""


def drawn() -> list[tuple[Place, LabelledRow]]:
    """The claims of the sheet, in its order."""
    places = [
        ((name, at), row)
        for name in LABELLED
        if name.startswith("extra_")
        for at, row in enumerate(_claims_of(name))
    ]
    random.Random(SEED).shuffle(places)
    return places[:CLAIMS]


def evidence_of(read: ReadClaim, kind: str) -> list[str]:
    """What is put beside a claim: each piece once, best first."""
    if kind == "windows":
        pieces = [one.window.premise for one in read.readings if "nli" in one.scores]
        pieces += [one.window.premise for one in read.wide]
    else:
        passages = (one.window.evidence for one in read.readings)
        pieces = [f"[{one.source}] {' > '.join(one.headings)}\n{one.text}" for one in passages]
    return list(dict.fromkeys(pieces))


def lines(labels: Sequence[Verdict], said: Sequence[Verdict]) -> Iterator[str]:
    """Accuracy, false support and supported claims found, and the confusions, most frequent first."""
    denied = [
        one
        for label, one in zip(labels, said, strict=True)
        if label in (Verdict.CONTRADICTED, Verdict.FABRICATED)
    ]
    held = [one for label, one in zip(labels, said, strict=True) if label is Verdict.SUPPORTED]
    yield f"claims         {len(labels)}"
    yield f"accuracy       {_share([label is one for label, one in zip(labels, said, strict=True)]):.3f}"
    yield f"false support  {_share([one is Verdict.SUPPORTED for one in denied]):.3f}"
    yield f"found          {_share([one is Verdict.SUPPORTED for one in held]):.3f}"
    wrong = Counter((label, one) for label, one in zip(labels, said, strict=True) if label is not one)
    yield from (f"{label} called {one}: {n}" for (label, one), n in wrong.most_common())


def _claims_of(name: str) -> list[LabelledRow]:
    rows = read_rows(FOLDER / f"{name}.jsonl")
    return [row for row in rows if isinstance(row, LabelledRow) and row.label in set(Verdict)]


def _share(these: Sequence[bool]) -> float:
    return sum(these) / len(these)


def _write(path: Path, kind: str) -> None:
    sheet = drawn()
    samples, _ = read_samples(sorted({name for (name, _), _ in sheet}))
    with path.open("w", encoding="utf-8") as out:
        for n, ((name, at), row) in enumerate(sheet):
            evidence = evidence_of(samples[name][at].read, kind)
            out.write(
                json.dumps({"n": n, "claim": row.claim, "evidence": evidence}, ensure_ascii=False) + "\n"
            )


def _answers(path: Path) -> list[Verdict]:
    try:
        said = [Verdict(one) for one in json.loads(path.read_text(encoding="utf-8"))]
    except (OSError, ValueError, TypeError) as error:
        raise ConfigError(f"{path} is no list of verdicts: {error}") from error
    if len(said) != CLAIMS:
        raise ConfigError(f"{path} has {len(said)} verdicts, not {CLAIMS}")
    return said


def main() -> None:
    """Parse arguments, write a sheet or score its answers."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    steps = parser.add_subparsers(dest="step", required=True)
    write = steps.add_parser("write", help="claims and evidence without labels")
    write.add_argument("file", type=Path)
    write.add_argument("--evidence", choices=EVIDENCE, default="windows")
    score = steps.add_parser("score", help="what the answers are worth")
    score.add_argument("answers", type=Path)
    options = parser.parse_args()
    try:
        if options.step == "write":
            _write(options.file, options.evidence)
        else:
            labels = [Verdict(row.label) for _, row in drawn()]
            print("\n".join(lines(labels, _answers(options.answers))))
    except ConfigError as error:
        raise SystemExit(f"benchmarks.readers: {error}") from error


if __name__ == "__main__":
    main()
