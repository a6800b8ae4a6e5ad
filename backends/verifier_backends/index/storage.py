"""Save an index to a folder and open it again, whole or not at all; the manifest, written last, lists every file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from verifier.core.errors import BackendRejected
from verifier_backends.index.checksums import checksums, damage

__all__ = ["MANIFEST", "checksums_of", "examined", "read_manifest", "writing"]

MANIFEST = "manifest.json"
_FORMAT = 3
_WITHOUT_CHECKSUMS = 1
_BEFORE = (_WITHOUT_CHECKSUMS, 2)
"""The formats before, which are read as well: the second was never in parts."""

_SEARCHED = frozenset({"records.jsonl", "vectors.npy", "words.bin", "slots.bin", "counts.bin"})
"""The large files of an index, which only a search reads."""

_examined: ContextVar[Path | None] = ContextVar("examined", default=None)
"""The index whose files have just been compared with their checksums, those of its parts included."""


@contextmanager
def writing(directory: Path, identity: Mapping[str, Any]) -> Iterator[dict[str, Sequence[int]]]:
    """Prepare ``directory`` for the files of an index, and seal it when all are written.

    A crash or an error inside the block leaves a directory without a manifest: ``read_manifest`` refuses it.
    The block gets an empty dictionary for the checksums that it knows, of files that it has not written.

    Raises:
        BackendRejected: the directory is not empty, or cannot be written to.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if any(directory.iterdir()):
            raise BackendRejected(
                f"{directory} is not empty; an index is saved into an empty or new directory"
            )
        known: dict[str, Sequence[int]] = {}
        yield known
        _seal(directory, identity, known)
    except OSError as error:
        raise BackendRejected(f"cannot save an index into {directory}: {error.strerror or error}") from error


def _seal(directory: Path, identity: Mapping[str, Any], known: Mapping[str, Sequence[int]]) -> None:
    files = sorted(path for path in directory.rglob("*") if path.is_file())
    names = {path: path.relative_to(directory).as_posix() for path in files}
    for path, name in names.items():
        if name not in known:  # those lie on the disk under another name, too
            _sync(path)
    sizes = {name: path.stat().st_size for path, name in names.items()}
    sums = {names[path]: known.get(names[path]) or checksums(path) for path in _own(files)}
    draft = directory / f"{MANIFEST}.tmp"
    content = {"format": _FORMAT, "identity": identity, "files": sizes, "checksums": sums}
    draft.write_text(json.dumps(content, sort_keys=True) + "\n", encoding="utf-8")
    _sync(draft)
    os.replace(draft, directory / MANIFEST)


def _own(files: Sequence[Path]) -> list[Path]:
    """The files that no manifest of a part vouches for, and those manifests."""
    parts = {path.parent for path in files if path.name == MANIFEST}
    return [path for path in files if path.name == MANIFEST or parts.isdisjoint(path.parents)]


def checksums_of(directory: Path) -> dict[str, Sequence[int]]:
    """The checksums of the files of a saved index by name, none where it was saved without."""
    if not (directory / MANIFEST).is_file():
        return {}
    manifest = json.loads((directory / MANIFEST).read_text(encoding="utf-8"))
    return dict(manifest.get("checksums", {}))


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def read_manifest(directory: Path, identity: Mapping[str, Any], *, searching: bool = True) -> None:
    """Make sure that ``directory`` holds a whole index which a backend of this ``identity`` wrote.

    Every byte of it is read and compared with its checksum, those of its parts as well; without ``searching``, those
    files are left out that only a search reads.

    Raises:
        BackendRejected: there is none, it is incomplete or damaged, or another configuration wrote it.
    """
    try:
        manifest = json.loads((directory / MANIFEST).read_text(encoding="utf-8"))
        written, files, version = manifest["identity"], manifest["files"], manifest["format"]
    except FileNotFoundError as error:
        raise BackendRejected(f"{directory} holds no whole index: {MANIFEST} is missing") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BackendRejected(f"{directory / MANIFEST} cannot be read: {error}") from error
    if version not in (_FORMAT, *_BEFORE):
        raise BackendRejected(f"{directory} has index format {version}; this version reads format {_FORMAT}")
    for name, size in files.items():
        path = directory / name
        if not path.is_file() or path.stat().st_size != size:
            raise BackendRejected(
                f"the index in {directory} is damaged: {name} is missing or not {size} bytes"
            )
    if written != json.loads(json.dumps(identity)):
        raise BackendRejected(
            f"the index in {directory} was built as {json.dumps(written)}, which is not this backend "
            f"({json.dumps(identity)}); build it anew"
        )
    if not _is_examined(directory):
        _examine(directory, manifest, searching)


@contextmanager
def examined(directory: Path) -> Iterator[None]:
    """In the block, the parts of an index that ``read_manifest`` has let through are not read once more."""
    token = _examined.set(directory)
    try:
        yield
    finally:
        _examined.reset(token)


def _is_examined(directory: Path) -> bool:
    whole = _examined.get()
    return whole is not None and whole in directory.parents


def _examine(directory: Path, manifest: Mapping[str, Any], searching: bool) -> None:
    try:
        sums = {} if manifest["format"] == _WITHOUT_CHECKSUMS else manifest["checksums"]
        if not searching:
            sums = {name: own for name, own in sums.items() if Path(name).name not in _SEARCHED}
        found = damage(directory, sums)
        inner = [directory / name for name in sums if Path(name).name == MANIFEST]
        manifests = [] if found else [(part, json.loads(part.read_text(encoding="utf-8"))) for part in inner]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BackendRejected(f"{directory / MANIFEST} cannot be read: {error}") from error
    if found:
        raise BackendRejected(f"the index in {directory} is damaged: {found}; build it anew")
    for part, content in manifests:
        _examine(part.parent, content, searching)
