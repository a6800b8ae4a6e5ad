"""The course of a stream: cut tokens into segments to be scored, and decide what may be passed on."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from verifier.core.errors import ConfigError
from verifier.core.text import sentence_spans
from verifier.guard.streaming.calls import Failure
from verifier.guard.streaming.hidden import HiddenWatch, told
from verifier.guard.streaming.segments import Sentences
from verifier.guard.streaming.trend import RollingMean, RollingSlope
from verifier.guard.streaming.types import Halt, HaltKind, Scored, Segment, StreamEvent, StreamSession, paired
from verifier.types import HiddenText
from verifier.verification.claims import hidden_in

__all__ = ["Asking", "Course", "Rules"]

Asking = Generator[Segment, Scored | Failure | None, None]
"""Yields a segment at a time and is sent what the score says of it: the same steps with and without an event loop."""

_MISSING_HALF = ("\ud800", "\udbff")
"""A token that ends with a character in this range is waiting for the other half of a surrogate pair."""


_LEAST: Mapping[str, int] = {
    "window_size": 1,
    "trend_window": 2,
    "soft_cap": 1,
    "hold_tokens": 1,
    "context_chars": 0,
}


@dataclass(frozen=True, kw_only=True)
class Rules:
    """When a stream is scored and halted, and how long anything is held; see ``StreamingKernel``.

    Raises:
        ConfigError: a value is out of its bounds.
    """

    hard_limit: float = 0.5
    window_size: int = 10
    window_threshold: float = 0.55
    trend_window: int = 5
    trend_threshold: float = 0.45
    halt_mode: Literal["hard", "soft"] = "hard"
    soft_cap: int = 50
    every: Literal["sentence"] | int = "sentence"
    on_error: Literal["halt", "skip"] = "halt"
    hold_tokens: int = 200
    hold_seconds: float | None = None
    context_chars: int = 1000
    allow_hidden: bool = False

    def __post_init__(self) -> None:
        for name in ("hard_limit", "window_threshold", "trend_threshold"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ConfigError(f"{name} = {getattr(self, name)!r}: expected a number from 0 to 1")
        for name, least in _LEAST.items():
            if not _is_count(getattr(self, name)) or getattr(self, name) < least:
                raise ConfigError(
                    f"{name} = {getattr(self, name)!r}: expected a whole number from {least} on"
                )
        if self.halt_mode not in ("hard", "soft"):
            raise ConfigError(f"halt_mode = {self.halt_mode!r}; known: hard, soft")
        if self.on_error not in ("halt", "skip"):
            raise ConfigError(f"on_error = {self.on_error!r}; known: halt, skip")
        if self.every != "sentence" and (not _is_count(self.every) or self.every < 1):
            raise ConfigError(f"every = {self.every!r}: expected 'sentence' or a number of tokens")
        if self.hold_seconds is not None and not self.hold_seconds > 0:
            raise ConfigError(f"hold_seconds = {self.hold_seconds!r}: expected a number above 0, or None")


class Course:
    """The state of one stream between two tokens. It asks for scores by yielding, and does no waiting itself.

    With ``release`` only what was scored is ever ``due``; without it every token is, until the stream is halted.
    """

    def __init__(
        self,
        rules: Rules,
        session: StreamSession,
        *,
        release: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.over = False
        self._rules, self._session, self._release, self._clock = rules, session, release, clock
        self._sentences = Sentences()
        self._mean, self._slope = RollingMean(rules.window_size), RollingSlope(rules.trend_window)
        self._context = self._half = ""
        self._unscored: list[str] = []
        """Text since the last score, where scores are due by tokens."""
        self._since = self._scored_to = 0
        self._held, self._held_since = 0, 0.0
        self._skipped = False
        """Whether a score failed and was passed over: nothing behind that is known to be safe."""
        self._soft_left: int | None = None
        self._due: list[str] = []
        self._hidden = None if rules.allow_hidden else HiddenWatch()

    def take(self, token: str) -> Asking:
        """One more token; ``due`` says afterwards what may be given out.

        Raises:
            TypeError: the token is no text.
        """
        text = self._whole(_str(token, len(self._session.tokens)))
        self._session.tokens.append(token)
        ending = self._soft_left is not None
        if self._soft_left is not None:
            self._soft_left -= 1
        ended = self._sentences.push(text)
        if self._rules.every == "sentence":
            yield from self._score_each(ended)
        else:
            yield from self._count(text)
        self._keep_time(ended)
        if self._release and not self.over and self._held_too_long():
            yield from self.cut()
        if self._soft_left is not None and not self.over:
            yield from self._end_softly(ending and bool(ended))
        if not self._release and self._may_pass and (text or not token):
            self._due.append(text)

    def cut(self) -> Asking:
        """Score what is held, though its sentence has not ended."""
        yield from self._score_each(self._sentences.cut())
        self._held, self._held_since = int(bool(self._sentences.pending)), self._clock()

    def finish(self) -> Asking:
        """The stream has ended by itself."""
        last, self._half = self._half, ""
        self._session.finished = True
        if self._hidden is not None and (found := next(iter(hidden_in(self._session.text)), None)):
            token = len(self._session.tokens) - 1
            self._halt_hidden(found, Segment(found.text, "", found.start, found.end, token))
            return
        ended = [*self._sentences.push(last), *self._sentences.finish()]
        if self._rules.every == "sentence":
            yield from self._score_each(ended)
        elif rest := "".join([*self._unscored, last]):
            self._unscored.clear()
            yield from self._score(rest)
        if not self._release and last and self._may_pass:
            self._due.append(last)
        self.over = True

    def due(self) -> Iterator[str]:
        """What may be given out now; asked for once."""
        pieces, self._due = self._due, []
        for piece in pieces:
            self._session.given_out += len(piece)
            yield piece

    @property
    def seconds_left(self) -> float | None:
        """How long what is held may still be held; ``None`` where nothing is, or for as long as it takes."""
        if not self._release or self._rules.hold_seconds is None or not self._held:
            return None
        return max(self._held_since + self._rules.hold_seconds - self._clock(), 0.0)

    @property
    def _may_pass(self) -> bool:
        return not self.over or self._soft_left is not None

    # -- what is scored, and when -----------------------------------------------------------------------

    def _whole(self, token: str) -> str:
        """The token's text, with the half of a surrogate pair that the one before left open."""
        text, self._half = paired(self._half + token), ""
        if text and _MISSING_HALF[0] <= text[-1] <= _MISSING_HALF[1]:
            text, self._half = text[:-1], text[-1]
        return text

    def _count(self, text: str) -> Asking:
        """Score after so many tokens."""
        self._unscored.append(text)
        self._since += 1
        if self._since == self._rules.every:
            piece = "".join(self._unscored)
            self._since = 0
            self._unscored.clear()
            yield from self._score(piece)

    def _score_each(self, pieces: Iterable[str]) -> Asking:
        """Score sentences; of those behind one that halts softly only the next, which had begun."""
        for piece in pieces:
            if self.over:
                return
            last = self._soft_left is not None
            yield from self._score(piece)
            self.over = self.over or last

    def _score(self, piece: str) -> Asking:
        """Have a piece scored, put the score to the rules, and let the piece out if it may go."""
        segment = Segment(
            text=piece,
            context=self._context,
            start=self._scored_to,
            end=self._scored_to + len(piece),
            token=len(self._session.tokens) - 1,
        )
        self._scored_to = segment.end
        kept = self._rules.context_chars
        self._context = (self._context + piece)[-kept:] if kept else ""
        if self._hidden is not None and (found := self._hidden.push(piece)):
            self._halt_hidden(found, segment)
            return
        answer = (yield segment) if piece.strip() else Scored(None)
        assert answer is not None
        self._judge(segment, answer)
        if not self.over:
            if not (self._session.halted or self._skipped):
                self._session.checked_to = segment.end
            if self._release:
                self._due.append(piece)

    def _judge(self, segment: Segment, answer: Scored | Failure) -> None:
        where = (segment.start, segment.end, segment.token)
        if isinstance(answer, Failure):
            self._session.events.append(StreamEvent(*where, None, note=answer.reason))
            self._skipped = True
            if self._rules.on_error == "halt":
                self._cut_at_once(Halt(answer.kind, answer.reason, segment.token, segment))
            return
        mean = slope = None
        if answer.value is not None:
            mean, slope = self._mean.push(answer.value), self._slope.push(answer.value)
        self._session.events.append(StreamEvent(*where, answer.value, mean, slope, answer.reason))
        broken = self._broken(answer, mean, slope)
        if broken is None:
            return
        kind, rule = broken
        reason = f"{rule}: {answer.reason}" if answer.reason else rule
        halt = Halt(kind, reason, segment.token, segment, answer.claims)
        if kind is HaltKind.HARD_LIMIT or self._rules.halt_mode == "hard":
            self._cut_at_once(halt)
        elif not self._session.halted:
            self._session.halt, self._soft_left = halt, self._rules.soft_cap

    def _halt_hidden(self, found: HiddenText, segment: Segment) -> None:
        reason = told(found)
        where = (segment.start, segment.end, segment.token)
        self._session.events.append(StreamEvent(*where, None, note=reason))
        self._cut_at_once(Halt(HaltKind.HIDDEN, reason, segment.token, segment))

    def _broken(self, scored: Scored, mean: float | None, slope: float | None) -> tuple[HaltKind, str] | None:
        """The first rule that a score breaks, in plain words."""
        rules = self._rules
        if scored.value is not None and scored.value < rules.hard_limit:
            return HaltKind.HARD_LIMIT, f"score {scored.value:.2f} is below {rules.hard_limit:g}"
        if mean is not None and mean < rules.window_threshold:
            what = f"mean {mean:.2f} of the last {rules.window_size} scores"
            return HaltKind.WINDOW_MEAN, f"{what} is below {rules.window_threshold:g}"
        if slope is not None and slope * (rules.trend_window - 1) < -rules.trend_threshold:
            fall = -slope * (rules.trend_window - 1)
            what = f"the last {rules.trend_window} scores fall by {fall:.2f}"
            return HaltKind.TREND, f"{what}, more than {rules.trend_threshold:g}"
        return None

    # -- how a stream ends ------------------------------------------------------------------------------

    def _cut_at_once(self, halt: Halt) -> None:
        before = self._session.halt
        self._session.halt = (
            halt if before is None else replace(before, reason=f"{before.reason}; then {halt.reason}")
        )
        self._soft_left, self.over = None, True

    def _end_softly(self, ended: bool) -> Asking:
        """End with the sentence that had begun when the stream was halted, or at the cap.

        A sentence counts as ended by its mark alone: waiting for the next word would let that out too.
        """
        pending = self._sentences.pending
        begun = pending.strip()
        if begun and len(sentence_spans(f"{begun} The")) > 1:
            if self._rules.every == "sentence":
                yield from self._score_each(self._sentences.finish())
            ended = True
        elif not begun:
            ended = True
        if ended or self._soft_left == 0:
            self.over = True

    def _keep_time(self, ended: list[str]) -> None:
        """Count the tokens, empty ones too, since the oldest text that is held came."""
        if ended or not self._held:
            self._held_since = self._clock()
        self._held = (0 if ended else self._held) + 1 if self._sentences.pending else 0

    def _held_too_long(self) -> bool:
        return self._held >= self._rules.hold_tokens or self.seconds_left == 0.0


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _str(token: object, number: int) -> str:
    if not isinstance(token, str):
        raise TypeError(f"token {number} is a {type(token).__name__}, expected str")
    return token
