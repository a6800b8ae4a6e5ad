"""Judge thousands of variants of the claims in the development corpora, with the violation rate of each kind.

    python -m benchmarks.metamorphic [--corpus tuning,extra_v,extra_w] [--limit N] [--rules] [--json FILE]

A form that says the same must keep the verdict (``stays``); an edited claim that was called supported, and rightly so,
must lose it (``goes``). Rates come with a 95 % Clopper-Pearson interval. ``--limit`` takes so many claims and
sentences of each corpus, evenly spread; ``--rules`` leaves the NLI model out; ``--json`` writes the figures and every
violation.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.variants.corpus import CORPORA, FOLDER, Corpus, Outcome
from benchmarks.variants.edits import EDITS
from benchmarks.variants.forms import EXACT, LOOSE
from benchmarks.variants.shelves import (
    irrelevant_passages,
    irrelevant_to,
    no_new_trace,
    reordered,
    sections_reordered,
)
from benchmarks.variants.types import Base, Given, Variant, whole
from verifier.measure.bounds import upper_bound
from verifier.types import Document, Verdict

__all__ = ["Tally", "clopper_pearson", "form_tallies", "goes_tallies", "measure", "shelf_tallies", "totals"]

IRRELEVANT: Final = 10
"""Passages added, as issue 3 has it."""
MOVE: Final = 0.02
"""Most by which they may move a claim's support."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How often a kind of variant was judged as it must not be. ``where`` lists (base, variant, before, after)."""

    kind: str
    expects: str
    n: int
    where: tuple[tuple[str, str, str, str], ...]

    @property
    def interval(self) -> tuple[float, float]:
        """The Clopper-Pearson interval of the violation rate at 95 %."""
        return clopper_pearson(len(self.where), self.n)

    def as_json(self) -> dict[str, Any]:
        """The figures, and every violation."""
        low, high = self.interval
        return {
            "kind": self.kind,
            "expects": self.expects,
            "n": self.n,
            "violations": len(self.where),
            "rate": len(self.where) / self.n if self.n else None,
            "interval": [low, high],
            "where": [
                dict(zip(("claim", "variant", "before", "after"), row, strict=True)) for row in self.where
            ],
        }


def clopper_pearson(hits: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """The two-sided interval of Clopper and Pearson (1934) for a share of which ``hits`` in ``n`` were seen.

    >>> [round(bound, 3) for bound in clopper_pearson(2, 100)]
    [0.002, 0.07]
    """
    side = 1 - (1 - confidence) / 2
    return 1 - upper_bound(n - hits, n, confidence=side), upper_bound(hits, n, confidence=side)


def form_tallies(corpus: Corpus, bases: Sequence[Base]) -> Iterator[Tally]:
    """Every form of every claim: its verdict stays."""
    for kind, form in {**EXACT, **LOOSE}.items():
        variants = [
            Variant(kind, base, *found)
            for base in bases
            for found in form(Given(base, [b for b in bases if b is not base], (), _chance(kind, base)))
        ]
        outcomes = corpus.outcomes(variants)
        judged = list(zip(variants, outcomes, strict=True))
        yield _tally(kind, "stays", judged, _changed)


def goes_tallies(corpus: Corpus, bases: Sequence[Base]) -> Iterator[Tally]:
    """Every edit of every true claim that was called supported: it is supported no longer."""
    called = [base for base in bases if base.is_true and base.outcome == Verdict.SUPPORTED]
    names = corpus.names()
    for kind, edit in EDITS.items():
        variants = []
        for base in called:
            foreign = [name for name in names if name not in base.deciding]
            given = Given(base, (), foreign, _chance(kind, base))
            variants += [Variant(kind, base, *whole(text)) for text in edit(given) if text != base.text]
        outcomes = corpus.outcomes(variants)
        yield _tally(kind, "goes", list(zip(variants, outcomes, strict=True)), _kept)


def shelf_tallies(corpus: Corpus, bases: Sequence[Base], others: Sequence[Document]) -> Iterator[Tally]:
    """Every claim against knowledge bases that say the same of it: its verdict stays, its support as good as stays."""
    passages = irrelevant_passages(FOLDER / "irrelevant.txt", IRRELEVANT, Random(corpus.name))
    documents = corpus.documents
    shelves = {
        "irrelevant passages": [*documents, *passages],
        **({"irrelevant documents": [*documents, *others]} if others else {}),
        "documents reordered": reordered(documents),
        "sections reordered": sections_reordered(documents),
    }
    for kind, shelf in shelves.items():
        added = [document for document in shelf if document.uri not in {own.uri for own in documents}]
        variants = [
            Variant(kind, base, *whole(base.text))
            for base in bases
            if no_new_trace(base.text, base.all_documents, added)
        ]
        judged = list(zip(variants, corpus.outcomes(variants, corpus.scorer(shelf)), strict=True))
        yield _tally(kind, "stays", judged, _changed)
        if kind == "irrelevant passages":
            apart = [(v, o) for v, o in judged if irrelevant_to(v.base.text, added)]
            yield _tally(f"{kind}: support moves by {MOVE} or more", "stays", apart, _moved)


def measure(names: Sequence[str], *, limit: int | None = None, rules: bool = False) -> list[Tally]:
    """All tallies, summed over the corpora."""
    corpora = [Corpus(name, limit=limit, rules=rules) for name in names]
    summed: dict[str, Tally] = {}
    for corpus in corpora:
        claims, sentences = corpus.claims(), corpus.sentences()
        others = [document for other in corpora if other is not corpus for document in other.documents]
        for tally in (
            *form_tallies(corpus, claims),
            *shelf_tallies(corpus, claims, others),
            *goes_tallies(corpus, [*claims, *sentences]),
        ):
            known = summed.get(tally.kind, replace(tally, n=0, where=()))
            summed[tally.kind] = replace(tally, n=known.n + tally.n, where=known.where + tally.where)
        print(f"{corpus.name}: {len(claims)} claims, {len(sentences)} sentences", file=sys.stderr)
    return list(summed.values())


def totals(tallies: Sequence[Tally]) -> Iterator[Tally]:
    """All kinds that expect the same, as one."""
    for expects in ("stays", "goes"):
        parts = [tally for tally in tallies if tally.expects == expects]
        where = tuple(row for part in parts for row in part.where)
        yield Tally(f"all that {expects}", expects, sum(part.n for part in parts), where)


def lines(tallies: Sequence[Tally]) -> Iterator[str]:
    """The table as Markdown."""
    yield "| kind | verdict | variants | violations | rate | 95 % interval |"
    yield "|---|---|---|---|---|---|"
    for tally in (*tallies, *totals(tallies)):
        low, high = tally.interval
        rate = f"{len(tally.where) / tally.n:.1%}" if tally.n else "-"
        yield f"| {tally.kind} | {tally.expects} | {tally.n} | {len(tally.where)} | {rate} | {low:.1%} to {high:.1%} |"


def main() -> None:
    """Parse arguments, run, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", default=",".join(CORPORA), help="comma-separated; all by default")
    parser.add_argument("--limit", type=int, help="most claims, and most sentences, of each corpus")
    parser.add_argument("--rules", action="store_true", help="without the NLI model")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write figures and violations there")
    arguments = parser.parse_args()
    names = arguments.corpus.split(",")
    if unknown := sorted(set(names) - set(CORPORA)):
        parser.error(f"no corpus {', '.join(unknown)}; known: {', '.join(CORPORA)}")
    tallies = measure(names, limit=arguments.limit, rules=arguments.rules)
    print("\n".join(lines(tallies)))
    if arguments.json:
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        found = {tally.kind: tally.as_json() for tally in (*tallies, *totals(tallies))}
        arguments.json.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _chance(kind: str, base: Base) -> Random:
    """The same choices for the same claim, whichever others are measured."""
    return Random(f"{kind}\0{base.id}")


def _changed(base: Base, outcome: Outcome) -> bool:
    return outcome.verdict != base.outcome


def _kept(base: Base, outcome: Outcome) -> bool:
    return outcome.verdict == base.outcome


def _moved(base: Base, outcome: Outcome) -> bool:
    return abs(outcome.support - base.support) >= MOVE


def _tally(
    kind: str,
    expects: str,
    judged: Sequence[tuple[Variant, Outcome]],
    violates: Callable[[Base, Outcome], bool],
) -> Tally:
    where = tuple(
        (
            variant.base.text,
            variant.response,
            variant.base.outcome,
            f"{outcome.verdict} ({outcome.support:.3f})",
        )
        for variant, outcome in judged
        if violates(variant.base, outcome)
    )
    return Tally(kind, expects, len(judged), where)


if __name__ == "__main__":
    main()
