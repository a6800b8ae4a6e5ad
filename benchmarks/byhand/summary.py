"""Speed and memory of one system, named as the lines of the table."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from benchmarks.byhand.quality import FIGURES, figures
from benchmarks.byhand.rounds import Taken

__all__ = ["AIMS", "COLUMNS", "summary"]

COLUMNS: Mapping[str, tuple[str, str]] = {
    "claims_a_second": ("claims a second", ".1f"),
    "p50_ms": ("an answer, median, ms", ".0f"),
    "p95_ms": ("an answer, 95th percentile, ms", ".0f"),
    "claims_a_cpu_second": ("claims a second of the processor", ".1f"),
    "cpu_ms": ("an answer, mean, ms of the processor", ".0f"),
    "cold_s": ("start to first verdict, s", ".2f"),
    "documents_s": ("taking the documents in, s", ".2f"),
    "peak_mib": ("peak memory, MiB", ".0f"),
}
"""Key -> name and format."""
AIMS: Mapping[str, str] = {
    "claims_a_second": "110, five times byhand",
    "p50_ms": "under 70",
    "peak_mib": "not above byhand",
    "accuracy_three": "not below byhand",
    "false_support": "not above byhand",
    "supported_found": "not below byhand",
    "supported_contradicted": "not above byhand",
}


def summary(taken: Taken, *, claims: int, four: bool, read: bool) -> dict[str, float | None]:
    """The figures of one system.

    Args:
        taken: by it.
        claims: labelled ones in all the answers that it was given, the same for every system.
        four: whether it tells all four verdicts apart.
        read: whether its verdicts mean anything.
    """
    wall, cpu = np.array(taken.wall), np.array(taken.cpu)
    return {
        "claims_a_second": claims / float(wall.sum()),
        "p50_ms": 1000 * float(np.percentile(wall, 50)),
        "p95_ms": 1000 * float(np.percentile(wall, 95)),
        "claims_a_cpu_second": claims / float(cpu.sum()),
        "cpu_ms": 1000 * float(cpu.mean()),
        "cold_s": float(np.median(taken.cold)),
        "documents_s": float(np.median(taken.documents)),
        "peak_mib": taken.peak_mib,
        **(figures(taken.said, four=four) if read else dict.fromkeys(FIGURES)),
    }
