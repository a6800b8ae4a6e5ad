"""Turns of phrase that deny or except: what a sentence says in plain words, and where its words stand."""

from __future__ import annotations

import pytest

from verifier.types import Claim, Evidence
from verifier.verification.decision.verbatim import states
from verifier.verification.evidence.premises import in_claims_words
from verifier.verification.evidence.windows import Window, whole, windows_of
from verifier.verification.statements.double_negation import affirming
from verifier.verification.statements.exceptions import ExceptedStatement
from verifier.verification.statements.rewording import implicit_statement, without_untruth_frame


def window_of(text: str) -> Window:
    return next(windows_of(Evidence("a.txt", "a.txt", text, 0, len(text), 1.0)))


def told(text: str) -> str:
    found = implicit_statement(text)
    if found is None:
        return ""
    return "".join(piece for piece, _ in (found.parts if isinstance(found, ExceptedStatement) else found))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("It is not true that the ferry was sold.", "The ferry was not sold."),
        ("It isn't correct to say that the bakery has a garden.", "The bakery does not have a garden."),
        ("It is simply not true that the drug contains lead.", "The drug does not contain lead."),
        ("It is a myth that bats are blind.", "Bats are not blind."),
        ("It is false that visitors must pay.", "Visitors do not have to pay."),
        ("It is untrue that the museum owns the portrait.", "The museum does not own the portrait."),
        ("It is not true that all rooms are heated.", "Not all rooms are heated."),
        ("Rumours that the mill has closed are unfounded.", "The mill has not closed."),
        ("The claim that no seals were seen is false.", "Some seals were seen."),
        ("The story that the firm that sold tents closed turned out to be wrong.",
         "The firm that sold tents did not close."),
        ("That the mill closed is untrue.", "The mill did not close."),
        ("Nothing in the policy covers flood damage.", "The policy does not cover flood damage."),
        ("Nothing in the rules forbids cycling.", "The rules do not forbid cycling."),
        ("The road is anything but safe.", "The road is not safe."),
        ("The bridge was all but finished.", "The bridge was not finished."),
    ],
)  # fmt: skip
def test_what_is_called_untrue_is_denied_in_evidence_and_in_claims(sentence: str, expected: str) -> None:
    assert "".join(piece.text for piece in without_untruth_frame(sentence)) == expected
    assert affirming(Claim(sentence, 0, len(sentence))).hypothesis == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "It is true that the ferry was sold.",
        "It is not true that the hall was sold and the annex was let.",
        "The rumour that the mill closed is everywhere.",
        "Nothing in the shop costs less than 5 euros.",
        "It is not clear whether the ferry was sold.",
        "The wrong lamp was sold.",
    ],
)
def test_other_sentences_stand_as_they_are(sentence: str) -> None:
    assert without_untruth_frame(sentence) == ()


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("All rooms but the attic are heated.",
         "All rooms are heated except the attic. The attic is not heated."),
        ("All plans but the Basic plan include roaming.",
         "All plans include roaming except the Basic plan. The Basic plan does not include roaming."),
        ("Nobody except the harbour master may open the lock.",
         "Nobody may open the lock except the harbour master. The harbour master may open the lock."),
        ("With the exception of Ivo Renn, every member paid.",
         "Every member paid except Ivo Renn. Ivo Renn did not pay."),
        ("Cycling is forbidden except on the towpath.",
         "Cycling is forbidden except on the towpath. Cycling is not forbidden on the towpath."),
        ("Dogs are not allowed anywhere except in the garden.",
         "Dogs are not allowed anywhere except in the garden. Dogs are allowed in the garden."),
        ("The shop is open every day except Tuesday.",
         "The shop is open every day except Tuesday. The shop is not open on Tuesday."),
        ("Entry is free except for groups.",
         "Entry is free except for groups. Entry is not free for groups."),
        ("The warranty covers all parts except the battery.",
         "The warranty covers all parts except the battery. The warranty does not cover the battery."),
        ("- Flowers may be brought to any ward except intensive care.",
         "Flowers may be brought to any ward except intensive care. Flowers may not be brought to intensive care."),
    ],
)  # fmt: skip
def test_what_holds_of_an_exception_is_said_behind_the_sentence(sentence: str, expected: str) -> None:
    assert told(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Tests ruled out lead in the water.", "There is no lead in the water."),
        ("There is no sign of a fracture.", "There is no fracture."),
        ("The lungs are clear without evidence of fluid.", "The lungs are clear without fluid."),
        (
            "Neither the tram nor the bus stops here.",
            "The tram does not stop here. The bus does not stop here.",
        ),
        ("The hall is neither heated nor lit.", "The hall is not heated and not lit."),
        ("Only members may vote.", "Members may vote."),
    ],
)
def test_what_is_ruled_out_or_denied_of_two_is_said_again(sentence: str, expected: str) -> None:
    assert told(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "The hall was all but destroyed.",
        "All but two rooms are heated.",
        "He had no choice but to leave.",
        "Apart from the pool, the hotel has a sauna.",
        "A second outbreak cannot be ruled out.",
        "The minister has not ruled out a tax rise.",
        "There was no trace of the ring.",
        "Only two people came.",
        "No bag may weigh more than 9 kg. Bicycles need a ticket, except folding ones.",
    ],
)
def test_what_only_looks_like_such_a_turn_is_left(sentence: str) -> None:
    assert told(sentence) == ""


def test_an_exception_is_told_to_a_claim_that_names_it_and_to_no_other() -> None:
    window = window_of("All rooms but the attic are heated.")
    assert "The attic is not heated." in in_claims_words(window, "The attic is cold.").premise
    for claim in (
        "The kitchen is heated.",
        "All rooms are heated.",
        "All rooms apart from the attic are heated.",
    ):
        assert in_claims_words(window, claim) is window


def test_a_day_that_is_not_excepted_is_one_of_all() -> None:
    window = window_of("The shop is open every day except Tuesday.")
    assert in_claims_words(window, "The shop is open on Friday.").premise == "The shop is open every day."


@pytest.mark.parametrize(
    ("claim", "premise", "expected"),
    [
        ("The gate is unlocked.", "The gate is not locked at night.", "The gate is unlocked at night."),
        ("The gate isn't locked.", "The gate is unlocked.", "The gate is not locked."),
        ("The door is closed.", "The door isn't open on Sundays.", "The door is closed on Sundays."),
        ("The door is closed.", "The door is no longer open.", "The door is closed."),
        ("The tour costs money.", "The tour is not free.", "The tour costs money."),
        ("There is a charge for the tour.", "The tour is not free.", "There is a charge for the tour."),
        ("You have to pay for parking.", "Parking is free.", "You do not have to pay for parking."),
        (
            "The tour is not free.",
            "The tour costs 8.50 euros.",
            "The tour costs 8.50 euros (The tour is not free).",
        ),
        ("Lena failed the exam.", "Lena did not pass the exam.", "Lena did fail the exam."),
        ("The soup is not hot.", "The soup is cold.", "The soup is not hot."),
    ],
)
def test_a_denied_opposite_is_told_in_the_words_of_the_claim(claim: str, premise: str, expected: str) -> None:
    assert in_claims_words(window_of(premise), claim).premise == expected


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The soup is cold.", "The soup is not hot."),
        ("The hall can't be open.", "The hall can be closed."),
        ("The gate is unlocked.", "The gate is locked at night."),
        ("The sauce is free of lead.", "The sauce costs 3 euros."),
        ("The rooms are locked.", "The rooms are not all unlocked."),
    ],
)
def test_what_does_not_follow_from_an_opposite_is_left(claim: str, premise: str) -> None:
    window = window_of(premise)
    assert in_claims_words(window, claim) is window


def test_quoted_words_keep_their_place_in_the_document() -> None:
    text = "The hut is old. All rooms but the attic are heated. It has a stove."
    evidence = Evidence("a.txt", "a.txt", text, 100, 100 + len(text), 1.0)
    for window in (
        in_claims_words(one, "The attic is unheated.") for one in [*windows_of(evidence), whole(evidence)]
    ):
        for start, end, place in window.segments:
            assert window.premise[start:end] == text[place - 100 : place - 100 + end - start]


def test_a_sentence_that_says_it_in_a_turn_states_the_plain_claim() -> None:
    window = window_of("It is not true that the ferry was sold.")
    assert states(window, "The ferry was not sold.")
    assert not states(window, "The ferry was sold.")
