"""The settings of each worker of a server: bounds divided, counts in one place."""

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
        ConfigError: several processes, and a knowledge base in memory, or no place for counts; or one that is none.
    """
    own = settings.server
    if own.processes > 1:
        _refuse_memory(settings)
    state = own.state or (_beside_the_base(settings) if own.processes > 1 else None)
    if state is None:
        return settings
    # A name of its own: several workers count together from the start of their server to its end.
    name = settings.llm.budget_name or (secrets.token_hex(8) if own.processes > 1 else None)
    budget = {"budget": settings.llm.budget or state, "budget_name": name}
    settings = _with(settings, server={"state": state}, llm=budget)
    place = place_of(state)
    return settings if isinstance(place, Path) and own.processes == 1 else _with_caches(settings, place)


def _with_caches(settings: Settings, place: Path | str) -> Settings:
    """Cached answers on the same server, or in files beside that of the counts."""
    answers, reviews = (
        str(place.with_name(f"{kind}.db")) if isinstance(place, Path) else place
        for kind in ("answers", "reviews")
    )
    reader = dict(settings.reader)
    if reader.get("type") not in ("embedded", "classifier"):
        reader["cache"] = reader.get("cache") or answers
    cache = {"path": settings.cache.path or reviews}
    return _with(settings, cache=cache).model_copy(update={"reader": reader})


def _refuse_memory(settings: Settings) -> None:
    if settings.kb.path == ":memory:":
        raise ConfigError(
            f"a knowledge base in memory belongs to one process, and --workers {settings.server.processes} asks for "
            "several: name a folder with --kb, or serve with --workers 1"
        )


def _beside_the_base(settings: Settings) -> str:
    """A file in the folder of the knowledge base."""
    if "://" in settings.kb.path:
        raise ConfigError(
            f"--workers {settings.server.processes} needs a place for counts beside a database: set server.state to "
            "the path of a file, or to redis://HOST:PORT/DB"
        )
    return str(Path(settings.kb.path) / "serving.db")


def of_each_worker(settings: Settings) -> Settings:
    """The settings with this machine's bounds divided among its workers, at least 1 each."""
    own = settings.server
    return _with(settings, server={name: max(1, getattr(own, name) // own.processes) for name in _DIVIDED})


def _with(settings: Settings, **sections: dict[str, Any]) -> Settings:
    changed = {name: getattr(settings, name).model_copy(update=keys) for name, keys in sections.items()}
    return settings.model_copy(update=changed)
