"""Cut a document with any chunker, and carry what another process has read and cut."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from verifier.core.errors import IngestError, VerifierError
from verifier.knowledge.records import Chunker
from verifier.types import Document, Passage

__all__ = ["CutDocument", "default_chunker", "passages_of"]


@dataclass(frozen=True, slots=True)
class CutDocument:
    """A document with its passages, cut as the store that it goes into would, or with why it could not be.

    One that was known to be stored has no passages; the store cuts it if it must.
    """

    document: Document
    passages: Sequence[Passage] | None
    uncut: str | None = None

    def cut_by(self, chunk: Callable[[Document], Sequence[Passage]]) -> Sequence[Passage]:
        """The passages, which ``chunk`` makes where they were not made before.

        Raises:
            IngestError: it could not be cut.
        """
        if self.uncut is not None:
            raise IngestError(self.uncut)
        return chunk(self.document) if self.passages is None else self.passages


def passages_of(document: Document, chunker: Chunker, options: Mapping[str, object]) -> Sequence[Passage]:
    """The passages of a document; a defect of the chunker must not stop the documents behind this one.

    Raises:
        IngestError: the chunker has a defect; the message names its exception.
        VerifierError, ValueError, MemoryError: what the chunker itself says.
    """
    try:
        return chunker(document, **options)
    except (VerifierError, ValueError, MemoryError):
        raise
    except Exception as error:
        raise IngestError(f"cannot be cut into passages ({type(error).__name__})") from error


def default_chunker() -> Chunker:
    """``verifier.knowledge.chunk.chunk``; it brings the Markdown parser, which a search does not need."""
    from verifier.knowledge.chunk import chunk

    return chunk
