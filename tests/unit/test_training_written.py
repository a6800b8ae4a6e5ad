"""Written claims: every line is well-formed, passages are held back whole, other passages change no label."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pytest

from training.written import KINDS, LABELS, Passage, WrittenError, read_written, written_pairs


@pytest.fixture(scope="module")
def passages() -> list[Passage]:
    return read_written()


def test_every_passage_has_claims_of_each_label(passages: list[Passage]) -> None:
    assert len(passages) >= 100
    assert len({passage.premise for passage in passages}) == len(passages)
    for passage in passages:
        assert {label for label, _, _ in passage.claims} == set(LABELS), passage.premise


def test_no_kind_gives_its_label_away(passages: list[Passage]) -> None:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for passage in passages:
        for label, kind, _ in passage.claims:
            counts[kind][label] += 1
    assert set(counts) == KINDS
    for kind, labels in counts.items():
        if kind not in ("added_detail", "left_out", "topical"):  # these are defined by their label
            assert max(labels.values()) < 0.8 * labels.total(), kind


def test_held_back_passages_are_kept_whole(passages: list[Passage]) -> None:
    train, back = written_pairs(100_000, seed=3, passages=passages)
    assert (train, back) == written_pairs(100_000, seed=3, passages=passages)
    held = {pair.premise for pair in back}
    assert held
    told = {pair.premise for pair in train}
    assert not any(premise in text for premise in held for text in told)


def test_among_other_passages_a_claim_keeps_its_label(passages: list[Passage]) -> None:
    asked = 2 * sum(len(passage.claims) for passage in passages)
    train, _ = written_pairs(asked, seed=4, passages=passages)
    told: dict[str, set[str]] = defaultdict(set)
    for passage in passages:
        for label, _, claim in passage.claims:
            told[claim].add(label)
    premises: dict[str, set[str]] = defaultdict(set)
    for pair in train:
        premises[pair.hypothesis].add(pair.premise)
        assert pair.label in told[pair.hypothesis]
    assert len(train) == asked
    assert sum(len(found) > 1 for found in premises.values()) > len(premises) / 2


@pytest.mark.parametrize(
    "line",
    [
        "no json",
        '{"claims": []}',
        '{"premise": "A.", "claims": [["maybe", "exact", "A."]]}',
        '{"premise": "A.", "claims": [["neutral", "new kind", "A."]]}',
        '{"premise": "A.", "claims": [["neutral", "exact", " "]]}',
        '{"premise": "A.", "claims": [["neutral", "exact"]]}',
    ],
)
def test_a_broken_line_is_refused_with_its_place(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.jsonl").write_text(f'{{"premise": "A.", "claims": []}}\n{line}\n', encoding="utf-8")
    with pytest.raises(WrittenError, match=r"a\.jsonl:2"):
        read_written(tmp_path)


def test_some_genres_can_be_drawn_from_alone(passages: list[Passage]) -> None:
    some = read_written(genres=["trade", "tables"])
    assert 0 < len(some) < len(passages)
    assert set(some) <= set(passages)
    with pytest.raises(WrittenError, match="no ballads in written; known: dialogues"):
        read_written(genres=["ballads"])
