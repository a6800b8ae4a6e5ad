"""An answer that copies a document's sentences is backed by it, however they are split and whatever they refer to."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from benchmarks.verbatim import documents, runs, verdicts_of
from verifier.types import Status, Verdict

KB = Path(__file__).resolve().parents[2] / "corpora" / "verdicts" / "kb"


@pytest.mark.parametrize(
    "sentences",
    [
        "Admission is free; donations pay for the upkeep.",
        "Anna's sister blamed an air raid; the doctor's notes give no cause.",
        "A paper bill costs 1.80 EUR; it is free for customers over 70.",
        "Ms Virtue thought that the ban might have helped; nobody has looked into it so far.",
        "After that we keep the deposit, unless a vet calls the dog ill; in that case we return all of it.",
        "The stand was opened on 22 August. It has 5,200 seats and no pillars.",
        "The stand was opened on 22 August [1]. It has **5,200 seats** and no pillars [2].",
    ],
)
def test_sentences_of_a_document_are_supported_by_it(sentences: str) -> None:
    plain = sentences.replace("*", "").replace(" [1]", "").replace(" [2]", "")
    found = verdicts_of(
        f"# House rules\n\nVisitors are asked to read this page. {plain} Thank you.", sentences
    )
    assert found
    assert {claim.verdict for claim in found} == {Verdict.SUPPORTED}


@pytest.mark.parametrize(
    "response",
    [
        "The elm is new. It is tall.",
        "❌ The ash is old.",
        "It is not true that the ash is old.",
        "The ash is old.\n\nIt is new.",
    ],
)
def test_the_same_words_in_another_place_are_not(response: str) -> None:
    found = verdicts_of("The ash is old. It is tall. The elm is new. It stands alone.", response)
    assert found[-1].verdict is not Verdict.SUPPORTED


def test_no_run_of_sentences_is_contradicted_by_its_document(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(KB.parents[2])
    chosen = random.Random(1).sample(documents(["u"]), 8)
    found = [claim for _, text, answer in runs(chosen, 12, 1) for claim in verdicts_of(text, answer)]
    assert len(found) > 12
    assert [one.text for one in found if one.verdict in (Verdict.CONTRADICTED, Verdict.FABRICATED)] == []
    assert Status.ERROR not in {one.status for one in found}
