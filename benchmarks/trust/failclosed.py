"""Make everything that can go wrong between a response and a decision go wrong; none of it may be approved.

python -m benchmarks.trust.failclosed           run every condition
python -m benchmarks.trust.failclosed --write   put the table into docs/trust.md, too

Each condition is executed for real, in a folder of its own, through what users call: the library, the command line in
this process, the server's application. Ends with ``failclosed: N conditions, 0 approved``, and with exit code 1 where
one is approved or comes out otherwise than expected. The table names the test that guards each.
"""

from __future__ import annotations

import argparse
import logging
import re
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.trust import model_faults, retrieval_faults, state_faults, text_faults
from benchmarks.trust.outcomes import Came, Condition

__all__ = ["CONDITIONS", "came_of", "main", "page", "table"]

CONDITIONS: Sequence[Condition] = (
    *retrieval_faults.CONDITIONS,
    *model_faults.CONDITIONS,
    *text_faults.CONDITIONS,
    *state_faults.CONDITIONS,
)

PAGE = Path(__file__).parents[2] / "docs" / "trust.md"


def came_of(condition: Condition) -> Came:
    """What comes of a condition; an exception that no user should see is one more outcome, and never the expected."""
    with tempfile.TemporaryDirectory() as place:
        try:
            return condition.run(Path(place))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told in the table
            return Came(f"crashes: {type(error).__name__}: {error}", approved=False)


def table(conditions: Iterable[Condition] = CONDITIONS) -> str:
    """The conditions as Markdown, with what comes of each and the test that guards it."""
    rows = ["| condition | what comes | guarded by |", "|---|---|---|"]
    rows += [f"| {one.name} | {one.expected} | `{_short(one.guard)}` |" for one in conditions]
    return "\n".join(rows)


def page(text: str) -> str:
    """The page with the table anew between its markers."""
    block = f"<!-- failclosed -->\n{table()}\n<!-- /failclosed -->"
    return re.sub("<!-- failclosed -->.*?<!-- /failclosed -->", lambda _: block, text, flags=re.DOTALL)


def _short(guard: str) -> str:
    """A test without the folders above its file, all of which are in ``tests``."""
    return guard.rpartition("/")[2]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print, tell; the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help=f"write the table into {PAGE.name}")
    write = parser.parse_args(arguments).write
    logging.getLogger("verifier").addHandler(logging.NullHandler())
    failed = approved = 0
    for condition in CONDITIONS:
        started = time.perf_counter()
        came = came_of(condition)
        approved += came.approved
        holds = condition.holds(came)
        failed += not holds
        print(
            f"{'ok  ' if holds else 'FAIL'} {condition.name}: expected {condition.expected}, came {came.said}"
        )
        print(f"     guarded by {condition.guard} ({time.perf_counter() - started:.1f} s)")
        if not holds:
            print(
                f"     reason given: {came.why.strip() or 'none'}; it must say: {condition.reason or 'anything'}"
            )
    if write:
        PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    if failed:
        print(f"{failed} came out otherwise than expected")
    print(f"failclosed: {len(CONDITIONS)} conditions, {approved} approved")
    return 1 if failed or approved else 0


if __name__ == "__main__":
    sys.exit(main())
