"""Claims that repeat a sentence of their passage but for some words, in; what is said of them, and how many hold, out.

    python -m benchmarks.near_copies [--rules] [--json FILE]

Whoever tries a verifier out copies a sentence and changes a word of it. The claims are those written about the
passages of ``training/written`` that are held back, each read among ten of them; *beyond* counts the ones that add
words to the sentence that no window has, from which ``BEYOND_ODDS`` is reckoned. The rules for such claims were made
with these in view: the table shows what they do, not what they are worth elsewhere. ``--rules`` leaves the model out.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from signals.repeated import gaps_in
from training.written import Passage, read_written
from verifier.config import load
from verifier.factory import build_scorer, temporary_store
from verifier.measure.rows import LabelledRow
from verifier.measure.samples import Sample, examined
from verifier.types import Document, Verdict
from verifier.verification.scorer import VerifiedScorer
from verifier.verification.summary import summarise
from verifier.verification.verdict import Fusion

__all__ = ["Beyond", "beyond", "lines", "near_copies", "tallies"]

AMONG = 10
"""Passages in a knowledge base."""
SEED = 5
SAID = (*Verdict, "withheld")


class Beyond(NamedTuple):
    """The claims that add words which no window has: how many, how many of them are supported, and the mean
    probability of support that the weights give them."""

    claims: int
    supported: int
    mean: float

    @property
    def odds(self) -> float:
        """What the odds of support are to be multiplied by, so that they hold as often as they do."""
        held, others = self.supported + 1, self.claims - self.supported + 1
        return held / others / (self.mean / (1.0 - self.mean))


def near_copies(*, rules: bool = False) -> tuple[list[Sample], Fusion]:
    """What the signals say of each such claim, and the fusion that ships for them."""
    overrides = {"signals.nli": False} if rules else {}
    settings = load(overrides=overrides, environ={}).settings
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


def tallies(samples: Sequence[Sample], fusion: Fusion) -> Counter[tuple[Verdict, str]]:
    """How many claims of each label get each verdict; ``withheld`` are those probably supported."""
    found: Counter[tuple[Verdict, str]] = Counter()
    for sample in samples:
        decided = fusion.decide(summarise(sample.read, same_thing=fusion.same_thing))
        if sample.verdict is not None:
            found[sample.verdict, "withheld" if decided.withheld else decided.verdict] += 1
    return found


def beyond(samples: Sequence[Sample], fusion: Fusion) -> Beyond:
    """What the claims that add words say of the rule for them."""
    some = [sample for sample in samples if sample.read.beyond]
    chances = (
        fusion.probabilities(summarise(sample.read, same_thing=fusion.same_thing).features) for sample in some
    )
    mean = sum(chance[Verdict.SUPPORTED] for chance in chances) / len(some)
    return Beyond(len(some), sum(sample.supported for sample in some), mean)


def lines(samples: Sequence[Sample], fusion: Fusion) -> Iterator[str]:
    """The table as Markdown, and what *beyond* counts."""
    found = tallies(samples, fusion)
    yield f"| label | claims | {' | '.join(SAID)} |"
    yield f"|---|---|{'---|' * len(SAID)}"
    for label in Verdict:
        row = [found[label, said] for said in SAID]
        if sum(row):
            yield f"| {label} | {sum(row)} | {' | '.join(map(str, row))} |"
    told = beyond(samples, fusion)
    yield ""
    yield f"beyond: {told.claims} claims, {told.supported} supported; mean support by the weights {told.mean:.3f}"
    yield f"odds times {told.odds:.3f}"


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
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    options = parser.parse_args()
    samples, fusion = near_copies(rules=options.rules)
    print("\n".join(lines(samples, fusion)))
    if options.json:
        found = tallies(samples, fusion)
        figures = [{"label": label, "said": said, "claims": n} for (label, said), n in sorted(found.items())]
        told = {"verdicts": figures, "beyond": beyond(samples, fusion)._asdict()}
        options.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
