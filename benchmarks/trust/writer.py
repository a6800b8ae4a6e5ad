"""Store many documents in a knowledge base in small steps, with a line for each step.

    python -m benchmarks.trust.writer KB DOCUMENTS

Prints ``start``, the documents stored so far after each commit, and ``end``. Made to be killed, or read beside.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.trust.lives import document, opened, small_steps

__all__ = ["STEP"]

STEP = 20
"""Documents that are committed at once."""


def report(stage: str, done: int, _: int | None) -> None:
    """Say how many documents are stored."""
    if stage == "ingest":
        print(done, flush=True)


def main() -> None:
    """Store them."""
    small_steps(STEP)
    with opened(Path(sys.argv[1]), "memory", create=True, progress=report) as store:
        print("start", flush=True)
        store.ingest(document(str(number), 0) for number in range(int(sys.argv[2])))
        print("end", flush=True)


if __name__ == "__main__":
    main()
