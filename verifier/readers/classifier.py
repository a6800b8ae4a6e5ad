"""A reader over a sequence classifier that judges pairs of evidence and claim."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from verifier_signals.nli import NLISignal
from verifier_signals.nli.kinds import Kind
from verifier_signals.nli.opening import Engine
from verifier_signals.types import SignalScore, TextPair

from verifier.core.errors import ConfigError, SignalError, failing_as
from verifier.readers.base import Reader, Traits
from verifier.readers.types import Answer, Case, Piece, Reading, State

__all__ = ["ClassifierReader", "EmbeddedReader"]

_CLASS_OF: Mapping[Answer, str] = {
    Answer.CONTRADICTED: "contradiction",
    Answer.NOT_FOUND: "neutral",
    Answer.SUPPORTED: "entailment",
}
"""The class of the model behind each answer. Among equals the first is taken: a tie never speaks for the claim."""

_TIE = 1e-6
"""A lead within rounding is a tie."""


class _PairReader(Reader):
    """Reads each (piece, claim) pair with an NLI model and puts the pairs of a claim together.

    With ``e_p``, ``n_p`` and ``c_p`` the model's probabilities for piece ``p``: ``E = max_p e_p``, ``C = max_p c_p``,
    ``N = min_p n_p``, and the probabilities of supported, contradicted and not found are ``E``, ``C`` and ``N`` divided
    by their sum, which is at least 1. Over one piece that is the model's own answer; over several one piece that
    entails the claim is not drowned by those that speak of something else, and pieces that disagree show both. It is
    the rule by which the signal sums up the windows of one premise (:class:`verifier_signals.nli.NLISignal`).

    ``pieces`` of a reading are those that decide, best first: the piece with ``E`` (or ``C``), then the others of which
    the answer is the likeliest, too.

    A case of which no piece can be read (a foreign script, a claim longer than the model's input) is ``abstained``
    with the reason; a piece that cannot be read among others is named in the note. An objection is not read: a
    classifier has no place for it.
    """

    traits = Traits(quotes=False, probabilities=True, multilingual=False, kind="classifier")

    def __init__(self, signal: NLISignal) -> None:
        self._signal = signal

    @property
    def identity(self) -> str:
        """The model as it is named in the configuration, and the fingerprint of its weights. Loads the model.

        Raises:
            ConfigError, MissingExtra: the model that is configured cannot work at all.
        """
        try:
            fingerprint = self._signal.fingerprint
        except SignalError:  # every reading will say why
            fingerprint = "unknown"
        return f"classifier {self._signal.title}, fingerprint {fingerprint}"

    def read(self, cases: Sequence[Case]) -> list[Reading]:
        """A reading of every case, all pairs in one batch.

        Raises:
            ConfigError, MissingExtra: the model that is configured cannot work at all.
        """
        pairs = [TextPair(_premise(piece), case.claim) for case in cases for piece in case.pieces]
        try:
            with failing_as(SignalError, "the classifier"):
                scores = iter(self._signal.score(pairs))
        except SignalError as error:
            return [Reading.failed(str(error)) for _ in cases]
        return [_reading([next(scores) for _ in case.pieces]) for case in cases]


class EmbeddedReader(_PairReader):
    """Reads with the model that is in the package: no download, no extra, English only."""

    def __init__(self) -> None:
        super().__init__(NLISignal())


class ClassifierReader(_PairReader):
    """Reads with any sequence classifier that ``signals.nli`` reads: classifiers, MiniCheck, HHEM, ONNX exports.

    Args:
        model: a folder, or the id of a model on the hub.
        kind, engine, labels, max_tokens, threads, batch_tokens, revision, device, dtype, tokenizer, remote_code,
            cache_size: those of :class:`verifier_signals.nli.NLISignal`, with its defaults.

    Raises:
        ConfigError: no model is named.
    """

    def __init__(
        self,
        model: str,
        *,
        kind: Kind = "auto",
        engine: Engine = "auto",
        labels: Sequence[str] | None = None,
        max_tokens: int | None = None,
        threads: int | None = None,
        batch_tokens: int = 4096,
        revision: str | None = None,
        device: str | None = None,
        dtype: Literal["float32", "float16", "bfloat16"] | None = None,
        tokenizer: str | None = None,
        remote_code: bool = False,
        cache_size: int = 8192,
    ) -> None:
        if not model:
            raise ConfigError("the reader 'classifier' needs a model: a folder, or the id of one on the hub")
        super().__init__(
            NLISignal(
                model,
                kind=kind,
                engine=engine,
                labels=labels,
                max_tokens=max_tokens,
                threads=threads,
                batch_tokens=batch_tokens,
                revision=revision,
                device=device,
                dtype=dtype,
                tokenizer=tokenizer,
                remote_code=remote_code,
                cache_size=cache_size,
            )
        )


def _premise(piece: Piece) -> str:
    """A piece as the model reads it: where it stands, as a sentence, then its text.

    The text of a passage leaves out what its headings say. Over 1,344 labelled claims with three passages each, the
    label before them raises the AUROC of *supported* from 0.695 to 0.737, and the share of right answers from 0.478 to
    0.546; only where the label has a word of the claim that the text lacks, it comes to 0.727 and 0.534
    (``python -m benchmarks.first_use premises``). So it always stands there.
    """
    label = piece.label.strip(" .:\n\t")
    return f"{label}. {piece.text}" if label and piece.text.strip() else piece.text


def _reading(scores: Sequence[SignalScore]) -> Reading:
    """What the scores of a claim's pieces, in their order, come to."""
    unread = {n: reason for n, score in enumerate(scores, 1) for reason in _unread(score)}
    if scores and len(unread) == len(scores):
        return Reading(State.ABSTAINED, note=f"the classifier read nothing: {unread[1]}")
    chances = _probabilities(scores)
    answer = Answer.CONTRADICTED
    for other in _CLASS_OF:
        if chances[other] > chances[answer] + _TIE:
            answer = other
    notes = [f"piece {n} was not read: {reason}" for n, reason in unread.items()]
    return Reading(
        State.SETTLED,
        answer=answer,
        probabilities=chances,
        pieces=_deciding(scores, answer),
        note="; ".join(notes),
    )


def _probabilities(scores: Sequence[SignalScore]) -> dict[Answer, float]:
    """``E``, ``C`` and ``N`` over their sum; without pieces all of it is *not found*."""
    entailment = max((score.features["entailment"] for score in scores), default=0.0)
    contradiction = max((score.features["contradiction"] for score in scores), default=0.0)
    neutral = min((score.features["neutral"] for score in scores), default=1.0)
    total = entailment + contradiction + neutral
    return {
        Answer.SUPPORTED: entailment / total,
        Answer.CONTRADICTED: contradiction / total,
        Answer.NOT_FOUND: neutral / total,
    }


def _deciding(scores: Sequence[SignalScore], answer: Answer) -> tuple[int, ...]:
    """Numbers of the pieces behind an answer, best first; none where nothing was found."""
    if answer is Answer.NOT_FOUND:
        return ()
    name = _CLASS_OF[answer]
    ranked = sorted(enumerate(scores, 1), key=lambda item: (-item[1].features[name], item[0]))
    likeliest = [n for n, score in ranked if score.features[name] >= max(score.features.values())]
    best = ranked[0][0]
    return (best, *(n for n in likeliest if n != best))


def _unread(score: SignalScore) -> Iterable[str]:
    """Why the model could not read a pair, if it could not."""
    return (finding.note for finding in score.findings if finding.kind == "unread")
