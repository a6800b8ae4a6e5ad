"""Paths go in, Documents come out: files are found, named, and read by the reader of their format."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from verifier.core.errors import IngestError
from verifier.knowledge.formats.base import Reader, ReadOptions, SourceFile, printable
from verifier.knowledge.formats.beir import read_beir
from verifier.knowledge.formats.docx import read_docx
from verifier.knowledge.formats.html import read_html
from verifier.knowledge.formats.markdown import read_markdown
from verifier.knowledge.formats.pdf import read_pdf
from verifier.knowledge.formats.tabular import read_csv, read_jsonl
from verifier.knowledge.formats.text import read_plain_text
from verifier.types import Document

__all__ = ["READERS", "SUFFIXES", "ReadOptions", "SourceFile", "discover", "doubts_about", "read_documents"]

READERS: Mapping[str, Reader] = {
    "text": read_plain_text,
    "markdown": read_markdown,
    "html": read_html,
    "pdf": read_pdf,
    "docx": read_docx,
    "csv": read_csv,
    "jsonl": read_jsonl,
    "beir": read_beir,
}
"""Every format that can be read, and its reader."""

SUFFIXES: Mapping[str, str] = {
    ".txt": "text",
    ".text": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".pdf": "pdf",
    ".docx": "docx",
    ".csv": "csv",
    ".tsv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
"""The format of a file by the end of its name, in lower case."""

_BEIR_CORPUS = ("corpus.jsonl", "corpus.jsonl.gz", "corpus.jsonl.xz")


def discover(paths: Iterable[str | os.PathLike[str]]) -> Iterator[SourceFile]:
    """Find the files under the given files and folders, in sorted order, each once.

    Folders are searched to the bottom; symbolic links are followed, loops are not. A folder with a
    ``corpus.jsonl`` is a BEIR folder: its corpus is read and its queries and judgements are not. Nothing is
    passed over in silence: hidden files, unknown formats and the like come back with ``ignored`` set, what
    cannot be opened with ``unreadable``. A file that is named directly is always read: as plain text if
    its suffix is not known.

    Raises:
        IngestError: one of the paths does not exist. Nothing has been read by then.
    """
    roots = [Path(os.path.abspath(path)) for path in paths]
    for root in roots:
        if not root.exists():
            raise IngestError(f"no such file or folder: {printable(root)}")
    return _distinct(roots)


def _distinct(roots: Iterable[Path]) -> Iterator[SourceFile]:
    seen: set[Path] = set()
    for root in roots:
        if root.is_dir():
            found = _in_folder(root, root, ())
        else:
            found = iter([SourceFile(root, printable(Path(root.name)), _format_of(root) or "text")])
        for file in found:
            if file.path not in seen:
                seen.add(file.path)
                yield file


def _in_folder(folder: Path, root: Path, above: tuple[tuple[int, int], ...]) -> Iterator[SourceFile]:
    try:
        stat = folder.stat()
        children = sorted(folder.iterdir())
    except OSError as error:
        yield SourceFile(
            folder, _name(folder, root), unreadable=f"folder cannot be opened: {error.strerror or error}"
        )
        return
    identity = (stat.st_dev, stat.st_ino)
    if identity in above:
        yield SourceFile(folder, _name(folder, root), ignored="a link back to a folder that contains it")
        return
    corpus = next((child for child in children if child.name in _BEIR_CORPUS), None)
    for child in children:
        reason = _reason_to_ignore(child, corpus)
        if reason:
            yield SourceFile(child, _name(child, root), ignored=reason)
        elif child.is_dir():
            yield from _in_folder(child, root, (*above, identity))
        else:
            kind = "beir" if child == corpus else _format_of(child)
            yield SourceFile(child, _name(child, root), kind)


def _reason_to_ignore(path: Path, corpus: Path | None) -> str:
    """Why a file or folder found in a folder is left out; empty if it is not."""
    if path.name.startswith("."):
        return "hidden"
    if path.name == "__pycache__":
        return "a cache"
    if path.is_symlink() and not path.exists():
        return "a link to nothing"
    if corpus and path != corpus and path.name.startswith(("queries.", "qrels", "corpus.")):
        return "part of a BEIR data set that is not its corpus"
    if path.is_dir() or path == corpus:
        return ""
    if not path.is_file():
        return "not a regular file"
    if not _format_of(path):
        suffix = path.suffix
        return f"unknown format {printable(Path(suffix))}" if suffix else "unknown format (no suffix)"
    return ""


def _format_of(path: Path) -> str:
    return "beir" if path.name in _BEIR_CORPUS[1:] else SUFFIXES.get(path.suffix.lower(), "")


def _name(path: Path, root: Path) -> str:
    return printable(path.relative_to(root)).replace(os.sep, "/") if path != root else printable(root)


def read_documents(
    source: SourceFile,
    options: ReadOptions | None = None,
    *,
    on_bad_row: Callable[[IngestError], None] | None = None,
) -> Iterator[Document]:
    """Read the documents of one file: one, or one for each row of a table.

    Args:
        source: a file that ``discover`` found; an ignored one has no documents.
        options: how to read it.
        on_bad_row: called for each row that cannot be read, after which the others follow. Without it the
            first bad row raises.

    Raises:
        IngestError: the file cannot be read; the message is its name and the reason.
        MissingExtra: the format needs an optional dependency.
    """
    if source.ignored:
        return
    if source.unreadable:
        raise IngestError(f"{source.source}: {source.unreadable}")
    try:
        for item in READERS[source.format](source, options or ReadOptions()):
            if isinstance(item, Document):
                yield item
                continue
            problem = IngestError(f"{source.source}: {item}")
            if on_bad_row is None:
                raise problem
            on_bad_row(problem)
    except IngestError as error:
        if str(error).startswith(f"{source.source}: "):
            raise
        raise IngestError(f"{source.source}: {error}") from error


def doubts_about(document: Document) -> list[str]:
    """What a person should know of how a document could be read: pages without text, and pages whose text is hardly
    what stands on them. One sentence for each, with its page."""
    doubts = []
    if empty := document.metadata.get("pages_without_text"):
        doubts.append(f"{document.source}: no text on page {empty} (scanned?)")
    if garbled := document.metadata.get("garbled_pages"):
        doubts += [f"{document.source}: garbled text on page {page}" for page in str(garbled).split("; ")]
    return doubts
