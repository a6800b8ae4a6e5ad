"""How a response is set does not change what is read: the claims of any setting read as those of the plain text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.core.text import plain
from verifier.verification.claims import extract_claims
from verifier.verification.claims.typography import plain_typography

PLAIN = (
    'The café "Zürcher Hof" doesn\'t open before 10 am. It seats 45-50 guests; the well-known owner is Ann Lee.\n\n'
    "The menu includes:\n- soup for 7.50 euros\n- a dish of the day\n"
)
SETTINGS = {
    "curly quotes": PLAIN.replace('"Z', "“Z").replace('f"', "f”").replace("'", "’"),
    "modifier apostrophe": PLAIN.replace("'", "ʼ"),
    "decomposed accents": unicodedata.normalize("NFD", PLAIN),
    "full-width digits": PLAIN.translate({ord("0") + n: 0xFF10 + n for n in range(10)}),
    "no-break spaces": PLAIN.replace("10 am", "10\u00a0am").replace("7.50 ", "7.50\u202f"),
    "soft hyphens": PLAIN.replace("includes", "in\u00adcludes").replace("guests", "gues\u00adts"),
    "no width": "\ufeff" + PLAIN.replace("owner ", "owner\u200b "),
    "Unicode hyphens": PLAIN.replace("well-known", "well\u2011known").replace("45-50", "45–50"),
    "wide spaces": PLAIN.replace("seats 45", "seats  45").replace("well-known owner", "well-known\nowner"),
}


def hypotheses(response: str) -> list[str]:
    return [claim.hypothesis for claim in extract_claims(response).claims]


@pytest.mark.parametrize("name", SETTINGS)
def test_claims_read_alike_in_every_setting(name: str) -> None:
    assert SETTINGS[name] != PLAIN
    assert hypotheses(SETTINGS[name]) == hypotheses(PLAIN)


@pytest.mark.parametrize("name", SETTINGS)
def test_claims_quote_the_response_as_it_is_set(name: str) -> None:
    response = SETTINGS[name]
    for claim in extract_claims(response).claims:
        assert response[claim.start : claim.end] == claim.text
        last = 0
        for item in claim.substitutions:
            assert last <= item.start <= item.end <= len(claim.text)
            last = item.end


@pytest.mark.parametrize(
    "kept", ["10²", "½", "5′ 3″", "`code`", "Wait…", "50 µg", "a — b", "10 – 20", "line\n\nline", "™"]
)
def test_what_says_something_is_kept(kept: str) -> None:
    assert plain(kept).text == kept


@given(st.text(alphabet="ab1 \n\u00ad\u200b\u00a0’é\u0301“”–-½", max_size=30))
def test_plain_text_is_carried_back_without_gaps(text: str) -> None:
    folded = plain(text)
    at = 0
    for index in range(len(folded.text)):
        start, end = folded.span(index, index + 1)
        assert start <= at <= end
        at = end
    assert at == len(text)


@pytest.mark.parametrize(
    ("line", "claims"),
    [
        ("**Castellan Cables supplied the turbines.**", ["Castellan Cables supplied the turbines."]),
        ("**Refund policy.**", []),
        ("**How refunds work**", []),
    ],
)
def test_a_sentence_in_bold_is_a_claim_and_a_title_is_none(line: str, claims: list[str]) -> None:
    assert hypotheses(line) == claims


def test_findings_are_carried_back_over_what_is_set_otherwise() -> None:
    response = "The caf\u00adé’s kitchen closes its 45\u00a0seats at ２０ o’clock."
    [claim, *_] = extract_claims(response).claims
    for word in ("café's", "20 o'clock", "45 seats", "kitchen"):
        at = claim.hypothesis.index(word)
        span = claim.to_text_span((at, at + len(word)))
        assert span is not None
        assert plain(claim.text[slice(*span)]).text == word


@pytest.mark.parametrize(
    "plain_case",
    [
        "The Orlow barn, which lost its roof in 1936, was open again by spring.",
        "Dust on the upper line stayed below the limit, and it fell further in the second hall.",
        "To my mind, Kessmere handled the whole affair rather gracefully.",
        "Kessmere was built for seventy-four million crowns, a dozen million above the plan.",
    ],
)
def test_claims_in_the_capitals_of_a_headline_are_taken_apart_alike(plain_case: str) -> None:
    headline = " ".join(word[:1].upper() + word[1:] for word in plain_case.split())
    found, expected = extract_claims(headline), extract_claims(plain_case)
    assert [(c.start, c.end) for c in found.claims] == [(c.start, c.end) for c in expected.claims]
    assert [claim.hypothesis.lower() for claim in found.claims] == [
        c.hypothesis.lower() for c in expected.claims
    ]
    assert [span.reason for span in found.skipped] == [span.reason for span in expected.skipped]


def test_the_capitals_of_a_headline_stay_in_its_claim_and_in_titles() -> None:
    headline = "The Orlow Barn Lost Half of Its Roof."
    (claim,) = extract_claims(headline).claims
    assert claim.hypothesis == headline
    assert plain_typography("Key Findings of the New Report\n\nThe roof fell.") is None
