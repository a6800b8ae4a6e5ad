"""Run one system in a process of its own, which says what it finds of each sentence and how long it took.

``python -m benchmarks.byhand.worker SYSTEM CROSS_ENCODER NAMESPACE...`` speaks JSON, a line a message. It checks a
text, says how long the documents took, then answers each line ``{"namespace", "answer"}``, and at the end of its input
says its peak memory.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.memory import peak_mib

if TYPE_CHECKING:
    from benchmarks.byhand.pipeline import Judge

__all__ = ["CANDIDATES", "OURS", "WARM", "by_hand", "main", "ours"]

Read = list[tuple[int, int, str]]
"""Spans of an answer, half-open, and what is said of each."""
Check = Callable[[str, str], Read]
"""A namespace and an answer in."""
WARM = "The fee was raised to 12 euros in 2019. It is paid once, and it is returned to nobody."
"""Read before anything is timed; nothing of the answers."""
OURS = ("ours", "ours-ahead")
CANDIDATES: Mapping[str, int] = {
    "byhand": 3,
    "byhand-10": 10,
    "byhand-int8": 3,
    "byhand-int8-10": 10,
    "byhand-same": 3,
}
"""The pipeline by hand by its cross-encoder, and the passages that this reads for each sentence."""


@contextmanager
def ours(spaces: Sequence[str], *, ahead: bool = False) -> Iterator[tuple[Check, float]]:
    """A check by ours as it is configured by default, over a new knowledge base, and the seconds that this took.

    ``ahead``: what the passages assert is read beforehand, as ``verifier ingest --read-ahead`` does.
    """
    from benchmarks.byhand.answers import documents_of
    from verifier.config import load
    from verifier.core.garbage import collect_rarely
    from verifier.factory import build_scorer, open_store
    from verifier.verification.evidence.ahead import read_ahead

    collect_rarely()
    with tempfile.TemporaryDirectory() as folder:
        settings = load(overrides={"kb.path": folder}).settings
        with open_store(settings, create=True) as store:
            found = list(documents_of(spaces))
            began = time.perf_counter()
            for space, documents in found:
                store.ingest(documents, namespace=space)
                if ahead:
                    read_ahead(store, space)
            spent = time.perf_counter() - began
            within = cache(build_scorer(settings, store).within)

            def check(namespace: str, answer: str) -> Read:
                claims = within(namespace).verify(answer).claims
                return [
                    (claim.start, claim.end, (claim.verdict or claim.status).value)
                    for claim in claims  # a skipped one has no verdict
                ]

            yield check, spent


@contextmanager
def by_hand(judge: Judge, spaces: Sequence[str], candidates: int) -> Iterator[tuple[Check, float]]:
    """A check by the pipeline by hand, its index in memory, and the seconds that this took."""
    import numpy as np
    from sentence_transformers import SentenceTransformer

    from benchmarks.byhand.answers import documents_of
    from benchmarks.byhand.pipeline import ByHand
    from training.__main__ import encoder_folder

    encoder = SentenceTransformer(str(encoder_folder(None)), device="cpu")

    def encode(texts: Sequence[str]) -> Any:
        return np.asarray(encoder.encode(list(texts), normalize_embeddings=True, show_progress_bar=False))

    pipeline = ByHand(encode, judge, candidates)
    found = list(documents_of(spaces))
    began = time.perf_counter()
    for space, documents in found:
        pipeline.index(space, [document.text for document in documents])
    yield pipeline.check, time.perf_counter() - began


def _opened(
    system: str, cross_encoder: Path, spaces: Sequence[str]
) -> AbstractContextManager[tuple[Check, float]]:
    if system in OURS:
        return ours(spaces, ahead=system == "ours-ahead")
    from benchmarks.byhand.cross_encoders import float_judge, int8_judge, same_weights_judge

    if system == "byhand-same":
        judge = same_weights_judge()
    else:
        judge = (int8_judge if "int8" in system else float_judge)(cross_encoder)
    return by_hand(judge, spaces, CANDIDATES[system])


def main(given: Sequence[str] | None = None) -> None:
    """Serve the lines of standard input."""
    system, cross_encoder, *spaces = given or sys.argv[1:]
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    sys.stdout = sys.stderr  # libraries print

    def say(**told: Any) -> None:
        print(json.dumps(told), file=out, flush=True)

    with _opened(system, Path(cross_encoder), spaces) as (check, spent):
        check(spaces[0], WARM)
        say(documents_s=spent)
        for line in sys.stdin:
            asked = json.loads(line)
            began, busy = time.perf_counter(), time.process_time()
            read = check(asked["namespace"], asked["answer"])
            say(wall=time.perf_counter() - began, cpu=time.process_time() - busy, read=read)
        say(peak_mib=peak_mib())


if __name__ == "__main__":
    main()
