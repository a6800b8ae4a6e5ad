"""Double negations of claims: read as the affirmation that they are, and left alone where they are none."""

from __future__ import annotations

import pytest

from verifier.types import Claim, Substitution
from verifier.verification.statements.double_negation import affirming


def reading(text: str) -> str:
    return affirming(Claim(text, 0, len(text))).hypothesis


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("It is untrue that the lift is not accessible.", "The lift is accessible."),
        ("It isn't true that no whales were seen.", "Some whales were seen."),
        ("There are no ferries that do not carry bicycles.", "All ferries do carry bicycles."),
        ("There is no month in which the pool is not open.", "The pool is open in every month."),
        ("There was nobody in the choir who was not a baker.", "Everybody in the choir was a baker."),
        ("Nobody but the treasurer may sign.", "Only the treasurer may sign."),
        ("The salve contains nothing but lanolin.", "The salve contains only lanolin."),
        ("No drug other than paracetamol may be taken.", "Only paracetamol may be taken."),
        ("The vault cannot be opened without both keys.", "The vault can be opened only with both keys."),
        ("None of the trams runs without a conductor.", "Each of the trams runs with a conductor."),
        ("The club never travels without a nurse.", "The club always travels with a nurse."),
        ("The choir never fails to open with a hymn.", "The choir always does open with a hymn."),
        ("The council has not failed to answer.", "The council has managed to answer."),
        ("In the spring, no volunteer went unpaid.", "In the spring, every volunteer was paid."),
        ("Delays are not uncommon in winter.", "Delays are common in winter."),
        ("The museum does not lack parking.", "The museum does have parking."),
        ("The gate is never closed to cyclists.", "The gate is always open to cyclists."),
    ],
)
def test_a_pair_of_negations_is_read_as_an_affirmation(claim: str, expected: str) -> None:
    assert reading(claim) == expected


@pytest.mark.parametrize(
    "claim",
    [
        "The pool is not open on Mondays.",
        "No one was injured.",
        "There is no doubt that the road is not open.",
        "There is no evidence that the drug is not safe.",
        "No member who has not paid may vote.",
        "The library charges no fee to readers who are not in arrears.",
        "No closed road was cleared.",
        "The line no longer serves towns that are not on the coast.",
        "Not all doors are unlocked.",
        "There is no hut but the road is bad.",
        "She never married and never left the town.",
        "He did not see the man who came without a coat.",
        "The unlisted company has no debts.",
    ],
)
def test_what_is_no_pair_is_left_as_it_is(claim: str) -> None:
    assert reading(claim) == claim


def test_the_reading_is_stable() -> None:
    claim = affirming(Claim("It is not impossible to swim.", 0, 29))
    assert affirming(claim) == claim


def test_substitutions_made_before_are_kept() -> None:
    claim = Claim("It is not unsafe,", 5, 22, (Substitution(0, 2, "The bridge"), Substitution(16, 17, ".")))
    assert affirming(claim).hypothesis == "The bridge is safe."
    assert affirming(claim).text == claim.text


def test_a_denial_in_what_was_put_in_from_elsewhere_is_left_alone() -> None:
    claim = Claim("It is safe.", 0, 11, (Substitution(0, 10, "The bridge is not unsafe"),))
    assert affirming(claim) is claim
