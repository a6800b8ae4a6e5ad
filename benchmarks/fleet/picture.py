"""A run as a picture: bars for systems that were measured by the same thing, lines for what grows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from textwrap import fill
from typing import Any

from benchmarks.fleet.rows import Row, Run, shown, title

__all__ = ["draw", "panels"]

_ACROSS, _WIDTH, _HEIGHT = 3, 5.2, 2.6
_TITLE = 60
"""Characters of a line of a panel's title."""
_OURS, _PEERS = "#1f6f8b", "#b9bec4"


def panels(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows of each panel: one ``what`` of one part, with two figures or more."""

    def key(row: Row) -> tuple[str, str, str]:
        return row.part, row.what, row.unit

    told = [row for row in rows if row.figure is not None]
    order = list(dict.fromkeys(map(key, told)))
    grouped = groupby(sorted(told, key=lambda row: order.index(key(row))), key=key)
    return [some for _, group in grouped if len(some := list(group)) > 1]


def draw(run: Run, file: Path) -> None:
    """Write the picture, in the format of the file's suffix; without matplotlib or panels there is none."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "bench", "svg.fonttype": "none", "font.size": 8})
    from matplotlib import pyplot

    shown_panels = panels(run.rows)
    if not shown_panels:
        return
    down = math.ceil(len(shown_panels) / _ACROSS)
    figure, axes = pyplot.subplots(
        down, _ACROSS, figsize=(_ACROSS * _WIDTH, down * _HEIGHT + 0.4), squeeze=False, layout="constrained"
    )
    figure.suptitle(title(run.about))
    for axis in axes.flat[len(shown_panels) :]:
        axis.set_axis_off()
    for axis, rows in zip(axes.flat, shown_panels, strict=False):
        axis.set_title(fill(f"{rows[0].part}: {rows[0].what}", _TITLE), loc="left")
        (_lines if any(row.at is not None for row in rows) else _bars)(axis, rows)
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)
    pyplot.close(figure)


def _bars(axis: Any, rows: Sequence[Row]) -> None:
    names = [row.system for row in rows]
    figures = [row.figure for row in rows]
    colours = [_OURS if name.startswith("ours") else _PEERS for name in names]
    drawn = axis.barh(range(len(rows)), figures, color=colours)
    axis.bar_label(drawn, [shown(row) for row in rows], padding=2)
    axis.set_yticks(range(len(rows)), names)
    axis.invert_yaxis()
    axis.margins(x=0.15)
    axis.set_xlabel(rows[0].unit)
    axis.spines[["top", "right"]].set_visible(False)


def _lines(axis: Any, rows: Sequence[Row]) -> None:
    for system, group in groupby(rows, key=lambda row: row.system):
        points = [(row.at, row.figure) for row in group if row.at]
        axis.plot(*zip(*points, strict=True), marker="o", label=system, color=_OURS)
    axis.set_xscale("log")
    axis.set_yscale("log")
    low, high = axis.get_ylim()
    axis.set_ylim(min(low, high / 10), high)  # a decade at least: what hardly grows must look so
    axis.set_ylabel(rows[0].unit)
    axis.legend(frameon=False)
    axis.spines[["top", "right"]].set_visible(False)
