"""One self-contained page for a view, which nothing may leave and in which nothing else may run."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Sequence
from pathlib import Path

from verifier.core.visible import one_line
from verifier.interfaces.html.assets import asset
from verifier.interfaces.html.build import PROGRAM
from verifier.interfaces.html.types import Unread, View

__all__ = ["is_page", "page"]

_SPELT = re.compile("[<&\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What could end the element, steer a terminal, or cannot be written as UTF-8."""

_MADE = b'<meta name="generator" content="rag-claim-verifier '
_HEAD = 1000
"""Bytes from the beginning in which a page says what made it."""
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'; form-action 'none'; \
script-src 'sha256-{script_hash}'; style-src 'sha256-{style_hash}'">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="{program}">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main id="report"></main>
<noscript><p>This report is shown by JavaScript, which is switched off here.</p></noscript>
<script type="application/json" id="data">{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def page(*views: View, title: str = "", unread: Sequence[Unread] = ()) -> str:
    """An HTML page that shows one view, or several of which one is shown at a time.

    It asks for nothing from outside, and its policy forbids that it could. Text of drafts, of documents and of file
    names is data of its script, never markup. Equal views give equal pages.

    Args:
        views: what is shown, in order.
        title: what the page is called; by default as the one draft is.
        unread: drafts that could not be read.
    """
    script, style = asset("page.js"), asset("view.css")
    title = title or (views[0]["draft"]["name"] if len(views) == 1 else "") or "Checked text"
    return _PAGE.format(
        title=html.escape(one_line(title)),
        program=html.escape(PROGRAM),
        style=style,
        style_hash=_hash(style),
        data=_as_data({"title": title, "unread": unread, "views": views}),
        script=script,
        script_hash=_hash(script),
    )


def is_page(path: Path) -> bool:
    """Whether a file is a page that :func:`page` made, of whatever release."""
    if path.suffix.lower() != ".html" or not path.is_file():
        return False
    with path.open("rb") as file:
        return _MADE in file.read(_HEAD)


def _as_data(data: object) -> str:
    """JSON that no HTML parser takes for the end of its element, and in which nothing steers a terminal."""
    raw = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return _SPELT.sub(lambda found: f"\\u{ord(found[0]):04x}", raw)


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
