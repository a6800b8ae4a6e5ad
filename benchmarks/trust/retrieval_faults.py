"""Faults of retrieval and of signals: a backend, a source or a plugin does what no contract foresees."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from verifier_backends.bm25 import BM25Backend
from verifier_backends.types import Hit, Where
from verifier_signals.base import Signal
from verifier_signals.traceability import TraceabilitySignal
from verifier_signals.types import Outcome, SignalScore, TextPair

from benchmarks.trust.outcomes import (
    FACT,
    FALSE,
    TEXT,
    Came,
    Condition,
    answer,
    application,
    command,
    engine_of,
    of_report,
    run_command,
)
from verifier.config import load
from verifier.core.errors import BackendUnavailable
from verifier.factory import SharedSignals, build_scorer
from verifier.knowledge.store import GroundTruthStore
from verifier.types import Document, Evidence
from verifier.verification.retrieve import GivenTexts
from verifier.verification.vocabulary import Vocabulary

__all__ = ["CONDITIONS"]

_SCORER = "tests/unit/test_scorer.py"
_HERE = "tests/integration/test_failclosed.py::test_every_condition_comes_out_as_expected"


class _Failing(BM25Backend):
    """Raises on every query."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    def query_many(
        self, texts: Sequence[str], n_results: int = 3, where: Where | None = None
    ) -> list[list[Hit]]:
        raise self._error


class _Mangling(BM25Backend):
    """Gives hits with these values in the place of its own."""

    def __init__(self, values: Mapping[str, object]) -> None:
        super().__init__()
        self._values = values

    def query_many(
        self, texts: Sequence[str], n_results: int = 3, where: Where | None = None
    ) -> list[list[Hit]]:
        found = super().query_many(texts, n_results, where)
        return [[Hit(**{**hit, **self._values}) for hit in hits] for hits in found]  # type: ignore[typeddict-item]


@dataclass(frozen=True)
class _Blank(GivenTexts):
    """Finds passages without any text."""

    def retrieve(
        self, queries: Sequence[str], *, top_k: int = 5, namespace: str = "default"
    ) -> list[list[Evidence]]:
        return [[Evidence("a", "a.md", "", 0, 0, 1.0)] for _ in queries]


@dataclass(frozen=True)
class _Uncountable(GivenTexts):
    """Cannot say how much it holds."""

    def passage_count(self, namespace: str = "default") -> int:
        raise OSError("connection reset")

    def content_hash(self, namespace: str | None = None) -> str:
        raise OSError("connection reset")


class _Raising(Signal):
    """A third party's signal that raises."""

    name: ClassVar[str] = "third_party"
    feature_names: ClassVar[tuple[str, ...]] = ("third_party",)

    def score(self, pairs: Sequence[TextPair]) -> list[SignalScore]:
        raise ZeroDivisionError("inside")


class _Short(_Raising):
    """Gives no scores at all."""

    def score(self, pairs: Sequence[TextPair]) -> list[SignalScore]:
        return []


class _NotANumber(TraceabilitySignal):
    """A signal in the place of ours, every value of which is NaN."""

    def score(self, pairs: Sequence[TextPair]) -> list[SignalScore]:
        return [
            SignalScore(one.signal, Outcome.CONSISTENT, math.nan, (), dict.fromkeys(one.features, math.nan))
            for one in super().score(pairs)
        ]


@dataclass
class _With:
    """The scorer that a user builds, over a knowledge base with ``TEXT``, and what it says of ``response``."""

    backend: BM25Backend = field(default_factory=BM25Backend)
    response: str = FACT
    signals: Iterable[Signal] | None = None

    def __call__(self, place: Path) -> Came:
        settings = load(overrides={"signals.nli": False}).settings
        shared = None if self.signals is None else SharedSignals([*self.signals], Vocabulary())
        with GroundTruthStore(self.backend) as store:
            store.add("refunds.md", TEXT)
            return of_report(build_scorer(settings, store, shared).verify(self.response))


def _over(source: GivenTexts) -> Came:
    return of_report(build_scorer(load(overrides={"signals.nli": False}).settings, source).verify(FACT))


def _server_backend(place: Path) -> Came:
    app = application(place)
    engine_of(app).store.add("refunds.md", TEXT)

    def fail(*_: object, **__: object) -> list[list[Evidence]]:
        raise BackendUnavailable("the service does not answer")

    engine_of(app).store.retrieve = fail
    return answer(app, "/v1/verify", json={"response": FACT})


def _server_slow(place: Path) -> Came:
    app = application(place, server__request_seconds=0.2)
    store = engine_of(app).store
    store.add("refunds.md", TEXT)
    found = store.retrieve

    def slow(*arguments: object, **options: object) -> list[list[Evidence]]:
        time.sleep(0.6)
        given: list[list[Evidence]] = found(*arguments, **options)
        return given

    store.retrieve = slow
    return answer(app, "/v1/verify", json={"response": FACT})


def _indexed(place: Path, damage: Callable[[Path], object], under: str = "") -> Came:
    """A false claim against an index to whose files something was done: it is built anew from the knowledge base."""
    (place / "refunds.md").write_text(TEXT)
    run_command(place, "ingest", "refunds.md")
    files = [path for path in (place / "kb" / "index").rglob("*") if path.is_file() and under in str(path)]
    if not files:
        return Came("there is no index to damage", approved=True)
    for path in files:
        damage(path)
    return command(place, "verify", "--text", FALSE, "--json", signals__nli=False)


def _halved(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _turned(path: Path) -> None:
    path.write_bytes(bytes(255 - byte for byte in path.read_bytes()))


CONDITIONS: tuple[Condition, ...] = (
    Condition(
        "retrieval backend raises what no contract foresees",
        "rejected: error",
        f"{_SCORER}::test_a_service_that_is_down_makes_errors_and_no_pass",
        _With(_Failing(OSError("disk"))),
    ),
    Condition(
        "retrieval backend cannot be reached",
        "rejected: error",
        f"{_SCORER}::test_a_service_that_is_down_makes_errors_and_no_pass",
        _With(_Failing(BackendUnavailable("down"))),
    ),
    Condition("retrieval backend times out", "rejected: error", _HERE, _With(_Failing(TimeoutError()))),
    Condition(
        "retrieval finds nothing, by words neither",
        "rejected: fabricated",
        "tests/unit/test_verdict.py::test_no_evidence_is_fabricated_here_and_never_supported",
        _With(response="Zebras orbit Neptune every 12 years."),
    ),
    Condition(
        "retrieval gives a passage whose text is empty",
        "rejected: fabricated",
        _HERE,
        lambda _: _over(_Blank((Document("a", "a", TEXT),))),
    ),
    Condition(
        "retrieval gives ids that are not in the knowledge base",
        "rejected: contradicted",
        _HERE,
        _With(_Mangling({"id": "absent"}), FALSE),
    ),
    Condition(
        "retrieval gives scores that are no numbers",
        "rejected: contradicted",
        _HERE,
        _With(_Mangling({"score": math.nan}), FALSE),
    ),
    Condition(
        "knowledge source cannot say how much it holds",
        "rejected: error",
        _HERE,
        lambda _: _over(_Uncountable((Document("a", "a", TEXT),))),
    ),
    Condition(
        "files of the index are cut off",
        "exit 1, rejected: contradicted",
        _HERE,
        lambda place: _indexed(place, lambda path: path.write_bytes(b"\x00")),
    ),
    Condition(
        "data of the index end in the middle",
        "exit 1, rejected: contradicted",
        _HERE,
        lambda place: _indexed(place, _halved, "data"),
    ),
    Condition(
        "data of the index are other bytes",
        "exit 2",
        _HERE,
        lambda place: _indexed(place, _turned, "data"),
        "kb reindex",
    ),
    Condition(
        "files of the index are gone",
        "exit 1, rejected: contradicted",
        _HERE,
        lambda place: _indexed(place, Path.unlink),
    ),
    Condition("server: backend cannot be reached", "200, rejected: error", _HERE, _server_backend),
    Condition(
        "server: backend does not answer in time",
        "504 timeout",
        "tests/integration/test_server_life.py::test_a_batch_waits_for_no_more_than_the_time_of_one_request",
        _server_slow,
    ),
    Condition(
        "signal of a third party raises",
        "rejected: error",
        f"{_SCORER}::test_a_signal_that_raises_makes_errors_and_no_pass",
        _With(signals=[TraceabilitySignal(), _Raising()]),
    ),
    Condition(
        "signal of a third party gives too few scores",
        "rejected: error",
        _HERE,
        _With(signals=[TraceabilitySignal(), _Short()]),
    ),
    Condition(
        "signal gives values that are no numbers", "rejected: error", _HERE, _With(signals=[_NotANumber()])
    ),
)
