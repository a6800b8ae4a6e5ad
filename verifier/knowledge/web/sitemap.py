"""List the pages of a site by its sitemap."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from xml.etree import ElementTree

from verifier.core.errors import IngestError
from verifier.knowledge.web.address import Address, read_address
from verifier.knowledge.web.fetch import Web

__all__ = ["pages_below"]

_MOST_SITEMAPS = 50
_MOST_BYTES = 50_000_000
"""Of a sitemap, unpacked: as large as the protocol has them."""


def pages_below(web: Web, root: Address) -> Iterator[str]:
    """The pages of a site at or below an address, in the order of its sitemaps, each once.

    The sitemaps are those that ``robots.txt`` names, else ``/sitemap.xml``; an address that ends with ``.xml`` is one
    itself, and its folder is what the pages lie below.

    Raises:
        IngestError: there is no sitemap, or one cannot be read.
    """
    if root.target.partition("?")[0].endswith(".xml"):
        waiting, below = [root.url], root.url.rpartition("/")[0] + "/"
    else:
        named = [url for url in web.robots_of(root).sitemaps if _is_of(url, root)]
        waiting, below = named or [f"{root.origin}/sitemap.xml"], root.url
    seen: set[str] = set()
    read = 0
    while waiting and read < _MOST_SITEMAPS:
        read += 1
        pages, further = _sitemap(web, waiting.pop(0))
        waiting += [url for url in further if _is_of(url, root) and url not in seen]
        seen.update(further)
        for page in pages:
            if _is_of(page, root) and _is_below(page, below) and page not in seen:
                seen.add(page)
                yield page


def _sitemap(web: Web, url: str) -> tuple[list[str], list[str]]:
    """The pages that a sitemap lists, and the other sitemaps."""
    try:
        data = _unpacked(web.get(url).data)
        if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
            raise IngestError("it declares a document type")
        root = ElementTree.fromstring(data)
    except (IngestError, ElementTree.ParseError, zlib.error) as error:
        reason = error if isinstance(error, IngestError) else "not valid XML"
        raise IngestError(f"the sitemap {url} cannot be read: {reason}") from error
    found = [
        (one.tag.rpartition("}")[2], " ".join((place.text or "").split()))
        for one in root
        for place in one
        if place.tag.rpartition("}")[2] == "loc"
    ]
    return [place for kind, place in found if kind == "url"], [
        place for kind, place in found if kind == "sitemap"
    ]


def _unpacked(data: bytes) -> bytes:
    if not data.startswith(b"\x1f\x8b"):
        return data
    unpack = zlib.decompressobj(wbits=31)
    whole = unpack.decompress(data, _MOST_BYTES + 1)
    if len(whole) > _MOST_BYTES:
        raise IngestError(f"it unpacks to more than {_MOST_BYTES / 1e6:g} MB")
    return whole


def _is_of(url: str, root: Address) -> bool:
    """Whether an address is of the same host."""
    try:
        return read_address(url).origin == root.origin
    except IngestError:
        return False


def _is_below(page: str, root: str) -> bool:
    """Whether a page is the root itself or lies below it.

    >>> _is_below("https://a.org/docs/x", "https://a.org/docs"), _is_below("https://a.org/docs2", "https://a.org/docs")
    (True, False)
    """
    stem = root.rstrip("/")
    return page.rstrip("/") == stem or page.startswith(f"{stem}/")
