"""Pages of a real server on the loopback: read, followed, refused and told."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.cli import run
from tests.support.office_files import workbook
from tests.support.site import Answer, Site, serving
from verifier.config import load
from verifier.core.errors import IngestError
from verifier.factory import temporary_store
from verifier.knowledge.formats.base import ReadOptions
from verifier.knowledge.records import FailedSource
from verifier.knowledge.web.fetch import Web
from verifier.knowledge.web.pages import Site as Asked
from verifier.knowledge.web.pages import read_site
from verifier.types import Document

pytest.importorskip("trafilatura")

PDF = Path(__file__).parents[2] / "corpora/demo/kb/recall-notice.pdf"
PLAIN = {"VERIFIER_SIGNALS__NLI": "false", "VERIFIER_BACKEND__TYPE": "bm25"}


def page(body: str, title: str = "Fees | Club") -> Answer:
    html = (
        f'<html><head><title>{title}</title><meta name="date" content="2024-03-05"></head><body><nav><a href="/">Menu'
        f"</a></nav><article>{body}</article><footer>Imprint</footer></body></html>"
    )
    return Answer(html.encode())


FEES = (
    "<h1>Fees of the club</h1><p>The fee for a lost card is five euros. Members pay it at the desk when they ask for a "
    "new one, and get it back when the old one is found within a month.</p><h2>Prices</h2><table><tr><th>Item</th><th>"
    "Price</th></tr><tr><td>Card</td><td>EUR 5</td></tr></table>"
)


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as site:
        yield site


def read(site: Site, path: str, web: Web | None = None, **asked: bool | int) -> list[Document | FailedSource]:
    web = web or Web(allow_private=True)
    told: list[str] = []
    found = list(read_site(Asked(site.url + path, **asked), web, ReadOptions(), told.append))  # type: ignore[arg-type]
    return [*found, *(FailedSource("told", "", text) for text in told)]


def reason(site: Site, path: str, web: Web | None = None) -> str:
    (failed,) = read(site, path, web)
    assert isinstance(failed, FailedSource)
    assert failed.uri == site.url + path
    return failed.reason


def test_a_page_gives_its_main_text_title_and_date(site: Site) -> None:
    site.pages["/fees"] = page(FEES)
    (document,) = read(site, "/fees#prices")
    assert isinstance(document, Document)
    assert document.text.startswith("# Fees of the club\n\nThe fee for a lost card is five euros.")
    assert document.text.endswith("## Prices\n\n| Item | Price |\n|---|---|\n| Card | EUR 5 |")
    assert (document.source, document.uri) == (site.url + "/fees", site.url + "/fees")
    assert document.metadata["date"] == "2024-03-05"
    assert "Fees" in document.title
    assert all(agent.startswith("rag-claim-verifier/") for agent in site.agents)


def test_a_page_without_main_text_is_read_whole(site: Site) -> None:
    site.pages["/a"] = Answer(b"<p>Open.</p>")
    (document,) = read(site, "/a")
    assert isinstance(document, Document)
    assert document.text == "Open."


def test_files_are_read_by_their_kind(site: Site, tmp_path: Path) -> None:
    site.pages["/recall"] = Answer(PDF.read_bytes(), "application/pdf")
    site.pages["/prices.xlsx"] = Answer(
        workbook(tmp_path / "a.xlsx").read_bytes(), "application/octet-stream"
    )
    (document,) = read(site, "/recall")
    assert isinstance(document, Document)
    assert (document.uri, document.pages[0].number) == (site.url + "/recall", 1)
    first = read(site, "/prices.xlsx")[0]
    assert isinstance(first, Document)
    assert first.source == f"{site.url}/prices.xlsx!Fees#4"
    assert first.uri == f"{site.url}/prices.xlsx#Fees!4"


def test_redirects_are_followed_and_packed_pages_unpacked(site: Site) -> None:
    site.pages["/old"] = Answer(status=301, headers={"Location": "/new"})
    site.pages["/new"] = Answer(gzip.compress(page(FEES).body), headers={"Content-Encoding": "gzip"})
    (document,) = read(site, "/old")
    assert isinstance(document, Document)
    assert (document.uri, document.metadata["found_at"]) == (site.url + "/old", site.url + "/new")


def test_each_failure_has_its_reason(site: Site) -> None:
    bomb = gzip.compress(b"a" * 5_000_000)
    site.pages |= {
        "/loop": Answer(status=302, headers={"Location": "/loop"}),
        "/away": Answer(status=302, headers={"Location": "ftp://127.0.0.1/a"}),
        "/broken": Answer(b"no", status=500),
        "/image": Answer(b"\x89PNG", "image/png"),
        "/large": Answer(b"a" * 2_000_000, "text/plain"),
        "/bomb": Answer(bomb, "text/plain", headers={"Content-Encoding": "gzip"}),
        "/odd": Answer(b"a", "text/plain", headers={"Content-Encoding": "br"}),
        "/slow": Answer(b"a" * 30, "text/plain", slow=True),
        "/empty": Answer(b"<html></html>"),
    }
    web = Web(allow_private=True, max_bytes=1_000_000, seconds=0.5)
    expected = {
        "/loop": "more than 8 redirects",
        "/away": "not an address of the web (http:// or https:// and a host)",
        "/broken": "the server says 500 Internal Server Error",
        "/gone": "the server says 404 Not Found",
        "/image": "its kind cannot be read (image/png)",
        "/large": "larger than the limit of 1 MB",
        "/bomb": "larger than the limit of 1 MB",
        "/odd": "packed as br, which was not asked for",
        "/slow": "not whole within 0.5 seconds",
        "/empty": "no visible text",
    }
    assert {path: reason(site, path, web) for path in expected} == expected


def test_private_addresses_are_refused_also_behind_a_redirect(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert reason(site, "/a", Web()) == (
        "127.0.0.1 leads to the private address 127.0.0.1; --allow-private permits it"
    )
    assert site.asked == []
    for url in ("http://localhost:1/", "http://[::1]:1/", "http://2130706433:1/", "http://0x7f.1:1/"):
        with pytest.raises(IngestError, match="private address"):
            Web().get(url)
    with pytest.raises(IngestError, match="user's name or password"):
        Web().get("http://a:b@example.org/")


def test_robots_txt_is_asked_once_and_obeyed(site: Site) -> None:
    site.pages["/robots.txt"] = Answer(b"User-agent: *\nDisallow: /private\nCrawl-delay: 5\n", "text/plain")
    site.pages["/private/a"] = site.pages["/a"] = site.pages["/b"] = page(FEES)
    waited: list[float] = []
    web = Web(allow_private=True, wait=waited.append)
    assert reason(site, "/private/a", web) == f"{site.url}/robots.txt forbids it"
    assert all(isinstance(one, Document) for path in ("/a", "/b") for one in read(site, path, web))
    assert site.asked == ["/robots.txt", "/a", "/b"]
    assert [round(seconds) for seconds in waited] == [5]
    site.pages["/robots.txt"] = Answer(b"", status=503)
    assert reason(site, "/a") == f"{site.url}/robots.txt forbids it"


def sitemap(*pages: str, kind: str = "url") -> Answer:
    found = "".join(f"<{kind}><loc>{page}</loc></{kind}>" for page in pages)
    return Answer(
        f'<set xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{found}</set>'.encode(), "text/xml"
    )


def test_a_sitemap_gives_the_pages_below_the_address(site: Site) -> None:
    site.pages["/robots.txt"] = Answer(f"Sitemap: {site.url}/index.xml".encode(), "text/plain")
    site.pages["/index.xml"] = sitemap(f"{site.url}/one.xml.gz", "http://example.org/x.xml", kind="sitemap")
    inner = sitemap(
        *(f"{site.url}/{path}" for path in ("docs/a", "docs/b", "docs/gone", "docs2/c")),
        "http://e.org/docs/d",
    )
    site.pages["/one.xml.gz"] = Answer(gzip.compress(inner.body), "application/gzip")
    for name in "ab":
        site.pages[f"/docs/{name}"] = page(FEES.replace("five", name))
    found = read(site, "/docs", sitemap=True)
    assert [one.source.removeprefix(site.url) for one in found] == ["/docs/a", "/docs/b", "/docs/gone"]
    fewer = read(site, "/docs", sitemap=True, max_pages=1)
    assert isinstance(fewer[-1], FailedSource)
    assert fewer[-1].reason == f"{site.url}/docs: 2 pages of its sitemap are left out (--max-pages)"
    assert reason_of(read(site, "/elsewhere", sitemap=True)) == "its sitemap lists no page at or below it"
    site.pages["/index.xml"] = Answer(b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "text/xml")
    assert reason_of(read(site, "/docs", sitemap=True)) == (
        f"the sitemap {site.url}/index.xml cannot be read: it declares a document type"
    )


def reason_of(found: list[Document | FailedSource]) -> str:
    (failed,) = found
    assert isinstance(failed, FailedSource)
    return failed.reason


def test_pages_are_updated_and_pruned_like_files(site: Site) -> None:
    site.pages["/sitemap.xml"] = sitemap(f"{site.url}/docs/a", f"{site.url}/docs/b")
    site.pages |= {"/docs/a": page(FEES), "/docs/b": page(FEES.replace("five", "six"))}
    root = f"{site.url}/docs"

    def ingested(*, prune: bool = False) -> tuple[int, int, int, int, int]:
        pages = [one for one in read(site, "/docs", sitemap=True, prune=prune) if one.source != "told"]
        done = store.ingest(pages, prune_under=[root] if prune else (), told_under=[root])
        return done.added, done.replaced, done.unchanged, done.pruned, len(done.failed)

    with temporary_store(load(overrides={"backend": {"type": "bm25"}}).settings) as store:
        assert ingested() == (2, 0, 0, 0, 0)
        site.pages["/docs/a"] = page(FEES.replace("five", "seven"))
        assert ingested() == (0, 1, 1, 0, 0)
        del site.pages["/docs/b"]
        assert ingested() == (0, 0, 1, 0, 1)
        assert [failed.source for failed in store.unread()] == [f"{site.url}/docs/b"]
        assert ingested(prune=True) == (0, 0, 1, 1, 0)
        assert store.unread() == []


def test_the_command_adds_what_it_can_and_tells_the_rest(site: Site, tmp_path: Path) -> None:
    site.pages["/fees"] = page(FEES)
    done = run("ingest", f"{site.url}/fees", f"{site.url}/no", "--allow-private", cwd=tmp_path, **PLAIN)
    assert (done.returncode, done.stdout) == (3, "1 added, 1 failed; 2 passages embedded\n")
    assert f"not read: {site.url}/no: the server says 404 Not Found" in done.stderr


def test_the_command_needs_an_address_for_its_options(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Open.")
    done = run("ingest", "a.md", "--sitemap", cwd=tmp_path)
    assert (done.returncode, "need an address" in done.stderr) == (2, True)
