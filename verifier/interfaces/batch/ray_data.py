"""The Ray engine: pending rows in, outcomes out, by actors of Ray Data on a cluster that is there, or on this machine.

The rows are read once more by a task on the driver's machine, chunk by chunk, as fast as the actors take them. Reading
is the same each time, so a chunk that goes with its machine is made anew. Each actor holds a worker process as the
local engine has them: a row that ends it is an error of this row, and the actor goes on.
"""

from __future__ import annotations

import json
import logging
import os
import socket
import sys
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, redirect_stdout
from dataclasses import asdict, replace
from itertools import chain
from pathlib import Path
from typing import Any

from verifier import __version__
from verifier.config import Settings
from verifier.core.errors import ConfigError, VerifierError
from verifier.core.registry import require
from verifier.interfaces.batch.checking import error_record
from verifier.interfaces.batch.engine import Outcome, Outcomes, Pending, refusal, setup_of
from verifier.interfaces.batch.pool import Pool, error_of
from verifier.interfaces.batch.rows import Refused, Row
from verifier.interfaces.batch.source import Source

__all__ = ["RayEngine"]

_ROWS = 32
"""Rows of a chunk, at most. The first ones are smaller, so that a short input has chunks for all actors."""

_GROWTH = 16
"""After so many rows, chunks have one row more."""

_CHARACTERS = 1_000_000
"""Of a chunk; a row that has more is a chunk of its own."""

_STORED = 512_000_000
"""Bytes of chunks that wait to be checked or to be written, before reading waits."""

_DEATHS = 3
"""So often a row may be tried again whose actor has died."""

_FALSE_STARTS = 8
"""So many actors in a row may die as they start before the run is given up."""

_PATIENCE = 10.0
"""Seconds for a cluster to take a connection."""

_Found = tuple[int, str, Outcome]
"""Number and digest of a row, and its outcome."""


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

    def _found(self, first: int) -> Generator[_Found, None, None]:
        """What the actors find, in the order of the rows; ``first`` is the number of the first of them."""
        here = {"ray.io/node-id": self._ray.get_runtime_context().get_node_id()}
        tries = self._ray.remote(_Tries).options(
            num_cpus=0, max_restarts=-1, max_task_retries=-1, label_selector=here
        )
        with _told(self._ray.data), _plain(self._ray):
            for chunk in self._checked(first, here, tries.remote()).iter_rows():
                yield from _opened(chunk["found"])

    def _checked(self, first: int, here: dict[str, str], tries: Any) -> Any:
        """The data set of what is found, a chunk a row; nothing runs yet."""
        data = self._ray.data
        workers = self._workers or max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        return (
            data.from_items([first], override_num_blocks=1)
            .map_batches(
                _read,
                batch_size=None,
                fn_kwargs={"source": self._source},
                num_cpus=0,
                label_selector=here,
            )
            .map(
                _Actor,
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


class _Tries:
    """Counts how often the checking of something began and did not end, whichever actor it died with."""

    def __init__(self) -> None:
        self._begun: Counter[str] = Counter()

    def begin(self, what: str) -> int:
        """How often it began by now."""
        self._begun[what] += 1
        return self._begun[what]

    def end(self, what: str) -> None:
        """It is checked."""
        del self._begun[what]


class _Actor:
    """Checks chunks of rows with a worker process of its own.

    Args:
        tries: the actor that counts tries.
        settings, has_base, command: as the pool has them.
        folder: from where relative paths of the settings are meant; where the node has it.
        version: of the package that started the run.
    """

    def __init__(
        self,
        tries: Any,
        settings: dict[str, Any],
        has_base: bool,
        command: Sequence[str] | None,
        folder: str,
        version: str,
    ) -> None:
        self._tries, self._version = tries, version
        if Path(folder).is_dir():
            os.chdir(folder)
        self._pool = Pool(settings, workers=1, threads=1, has_base=has_base, command=command)

    def __call__(self, chunk: dict[str, Any]) -> dict[str, str]:
        """What is found of a chunk; an error that no other row would fare better with is told, not raised."""
        try:
            if self._version != __version__:
                raise ConfigError(
                    f"version {__version__} is installed there, and {self._version} started the run"
                )
            told: dict[str, Any] = {"rows": self._checked(json.loads(chunk["rows"]))}
        except VerifierError as error:
            told = _stop(error, f" (on {socket.gethostname()})")
        return {"found": json.dumps(told)}

    def _checked(self, told: dict[str, Any]) -> list[_Found]:
        """The rows of a chunk; of one that an actor has died with, each row is watched by itself."""
        if "stop" in told:
            raise error_of(**told["stop"])
        rows = [(Row(**row), digest) for row, digest in told["rows"]]
        chunk = f"chunk {rows[0][0].number}"
        check = self._outcome if self._count("begin", chunk) == 1 else self._watched
        found = [(row.number, digest, check(row)) for row, digest in rows]
        self._count("end", chunk)
        return found

    def _outcome(self, row: Row) -> Outcome:
        return self._pool.submit(row).result()

    def _watched(self, row: Row) -> Outcome:
        name = f"row {row.number}"
        if self._count("begin", name) > _DEATHS:
            outcome = error_record("worker", f"the actor that checked it was ended, {_DEATHS + 1} times")
        else:
            outcome = self._outcome(row)
        self._count("end", name)
        return outcome

    def _count(self, method: str, what: str) -> Any:
        return require("ray", extra="ray").get(getattr(self._tries, method).remote(what))


def _read(batch: dict[str, Any], source: Source) -> Iterator[Any]:
    """The rows from a number on, in tables of one cell, each a chunk."""
    arrow = require("pyarrow", extra="ray")
    try:
        for chunk in _chunks(source, int(batch["item"][0])):
            yield arrow.table({"rows": [json.dumps({"rows": chunk}, default=str)]})
    except VerifierError as error:
        yield arrow.table({"rows": [json.dumps(_stop(error))]})


def _chunks(source: Source, first: int) -> Iterator[list[Any]]:
    """Rows that can be checked, from the number ``first`` on, each with its digest."""
    chunk: list[Any] = []
    weight = 0
    for row in source.rows():
        if isinstance(row, Refused) or row.number < first:
            continue
        most = min(_ROWS, (row.number - first) // _GROWTH + 1)
        if chunk and (len(chunk) >= most or weight + row.weight > _CHARACTERS):
            yield chunk
            chunk, weight = [], 0
        chunk.append([asdict(row), row.digest("")])
        weight += row.weight
    if chunk:
        yield chunk


def _stop(error: VerifierError, where: str = "") -> dict[str, Any]:
    return {"rows": [], "stop": {"kind": type(error).__name__, "message": f"{error}{where}"}}


def _opened(chunk: str) -> Iterator[_Found]:
    told = json.loads(chunk)
    if "stop" in told:
        raise error_of(**told["stop"])
    yield from told["rows"]


def _joined(pending: Iterable[Pending], found: Iterator[_Found]) -> Outcomes:
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
