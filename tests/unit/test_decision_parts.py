"""What decision models are asked and what their answers come to, without a server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from verifier.core.chat.counts import fewest_tokens, tokens_of
from verifier.readers.decision_parts import (
    DecisionReply,
    DecisionRequest,
    Given,
    answer_of,
    averaged,
    batches,
    chances_of,
    matched,
    names,
    request_for,
    unread,
)
from verifier.readers.types import Answer, Case, Piece

ROOT = Path(__file__).resolve().parents[2]
A, B, C = Piece("a"), Piece("b"), Piece("c")


def given(name: str | None = "c1", *chances: float, choice: str = "supported", kind: str = "choice") -> Given:
    options = ("supported", "contradicted", "not mentioned")
    return Given(name, kind, choice, tuple(zip(options, chances or (1.0, 0.0, 0.0), strict=True)))


def test_cases_go_together_by_a_common_piece_also_through_a_third() -> None:
    cases = [Case("1", (A,)), Case("2", (B,)), Case("3", (A, C)), Case("4", (C,)), Case("5", ())]
    assert batches(cases, 64) == [[0, 2, 3], [1], [4]]


def test_a_full_batch_is_followed_by_another_and_each_case_is_in_one() -> None:
    cases = [Case(str(number), (A, B)) for number in range(7)]
    assert batches(cases, 3) == [[0, 1, 2], [3, 4, 5], [6]]
    assert batches([], 3) == []


def test_a_piece_stands_in_a_request_once_and_the_same_texts_get_the_same_state() -> None:
    first = request_for([Case("One.", (A, B, A)), Case("Two.", (B, C))])
    assert [line.split()[0] for line in first.text.split("\n")[2:-1]] == ["1", "2", "3"]
    assert request_for([Case("Three.", (A, B)), Case("Four.", (C,))]).state == first.state
    assert [question.instructions.split(" alone")[0] for question in first.questions] == [
        "Judge this claim by evidence 1-2",
        "Judge this claim by evidence 2-3",
    ]


def test_pieces_of_the_same_text_from_two_places_are_two() -> None:
    request = request_for([Case("One.", (Piece("a", "x.md"), Piece("a", "y.md")))])
    assert "evidence 1-2" in request.questions[0].instructions


def test_the_key_names_what_is_asked_and_not_the_code_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [Case("One.", (A,))]
    key = request_for(cases).key
    monkeypatch.setattr("verifier.core.chat.enclose._SECRET", b"another process")
    assert request_for(cases).key == key
    others = [
        request_for([Case("Two.", (A,))]),
        request_for([Case("One.", (B,))]),
        request_for([Case("One.", (A,), "It says otherwise.")]),
        request_for(cases, both_orders=True),
        request_for(cases, again=True),
    ]
    assert len({key, *(other.key for other in others)}) == 6


def test_question_and_options_are_short_enough_for_models_that_give_them_few_tokens() -> None:
    tokenizer = Tokenizer.from_file(str(ROOT / "backends/verifier_backends/models/minilm/tokenizer.json"))
    (question,) = request_for([Case("The library opens at nine on weekdays.", (A,))]).questions
    said = [question.instructions, *question.options, *question.options.values()]
    assert len(tokenizer.encode(" ".join(said), add_special_tokens=False).ids) <= 128


def test_answers_are_matched_by_their_ids_and_those_that_are_unclear_are_left_out() -> None:
    one, two = given("c1"), given("c2")
    assert matched([two, one], ["c1", "c2"]) == {"c1": one, "c2": two}
    assert matched([one], ["c1", "c2"]) == {"c1": one}
    assert matched([one, two, two], ["c1", "c2"]) == {"c1": one}
    assert matched([one, given("c3")], ["c1", "c2"]) == {}
    assert matched([one, given(None)], ["c1", "c2"]) == {}
    assert matched([], ["c1"]) == {}


def test_answers_without_any_names_are_matched_by_their_order_where_none_is_missing() -> None:
    one, two = given(None), given(None, 0.0, 1.0, 0.0)
    assert matched([one, two], ["c1", "c2"]) == {"c1": one, "c2": two}
    assert matched([one], ["c1", "c2"]) == {}


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (given(kind="refusal"), "the model refused"),
        (given(kind="score"), "another kind of question"),
        (given("c1", 0.6, 0.2, 0.22001), "sum to"),
        (given("c1", 0.6, 0.2, 0.179), "sum to"),
        (given("c1", float("nan"), 0.5, 0.5), "no probability"),
        (given("c1", float("inf"), 0.0, 0.0), "no probability"),
        (given("c1", 10**400, 0.0, 0.0), "no probability"),
        (given("c1", True, 0.0, 0.0), "no probability"),
        (given("c1", -0.01, 0.51, 0.5), "no probability"),
        (given("c1", 0.3, 0.5, 0.2), "not its most probable"),
        (given(choice="yes"), "other options"),
        (Given("c1", "choice", ["supported"], ()), "other options"),
        (Given("c1", "choice", "supported", (("supported", 1.0),)), "other options"),
        (
            Given("c1", "choice", "supported", ((("supported",), 1.0), (None, 0.0), (True, 0.0))),
            "other options",
        ),
    ],
)
def test_an_answer_that_cannot_be_used_says_why(answer: Given, reason: str) -> None:
    said = chances_of(answer)
    assert isinstance(said, str)
    assert reason in said


def test_probabilities_that_almost_sum_to_one_are_scaled() -> None:
    said = chances_of(given("c1", 0.6, 0.2, 0.21))
    assert not isinstance(said, str)
    assert sum(said.values()) == pytest.approx(1.0, abs=1e-12)
    assert said[Answer.SUPPORTED] == pytest.approx(0.6 / 1.01)


@pytest.mark.parametrize(
    ("chances", "answer"),
    [
        ((0.4, 0.4, 0.2), Answer.CONTRADICTED),
        ((0.4, 0.2, 0.4), Answer.NOT_FOUND),
        ((0.2, 0.4, 0.4), Answer.CONTRADICTED),
        ((1 / 3, 1 / 3, 1 / 3), Answer.CONTRADICTED),
        ((0.41, 0.4, 0.19), Answer.SUPPORTED),
    ],
)
def test_a_tie_goes_to_what_speaks_against_the_claim_then_to_not_found(
    chances: tuple[float, float, float], answer: Answer
) -> None:
    assert answer_of(dict(zip(Answer, chances, strict=True))) is answer


def test_a_tie_that_only_rounding_breaks_is_one() -> None:
    mean = averaged([dict(zip(Answer, one, strict=True)) for one in ((0.1, 0.5, 0.4), (0.7, 0.3, 0.0))])
    assert mean[Answer.SUPPORTED] != mean[Answer.CONTRADICTED]
    assert answer_of(mean) is Answer.CONTRADICTED
    assert answer_of({**mean, Answer.SUPPORTED: mean[Answer.CONTRADICTED] + 1e-12}) is Answer.CONTRADICTED


def test_each_order_has_an_id_of_its_own() -> None:
    assert names(2, both_orders=False) == ["c2"]
    assert len({*names(1, both_orders=True), *names(2, both_orders=True)}) == 4


def test_no_request_over_the_labelled_documents_has_fewer_tokens_than_are_taken_for_cut() -> None:
    tokenizer = Tokenizer.from_file(str(ROOT / "backends/verifier_backends/models/minilm/tokenizer.json"))
    tokenizer.no_truncation()
    texts = [
        path.read_text(encoding="utf-8") for path in sorted((ROOT / "corpora/verdicts/kb").glob("*.*"))[:40]
    ]
    for text in texts:
        request = request_for([Case(text[:80], (Piece(text),))])
        assert len(tokenizer.encode(request.sent, add_special_tokens=False).ids) >= fewest_tokens(
            request.sent
        )


def test_a_table_drawn_with_blanks_and_dashes_is_not_taken_for_cut() -> None:
    assert fewest_tokens(f"{' ' * 4000}{'-' * 4000}") == 1


def cut_to(request: DecisionRequest, tokens: int | None) -> str | None:
    return unread(request, DecisionReply("", "m", input_tokens=tokens))


def test_what_was_read_in_part_is_said_with_both_counts_and_what_is_not_told_is_not_doubted() -> None:
    request = request_for([Case("It opens at nine.", (Piece("The library opens at nine. " * 500),))])
    sent = tokens_of(request.sent)
    assert cut_to(request, 2048) == f"the server read only 2048 tokens of about {sent} sent"
    assert cut_to(request, sent) is None
    assert cut_to(request, None) is None
    assert cut_to(request, 0) == f"the server read only 0 tokens of about {sent} sent"
    least = fewest_tokens(request.sent)
    assert [cut_to(request, tokens) is None for tokens in (least - 1, least)] == [False, True]


def test_no_hostile_text_leaves_its_line() -> None:
    rows = (ROOT / "corpora/hostile/judge.jsonl").read_text(encoding="utf-8").splitlines()
    pieces = tuple(Piece(json.loads(row)["text"], json.loads(row)["text"]) for row in rows)
    request = request_for([Case(piece.text, pieces) for piece in pieces])
    lines = request.text.split("\n")[2:-1]
    assert [line.split(" ")[0] for line in lines] == [str(number) for number in range(1, len(pieces) + 1)]
    asked = [question.instructions for question in request.questions]
    for said in (*lines, *asked):
        assert said.isprintable()
        assert "<" not in said
    assert all(one.startswith(f'Judge this claim by evidence 1-{len(pieces)} alone: "') for one in asked)
