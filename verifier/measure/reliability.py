"""The reliability curve of stated probabilities, its calibration error, and a drawing of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.measure.metrics import calibration_bins, expected_calibration_error

__all__ = ["Bin", "Reliability", "as_bars", "as_svg", "reliability"]

RESAMPLES = 500
WIDTH = 40
"""Characters of a bar that stands for 100 %."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Rows whose stated probability lies in [``low``, ``high``]: its mean, and the share that came true."""

    low: float
    high: float
    stated: float
    observed: float
    n: int


@dataclass(frozen=True, slots=True)
class Reliability:
    """A reliability curve.

    ``ece`` is the expected calibration error over the bins, ``interval`` a 90 % interval for that of endless rows, and
    ``by_chance`` what ``ece`` would be on average if every stated probability were exact: few rows never show 0.
    """

    n: int
    ece: float
    interval: tuple[float, float]
    by_chance: float
    bins: tuple[Bin, ...]

    def as_dict(self) -> dict[str, Any]:
        """The same as plain values, for JSON."""
        return asdict(self)


def reliability(stated: Sequence[float], happened: Sequence[bool]) -> Reliability:
    """The curve of stated probabilities in [0, 1] against what happened; bins as in ``calibration_bins``.

    The error of few rows is too large on average, and their resamples' by as much again: the interval is the basic
    bootstrap (Davison and Hinkley 1997, section 5.2), which takes that off, and begins at 0 where an exact forecaster
    would show the error in one case of twenty or more (consistency resampling, Bröcker and Smith 2007). The seed is
    fixed.

    Raises:
        ValueError: no rows, or a probability is NaN.
    """
    values, hits = np.asarray(stated, dtype=np.float64), np.asarray(happened, dtype=np.float64)
    if not len(values) or np.isnan(values).any():
        raise ValueError("a reliability curve needs rows, and probabilities that are numbers")
    order = np.argsort(values, kind="stable")
    values, hits = values[order], hits[order]
    edges = calibration_bins(values)
    starts, sizes = edges[:-1], np.diff(edges)
    random = np.random.default_rng(0)
    resampled, by_chance = [], []
    for _ in range(RESAMPLES):
        rows = random.integers(0, len(values), len(values))
        resampled.append(_error(values[rows], hits[rows]))
        by_chance.append(_error(values, random.random(len(values)) < values))
    ece = _error(values, hits)
    shown_by_chance = ece <= np.quantile(by_chance, 0.95)
    low, high = 2 * ece - np.quantile(resampled, [0.95, 0.05])
    bins = zip(
        values[starts].tolist(),
        values[edges[1:] - 1].tolist(),
        (np.add.reduceat(values, starts) / sizes).tolist(),
        (np.add.reduceat(hits, starts) / sizes).tolist(),
        sizes.tolist(),
        strict=True,
    )
    return Reliability(
        n=len(values),
        ece=ece,
        interval=(0.0 if shown_by_chance else max(0.0, float(low)), max(0.0, float(high))),
        by_chance=float(np.mean(by_chance)),
        bins=tuple(Bin(*item) for item in bins),
    )


def _error(values: NDArray[np.float64], hits: NDArray[Any]) -> float:
    return expected_calibration_error(values, hits.astype(np.float64)) or 0.0


def as_bars(curve: Reliability) -> str:
    """One line a bin: a bar as long as the share that came true, ``|`` where the stated probability would end."""
    lines = [f"{'stated':>11}  {'rows':>5}  {'mean':>6}  {'true':>6}"]
    for item in curve.bins:
        bar = ["█" if at < round(item.observed * WIDTH) else " " for at in range(WIDTH + 1)]
        bar[round(item.stated * WIDTH)] = "|"
        lines.append(
            f"{item.low:5.2f}-{item.high:5.2f}  {item.n:5}  {item.stated:6.1%}  {item.observed:6.1%}  "
            + "".join(bar).rstrip()
        )
    low, high = curve.interval
    lines.append(
        f"ECE {curve.ece:.3f} (90 % interval {low:.3f}-{high:.3f}; {curve.by_chance:.3f} if every one were exact)"
    )
    return "\n".join(lines) + "\n"


_COLOURS = ("#90a4ae", "#1565c0", "#2e7d32", "#c62828")
_SIZE, _MARGIN = 400, 50


def as_svg(curves: Mapping[str, Reliability], title: str) -> str:
    """The curves in one square with its diagonal, by name; a dot's area grows with its rows."""
    across, ends = _MARGIN + _SIZE, (0.0, 0.25, 0.5, 0.75, 1.0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across + 20}" height="{across + 50}">',
        '<g font-family="sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{_MARGIN}" y="24">{escape(title)}</text>',
        f'<rect x="{_MARGIN}" y="{_MARGIN}" width="{_SIZE}" height="{_SIZE}" fill="none" stroke="#455a64"/>',
        f'<path d="M{_place(0, 0)} L{_place(1, 1)}" stroke="#b0bec5" stroke-dasharray="4"/>',
    ]
    for end in ends:
        x, y = _place(end, end).split()
        parts.append(f'<text x="{x}" y="{across + 16}" text-anchor="middle">{end:g}</text>')
        parts.append(f'<text x="{_MARGIN - 6}" y="{y}" text-anchor="end">{end:g}</text>')
    middle = _MARGIN + _SIZE / 2
    parts.append(f'<text x="{middle}" y="{across + 36}" text-anchor="middle">stated probability</text>')
    parts.append(
        f'<text transform="translate(14 {middle}) rotate(-90)" text-anchor="middle">share that came true</text>'
    )
    for n, (name, curve) in enumerate(curves.items()):
        colour = _COLOURS[n % len(_COLOURS)]
        path = " L".join(_place(item.stated, item.observed) for item in curve.bins)
        parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for item in curve.bins:
            x, y = _place(item.stated, item.observed).split()
            radius = 2 + 10 * (item.n / curve.n) ** 0.5
            parts.append(f'<circle cx="{x}" cy="{y}" r="{radius:.1f}" fill="{colour}" fill-opacity="0.5"/>')
        parts.append(
            f'<text x="{_MARGIN + 10}" y="{_MARGIN + 20 + 18 * n}" fill="{colour}">'
            f"{escape(name)}: ECE {curve.ece:.3f}, {curve.n} rows</text>"
        )
    return "\n".join([*parts, "</g>", "</svg>"]) + "\n"


def _place(stated: float, observed: float) -> str:
    return f"{_MARGIN + stated * _SIZE:.1f} {_MARGIN + (1 - observed) * _SIZE:.1f}"
