"""Read electronic books: the chapters in reading order, each under its title."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from verifier.core.errors import IngestError
from verifier.knowledge.formats.base import ReadOptions, SourceFile
from verifier.knowledge.formats.bounds import Allowance
from verifier.knowledge.formats.decode import decode, read_bytes
from verifier.knowledge.formats.html import add_page
from verifier.knowledge.formats.office.archive import broken_as, check_tags, open_archive, part
from verifier.knowledge.formats.outline import Outline
from verifier.types import Document

__all__ = ["read_epub"]

_KIND = "an electronic book (EPUB)"
_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_PAGES = frozenset({"application/xhtml+xml", "text/html"})
_NEAR = 300
"""Characters of the beginning of a chapter in which its title may stand already."""


class _Book(NamedTuple):
    title: str
    chapters: list[str]
    """Names of its pages in the archive, in reading order."""
    labels: dict[str, str]
    """What the table of contents calls a page."""


def read_epub(file: SourceFile, options: ReadOptions) -> Iterator[Document]:
    """Read the pages of a book in the order of its spine, each as a page of the web is read.

    A chapter that does not begin with its title is put under the one that the table of contents gives.

    Raises:
        IngestError: it is no book, broken, protected against copying, too large when unpacked, or has no text.
    """
    data = read_bytes(file.path, options)
    archive = open_archive(data, options, _KIND, _CONTAINER)
    with broken_as(_KIND), archive:
        book = _book(archive, len(data))
        allowance = Allowance(len(data))
        chapters = [_chapter(archive, name, book.labels.get(name, ""), allowance) for name in book.chapters]
    text = "\n\n".join(filter(None, chapters))
    if not text:
        raise IngestError("no text")
    metadata = {"format": "epub", **allowance.metadata}
    yield Document(file.source, file.uri, text, "text/markdown", book.title, metadata=metadata)


def _book(archive: zipfile.ZipFile, packed: int) -> _Book:
    check_tags(archive, packed, [_CONTAINER])
    root = next(
        one.get("full-path", "") for one in part(archive, _CONTAINER).iter() if _is(one.tag, "rootfile")
    )
    check_tags(archive, packed, [root])
    package = part(archive, root)
    items = {one.get("id", ""): one for one in package.iter() if _is(one.tag, "item")}
    order = [items.get(one.get("idref", "")) for one in package.iter() if _is(one.tag, "itemref")]
    spine = [one for one in order if one is not None and one.get("media-type") in _PAGES]
    chapters = list(dict.fromkeys(_within(root, one.get("href", "")) for one in spine))
    _refuse_protected(archive, packed, chapters)
    title = next((one.text or "" for one in package.iter() if _is(one.tag, "title")), "")
    return _Book(" ".join(title.split()), chapters, _labels(archive, packed, root, list(items.values())))


def _refuse_protected(archive: zipfile.ZipFile, packed: int, chapters: list[str]) -> None:
    """Fonts may be encrypted, which nobody reads here; text may not.

    Raises:
        IngestError: a chapter is.
    """
    if _ENCRYPTION not in archive.namelist():
        return
    check_tags(archive, packed, [_ENCRYPTION])
    hidden = {unquote(one.get("URI", "")) for one in part(archive, _ENCRYPTION).iter()}
    if hidden.intersection(chapters):
        raise IngestError("protected against copying (encrypted)")


def _labels(archive: zipfile.ZipFile, packed: int, root: str, items: list[Element]) -> dict[str, str]:
    """What the table of contents of either version calls each page: the first name of it counts."""
    labels: dict[str, str] = {}
    for item in items:
        name = _within(root, item.get("href", ""))
        found: Iterator[tuple[str, str]] = iter(())
        if name in archive.namelist() and "nav" in item.get("properties", "").split():
            found = _links(decode(archive.read(name)).text)
        elif name in archive.namelist() and item.get("media-type") == "application/x-dtbncx+xml":
            found = _points(archive, packed, name)
        for target, label in found:
            labels.setdefault(_within(name, target), label)
    return labels


def _links(html: str) -> Iterator[tuple[str, str]]:
    from selectolax.lexbor import LexborHTMLParser

    for link in LexborHTMLParser(html).css("nav a[href]"):
        yield link.attributes.get("href") or "", " ".join(link.text().split())


def _points(archive: zipfile.ZipFile, packed: int, name: str) -> Iterator[tuple[str, str]]:
    check_tags(archive, packed, [name], typed=True)
    for point in part(archive, name).iter():
        if _is(point.tag, "navPoint"):
            label = next((one.text or "" for one in point.iter() if _is(one.tag, "text")), "")
            target = next((one.get("src", "") for one in point.iter() if _is(one.tag, "content")), "")
            yield target, " ".join(label.split())


def _chapter(archive: zipfile.ZipFile, name: str, label: str, allowance: Allowance) -> str:
    if name not in archive.namelist():
        raise IngestError(f"broken: its chapter {name} is missing")
    outline = Outline()
    add_page(decode(archive.read(name)).text, outline, allowance)
    text = outline.text()
    named = text.startswith("#") or label.casefold() in text[:_NEAR].casefold()
    return text if not text or named else f"# {label}\n\n{text}"


def _within(page: str, target: str) -> str:
    """The name of what a page of the archive refers to."""
    bare = unquote(target.partition("#")[0])
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), bare)) if bare else page


def _is(tag: object, name: str) -> bool:
    return str(tag).rpartition("}")[2] == name
