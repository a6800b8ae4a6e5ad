"""Check published figures: run the command beside each one and compare what it prints.

    python -m benchmarks.published                    corpora/expected.toml
    python -m benchmarks.published docs/verdicts.md   what stands between <!-- printed: COMMAND -->
                                                      and <!-- /printed -->

Commands are run by the shell in the root of the repository, 120 columns wide, with a folder of their own for
``build/``. ``python docs/generate.py`` then puts ``corpora/expected.toml`` into the README and docs/figures.md.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

__all__ = ["EXPECTED", "ROOT", "output_of", "printed", "renewed", "value_of", "with_values"]

ROOT = Path(__file__).resolve().parent.parent
EXPECTED = ROOT / "corpora" / "expected.toml"

T = TypeVar("T")

_BLOCK = re.compile(r"(<!-- printed: (?P<command>[^\n]+) -->\n).*?(<!-- /printed -->)", re.DOTALL)
_VALUE = re.compile(r"^value = .*$", re.MULTILINE)


def output_of(command: str) -> str:
    """What a command prints on standard output.

    Raises:
        RuntimeError: it failed; the message has what it said.
    """
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        shell=True,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": path, "COLUMNS": "120"},
    )
    if done.returncode:
        raise RuntimeError(f"{command} gave exit code {done.returncode}: {done.stderr}")
    return done.stdout


def printed(command: str) -> Any:
    """The JSON that a command prints, whatever other lines stand before it.

    Raises:
        RuntimeError: it failed.
    """
    out = output_of(command)
    return json.loads(out[out.index("{") :])


def value_of(figure: dict[str, Any], run: Callable[[str], Any]) -> float:
    """A figure of ``corpora/expected.toml`` as its command prints it; ``key`` is a path with points.

    >>> value_of({"command": "...", "key": "streams.caught"}, lambda command: {"streams": {"caught": 0.5}})
    0.5
    """
    value = run(figure["command"])
    for key in figure["key"].split("."):
        value = value[key]
    return float(value)


def with_values(text: str, values: list[float]) -> str:
    """The text of ``corpora/expected.toml`` with these values, in order, and nothing else changed.

    >>> with_values('[[figure]]\\nvalue = 0.5\\ntolerance = 0.1  # wide\\n', [0.1234])
    '[[figure]]\\nvalue = 0.123\\ntolerance = 0.1  # wide\\n'
    """
    left = iter(values)
    return _VALUE.sub(lambda _: f"value = {round(next(left), 3)}", text)


def renewed(page: str, run: Callable[[str], str]) -> str:
    """A page of Markdown with what its commands print; tables of Markdown stand as they are, all else as code.

    >>> renewed("<!-- printed: ls -->\\nold\\n<!-- /printed -->", lambda command: "a  b\\n")
    '<!-- printed: ls -->\\n```\\na  b\\n```\\n<!-- /printed -->'
    """

    def block(match: re.Match[str]) -> str:
        lines = [line.rstrip() for line in run(match["command"]).strip("\n").split("\n")]
        shown = lines if all(line.startswith("|") for line in lines) else ["```", *lines, "```"]
        return "".join([match[1], *(f"{line}\n" for line in shown), match[3]])

    return _BLOCK.sub(block, page)


def main(given: list[str] | None = None) -> None:
    """Run the commands and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", nargs="*", type=Path, metavar="PAGE", help="pages with blocks to renew")
    pages = parser.parse_args(given).pages
    with tempfile.TemporaryDirectory() as scratch:
        for page in pages:
            text = page.read_text(encoding="utf-8")
            page.write_text(renewed(text, cache(_inside(scratch, output_of))), encoding="utf-8")
        if not pages:
            text = EXPECTED.read_text(encoding="utf-8")
            run = cache(_inside(scratch, printed))
            values = [value_of(figure, run) for figure in tomllib.loads(text)["figure"]]
            EXPECTED.write_text(with_values(text, values), encoding="utf-8")


def _inside(scratch: str, run: Callable[[str], T]) -> Callable[[str], T]:
    """Knowledge bases of the commands go into a folder of this run, and none that lies there from before is read."""
    return lambda command: run(command.replace("build/", f"{scratch}/"))


if __name__ == "__main__":
    main()
