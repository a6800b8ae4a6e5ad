"""Draw a comparison of backends: bars for each figure, and the verdict of each claim that flips."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from verifier.core.visible import one_line
from verifier.measure.comparison import Comparison, Flip, Measured

__all__ = ["as_svg"]

_NAMES, _PANEL, _BAR, _GAP, _ROW = 150, 130, 70, 20, 24
"""Widths of the names, of a panel, of its longest bar and of the space between two; height of a row."""

_MOST_FLIPS = 30
_CLAIM = 90
"""Characters of a claim that fit."""

_LETTER = 7
"""Width of a letter, roughly."""

_COLOURS = {
    "supported": "#2e7d32",
    "contradicted": "#c62828",
    "fabricated": "#6a1b9a",
    "unverifiable": "#90a4ae",
    "error": "#ef6c00",
}
_OTHER = "#455a64"
_BARS = "#1565c0"

_Panel = tuple[str, Callable[[Measured], float | None], str]
"""Its heading, its figure, and how that is written."""


def as_svg(found: Comparison) -> str:
    """Recall, nDCG, times, size and build time of each backend, then a square a backend for each flipping claim.

    A bar is as long as its share of the panel's longest, and of 1 for recall and nDCG. Where more claims flip than
    fit, the picture says how many it leaves out.
    """
    panels = _panels(found)
    shown = found.flips[:_MOST_FLIPS]
    longest = max(len(line) for line in ("", *(_failure(row) for row in found.backends)))
    width = (
        max(len(panels) * (_PANEL + _GAP), _CLAIM * _LETTER if shown else 0, longest * _LETTER) + _NAMES + 20
    )
    top = 70
    below = top + len(found.backends) * _ROW + 30
    height = below + (len(shown) + 3) * _ROW
    title = f"{found.passages} passages, {found.queries} queries; recall against {found.recall_against}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">',
        '<g font-family="sans-serif" font-size="12">',
        f"<title>{_text(title)}</title>",
        '<rect width="100%" height="100%" fill="white"/>',
        _label(10, 24, title),
    ]
    for row, backend in enumerate(found.backends):
        y = top + row * _ROW
        parts.append(_label(10, y + 14, backend.name))
        if backend.p50_ms is None:
            parts.append(_label(_NAMES, y + 14, _failure(backend), fill=_COLOURS["error"]))
    for column, panel in enumerate(panels):
        parts += _bars(panel, found.backends, _NAMES + column * (_PANEL + _GAP), top)
    parts += _grid(found, shown, below)
    return "\n".join([*parts, "</g>", "</svg>"]) + "\n"


def _failure(backend: Measured) -> str:
    return f"failed: {backend.error}" if backend.error is not None else ""


def _panels(found: Comparison) -> list[_Panel]:
    panels: list[_Panel] = [
        (f"recall@{found.k}", lambda row: row.recall, ".3f"),
        ("nDCG@10", lambda row: row.ndcg_at_10, ".3f"),
        ("p50, ms", lambda row: row.p50_ms, ".2f"),
        ("p95, ms", lambda row: row.p95_ms, ".2f"),
        ("index, kB", lambda row: None if row.index_bytes is None else row.index_bytes / 1000, ".1f"),
        ("build, s", lambda row: row.build_seconds, ".2f"),
    ]
    return [panel for panel in panels if any(panel[1](row) is not None for row in found.backends)]


def _bars(panel: _Panel, backends: Sequence[Measured], x: int, top: int) -> list[str]:
    heading, figure, form = panel
    values = [figure(backend) for backend in backends]
    longest = (
        1.0 if heading.startswith(("recall", "nDCG")) else max(v for v in values if v is not None) or 1.0
    )
    parts = [_label(x, top - 10, heading)]
    for row, value in enumerate(values):
        if value is None:
            continue
        y, length = top + row * _ROW, value / longest * _BAR
        parts.append(f'<rect x="{x}" y="{y + 2}" width="{length:.1f}" height="{_ROW - 8}" fill="{_BARS}"/>')
        parts.append(_label(x + length + 4, y + 14, format(value, form)))
    return parts


def _grid(found: Comparison, shown: Sequence[Flip], y: int) -> list[str]:
    if not found.claims:
        return [_label(10, y, "no claims were judged")]
    left_out = len(found.flips) - len(shown)
    more = f"; {left_out} of them are not drawn" if left_out else ""
    names = [backend.name for backend in found.backends]
    order = f"; a square each for {', '.join(names)}" if shown else ""
    parts = [_label(10, y, f"{len(found.flips)} of {found.claims} claims flip{more}{order}")]
    x = 10
    verdicts = sorted({outcome.verdict for flip in shown for outcome in flip.outcomes.values()})
    for verdict in verdicts:
        parts += [_square(x, y + 10, verdict), _label(x + 18, y + 21, verdict)]
        x += 110
    for row, flip in enumerate(shown):
        at = y + 10 + (row + 1) * _ROW
        for column, name in enumerate(names):
            if name in flip.outcomes:
                verdict = flip.outcomes[name].verdict
                parts.append(_square(10 + column * 16, at, verdict, f"{name}: {verdict}"))
        parts.append(_label(20 + len(names) * 16, at + 11, _shortened(flip.claim)))
    return parts


def _square(x: float, y: float, verdict: str, tip: str = "") -> str:
    title = f"<title>{_text(tip)}</title>" if tip else ""
    colour = _COLOURS.get(verdict, _OTHER)
    return f'<rect x="{x}" y="{y}" width="14" height="14" fill="{colour}">{title}</rect>'


def _label(x: float, y: float, text: str, fill: str = "black") -> str:
    return f'<text x="{x:.1f}" y="{y}" fill="{fill}">{_text(text)}</text>'


def _shortened(text: str) -> str:
    return text if len(text) <= _CLAIM else text[: _CLAIM - 1] + "…"


def _text(text: str) -> str:
    return escape(one_line(text))
