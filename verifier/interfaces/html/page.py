"""A view in; one self-contained page that shows it out, which nothing may leave and in which nothing else may run."""

from __future__ import annotations

import base64
import hashlib
import html
import json

from verifier.interfaces.html.assets import asset
from verifier.interfaces.html.types import View

__all__ = ["page"]

_START = """
const data = JSON.parse(document.getElementById("data").textContent);
view(document.getElementById("report"), data, { tools: true });
"""
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


def page(view: View) -> str:
    """An HTML page that shows a view. It asks for nothing from outside, and its policy forbids that it could.

    Text of the draft, of documents and of file names is data of its script, never markup.
    """
    script, style = asset("view.js") + _START, asset("view.css")
    name = view["draft"]["name"]
    return _PAGE.format(
        title=html.escape(f"{name} – checked" if name else "Checked text"),
        program=html.escape(view.get("program", "")),
        style=style,
        style_hash=_hash(style),
        data=_as_data(view),
        script=script,
        script_hash=_hash(script),
    )


def _as_data(view: View) -> str:
    """JSON that no HTML parser takes for the end of its element, nor for a comment."""
    raw = json.dumps(view, ensure_ascii=False, separators=(",", ":"))
    return raw.replace("<", "\\u003c").replace("&", "\\u0026")


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
