"""Opinions: judgements, tastes and wishes are told from sentences that praise and assert at once."""

from __future__ import annotations

import pytest

from tests.support.growth import growth
from verifier.verification.claims import extract_claims
from verifier.verification.claims.checkworthiness import skip_reason

OPINIONS = [
    "The cheese soup is worth every penny.",
    "In my view, the Old Ferry is the most charming inn on the coast.",
    "It would be a shame to skip the choir.",
    "The tour is frankly overpriced.",
    "Walking there at dawn is simply magical.",
    "A stroll along the quay is a delight.",
    "The new logo looks rather childish.",
    "There is nothing lovelier than a lake in autumn.",
    "My favourite dish is the trout.",
    "The trustees should have asked the neighbours first.",
    "I have never seen a duller film.",
]
CLAIMS = [
    "The beautiful bridge was sold to a bank.",
    "Experts consider it the best-selling model.",
    "In my opinion, the hall was restored beautifully by Anna Roth.",
    "In my opinion, the great hall belongs to the city.",
    "The soup is lovely and the recipe is old.",
    "I think the beautiful hall belongs to the city.",
    "The lovely garden, laid out by monks, is charming.",
    "The renovated inn is delightful.",
    "The staff are lovely and speak French.",
    "The inn is a charming former mill.",
    "It is a shame that the pool is closed.",
    "It is wrong to say that the dam leaks.",
    "It is absurd to claim the mill burned down.",
    "The exhibition was voted the most charming in the country.",
    "According to the jury, the cake is delicious.",
    "The soup is delicious because it contains saffron.",
    "Patients should really drink more.",
    "I believe patients should avoid alcohol.",
    "I would add that refunds are excluded.",
    "The stamp is worth millions.",
    "A helmet is a must on this road.",
    "The band plays beautifully.",
    "The members should have received a letter.",
    "The most beautiful hut belongs to the club.",
    "The wine won a prize for the finest taste.",
    "Nothing in the contract is free.",
    "There are few seats in the hall.",
    "Employees are happy.",
    "The company charges a fair price.",
    "The red clay is finer than sand.",
    "The Larkdesk is the best model in the test.",
]


@pytest.mark.parametrize("sentence", OPINIONS)
def test_a_judgement_that_says_nothing_else_is_skipped(sentence: str) -> None:
    assert skip_reason(sentence) == "opinion"


@pytest.mark.parametrize("sentence", CLAIMS)
def test_praise_beside_a_fact_stays_a_claim(sentence: str) -> None:
    assert skip_reason(sentence) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "I think the fee is 30 euros.",
        "The beautiful bridge was opened in 1894.",
        "The tower is lovely for 5 EUR.",
    ],
)
def test_figures_make_a_claim_of_any_opinion(sentence: str) -> None:
    assert skip_reason(sentence) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "The Arlen Mill is run by a trust; the owner is the city.",
        "One of her sons became a smith, while the other had a shop.",
        "Arlen Mill grinds rye and the price is low.",
    ],
)
def test_a_clause_that_leans_on_the_one_before_is_not_torn_off(sentence: str) -> None:
    assert [claim.hypothesis for claim in extract_claims(sentence).claims] == [sentence]


@pytest.mark.parametrize(
    "words", ["the view ", "very ", "is so nice ", "nobody there should ", "is simply the most "]
)
def test_patterns_with_many_free_gaps_do_not_blow_up_on_a_sentence_without_an_end(words: str) -> None:
    def told(length: int) -> None:
        for _ in range(20):
            skip_reason((words * 60)[:length])

    assert growth(told, 399, enough=20) < 20
