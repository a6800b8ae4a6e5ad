"""Every relative link of the documents leads to a file that is there, and to a heading that is in it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.support.code_blocks import ROOT, name_of

DOCUMENTS = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted(ROOT.glob("*/verifier_*/models/*/CARD.md")),
    *sorted((ROOT / "corpora").rglob("README.md")),
    *sorted((ROOT / "training").rglob("*.md")),
]

_CODE = re.compile(r"^ *```.*?^ *```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?P<target>[^()\s#]*)(?:#(?P<anchor>[^()\s]*))?\)")
_HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)


@cache
def anchors(document: Path) -> frozenset[str]:
    """The anchors of a document's headings, as GitHub and the site make them."""
    text = re.sub(
        r"^ *```.*?^ *```", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    return frozenset(
        re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading.lower()).strip())
        for heading in _HEADING.findall(text)
    )


def broken(document: Path) -> list[str]:
    """The links of a document that lead nowhere."""
    found = []
    for link in _LINK.finditer(_CODE.sub("", document.read_text(encoding="utf-8"))):
        if ":" in link["target"]:
            continue
        target = (document.parent / link["target"]).resolve() if link["target"] else document
        if not target.exists():
            found.append(f"{link['target']} is not there")
        elif link["anchor"] and link["anchor"] not in anchors(target):
            found.append(f"{link['target']} has no heading for #{link['anchor']}")
    return found


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_links_lead_somewhere(document: Path) -> None:
    assert broken(document) == []


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One\n\n[a](gone.md) [b](#one) [c](#two) `[d](x.md)`\n", encoding="utf-8")
    assert broken(page) == ["gone.md is not there", " has no heading for #two"]


def test_each_decision_is_in_the_index() -> None:
    index = (ROOT / "docs" / "decisions" / "index.md").read_text(encoding="utf-8")
    records = {path.name for path in (ROOT / "docs" / "decisions").glob("[0-9]*.md")}
    assert records == set(re.findall(r"\]\((\d{4}-[\w-]+\.md)\)", index))
