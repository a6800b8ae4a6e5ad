"""Settings of a server go in; those of each of its workers come out, with bounds divided and counts in one place."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

from verifier.config import Settings
from verifier.core.errors import ConfigError
from verifier.core.state import place_of

__all__ = ["of_each_worker", "with_shared_places"]

_DIVIDED = ("queue", "queue_chars", "max_held", "connections", "upload_workers", "ask_workers")
"""Bounds of a machine, of which each worker gets its part."""


def with_shared_places(settings: Settings) -> Settings:
    """Counts and cached answers where all processes find them, unless the settings name other places.

    Raises:
        ConfigError: several processes, and a knowledge base in memory or a place that is none.
    """
    own, base = settings.server, Path(settings.kb.path)
    if own.processes > 1 and settings.kb.path == ":memory:":
        raise ConfigError(
            f"a knowledge base in memory belongs to one process, and --workers {own.processes} asks for "
            "several: name a folder with --kb, or serve with --workers 1"
        )
    state = own.state or (str(base / "serving.db") if own.processes > 1 else None)
    if state is None:
        return settings
    # A name of its own: several workers count together from the start of their server to its end.
    name = settings.llm.budget_name or (secrets.token_hex(8) if own.processes > 1 else None)
    budget = {"budget": settings.llm.budget or state, "budget_name": name}
    settings = _with(settings, server={"state": state}, llm=budget)
    served = isinstance(place_of(state), str)
    if own.processes == 1 and not served:
        return settings
    places = {name: state if served else str(base / f"{name}.db") for name in ("answers", "reviews")}
    reader = dict(settings.reader)
    if reader.get("type") not in ("embedded", "classifier"):
        reader["cache"] = reader.get("cache") or places["answers"]
    cache = {"path": settings.cache.path or places["reviews"]}
    return _with(settings, cache=cache).model_copy(update={"reader": reader})


def of_each_worker(settings: Settings) -> Settings:
    """The settings with this machine's bounds divided among its workers, at least 1 each."""
    own = settings.server
    return _with(settings, server={name: max(1, getattr(own, name) // own.processes) for name in _DIVIDED})


def _with(settings: Settings, **sections: dict[str, Any]) -> Settings:
    changed = {name: getattr(settings, name).model_copy(update=keys) for name, keys in sections.items()}
    return settings.model_copy(update=changed)
