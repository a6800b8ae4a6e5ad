"""What a claim adds to the sentence that it repeats."""

from __future__ import annotations

import pytest

from verifier import Verdict
from verifier.types import Claim
from verifier.verification.explanation.ledger import BEYOND
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer, default_signals
from verifier.verification.vocabulary import Vocabulary

DOCUMENT = """# The Marlow bakeries

Five bakeries in the old town still make the salted ring, three fewer than twenty years ago. The largest sold 11,600
rings last year. In 2011 the baker Tove Lind lent four of her best tins to the museum, which still shows them.
"""


@pytest.fixture(scope="module")
def scorer() -> VerifiedScorer:
    vocabulary = Vocabulary()
    rules = [signal for signal in default_signals(vocabulary) if signal.name != "nli"]
    return VerifiedScorer(GivenTexts.of(DOCUMENT), rules, vocabulary=vocabulary)


def _beyond(scorer: VerifiedScorer, claim: str) -> tuple[str, ...]:
    [read] = scorer.examine([Claim(claim, 0, len(claim))])
    return read.beyond


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("Five bakeries in the old town still make the salted ring by hand.", ("hand",)),
        ("Five cheap bakeries in the old town still make the salted ring.", ("cheap",)),
        ("Five bakeries in the old town still make the salted pretzel.", ("pretzel",)),
        ("In 2011 the baker Tove Lind rented four of her best tins to the museum.", ("rented",)),
        ("In 2011 the baker Tove Lind lent four of her best tins to Ostermoor.", ("Ostermoor",)),
    ],
)
def test_a_word_that_nothing_has_goes_beyond_what_is_repeated(
    scorer: VerifiedScorer, claim: str, words: tuple[str, ...]
) -> None:
    assert _beyond(scorer, claim) == words


@pytest.mark.parametrize(
    "claim",
    [
        "Five bakeries in the old town still make the salted ring.",
        "Five bakeries in the old town of Marlow still make the salted ring.",
        "Five bakeries in the old town of Ostermoor still make the salted ring.",
        "The salted ring is baked by hand in five shops.",
        "Six bakeries in the old town still make the salted ring by hand.",
    ],
)
def test_what_is_there_a_name_that_is_added_other_words_and_a_conflict_do_not(
    scorer: VerifiedScorer, claim: str
) -> None:
    assert _beyond(scorer, claim) == ()


def test_such_a_claim_is_not_supported_and_the_report_says_why(scorer: VerifiedScorer) -> None:
    [claim] = scorer.verify("Five bakeries in the old town still make the salted ring by hand.").claims
    assert claim.verdict is Verdict.UNVERIFIABLE
    assert "the evidence lacks 'hand'" in claim.reason
    assert claim.ledger is not None
    assert {item.feature for item in claim.ledger.contributions} >= {BEYOND}
