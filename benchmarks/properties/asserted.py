"""The share of clauses that the model takes for not asserted, in documents that mostly assert what they say.

    python -m benchmarks.properties.asserted [PREFIX ...]

The documents are those of ``corpora/verdicts/kb`` with these prefixes, by default of the sets that signals may be tuned
on. For each threshold of the probability of *asserted* it prints the share of clauses below it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks.readers.sets import CORPORA
from verifier.core.text import sentence_spans
from verifier.knowledge.chunk import chunk
from verifier.knowledge.ingest import ReadOptions, discover, read_documents
from verifier.verification.statements.factuality import chances_of, framed_sentences
from verifier.verification.statements.types import Factuality, FramedSentence

PREFIXES = ("t", "v", "w", "x", "y", "z")
THRESHOLDS = (0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01)


def _framed(prefixes: Sequence[str]) -> Iterator[FramedSentence]:
    """The sentences of the passages, with their headings and neighbours; rows of tables are none."""
    folder = CORPORA / "verdicts" / "kb"
    files = discover(sorted(path for prefix in prefixes for path in folder.glob(f"{prefix}_*.md")))
    for document in (one for file in files for one in read_documents(file, ReadOptions())):
        for passage in chunk(document):
            spans = sentence_spans(passage.text)
            spans = [span for span in spans if "|" not in passage.text[slice(*span)]]
            framed = framed_sentences(passage.text, spans, [passage.headings] * len(spans))
            yield from (one for one in framed if not one.text.startswith("#"))


def main(arguments: Sequence[str]) -> int:
    """Print the table."""
    framed = _framed(arguments or PREFIXES)
    chances = np.array([clause[Factuality.ASSERTED] for one in framed for clause in chances_of(one)])
    print(f"{len(chances)} clauses")
    for threshold in THRESHOLDS:
        print(f"below {threshold:g}: {(chances < threshold).mean():.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
