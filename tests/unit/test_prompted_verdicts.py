"""A short answer is fabricated by what it says itself, never by the words of its prompt."""

from __future__ import annotations

import pytest

from verifier.types import Verdict
from verifier.verification.claims import extract_answer, extract_claims
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

SOURCE = GivenTexts.of("Refunds take 5 days. The pass costs 3 EUR.")


@pytest.fixture(scope="module")
def scorer() -> VerifiedScorer:
    return VerifiedScorer(SOURCE)


@pytest.mark.parametrize(
    ("answer", "prompt"),
    [
        ("5 days.", "How long does Mr Quillon take to pay refunds at the Zephyr branch?"),
        ("Usually 5 days.", "How long does Mr Quillon take at the Zephyr branch?"),
        ("Yes.", "Does the Zephyr pass cost 3 EUR?"),
        ("Yes, surely.", "Does Zephyr pay refunds in 5 days?"),
    ],
)
def test_words_of_the_prompt_make_nothing_fabricated(
    answer: str, prompt: str, scorer: VerifiedScorer
) -> None:
    [claim] = scorer.verify(answer, prompt=prompt).claims
    assert claim.verdict is Verdict.UNVERIFIABLE


@pytest.mark.parametrize(
    ("answer", "own"),
    [
        ("Orva Brandt in Kell.", "'Orva Brandt'"),
        ("Mr Lund.", "'Mr Lund'"),
        ("Yes, the Zephyr branch does.", "'Zephyr'"),
    ],
)
def test_words_of_the_answer_do(answer: str, own: str, scorer: VerifiedScorer) -> None:
    [claim] = scorer.verify(answer, prompt="Does the Zephyr branch pay the Quillon refunds?").claims
    assert claim.verdict is Verdict.FABRICATED
    assert own in claim.reason
    assert "Quillon" not in claim.reason


def test_claims_that_read_alike_are_told_apart_by_what_their_prompts_say(scorer: VerifiedScorer) -> None:
    asked = ("Yes.", "Does the Zephyr pass cost 3 EUR?")
    [claim] = extract_answer(*asked, extract_claims).claims
    said = (claim.hypothesis, None)
    for cases in ([asked, said], [said, asked]):
        verdicts = {
            case: report.claims[0].verdict
            for case, report in zip(cases, scorer.verify_many(cases), strict=True)
        }
        assert verdicts == {asked: Verdict.UNVERIFIABLE, said: scorer.verify(said[0]).claims[0].verdict}
    assert verdicts[said] is Verdict.FABRICATED


def test_only_what_the_prompt_alone_says_is_asked() -> None:
    [claim] = extract_answer("No, Orva does not.", "Does Orva run the Zephyr lab?", extract_claims).claims
    assert {"zephyr", "lab", "run"} <= claim.asked
    assert "orva" not in claim.asked
    [whole] = extract_answer("The lab is open.", "Is the lab open?", extract_claims).claims
    assert whole.asked == frozenset()
