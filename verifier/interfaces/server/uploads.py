"""Read uploaded files in a process of their own, within bounds of time and memory."""

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
from urllib.parse import quote

from verifier.core.errors import IngestError
from verifier.core.visible import one_line
from verifier.interfaces.server.problems import Problem
from verifier.types import Document, Page

__all__ = ["read_upload", "read_within", "shown_name", "uri_of"]

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


def read_upload(content: bytes, name: str, *, seconds: float, memory: int, most: int) -> list[Document]:
    """The documents of a file, read within so many seconds, bytes of memory and bytes of text.

    A zip bomb ends at one of the three.

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
                [
                    sys.executable,
                    "-m",
                    __name__,
                    str(path),
                    str(output),
                    str(memory),
                    str(int(seconds) + 1),
                    str(most),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=seconds,
                check=False,
                start_new_session=True,  # an interrupt of the server lets it finish what it accepted
                env={
                    "PATH": os.environ.get("PATH", ""),
                    "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                },
            )
        except subprocess.TimeoutExpired as error:
            raise Problem(422, "too_costly", "the file takes too long to read") from error
        if done.returncode == _UNREADABLE:
            raise IngestError(done.stderr.decode("utf-8", "replace").strip().replace(path.name, name))
        if done.returncode == _LACKING:
            raise Problem(501, "not_installed", "the server lacks an optional part that reads such files")
        if done.returncode:
            raise Problem(422, "too_costly", "the file takes more memory or time to read than is allowed")
        rows = output.read_text(encoding="utf-8").splitlines()
    if not rows:
        raise IngestError(f"{name}: holds no text")
    return [_document(json.loads(row), path.name, name) for row in rows]


def uri_of(source: str, row: str = "") -> str:
    """What identifies a text that was sent: no name of one is a place below another, but for the rows of a table.

    >>> uri_of("a/b.md"), uri_of("fees.csv", "2")
    ('api:a%2Fb.md', 'api:fees.csv#2')
    """
    return f"api:{quote(source, safe='')}" + (f"#{row}" if row else "")


def _document(row: dict[str, Any], stored: str, name: str) -> Document:
    """A document as it was read, under the name that was given in place of that of the file it was stored in."""
    pages = tuple(Page(**page) for page in row.pop("pages"))
    part = row["uri"].partition("#")[2]
    shown = name + row["source"].removeprefix(stored)
    if "workbook" in row["metadata"]:
        row["metadata"]["workbook"] = name
    return Document(**{**row, "source": shown, "uri": uri_of(name, part), "pages": pages})


_UNREADABLE, _LACKING = 3, 4


def read_within(path: Path, output: Path, memory: int, seconds: int, most: int) -> int:
    """The other process: bounds itself, then reads."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
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
    except IngestError as error:
        sys.stderr.write(one_line(str(error)))
        return _UNREADABLE
    except MissingExtra:
        return _LACKING
    return 0


if __name__ == "__main__":
    sys.exit(read_within(Path(sys.argv[1]), Path(sys.argv[2]), *map(int, sys.argv[3:])))
