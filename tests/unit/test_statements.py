"""Statements of a response: what is taken apart, and what each part takes from the others; what stays whole."""

from __future__ import annotations

import pytest

from tests.support.statements import TAKEN_APART
from tests.support.whole_statements import WHOLE
from verifier.verification.claims import extract_claims


@pytest.mark.parametrize(("response", "hypotheses"), TAKEN_APART)
def test_each_statement_is_a_claim_that_reads_alone(response: str, hypotheses: list[str]) -> None:
    assert [claim.hypothesis for claim in extract_claims(response).claims] == hypotheses


@pytest.mark.parametrize("response", WHOLE)
def test_what_would_lose_its_condition_or_its_meaning_stays_whole(response: str) -> None:
    assert [claim.hypothesis for claim in extract_claims(response).claims] == [response]


@pytest.mark.parametrize("response", [*WHOLE, *(response for response, _ in TAKEN_APART)])
def test_claims_and_skipped_spans_quote_all_of_the_response_in_order(response: str) -> None:
    found = extract_claims(response)
    parts = sorted([*found.claims, *found.skipped], key=lambda part: part.start)
    at = 0
    for part in parts:
        assert at <= part.start < part.end
        assert response[part.start : part.end] == part.text
        assert not response[at : part.start].strip()
        at = part.end
    assert not response[at:].strip()
