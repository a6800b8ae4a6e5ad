"""Documents and answers that ask for something from elsewhere: nothing is fetched, and no file beside them is read."""

from __future__ import annotations

import io
import re
import socket
import zipfile
from pathlib import Path
from typing import Any

import docx
import pytest

from verifier import BM25Backend, GroundTruthStore
from verifier.config import load
from verifier.core.errors import IngestError
from verifier.factory import build_scorer
from verifier.knowledge.ingest import discover, read_documents

ADDRESS = "http://127.0.0.1:9/fetched"
PAGE = f"""<html><head><link rel="stylesheet" href="{ADDRESS}.css"><script src="{ADDRESS}.js"></script>
<meta http-equiv="refresh" content="0;url={ADDRESS}"><base href="{ADDRESS}/"></head>
<body><img src="{ADDRESS}.png"><iframe src="file:///etc/hostname"></iframe>
<p>The fee is 5 EUR for each order.</p></body></html>"""
NOTES = f"![plan]({ADDRESS}.png)\n\n<img src='{ADDRESS}'>\n\n[terms]: {ADDRESS}\n\nThe fee is 5 EUR for each order.\n"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Every address that somebody looks up or connects to, which then fails."""
    found: list[object] = []

    def refuse(*arguments: Any, **_: Any) -> Any:
        found.append(arguments)
        raise OSError("no network in this test")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    return found


def word_file(secret: Path) -> bytes:
    """A Word file whose text is an entity that stands for another file, and one for an address."""
    plain, packed = io.BytesIO(), io.BytesIO()
    document = docx.Document()
    document.add_paragraph("The fee is 5 EUR for each order. MARK")
    document.save(plain)
    entities = f'<!DOCTYPE d [<!ENTITY own SYSTEM "{secret.as_uri()}"><!ENTITY far SYSTEM "{ADDRESS}">]>'
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(packed, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == "word/document.xml":
                content = content.replace(b"MARK", b"&own;&far;")
                content = re.sub(
                    rb"(<\?xml.*?\?>)", lambda found: found[1] + entities.encode(), content, count=1
                )
            target.writestr(name, content)
    return packed.getvalue()


def test_nothing_that_a_document_names_is_fetched(tmp_path: Path, asked: list[object]) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("quokka")
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "page.html").write_text(PAGE)
    (folder / "notes.md").write_text(NOTES)
    (folder / "letter.docx").write_bytes(word_file(secret))
    files = {found.source: found for found in discover([folder])}
    with pytest.raises(IngestError, match="declares a document type"):
        list(read_documents(files.pop("letter.docx")))
    read = [document for found in files.values() for document in read_documents(found)]
    assert {document.source for document in read} == {"page.html", "notes.md"}
    assert not any("quokka" in document.text for document in read)
    with GroundTruthStore(BM25Backend()) as store:
        store.ingest(read)
        settings = load(overrides={"signals.nli": False}).settings
        report = build_scorer(settings, store).verify(
            f"The fee is 5 EUR for each order. See {ADDRESS} for the terms."
        )
    assert report.claims
    assert asked == []
