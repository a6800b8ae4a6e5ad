"""The examples in the pages under docs/ run, and print what the pages say."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
WITH_EXAMPLES = sorted(
    page.relative_to(DOCS).as_posix()
    for page in DOCS.rglob("*.md")
    if ">>> " in page.read_text(encoding="utf-8")
)


def test_there_are_pages_with_examples() -> None:
    assert "judge.md" in WITH_EXAMPLES


@pytest.mark.parametrize("page", WITH_EXAMPLES)
def test_the_examples_print_what_the_page_says(page: str) -> None:
    failed, tried = doctest.testfile(str(DOCS / page), module_relative=False, encoding="utf-8")
    assert tried > 0
    assert failed == 0
