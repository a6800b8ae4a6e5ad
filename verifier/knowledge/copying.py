"""Copy a knowledge base, with the vectors of its indexes for whoever indexes the copy."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from verifier_backends.base import VectorBackend
from verifier_backends.encoders import Encoder
from verifier_backends.vectors import KeepsVectors, Remembering, Vector, keepers

from verifier.core.database_url import is_database_url, without_password
from verifier.core.errors import ConfigError, KnowledgeBaseError, VerifierError
from verifier.knowledge.catalog import Catalog
from verifier.knowledge.creation import DATABASE_NAME, make_file, make_folder
from verifier.knowledge.live import is_of
from verifier.knowledge.places import Place, database_at
from verifier.knowledge.snapshot import copy_rows, write_snapshot

__all__ = ["KeptVectors", "copy_database"]

_BATCH = 2_000


def copy_database(source: Place, target: Place, *, shared: bool = False) -> None:
    """Copy all documents, passages and namespaces to a place that holds no knowledge base; whole or not at all.

    Args:
        source: a knowledge base; it may be in use.
        target: a folder, made if it is not there, or the address of a database.
        shared: whether others than its owner may read the copy.

    Raises:
        ConfigError: there is a knowledge base at ``target``.
        KnowledgeBaseError: the source cannot be read, or the disk does not take the copy.
    """
    if is_database_url(target):
        _copy_to_server(source, os.fspath(target))
        return
    folder = Path(target)
    path = folder / DATABASE_NAME
    if path.exists():
        raise ConfigError(f"{folder} holds a knowledge base: choose another folder to copy into")
    with closing(database_at(source)) as database, database.read() as connection:
        make_folder(folder, shared=shared)
        draft = path.with_name(f"{path.name}.copying")
        draft.unlink(missing_ok=True)
        make_file(draft, shared=shared)
        try:
            write_snapshot(connection, draft)
            draft.replace(path)
        except (sqlite3.Error, OSError) as error:
            draft.unlink(missing_ok=True)
            raise KnowledgeBaseError(f"cannot copy {_shown(source)} to {folder}: {error}") from error


def _copy_to_server(source: Place, target: str) -> None:
    with (
        closing(database_at(source)) as database,
        closing(database_at(target, create=True)) as copy,
        database.read() as connection,
        copy.write() as written,
    ):
        if written.execute("SELECT 1 FROM documents LIMIT 1").fetchone() is not None:
            raise ConfigError(
                f"{_shown(target)} holds a knowledge base: choose another database to copy into"
            )
        copy_rows(connection, written)


def _shown(place: Place) -> str:
    named = os.fspath(place)
    return without_password(named) if is_database_url(place) else named


class KeptVectors:
    """The vectors that the indexes of a knowledge base hold, by encoder.

    Args:
        source: the knowledge base.
        build: makes the backend of a configuration that an index was stamped with.
    """

    def __init__(self, source: Place, build: Callable[[Mapping[str, Any]], VectorBackend]) -> None:
        self._source, self._build = source, build
        self._ids: dict[bytes, str] = {}
        self.made: list[Remembering] = []

    @property
    def taken(self) -> int:
        """Texts whose vectors were taken over."""
        return sum(encoder.taken for encoder in self.made)

    @property
    def encoded(self) -> int:
        """Texts that were encoded anew, by encoders that had vectors to take over."""
        return sum(encoder.encoded for encoder in self.made)

    def over(self, encoder: Encoder) -> Encoder:
        """An encoder that takes over what an index holds of the same encoder; itself, where none does."""
        keeper = next(self._keepers(encoder.identity), None)
        if keeper is None:
            return encoder
        remembering = Remembering(encoder, lambda texts: self._known(keeper, texts))
        self.made.append(remembering)
        return remembering

    def _keepers(self, identity: str) -> Iterator[KeepsVectors]:
        """What holds vectors of that encoder: loaded indexes that are of this knowledge base, and can be read."""
        with closing(database_at(self._source)) as database, database.read() as connection:
            catalog = Catalog(connection)
            for files in database.indexes():
                try:
                    generation = files.generation()
                    stamp = files.stamp(generation) if generation is not None else None
                    if generation is None or stamp is None or not is_of(stamp, catalog):
                        continue
                    backend = self._build(stamp.configuration)
                    found = [keeper for keeper in keepers(backend) if keeper.encoder.identity == identity]
                    if found:
                        files.load(backend, generation, stamp)
                except VerifierError:
                    continue  # of a backend that is not installed, or out of reach: what it holds is encoded anew
                yield from found

    def _known(self, keeper: KeepsVectors, texts: Sequence[str]) -> list[Vector | None]:
        ids = [self._passages.get(_digest(text), "") for text in texts]
        vectors = keeper.vectors([id_ for id_ in ids if id_])
        found = dict(zip((id_ for id_ in ids if id_), vectors, strict=True))
        return [found.get(id_) for id_ in ids]

    @property
    def _passages(self) -> Mapping[bytes, str]:
        """The id of a passage by a digest of its indexed text; some hundred bytes each."""
        if not self._ids:
            with closing(database_at(self._source)) as database, database.read() as connection:
                catalog, at = Catalog(connection), (0, 0)
                while rows := catalog.written_after(at, catalog.revision, _BATCH):
                    self._ids.update((_digest(row.item.text), row.passage_id) for row in rows)
                    at = (rows[-1].revision, rows[-1].number)
        return self._ids


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
