"""The negation signal: causes that the claim asserts, and what the evidence says of them."""

from __future__ import annotations

import pytest
from verifier_signals.negation import NegationSignal
from verifier_signals.polarity.causes import CauseStatus, links_in
from verifier_signals.types import Relation, SignalScore, TextPair


def score(premise: str, hypothesis: str) -> SignalScore:
    return NegationSignal().score([TextPair(premise, hypothesis)])[0]


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        (
            "Bread sales rose by 9% in the month in which the oven was replaced.",
            "Bread sales rose because the oven was replaced.",
        ),
        (
            "The choir gained members after the hall was painted.",
            "Thanks to the painted hall the choir gained members.",
        ),
        (
            "In the year of the new goalkeeper the team climbed to third place.",
            "It was the new goalkeeper that lifted the team to third place.",
        ),
        (
            "Since the orchard was fenced, fewer apples have gone missing.",
            "Fewer apples have gone missing owing to the fence around the orchard.",
        ),
        (
            "Pupils who read at home scored two points more.",
            "Reading at home is what earned the pupils two points more.",
        ),
        (
            "Players who slept longer made fewer mistakes.",
            "Longer sleep was the reason why the players made fewer mistakes.",
        ),
    ],
)
def test_a_cause_of_which_the_evidence_tells_only_the_sequence_is_not_stated(
    premise: str, hypothesis: str
) -> None:
    result = score(premise, hypothesis)
    assert result.features["cause"] > 0
    [finding] = [finding for finding in result.findings if finding.kind == "cause"]
    assert finding.relation is Relation.ABSENT


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        (
            "The mill lost two days; they were caused by a broken belt.",
            "A broken belt was to blame for the two days that the mill lost.",
        ),
        (
            "Sales fell in May. The fall was due to the strike.",
            "The strike is what pushed sales down in May.",
        ),
        ("The tram was late, as the line had iced over.", "The tram was late because of ice on the line."),
        ("A beetle killed the elms of the park.", "It was a beetle that killed the elms in the park."),
        ("The wall was cracked by frost.", "The wall cracked because of frost."),
        (
            "The grant ran out, so the dig was ended early.",
            "The dig ended early because the grant had run out.",
        ),
        (
            "After heavy rain the lane is closed because of rockfall.",
            "On account of falling rocks the lane is closed after heavy rain.",
        ),
        ("The panel attributed the leak to a worn seal.", "The leak resulted from a worn seal."),
    ],
)
def test_a_cause_that_the_evidence_states_in_other_words_is_confirmed(premise: str, hypothesis: str) -> None:
    result = score(premise, hypothesis)
    assert result.features["cause"] == 0.0
    assert Relation.MATCH in {finding.relation for finding in result.findings if finding.kind == "cause"}


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        (
            (
                "Complaints fell in the spring in which the lamps were changed. Whether the one led to the other"
                " has not been studied."
            ),
            "The new lamps brought complaints down.",
        ),
        (
            (
                "Honey yields were correlated with the area of clover. The survey cannot say whether clover raised"
                " the yields."
            ),
            "Clover raised the honey yields.",
        ),
        ("The fire was probably caused by a stove.", "The fire was caused by a stove."),
        (
            "Three guests of the inn fell ill; two had eaten mussels. A link has not been established.",
            "The mussels made at least two guests of the inn ill.",
        ),
        (
            "The pump stopped twice. We suspect the filter but have not confirmed it.",
            "The filter is the reason why the pump stopped twice.",
        ),
        (
            "The bell cracked in 1911; historians disagree about whether frost was the cause.",
            "It was frost that made the bell crack in 1911.",
        ),
        (
            "Visits rose by a tenth. A lift was put in that month, so the reason for the rise in visits is not known.",
            "Visits rose because a lift was put in.",
        ),
    ],
)
def test_a_link_that_the_evidence_leaves_open_is_no_cause(premise: str, hypothesis: str) -> None:
    features = score(premise, hypothesis).features
    assert features["hedge"] > 0
    assert features["cause"] > 0
    assert features["polarity"] == 0.0


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("The delay was not caused by the snow.", "The delay was caused by the snow."),
        (
            "The rise in visitors was due to the exhibition and not to the free tickets.",
            "Visitors rose because of the free tickets.",
        ),
        (
            "The bees died in March. The spray had nothing to do with the death of the bees.",
            "The spray was to blame for the death of the bees.",
        ),
        (
            "The story that a goat broke the dam is false: the dam was in order.",
            "The dam burst because a goat broke it.",
        ),
        ("The outage was not due to the storm.", "The storm led to the outage."),
    ],
)
def test_a_link_that_the_evidence_denies_is_contradicted(premise: str, hypothesis: str) -> None:
    assert score(premise, hypothesis).features["polarity"] >= 0.7


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("The council lowered the fee to 4 euros.", "The council brought the fee down to 4 euros."),
        ("The fee was lowered to 4 euros.", "The council lowered the fee to 4 euros."),
        ("Ada Quill sold the barge to Norr.", "It was Ada Quill that sold the barge to Norr."),
        ("Frost may have cracked the wall.", "The wall perhaps cracked because of frost."),
        ("The wall was not cracked by frost.", "The wall did not crack because of frost."),
        ("The operator has made a profit.", "The operator made a profit."),
        ("Nobody knows who painted the sign.", "The sign is kept in the museum."),
    ],
)
def test_a_claim_without_a_firm_cause_is_asked_for_none(premise: str, hypothesis: str) -> None:
    assert score(premise, hypothesis).features["cause"] == 0.0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The roof fell in because of snow.", CauseStatus.STATED),
        ("Snow caused the collapse.", CauseStatus.STATED),
        ("The cause of the collapse was snow.", CauseStatus.STATED),
        ("What brought the roof down was snow.", CauseStatus.STATED),
        ("Nobody was hurt, because the hall was empty.", CauseStatus.STATED),
        ("It cost more than planned, because the ground was soft.", CauseStatus.STATED),
        ("Did snow cause the collapse?", CauseStatus.OPEN),
        ("If snow caused the collapse, the owner pays.", CauseStatus.OPEN),
        ("The design does not allow us to say that snow caused the collapse.", CauseStatus.OPEN),
        ("Snow was not the cause of the collapse.", CauseStatus.DENIED),
    ],
)
def test_a_text_states_leaves_open_or_denies_a_link(text: str, told: CauseStatus) -> None:
    assert told in {link.told for link in links_in(text)}
    if told is not CauseStatus.STATED:
        assert CauseStatus.STATED not in {link.told for link in links_in(text)}


def test_headings_hold_no_link() -> None:
    assert not links_in("Because of snow. The hall has 40 seats.")
