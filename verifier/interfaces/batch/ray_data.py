"""Check the rows of a batch by actors of Ray Data, on an existing cluster or on this machine.

The rows are read once more by a task on the driver's machine, as fast as the actors take them: what is lost with an
actor or a node is read and checked again.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, redirect_stdout
from dataclasses import replace
from itertools import chain
from typing import Any

from verifier import __version__
from verifier.config import Settings
from verifier.core.errors import ConfigError, VerifierError
from verifier.core.registry import require
from verifier.interfaces.batch.engine import Outcomes, Pending, refusal, setup_of
from verifier.interfaces.batch.ray_actors import CheckingActor, Found, TryCounter, found_in, read_chunks
from verifier.interfaces.batch.rows import Refused
from verifier.interfaces.batch.source import Source

__all__ = ["RayEngine"]

_STORED = 512_000_000
"""Bytes of chunks that wait to be checked or to be written, before reading waits."""

_FALSE_STARTS = 8
"""So many actors in a row may die as they start before the run is given up."""

_PATIENCE = 10.0
"""Seconds for a cluster to take a connection."""


class RayEngine:
    """Actors on a cluster of Ray; each takes one CPU and holds one worker process.

    Args:
        settings: the whole configuration.
        source: the rows that :meth:`outcomes` gets, to be read again.
        has_base: whether there is a knowledge base, which each node sees under the same path.
        workers: actors; as many as the cluster has CPUs by default.
        address: of the cluster, as ``ray.init`` takes it; by default ``RAY_ADDRESS``, or a Ray of this machine alone.
        command: how a worker is started.
    """

    def __init__(
        self,
        settings: Settings,
        source: Source,
        *,
        has_base: bool,
        workers: int | None = None,
        address: str | None = None,
        command: Sequence[str] | None = None,
    ) -> None:
        self._address = address or os.environ.get("RAY_ADDRESS") or "local"
        if self._address.startswith("ray://"):
            raise ConfigError(
                f"{self._address} is an address for Ray's client, which this cannot run over: start it on a machine "
                "of the cluster, with HOST:6379"
            )
        self._ray = _imported()
        self._settings, self._has_base = settings, has_base
        self._source = replace(source, path=source.path.absolute())
        self._workers, self._command = workers, command

    def outcomes(self, pending: Iterable[Pending]) -> Outcomes:
        """As :meth:`Engine.outcomes` has it.

        Raises:
            VerifierError: also where the cluster cannot be reached, or fails as a whole.
        """
        rows = iter(pending)
        first = next(rows, None)
        if first is None:
            return
        with _connected(self._ray, self._address), closing(self._found(first[0].number)) as found:
            yield from _joined(chain([first], rows), found)

    def _found(self, first: int) -> Generator[Found, None, None]:
        """What the actors find, in the order of the rows; ``first`` is the number of the first of them."""
        here = {"ray.io/node-id": self._ray.get_runtime_context().get_node_id()}
        tries = self._ray.remote(TryCounter).options(
            num_cpus=0, max_restarts=-1, max_task_retries=-1, label_selector=here
        )
        with _told(self._ray.data), _plain(self._ray):
            for chunk in self._checked(first, here, tries.remote()).iter_rows():
                yield from found_in(chunk["found"])

    def _checked(self, first: int, here: dict[str, str], tries: Any) -> Any:
        """The data set of what is found, a chunk a row; nothing runs yet."""
        data = self._ray.data
        workers = self._workers or max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        return (
            data.from_items([first], override_num_blocks=1)
            .map_batches(
                read_chunks,
                batch_size=None,
                fn_kwargs={"source": self._source},
                num_cpus=0,
                label_selector=here,
            )
            .map(
                CheckingActor,
                fn_constructor_kwargs={"tries": tries, **self._constructor(workers)},
                compute=data.ActorPoolStrategy(size=workers, max_tasks_in_flight_per_actor=1),
                num_cpus=1,
            )
        )

    def _constructor(self, workers: int) -> dict[str, Any]:
        return {
            "settings": setup_of(self._settings, workers),
            "has_base": self._has_base,
            "command": self._command,
            "folder": os.getcwd(),
            "version": __version__,
        }


def _joined(pending: Iterable[Pending], found: Iterator[Found]) -> Outcomes:
    """Each row with what was found of it.

    Raises:
        ConfigError: the input has changed since its reading began.
    """
    for row, digest in pending:
        if isinstance(row, Refused):
            yield (row, digest), refusal(row)
            continue
        number, read, outcome = next(found, (0, "", {}))
        if (number, read) != (row.number, row.digest("")):
            raise ConfigError(f"the input changed while it was read, at row {row.number}")
        yield (row, digest), outcome


def _imported() -> Any:
    """Ray, with its part for data.

    Raises:
        MissingExtra: it is not installed.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # it tells its makers of each start otherwise
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")  # what goes wrong is raised
    ray = require("ray", extra="ray")
    require("pyarrow", extra="ray")
    require("ray.data", extra="ray")
    return ray


@contextmanager
def _connected(ray: Any, address: str) -> Iterator[None]:
    """A cluster; one that this process was connected to before is used, and stays.

    Raises:
        ConfigError: it cannot be reached.
    """
    if ray.is_initialized():
        yield
        return
    own = {"include_dashboard": False} if address == "local" else {}
    try:
        _knock(address)
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **own)
    except (OSError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
        raise ConfigError(f"the Ray cluster at {address} cannot be reached: {error}") from error
    try:
        with redirect_stdout(sys.stderr):  # where Ray tells of what died
            yield
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """See that somebody listens; Ray itself would take minutes to say that nobody does.

    Raises:
        OSError: nobody does.
    """
    host, colon, port = address.rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host, int(port)), timeout=_PATIENCE).close()


@contextmanager
def _told(data: Any) -> Iterator[None]:
    """What Ray Data is to do: keep the order, make each chunk a task, hold so much, say nothing."""
    context = data.DataContext.get_current().copy()
    context.target_max_block_size = 1
    context.max_consecutive_actor_init_deaths = _FALSE_STARTS
    context.execution_no_progress_timeout_s = -1
    context.enable_progress_bars = context.enable_auto_log_stats = context.print_on_execution_start = False
    context.execution_options.preserve_order = True
    context.execution_options.resource_limits = data.ExecutionResources(object_store_memory=_STORED)
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    with data.DataContext.current(context):
        yield


@contextmanager
def _plain(ray: Any) -> Iterator[None]:
    """Ray's own errors as one line.

    Raises:
        VerifierError: what Ray raised.
    """
    try:
        yield
    except (ray.exceptions.RayError, ray.data.exceptions.SystemException) as error:
        [line, *_] = str(error).splitlines() or [type(error).__name__]
        raise VerifierError(f"Ray has failed, go on with --resume: {line}") from error
