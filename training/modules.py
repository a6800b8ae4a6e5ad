"""Make an archive of one of our modules and of all of ours that it imports.

Only imports that happen when a module is loaded are followed. What a function imports while it runs has to be
installed where it runs, or be named as a start itself.
"""

from __future__ import annotations

import ast
import io
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

__all__ = ["archive_of", "modules_of"]

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {"training": ".", "verifier": ".", "verifier_signals": "signals", "verifier_backends": "backends"}
"""Our packages, and the folder of the repository that holds each."""


def modules_of(starts: Sequence[str], root: Path = ROOT) -> dict[str, Path]:
    """The files of the modules and of all that they import of ours, by the paths from which Python imports them."""
    found: dict[str, Path] = {}
    waiting = list(starts)
    while waiting:
        name = waiting.pop()
        for part in _with_parents(name):
            path = _file_of(part, root)
            if path is None:
                continue
            place = path.relative_to(root / PACKAGES[name.split(".")[0]]).as_posix()
            if place not in found:
                found[place] = path
                waiting += _imported(path)
    return found


def archive_of(starts: Sequence[str], root: Path = ROOT) -> bytes:
    """The modules of :func:`modules_of` as a zip from which Python imports; the same bytes for the same files."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in sorted(modules_of(starts, root).items()):
            archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return content.getvalue()


def _with_parents(name: str) -> Iterator[str]:
    parts = name.split(".")
    yield from (".".join(parts[: count + 1]) for count in range(len(parts)))


def _file_of(name: str, root: Path) -> Path | None:
    """The file of a module or package of ours; ``None`` for what is none (a name in a module, say)."""
    folder = PACKAGES.get(name.split(".")[0])
    if folder is None:
        return None
    path = root.joinpath(folder, *name.split("."))
    return next((file for file in (path / "__init__.py", path.with_suffix(".py")) if file.is_file()), None)


def _imported(path: Path) -> Iterator[str]:
    """What a file imports as it is loaded, with the names of what it takes out of packages."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield from (f"{node.module}.{name.name}" for name in node.names)
