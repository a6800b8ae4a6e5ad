"""Open a packed document as an archive that is safe to unpack and to parse."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from xml.etree import ElementTree

from verifier.core.errors import IngestError, VerifierError
from verifier.knowledge.formats.base import ReadOptions
from verifier.knowledge.formats.bounds import check_unpacked

__all__ = ["broken_as", "check_tags", "open_archive", "part"]

_OLE = b"\xd0\xcf\x11\xe0"
_PIECE = 1 << 20
_FREE_TAGS = 200_000
_BYTES_OF_TAG = 2
"""Packed; a tag of a file that an office program writes takes four or more."""
_DECLARATION, _ENTITY = b"<!DOCTYPE", b"<!ENTITY"


def open_archive(data: bytes, options: ReadOptions, kind: str, needs: str, old: str = "") -> zipfile.ZipFile:
    """The archive that a document is, looked at before any of it is unpacked.

    Args:
        data: the file.
        options: how large it may be, also when it is unpacked.
        kind: what it should be, as ``a Word file``.
        needs: a member that every file of its kind has.
        old: what a file of the old, binary kind may be instead.

    Raises:
        IngestError: it is no archive or one of something else, broken, encrypted, or far larger than it looks.
    """
    if data.startswith(_OLE):
        raise IngestError(
            f"encrypted{f', or {old} with the wrong suffix' if old else ''}; save it without a password"
        )
    with broken_as(kind):
        archive = zipfile.ZipFile(BytesIO(data))
    entries = archive.infolist()
    size = sum(entry.file_size for entry in entries)
    if size > options.max_bytes:
        raise IngestError(f"unpacks to more than the limit of {options.max_bytes / 1e6:g} MB")
    check_unpacked(len(data), size)
    if needs not in {entry.filename for entry in entries}:
        raise IngestError(f"broken, or not {kind} (an archive of something else)")
    return archive


@contextmanager
def broken_as(kind: str) -> Iterator[None]:
    """Whatever a library lets through on damage becomes one error: ``zipfile``, ``zlib`` and XML parsers raise much.

    Raises:
        IngestError: something was raised.
    """
    try:
        yield
    except (VerifierError, MemoryError):
        raise
    except Exception as error:
        reason = "no zip archive" if isinstance(error, zipfile.BadZipFile) else type(error).__name__
        raise IngestError(f"broken, or not {kind} ({reason})") from error


def check_tags(archive: zipfile.ZipFile, packed: int, names: Iterable[str], *, typed: bool = False) -> None:
    """Refuse what would become too large a tree, or could name entities that grow as they are read.

    Args:
        archive: where the parts are.
        packed: bytes of the whole file.
        names: the parts that are read as trees.
        typed: whether they may name a document type, as those of old books do, though declare nothing in it.

    Raises:
        IngestError: they have too many tags, or one declares a document type (or entities), which no office program
            writes. A part in UTF-16, where that cannot be seen, is refused as well.
    """
    tags = 0
    for name in names:
        with archive.open(name) as stream:
            before = b""
            while piece := stream.read(_PIECE):
                tags += piece.count(b"<")
                if b"\0" in piece:
                    raise IngestError("a part of it is not in UTF-8")
                if (_ENTITY if typed else _DECLARATION) in before + piece:
                    raise IngestError("declares a document type, as no program that makes such files does")
                before = piece[-len(_DECLARATION) :]
    if tags > _FREE_TAGS + packed // _BYTES_OF_TAG:
        raise IngestError(f"{tags} tags, far more than a file of its size has")


def part(archive: zipfile.ZipFile, name: str) -> ElementTree.Element:
    """The tree of a part that :func:`check_tags` has let pass."""
    return ElementTree.fromstring(archive.read(name))
