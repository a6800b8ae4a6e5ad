"""Ask each signal about the windows of each claim, the cheap one about all, the others about the best.

Signals are not asked about every window: traceability reads all and ranks them, the other rules read the best that can
speak of enough of the claim, and the NLI model, on another core meanwhile, fewer still. Once the number signal has
found which values a window has as well, the others read the claim in that window's forms of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass, replace
from itertools import compress, islice

from verifier_signals.base import Signal
from verifier_signals.number import settles_denial
from verifier_signals.types import Outcome, Relation, SignalScore, TextPair

from verifier.core.errors import BackendError, SignalError, failing_as
from verifier.types import Span
from verifier.verification.decision.document_dates import Heads, dated
from verifier.verification.decision.features import COMPARING, WindowScores, reaching
from verifier.verification.decision.summary import least_alignment
from verifier.verification.evidence.premises import wide_windows
from verifier.verification.evidence.windows import Window
from verifier.verification.value_forms import Restated, restated

__all__ = ["MODEL_SIGNAL", "RANKING_SIGNAL", "SignalPanel"]

RANKING_SIGNAL = "traceability"
"""Cheap enough to read every window; the others read only the windows that it ranks best."""

MODEL_SIGNAL = "nli"
"""Dear enough to read fewer windows still."""

VALUE_SIGNAL = "number"
"""Finds the values of the claim that a window has, in whatever form; it reads the claim as it stands."""

DENIAL_SIGNAL = "negation"

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
        meanwhile: Callable[[], None] = lambda: None,
    ) -> list[tuple[list[WindowScores], list[WindowScores]]]:
        """Score the best windows of each claim with every signal, each signal in one batch for all claims.

        Args:
            texts: the claims.
            windows: those of each claim.
            heads: what gives the dates that a document bears.
            same_thing: where given, the NLI model does not read windows that are about something else than the best
                one (:func:`~verifier.verification.decision.summary.least_alignment`), which no verdict rests on.
            meanwhile: work of the caller's that is done while the model reads the last windows, on another core.

        Returns:
            For each claim the readings of its narrow windows, and those of the wide ones beside them.

        Raises:
            BackendError: a document's head could not be read.
            SignalError: a signal failed.
        """
        ranked = self._ranked(texts, windows)
        wide = [wide_windows(found) for found in ranked]
        narrow = self._restated([*self._reaching(texts, ranked)], keep=True)
        beside = [
            _Asked(n, window, {}, Restated.of(texts[n]), model=True)
            for n, some in enumerate(wide)
            for window in some
        ]
        beside = self._restated(beside, keep=False)
        at_once = narrow if same_thing is None else _best_of_each(narrow)
        with self._model_reading([*at_once, *beside]):
            self._ask(RANKING_SIGNAL, beside)
            for name in self.signals:
                if name not in (RANKING_SIGNAL, MODEL_SIGNAL, VALUE_SIGNAL):
                    self._ask(name, narrow)
            for item in narrow:
                _settle_denial(item.scores)
            self._ask(RANKING_SIGNAL, [item for item in narrow if item.claim.pieces])
            with failing_as(BackendError, "reading the heads of documents"):
                for item in narrow:
                    item.scores.update(dated(item.claim.claim, item.reading, heads).scores)
        weighed = [] if same_thing is None else _weighed(narrow, same_thing)
        with self._model_reading(item for item in weighed if MODEL_SIGNAL not in item.scores):
            meanwhile()
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
                scores = {RANKING_SIGNAL: score}
                yield _Asked(n, window, scores, Restated.of(texts[n]), model=rank < self.model_windows)

    def _restated(self, asked: Sequence[_Asked], *, keep: bool) -> list[_Asked]:
        """The same, each with the claim in its window's forms of the values that both have.

        ``keep`` is whether what the number signal says of the window counts, and is not only found for this.
        """
        if VALUE_SIGNAL not in self.signals:
            return list(asked)
        found, pairs = [], _pairs(asked)
        for item, pair, score in zip(asked, pairs, self.score(VALUE_SIGNAL, pairs), strict=True):
            scores = {**item.scores, VALUE_SIGNAL: score} if keep else item.scores
            found.append(replace(item, scores=scores, claim=restated(pair, score.findings)))
        return found

    def _compared(self, texts: Sequence[str]) -> list[list[Span]]:
        """Where each claim has values and names: what it shares with itself."""
        own = [TextPair(text, text) for text in texts]
        found = zip(*(self.score(name, own) for name in COMPARING if name in self.signals), strict=True)
        spans = [[item.claim_span for score in scores for item in score.findings] for scores in found]
        return spans or [[] for _ in texts]

    def _ask(self, name: str, asked: Sequence[_Asked]) -> None:
        """Add what a signal says of each window."""
        for item, score in zip(asked, self.score(name, _pairs(asked)), strict=True):
            item.scores[name] = item.claim.told(score)

    @contextmanager
    def _model_reading(self, asked: Iterable[_Asked]) -> Iterator[None]:
        """Have the model read those windows that it may meanwhile, on another core; add what it says at the end."""
        read = [item for item in asked if item.model and MODEL_SIGNAL in self.signals]
        if not read:
            yield
            return
        with ThreadPoolExecutor(1) as pool:
            said = pool.submit(copy_context().run, self._by_model, read)
            yield
        for item, score in zip(read, said.result(), strict=True):
            item.scores[MODEL_SIGNAL] = score

    def _by_model(self, asked: Sequence[_Asked]) -> list[SignalScore]:
        """What the model says of each window: of two wordings of one claim, what it says of the one that it follows.

        Values of one wording are those of the other, so what the model sees in only one of them is no conflict of
        values. It does not reckon: where a value follows from those of the window, it cannot tell that it conflicts.
        """
        again = [item for item in asked if item.claim.pieces]
        as_it_stands = [TextPair(item.window.premise, item.claim.claim) for item in again]
        scores = self.score(MODEL_SIGNAL, [*_pairs(asked), *as_it_stands])
        others = iter(scores[len(asked) :])
        best = [
            max(item.claim.told(score), next(others), key=_followed) if item.claim.pieces else score
            for item, score in zip(asked, scores[: len(asked)], strict=True)
        ]
        return [
            _undecided(score, 0.0)
            if item.claim.reckoned
            else _undecided(score, score.features["entailment"])
            if item.claim.loose
            else score
            for item, score in zip(asked, best, strict=True)
        ]

    def score(self, name: str, pairs: Sequence[TextPair]) -> list[SignalScore]:
        """What one of the signals says of these pairs.

        Raises:
            SignalError: it failed, or gave what is no score.
        """
        with failing_as(SignalError, f"signal {name!r}"):
            scores = self.signals[name].score(pairs)
            if len(scores) != len(pairs):
                raise SignalError(f"signal {name!r} gave {len(scores)} scores for {len(pairs)} pairs")
            if not all(0.0 <= value <= 1.0 for score in scores for value in score.features.values()):
                raise SignalError(f"signal {name!r} gave a feature that is no number from 0 to 1")
            return scores


@dataclass(frozen=True, slots=True)
class _Asked:
    """A window of claim number ``number`` that signals are asked about, ``model`` among them or not; ``claim`` as it
    is read beside this window."""

    number: int
    window: Window
    scores: dict[str, SignalScore]
    claim: Restated
    model: bool

    @property
    def reading(self) -> WindowScores:
        """What is known of the window by now."""
        return WindowScores(self.window, dict(sorted(self.scores.items())), read_as=self.claim.text)


def _settle_denial(scores: dict[str, SignalScore]) -> None:
    """Leave out a conflict of polarity where the claim's figure is what the denial leaves of the evidence's."""
    number, denial = scores.get(VALUE_SIGNAL), scores.get(DENIAL_SIGNAL)
    if number is None or denial is None or not denial.features["polarity"] or not settles_denial(number):
        return
    kept = tuple(item for item in denial.findings if item.kind != "polarity")
    features = {**denial.features, "polarity": 0.0}
    conflicts = any(item.relation is Relation.CONFLICT for item in kept)
    outcome = denial.outcome if conflicts else Outcome.CONSISTENT
    support = denial.support if conflicts else 1.0
    scores[DENIAL_SIGNAL] = replace(
        denial, outcome=outcome, support=support, findings=kept, features=features
    )


def _undecided(score: SignalScore, most: float) -> SignalScore:
    """The same with so much contradiction at most; what is more than that counts as saying nothing."""
    excess = max(0.0, score.features["contradiction"] - most)
    neutral = min(1.0, score.features["neutral"] + excess)
    features = {
        **score.features,
        "neutral": neutral,
        "contradiction": score.features["contradiction"] - excess,
    }
    if score.outcome is not Outcome.CONFLICTING or not excess:
        return replace(score, features=features)
    outcome = Outcome.ABSENT if neutral >= features["entailment"] else Outcome.CONSISTENT
    return replace(score, outcome=outcome, features=features)


def _followed(score: SignalScore) -> float:
    """How far a model sees a claim entailed rather than contradicted, in [-1, 1]."""
    return score.features["entailment"] - score.features["contradiction"]


def _readings(asked: Iterable[_Asked]) -> defaultdict[int, list[WindowScores]]:
    """The readings of each claim, in the order of its windows."""
    readings: defaultdict[int, list[WindowScores]] = defaultdict(list)
    for item in asked:
        readings[item.number].append(item.reading)
    return readings


def _pairs(asked: Iterable[_Asked]) -> list[TextPair]:
    return [TextPair(item.window.premise, item.claim.text) for item in asked]


def _best_of_each(asked: Sequence[_Asked]) -> list[_Asked]:
    """The first window of each claim: whatever the rules say, its features are hardly ever left unasked."""
    return [*{item.number: item for item in reversed(asked)}.values()]


def _weighed(asked: Sequence[_Asked], same_thing: float) -> list[_Asked]:
    """The windows of which the features of each claim are made, whatever a model says of them."""
    readings = _readings(asked)  # each keeps its alignment, once it is known
    least = {claim: least_alignment(some, same_thing) for claim, some in readings.items()}
    of_each = {claim: iter(some) for claim, some in readings.items()}
    return [
        item for item in asked if next(of_each[item.number]).alignment >= least[item.number] and item.model
    ]


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
