"""Render a report as text: one module for each format, looked up by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from verifier.types import Report
from verifier.verification.render.json import render_json, render_jsonl
from verifier.verification.render.markdown import render_markdown
from verifier.verification.render.table import render_table

__all__ = ["FORMATS", "render_json", "render_jsonl", "render_markdown", "render_table"]

FORMATS: Mapping[str, Callable[[Report], str]] = {
    "table": render_table,
    "json": render_json,
    "jsonl": render_jsonl,
    "markdown": render_markdown,
}
