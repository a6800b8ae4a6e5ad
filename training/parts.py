"""Cut bytes into files of limited size, with a manifest of their hashes, and join them again, checked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from training.errors import CheckpointError

__all__ = ["MANIFEST", "check_whole", "identity", "joined", "read_manifest", "store_manifest", "write_parts"]

MANIFEST = "manifest.json"


def identity(path: Path) -> dict[str, Any]:
    """``bytes`` and ``sha256`` of a file."""
    content = path.read_bytes()
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def check_whole(path: Path, promised: Mapping[str, Any]) -> None:
    """Compare a file with its :func:`identity`.

    Raises:
        CheckpointError: it is missing, or another one.
    """
    if not path.is_file():
        raise CheckpointError(f"{path} is missing")
    found = identity(path)
    if found["bytes"] != promised["bytes"]:
        raise CheckpointError(f"{path} is damaged: {found['bytes']} bytes, not {promised['bytes']}")
    if found["sha256"] != promised["sha256"]:
        raise CheckpointError(f"{path} is damaged: its hash is not that of the manifest")


def write_parts(folder: Path, content: bytes, name: str, largest: int) -> list[str]:
    """Write ``content`` in files of at most ``largest`` bytes, called by ``name`` and their number; their names."""
    view = memoryview(content)
    names = [name.format(number) for number in range(-(-len(content) // largest))]
    for number, part in enumerate(names):
        (folder / part).write_bytes(view[number * largest : (number + 1) * largest])
    return names


def joined(folder: Path, names: Iterable[str]) -> bytes:
    """What :func:`write_parts` wrote, for the names that it answered."""
    return b"".join((folder / name).read_bytes() for name in names)


def store_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest in one move."""
    partial = folder / f"{MANIFEST}.part"
    partial.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    partial.replace(folder / MANIFEST)


def read_manifest(folder: Path, what: str, kind: Any, needed: Collection[str]) -> dict[str, Any]:
    """The manifest of ``folder``, of which every ``files`` and ``parts`` lies in it.

    Args:
        what: the folder's content, for messages.
        kind: the value that ``format`` has to have.
        needed: names that have to stand in it.

    Raises:
        CheckpointError: there is none, or it is of something else.
    """
    path = folder / MANIFEST
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise CheckpointError(f"{folder} holds no {what}: {MANIFEST} is missing") from error
    except ValueError as error:
        raise CheckpointError(f"{path} cannot be read: it is no JSON") from error
    if not isinstance(found, dict) or found.get("format") != kind:
        raise CheckpointError(f"{path} is no manifest of a {what}, or of another version")
    if missing := set(needed) - found.keys():
        raise CheckpointError(f"{path} lacks {', '.join(sorted(missing))}")
    if wrong := [name for name in (*found["files"], *found["parts"]) if Path(name).name != name]:
        raise CheckpointError(f"{path} names a file outside its folder: {wrong[0]}")
    if unhashed := [name for name in found["parts"] if name not in found["files"]]:
        raise CheckpointError(f"{path} has no hash of {unhashed[0]}")
    return found
