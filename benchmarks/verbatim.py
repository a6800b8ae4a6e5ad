"""Documents against themselves: an answer that copies sentences of a document is backed by it.

    python -m benchmarks.verbatim [DOCUMENT ...] [--runs 250] [--seed 0] [--show]

Each run takes up to three consecutive sentences of one paragraph and verifies them against the document that they are
from. A run that begins with a pronoun (``It has 90 seats.``) is not taken, because an answer that begins so says
nothing of its own. Everything else should be *supported*. Without DOCUMENTs, those of ``corpora/verdicts/kb`` are taken
that whoever writes signals may read. ``--show`` prints what was not supported.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from verifier.core.sentences import sentence_spans
from verifier.types import ClaimVerdict, Verdict
from verifier.verification.grammar.mentions import context_of
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

KB = Path("corpora/verdicts/kb")
SENTENCES = 3
LEAST = 120
"""Characters of a paragraph; shorter ones are titles and labels."""
_NO_PROSE = re.compile(r"[#|`\-*>]|\d+[.)]\s")


def documents(fresh: Sequence[str]) -> list[Path]:
    """Documents of Markdown and plain text, but those whose names begin with one of ``fresh`` and an underscore."""
    found = (path for path in sorted(KB.iterdir()) if path.suffix in {".md", ".txt"})
    return [path for path in found if path.name.partition("_")[0] not in fresh]


def runs(paths: Sequence[Path], number: int, seed: int) -> Iterator[tuple[Path, str, str]]:
    """So many runs at random: the document, its text, and the sentences of it."""
    chance = random.Random(seed)
    for _ in range(number):
        path = chance.choice(paths)
        text = path.read_text(encoding="utf-8")
        if taken := _run(text, chance):
            yield path, text, taken


def _run(text: str, chance: random.Random) -> str:
    paragraphs = [one for one in text.split("\n\n") if len(one) >= LEAST and not _NO_PROSE.match(one)]
    if not paragraphs:
        return ""
    paragraph = chance.choice(paragraphs)
    spans = sentence_spans(paragraph)
    openings = [at for at, span in enumerate(spans) if context_of(paragraph[slice(*span)], ())]
    if not openings:
        return ""
    first = chance.choice(openings)
    return paragraph[spans[first][0] : spans[min(first + SENTENCES, len(spans)) - 1][1]]


def verdicts_of(text: str, answer: str) -> Sequence[ClaimVerdict]:
    """What becomes of sentences of a text when they are checked against it."""
    return VerifiedScorer(GivenTexts.of(text), suggest_fixes=False).verify(answer).claims


def main(argv: Sequence[str] | None = None) -> None:
    """Entry point; see the module."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("documents", nargs="*", type=Path, metavar="DOCUMENT")
    parser.add_argument("--runs", type=int, default=250)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args(argv)
    fresh = {path.stem.removeprefix("fresh_") for path in KB.parent.glob("fresh_*.jsonl")} | {"u"}
    counts: Counter[str] = Counter()
    for path, text, answer in runs(options.documents or documents(sorted(fresh)), options.runs, options.seed):
        for claim in verdicts_of(text, answer):
            counts[claim.verdict or claim.status] += 1
            if options.show and claim.verdict not in (Verdict.SUPPORTED, None):
                print(f"{path.name}: {claim.verdict}: {' '.join(claim.text.split())}\n    {claim.reason}")
    total = counts.total()
    for name, count in counts.most_common():
        print(f"{name:14} {count:6} {count / max(total, 1):7.2%}")


if __name__ == "__main__":
    main()
