"""Count by kind the hostile answers that pass, and the true answers of the same form that are refused.

    python -m benchmarks.trust.hostile [FILE.jsonl ...] [--half odd|even] [--json FILE] [--show N]

A row is an answer with its sources: ``{id, kind, sources: {name: text}, text, prompt, must}``; ``must`` is ``approved``
or ``not approved``. Each is checked twice: as configured by default, and with ``--strict``, which approves only where
every claim is supported and every source that is cited exists. The last line is the figure; the command fails where a
hostile answer passes ``--strict`` or a gate is asked for that (``--gate default``). The rows of ``corpora/hostile`` are
run where none are named. The rows with odd places in ``answers_own.jsonl`` and ``answers_true.jsonl`` were read while
the rules were made, the even ones were not: ``--half even`` is the honest figure.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.readers.sets import CORPORA, settings_of
from verifier.factory import SharedSignals, build_scorer, temporary_store
from verifier.knowledge.ingest import ReadOptions, discover, read_documents
from verifier.types import Report, Status, Verdict

__all__ = ["FILES", "Answer", "Outcome", "answers_of", "checked"]

FILES = tuple(CORPORA / "hostile" / f"{name}.jsonl" for name in ("answers", "answers_own", "answers_true"))


@dataclass(frozen=True, slots=True)
class Answer:
    """One row: an answer to a prompt, if there was one, its sources, and whether it is true."""

    id: str
    kind: str
    sources: Mapping[str, str]
    text: str
    prompt: str | None
    is_true: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """An answer with its report."""

    answer: Answer
    report: Report

    @property
    def approved(self) -> bool:
        """Whether the default gate lets it through."""
        return self.report.approved

    @property
    def approved_strictly(self) -> bool:
        """Whether ``--strict`` does."""
        checked = [claim for claim in self.report.claims if claim.status is Status.CHECKED]
        supported = all(claim.verdict is Verdict.SUPPORTED for claim in checked)
        return self.approved and supported and not self.report.unknown_sources


def answers_of(path: Path, half: str | None = None) -> list[Answer]:
    """The rows of a file; ``half`` takes those with odd or even places, counted from 1."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    if half is not None:
        rows = rows[half == "even" :: 2]
    return [
        Answer(
            row["id"],
            row["kind"],
            row["sources"],
            row["text"],
            row.get("prompt"),
            row["must"] == "approved",
        )
        for row in rows
    ]


def checked(answers: Iterable[Answer], shared: SharedSignals | None = None) -> Iterator[Outcome]:
    """Each answer with its report, against its own sources alone, as ``verify --source`` reads them."""
    settings = settings_of()
    shared = shared or SharedSignals.of(settings)
    for answer in answers:
        with TemporaryDirectory() as folder, temporary_store(settings) as store:
            for name, text in answer.sources.items():
                (Path(folder) / name).write_text(text, encoding="utf-8")
            documents = (
                document
                for found in discover([Path(folder)])
                for document in read_documents(found, ReadOptions())
            )
            store.ingest(documents)
            report = build_scorer(settings, store, shared).verify(answer.text, prompt=answer.prompt)
        yield Outcome(answer, report)


def _table(outcomes: Sequence[Outcome], title: str) -> str:
    kinds: defaultdict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        kinds[one.answer.kind].append(one)
    lines = [f"| {title} | answers | approved | approved with --strict |", "|---|---|---|---|"]
    for kind, some in [*sorted(kinds.items()), ("all", list(outcomes))]:
        passed, strictly = sum(one.approved for one in some), sum(one.approved_strictly for one in some)
        lines.append(f"| {kind} | {len(some)} | {passed} | {strictly} |")
    return "\n".join(lines)


def _shown(one: Outcome) -> str:
    claims = "; ".join(f"{claim.text!r} {claim.verdict or claim.reason}" for claim in one.report.claims)
    return f"{one.report.decision} {one.answer.id}: {one.answer.text!r}: {claims}"


def main(arguments: Sequence[str]) -> int:
    """Print the tables; 1 where a hostile answer passes the gate that is asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.trust.hostile", description=(__doc__ or "").split("\n\n")[0]
    )
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--half", choices=["odd", "even"], help="only every other row")
    parser.add_argument("--gate", choices=["default", "strict"], default="strict")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="so many that went wrong")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(arguments)
    answers = [one for path in given.files or FILES for one in answers_of(path, given.half)]
    outcomes = list(checked(answers))
    hostile = [one for one in outcomes if not one.answer.is_true]
    true = [one for one in outcomes if one.answer.is_true]
    for one in [one for one in outcomes if one.approved != one.answer.is_true][: given.show]:
        print(_shown(one))
    for some, title in ((hostile, "hostile"), (true, "true")):
        if some:
            print(_table(some, title), end="\n\n")
    if given.json:
        given.json.write_text(json.dumps([_row(one) for one in outcomes], indent=1) + "\n", encoding="utf-8")
    passed = sum(one.approved for one in hostile)
    strictly = sum(one.approved_strictly for one in hostile)
    refused = sum(not one.approved for one in true)
    print(
        f"hostile: {passed} of {len(hostile)} pass, {strictly} with --strict; "
        f"{refused} of {len(true)} true answers refused"
    )
    return int((passed if given.gate == "default" else strictly) > 0)


def _row(one: Outcome) -> dict[str, object]:
    return {
        "id": one.answer.id,
        "kind": one.answer.kind,
        "must": "approved" if one.answer.is_true else "not approved",
        "decision": one.report.decision,
        "strict": one.approved_strictly,
        "claims": [[claim.text, claim.verdict or claim.status, claim.reason] for claim in one.report.claims],
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
