"""Claims of an answer, completed by its prompt."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.verification.claims import extract_answer, extract_claims

MARKDOWN = st.text(alphabet="ab. \n#->|*`?1中", max_size=60)


def test_a_bare_answer_is_read_with_its_question() -> None:
    answer = extract_answer("In 1990.", "When was Corrie Hydro founded?", extract_claims)
    [claim] = answer.claims
    assert (claim.start, claim.end, claim.text) == (0, 8, "In 1990.")
    assert claim.hypothesis == "When was Corrie Hydro founded? In 1990."


def test_an_answer_that_stands_alone_is_left_alone() -> None:
    answer = extract_answer("Corrie Hydro was founded in 1990.", "When was it founded?", extract_claims)
    assert [claim.hypothesis for claim in answer.claims] == ["Corrie Hydro was founded in 1990."]


@given(MARKDOWN, MARKDOWN)
def test_nothing_of_the_prompt_is_claimed_and_all_of_the_response_is_covered(
    prompt: str, response: str
) -> None:
    answer = extract_answer(response, prompt, extract_claims)
    covered: set[int] = set()
    for span in (*answer.claims, *answer.skipped):
        assert response[span.start : span.end] == span.text
        covered.update(range(span.start, span.end))
    assert all(at in covered for at, char in enumerate(response) if not char.isspace())


@pytest.mark.parametrize("answer", ["Perhaps.", "Maybe!", "It depends."])
def test_an_answer_that_leaves_all_open_claims_nothing_of_the_question(answer: str) -> None:
    found = extract_answer(answer, "May my uncle, who is 71, join the dive?", extract_claims)
    assert (found.claims, [span.reason for span in found.skipped]) == ((), ["fragment"])
