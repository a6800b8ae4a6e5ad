"""Does a recheck miss a verdict that a full check finds? Random edits of documents, and the share of work that was
done.

    python -m benchmarks.recheck [--edits 200] [--claims 300] [--model] [--backend hybrid] [--json FILE]

The documents are those of the sets of ``corpora/verdicts`` that signals may be tuned on, in one namespace, the claims a
random choice of theirs, ten a text. Each edit changes a number, deletes a sentence, adds a document, removes one or
renames one, every second time one that a claim was written about; the edits follow each other, and the reports that one
recheck has renewed go, as JSON, into the next. After each of them every claim is also verified in full. ``seconds`` are
the processor's, over all threads.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.readers.sets import CORPORA
from verifier.config import Settings, load
from verifier.core.text import sentence_spans
from verifier.factory import build_scorer, open_store
from verifier.knowledge.ingest import discover, read_documents
from verifier.knowledge.store import GroundTruthStore
from verifier.types import Document, Report
from verifier.verification.recheck import Rechecked, recheck
from verifier.verification.report import from_json, to_json
from verifier.verification.scorer import VerifiedScorer

SETS = ("t", *"abcdemnopqrsvwxyz")
HELD_BACK = 0.1
"""Share of the documents that are not there in the beginning: they are added by edits."""
CLAIMS_A_TEXT = 10
SEED = 35

_RENAMED = "renamed_"
_NUMBER = re.compile(r"\d+")


@dataclass
class Shelf:
    """The documents that are in the knowledge base, and those that are not."""

    inside: list[Document]
    outside: list[Document]
    cited: set[str]
    """Names of documents that the claims were written about."""
    random: random.Random

    def _any(self, documents: Sequence[Document]) -> int:
        """One of the documents, by its place: every second time a cited one, where there is any."""
        cited = [at for at, one in enumerate(documents) if one.source.removeprefix(_RENAMED) in self.cited]
        return self.random.choice(cited if cited and self.random.random() < 0.5 else range(len(documents)))

    def change_number(self, store: GroundTruthStore) -> None:
        """Another number in the place of one."""
        at, spans = self._with(lambda text: [match.span() for match in _NUMBER.finditer(text)])
        start, end = self.random.choice(spans)
        text = self.inside[at].text
        self._put(store, at, f"{text[:start]}{int(text[start:end]) + self.random.randint(1, 40)}{text[end:]}")

    def delete_sentence(self, store: GroundTruthStore) -> None:
        """One sentence less."""
        at, spans = self._with(sentence_spans)
        start, end = self.random.choice(spans)
        text = self.inside[at].text
        self._put(store, at, f"{text[:start]}{text[end:].lstrip(' ')}")

    def add(self, store: GroundTruthStore) -> None:
        """One of the documents that are not there."""
        if not self.outside:
            self.remove(store)
            return
        document = self.outside.pop(self._any(self.outside))
        self.inside.append(document)
        store.ingest([document])

    def remove(self, store: GroundTruthStore) -> None:
        """A document goes, and may come back."""
        document = self.inside.pop(self._any(self.inside))
        self.outside.append(document)
        store.delete(document.uri)

    def rename(self, store: GroundTruthStore) -> None:
        """A document gets another name."""
        at = self._any(self.inside)
        before = self.inside[at]
        source = before.source.removeprefix(_RENAMED)
        source = source if source != before.source else f"{_RENAMED}{source}"
        self.inside[at] = replace(before, source=source, uri=f"{before.uri}.renamed")
        store.delete(before.uri)
        store.ingest([self.inside[at]])

    def _with(
        self, found: Callable[[str], Sequence[tuple[int, int]]]
    ) -> tuple[int, Sequence[tuple[int, int]]]:
        """A document, by its place, that has such spans."""
        while True:
            at = self._any(self.inside)
            if len(spans := found(self.inside[at].text)) > 1:
                return at, spans

    def _put(self, store: GroundTruthStore, at: int, text: str) -> None:
        self.inside[at] = replace(self.inside[at], text=text)
        store.ingest([self.inside[at]])


EDITS = (Shelf.change_number, Shelf.delete_sentence, Shelf.add, Shelf.remove, Shelf.rename)


@dataclass
class Outcome:
    """What came of all edits. ``missed`` are verdicts that a full check has and the recheck has not."""

    passages: int
    edits: Counter[str] = field(default_factory=Counter)
    claims: int = 0
    verified: int = 0
    verified_by_edit: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    flips: int = 0
    """Verdicts that a full check has and the report before the edit had not."""
    missed: list[str] = field(default_factory=list)
    largest_drift: float = 0.0
    """Of the support of a claim that was kept, against a full check."""
    seconds_recheck: float = 0.0
    seconds_full: float = 0.0
    seconds_nothing_changed: float = 0.0


def shelf(sets: Sequence[str], cited: set[str], rng: random.Random) -> Shelf:
    """All documents of the sets, some of them held back."""
    folder = CORPORA / "verdicts" / "kb"
    files = discover(sorted(path for prefix in sets for path in folder.glob(f"{prefix}_*")))
    documents = [one for file in files for one in read_documents(file, on_bad_row=lambda _: None)]
    rng.shuffle(documents)
    outside = int(HELD_BACK * len(documents))
    return Shelf(documents[outside:], documents[:outside], cited, rng)


def texts(sets: Sequence[str], count: int, rng: random.Random) -> tuple[list[str], set[str]]:
    """Claims of the sets, each a paragraph of a text, and the names of the documents that they are about."""
    names = ["tuning" if name == "t" else f"extra_{name}" for name in sets]
    rows = [
        json.loads(line)
        for name in names
        for line in (CORPORA / "verdicts" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    chosen = rng.sample(rows, count)
    claims = [row["claim"] for row in chosen]
    cited = {name for row in chosen for name in row.get("documents", ())}
    return ["\n\n".join(claims[at : at + CLAIMS_A_TEXT]) for at in range(0, count, CLAIMS_A_TEXT)], cited


def settings_of(folder: Path, *, model: bool, backend: str) -> Settings:
    """The default configuration over a knowledge base in ``folder``."""
    given: dict[str, Any] = {"kb.path": str(folder), "backend": {"type": backend}}
    return load(overrides=given | ({} if model else {"signals.nli": False})).settings


def run(
    folder: Path,
    *,
    edits: int,
    claims: int,
    model: bool,
    backend: str,
    sets: Sequence[str] = SETS,
    told: Callable[[str], object] = print,
) -> Outcome:
    """Edit, recheck and verify in full, so many times."""
    rng = random.Random(SEED)
    settings = settings_of(folder, model=model, backend=backend)
    cases, cited = texts(sets, claims, rng)
    documents = shelf(sets, cited, rng)
    with open_store(settings, create=True) as store:
        store.ingest(documents.inside)
        scorer = build_scorer(settings, store)
        reports = scorer.verify_many([(text, None) for text in cases])
        outcome = Outcome(store.passage_count())
        for number in range(1, edits + 1):
            edit = EDITS[(number - 1) % len(EDITS)]
            edit(documents, store)
            store.retrieve(["ready"], top_k=1)
            reports = _step(outcome, edit.__name__, scorer, store, reports)
            if number % 10 == 0:
                told(
                    f"{number} edits: {outcome.flips} flips, {len(outcome.missed)} missed, "
                    f"{outcome.verified / outcome.claims:.1%} of claims verified"
                )
        begun = time.process_time()
        recheck(scorer, reports, store)
        outcome.seconds_nothing_changed = time.process_time() - begun
    return outcome


def _step(
    outcome: Outcome, edit: str, scorer: VerifiedScorer, store: GroundTruthStore, before: Sequence[Report]
) -> list[Report]:
    saved = [from_json(json.loads(json.dumps(to_json(report)))) for report in before]
    begun = time.process_time()
    done = recheck(scorer, saved, store)
    ended = time.process_time()
    cases = [(report.origin.response, None) for report in saved if report.origin]
    full = scorer.verify_many(cases)
    outcome.seconds_recheck += ended - begun
    outcome.seconds_full += time.process_time() - ended
    outcome.edits[edit] += 1
    for one, whole in zip(done, full, strict=True):
        outcome.claims, outcome.verified = outcome.claims + one.claims, outcome.verified + len(one.causes)
        outcome.verified_by_edit[edit] += len(one.causes)
        outcome.causes.update(cause.what for why in one.causes.values() for cause in why)
        _compare(outcome, edit, one, whole)
    return [one.report for one in done]


def _compare(outcome: Outcome, edit: str, done: Rechecked, full: Report) -> None:
    """Hold the renewed report against that of a full check, claim by claim."""
    for was, now, true in zip(done.before.claims, done.report.claims, full.claims, strict=True):
        outcome.flips += was.verdict is not true.verdict
        if now.verdict is not true.verdict:
            outcome.missed.append(f"{edit}: {now.verdict} for {true.verdict}: {now.text}")
        if now.support is not None and true.support is not None:
            outcome.largest_drift = max(outcome.largest_drift, abs(now.support - true.support))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what came out; 1 where a flip was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=200)
    parser.add_argument("--claims", type=int, default=300)
    parser.add_argument("--model", action="store_true", help="with the NLI model; without it by default")
    parser.add_argument("--backend", default="hybrid")
    parser.add_argument("--json", help="file to write the figures to")
    args = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        outcome = run(
            Path(folder) / "kb", edits=args.edits, claims=args.claims, model=args.model, backend=args.backend
        )
    told = json.dumps(vars(outcome), indent=1, ensure_ascii=False)
    print(told)
    if args.json:
        Path(args.json).write_text(told + "\n", encoding="utf-8")
    return 1 if outcome.missed else 0


if __name__ == "__main__":
    sys.exit(main())
