"""The place of a knowledge base: a folder or the address of a database."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from verifier.core.database_url import is_database_url
from verifier.knowledge.connection import Connection
from verifier.knowledge.database import BUSY_SECONDS, DATABASE_NAME, Database
from verifier.knowledge.index import Index

__all__ = ["KnowledgeDatabase", "Place", "database_at", "is_named"]

Place = str | os.PathLike[str]
"""A folder, or an address of PostgreSQL."""


class KnowledgeDatabase(Protocol):
    """The database under a knowledge base: :class:`verifier.knowledge.database.Database` says what each means."""

    directory: Path | None
    read_only: bool
    schema_version: int

    @property
    def in_memory(self) -> bool:
        """Whether it is nowhere else, so that readers also see what is not committed."""

    def is_to_be_made(self) -> bool:
        """Whether ``open`` would make a knowledge base where there is none."""

    def open(self) -> None:
        """Make it ready; does nothing when open."""

    def close(self) -> None:
        """Let go of everything, for good."""

    def read(self) -> AbstractContextManager[Connection]:
        """A connection that sees one state."""

    def write(self) -> AbstractContextManager[Connection]:
        """A connection in a transaction."""

    def exclusive(self, *, wait: bool = True, alone: bool = True) -> AbstractContextManager[None]:
        """The writer's lock, for work of many transactions."""

    def index(self, name: str) -> Index | None:
        """The index of that fingerprint; ``None`` where none can be kept."""

    def indexes(self) -> list[Index]:
        """Every index, by fingerprint."""

    def refuse_other(self, name: str) -> None:
        """Nothing, where the index of that fingerprint may be used.

        Raises:
            KnowledgeBaseError: all who use this knowledge base have agreed on another one.
        """

    def size(self) -> int:
        """Bytes that it takes."""

    def vacuum(self) -> None:
        """Give back what nothing uses."""


def is_named(place: str) -> bool:
    """Whether a knowledge base is to be used there: a folder that holds one, or any address."""
    return is_database_url(place) or Path(place, DATABASE_NAME).exists()


def database_at(
    place: Place | None,
    *,
    create: bool = False,
    shared: bool = False,
    busy_seconds: float = BUSY_SECONDS,
) -> KnowledgeDatabase:
    """The database of the knowledge base at a place, opened on first use; ``None`` for one in memory.

    Raises:
        ConfigError: an address cannot be read.
    """
    if place is not None and is_database_url(place):
        from verifier.knowledge.postgres.database import PostgresDatabase

        return PostgresDatabase(os.fspath(place), create=create, busy_seconds=busy_seconds)
    folder = Path(place) if place is not None else None
    return Database(folder, create=create, shared=shared, busy_seconds=busy_seconds)
