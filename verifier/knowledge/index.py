"""Indexes on disk, beside the database: stamped generations of a backend's state, one of them in use.

::

    index/<fingerprint>/CURRENT                   name of the generation in use
    index/<fingerprint>/<generation>/data/        what the backend saved
    index/<fingerprint>/<generation>/stamp.json   what it is; written last
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

from verifier_backends.base import VectorBackend

from verifier.core.errors import (
    BackendRejected,
    BackendUnavailable,
    ConfigError,
    KnowledgeBaseFull,
    KnowledgeBaseMismatch,
    MissingExtra,
)
from verifier.knowledge.creation import DATABASE_NAME, follow
from verifier.knowledge.faults import is_full
from verifier.knowledge.records import canonical_json

__all__ = [
    "INDEX_FOLDER",
    "Index",
    "IndexFiles",
    "Stamp",
    "described",
    "filled",
    "fingerprint",
    "folder_bytes",
    "indexes",
    "remove",
]

INDEX_FOLDER = "index"

_CURRENT = "CURRENT"
_STAMP = "stamp.json"
_DATA = "data"
_UNFINISHED = ".unfinished-"
_ASIDE = f"{_UNFINISHED}aside-"
_FORMAT = 1
"""Raised when the layout above or the text that is indexed (``index_text``) changes: old indexes rest."""


def fingerprint(configuration: Mapping[str, object], identity: Mapping[str, Any]) -> str:
    """The name of the index that this configuration of this backend makes: the same on every machine.

    Raises:
        TypeError: a value is not of JSON.
    """
    described = canonical_json([_FORMAT, dict(configuration), dict(identity)])
    return hashlib.sha256(described.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a generation is: of which database and state, made by which backend, with how many texts."""

    fingerprint: str
    identity: Mapping[str, Any]
    configuration: Mapping[str, Any]
    database: str
    revision: int
    count: int
    files: Mapping[str, int] = field(default_factory=dict)
    """Every file under ``data`` with its size in bytes, which shows what a power failure cut short."""
    epoch: str = ""
    """Of the revision; empty where a release wrote it that did not know epochs."""


class Index(Protocol):
    """The generations of one fingerprint, wherever they lie; a path names one of them."""

    name: str
    """The fingerprint."""

    @property
    def place(self) -> str:
        """Where it lies, for messages."""

    @property
    def remedy(self) -> str:
        """The command that frees what no index needs."""

    def generation(self) -> Path | None:
        """The one in use, ``None`` when there is none."""

    def stamp(self, generation: Path) -> Stamp | None:
        """What a generation is, ``None`` where it is not whole."""

    def load(self, backend: VectorBackend, generation: Path, stamp: Stamp, *, searching: bool = True) -> None:
        """Fill ``backend`` from a generation; what only a search reads may be left unread without ``searching``."""

    def save(self, backend: VectorBackend, stamp: Stamp) -> None:
        """Write the whole of ``backend`` as a new generation and make it the one in use."""

    def sweep(self, backend: VectorBackend) -> list[str]:
        """Remove everything but the generation in use. Returns what went."""

    def remove(self) -> list[str]:
        """Remove it whole, where it is not in use. Returns what went."""

    def sizes(self, generation: Path | None) -> tuple[int, int, int]:
        """Bytes of a generation; how many others there are, and their bytes."""

    def mismatch(self, what: str) -> KnowledgeBaseMismatch:
        """The refusal of an index, with the command that makes it anew."""


class IndexFiles:
    """The generations of one fingerprint. Writing needs the knowledge base's writer lock; reading needs none.

    Args:
        knowledge_base: directory of the knowledge base.
        name: the fingerprint.
    """

    def __init__(self, knowledge_base: Path, name: str) -> None:
        self.knowledge_base = knowledge_base
        self.name = name
        self.root = knowledge_base / INDEX_FOLDER / name

    @property
    def place(self) -> str:
        """Where it lies, for messages."""
        return str(self.root)

    @property
    def remedy(self) -> str:
        """The command that frees what no index needs."""
        return f"verifier kb gc --kb {self.knowledge_base}"

    def generation(self) -> Path | None:
        """The directory in use, ``None`` when there is none, it is not whole, or none is named legibly."""
        try:
            name = (self.root / _CURRENT).read_text(encoding="utf-8").strip()
            found = self.root / name
            return found if found.parent == self.root and (found / _STAMP).is_file() else None
        except (OSError, ValueError):  # a name too long, or of bytes that are no text
            return None

    def stamp(self, generation: Path) -> Stamp | None:
        """The stamp of a generation, ``None`` when the files it names are not all there.

        Raises:
            KnowledgeBaseMismatch: the stamp cannot be read, or is not of this fingerprint.
        """
        try:
            stamp = Stamp(**json.loads((generation / _STAMP).read_text(encoding="utf-8")))
            promised = fingerprint(stamp.configuration, stamp.identity)
            if not (type(stamp.revision) is type(stamp.count) is int):
                raise TypeError("revision and count must be numbers")
            whole = stamp.files == _sizes(generation / _DATA)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, RecursionError) as error:
            raise self.mismatch("its stamp cannot be read") from error
        if not whole:
            return None
        if not stamp.fingerprint == promised == self.root.name:
            raise self.mismatch("its stamp is of another backend: " + canonical_json(stamp.identity))
        return stamp

    def load(self, backend: VectorBackend, generation: Path, stamp: Stamp, *, searching: bool = True) -> None:
        """Fill ``backend`` from a generation; what only a search reads may be left unread without ``searching``.

        Raises:
            KnowledgeBaseMismatch: the backend cannot read it, or holds something else afterwards.
            KnowledgeBaseFull: there is no room for a copy that the backend makes.
            BackendUnavailable, ConfigError, MissingExtra: the backend itself does not work.
        """
        filled(backend, generation / _DATA, stamp, self, searching=searching)

    def save(self, backend: VectorBackend, stamp: Stamp) -> None:
        """Write the whole of ``backend`` as a new generation and make it the one in use.

        At every moment there is a whole generation, the old one or the new. The old one stays until the next
        ``save``, for a reader that is just loading it.
        """
        self._make_root()
        self._sweep(backend, [path for path in self.root.iterdir() if not path.name.startswith(_ASIDE)])
        unfinished = self.root / f"{_UNFINISHED}{uuid.uuid4().hex}"
        name = f"{stamp.revision}-{uuid.uuid4().hex[:8]}"
        pointer = self.root / f"{_UNFINISHED}{_CURRENT}"
        try:
            unfinished.mkdir(mode=0o700)
            self._fill(unfinished, backend, stamp)
            unfinished.rename(self.root / name)
            _write(pointer, name)
        except BaseException:  # on a full disk, what was begun would take the last room there is
            for left in (unfinished, self.root / name, pointer):
                remove(left)
            raise
        follow(self.root.parent, self.knowledge_base / DATABASE_NAME)
        pointer.replace(self.root / _CURRENT)
        backend.saved_in(self.root / name / _DATA)

    def set_aside(self, backend: VectorBackend) -> None:
        """Write what a backend holds where nobody looks for it, so that it can let go of it and go on from there.

        What was set aside before goes; the last goes by ``remove_aside`` or ``sweep``.
        """
        self._make_root()
        before, aside = self._aside(), self.root / f"{_ASIDE}{uuid.uuid4().hex}"
        try:
            backend.save(aside)
        except BaseException:
            remove(aside)
            raise
        backend.saved_in(aside)
        for path in before:
            remove(path)

    def remove_aside(self) -> None:
        """Remove what ``set_aside`` has written."""
        for path in self._aside():
            remove(path)

    def _aside(self) -> list[Path]:
        return [*self.root.glob(f"{_ASIDE}*")]

    def _make_root(self) -> None:
        for folder in (self.root.parent, self.root):
            if folder.exists() and not folder.is_dir():
                folder.unlink()
        self.root.mkdir(parents=True, exist_ok=True)

    def _fill(self, unfinished: Path, backend: VectorBackend, stamp: Stamp) -> None:
        backend.save(unfinished / _DATA)
        for path in _files(unfinished):
            _flush(path)
        written = {**asdict(stamp), "files": _sizes(unfinished / _DATA)}
        _write(unfinished / _STAMP, json.dumps(written, indent=2, sort_keys=True))

    def sweep(self, backend: VectorBackend) -> list[str]:
        """Remove everything but the generation in use: older ones, and what a crash left behind.

        Args:
            backend: one of this fingerprint, which frees what a generation holds elsewhere.
        """
        return self._sweep(backend, [*self.root.iterdir()]) if self.root.is_dir() else []

    def _sweep(self, backend: VectorBackend, paths: Sequence[Path]) -> list[str]:
        current = self.generation()
        keep = {current}
        if (self.root / _CURRENT).is_file():
            keep.add(self.root / _CURRENT)
        gone = [path for path in sorted(paths) if path not in keep]
        for path in gone:
            if (path / _DATA).is_dir():
                backend.discard(path / _DATA, [current / _DATA] if current is not None else [])
            remove(path)
        return [self._relative(path) for path in gone]

    def remove(self) -> list[str]:
        """Remove it whole."""
        remove(self.root)
        return [self._relative(self.root)]

    def sizes(self, generation: Path | None) -> tuple[int, int, int]:
        """Bytes of a generation; how many others there are, and the bytes that only those hold."""
        old = [folder for folder in self.root.iterdir() if folder.is_dir() and folder != generation]
        own = folder_bytes(generation) if generation is not None else 0
        return own, len(old), _bytes(old, beside=generation)

    def _relative(self, path: Path) -> str:
        return path.relative_to(self.knowledge_base).as_posix()

    def mismatch(self, what: str) -> KnowledgeBaseMismatch:
        """The refusal of an index, with the command that makes it anew."""
        return KnowledgeBaseMismatch(
            f"the index at {self.root} cannot be used: {what}; make it anew with: "
            f"verifier kb reindex --kb {self.knowledge_base}"
        )


def filled(backend: VectorBackend, data: Path, stamp: Stamp, index: Index, *, searching: bool = True) -> None:
    """Fill ``backend`` from the folder that it saved; what only a search reads may be left unread.

    Raises:
        KnowledgeBaseMismatch: the backend cannot read it, or holds something else afterwards.
        KnowledgeBaseFull: there is no room for a copy that the backend makes.
        BackendUnavailable, ConfigError, MissingExtra: the backend itself does not work.
    """
    try:
        backend.load(data) if searching else backend.attach(data)
    except (BackendUnavailable, ConfigError, MissingExtra):
        raise
    except BackendRejected as error:
        if is_full(error):
            raise KnowledgeBaseFull(
                f"the index at {index.place} needs room to be read: {error}; make room, "
                "or name a temporary folder on another disk with: export TMPDIR=FOLDER"
            ) from error
        raise index.mismatch(str(error)) from error
    except Exception as error:
        raise index.mismatch("the backend cannot read it") from error
    # What lies on a server goes on changing after it was stamped.
    if not backend.resident and backend.count() != stamp.count:
        raise index.mismatch(f"it holds {backend.count()} texts where its stamp says {stamp.count}")


def described(identity: Mapping[str, Any]) -> str:
    """A backend and its encoders, as people call them.

    >>> described({"type": "backends.pgvector:PgvectorBackend", "encoder": "hashing:256"})
    'PgvectorBackend with hashing:256'
    """
    found = list(dict.fromkeys(_encoders(identity)))
    name = str(identity.get("type", "another backend")).rpartition(":")[2]
    return f"{name} with {' and '.join(found)}" if found else name


def _encoders(identity: Mapping[str, Any]) -> Iterator[str]:
    for key, value in identity.items():
        if key == "encoder":
            yield str(value)
        elif isinstance(value, Mapping):
            yield from _encoders(value)


def indexes(knowledge_base: Path) -> list[IndexFiles]:
    """Every index of a knowledge base, whatever its configuration, by fingerprint."""
    folder = knowledge_base / INDEX_FOLDER
    if not folder.is_dir():
        return []
    return [IndexFiles(knowledge_base, path.name) for path in sorted(folder.iterdir()) if path.is_dir()]


def folder_bytes(path: Path) -> int:
    """The size of the files at or below ``path``; of two names for one file, one counts."""
    return _bytes([path])


def _bytes(paths: Iterable[Path], beside: Path | None = None) -> int:
    """The size of the files at or below ``paths``, but for those that are also below ``beside``."""
    found = [file.stat() for path in paths for file in _files(path)]
    sizes = {(about.st_dev, about.st_ino): about.st_size for about in found}
    for file in _files(beside) if beside is not None else ():
        about = file.stat()
        sizes.pop((about.st_dev, about.st_ino), None)
    return sum(sizes.values())


def remove(path: Path) -> None:
    """Remove a file or a folder; what another process holds open on Windows stays for the next time."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    yield from (file for file in sorted(path.rglob("*")) if file.is_file())


def _sizes(folder: Path) -> dict[str, int]:
    return {file.relative_to(folder).as_posix(): file.stat().st_size for file in _files(folder)}


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    _flush(path)


def _flush(path: Path) -> None:
    """See that a file is on the disk before anything points to it."""
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
