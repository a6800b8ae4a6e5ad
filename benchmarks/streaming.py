"""Measure streams over a small knowledge base: false halts, bad streams caught, how late, and the cost of a token.

``python -m benchmarks.streaming halts [--half measuring] [--json]``: the halts of the kernel at its defaults, or with
``--score`` and ``--hard-limit``. ``choose``: on the tuning half, what each score catches at so many false halts.
``cost``: the work for a token in streams of 1,000, 16,000 and 64,000.

The streams are under ``corpora/streams``; every score is that of ``VerifiedScorer`` over the knowledge base there.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from rich.console import Console
from rich.table import Table

from training.data import read_rows
from verifier.config import Settings, load
from verifier.factory import build_scorer, temporary_store
from verifier.guard.streaming import HaltKind, Segment, StreamingKernel, StreamSession
from verifier.guard.streaming.scores import ClaimScore, ScoreKind
from verifier.knowledge.ingest import ReadOptions, discover, read_documents
from verifier.knowledge.store import GroundTruthStore

CORPUS = Path(__file__).resolve().parents[1] / "corpora" / "streams"
HALVES, BOTH = ("tuning", "measuring"), "both"
LENGTHS = (1_000, 16_000, 64_000)
NEVER = {"hard_limit": 0.0, "window_threshold": 0.0, "trend_threshold": 1.0}
"""Limits that nothing breaks."""


@dataclass(frozen=True)
class Stream:
    """A text with the prompt it answers; ``wrong`` is the span of its first wrong sentence, ``None`` in a good one."""

    name: str
    kind: str
    prompt: str
    text: str
    wrong: tuple[int, int] | None

    @property
    def tokens(self) -> list[str]:
        """Words with the white space before them, which put together are the text."""
        return re.findall(r"\s*\S+|\s+\Z", self.text)

    def token_at(self, offset: int) -> int:
        """Number of the token that holds the code point at ``offset``."""
        seen = 0
        for number, token in enumerate(self.tokens):
            seen += len(token)
            if seen > offset:
                return number
        return len(self.tokens) - 1


@dataclass(frozen=True)
class Outcome:
    """What became of a stream: halted or not, at the wrong sentence or not, how many tokens of it were out."""

    stream: Stream
    session: StreamSession

    @property
    def caught(self) -> bool:
        """Halted over its wrong sentence, or over what follows it."""
        halt, wrong = self.session.halt, self.stream.wrong
        return halt is not None and wrong is not None and halt.segment.end > wrong[0]

    @property
    def false_halt(self) -> bool:
        """Halted though nothing had been wrong yet."""
        return self.session.halt is not None and not self.caught

    @property
    def late(self) -> int:
        """Tokens from the first one of the wrong sentence to the halt, in a kernel that passes tokens on."""
        assert self.session.halt is not None
        assert self.stream.wrong is not None
        return self.session.halt.token - self.stream.token_at(self.stream.wrong[0])


def streams(half: str, joined: int = 1) -> list[Stream]:
    """The streams of a half, or of both; ``joined`` puts so many good ones, and last a bad one, into one stream."""
    halves = HALVES if half == BOTH else (half,)
    rows = [_stream(row) for name in halves for row in read_rows(CORPUS / f"{name}.jsonl")]
    if joined == 1:
        return rows
    good = [row for row in rows if row.wrong is None]
    groups = [good[at : at + joined] for at in range(0, len(good) - joined + 1, joined)]
    bad = [row for row in rows if row.wrong is not None]
    mixed = [[*group[: joined - 1], last] for group, last in zip(groups, bad, strict=False)]
    return [_join(group) for group in (*groups, *mixed)]


def _stream(row: dict[str, Any]) -> Stream:
    text, wrong = row["text"], row.get("wrong")
    at = text.index(wrong[0]) if wrong else 0
    span = (at, at + len(wrong[0])) if wrong else None
    return Stream(row["id"], row["kind"], row["prompt"], text, span)


def _join(group: Sequence[Stream]) -> Stream:
    text, wrong = "", None
    for part in group:
        text += "\n\n" if text else ""
        if part.wrong is not None:
            wrong = (len(text) + part.wrong[0], len(text) + part.wrong[1])
        text += part.text.rstrip()
    return Stream("+".join(part.name for part in group), "joined", "", text, wrong)


@contextmanager
def knowledge(settings: Settings) -> Iterator[GroundTruthStore]:
    """The knowledge base of the streams."""
    with temporary_store(settings) as store:
        files = discover([CORPUS / "kb"])
        documents = (doc for file in files for doc in read_documents(file, ReadOptions()))
        store.ingest(documents, namespace=settings.kb.namespace)
        yield store


def watch(rows: Sequence[Stream], kind: ScoreKind, **limits: Any) -> list[Outcome]:
    """Run every stream through a kernel."""
    settings = load().settings
    with knowledge(settings) as store:
        scorer = build_scorer(settings, store)
        return [
            Outcome(
                row,
                StreamingKernel(
                    ClaimScore(scorer, store, kind=kind, prompt=row.prompt), time_limit=None, **limits
                ).run(row.tokens),
            )
            for row in rows
        ]


def figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The counts and shares of a table."""
    good = [item for item in outcomes if item.stream.wrong is None]
    bad = [item for item in outcomes if item.stream.wrong is not None]
    late = sorted(item.late for item in bad if item.caught)
    false = [item for item in good if item.session.halted]
    return {
        "good": len(good),
        "false_halts": len(false),
        "false_halt_rate": len(false) / len(good),
        "bad": len(bad),
        "caught": sum(item.caught for item in bad),
        "caught_rate": sum(item.caught for item in bad) / len(bad),
        "halted_before": sum(item.false_halt for item in bad),
        "tokens_late_median": late[len(late) // 2] if late else None,
        "tokens_late_most": late[-1] if late else None,
        "false_by_rule": {
            kind.value: sum(
                item.session.halt is not None and item.session.halt.kind is kind for item in false
            )
            for kind in HaltKind
        },
    }


def halts(arguments: argparse.Namespace) -> None:
    """Print the table of halts, and with ``--list`` each stream that went wrong."""
    stated = load().settings.stream
    kind: ScoreKind = arguments.score or stated.score
    limit = stated.hard_limit if arguments.hard_limit is None else arguments.hard_limit
    limits: dict[str, Any] = {"hard_limit": limit}
    if arguments.hard_limit_only:
        limits = {**NEVER, "hard_limit": limit}
    if arguments.trend_threshold is not None:
        limits["trend_threshold"] = arguments.trend_threshold
    outcomes = watch(streams(arguments.half, arguments.joined), kind, **limits)
    found = {"half": arguments.half, "score": kind, "hard_limit": limit, **figures(outcomes)}
    if arguments.json:
        print(json.dumps(found, indent=1))
        return
    table = Table(
        "figure", "value", title=f"halts on the {arguments.half} half, score {kind}, limit {limit:g}"
    )
    for name, value in found.items():
        table.add_row(name, f"{value:.3f}" if isinstance(value, float) else str(value))
    console = Console(width=120)
    console.print(table)
    console.print(by_kind(outcomes))
    for item in outcomes:
        if arguments.list and (item.false_halt or (item.stream.wrong and not item.caught)):
            what = "false" if item.false_halt else "missed"
            print(
                f"{what} {item.stream.name} {item.stream.kind}: {item.session.halt_reason or item.stream.text}"
            )


def by_kind(outcomes: Sequence[Outcome]) -> Table:
    """Halts by the kind of stream."""
    table = Table("kind", "streams", "halted")
    for label, wanted in (("good", False), ("bad", True)):
        some = [item for item in outcomes if (item.stream.wrong is not None) is wanted]
        for kind in sorted({item.stream.kind for item in some}):
            own = [item for item in some if item.stream.kind == kind]
            table.add_row(f"{label}: {kind}", str(len(own)), str(sum(item.session.halted for item in own)))
    return table


def lowest(outcome: Outcome, *, wrong_only: bool) -> float:
    """The lowest score of a stream, or of its wrong sentence."""
    span = outcome.stream.wrong if wrong_only else None
    values = [
        event.value
        for event in outcome.session.events
        if event.value is not None and (span is None or (event.end > span[0] and event.start < span[1]))
    ]
    return min(values, default=1.0)


def choose(arguments: argparse.Namespace) -> None:
    """Print, for each score, how many bad streams of the tuning half a hard limit catches at so many false halts."""
    allowed = (0, 1, 2, 3, 5, 8)
    table = Table(
        "score", *(f"{number} false" for number in allowed), title="caught (hard limit), tuning half"
    )
    rows = streams("tuning", arguments.joined)
    for kind in get_args(ScoreKind):
        outcomes = watch(rows, kind, **NEVER)
        good = sorted(lowest(item, wrong_only=False) for item in outcomes if item.stream.wrong is None)
        bad = [lowest(item, wrong_only=True) for item in outcomes if item.stream.wrong is not None]
        table.add_row(
            kind,
            *(
                f"{sum(v < good[n] for v in bad)}/{len(bad)} ({good[n]:.3f})"
                for n in allowed
                if n < len(good)
            ),
        )
    Console(width=120).print(table)


def cost(arguments: argparse.Namespace) -> None:
    """Print CPU time and Python calls a token, with a score that does nothing."""
    del arguments
    table = Table("tokens", "mode", "CPU us a token", "calls a token", title="cost of a token")
    for mode in ("stream", "release"):
        for length in LENGTHS:
            tokens = (["The", " fee", " is", " 5", " euros", " on", " day", " 7", "."] * length)[:length]
            tokens = [f" {token}" if token == "The" else token for token in tokens]
            kernel = StreamingKernel(_content, time_limit=None)

            def consume(
                kernel: StreamingKernel = kernel, tokens: list[str] = tokens, mode: str = mode
            ) -> None:
                for _ in getattr(kernel, mode)(tokens):
                    pass

            seconds = min(_cpu_seconds(consume) for _ in range(3))
            table.add_row(
                f"{length:,}", mode, f"{1e6 * seconds / length:.2f}", f"{_calls(consume) / length:.2f}"
            )
    Console(width=120).print(table)


def _content(_segment: Segment) -> float:
    return 0.9


def _cpu_seconds(action: Callable[[], None]) -> float:
    began = time.process_time()
    action()
    return time.process_time() - began


def _calls(action: Callable[[], None]) -> int:
    """Calls of functions, ours and built-in: a count of work that no neighbour on the machine can change."""
    count = 0

    def see(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(see)
    try:
        action()
    finally:
        sys.setprofile(None)
    return count


def main(given: Sequence[str] | None = None) -> None:
    """Print the table that is asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.streaming", description=__doc__.split("\n")[0]
    )
    commands = parser.add_subparsers(required=True)
    sub = commands.add_parser("halts")
    sub.add_argument("--half", choices=(*HALVES, BOTH), default="measuring")
    sub.add_argument("--score", choices=get_args(ScoreKind))
    sub.add_argument("--hard-limit", type=float)
    sub.add_argument("--hard-limit-only", action="store_true", help="no window mean and no trend")
    sub.add_argument("--trend-threshold", type=float, help="1: no trend")
    sub.add_argument("--joined", type=int, default=1, help="so many streams in one")
    sub.add_argument("--list", action="store_true", help="each false halt and each miss")
    sub.add_argument("--json", action="store_true")
    sub.set_defaults(run=halts)
    sub = commands.add_parser("choose")
    sub.add_argument("--joined", type=int, default=1)
    sub.set_defaults(run=choose)
    sub = commands.add_parser("cost")
    sub.set_defaults(run=cost)
    arguments = parser.parse_args(given)
    arguments.run(arguments)


if __name__ == "__main__":
    main()
