"""Judge small inputs that are easy to get wrong, and count by kind those judged as a careful reader would.

    python -m benchmarks.cases [FILE.jsonl ...] [--json FILE] [--show failed|all] [--set signals.nli=false]

A row is a source, or several, and an answer about it: ``{id, kind, files: {name: text}, claim, expected, prompt}``.
``expected`` says of each claim of the answer which verdicts are right: ``supported``, ``supported|unverifiable``, or,
with ``!`` before it, which are wrong: ``!contradicted|fabricated``. Where an answer falls into more claims than
``expected`` has, the worst of them counts. A file whose text is ``{"path": ...}`` is read from beside the rows.
The rows of ``corpora/cases`` are run where none are named; its README says where each comes from.
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
from typing import Any

from benchmarks.readers.sets import CORPORA, settings_of
from verifier.config import Settings
from verifier.factory import SharedSignals, build_scorer, temporary_store
from verifier.knowledge.ingest import ReadOptions, discover, read_documents
from verifier.types import ClaimVerdict, Document, Report, Status, Verdict

__all__ = ["Case", "Outcome", "as_expected", "cases_of", "documents_of", "judged"]

FOLDER = CORPORA / "cases"

_WORST_FIRST = (Verdict.CONTRADICTED, Verdict.FABRICATED, Verdict.UNVERIFIABLE, Verdict.SUPPORTED)


@dataclass(frozen=True, slots=True)
class Case:
    """One row: the files of its source (text, or a path), the answer, and which verdicts are right for its claims."""

    id: str
    kind: str
    files: Mapping[str, str | Path]
    claim: str
    expected: tuple[str, ...]
    prompt: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A case with what was said of each claim, ``withheld`` for what is held for probably supported; in order."""

    case: Case
    said: tuple[str, ...]
    reasons: tuple[str, ...]

    @property
    def right(self) -> bool:
        """Whether the verdicts are as expected."""
        return as_expected(self.said, self.case.expected)


def cases_of(path: Path) -> list[Case]:
    """The rows of a file of cases."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [
        Case(
            row["id"],
            row["kind"],
            {
                name: given if isinstance(given, str) else path.parent / given["path"]
                for name, given in row["files"].items()
            },
            row["claim"],
            tuple(row["expected"]),
            row.get("prompt"),
        )
        for row in rows
    ]


def as_expected(said: Sequence[str], expected: Sequence[str]) -> bool:
    """Whether what was said of the claims of an answer is right.

    >>> as_expected(["supported", "contradicted"], ["supported", "!supported"])
    True
    >>> as_expected(["supported", "contradicted"], ["supported"])
    False
    """
    verdicts = [one.partition(" ")[0] for one in said] or ["nothing"]
    if len(expected) == 1:
        worst = min(verdicts, key=_rank)
        return _allowed(worst, expected[0])
    return len(verdicts) == len(expected) and all(map(_allowed, verdicts, expected))


def _rank(verdict: str) -> int:
    return _WORST_FIRST.index(Verdict(verdict)) if verdict in set(Verdict) else len(_WORST_FIRST)


def _allowed(verdict: str, expected: str) -> bool:
    named = expected.lstrip("!").split("|")
    alike = {verdict, "skipped"} if verdict == Status.ABSTAINED else {verdict}
    return bool(alike & {*named}) != expected.startswith("!")


def documents_of(case: Case, folder: Path) -> Iterator[Document]:
    """The source's files as documents, read as ``verify --source`` reads them; ``folder`` is an empty one for them."""
    for name, given in case.files.items():
        (folder / name).write_bytes(given.encode() if isinstance(given, str) else given.read_bytes())
    for found in discover([folder]):
        yield from read_documents(found, ReadOptions())


def judged(
    cases: Iterable[Case], settings: Settings, shared: SharedSignals | None = None
) -> Iterator[Outcome]:
    """What is said of each case, each against its own source."""
    shared = shared or SharedSignals.of(settings)
    for case in cases:
        with TemporaryDirectory() as folder, temporary_store(settings) as store:
            store.ingest(documents_of(case, Path(folder)))
            report = build_scorer(settings, store, shared).verify(case.claim, prompt=case.prompt)
        yield Outcome(case, tuple(_said(report)), tuple(claim.reason for claim in report.claims))


def _said(report: Report) -> Iterator[str]:
    for claim in report.claims:
        if claim.status is Status.CHECKED:
            yield _of_checked(claim)
        elif len(report.claims) == 1:
            yield str(claim.status)


def _of_checked(claim: ClaimVerdict) -> str:
    withheld = claim.verdict is Verdict.UNVERIFIABLE and "probably supported" in claim.reason
    return f"{claim.verdict} (withheld)" if withheld else str(claim.verdict)


def _table(outcomes: Sequence[Outcome]) -> str:
    kinds: defaultdict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        kinds[one.case.kind].append(one)
    lines = ["| kind | inputs | as expected | share |", "|---|---|---|---|"]
    for kind, some in [*sorted(kinds.items()), ("all", list(outcomes))]:
        right = sum(one.right for one in some)
        lines.append(f"| {kind} | {len(some)} | {right} | {right / len(some):.3f} |")
    return "\n".join(lines)


def _shown(one: Outcome) -> str:
    said = "; ".join(one.said) or "nothing"
    mark = "ok  " if one.right else "FAIL"
    reasons = " / ".join(one.reasons)
    return f"{mark} {one.case.id}: {one.case.claim!r}: {said}, expected {'; '.join(one.case.expected)}: {reasons}"


def main(arguments: Sequence[str]) -> int:
    """Print the table, and what failed; exit 0 whatever it says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cases", description=__doc__.split("\n\n")[0])
    parser.add_argument("files", nargs="*", type=Path, default=None)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--show", choices=["failed", "all", "none"], default="failed")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="settings")
    parser.add_argument("--only", help="kinds, or beginnings of ids, separated by commas")
    given = parser.parse_args(arguments)
    settings = settings_of(
        {key: json.loads(value) for key, _, value in (one.partition("=") for one in given.settings)}
    )
    cases = [case for path in given.files or sorted(FOLDER.glob("*.jsonl")) for case in cases_of(path)]
    if given.only:
        wanted = tuple(given.only.split(","))
        cases = [case for case in cases if case.kind in wanted or case.id.startswith(wanted)]
    outcomes = []
    for one in judged(cases, settings):
        outcomes.append(one)
        if given.show == "all" or (given.show == "failed" and not one.right):
            print(_shown(one), flush=True)
    print(_table(outcomes))
    if given.json:
        rows: list[dict[str, Any]] = [
            {
                "id": one.case.id,
                "kind": one.case.kind,
                "right": one.right,
                "said": one.said,
                "reasons": one.reasons,
            }
            for one in outcomes
        ]
        given.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
