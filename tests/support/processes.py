"""The children of a process, and the processor time that it took, as Linux tells them in ``/proc``."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

__all__ = ["children", "gone", "processor_seconds"]


def children(process: subprocess.Popen[Any]) -> list[int]:
    """The ids of the processes that it has started and that are still there, in the order of their start.

    Those that its main thread has started come first.
    """
    tasks = sorted(Path(f"/proc/{process.pid}/task").iterdir(), key=lambda task: int(task.name))
    return [int(one) for task in tasks for one in (task / "children").read_text().split()]


def processor_seconds(pid: int) -> float:
    """Seconds of processor time of all its threads, in the program and in the system."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()  # behind the name
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def gone(pid: int) -> bool:
    """Whether a process is no longer there, but perhaps for its status that nobody has asked for."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True
