"""Measure ours and its peers in one run: one table, its figures as JSON, and a picture.

    python -m benchmarks.fleet [--parts stores,growth] [--size 100000] [--output build/bench.json]
    python -m benchmarks.fleet --show build/bench.json [--parts stores] [--markdown] [--about]
    python -m benchmarks.fleet --document build/bench.json

Parts run one after the other, each in a process of its own, so that none is in the memory of another. What cannot be
measured here stands in the table with the reason. A part that takes longer than ``--most`` is ended; its rows up to
then are kept. ``--add`` keeps the rows that the file has of other parts. ``--document`` puts a run into docs/: its
figures as docs/bench.json, the picture, and what docs/scale.md prints of it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console

from benchmarks.fleet.documents import document
from benchmarks.fleet.parts import PARTS, run
from benchmarks.fleet.picture import draw
from benchmarks.fleet.rows import Options, Run, about_table, console_table, markdown_table

SIZES: Mapping[str, str] = {
    "size": "passages in the vector stores",
    "queries": "asked of each store",
    "answers": "verified by each system",
    "rows": "of a batch",
    "requests": "to the server",
    "passages": "of the largest knowledge base of the growth",
    "claims": "of the longest answer of the growth",
}
"""Of :class:`Options`, each with what it is of."""

_NARROWEST = 120
"""Columns of the table at least, also where the output is no terminal."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.fleet",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    usual = Options(None, Path())
    parser.add_argument("--parts", default=",".join(PARTS), help=f"of {', '.join(PARTS)}; by default all")
    parser.add_argument("--data", type=Path, default=os.environ.get("VERIFIER_DATA"), help="evaluation data")
    for name, told in SIZES.items():
        parser.add_argument(f"--{name}", type=int, default=getattr(usual, name), help=told)
    parser.add_argument("--scratch", type=Path, default=Path("build/bench"), help="keeps vectors and logs")
    parser.add_argument("--most", type=float, default=900, metavar="SECONDS", help="of a part")
    parser.add_argument("--output", type=Path, default=Path("build/bench.json"), help="for the figures")
    parser.add_argument("--picture", type=Path, help="PNG or SVG; by default beside the figures, in SVG")
    parser.add_argument("--add", action="store_true", help="keep what the file has of other parts")
    parser.add_argument("--show", type=Path, metavar="FILE", help="print a run's table, and measure nothing")
    parser.add_argument("--markdown", action="store_true", help="with --show, as Markdown")
    parser.add_argument(
        "--about", action="store_true", help="with --show, what the figures depend on instead"
    )
    parser.add_argument("--document", type=Path, metavar="FILE", help="write a run into docs/")
    return parser


def main(given: Sequence[str] | None = None) -> int:
    """Measure and print; 1 where a part failed, 2 for a wrong command."""
    parser = _parser()
    asked = parser.parse_args(given)
    parts = asked.parts.split(",")
    if unknown := set(parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}: choose from {', '.join(PARTS)}")
    if low := [name for name in SIZES if getattr(asked, name) < 1]:
        parser.error(f"--{low[0]} must be at least 1")
    try:
        if asked.document:
            document(asked.document)
            return 0
        kept = Run.read(asked.show or asked.output) if asked.show or _is_added_to(asked) else None
    except (OSError, ValueError) as error:
        parser.error(str(error))
    if asked.show and kept:
        if asked.about:
            print(about_table(kept))
        else:
            _print(kept, parts, markdown=asked.markdown)
        return 0
    options = Options(asked.data, asked.scratch, **{name: getattr(asked, name) for name in SIZES})
    measured, failed = run(parts, options, asked.most, asked.output, kept)
    draw(measured, asked.picture or asked.output.with_suffix(".svg"))
    _print(measured, list(PARTS), markdown=asked.markdown)
    return int(failed)


def _is_added_to(asked: argparse.Namespace) -> bool:
    return bool(asked.add and asked.output.exists())


def _print(run: Run, parts: Sequence[str], *, markdown: bool) -> None:
    chosen = Run(run.about, [row for row in run.rows if row.part in parts])
    if markdown:
        print(markdown_table(chosen.rows))
        return
    Console(width=max(Console().width, _NARROWEST)).print(console_table(chosen))


if __name__ == "__main__":
    sys.exit(main())
