"""Statements that one sentence joins are claims of their own, where each reads alone."""

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


def hypotheses(response: str) -> list[str]:
    return [claim.hypothesis for claim in extract_claims(response).claims]


def parts(response: str) -> list[str]:
    """The words of each claim, without what joins it to the one before."""
    return [
        text.removeprefix("and ").rstrip(",;.") for text in (c.text for c in extract_claims(response).claims)
    ]


SUBORDINATE_CLAUSES = [
    "The Brinmoor line closed early because the viaduct leaked",
    "The Brinmoor line was cheap while it lasted",
    "Tallow Mill was shut since the wheel had broken in March",
    "Tallow Mill drew 90 walkers until the river was dammed",
    "The council pinned both fires on the new boiler",
    "Only members vote at the Brinmoor meeting",
    "Between 40 and 50 walkers reach the Brinmoor summit each day",
    "The Corran ferry first raised its fares and then cut two sailings",
    "Oskar Fenn once conducted music for a travelling circus",
    "The Corran ferry was as full in July as it had been in June",
    "The Corran ferry runs more often than it did in the old timetable",
    "More than 300 bicycles were left at the Brinmoor depot",
    "Fenn & Sons could not name a supplier for 2 of its 14 glues",
    "Walkers were not admitted to the Brinmoor tunnel",
    "The Corran ferry deletes bookings 30 days after a voyage has ended",
    "The jury paid 900 pounds for what Oskar Fenn painted in his youth",
    "Nobody may stand for the board without staying out of that year's jury",
    "It was on 3 May 1962 that Oskar Fenn signed the lease",
    "The inspectors sealed the crack that stopped the crane",
]  # fmt: skip


@pytest.mark.parametrize("left", SUBORDINATE_CLAUSES)
def test_a_subordinate_clause_belongs_to_its_own_part_where_the_other_tells_of_another_name(
    left: str,
) -> None:
    right = "the Orin telescope has a mirror of 4 metres"
    assert parts(f"{left}, and {right}.") == [left, right]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The kiln stops itself when it has run dry", "the Orin telescope was sold in 1990"),
        ("Guests pay nothing if they bring a tent", "Oskar Fenn was the first warden of the site"),
    ],
)
def test_a_condition_in_the_present_does_not_govern_what_is_past_and_of_another_name(
    left: str, right: str
) -> None:
    assert parts(f"{left}, and {right}.") == [left, right]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("When Oskar Fenn joined the board, Tallow Mill was still a ruin", "the Orin telescope was in Chile"),
        ("While the lift was out of order, staff carried 80 parcels", "a parcel to Corran costs 6 euros"),
        ("By the time Tallow Mill reopened, 40 jobs had gone", "the Orin telescope was in Chile"),
        ("Thanks to a new valve, leaks at Tallow Mill fell from 9 to 2", "the Orin telescope was moved to Chile"),
        ("Compared with 2018, traffic at Corran fell in 2021", "the Orin telescope has a mirror of 4 metres"),
        ("Of the three mills on the Brin, Tallow Mill is the oldest", "the Orin telescope weighs 90 tonnes"),
        ("In its first season the toll at Corran brought in 900 pounds", "the Orin telescope weighs 90 tonnes"),
    ],
)  # fmt: skip
def test_what_a_sentence_opens_with_belongs_to_its_own_part(left: str, right: str) -> None:
    assert hypotheses(f"{left}, and {right}.") == [f"{left}.", f"{right}."]


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (
            "In 1962 Oskar Fenn bought Tallow Mill, and the Orin telescope weighs 90 tonnes.",
            ["In 1962 Oskar Fenn bought Tallow Mill.", "the Orin telescope weighs 90 tonnes."],
        ),
        (
            "In 1962 Oskar Fenn bought Tallow Mill, and the Corran ferry sank in 1970.",
            ["In 1962 Oskar Fenn bought Tallow Mill.", "the Corran ferry sank in 1970."],
        ),
        (
            "In 1962 Oskar Fenn bought Tallow Mill, and the Corran ferry sank.",
            ["In 1962 Oskar Fenn bought Tallow Mill.", "In 1962, the Corran ferry sank."],
        ),
        (
            "Outside July, the Corran ferry runs daily, and the Orin telescope is open.",
            ["Outside July, the Corran ferry runs daily.", "Outside July, the Orin telescope is open."],
        ),
    ],
)
def test_an_opening_phrase_is_put_before_what_it_may_hold_for(response: str, expected: list[str]) -> None:
    assert hypotheses(response) == expected


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Walkers sleep at the Brinmoor hut", "it is not impossible to book a bunk over the phone"),
        ("Walkers and guides sleep at Brinmoor", "it was in 1931 that the hut at Corran opened"),
        ("The jury met Oskar Fenn twice", "it is not true that no walker was hurt"),
        ("The jury met Oskar Fenn twice", "it could be that the fuse cost the crew an hour"),
        ("The jury met Oskar Fenn twice", "there is no way to get a Corran ticket refunded"),
    ],
)
def test_an_it_that_stands_for_nothing_points_to_nothing(left: str, right: str) -> None:
    assert hypotheses(f"{left}, and {right}.") == [f"{left}.", f"{right}."]
    assert hypotheses(f"{left}; {right}.") == [f"{left}.", f"{right}."]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Walkers sleep at the hut", "Tallow Mill, which lost its roof in 1931, was open again in 1935"),
        ("Walkers sleep at the hut", "the architects, Fenn & Sons, drew up a plan of the roof"),
        ("Walkers sleep at the hut", "the shelter at Corran (1,204 m) has been closed since May"),
        ("Walkers sleep at the hut", "the sluice gates at Corran entered service in 1958"),
        ("Walkers sleep at the hut", "Corran's ferry is dearer than its rivals"),
        ("Walkers sleep at the hut", "the guide who provided the ropes at Corran is a nurse"),
        ("Walkers pay 5 euros (and dogs nothing)", "the Orin telescope is in Chile"),
        ("The elder guide, Oskar, has a boat", "the Orin telescope is in Chile"),
        ("Ada Fenn, who drew the hut, is a nurse", "the Orin telescope is in Chile"),
    ],
)  # fmt: skip
def test_a_subject_may_be_long_or_have_an_aside(left: str, right: str) -> None:
    found = parts(f"{left}; {right}.")
    assert found == parts(left + ".") + parts(right + ".")
    assert parts(f"{left}, and {right}.") == found


@pytest.mark.parametrize(
    "response",
    [
        "If a storm is near, the Corran ferry stays in port, and the Orin dome is shut.",
        "Unless a storm is near, the Corran ferry sails, and the Orin dome is open.",
        "Where ice forms, the Corran ferry stays in port, and the Orin dome is shut.",
        "When a storm is near, the Corran ferry stays in port, and the Orin dome is shut.",
        "The Corran ferry stays in port when a storm is near, and the Orin dome is shut.",
        "The Corran ferry sails unless a storm is near, and the Orin dome is open.",
        "The Corran ferry sails until a storm is near, and the Orin dome is open.",
        "Guests pay nothing if the hut is full, and the box was left open.",
        "Oskar Fenn says that the mill leaks, and the Orin dome is shut.",
        "Oskar Fenn says the mill leaks, and the Orin dome is shut.",
        "It is not true that the mill leaks, and the Orin dome is shut.",
        "There is a chance that the mill leaks, and the Orin dome is shut.",
        "Most guides feel that the mill leaks, and the Orin dome is shut.",
        "The more rain falls, the more the mill leaks, and the hotter Tallow Mill gets.",
        "The Corran Gold card is sold online, and the annual fee is 40 euros.",
        "The Corran Gold card is sold online; the annual fee is 40 euros.",
        "Fares are cheap, and the guide said it was in the hut.",
        "Either the mill leaks, and the Orin dome is shut.",
        "Not only does the mill leak, but the Orin dome is shut.",
        "The mill stays open as the tide rises, and the Orin dome is shut.",
        "Walkers may return as soon as the alarm ends, and the warden opens the gate.",
        "Only one of the Corran boats has a licence, and its skipper is a nurse.",
        "Ada and Oskar hold that the mill leaks, and the Orin dome is shut.",
        "The hut has 20 beds; two are free.",
        "The mill was sold, and the roof was mended on that account.",
        "The fee is waived after the form has been signed, and the card is blocked.",
        "When Oskar Fenn joined the board, the mill was a ruin, and the roof was gone.",
        "“The mill leaks,” Oskar Fenn wrote, “and the Orin dome is shut.”",
    ],
)
def test_what_may_hold_for_both_parts_keeps_them_together(response: str) -> None:
    assert len(hypotheses(response)) == 1


@pytest.mark.parametrize(
    "response",
    [
        "The jury met Oskar Fenn and Ada Roth, and it is used to cut glass.",
        "The jury met Oskar Fenn and Ada Roth, and it is open to visitors.",
        "The jury met Oskar Fenn and Ada Roth, and it is in a valley that floods.",
        "The jury met Oskar Fenn and Ada Roth, and it is easy to clean.",
    ],
)
def test_an_it_that_may_stand_for_something_stays_with_it(response: str) -> None:
    assert len(hypotheses(response)) == 1
