"""The demo's answer and its sources in; the pictures of its report in docs/pictures/ out, taken in a real browser.

    python docs/screenshots.py

It needs chromium, playwright and Pillow. The pictures show the fonts of the machine: those in the repository were made
with TeX Gyre Pagella and Inter (``apt-get install chromium fonts-texgyre fonts-inter``).
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PIL import Image

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
MOST = 150_000
"""Bytes of a picture."""


@dataclass(frozen=True)
class Shot:
    """One picture: its name, the size of the window in pixels, the keys that are pressed first."""

    name: str
    width: int
    height: int
    keys: tuple[str, ...] = ("j",)
    scheme: Literal["light", "dark"] = "light"
    media: Literal["screen", "print"] = "screen"
    scale: float = 1.5


SHOTS = (
    Shot("report", 1280, 800),
    Shot("report-dark", 1280, 800, scheme="dark"),
    Shot("report-phone", 390, 844),
    Shot("report-print", 794, 1123, keys=(), media="print"),
)


def main() -> int:
    """Take all pictures; 1 where one is too large."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as driver:
        page = _report(Path(scratch))
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        sizes = {shot.name: _take(browser, page, shot) for shot in SHOTS}
        browser.close()
    for name, size in sizes.items():
        sys.stdout.write(f"docs/pictures/{name}.png: {size // 1000} kB\n")
    return int(max(sizes.values()) > MOST)


def _report(folder: Path) -> Path:
    """The report of the demo, made by the command as a person would."""
    shutil.copytree(ROOT / "corpora" / "demo" / "kb", folder / "sources")
    shutil.copy(ROOT / "corpora" / "demo" / "answer.md", folder / "answer.md")
    command = [sys.executable, "-m", "verifier", "report", "answer.md", "sources", "--quiet"]
    made = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    if made.returncode not in (0, 1):
        raise RuntimeError(f"the report could not be made: {made.stderr}")
    return folder / "answer.md.html"


def _take(browser: Browser, page: Path, shot: Shot) -> int:
    """Take one picture; its size in bytes."""
    context = browser.new_context(
        viewport={"width": shot.width, "height": shot.height},
        color_scheme=shot.scheme,
        device_scale_factor=shot.scale,
        reduced_motion="reduce",
    )
    opened = context.new_page()
    opened.goto(page.as_uri())
    opened.emulate_media(media=shot.media)
    if shot.media == "print":
        opened.evaluate("document.body.style.margin = '18mm'")  # as paper has it
    for key in shot.keys:
        opened.keyboard.press(key)
    raw = opened.screenshot()
    context.close()
    path = PICTURES / f"{shot.name}.png"
    Image.open(io.BytesIO(raw)).convert("RGB").quantize(256, kmeans=1).save(path, optimize=True)
    return path.stat().st_size


if __name__ == "__main__":
    sys.exit(main())
