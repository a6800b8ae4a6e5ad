"""Draw a histogram of confidences as SVG."""

from __future__ import annotations

from verifier.guard.gate.stats import GateStats

__all__ = ["histogram_svg"]

_WIDTH, _HEIGHT, _LEFT, _TOP = 440, 220, 40, 40


def histogram_svg(stats: GateStats) -> str:
    """One bar for each tenth of confidence, with its count above it; decisions without a confidence in the title."""
    bins = len(stats.histogram)
    step, highest = _WIDTH / bins, max(*stats.histogram, 1)
    title = f"Confidence of {stats.decisions} decisions" + (
        f", {stats.unrated} without one" if stats.unrated else ""
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH + 2 * _LEFT}" height="{_HEIGHT + 2 * _TOP}">',
        '<g font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{_LEFT}" y="24" font-size="14">{title}</text>',
    ]
    for at, count in enumerate(stats.histogram):
        tall = _HEIGHT * count / highest
        left, top = _LEFT + at * step, _TOP + _HEIGHT - tall
        parts += [
            f'<rect x="{left + 2:.1f}" y="{top:.1f}" width="{step - 4:.1f}" height="{tall:.1f}" fill="#3b6ea5"/>',
            f'<text x="{left + step / 2:.1f}" y="{top - 4:.1f}" text-anchor="middle">{count}</text>',
        ]
    for at in range(bins + 1):
        where = _LEFT + at * step
        label = f"{at / bins:.1f}"
        parts.append(f'<text x="{where:.1f}" y="{_TOP + _HEIGHT + 16}" text-anchor="middle">{label}</text>')
    return "\n".join([*parts, "</g>", "</svg>"]) + "\n"
