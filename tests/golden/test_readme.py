"""The Python of the README runs and prints what its comments say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")


SNIPPETS = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def test_the_first_snippet_prints_what_it_promises(capsys: pytest.CaptureFixture[str]) -> None:
    snippet = SNIPPETS[0]
    exec(compile(snippet, "README.md", "exec"), {})
    promised = re.findall(r"^print\(.*\)  # (.*)$", snippet, flags=re.MULTILINE)
    printed = capsys.readouterr().out.splitlines()
    assert len(promised) == len(printed) == 3
    for promise, line in zip(promised, printed, strict=True):
        assert line.startswith(promise.removesuffix(" ..."))


def test_the_second_snippet_rejects_by_a_store() -> None:
    names: dict[str, object] = {}
    exec(compile(SNIPPETS[1], "README.md", "exec"), names)
    assert str(getattr(names["report"], "decision", None)) == "rejected"


def test_the_third_snippet_ingests_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "refunds.md").write_text("Refunds take 60 days.\n")
    (tmp_path / "docs" / "picture.bin").write_bytes(b"\x00")
    monkeypatch.chdir(tmp_path)
    assert len(SNIPPETS) == 3
    exec(compile(SNIPPETS[2], "README.md", "exec"), {})
    assert "| supported |" in capsys.readouterr().out
    assert (tmp_path / "kb").is_dir()
