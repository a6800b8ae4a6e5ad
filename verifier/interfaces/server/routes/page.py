"""The page at ``/`` and the reference at ``/docs``: fixed files without a key, under a strict policy."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from fastapi import APIRouter, Request
from starlette.responses import Response

from verifier.interfaces import html
from verifier.interfaces.html.types import DraftView, View
from verifier.interfaces.server.problems import Problem

__all__ = ["is_page", "router"]

router = APIRouter(include_in_schema=False)

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        # No text can become markup or script by a slip of ours: the browser refuses to parse it.
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-cache",
}
_KINDS = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "txt": "text/plain",
}
_VIEW = ("dom.js", "view.css", "view.js")
"""What the page shares with the HTML report."""
_SHELL = "report.txt"
"""An HTML report of nothing, which the page fills in to be saved. As text, so that no browser runs it here."""


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    media_type: str

    @property
    def tag(self) -> str:
        return f'"{hashlib.sha256(self.content).hexdigest()[:32]}"'


def is_page(path: str) -> bool:
    """Whether a path is one of the page's, which say nothing of anybody."""
    return path in {"/", "/docs"} or path.startswith("/page/")


@router.get("/")
async def index(request: Request) -> Response:
    """The page."""
    return _answer("index.html", request)


@router.get("/docs")
async def reference(request: Request) -> Response:
    """The routes, as the OpenAPI has them."""
    return _answer("docs.html", request)


@router.get("/page/{name}")
async def file(name: str, request: Request) -> Response:
    """One of their files."""
    return _answer(name, request)


def _answer(name: str, request: Request) -> Response:
    found = _files().get(name)
    if found is None:
        raise Problem(404, "not_found", "there is no such route")
    headers = {**_HEADERS, "ETag": found.tag}
    if request.headers.get("if-none-match") == found.tag:
        return Response(status_code=304, headers=headers)
    return Response(found.content, headers=headers, media_type=found.media_type)


@cache
def _files() -> dict[str, _File]:
    """All of them, by name; nothing else of the disk can be asked for."""
    folder = files("verifier.interfaces.server") / "page"
    texts = {one.name: one.read_text(encoding="utf-8") for one in folder.iterdir()}
    texts |= {name: html.asset(name) for name in _VIEW}
    texts[_SHELL] = html.page(View(draft=DraftView(name="", text="", blocks=[], styles=[])))
    return {
        name: _File(text.encode(), _KINDS[name.rpartition(".")[2]])
        for name, text in texts.items()
        if name.rpartition(".")[2] in _KINDS
    }
