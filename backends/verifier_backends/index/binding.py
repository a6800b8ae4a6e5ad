"""Record in a saved index the name of what a server holds for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verifier.core.errors import BackendRejected

__all__ = ["BINDING", "read_binding", "recorded", "write_binding"]

BINDING = "collection.json"
"""The file of a saved directory that says what a server holds for it."""


def write_binding(directory: Path, binding: Mapping[str, Any]) -> None:
    """Record ``binding``, whose ``name`` is that of the collection, or ``None`` where there is none yet."""
    (directory / BINDING).write_text(json.dumps(binding) + "\n", encoding="utf-8")


def read_binding(directory: Path) -> dict[str, Any]:
    """What ``write_binding`` wrote.

    Raises:
        BackendRejected: it cannot be read.
    """
    try:
        binding: dict[str, Any] = json.loads((directory / BINDING).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BackendRejected(f"the index in {directory} cannot be read: {error}") from error
    return binding


def recorded(directory: Path) -> str | None:
    """The name that a saved index records, ``None`` where it cannot be read."""
    try:
        name = json.loads((directory / BINDING).read_text(encoding="utf-8"))["name"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return name if isinstance(name, str) else None
