"""The process that reads files: it is told of them on stdin, and tells of their documents on stdout.

``messages.py`` says how. It ends with its stdin, and so with the process that started it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from verifier.core.errors import IngestError, VerifierError
from verifier.core.garbage import collect_rarely
from verifier.interfaces.parsing.documents import documents_of
from verifier.interfaces.parsing.messages import READ, READY, file_of, lines_of, note_line, stop_line
from verifier.interfaces.processes import own_stdout
from verifier.knowledge.cutting import CutDocument, default_chunker, passages_of
from verifier.knowledge.formats.base import ReadOptions, SourceFile
from verifier.knowledge.records import FailedSource, content_hash
from verifier.types import Document

__all__ = ["cut", "main", "read"]

_NO_MEMORY = "there was not enough memory to read it"


def main() -> int:
    """Answer until stdin ends."""
    collect_rarely()
    _offer_to_the_system()
    channel = own_stdout()
    try:
        for line in _answers():
            channel.write(line + "\n")
            if line in (READY, READ):
                channel.flush()
    except BrokenPipeError:  # nobody is left who would read it
        with suppress(OSError):
            channel.close()
    return 0


def _offer_to_the_system() -> None:
    """Where memory runs out, this process is to end, and not the one that writes."""
    with suppress(OSError):  # Linux has that alone
        Path("/proc/self/oom_score_adj").write_text("500")


def _answers() -> Iterator[str]:
    setup = json.loads(sys.stdin.readline() or "null")
    if setup is None:
        return
    options, chunking = _options(setup["options"]), setup["chunking"]
    yield READY
    for line in sys.stdin:
        file, known = file_of(line)
        yield from read(file, options, chunking, known)
        yield READ


def _options(told: dict[str, Any]) -> ReadOptions:
    """The options that were told; JSON has no tuples."""
    values: dict[str, Any] = {
        name: tuple(one) if isinstance(one, list) else one for name, one in told.items()
    }
    return ReadOptions(**values)


def read(
    file: SourceFile, options: ReadOptions, chunking: Mapping[str, Any], known: str | None = None
) -> Iterator[str]:
    """The lines that tell of a file, but for the last; a document of the content hash ``known`` is not cut."""
    notes: list[str] = []
    try:
        for item in documents_of([file], options, notes.append):
            yield from map(note_line, notes)
            notes.clear()
            yield from lines_of(item if isinstance(item, FailedSource) else cut(item, chunking, known))
    except MemoryError:
        yield from lines_of(FailedSource(file.source, file.uri, _NO_MEMORY))
    except VerifierError as error:
        yield stop_line(error)
    yield from map(note_line, notes)


def cut(
    document: Document, chunking: Mapping[str, Any], known: str | None = None
) -> CutDocument | FailedSource:
    """The document with its passages, with why it cannot be cut, or in its place why it cannot be stored.

    What holds lone surrogates is refused here: a line of JSON does not keep two of them apart.
    """
    try:
        if content_hash(document) == known:
            return CutDocument(document, None)
    except ValueError as error:
        return FailedSource(document.source, document.uri, str(error))
    try:
        return CutDocument(document, passages_of(document, default_chunker(), chunking))
    except (ValueError, IngestError) as error:
        return CutDocument(document, (), str(error))


if __name__ == "__main__":
    sys.exit(main())
