"""Find the files at and below given paths, each once, with its format or with why it is left out."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

from verifier.core.errors import IngestError
from verifier.knowledge.formats.base import SourceFile, printable
from verifier.knowledge.formats.unread import UNREAD

__all__ = ["AS_WRITTEN", "SUFFIXES", "discover", "has_lines", "leads_nowhere"]

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
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
    ".xltx": "xlsx",
    ".pptx": "pptx",
    ".pptm": "pptx",
    ".ppsx": "pptx",
    ".odt": "odt",
    ".ott": "odt",
    ".ods": "ods",
    ".ots": "ods",
    ".odp": "odp",
    ".otp": "odp",
    ".epub": "epub",
    ".png": "image",
    ".jpg": "image",
    ".jpeg": "image",
    ".tif": "image",
    ".tiff": "image",
    ".webp": "image",
    ".bmp": "image",
    ".csv": "csv",
    ".tsv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
"""The format of a file by the end of its name, in lower case."""

AS_WRITTEN = frozenset({"text", "markdown"})
"""Formats whose documents are what the file holds, to the character."""

_BEIR_CORPUS = ("corpus.jsonl", "corpus.jsonl.gz", "corpus.jsonl.xz")
_NOWHERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})


def has_lines(source: str) -> bool:
    """Whether the text of a source has lines that somebody finds in its file, by its name; rows of tables have none.

    >>> has_lines("fees.md"), has_lines("source 1"), has_lines("prices.csv#7"), has_lines("offer.docx")
    (True, True, False, False)
    """
    suffix = Path(source).suffix.partition("#")[0].partition("!")[0].lower()
    return SUFFIXES.get(suffix, "text") in AS_WRITTEN and not source.startswith(("http://", "https://"))


def leads_nowhere(path: Path) -> bool:
    """Whether there is nothing at a path. One that the system refuses to look up (too long, not permitted) may lead
    somewhere: reading it tells what is wrong with it."""
    try:
        path.stat()
    except OSError as error:
        return error.errno in _NOWHERE
    return False


def discover(paths: Iterable[str | os.PathLike[str]], ignore: Sequence[str] = ()) -> Iterator[SourceFile]:
    """Find the files under the given files and folders, in sorted order, each once.

    Folders are searched to the bottom; symbolic links are followed, but no file or folder is read a second time under
    another name. A folder with a ``corpus.jsonl`` is a BEIR folder: its corpus is read and its queries and judgements
    are not. Nothing is passed over in silence: hidden files, unknown formats and the like come back with ``ignored``
    set, what cannot be opened, and documents of a kind that cannot be read (``UNREAD``), with ``unreadable``. A file
    that is named directly is always read: as plain text if its suffix is not known.

    Args:
        paths: files and folders.
        ignore: patterns, as a shell has them, of names and of paths below a folder that are left out.

    Raises:
        IngestError: one of the paths does not exist. Nothing has been read by then.
    """
    roots = [Path(os.path.abspath(path)) for path in paths]
    for root in roots:
        if leads_nowhere(root):
            raise IngestError(f"no such file or folder: {printable(root)}")
    return _Search(ignore).below(roots)


class _Folder(NamedTuple):
    """A folder that is being searched: by the name it was reached, and by its own."""

    path: Path
    real: str
    children: Iterator[Path]
    corpus: Path | None


class _Search:
    """One search of files and folders, which come by their first name alone; no recursion, since folders nest deeper
    than Python's stack."""

    def __init__(self, ignore: Sequence[str]) -> None:
        self._ignore = tuple(ignore)
        self._names: dict[str, Path] = {}
        """The first name of each file and folder, by its path without links."""

    def below(self, roots: Iterable[Path]) -> Iterator[SourceFile]:
        """What is at the roots and below."""
        for root in roots:
            name = printable(Path(root.name))
            try:
                is_folder = root.is_dir()
                real = os.path.realpath(root)
            except OSError as error:
                yield SourceFile(root, name, unreadable=_unopened(error))
                continue
            if is_folder:
                yield from self._in_folder(root, real)
            elif self._is_new(root, real):
                yield _found(root, name, _format_of(root) or "text")

    def _is_new(self, path: Path, real: str) -> bool:
        return self._names.setdefault(real, path) is path

    def _in_folder(self, root: Path, real: str) -> Iterator[SourceFile]:
        open_folders: list[_Folder] = []
        entered: Iterable[_Folder | SourceFile] = self._entered(root, root, real)
        while True:
            for found in entered:
                if isinstance(found, SourceFile):
                    yield found
                else:
                    open_folders.append(found)
            if not open_folders:
                return
            folder = open_folders[-1]
            child = next(folder.children, None)
            if child is None:
                open_folders.pop()
                entered = ()
            else:
                entered = self._child(child, folder, root, open_folders)

    def _child(
        self, path: Path, folder: _Folder, root: Path, above: list[_Folder]
    ) -> Iterator[_Folder | SourceFile]:
        name = _name(path, root)
        try:
            reason = self._asked(path, name) or _reason_to_ignore(path, folder.corpus)
            is_folder = path.is_dir()
            real = os.path.realpath(path) if path.is_symlink() else os.path.join(folder.real, path.name)
        except OSError as error:
            yield SourceFile(path, name, unreadable=_unopened(error))
            return
        if not reason and any(real == one.real for one in above):
            reason = "a link back to a folder that contains it"
        if reason:
            yield SourceFile(path, name, ignored=reason)
        elif is_folder:
            yield from self._entered(path, root, real)
        elif self._is_new(path, real):
            yield _found(path, name, "beir" if path == folder.corpus else _format_of(path))
        else:
            yield from self._again(path, root, real)

    def _asked(self, path: Path, name: str) -> str:
        patterns = (
            pattern for pattern in self._ignore if fnmatch(path.name, pattern) or fnmatch(name, pattern)
        )
        return next((f"left out by {pattern}" for pattern in patterns), "")

    def _entered(self, path: Path, root: Path, real: str) -> Iterator[_Folder | SourceFile]:
        """A folder to search, unless it was searched under this name or another."""
        if not self._is_new(path, real):
            yield from self._again(path, root, real)
            return
        try:
            children = sorted(path.iterdir())
        except OSError as error:
            reason = f"folder cannot be opened: {error.strerror or error}"
            yield SourceFile(path, _name(path, root), unreadable=reason)
            return
        corpus = next((child for child in children if child.name in _BEIR_CORPUS), None)
        yield _Folder(path, real, iter(children), corpus)

    def _again(self, path: Path, root: Path, real: str) -> Iterator[SourceFile]:
        """What was found before: worth a word where it had another name."""
        first = self._names[real]
        if first != path:
            yield SourceFile(
                path, _name(path, root), ignored=f"read already, under the name {printable(first)}"
            )


def _found(path: Path, name: str, kind: str) -> SourceFile:
    """A file that is read, or is of a kind of documents that cannot be."""
    reason = UNREAD.get(path.suffix.lower(), "")
    return SourceFile(path, name, "" if reason else kind, unreadable=reason)


def _unopened(error: OSError) -> str:
    return f"cannot be opened: {error.strerror or error}"


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
    if path.is_dir():
        return ""
    if not path.is_file():
        return "not a regular file"
    if path != corpus and not _format_of(path) and path.suffix.lower() not in UNREAD:
        suffix = path.suffix
        return f"unknown format {printable(Path(suffix))}" if suffix else "unknown format (no suffix)"
    return ""


def _format_of(path: Path) -> str:
    return "beir" if path.name in _BEIR_CORPUS[1:] else SUFFIXES.get(path.suffix.lower(), "")


def _name(path: Path, root: Path) -> str:
    return printable(path.relative_to(root)).replace(os.sep, "/") if path != root else printable(root)
