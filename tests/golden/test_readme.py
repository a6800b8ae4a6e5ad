"""The Python of the README runs and prints what its comments say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")


def test_the_snippet_prints_what_it_promises(capsys: pytest.CaptureFixture[str]) -> None:
    [snippet] = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    exec(compile(snippet, "README.md", "exec"), {})
    promised = re.findall(r"^print\(.*\)  # (.*)$", snippet, flags=re.MULTILINE)
    printed = capsys.readouterr().out.splitlines()
    assert len(promised) == len(printed) == 3
    for promise, line in zip(promised, printed, strict=True):
        assert line.startswith(promise)
