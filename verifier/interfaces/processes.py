"""Start worker processes with their share of the threads, talk to them line by line, and say how one ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import ceil
from pathlib import Path
from typing import IO, Any

from verifier.core import errors
from verifier.core.errors import VerifierError

__all__ = [
    "Died",
    "LineProcess",
    "ended_how",
    "environment_with",
    "error_of",
    "module_command",
    "own_stdout",
    "stop_of",
    "threads_each",
]

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")
"""What the libraries below take for the number of their threads."""


def module_command(module: str) -> list[str]:
    """How a module is run in a process of its own; see :func:`environment_with` for where it finds others."""
    return [sys.executable, "-P", "-m", module]


def threads_each(processes: int) -> int:
    """The threads of each process, so that all of them together fill the cores that this one may use.

    A container's share of the processor counts as so many cores. ``OMP_NUM_THREADS`` bounds each process.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    named = os.environ.get("OMP_NUM_THREADS", "")
    most = int(named) if named.isdecimal() and int(named) else cores
    return max(1, min(most, min(cores, _quota()) // processes))


def _quota() -> int:
    """Cores of a container's share, rounded up; more than any machine has where there is no bound."""
    try:
        share, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        return ceil(int(share) / int(period))
    except (OSError, ValueError):  # another version, or "max"
        return 1_000_000


def environment_with(threads: int) -> dict[str, str]:
    """The environment of a process that computes with so many threads; its modules are found where ours are."""
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        **dict.fromkeys(_THREADS, str(threads)),
    }


def ended_how(code: int) -> str:
    """What an exit status says, behind the name of a process.

    >>> ended_how(3), ended_how(-9)
    ('ended with exit code 3', 'was ended by SIGKILL, as the system does where memory runs out')
    """
    if code >= 0 or -code not in signal.valid_signals():
        return f"ended with exit code {code}"
    name = signal.Signals(-code).name
    hint = ", as the system does where memory runs out" if name == "SIGKILL" else ""
    return f"was ended by {name}{hint}"


class Died(Exception):
    """A process has ended without an answer; the message says how."""

    def __init__(self, code: int) -> None:
        super().__init__(ended_how(code))


class LineProcess:
    """A process of this program that reads lines and writes lines, all of them ASCII.

    It ends with its stdin. Ctrl-C is not for it but for the process that started it, which ends it in turn.

    Args:
        command: what is run; see :func:`module_command`.
        environment: see :func:`environment_with`.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="ascii",
            env=environment,
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        """Its number in the system."""
        return self._process.pid

    def tell(self, line: str) -> None:
        """Write a line.

        Raises:
            Died: it has ended.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError):  # its end is seen here, or its pipe was closed here before
            raise self._died() from None

    def hear(self) -> str:
        """Its next line.

        Raises:
            Died: it ended before that was whole.
        """
        assert self._process.stdout is not None
        try:
            line = self._process.stdout.readline()
        except ValueError:  # its pipe was closed here
            line = ""
        if not line.endswith("\n"):
            raise self._died()
        return line[:-1]

    def _died(self) -> Died:
        self._process.kill()
        self._close()
        return Died(self._process.wait())

    def kill(self) -> None:
        """End it now; whoever waits for its line gets ``Died``."""
        self._process.kill()

    def end(self) -> None:
        """Let it end, and free what is left of it."""
        self._close()
        self._process.wait()

    def _close(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):  # what it was not told any more
                    pipe.close()


def own_stdout() -> IO[str]:
    """The real stdout of a worker, for its lines alone: what a library prints goes to stderr."""
    channel = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    return channel


def stop_of(error: VerifierError) -> dict[str, Any]:
    """What a worker tells of an error that stops the whole run; :func:`error_of` makes the error of it again."""
    return {"stop": {"kind": type(error).__name__, "message": str(error)}}


def error_of(kind: str, message: str) -> VerifierError:
    """The error that a worker told of, by the name of its class; as plain as can be where it is made otherwise."""
    cls = getattr(errors, kind, VerifierError)
    if not (isinstance(cls, type) and issubclass(cls, VerifierError)) or "__init__" in vars(cls):
        cls = errors.ConfigError if kind in ("UnknownPlugin", "MissingExtra") else VerifierError
    return cls(message)
