"""What the fuzzer found once, read again: each raises nothing but errors of ours; and the fuzzer sees a defect."""

from __future__ import annotations

import json
import random
from base64 import b64decode
from typing import Any

import pytest

from benchmarks.trust import fuzz
from benchmarks.trust.fuzz import FOUND, main
from benchmarks.trust.targets import TARGETS, Target

ROWS = [json.loads(line) for line in FOUND.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['target']}-{row['error'][:40]}")
def test_what_was_found_is_mended(row: dict[str, Any]) -> None:
    if row["target"] == "docx":
        pytest.importorskip("docx")
    TARGETS[row["target"]].run(b64decode(row["data"]))


@pytest.mark.parametrize("name", sorted(TARGETS.keys() - {"docx"}))
def test_some_broken_inputs_of_each_kind_are_taken(name: str) -> None:
    source = random.Random(3)
    for _ in range(8):
        TARGETS[name].run(TARGETS[name].make(source))


def test_a_defect_is_found_and_fails_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def read(data: bytes) -> None:
        if b"x" in data:
            raise IndexError("list index out of range")

    broken = Target("broken", lambda source: source.choice((b"a", b"xyz")), read)
    monkeypatch.setattr(fuzz, "TARGETS", {"broken": broken})
    assert main(["--seconds", "1"]) == 1
    assert capsys.readouterr().out.endswith(" inputs, 1 crashes\n")
