"""Claims that repeat a sentence but for some words: how they are judged, and how many of them hold.

    python -m benchmarks.near_copies [--rules] [--data DIR] [--json FILE]

Whoever tries a verifier out copies a sentence and changes a word of it. The claims of the table are those written
about the passages of ``training/written`` that are held back, each read among ten of them. The rules for such claims
were made with these in view: the table shows what they do, not what they are worth elsewhere. ``--rules`` leaves the
model out.

*Beyond* are the claims that add to the sentence words that no window has. ``BEYOND_ODDS`` is calculated from these, and
with ``--data`` (by default the variable ``VERIFIER_DATA``) also from those of public training sets, which are no traps.
"""

from __future__ import annotations

import argparse
import json
import os
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from verifier_signals.repeated import gaps_in

from training.written import Passage, read_written
from verifier.config import Settings, load
from verifier.factory import build_scorer, temporary_store
from verifier.measure.rows import LabelledRow, read_rows
from verifier.measure.samples import Sample, examined
from verifier.types import Document, Verdict
from verifier.verification.decision.verbatim import WIDEST
from verifier.verification.decision.verdict import Fusion
from verifier.verification.scorer import VerifiedScorer

__all__ = ["Beyond", "beyond", "lines", "near_copies", "odds_of", "public_copies", "tallies"]

AMONG = 10
"""Passages in a knowledge base."""
SEED = 5
SAID = (*Verdict, "withheld")
PUBLIC = (
    "rte.train",
    "fever_nli.dev",
    "multirc_qa.train",
    "lingnli.train",
    "semiauto_sim_wiki.train",
    "redocred_claims.dev",
)
SCANNED, FROM_EACH = 6000, 100
"""Rows of each set that are looked through, and claims that are taken of it at most."""


class Beyond(NamedTuple):
    """The claims that add words which no window has: how many, the share of them that is supported (Laplace's rule of
    succession), and the mean probability of support that the weights give them."""

    claims: int
    held: float
    mean: float


def odds_of(told: Sequence[Beyond]) -> float:
    """What the odds of support are to be multiplied by, so that as many hold as do; each kind counts alike."""
    held, mean = (
        sum(values) / len(told) for values in ([one.held for one in told], [one.mean for one in told])
    )
    return held / (1.0 - held) / (mean / (1.0 - mean))


def near_copies(*, rules: bool = False) -> tuple[list[Sample], Fusion]:
    """What the signals say of each such claim, and the fusion that ships for them."""
    settings = _settings(rules=rules)
    passages = [passage for passage in read_written() if passage.held_back]
    random.Random(SEED).shuffle(passages)
    samples: list[Sample] = []
    scorer: VerifiedScorer | None = None
    for first in range(0, len(passages), AMONG):
        some = passages[first : first + AMONG]
        rows = [row for passage in some for row in _rows(passage)]
        if not rows:
            continue
        with temporary_store(settings) as store:
            store.ingest(Document(f"{n}.md", f"{n}.md", passage.premise) for n, passage in enumerate(some))
            scorer = build_scorer(settings, store)
            samples += examined(rows, scorer)
    if scorer is None:
        raise SystemExit("no claim of training/written repeats a sentence of its passage")
    return samples, scorer.fusion


def public_copies(data: Path, *, rules: bool = False) -> list[Sample]:
    """The same of claims of public training sets, each beside its own premise."""
    settings = _settings(rules=rules)
    rows: list[LabelledRow] = []
    for name in PUBLIC:
        some = [row for row in read_rows(data / "train" / f"{name}.jsonl.xz") if isinstance(row, LabelledRow)]
        random.Random(SEED).shuffle(some)
        copies = (row for row in some[:SCANNED] if row.premise and gaps_in(row.claim, row.premise, WIDEST))
        rows += islice(copies, FROM_EACH)
    with temporary_store(settings) as store:
        return examined(rows, build_scorer(settings, store))


def tallies(samples: Sequence[Sample], fusion: Fusion) -> Counter[tuple[Verdict, str]]:
    """How many claims of each label get each verdict; ``withheld`` are those probably supported."""
    found: Counter[tuple[Verdict, str]] = Counter()
    for sample in samples:
        decided = fusion.decide(fusion.case_of(sample.read))
        if sample.verdict is not None:
            found[sample.verdict, "withheld" if decided.withheld else decided.verdict] += 1
    return found


def beyond(samples: Sequence[Sample], fusion: Fusion) -> Beyond:
    """What the claims that add words say of the rule for them."""
    some = [sample for sample in samples if sample.read.beyond]
    chances = (fusion.probabilities(fusion.case_of(sample.read).features) for sample in some)
    mean = sum(chance[Verdict.SUPPORTED] for chance in chances) / len(some)
    return Beyond(len(some), (sum(sample.supported for sample in some) + 1) / (len(some) + 2), mean)


def lines(samples: Sequence[Sample], fusion: Fusion) -> Iterator[str]:
    """The table as Markdown."""
    found = tallies(samples, fusion)
    yield f"| label | claims | {' | '.join(SAID)} |"
    yield f"|---|---|{'---|' * len(SAID)}"
    for label in Verdict:
        row = [found[label, said] for said in SAID]
        if sum(row):
            yield f"| {label} | {sum(row)} | {' | '.join(map(str, row))} |"


def _beyond_lines(told: Mapping[str, Beyond]) -> Iterator[str]:
    for name, one in told.items():
        yield f"beyond, {name}: {one.claims} claims, {one.held:.3f} of them supported, {one.mean:.3f} by the weights"
    yield f"odds times {odds_of([*told.values()]):.3f}"


def _settings(*, rules: bool) -> Settings:
    return load(overrides={"signals.nli": False} if rules else {}, environ={}).settings


def _rows(passage: Passage) -> Iterator[LabelledRow]:
    for label, kind, claim in passage.claims:
        if gaps_in(claim, passage.premise):
            yield LabelledRow(
                number=0, claim=claim, label=label, premise=None, namespace=None, raw={"kind": kind}
            )


def main() -> None:
    """Parse arguments, read the claims, print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rules", action="store_true", help="without the NLI model")
    parser.add_argument("--data", type=Path, default=os.environ.get("VERIFIER_DATA"), help="data folder")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    options = parser.parse_args()
    samples, fusion = near_copies(rules=options.rules)
    told = {"written": beyond(samples, fusion)}
    if options.data:
        told["public"] = beyond(public_copies(options.data, rules=options.rules), fusion)
    print("\n".join([*lines(samples, fusion), "", *_beyond_lines(told)]))
    if options.json:
        found = tallies(samples, fusion)
        figures = [{"label": label, "said": said, "claims": n} for (label, said), n in sorted(found.items())]
        shares = {name: one._asdict() for name, one in told.items()}
        options.json.write_text(
            json.dumps({"verdicts": figures, "beyond": shares}, indent=1) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
