"""How much memory a process has to itself, and how much is left on this machine."""

from __future__ import annotations

from pathlib import Path

from verifier.core.errors import ConfigError

__all__ = ["available", "ensure_room", "private"]

_LIMITS = (
    (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")),
    (
        Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
        Path("/sys/fs/cgroup/memory/memory.usage_in_bytes"),
    ),
)
"""Where the system keeps a container's limit and what it uses, in both versions."""

_GROWTH = 1.4
"""What a worker has to itself after some hundred requests, over what it had when its models were loaded; by
``benchmarks.node``."""


def private(process: int) -> int | None:
    """Bytes that no other process shares; ``None`` where the system does not tell."""
    return _kilobytes(Path(f"/proc/{process}/smaps_rollup"), "Private_Clean:", "Private_Dirty:")


def available() -> int | None:
    """Bytes that can still be used, within the container's limit too; ``None`` where the system does not tell."""
    found = _kilobytes(Path("/proc/meminfo"), "MemAvailable:")
    for limit, used in _LIMITS:
        try:
            left = int(limit.read_text()) - int(used.read_text())
        except (OSError, ValueError):  # another version, or no limit: "max"
            continue
        found = max(0, left) if found is None else min(found, max(0, left))
    return found


def ensure_room(workers: int, each: int | None, room: int | None) -> None:
    """Nothing, where the other workers fit beside the first one.

    Args:
        workers: all of them.
        each: bytes that the first one has to itself when its models are loaded; ``None`` where that is not known.
        room: bytes that can still be used.

    Raises:
        ConfigError: they do not fit. It says how many would.
    """
    if each is None or room is None or (workers - 1) * (grown := _GROWTH * each) <= room:
        return
    fit = 1 + int(room / grown)
    raise ConfigError(
        f"{workers} workers do not fit into memory: each takes about {grown / 1e6:.0f} MB of its own, and there is "
        f"room for {fit}; try --workers {fit}"
    )


def _kilobytes(file: Path, *names: str) -> int | None:
    """The sum of some lines of a file like ``/proc/meminfo``, in bytes."""
    try:
        rows = [line.split() for line in file.read_text().splitlines()]
    except OSError:
        return None
    found = [int(row[1]) for row in rows if row and row[0] in names]
    return 1024 * sum(found) if found else None
