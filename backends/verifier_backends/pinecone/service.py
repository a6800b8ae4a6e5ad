"""The namespaces of an open index; those that nobody has saved are removed in the end."""

from __future__ import annotations

import weakref
from contextlib import suppress
from typing import Any

from verifier_backends.pinecone.namespace import Namespace
from verifier_backends.pinecone.waiting import Waiting

__all__ = ["Service"]


class Service:
    """The open index, and the namespaces that nobody has saved, which are removed when this goes."""

    def __init__(self, connection: Any, index: Any, dimension: int, waiting: Waiting) -> None:
        self._index, self._dimension, self._waiting = index, dimension, waiting
        self.unsaved: list[Namespace] = []
        weakref.finalize(self, _let_go, connection, index, self.unsaved)

    def namespace(self, name: str, expected: int | None = None) -> Namespace:
        """The namespace of that name, which the first write makes; ``expected`` is a count still owed."""
        return Namespace(self._index, name, self._dimension, self._waiting, expected)

    def forget_unsaved(self) -> None:
        """Remove them now."""
        _remove(self.unsaved)


def _let_go(connection: Any, index: Any, unsaved: list[Namespace]) -> None:
    _remove(unsaved)
    index.close()
    connection.close()


def _remove(unsaved: list[Namespace]) -> None:
    while unsaved:
        with suppress(Exception):
            unsaved.pop().remove()
