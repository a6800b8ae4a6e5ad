"""Take pictures of the demo's report and of the server's page in a real browser.

    python docs/screenshots.py        into docs/pictures

It needs chromium, playwright and Pillow. The pictures show the fonts of the machine: those in the repository were made
with TeX Gyre Pagella and Inter (``apt-get install chromium fonts-texgyre fonts-inter``).
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PIL import Image

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
DEMO = ROOT / "corpora" / "demo"
COMMAND = [sys.executable, "-m", "verifier"]
MOST = 150_000
"""Bytes of a picture."""


@dataclass(frozen=True)
class Shot:
    """One picture: its name, the size of the window in pixels, and the keys that are pressed first.

    It shows the report, or the server's page after a check.
    """

    name: str
    width: int
    height: int
    keys: tuple[str, ...] = ("j",)
    served: bool = False
    scheme: Literal["light", "dark"] = "light"
    media: Literal["screen", "print"] = "screen"
    scale: float = 1.5


SHOTS = (
    Shot("report", 1280, 800),
    Shot("report-dark", 1280, 800, scheme="dark"),
    Shot("report-phone", 390, 844),
    Shot("page", 1280, 860, served=True),
    Shot("page-phone", 390, 844, scheme="dark", served=True),
    Shot("report-print", 794, 1123, keys=(), media="print"),
)


def main() -> int:
    """Take all pictures; 1 where one is too large."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as driver:
        folder = Path(scratch)
        shutil.copytree(DEMO / "kb", folder / "sources")
        shutil.copy(DEMO / "answer.md", folder)
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        _verifier("report", "answer.md", "sources", "--quiet", folder=folder)
        report = (folder / "answer.md.html").as_uri()
        sizes = {shot.name: _take(browser, report, shot) for shot in SHOTS if not shot.served}
        with _serving(folder) as address:
            sizes |= {shot.name: _take(browser, address, shot) for shot in SHOTS if shot.served}
        browser.close()
    for name, size in sizes.items():
        sys.stdout.write(f"docs/pictures/{name}.png: {size // 1000} kB\n")
    return int(max(sizes.values()) > MOST)


def _verifier(*arguments: str, folder: Path) -> None:
    """Run the command there.

    Raises:
        RuntimeError: it was not done, or not wholly.
    """
    done = subprocess.run([*COMMAND, *arguments], cwd=folder, check=False, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"verifier {' '.join(arguments)}: {done.stderr}")


@contextmanager
def _serving(folder: Path) -> Iterator[str]:
    """The address of a server over the sources."""
    _verifier("ingest", "sources", "--kb", "kb", "--quiet", folder=folder)
    command = [*COMMAND, "serve", "--kb", "kb", "--port", "0"]
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        line = next(line for line in server.stderr if " on http" in line)
        try:
            yield f"http{line.rpartition(' on http')[2].strip()}"
        finally:
            server.terminate()


def _take(browser: Browser, address: str, shot: Shot) -> int:
    """Take one picture; its size in bytes."""
    context = browser.new_context(
        viewport={"width": shot.width, "height": shot.height},
        color_scheme=shot.scheme,
        device_scale_factor=shot.scale,
        reduced_motion="reduce",
    )
    opened = context.new_page()
    opened.goto(address)
    opened.emulate_media(media=shot.media)
    if shot.media == "print":
        opened.evaluate("document.body.style.margin = '18mm'")  # as paper has it
    if shot.served:
        opened.fill("#answer", (DEMO / "answer.md").read_text(encoding="utf-8"))
        opened.click("#go")
        opened.wait_for_selector("#exports:not([hidden])")
        opened.focus("#main")
    for key in shot.keys:
        opened.keyboard.press(key)
    if shot.served:
        opened.evaluate("scrollTo(0, 0)")
    raw = opened.screenshot()
    context.close()
    path = PICTURES / f"{shot.name}.png"
    Image.open(io.BytesIO(raw)).convert("RGB").quantize(256, kmeans=1).save(path, optimize=True)
    return path.stat().st_size


if __name__ == "__main__":
    sys.exit(main())
