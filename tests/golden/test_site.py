"""The pages of the documentation site are all collected, with links that fit, and all in the navigation."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def build_site() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_site", ROOT / "docs" / "build_site.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_page_is_collected_and_in_the_navigation(build_site: ModuleType, tmp_path: Path) -> None:
    site = tmp_path / "pages"
    build_site.collect(site)
    configured = yaml.safe_load((tmp_path / "mkdocs.yml").read_text(encoding="utf-8"))
    assert (
        build_site.missing(configured["nav"], (p.relative_to(site).as_posix() for p in site.rglob("*.md")))
        == []
    )
    assert "## verifier kb list" in (site / "reference" / "commands.md").read_text(encoding="utf-8")
    assert "rrf_k" in (site / "reference" / "configuration.md").read_text(encoding="utf-8")


def test_links_are_made_to_fit(build_site: ModuleType) -> None:
    page = ROOT / "docs" / "guides" / "ci.md"
    places = {page: "guides/ci.md", ROOT / "SECURITY.md": "security.md"}
    text = (
        "[a](../../SECURITY.md#x) [b](../../Makefile) `[c](../../SECURITY.md)` [d](https://example.org/a.md)"
    )
    assert build_site.with_links(text, page, places) == (
        "[a](../security.md#x) b (`Makefile`) `[c](../../SECURITY.md)` [d](https://example.org/a.md)"
    )
    with pytest.raises(FileNotFoundError, match=r"gone\.md"):
        build_site.with_links("[a](gone.md)", page, places)


def test_a_page_that_the_navigation_lacks_is_named(build_site: ModuleType) -> None:
    assert build_site.missing([{"Home": "index.md"}], ["index.md", "lost.md", "picture.png"]) == ["lost.md"]
