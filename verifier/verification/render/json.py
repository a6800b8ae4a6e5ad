"""A report as one JSON object, or one line for each claim. Equal reports give equal bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from verifier.types import Report
from verifier.verification.report import to_json

__all__ = ["dumps", "render_json", "render_jsonl"]


def render_json(report: Report) -> str:
    """The whole report, indented; ``verifier.verification.report.json_schema`` describes it."""
    return dumps(to_json(report), indent=2)


def render_jsonl(report: Report) -> str:
    """A line a claim with ``"type": "claim"``, then one with ``"type": "report"`` and everything but the claims."""
    whole = to_json(report)
    claims = whole.pop("claims")
    rows = [*({"type": "claim", **claim} for claim in claims), {"type": "report", **whole}]
    return "".join(dumps(row) for row in rows)


def dumps(value: Mapping[str, Any], indent: int | None = None) -> str:
    """One JSON value, keys sorted, on one line or indented, with a line feed behind it."""
    # A lone surrogate in the response cannot be written as UTF-8: it stays a \\u escape.
    text = json.dumps(value, indent=indent, sort_keys=True, ensure_ascii=False)
    return text.encode("utf-8", errors="backslashreplace").decode("utf-8") + "\n"
