"""Read OpenDocument texts: headings, paragraphs, lists, tables and notes in order."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from verifier.core.errors import IngestError
from verifier.knowledge.formats.base import Metadata, ReadOptions, SourceFile
from verifier.knowledge.formats.decode import read_bytes
from verifier.knowledge.formats.office.archive import broken_as
from verifier.knowledge.formats.office.odf import DRAW, TABLE, TEXT, OdfFile, open_odf
from verifier.knowledge.formats.outline import Outline
from verifier.types import Document

__all__ = ["OdfBlocks", "read_odt"]

_KIND = "an OpenDocument text"
_AROUND = frozenset(
    (
        *(f"{TEXT}{name}" for name in ("section", "list-item", "list-header")),
        *(f"{DRAW}{name}" for name in ("text-box", "frame", "g", "custom-shape")),
    )
)
"""What stands around blocks and says nothing itself."""


def read_odt(file: SourceFile, options: ReadOptions) -> Iterator[Document]:
    """Read an OpenDocument text, tracked changes accepted; comments and tables of contents are left out.

    The text is plain Markdown as that of a Word file; footnotes and endnotes follow at the end.

    Raises:
        IngestError: it is none, broken, encrypted, too large when unpacked, or has no text.
    """
    data = read_bytes(file.path, options)
    odf = open_odf(data, options, _KIND, "text")
    blocks = OdfBlocks(odf, Outline())
    with broken_as(_KIND):
        blocks.add(odf.body)
        for note in odf.body.iter(f"{TEXT}note-body"):
            blocks.outline.paragraph(" ".join(filter(None, map(odf.text, note.iter(f"{TEXT}p")))))
        text = blocks.outline.text()
    if not text:
        raise IngestError("no text")
    metadata: Metadata = {"format": "odt", **odf.allowance.metadata}
    yield Document(file.source, file.uri, text, "text/markdown", odf.title, metadata=metadata)


class OdfBlocks:
    """Writes the blocks of a text, a text box or a slide into an outline."""

    def __init__(self, odf: OdfFile, outline: Outline) -> None:
        self.odf, self.outline = odf, outline

    def add(self, parent: Element, depth: int = 0) -> None:
        """Write what is in an element; ``depth`` counts the lists around it."""
        for child in parent:
            if child.tag == f"{TEXT}h":
                level = child.get(f"{TEXT}outline-level", "1")
                self.outline.heading(int(level) if level.isdecimal() else 1, self.odf.text(child))
                self._frames(child)
            elif child.tag == f"{TEXT}p":
                self._paragraph(child, depth)
                self._frames(child)
            elif child.tag == f"{TEXT}list":
                self.add(child, depth + 1)
            elif child.tag == f"{TABLE}table":
                rows = list(self.odf.rows(child))
                self.outline.table([row.cells for row in rows], header=any(row.heads for row in rows))
            elif child.tag in _AROUND:
                self.add(child, depth)

    def _paragraph(self, paragraph: Element, depth: int) -> None:
        text = self.odf.text(paragraph)
        if depth:
            self.outline.item(text, depth - 1)
        else:
            self.outline.paragraph(text)

    def _frames(self, paragraph: Element) -> None:
        """The text boxes that are anchored in a paragraph."""
        for frame in paragraph:
            if frame.tag in (f"{DRAW}frame", f"{DRAW}custom-shape"):
                self.add(frame)
