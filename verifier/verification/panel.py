"""Claims with their windows in; what each signal says of the windows that it is asked about out.

Signals are not asked about every window: traceability reads all and ranks them, the other rules read the best that can
speak of enough of the claim, and the NLI model, on another core meanwhile, fewer still.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import compress, islice

from signals.base import Signal
from signals.types import SignalScore, TextPair
from verifier.core.errors import BackendError, SignalError, failing_as
from verifier.types import Span
from verifier.verification.features import COMPARING, WindowScores, reaching
from verifier.verification.heads import Heads, dated
from verifier.verification.summary import least_alignment
from verifier.verification.wide import wide_windows
from verifier.verification.windows import Window

__all__ = ["MODEL_SIGNAL", "RANKING_SIGNAL", "SignalPanel"]

RANKING_SIGNAL = "traceability"
"""Cheap enough to read every window; the others read only the windows that it ranks best."""

MODEL_SIGNAL = "nli"
"""Dear enough to read fewer windows still."""

ELSEWHERE = 4
"""Windows of each claim that are kept for documents of which none is among the best."""


@dataclass(frozen=True)
class SignalPanel:
    """The signals in use, by name, ``traceability`` among them, and how many windows each is asked about.

    ``max_windows``, ``least_reach`` and ``model_windows`` are those of
    :class:`~verifier.verification.scorer.VerifiedScorer`.
    """

    signals: Mapping[str, Signal]
    max_windows: int
    least_reach: float
    model_windows: int

    def read(
        self,
        texts: Sequence[str],
        windows: Sequence[Sequence[Window]],
        heads: Heads,
        *,
        same_thing: float | None = None,
    ) -> list[tuple[list[WindowScores], list[WindowScores]]]:
        """Score the best windows of each claim with every signal, each signal in one batch for all claims.

        Args:
            texts: the claims.
            windows: those of each claim.
            heads: what gives the dates that a document bears.
            same_thing: where given, the NLI model does not read windows that are about something else than the best
                one (:func:`~verifier.verification.summary.least_alignment`), which no verdict rests on.

        Returns:
            For each claim the readings of its narrow windows, and those of the wide ones beside them.

        Raises:
            BackendError: a document's head could not be read.
            SignalError: a signal failed.
        """
        ranked = self._ranked(texts, windows)
        wide = [wide_windows(found) for found in ranked]
        narrow = list(self._reaching(texts, ranked))
        beside = [_Asked(n, window, {}, model=True) for n, some in enumerate(wide) for window in some]
        at_once = narrow if same_thing is None else _best_of_each(narrow)
        with self._model_reading(texts, [*at_once, *beside]):
            self._ask(RANKING_SIGNAL, texts, beside)
            for name in self.signals:
                if name not in (RANKING_SIGNAL, MODEL_SIGNAL):
                    self._ask(name, texts, narrow)
            with failing_as(BackendError, "reading the heads of documents"):
                for item in narrow:
                    item.scores.update(dated(texts[item.claim], item.reading, heads).scores)
        if MODEL_SIGNAL in self.signals and same_thing is not None:
            weighed = _weighed(narrow, same_thing)
            self._ask(MODEL_SIGNAL, texts, [item for item in weighed if MODEL_SIGNAL not in item.scores])
        read, read_wide = _readings(narrow), _readings(beside)
        return [(read[n], read_wide[n]) for n in range(len(texts))]

    def _ranked(
        self, texts: Sequence[str], windows: Sequence[Sequence[Window]]
    ) -> list[list[tuple[Window, SignalScore]]]:
        """The best windows of each claim, best first, with what the ranking signal says of them."""
        pairs = [(n, window) for n, some in enumerate(windows) for window in some]
        scores = self.score(RANKING_SIGNAL, [TextPair(window.premise, texts[n]) for n, window in pairs])
        by_claim: list[list[tuple[Window, SignalScore]]] = [[] for _ in texts]
        for (n, window), score in zip(pairs, scores, strict=True):
            by_claim[n].append((window, score))
        return [_broad(sorted(found, key=_best_first), self.max_windows) for found in by_claim]

    def _reaching(
        self, texts: Sequence[str], ranked: Sequence[Sequence[tuple[Window, SignalScore]]]
    ) -> Iterator[_Asked]:
        """The windows of each claim that can speak of enough of it to be read by more than the ranking signal.

        What a window lacks of a claim's values and names it may contradict, so they count as if it did.
        """
        for n, (found, compared) in enumerate(zip(ranked, self._compared(texts), strict=True)):
            enough = reaching([score for _, score in found], compared, self.least_reach)
            for rank, (window, score) in enumerate(compress(found, enough)):
                yield _Asked(n, window, {RANKING_SIGNAL: score}, model=rank < self.model_windows)

    def _compared(self, texts: Sequence[str]) -> list[list[Span]]:
        """Where each claim has values and names: what it shares with itself."""
        own = [TextPair(text, text) for text in texts]
        found = zip(*(self.score(name, own) for name in COMPARING if name in self.signals), strict=True)
        spans = [[item.claim_span for score in scores for item in score.findings] for scores in found]
        return spans or [[] for _ in texts]

    def _ask(self, name: str, texts: Sequence[str], asked: Sequence[_Asked]) -> None:
        """Add what a signal says of each window."""
        for item, score in zip(asked, self.score(name, _pairs(texts, asked)), strict=True):
            item.scores[name] = score

    @contextmanager
    def _model_reading(self, texts: Sequence[str], asked: Iterable[_Asked]) -> Iterator[None]:
        """Have the model read those windows that it may meanwhile, on another core; add what it says at the end."""
        read = [item for item in asked if item.model and MODEL_SIGNAL in self.signals]
        if not read:
            yield
            return
        with ThreadPoolExecutor(1) as pool:
            said = pool.submit(self.score, MODEL_SIGNAL, _pairs(texts, read))
            yield
        for item, score in zip(read, said.result(), strict=True):
            item.scores[MODEL_SIGNAL] = score

    def score(self, name: str, pairs: Sequence[TextPair]) -> list[SignalScore]:
        """What one of the signals says of these pairs.

        Raises:
            SignalError: it failed.
        """
        with failing_as(SignalError, f"signal {name!r}"):
            return self.signals[name].score(pairs)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A window of claim number ``claim`` that signals are asked about, ``model`` among them or not."""

    claim: int
    window: Window
    scores: dict[str, SignalScore]
    model: bool

    @property
    def reading(self) -> WindowScores:
        """What is known of the window by now."""
        return WindowScores(self.window, dict(sorted(self.scores.items())))


def _readings(asked: Iterable[_Asked]) -> defaultdict[int, list[WindowScores]]:
    """The readings of each claim, in the order of its windows."""
    readings: defaultdict[int, list[WindowScores]] = defaultdict(list)
    for item in asked:
        readings[item.claim].append(item.reading)
    return readings


def _pairs(texts: Sequence[str], asked: Iterable[_Asked]) -> list[TextPair]:
    return [TextPair(item.window.premise, texts[item.claim]) for item in asked]


def _best_of_each(asked: Sequence[_Asked]) -> list[_Asked]:
    """The first window of each claim: whatever the rules say, its features are hardly ever left unasked."""
    return [*{item.claim: item for item in reversed(asked)}.values()]


def _weighed(asked: Sequence[_Asked], same_thing: float) -> list[_Asked]:
    """The windows of which the features of each claim are made, whatever a model says of them."""
    readings = _readings(asked)  # each keeps its alignment, once it is known
    least = {claim: least_alignment(some, same_thing) for claim, some in readings.items()}
    of_each = {claim: iter(some) for claim, some in readings.items()}
    return [item for item in asked if next(of_each[item.claim]).alignment >= least[item.claim] and item.model]


def _broad(ranked: Sequence[tuple[Window, SignalScore]], most: int) -> list[tuple[Window, SignalScore]]:
    """So many of the ranked windows, in their order: the best ones, and the best of a few documents beside theirs, that
    one document which says it over and over does not hide another that says otherwise."""
    kept = set(range(most - min(ELSEWHERE, most // 2)))
    files = {_document_of(window) for window, _ in ranked[: len(kept)]}
    for n, (window, _) in enumerate(ranked):
        if len(kept) == most:
            break
        if _document_of(window) not in files:
            files.add(_document_of(window))
            kept.add(n)
    left = (n for n in range(len(ranked)) if n not in kept)
    kept.update(islice(left, max(0, most - len(kept))))
    return [item for n, item in enumerate(ranked) if n in kept]


def _document_of(window: Window) -> str:
    """What a window is of: rows of one file are of one."""
    return window.evidence.source.partition("#")[0]


def _best_first(item: tuple[Window, SignalScore]) -> tuple[float, float, str, int, int]:
    window, score = item
    return (
        -score.features["coverage"],
        -score.features["order"],
        window.evidence.source,
        window.start,
        window.end,
    )
