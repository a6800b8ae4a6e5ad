"""A claim read in the forms in which a premise states its values, and what is found in it told of the claim itself."""

from __future__ import annotations

import pytest
from verifier_signals.negation import NegationSignal
from verifier_signals.number import NumberSignal
from verifier_signals.traceability import TraceabilitySignal
from verifier_signals.types import Finding, Outcome, Relation, SignalScore, TextPair

from verifier.verification.value_forms import Restated, restated


def read(premise: str, claim: str) -> Restated:
    pair = TextPair(premise, claim)
    return restated(pair, NumberSignal().score([pair])[0].findings)


@pytest.mark.parametrize(
    ("premise", "claim", "text"),
    [
        ("The train leaves at 6:05 p.m.", "The train leaves at 18:05.", "The train leaves at 6:05 p.m."),
        ("The train leaves at 18:05.", "The train leaves at 6:05 p.m.", "The train leaves at 18:05."),
        (
            "The choir has thirty-two singers.",
            "The choir has 32 singers.",
            "The choir has thirty-two singers.",
        ),
        ("It cost EUR 1.25 million.", "It cost 1,250,000 euros.", "It cost EUR 1.25 million."),
        ("The trail is 1.5 km long.", "The trail is 1,500 m long.", "The trail is 1.5 km long."),
        ("2/3 of the crew are in.", "Two thirds of the crew are in.", "2/3 of the crew are in."),
        (
            "It carries no more than 8 people.",
            "It carries at most 8 people.",
            "It carries no more than 8 people.",
        ),
    ],
)
def test_a_value_is_read_in_the_form_of_the_premise(premise: str, claim: str, text: str) -> None:
    assert read(premise, claim).text == text


@pytest.mark.parametrize(
    ("premise", "claim", "text"),
    [
        (
            "It opened on the 24th of July 2019.",
            "It opened on 24.07.2019.",
            "It opened on the 24th of July 2019.",
        ),
        ("It opened on 24.07.2019.", "It opened on the 24th of July 2019.", "It opened on 24.07.2019."),
        ("It began in 2025Q1.", "It began in the first quarter of 2025.", "It began in 2025Q1."),
        ("It takes between 5 and 10 days.", "It takes 5-10 days.", "It takes between 5 and 10 days."),
        ("It takes 5-10 days.", "It takes from 5 to 10 days.", "It takes 5-10 days."),
        ("Twelve boats sank.", "The 12 boats sank.", "The twelve boats sank."),
    ],
)
def test_articles_and_what_opens_a_range_come_and_go_with_the_form(
    premise: str, claim: str, text: str
) -> None:
    assert read(premise, claim).text == text


@pytest.mark.parametrize(
    ("premise", "claim", "text"),
    [
        ("Twelve boats sank off Orby.", "In the storm 12 boats sank.", "In the storm twelve boats sank."),
        ("In the storm twelve boats sank.", "12 boats sank off Orby.", "Twelve boats sank off Orby."),
    ],
)
def test_a_form_has_a_capital_where_a_sentence_begins(premise: str, claim: str, text: str) -> None:
    assert read(premise, claim).text == text


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("The dam holds 1,234 fish.", "The dam holds about 1,200 fish."),  # rounded: another thing to say
        ("The dam holds about 1,200 fish.", "The dam holds 1,234 fish."),
        ("It runs at 820 to 860 °C.", "It runs at 840 °C."),  # within a range
        ("It opened on 24 July 2019.", "It opened in July 2019."),  # the claim says less
        ("It seats 32 guests.", "It seats 33 guests."),
        (
            "No suitcase may weigh more than 23 kg.",
            "A suitcase may weigh at most 23 kg.",
        ),  # by its "no" alone
        ("The choir has 32 singers.", "The choir has 32 singers."),
        ("The choir sings.", "The choir has 32 singers."),
        ("", ""),
    ],
)
def test_what_is_not_one_value_in_two_forms_stays(premise: str, claim: str) -> None:
    found = read(premise, claim)
    assert (found.text, found.pieces) == (claim, ())


def test_how_sure_the_claim_is_stays_with_it() -> None:
    found = read("The rotor is 164 m across.", "The rotor is about 538 feet across.")
    assert found.text == "The rotor is about 164 m across."


def test_words_that_stand_beside_a_value_are_not_doubled() -> None:
    pair = TextPair("Tea is at half past six in the evening.", "Tea is at 18:30 in the evening.")
    said, value = "half past six in the evening", "18:30"
    start, place = pair.hypothesis.index(value), pair.premise.index(said)
    finding = Finding(
        "time",
        Relation.MATCH,
        value,
        (start, start + len(value)),
        said,
        (place, place + len(said)),
    )
    assert restated(pair, [finding]).text.count("in the evening") == 1


def test_spans_are_told_of_the_claim_as_it_stands() -> None:
    claim = "It opens at 18:05 and has 32 seats for guests."
    found = read("It opens at 6:05 p.m. and has thirty-two seats.", claim)
    text = found.text
    for words, original in (
        ("It opens", "It opens"),
        ("6:05 p.m.", "18:05"),
        ("p.m.", "18:05"),
        ("and has", "and has"),
        ("thirty-two", "32"),
        ("two seats", "32 seats"),
        ("guests", "guests"),
    ):
        start = text.index(words)
        assert claim[slice(*found.original((start, start + len(words))))] == original


@pytest.mark.parametrize("signal", [TraceabilitySignal(), NegationSignal(), NumberSignal()])
def test_findings_of_every_signal_quote_the_claim(
    signal: TraceabilitySignal | NegationSignal | NumberSignal,
) -> None:
    premise = "The hall is not open at 6:05 p.m. on 24 May 2019; thirty-two guests may stay."
    claim = "On 24.05.2019 the hall is open at 18:05, and all 32 guests must stay."
    found = read(premise, claim)
    assert len(found.pieces) == 3
    [score] = signal.score([TextPair(premise, found.text)])
    told = found.told(score)
    assert told.features == score.features
    for finding in told.findings:
        assert claim[slice(*finding.claim_span)] == finding.claim_value
        if finding.evidence_span is not None:
            assert premise[slice(*finding.evidence_span)] == finding.evidence_value


def test_an_unchanged_claim_leaves_a_score_as_it_is() -> None:
    score = SignalScore("number", Outcome.NOT_APPLICABLE, None)
    assert Restated.of("It is open.").told(score) is score


def test_a_value_that_follows_from_others_is_said_to_be_reckoned() -> None:
    assert read("Of 40 sailors, 10 are volunteers.", "A quarter of the sailors are volunteers.").reckoned
    assert not read("The choir has thirty-two singers.", "The choir has 32 singers.").reckoned
