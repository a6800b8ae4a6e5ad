"""Print parts of a run as Markdown with a line for each system and a column for each measure.

python -m benchmarks.fleet.across docs/bench.json judges
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from benchmarks.fleet.rows import Row, Run, shown

__all__ = ["across", "main"]


def across(rows: Sequence[Row]) -> Iterator[str]:
    """The lines of a part's table; a system that was not run has its reason in its line.

    >>> rows = [Row("speed", "ours", 2.5, "ms"), Row("speed", "theirs", 3, "ms")]
    >>> print("\\n".join(across(rows)))
    | | speed, ms |
    |---|---|
    | ours | 2.5 |
    | theirs | 3 |
    """
    measures = list(dict.fromkeys((row.what, row.unit) for row in rows if row.figure is not None))
    yield f"| | {' | '.join(', '.join(measure) for measure in measures)} |"
    yield "|---" * (len(measures) + 1) + "|"
    for system in dict.fromkeys(row.system for row in rows):
        own = {(row.what, row.unit): row for row in rows if row.system == system}
        reasons = [shown(row) for row in own.values() if row.figure is None]
        cells = reasons or [shown(own[measure]) if measure in own else "" for measure in measures]
        yield f"| {system} | {' | '.join(cells)} |"


def main(given: Sequence[str]) -> None:
    """Print the parts of a run's file that are named behind it."""
    file, *parts = given
    chosen = [row for row in Run.read(Path(file)).rows if row.part in parts]
    tables = ["\n".join(across(list(rows))) for _, rows in groupby(chosen, key=lambda row: row.part)]
    print("\n\n".join(tables))


if __name__ == "__main__":
    main(sys.argv[1:])
