"""The first program of the README prints what its comments say; the documents of the root stay short."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_first_program_prints_what_it_promises(capsys: pytest.CaptureFixture[str]) -> None:
    program = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)[0]
    exec(compile(program, "README.md", "exec"), {})
    promised = re.findall(r"^print\(.*\)  # (.*)$", program, flags=re.MULTILINE)
    printed = capsys.readouterr().out.splitlines()
    assert len(promised) == len(printed) == 3
    for promise, line in zip(promised, printed, strict=True):
        assert line.startswith(promise.removesuffix(" ..."))


@pytest.mark.parametrize(
    ("name", "kilobytes"), [("README.md", 9), ("CONTRIBUTING.md", 7), ("CHANGELOG.md", 8)]
)
def test_documents_of_the_root_stay_short(name: str, kilobytes: int) -> None:
    size = len((ROOT / name).read_bytes())
    assert size <= kilobytes * 1024, f"{name} has {size} bytes: move details to a page of docs/"
