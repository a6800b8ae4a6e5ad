"""Progress bars on stderr, with rate and time left, where something takes long."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bars
from rich.text import Text

from verifier.knowledge.records import Progress

__all__ = ["AFTER", "drawn_bars"]

AFTER = 2.0
"""Seconds that work takes before a bar is drawn of it."""


class RateColumn(ProgressColumn):
    """How many are done in a second, as the last ones were."""

    def render(self, task: Task) -> Text:
        """``12.3/s``, nothing before it is known."""
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:.1f}/s")


@contextmanager
def drawn_bars() -> Iterator[Progress]:
    """A bar for each stage that the block tells of, from :data:`AFTER` on; they are gone when it ends."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), RateColumn())
    times = (TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
    bars = Bars(*columns, *times, console=Console(stderr=True), transient=True)
    tasks: dict[str, TaskID] = {}

    def show(stage: str, done: int, total: int | None) -> None:
        if stage not in tasks:
            tasks[stage] = bars.add_task(stage, total=total)
        bars.update(tasks[stage], completed=done, total=total)

    timer = Timer(AFTER, bars.start)
    timer.daemon = True
    timer.start()
    try:
        yield show
    finally:
        timer.cancel()
        timer.join()
        bars.stop()
