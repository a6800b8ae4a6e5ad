"""The queues of work, one for each kind, so that none waits for another."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from verifier.config.server import ServerSettings
from verifier.interfaces.server.giving_up import Ticket
from verifier.interfaces.server.work import Line
from verifier.types import Report

__all__ = ["Check", "Lines", "run_all"]

Task = Callable[[], Any]


@dataclass(frozen=True)
class Check:
    """One response to be verified; the key of its line says against what and how."""

    response: str
    prompt: str | None
    ticket: Ticket


class Lines:
    """All lines of one server.

    ``checks`` takes responses, several at a time; ``large`` what is large; ``asks`` what waits for a language model;
    ``uploads`` what is read in other processes; ``writes`` what changes the knowledge base; ``tasks`` the rest.

    Args:
        settings: workers and bounds.
        verify: checks the responses of one key.
    """

    def __init__(
        self,
        settings: ServerSettings,
        verify: Callable[[Hashable, Sequence[Check]], Sequence[Report | Exception]],
    ) -> None:
        bounds: dict[str, Any] = {
            "bound": settings.queue,
            "bound_weight": settings.queue_chars,
            # Who would wait for half of his time before his turn is told to come back, not given up at its end.
            "patience": settings.request_seconds / 2,
        }
        self.checks: Line[Check, Report] = Line(
            verify, name="check", workers=settings.workers, max_batch=settings.max_batch, **bounds
        )
        self.tasks: Line[Task, Any] = Line(run_all, name="task", workers=max(2, settings.workers), **bounds)
        self.large: Line[Task, Any] = Line(run_all, name="large", workers=1, **bounds)
        self.asks: Line[Task, Any] = Line(run_all, name="ask", workers=settings.ask_workers, **bounds)
        self.writes: Line[Task, Any] = Line(run_all, name="write", workers=1, **bounds)
        bounds["bound_weight"] = settings.max_held  # bytes, not characters
        self.uploads: Line[Task, Any] = Line(
            run_all, name="upload", workers=settings.upload_workers, **bounds
        )

    @property
    def by_name(self) -> dict[str, Line[Any, Any]]:
        """All of them."""
        return dict(vars(self))

    def close(self, seconds: float) -> bool:
        """Take no more, and finish what was accepted within so many seconds. Returns whether all of it is done."""
        end = time.monotonic() + seconds
        for line in self.by_name.values():
            line.close(max(0.0, end - time.monotonic()))
        return not any(line.running for line in self.by_name.values())


def run_all(key: Hashable, tasks: Sequence[Task]) -> Sequence[Any]:
    """The result of each, or the error that it raised."""
    del key
    outcomes: list[Any] = []
    for task in tasks:
        try:
            outcomes.append(task())
        except Exception as error:  # noqa: BLE001 - raised again where the task was put in line
            outcomes.append(error)
    return outcomes
