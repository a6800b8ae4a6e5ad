"""Peak memory of this process."""

from __future__ import annotations

import resource
from pathlib import Path

__all__ = ["peak_mib"]


def peak_mib() -> float:
    """The most memory that this process ever had, its libraries and mapped files included."""
    status = Path("/proc/self/status")
    if status.exists():
        # The figure of getrusage begins with that of the parent.
        return next(int(row.split()[1]) for row in status.open() if row.startswith("VmHWM:")) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
