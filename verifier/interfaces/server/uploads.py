"""An uploaded file goes in, its documents come out: read in a process of its own, within bounds of time and memory."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from verifier.core.errors import IngestError
from verifier.core.visible import one_line
from verifier.interfaces.server.problems import Problem
from verifier.types import Document, Page

__all__ = ["read_upload", "shown_name"]

MAX_OUTPUT = 200_000_000
"""Bytes that reading may produce; a zip bomb ends here, or at the bound of memory."""

_UNSAFE = re.compile(r"[\\/\x00-\x1f\x7f]+")


def shown_name(given: str | None) -> str:
    """The name of an uploaded file as it is shown: its last part, with nothing in it that could name a place.

    >>> shown_name("../../etc/passwd.md"), shown_name("C:\\\\docs\\\\terms.pdf")
    ('passwd.md', 'terms.pdf')

    Raises:
        Problem: there is none.
    """
    name = re.split(r"[\\/]", given or "")[-1]
    name = one_line(_UNSAFE.sub("", name)).strip(". ")[:200]
    if not name:
        raise Problem(422, "invalid", "file: has no name")
    return name


def read_upload(content: bytes, name: str, *, seconds: float, memory: int) -> list[Document]:
    """The documents of a file.

    Raises:
        Problem: it is of a kind that cannot be read, or reading it took too long, too much, or gave too much.
        IngestError: it cannot be read, with the reason.
    """
    with tempfile.TemporaryDirectory(prefix="verifier-upload-") as folder:
        path = Path(folder) / f"upload{Path(name).suffix[:16]}"
        path.write_bytes(content)
        output = Path(folder) / "documents.jsonl"
        try:
            done = subprocess.run(
                [sys.executable, "-m", __name__, str(path), str(output), str(memory), str(int(seconds) + 1)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=seconds,
                check=False,
                env={
                    "PATH": os.environ.get("PATH", ""),
                    "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                },
            )
        except subprocess.TimeoutExpired as error:
            raise Problem(422, "too_costly", "the file takes too long to read") from error
        if done.returncode == _UNREADABLE:
            raise IngestError(done.stderr.decode("utf-8", "replace").strip().replace(path.name, name))
        if done.returncode:
            raise Problem(422, "too_costly", "the file takes more memory or time to read than is allowed")
        rows = output.read_text(encoding="utf-8").splitlines()
    return [_document(json.loads(row), name) for row in rows]


def _document(row: dict[str, Any], name: str) -> Document:
    pages = tuple(Page(**page) for page in row.pop("pages"))
    part = row["source"].partition("#")[2]
    shown = f"{name}#{part}" if part else name
    return Document(**{**row, "source": shown, "uri": f"upload:{shown}", "pages": pages})


_UNREADABLE = 3


def _main(path: Path, output: Path, memory: int, seconds: int) -> int:
    """The other process: bounds itself, then reads."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_OUTPUT, MAX_OUTPUT))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    from verifier.core.errors import MissingExtra
    from verifier.knowledge.ingest import discover, read_documents

    try:
        found = list(discover([path]))
        if not found or found[0].ignored:
            raise IngestError(f"{path.name}: a file of this kind cannot be read")
        with output.open("w", encoding="utf-8") as file:
            for document in read_documents(found[0]):
                file.write(json.dumps(asdict(document)) + "\n")
    except (IngestError, MissingExtra) as error:
        sys.stderr.write(one_line(str(error)))
        return _UNREADABLE
    return 0


if __name__ == "__main__":
    sys.exit(_main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])))
