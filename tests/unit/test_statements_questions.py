"""A question is read with its answer, as one statement."""

from __future__ import annotations

import pytest

from verifier.core.text import sentence_spans
from verifier.types import Evidence
from verifier.verification.evidence.windows import windows_of
from verifier.verification.statements import asked_topic, statements_of
from verifier.verification.statements.questions import is_question, statement_of_answer

SAID = [
    ("Can I pay by cheque?", "No, we only take cards.", "You cannot pay by cheque. We only take cards."),
    ("Can I pay by cheque?", "No.", "You cannot pay by cheque."),
    ("Q: Is the handling fee 5 EUR?", "A: No.", "The handling fee is not 5 EUR."),
    ("Question: Is it 5 EUR?", "Answer: No.", "It is not 5 EUR."),
    ("**Is breakfast included?**", "Yes, from 7 to 10.", "Breakfast is included from 7 to 10."),
    ("Do you ship to Norway?", "Unfortunately not.", "You do not ship to Norway."),
    ("Is the soup vegan?", "No, it contains butter.", "The soup is not vegan. The soup contains butter."),
    ("Is the museum open on Mondays?", "It isn't.", "The museum is not open on Mondays."),
    ("Did the firm go bankrupt?", "No. It was sold.", "The firm did not go bankrupt. The firm was sold."),
    ("Can I bring a dog?", "Only on a lead.", "You can bring a dog only on a lead."),
]
COMPLETED = [
    ("When does the desk open?", "At 9.", "The desk opens at 9."),
    ("At what time does the ferry leave?", "At 8:30.", "The ferry leaves at 8:30."),
    ("How much is the fee?", "5 EUR.", "The fee is 5 EUR."),
    ("Who runs the clinic?", "Dr Marn.", "Dr Marn runs the clinic."),
    ("Who was the first mayor?", "Otto Brandt.", "The first mayor was Otto Brandt."),
    ("Which line serves the port?", "The red line.", "The red line serves the port."),
    ("How many rooms does the hotel have?", "40.", "The hotel has 40 rooms."),
    ("How many people live here?", "400.", "400 people live here."),
    ("How long does the tour take?", "45 minutes.", "The tour takes 45 minutes."),
    ("Where is the office?", "In Mill Lane.", "The office is in Mill Lane."),
    ("When is the museum closed?", "On Mondays.", "The museum is closed on Mondays."),
    ("Why is the pool closed?", "Because of repairs.", "The pool is closed because of repairs."),
    ("When can I check in?", "From 3 pm.", "You can check in from 3 pm."),
    ("How much is the fee?", "It is 5 EUR.", "The fee is 5 EUR."),
]


@pytest.mark.parametrize(("question", "answer", "statement"), [*SAID, *COMPLETED])
def test_a_question_and_its_answer_are_one_statement(question: str, answer: str, statement: str) -> None:
    told = statement_of_answer(question, answer)
    assert told is not None
    assert "".join(piece.text for piece in told[0]) == statement


@pytest.mark.parametrize(("question", "answer", "statement"), [*SAID, *COMPLETED])
def test_pieces_stand_where_they_say(question: str, answer: str, statement: str) -> None:
    told = statement_of_answer(question, answer)
    assert told is not None
    for text, start in told[0]:
        if start is not None:
            assert (question + answer)[start : start + len(text)] == text


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("The desk is open.", "At 9."),
        ("Can I bring a dog?", "Dogs must stay outside."),
        ("When does it open?", "When does it close?"),
        ("Can I bring a dog?", ""),
    ],
)
def test_what_is_no_question_or_no_answer_is_left_alone(question: str, answer: str) -> None:
    assert statement_of_answer(question, answer) is None


@pytest.mark.parametrize(
    ("text", "found"), [("Is it?", True), ("**Is it?**", True), ("It is. Is it?", True), ("It is.", False)]
)
def test_a_question_ends_with_its_mark(text: str, found: bool) -> None:
    assert is_question(text) is found


def test_what_a_heading_asks_stands_before_no_premise() -> None:
    evidence = Evidence(
        doc_id="faq",
        source="faq.md",
        text="No, we only take cards. Cards are charged at once.",
        start=0,
        end=49,
        score=0.0,
        headings=("Payment", "Can I pay by cheque?"),
        retrieved_by="source",
    )
    premises = [window.premise for window in windows_of(evidence)]
    assert premises[0] == "Payment. You cannot pay by cheque. We only take cards."
    assert not any("Can I" in premise for premise in premises)


def test_a_heading_that_asks_why_says_what_it_is_about() -> None:
    assert asked_topic("Why is the pool closed?") == "Why is the pool closed?"
    assert asked_topic("Is the Gold plan refundable?") == "The Gold plan"


def test_a_statement_spans_question_and_answer() -> None:
    text = "The desk is shut. Is it raining? No. Bring nothing."
    spans = tuple(sentence_spans(text))
    read_as = tuple(text[slice(*span)] for span in spans)
    found = statements_of(text, spans, ((),) * len(spans), read_as)
    assert [text[one.start : one.end] for one in found] == [
        "The desk is shut.",
        "Is it raining? No.",
        "Bring nothing.",
    ]
