"""Tell whoever watches a check which claims were found, and each verdict as soon as it is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from verifier.core.lines import Lines
from verifier.types import Claim, ClaimVerdict
from verifier.verification.report import with_line

__all__ = ["Placing", "Settled", "Watcher"]


class Watcher(Protocol):
    """Is told how a check goes on, in the thread that makes it."""

    def found(self, claims: Sequence[Claim]) -> None:
        """These claims are to be judged, in text order."""

    def judged(self, number: int, verdict: ClaimVerdict) -> None:
        """The claim of that number, from 0, has its verdict."""


class Placing:
    """Tells a watcher of verdicts with their lines, as they stand in the report of one response."""

    def __init__(self, watcher: Watcher, response: str) -> None:
        self._watcher, self._lines = watcher, Lines(response)

    def found(self, claims: Sequence[Claim]) -> None:
        """Told on."""
        self._watcher.found(claims)

    def judged(self, number: int, verdict: ClaimVerdict) -> None:
        """Told on, with its line."""
        self._watcher.judged(number, with_line(verdict, self._lines))


class Settled:
    """The verdicts of claims, taken as they can be had; the watcher, if any, is told of each once.

    Args:
        claims: in text order.
        verdict_of: the verdict of a claim, ``None`` as long as it has none.
        watcher: who is told.
    """

    def __init__(
        self,
        claims: Sequence[Claim],
        verdict_of: Callable[[Claim], ClaimVerdict | None],
        watcher: Watcher | None,
    ) -> None:
        self._open = dict(enumerate(claims))
        self._verdict_of, self._watcher = verdict_of, watcher
        self._verdicts: dict[int, ClaimVerdict] = {}
        if watcher is not None:
            watcher.found(claims)

    def take(self) -> list[ClaimVerdict]:
        """Take what can be had by now; all that was taken so far, in text order."""
        for number, claim in list(self._open.items()):
            verdict = self._verdict_of(claim)
            if verdict is None:
                continue
            del self._open[number]
            self._verdicts[number] = verdict
            if self._watcher is not None:
                self._watcher.judged(number, verdict)
        return [self._verdicts[number] for number in sorted(self._verdicts)]
