"""A run's figures in the documents: docs/bench.json, the picture, and the blocks of docs/scale.md that print it."""

from __future__ import annotations

from pathlib import Path

from benchmarks import published
from benchmarks.fleet.picture import draw
from benchmarks.fleet.rows import Run

__all__ = ["FIGURES", "PAGE", "PICTURE", "ROOT", "document"]

ROOT = published.ROOT
_DOCS = ROOT / "docs"
FIGURES, PICTURE, PAGE = _DOCS / "bench.json", _DOCS / "pictures" / "bench.svg", _DOCS / "scale.md"


def document(file: Path) -> None:
    """Put a run into the documents.

    Raises:
        OSError: the file cannot be read.
        ValueError: it holds no run.
        RuntimeError: a command of the page failed.
    """
    run = Run.read(file)
    run.write(FIGURES)
    draw(run, PICTURE)
    published.main([str(PAGE)])
