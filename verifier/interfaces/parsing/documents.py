"""Files -> their documents, and what could not be read of them, in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from verifier.core.errors import IngestError, MissingExtra, VerifierError
from verifier.knowledge.ingest import ReadOptions, SourceFile, doubts_about, read_documents
from verifier.knowledge.records import FailedSource
from verifier.types import Document

__all__ = ["documents_of"]


def documents_of(
    files: Iterable[SourceFile],
    options: ReadOptions,
    told: Callable[[str], None],
    doubted: Callable[[str], None] | None = None,
) -> Iterator[Document | FailedSource]:
    """The documents of the files, and what could not be read of them.

    Args:
        files: as ``discover`` finds them.
        options: how they are read.
        told: given what a person should know of a file, in a line.
        doubted: given what a person should know of how a document was read; by default ``told`` as a warning.
    """
    doubted = doubted or (lambda doubt: told(f"warning: {doubt}"))
    for file in files:
        bad_rows: list[IngestError] = []
        said: set[str] = set()  # what is said of one row of a table is said of most
        empty = not file.ignored
        try:
            for document in read_documents(file, options, on_bad_row=bad_rows.append):
                for doubt in doubts_about(document):
                    if (what := doubt.removeprefix(document.source)) not in said:
                        doubted(doubt)
                    said.add(what)
                empty = False
                yield document
            if empty and not bad_rows:
                told(f"no text on {file.source}")
        except (IngestError, MissingExtra) as error:
            yield FailedSource(file.source, file.uri, _reason(file, error))
        for problem in bad_rows:
            yield FailedSource(file.source, f"{file.uri}#", _reason(file, problem))


def _reason(file: SourceFile, error: VerifierError) -> str:
    return str(error).removeprefix(f"{file.source}: ")
