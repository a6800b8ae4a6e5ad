"""Short answers, read as what they make of their question."""

from __future__ import annotations

import pytest

from verifier.verification.claims import extract_answer, extract_claims
from verifier.verification.claims.ellipsis import (
    answer_end,
    asked_statement,
    is_bare_answer,
    is_figure_answer,
    yes_no_statement,
)


@pytest.mark.parametrize(
    ("question", "answer", "statement"),
    [
        ("Can my uncle join the dive?", "No, he cannot.", "Your uncle cannot join the dive."),
        ("Do I have to book the sauna?", "Yes.", "You have to book the sauna."),
        (
            "Does the night bus to Harl stop at the mill?",
            "No.",
            "The night bus to Harl does not stop at the mill.",
        ),
        ("Is the tower open in winter?", "Yes, it is.", "The tower is open in winter."),
        (
            "Are guide dogs allowed in the dining room?",
            "I'm afraid not.",
            "Guide dogs are not allowed in the dining room.",
        ),
        ("Was the organ built by Ida Moen?", "That's right.", "The organ was built by Ida Moen."),
        ("Is there any lift?", "Yes.", "There is some lift."),
        (
            "If it rains, do we get our money back?",
            "Unfortunately not.",
            "If it rains, you do not get your money back.",
        ),
        ("Has the roof been mended?", "Not at all.", "The roof has not been mended."),
        (
            "Do beginners stay in the hall?",
            "Yes, unless a guide is with them.",
            "Beginners stay in the hall unless a guide is with them.",
        ),
        ("May guests cook?", "Yes, but only if they clean up.", "Guests may cook only if they clean up."),
        ("Can we camp here?", "No, unless it is August.", "You cannot camp here unless it is August."),
        (
            "Is the lower lake deeper than the upper one?",
            "No.",
            "The lower lake is not deeper than the upper one.",
        ),
    ],
)
def test_a_bare_answer_makes_a_statement_of_its_question(question: str, answer: str, statement: str) -> None:
    assert yes_no_statement(question, answer) == statement


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When does the tower open?", "Yes."),
        ("Is the tower open?", "Perhaps."),
        ("Is the tower open?", "Yes, until 8 pm."),
        ("Do I get it back?", "Yes, if you cancel you get half of it."),
        ("Is the tower open?", "No, it is."),
        ("Is the tower open?", "Yes, it isn't."),
        ("Tell me about the tower.", "No."),
        ("Open?", "Yes."),
    ],
)
def test_other_answers_and_questions_make_none(question: str, answer: str) -> None:
    assert yes_no_statement(question, answer) is None


def test_the_claim_quotes_the_answer_and_reads_the_statement() -> None:
    [claim] = extract_answer("No.", "Does the mill grind rye?", extract_claims).claims
    assert (claim.start, claim.end, claim.text) == (0, 3, "No.")
    assert claim.hypothesis == "The mill does not grind rye."


def test_what_is_true_of_all_says_little_of_a_person_whom_only_the_prompt_knows() -> None:
    [claim] = extract_answer("No.", "My niece is 9. Can she join the dive?", extract_claims).claims
    assert claim.hypothesis == "Can she join the dive? No."
    [known] = extract_answer("No.", "Ann Lee left. Was she the mayor?", extract_claims).claims
    assert known.hypothesis == "Ann Lee was not the mayor."


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("No, the pool is closed on Mondays.", "the pool is closed on Mondays."),
        ("Yes, members receive two guest passes.", "members receive two guest passes."),
        ("Yes: on Sundays the organ is played at noon.", "on Sundays the organ is played at noon."),
        ("No; the mill contains a bakery.", "the mill contains a bakery."),
        ("Yes, every flat has a cellar.", "every flat has a cellar."),
    ],
)
def test_a_statement_behind_yes_or_no_is_read_alone(sentence: str, statement: str) -> None:
    assert sentence[answer_end(sentence) :] == statement
    assert answer_end(sentence) > 0


@pytest.mark.parametrize(
    "sentence",
    [
        "No, it is refundable for members.",
        "Yes, 30 days.",
        "No, dogs do not.",
        "No refund is given.",
        "Yes, 12 is the limit.",
        "No, he cannot.",
    ],
)
def test_what_needs_its_question_keeps_it(sentence: str) -> None:
    assert answer_end(sentence) == 0


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("When does the tower open?", "The tower does open."),
        ("How long does the ferry to Holm take?", "The ferry to Holm does take."),
        ("Where is the old mill?", "The old mill is so."),
        ("Do the trams run at night?", "The trams do run at night."),
        ("How much is the pottery course?", "The pottery course is so."),
        ("How long is the tea room open?", "The tea room is open."),
        ("How old is the main building?", "The main building is so."),
    ],
)
def test_a_question_tells_what_it_is_about(question: str, statement: str) -> None:
    assert asked_statement(question) == statement


@pytest.mark.parametrize(
    "question", ["Where do I pay?", "Which tram goes to Harl?", "Can we come?", "And then?", "Is it open?"]
)
def test_some_questions_name_no_subject(question: str) -> None:
    assert asked_statement(question) is None


def test_a_pronoun_may_be_the_subject_of_the_question() -> None:
    found = extract_answer("It opens at nine.", "When does the clock tower open?", extract_claims)
    assert [claim.hypothesis for claim in found.claims] == ["The clock tower opens at nine."]


@pytest.mark.parametrize(
    "sentence",
    [
        "18 is the maximum.",
        "Half an hour is enough.",
        "Two days are the rule.",
        "At most 6 are allowed.",
        "Three euros is the minimum.",
    ],
)
def test_a_bare_figure_is_read_with_its_question(sentence: str) -> None:
    assert is_figure_answer(sentence)
    [claim] = extract_answer(sentence, "How many guests may I bring?", extract_claims).claims
    assert claim.hypothesis == f"How many guests may I bring? {sentence}"


@pytest.mark.parametrize(
    "sentence",
    [
        "18 guests are seated outside.",
        "A dog is allowed.",
        "The maximum is 18.",
        "Half the crew is Danish.",
        "Two trams are red.",
    ],
)
def test_a_figure_of_something_is_not(sentence: str) -> None:
    assert not is_figure_answer(sentence)


@pytest.mark.parametrize(
    "answer", ["It depends on the weather.", "That depends.", "It all depends on your age."]
)
def test_what_depends_on_something_claims_nothing(answer: str) -> None:
    found = extract_answer(answer, "Is the ridge walk open?", extract_claims)
    assert (found.claims, [span.reason for span in found.skipped]) == ((), ["fragment"])


@pytest.mark.parametrize("text", ["The price depends on the season.", "It depends on 3 signatures."])
def test_what_depends_is_a_claim_where_it_says_of_what(text: str) -> None:
    assert extract_claims(text).claims


def test_a_total_is_read_with_the_sentence_that_gives_its_parts() -> None:
    found = extract_claims(
        "A kayak is 20 euros and a paddle 5 euros. Together that is 25 euros. The lake is deep."
    )
    assert [claim.hypothesis for claim in found.claims][-2:] == [
        "A kayak is 20 euros and a paddle 5 euros. Together that is 25 euros.",
        "The lake is deep.",
    ]


@pytest.mark.parametrize(
    ("text", "bare"), [("Yes.", True), ("No, they do not.", True), ("Yes, daily.", False), ("Daily.", False)]
)
def test_bare_answers_are_told_from_others(text: str, bare: bool) -> None:
    assert is_bare_answer(text) is bare
