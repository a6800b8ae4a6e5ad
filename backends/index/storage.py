"""A directory in, a whole index or a refusal out: the manifest is written last and vouches for every file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from verifier.core.errors import BackendRejected

__all__ = ["MANIFEST", "read_manifest", "writing"]

MANIFEST = "manifest.json"
_FORMAT = 1


@contextmanager
def writing(directory: Path, identity: Mapping[str, Any]) -> Iterator[Path]:
    """Prepare ``directory`` for the files of an index, and seal it when all are written.

    A crash or an error inside the block leaves a directory without a manifest: ``read_manifest`` refuses it.

    Raises:
        BackendRejected: the directory is not empty, or cannot be written to.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if any(directory.iterdir()):
            raise BackendRejected(
                f"{directory} is not empty; an index is saved into an empty or new directory"
            )
        yield directory
        _seal(directory, identity)
    except OSError as error:
        raise BackendRejected(f"cannot save an index into {directory}: {error.strerror or error}") from error


def _seal(directory: Path, identity: Mapping[str, Any]) -> None:
    files = sorted(path for path in directory.rglob("*") if path.is_file())
    for path in files:
        _sync(path)
    sizes = {path.relative_to(directory).as_posix(): path.stat().st_size for path in files}
    draft = directory / f"{MANIFEST}.tmp"
    content = {"format": _FORMAT, "identity": identity, "files": sizes}
    draft.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    _sync(draft)
    os.replace(draft, directory / MANIFEST)


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def read_manifest(directory: Path, identity: Mapping[str, Any]) -> None:
    """Make sure that ``directory`` holds a whole index which a backend of this ``identity`` wrote.

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
    if version != _FORMAT:
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
