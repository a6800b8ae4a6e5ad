"""Check the rows of a batch with a chat reader whose requests go to the vendor's batch endpoint."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

from verifier.config import Settings
from verifier.core.chat.patient import PatientChat
from verifier.core.errors import ConfigError
from verifier.factory import build_batch_model
from verifier.interfaces.batch.engine import Outcomes, Pending
from verifier.interfaces.batch.held import HeldRows
from verifier.interfaces.batch.local import LocalEngine
from verifier.interfaces.batch.posting import PostOffice, cancelled
from verifier.knowledge.records import Progress
from verifier.readers.postbox import PostBox

__all__ = ["BatchedEngine", "box_of", "cancel_batches", "under_way"]

_BETWEEN = 256
"""Rows after which it is seen whether a batch is full."""


def box_of(output: Path) -> Path:
    """Where the requests of a run are kept until its output is whole."""
    return output.with_name(f"{output.name}.requests")


class BatchedEngine:
    """The local engine in rounds: what a round leaves in the box is sent and waited for before the next one.

    Each round starts its workers anew, so that none lies idle for hours. A row is checked once more in each round for
    which it has its replies; a reply is asked for once.

    Args:
        settings: the whole configuration.
        output: beside it is what must outlive the run.
        resume: go on with what is there.
        has_base, workers: those of :class:`LocalEngine`.
        poll, tell: those of :class:`PostOffice`.

    Raises:
        ConfigError: the reader has no batch endpoint, or what is there is of another run.
    """

    def __init__(
        self,
        settings: Settings,
        output: Path,
        *,
        resume: bool,
        has_base: bool,
        workers: int | None = None,
        poll: float = 60.0,
        tell: Callable[[str], None] = lambda _line: None,
    ) -> None:
        model, live = build_batch_model(settings)
        path = box_of(output).absolute()
        if path.exists() and not resume:
            raise ConfigError(f"{path} is left of another run: go on with it by --resume, or delete it")
        self._inner = LocalEngine(settings, has_base=has_base, workers=workers, box=path)
        self._model, self._live, self._path = model, live, path
        self._poll, self._tell = poll, tell
        self.progress: Progress | None = None
        """That of :class:`PostOffice`."""

    def outcomes(self, pending: Iterable[Pending]) -> Outcomes:
        """As :meth:`Engine.outcomes` has it."""
        with closing(_opened(self._path, self._model.identity, self._live)) as box:
            office = PostOffice(
                box, self._model, self._live, poll=self._poll, tell=self._tell, progress=self.progress
            )
            with closing(HeldRows(self._path)) as held:
                yield from self._checked(held.new(pending), held, office)
                yield from held.due()
                while held.are_waiting():
                    office.send(rest=True)
                    office.wait()
                    yield from self._checked(held.ready(box), held, office)
            box.remove()

    def _checked(self, pending: Iterable[Pending], held: HeldRows, office: PostOffice) -> Outcomes:
        """One round: the rows that can be written now."""
        with closing(self._inner.outcomes(pending)) as outcomes:
            for number, (row, outcome) in enumerate(outcomes, 1):
                yield from held.add(row, outcome)
                if number % _BETWEEN == 0:
                    office.send(rest=False)


def cancel_batches(settings: Settings, output: Path) -> int:
    """Cancel what a run has under way with the vendor; how many batches that were.

    Raises:
        ConfigError: nothing is under way.
        LLMError: the vendor could not be told.
    """
    path = box_of(output)
    if not path.exists():
        raise ConfigError(f"{output} has no batches: there is no {path}")
    model, live = build_batch_model(settings)
    with closing(_opened(path, model.identity, live)) as box:
        return cancelled(box, model)


def under_way(output: Path) -> int:
    """How many batches of a run are with the vendor."""
    path = box_of(output)
    if not path.exists():
        return 0
    with closing(PostBox(path)) as box:
        return len(box.batches())


def _opened(path: Path, model: str, live: PatientChat) -> PostBox:
    """The box of a run.

    Raises:
        ConfigError: it belongs to another model.
    """
    box = PostBox(path, live.prices)
    known = box.note("model")
    if known is None:
        box.keep("model", model)
    elif known != model:
        box.close()
        raise ConfigError(f"{path} holds requests to {known}, and this is {model}: choose another output")
    return box
