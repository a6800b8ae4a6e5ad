"""Read plain text files."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.knowledge.formats.base import ReadOptions, SourceFile
from verifier.knowledge.formats.decode import read_text
from verifier.types import Document

__all__ = ["read_plain_text"]


def read_plain_text(file: SourceFile, options: ReadOptions) -> Iterator[Document]:
    """Read a text file as it stands, so that offsets are those of the file.

    Raises:
        IngestError: it is empty, too large, no text, or in an encoding that is not clear.
    """
    decoded = read_text(file.path, options)
    metadata = {"format": "text", **decoded.metadata}
    yield Document(source=file.source, uri=file.uri, text=decoded.text, metadata=metadata)
