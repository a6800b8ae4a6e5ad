"""Run the programs of a page of docs/, and compare what they print with what the page says."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
_PROGRAM = re.compile(r"```python[^\n]*\n(?P<code>.*?)```\n(?:\n```\n(?P<prints>.*?)```\n)?", re.DOTALL)


def run_page(name: str, monkeypatch: pytest.MonkeyPatch, **given: object) -> None:
    """Run the programs of a page one after the other, with the models of a plain installation.

    Args:
        name: of the page below ``docs``, without its ending.
        monkeypatch: undoes what is set for it.
        given: names that its programs find, such as the address of a server.
    """
    monkeypatch.delenv("VERIFIER_SIGNALS__NLI", raising=False)
    names: dict[str, object] = {"__name__": "__main__", **given}
    programs = list(_PROGRAM.finditer((DOCS / f"{name}.md").read_text(encoding="utf-8")))
    assert programs, f"{name}.md has no program"
    for program in programs:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(program["code"], f"{name}.md", "exec"), names)
        assert printed.getvalue() == (program["prints"] or "")
