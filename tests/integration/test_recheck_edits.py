"""Edits of documents, each followed by a recheck and a full check: ``benchmarks.recheck``, a few of its two hundred."""

from __future__ import annotations

from pathlib import Path

from benchmarks.recheck import EDITS, run


def test_no_verdict_that_a_full_check_finds_is_missed(tmp_path: Path) -> None:
    said: list[str] = []
    outcome = run(
        tmp_path / "kb", edits=10, claims=6, model=False, backend="bm25", sets=("m",), told=said.append
    )
    assert outcome.missed == []
    assert outcome.flips
    assert [*outcome.edits.values()] == [2] * len(EDITS)
    assert 0 < outcome.verified < outcome.claims
    assert len(said) == 1
