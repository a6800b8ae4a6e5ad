"""A real browser for tests of pages: Debian's chromium, or another that is there. It never leaves this machine."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["CHROMIUM", "launched", "requests_of", "serious"]

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
"""The browser's program, ``None`` where there is none."""

WAIT = 120_000.0
"""Milliseconds in which a browser starts, also on a machine that is busy."""


@contextmanager
def launched() -> Iterator[Browser]:
    """The browser; the test is skipped where it, or what drives it, is not installed."""
    pytest.importorskip("playwright", reason="playwright is not installed: pip install playwright")
    if CHROMIUM is None:
        pytest.skip("no chromium: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"], timeout=WAIT)
        yield browser
        browser.close()


def requests_of(page: Page) -> list[str]:
    """Where all addresses will be put that the page asks for."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    return asked


def serious(page: Page) -> list[str]:
    """What axe finds that keeps people out, as ``rule: where``."""
    from axe_playwright_python.sync_playwright import Axe

    found: list[dict[str, Any]] = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {node['target']} {node['failureSummary']}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]
