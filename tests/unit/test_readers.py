"""What another reader makes of the same evidence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.labelled import VOUCHING
from benchmarks.readers import CLAIMS, drawn, lines, main
from verifier.types import Verdict

SUPPORTED, CONTRADICTED, FABRICATED, UNVERIFIABLE = (
    Verdict.SUPPORTED,
    Verdict.CONTRADICTED,
    Verdict.FABRICATED,
    Verdict.UNVERIFIABLE,
)


def test_the_sheet_is_the_same_each_time_and_holds_no_claim_that_vouches() -> None:
    sheet = drawn()
    assert sheet == drawn()
    assert len(sheet) == len({place for place, _ in sheet}) == CLAIMS
    assert not {name for (name, _), _ in sheet} & set(VOUCHING)


def test_shares_and_confusions() -> None:
    labels = [SUPPORTED, SUPPORTED, CONTRADICTED, FABRICATED]
    said = [SUPPORTED, UNVERIFIABLE, SUPPORTED, FABRICATED]
    assert list(lines(labels, said)) == [
        "claims         4",
        "accuracy       0.500",
        "false support  0.500",
        "found          0.500",
        "supported called unverifiable: 1",
        "contradicted called supported: 1",
    ]


@pytest.mark.parametrize("text", ["", "{}", '["true"]', json.dumps(["supported"])])
def test_answers_that_are_no_such_list_are_refused(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = tmp_path / "answers.json"
    answers.write_text(text, encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["readers", "score", str(answers)])
    with pytest.raises(SystemExit, match=r"answers\.json"):
        main()
