"""Read the documents at web addresses, and say why others could not be read."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from verifier.core.errors import IngestError, MissingExtra
from verifier.core.registry import require
from verifier.knowledge.formats.base import Metadata, ReadOptions, SourceFile
from verifier.knowledge.formats.bounds import Allowance
from verifier.knowledge.formats.decode import decode
from verifier.knowledge.formats.html import add_page, read_declared
from verifier.knowledge.formats.html_depth import check_depth
from verifier.knowledge.formats.outline import Outline
from verifier.knowledge.ingest import SUFFIXES, read_documents
from verifier.knowledge.records import FailedSource
from verifier.knowledge.uris import file_uri
from verifier.knowledge.web.address import read_address
from verifier.knowledge.web.fetch import Fetched, Refused, Web
from verifier.knowledge.web.sitemap import pages_below
from verifier.types import Document

__all__ = ["MAX_PAGES", "Site", "read_site"]

MAX_PAGES = 500
"""Pages of a sitemap that are read unless more are asked for."""
_PAGES = frozenset({"text/html", "application/xhtml+xml"})
_OFFICE = "application/vnd.openxmlformats-officedocument."
_OPEN = "application/vnd.oasis.opendocument."
_SUFFIX_OF = {
    "application/pdf": ".pdf",
    "application/epub+zip": ".epub",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "text/csv": ".csv",
    f"{_OFFICE}wordprocessingml.document": ".docx",
    f"{_OFFICE}spreadsheetml.sheet": ".xlsx",
    f"{_OFFICE}presentationml.presentation": ".pptx",
    f"{_OPEN}text": ".odt",
    f"{_OPEN}spreadsheet": ".ods",
    f"{_OPEN}presentation": ".odp",
}
"""The end of a file's name by the media type of what was fetched."""
_ANY = "application/octet-stream"


@dataclass(frozen=True)
class Site:
    """What is asked of an address: the page, or with ``sitemap`` the pages below it; with ``prune``, a page that is no
    longer there is none that could not be read."""

    url: str
    sitemap: bool = False
    max_pages: int = MAX_PAGES
    prune: bool = False


def read_site(
    site: Site, web: Web, options: ReadOptions, told: Callable[[str], None]
) -> Iterator[Document | FailedSource]:
    """The documents of an address: of a page its main text, with its title and date; files as they are read from disk.

    Args:
        site: the address.
        web: fetches.
        options: how files are read.
        told: called with what a person should know: pages left out, pages that are gone.

    Raises:
        MissingExtra: trafilatura is not installed (extra ``web``).
    """
    require("trafilatura", extra="web", package="trafilatura")
    try:
        root = read_address(site.url)
        urls = list(pages_below(web, root)) if site.sitemap else [root.url]
        if not urls:
            raise IngestError("its sitemap lists no page at or below it")
    except IngestError as error:
        yield FailedSource(site.url, file_uri(site.url), str(error))
        return
    if len(urls) > site.max_pages:
        told(f"{site.url}: {len(urls) - site.max_pages} pages of its sitemap are left out (--max-pages)")
    for url in urls[: site.max_pages]:
        try:
            yield from _documents(web.get(url), read_address(url).url, options)
        except Refused as error:
            if error.gone and site.prune:
                told(f"{url} is gone: {error}")
            else:
                yield FailedSource(url, file_uri(url), str(error))
        except (IngestError, MissingExtra) as error:
            yield FailedSource(url, file_uri(url), str(error))


def _documents(fetched: Fetched, url: str, options: ReadOptions) -> Iterator[Document]:
    if fetched.media_type in _PAGES:
        yield _page(fetched, url)
        return
    suffix = _SUFFIX_OF.get(fetched.media_type, "")
    if not suffix and fetched.media_type == _ANY:
        suffix = PurePosixPath(read_address(fetched.url).target.partition("?")[0]).suffix.lower()
    kind = SUFFIXES.get(suffix)
    if kind is None or kind == "html":
        raise IngestError(f"its kind cannot be read ({fetched.media_type})")
    with tempfile.TemporaryDirectory(prefix="verifier-page-") as folder:
        path = Path(folder) / f"page{suffix}"
        path.write_bytes(fetched.data)
        file = SourceFile(path, url, kind)
        for document in read_documents(file, options):
            uri = file_uri(url) + document.uri.removeprefix(file.uri)
            yield replace(document, uri=uri, metadata={**document.metadata, **_about(fetched, url)})


def _page(fetched: Fetched, url: str) -> Document:
    """A page of HTML: what trafilatura takes for its main text, or where it finds none, all that a browser shows."""
    trafilatura = require("trafilatura", extra="web", package="trafilatura")
    decoded = decode(fetched.data, fetched.charset or read_declared(fetched.data))
    check_depth(decoded.text)
    outline, allowance = Outline(), Allowance(len(decoded.text))
    main = trafilatura.extract(decoded.text, url=fetched.url, output_format="html", include_comments=False)
    own_title = add_page(main or decoded.text, outline, allowance)
    if not (text := outline.text()):
        raise IngestError("no visible text")
    known: Any = trafilatura.extract_metadata(decoded.text, default_url=fetched.url)
    metadata: Metadata = {"format": "web", **_about(fetched, url), **decoded.metadata, **allowance.metadata}
    if known is not None and known.date:
        metadata["date"] = str(known.date)
    title = str((known.title if known is not None else "") or own_title)
    return Document(url, file_uri(url), text, "text/markdown", title, metadata=metadata)


def _about(fetched: Fetched, url: str) -> Metadata:
    """Where a page was found, if that is elsewhere than where it was looked for."""
    return {"found_at": fetched.url} if fetched.url != url else {}
