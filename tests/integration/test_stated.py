"""What stands word for word in a document is supported: over the labelled claims, and through the whole pipeline."""

from __future__ import annotations

import pytest

from benchmarks.labelled import FOLDER, LABELLED, VOUCHING
from verifier import Verdict
from verifier.knowledge.ingest import ReadOptions, discover, read_documents
from verifier.measure.rows import LabelledRow, read_rows
from verifier.types import Document
from verifier.verification.decision.verbatim import states
from verifier.verification.decision.verdict import STATED_SUPPORT
from verifier.verification.evidence.windows import windows_of
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

LATE = (
    "If a sailing leaves more than 90 minutes late, we pay back 25% of the fare, unless it was the weather."
)
WHATEVER = "Passengers choose between a rebooking and a refund, whatever their fare."
TWO = "Tenants who receive support need not do anything; we inform the council ourselves."


def test_of_the_labelled_claims_that_a_document_states_as_many_are_supported_as_the_rule_says() -> None:
    supported, stated = 0, 0
    for name in set(LABELLED) - set(VOUCHING):  # what vouches for the rule is not what it was made from
        prefix = LABELLED[name]
        files = discover(sorted((FOLDER / "kb").glob(f"{prefix}_*")))
        documents = tuple(document for file in files for document in read_documents(file, ReadOptions()))
        [evidence] = GivenTexts(documents).retrieve(["anything"])
        windows = [window for item in evidence for window in windows_of(item)]
        for row in read_rows(FOLDER / f"{name}.jsonl"):
            assert isinstance(row, LabelledRow)
            if row.raw["category"] == "conflicting_sources":
                continue  # two documents disagree there, and another rule decides
            if any(states(window, row.claim) for window in windows):
                stated += 1
                supported += row.is_supported
    assert stated == supported
    assert (supported + 1) / (stated + 2) == STATED_SUPPORT


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (LATE, LATE),
        (f"{WHATEVER} If we cancel, we call them.", WHATEVER),
        (TWO, TWO),
    ],
)
def test_a_sentence_of_a_document_is_supported(text: str, claim: str) -> None:
    report = VerifiedScorer(GivenTexts((Document("a", "a", text),))).verify(claim)
    assert {one.verdict for one in report.claims} == {Verdict.SUPPORTED}
    assert min(one.support or 0.0 for one in report.claims) >= STATED_SUPPORT
    assert all(
        one.ledger and one.ledger.rule == "a document states it word for word" for one in report.claims
    )


def test_a_sentence_that_another_document_contradicts_is_not() -> None:
    texts = ("Cars can be booked up to 90 days ahead.", "Cars can be booked up to 60 days ahead.")
    source = GivenTexts(tuple(Document(name, name, text) for name, text in zip("ab", texts, strict=True)))
    [claim] = VerifiedScorer(source).verify(texts[0]).claims
    assert claim.verdict is Verdict.UNVERIFIABLE
    assert claim.conflict
