"""Ask a reader about the claims that are open, and add what it says to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from verifier_signals.types import SignalScore, TextPair

from verifier.core.errors import ConfigError, SignalError, VerifierError
from verifier.core.text import unreadable
from verifier.readers import Case, Reader, Reading, State
from verifier.types import ClaimVerdict, ReaderSaid
from verifier.verification.consultation.answers import Consulted, objection_to
from verifier.verification.consultation.cases import Asked, ReadingRules, cases_of
from verifier.verification.consultation.quotations import Quoted, located, window_of
from verifier.verification.decision.features import WindowScores
from verifier.verification.decision.summary import ReadClaim
from verifier.verification.decision.verdict import Decided, Fusion

__all__ = ["Consultant", "in_foreign_language", "notes_of", "said_by_reader"]

Scores = Callable[[str, Sequence[TextPair]], list[SignalScore]]
"""A rule signal's name and pairs in, its scores out."""

_LOOKED_AT = 3
"""Of the passages that were found for a claim, how many tell in which language its evidence is."""


@dataclass(frozen=True)
class Consultant:
    """A reader, and how it is used for one knowledge base.

    Args:
        reader: what is asked.
        rules: about which claims, with which evidence.
        fusion: the weights of claims that it has read; by default those shipped for its kind.
    """

    reader: Reader
    rules: ReadingRules
    given_fusion: Fusion | None = None

    @cached_property
    def fusion(self) -> Fusion:
        """The weights in use.

        Raises:
            ConfigError: they were learnt with another reader.
        """
        given = self.given_fusion
        if given is None:
            return Fusion.of_kind(self.reader.traits.kind)
        if given.reader != self.reader.identity:
            learnt = given.reader or "no reader"
            raise ConfigError(f"the weights were learnt with {learnt}, and this is {self.reader.identity}")
        return given

    @property
    def calibrated(self) -> bool:
        """Whether the weights were learnt with this very reader."""
        return self.fusion.reader == self.reader.identity

    @property
    def identity(self) -> str:
        """Everything about it that verdicts depend on."""
        return f"{self.reader.identity} {self.rules}"

    def is_open(self, read: ReadClaim, decided: Decided | None) -> bool:
        """Whether the reader is asked about a claim: there is something to read, and the signals are not sure of it.

        Args:
            read: the claim.
            decided: what the signals make of it; ``None`` where they cannot read it.
        """
        if not read.retrieved:
            return False
        if decided is None or self.rules.read == "all" or in_foreign_language(read):
            return True
        threshold = self.fusion.settled_at.get(decided.verdict.value)
        return threshold is None or decided.conflict or decided.confidence < threshold

    def asked(self, reads: Sequence[ReadClaim], source: object) -> list[Asked]:
        """What would be asked about these claims."""
        return cases_of(reads, self.rules, source)

    def consult(
        self, reads: Sequence[ReadClaim], source: object, signals: Sequence[str], score: Scores
    ) -> list[ReadClaim]:
        """Ask about these claims; where other signals hold something against an answer, ask about those once more.

        Signals know English: words that are quoted from a text in another language, they hold nothing against.

        Args:
            reads: the claims, all of them open.
            source: where whole documents can be had.
            signals: names of the rule signals that guard.
            score: asks one of them.

        Raises:
            ConfigError, MissingExtra: what is configured cannot work at all.
            SignalError: the reader broke its contract, or a signal failed.
        """
        asked = self.asked(reads, source)
        found = self._resolved(asked, self._read([one.case for one in asked]), signals, score)
        objections = [
            objection_to(one, self.fusion.veto_at, stated=_stated(read))
            for one, read in zip(found, reads, strict=True)
        ]
        again = [n for n, objection in enumerate(objections) if objection]
        if again:
            cases = [replace(asked[n].case, objection=objections[n]) for n in again]
            second = self._resolved([asked[n] for n in again], self._read(cases), signals, score)
            for n, one in zip(again, second, strict=True):
                calls = (*found[n].reading.calls, *one.reading.calls)
                found[n] = replace(
                    one,
                    reading=replace(one.reading, calls=tuple(dict.fromkeys(calls))),
                    objection=objections[n],
                    insisted=one.answer is found[n].answer,
                )
        return [replace(read, consulted=one) for read, one in zip(reads, found, strict=True)]

    def _read(self, cases: Sequence[Case]) -> list[Reading]:
        """The reader's word on each; whatever it raises or leaves out is an error, never a pass."""
        try:
            readings = self.reader.read(cases)
        except VerifierError:
            raise
        except Exception as error:
            raise SignalError(f"the reader failed: {type(error).__name__}: {error}") from error
        if len(readings) != len(cases):
            raise SignalError(f"the reader gave {len(readings)} readings for {len(cases)} claims")
        return readings

    def _resolved(
        self, asked: Sequence[Asked], readings: Sequence[Reading], signals: Sequence[str], score: Scores
    ) -> list[Consulted]:
        """Each reading with its quotations looked up, and what the rule signals say of the places where they stand."""
        found = [self._looked_up(one, reading) for one, reading in zip(asked, readings, strict=True)]
        windows = [
            [window for window in map(window_of, one.quoted) if _legible(item.case.claim, window.premise)]
            for item, one in zip(asked, found, strict=True)
        ]
        pairs = [
            TextPair(window.premise, one.case.claim)
            for one, some in zip(asked, windows, strict=True)
            for window in some
        ]
        scores = [
            dict(zip(signals, row, strict=True))
            for row in zip(*(score(name, pairs) for name in signals), strict=True)
        ]
        at, out = iter(scores or [{} for _ in pairs]), []
        for one, some in zip(found, windows, strict=True):
            out.append(replace(one, windows=tuple(WindowScores(window, next(at)) for window in some)))
        return out

    def _looked_up(self, asked: Asked, reading: Reading) -> Consulted:
        quoted: list[Quoted] = []
        lost: list[str] = []
        for quotation in reading.quotations:
            place = located(quotation, asked.evidence) if quotation.piece <= len(asked.evidence) else None
            if place is None:
                lost.append(quotation.text)
            elif place not in quoted:
                quoted.append(place)
        return Consulted(
            reading, self.reader.traits.quotes, tuple(quoted), lost=tuple(lost), left_out=asked.left_out
        )


def in_foreign_language(read: ReadClaim) -> bool:
    """Whether signals that know English say nothing of a claim: most of the nearest evidence is in another language."""
    nearest = read.retrieved[:_LOOKED_AT]
    foreign = sum(unreadable(item.text) is not None for item in nearest)
    return 2 * foreign > len(nearest)


def said_by_reader(consulted: Consulted) -> ReaderSaid:
    """The reading as a report carries it."""
    reading = consulted.reading
    chances = reading.probabilities
    return ReaderSaid(
        state=reading.state.value,
        answer=None if reading.answer is None else reading.answer.value,
        note=reading.note,
        probabilities=None if chances is None else {name.value: chance for name, chance in chances.items()},
        quotations=tuple(one.evidence.narrowed(one.start, one.end).quotation for one in consulted.quoted),
        lost=consulted.lost,
        left_out=consulted.left_out,
        objection=consulted.objection,
        calls=reading.calls,
    )


def notes_of(consultant: Consultant, verdicts: Sequence[ClaimVerdict]) -> list[str]:
    """What a person must know of how a reader was used for these claims."""
    read = [verdict.reader for verdict in verdicts if verdict.reader is not None]
    settled = [said for said in read if said.state == State.SETTLED]
    notes = []
    if settled and not consultant.calibrated:
        notes.append(
            "the reader's confidence was calibrated on the answers of another large model, not of this one"
        )
    if settled and not consultant.reader.traits.quotes:
        notes.append("the reader does not quote: the evidence shown is the closest passage")
    if partly := sum(said.left_out > 0 for said in settled):
        notes.append(
            f"for {_claims(partly)}, some passages were left out because they did not fit "
            "(reader.evidence_tokens)"
        )
    if silent := sum(said.state == State.ABSTAINED for said in read):
        notes.append(f"the reader abstained on {_claims(silent)}; the signals judged alone")
    return notes


def _claims(number: int) -> str:
    return "1 claim" if number == 1 else f"{number} claims"


def _legible(*texts: str) -> bool:
    """Whether signals that know English can read all of them."""
    return all(unreadable(text) is None for text in texts)


def _stated(read: ReadClaim) -> str | None:
    """The words of a document that state a claim, where one does word for word."""
    return next((one.window.as_evidence().text for one in read.readings if one.stated), None)
