"""What passes between a stream, its kernel and its reader: a segment, its score, an event, a halt, the session."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum
from numbers import Real

from verifier.types import ClaimVerdict

__all__ = [
    "AnyScore",
    "AsyncScore",
    "Halt",
    "HaltKind",
    "Score",
    "Scored",
    "Segment",
    "StreamEvent",
    "StreamSession",
    "paired",
]


class HaltKind(StrEnum):
    """Which rule ended a stream."""

    HARD_LIMIT = "hard_limit"
    WINDOW_MEAN = "window_mean"
    TREND = "trend"
    HIDDEN = "hidden"
    """It says something where nobody sees it who reads it rendered."""
    ERROR = "error"
    """The score failed: it raised, or gave what is no score."""
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a stream that is to be scored: ``stream_text[start:end] == text``.

    ``context`` is the end of what stands before it, bounded, so that a score's cost does not grow with the stream.
    ``token`` is the number of the last token taken, from 0.
    """

    text: str
    context: str
    start: int
    end: int
    token: int


@dataclass(frozen=True, slots=True)
class Scored:
    """What a score says of a segment.

    ``value`` is in [0, 1], higher is better; ``None`` where the segment holds nothing to check. ``reason`` says in
    plain words what weighed, ``claims`` holds the verdicts behind it, the worst first.
    """

    value: float | None
    reason: str = ""
    claims: tuple[ClaimVerdict, ...] = ()

    @classmethod
    def of(cls, given: object) -> Scored:
        """What a callback gave, checked.

        Raises:
            ValueError: it is no number in [0, 1], no ``Scored`` and not ``None``.

        >>> Scored.of(0.25).value, Scored.of(None).value
        (0.25, None)
        """
        if isinstance(given, cls):
            scored = given
        elif given is None or (type(given) is not bool and isinstance(given, Real)):
            scored = cls(None if given is None else float(given))
        else:
            raise ValueError(
                f"the score gave a {type(given).__name__}; expected a number from 0 to 1 or None"
            )
        value = scored.value
        if value is not None and not (math.isfinite(value) and 0.0 <= value <= 1.0):
            raise ValueError(f"the score gave {value!r}; expected a number from 0 to 1 or None")
        return scored


Score = Callable[[Segment], float | Scored | None]
AsyncScore = Callable[[Segment], Awaitable[float | Scored | None]]
AnyScore = Score | AsyncScore


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """One segment that was scored: where it stands, its score, and the window as it then was.

    ``slope`` is that of the fitted line, a score's step; ``None`` until its window is full. ``value`` is ``None``
    where there was nothing to check, or where the score failed and the configuration lets it (``note`` says why).
    """

    start: int
    end: int
    token: int
    value: float | None
    mean: float | None = None
    slope: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Halt:
    """Why a stream was halted, at which token, over which segment, with the claims that failed."""

    kind: HaltKind
    reason: str
    token: int
    segment: Segment
    claims: tuple[ClaimVerdict, ...] = ()


@dataclass
class StreamSession:
    """Everything that happened to one stream.

    ``tokens`` holds every token taken, as it was given, the one at which the stream was halted included. ``halt`` is
    ``None`` for a stream that ended by itself. ``checked_to`` is where the safe prefix ends; ``given_out`` counts the
    code points that the reader was given.
    """

    tokens: list[str] = field(default_factory=list)
    events: list[StreamEvent] = field(default_factory=list)
    halt: Halt | None = None
    checked_to: int = 0
    given_out: int = 0
    finished: bool = False

    @property
    def halted(self) -> bool:
        """Whether the stream was cut or is being brought to its end."""
        return self.halt is not None

    @property
    def halt_index(self) -> int | None:
        """Number of the token at which a rule fired, from 0."""
        return None if self.halt is None else self.halt.token

    @property
    def halt_reason(self) -> str | None:
        """The rule that fired, in plain words."""
        return None if self.halt is None else self.halt.reason

    @property
    def evidence(self) -> tuple[ClaimVerdict, ...]:
        """The verdicts of the claims over which the stream was halted, the worst first, with what they quote."""
        return () if self.halt is None else self.halt.claims

    @property
    def text(self) -> str:
        """All tokens taken, put together; joined each time it is asked for."""
        return paired("".join(self.tokens))

    @property
    def output(self) -> str:
        """What the reader was given."""
        return self.text[: self.given_out]

    @property
    def safe_prefix(self) -> str:
        """The text up to the last segment that was scored, or had nothing to check, and did not halt the stream."""
        return self.text[: self.checked_to]


def paired(text: str) -> str:
    """A text with the halves of surrogate pairs put together where they stand side by side; a lone half stays.

    >>> paired("\\ud83d" + "\\ude00") == "\\U0001f600", paired("\\ud83d!") == "\\ud83d!"
    (True, True)
    """
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
