"""Start worker processes with their share of the threads, and say how one ended."""

from __future__ import annotations

import os
import signal
import sys
from math import ceil
from pathlib import Path

__all__ = ["ended_how", "environment_with", "module_command", "threads_each"]

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
