"""Open each knowledge base once, on first use."""

from __future__ import annotations

import os
from contextlib import ExitStack
from threading import Lock

from verifier.config import Settings
from verifier.factory import open_store
from verifier.verification.retrieve import KnowledgeSource

__all__ = ["KnowledgeBase", "OpenBases"]

KnowledgeBase = str | os.PathLike[str] | KnowledgeSource
"""The folder or the address of a knowledge base, or an open one."""


class OpenBases:
    """The knowledge bases that were asked for. Safe to share by threads; those that it opened are closed with it."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._stores: dict[str, KnowledgeSource] = {}
        self._opening = Lock()

    def source(self, kb: KnowledgeBase, settings: Settings) -> KnowledgeSource:
        """The knowledge base itself, or the one in that folder, under the settings.

        Raises:
            TypeError: it is neither.
            KnowledgeBaseError, ConfigError, MissingExtra: it cannot be opened.
        """
        if not isinstance(kb, str | os.PathLike):
            if not hasattr(kb, "retrieve"):
                raise TypeError(f"kb is of type {type(kb).__name__}: give a folder, or an open store")
            return kb
        own = settings.model_copy(update={"kb": settings.kb.at(os.fspath(kb))})
        key = own.model_dump_json(exclude={"decision", "verdict"})
        with self._opening:
            if key not in self._stores:
                self._stores[key] = self._open.enter_context(open_store(own))
            return self._stores[key]

    def close(self) -> None:
        """Close what was opened."""
        self._open.close()
        self._stores.clear()
