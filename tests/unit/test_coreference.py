"""What a pronoun stands for: a subject, a person, a ship, a part of what was counted; or nothing that is certain."""

from __future__ import annotations

import pytest

from verifier.types import Status, Verdict
from verifier.verification.claims import extract_answer, extract_claims
from verifier.verification.grammar.fragments import is_verbless
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer


def last(response: str) -> tuple[str, str]:
    """What the last claim of a response is read as, and its pronoun that nothing explains."""
    claim = extract_claims(response).claims[-1]
    return claim.hypothesis, claim.unresolved


@pytest.mark.parametrize(
    ("response", "expected", "meant"),
    [
        (
            "Mira Tower has 40 floors. The Harlow Tower has a visitor centre. It stands 175 m.",
            "The Harlow Tower stands 175 m.",
            "The Harlow Tower",
        ),
        ("The museum has a café. It opens at 9.", "The museum opens at 9.", "The museum"),
        (
            "The ferry carries a doctor. Its length is 90 m. It sails at 9.",
            "The ferry sails at 9.",
            "The ferry",
        ),
    ],
)
def test_of_two_candidates_the_subject_is_meant_and_a_note_says_so(
    response: str, expected: str, meant: str
) -> None:
    found = extract_claims(response)
    assert (found.claims[-1].hypothesis, found.claims[-1].unresolved) == (expected, "")
    assert f"“{meant}”" in found.notes[-1]


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("Maria Lund founded Acme. It grew fast.", "Acme grew fast."),
        ("The pass is sold online. This costs 5 EUR.", "The pass costs 5 EUR."),
        ("Tell me about Mira Tower? It has 40 floors.", "Mira Tower has 40 floors."),
        ("In 2023 Acme had 40 staff, and in 2024 it had 50.", "in 2024 Acme had 50."),
        ("## Pool\n\nIt opens at 9.", "Pool: It opens at 9."),
        ("“The bridge is safe. It opens in May,” Tom Reed said.", "The bridge opens in May,\" Tom Reed said."),
    ],
)  # fmt: skip
def test_a_pronoun_with_one_candidate_is_read_as_it_without_a_note(response: str, expected: str) -> None:
    assert last(response) == (expected, "")
    assert not extract_claims(response).notes


@pytest.mark.parametrize(
    ("response", "pronoun"),
    [
        ("It costs 5 EUR.", "It"),
        ("Acme bought Bolt in 2010. It makes tea.", "It"),
        ("Anna Lee succeeded Mark Roth. He left in 2010.", "He"),
        ("Patients receive two tablets. They dissolve in water.", "They"),
        ("The tower and the bridge were built in 1990. Its height is 175 m.", "Its"),
        ("This costs 5 EUR.", "This"),
    ],
)
def test_a_pronoun_that_nothing_explains_is_told(response: str, pronoun: str) -> None:
    read, unresolved = last(response)
    assert read.startswith(pronoun)
    assert unresolved == pronoun


@pytest.mark.parametrize(
    "statement",
    [
        "It was Ada Dahl who founded Acme.",
        "It is not impossible to rebook a ticket.",
        "It was in the spring of 1908 that the ship was launched.",
        "It takes 3 days to get a refund.",
        "They say that the hut is haunted.",
        "It rains on 200 days a year.",
        "It is forbidden to smoke on board.",
        "This means that refunds take 30 days.",
        "Those in the first group received 5 mg.",
    ],
)
def test_a_pronoun_that_may_stand_for_nothing_is_left_alone(statement: str) -> None:
    assert last(statement) == (statement, "")


@pytest.mark.parametrize(
    "statement",
    [
        "At Orlow Works it was Halvard Stenius who ran the technical side.",
        "In 1952 it was the Harlow Trust that paid for the roof.",
        "It was not Ada Lee Marsh who designed the mill.",
    ],
)
def test_the_pronoun_of_a_cleft_sentence_stands_for_nothing(statement: str) -> None:
    assert last(f"The mill was built in 1890. {statement}") == (statement, "")


def test_evidence_is_still_read_only_where_one_candidate_fits() -> None:
    from verifier.verification.evidence.prose import antecedents

    text = "The museum has a café. It opens at 9."
    assert [opening.text for opening in antecedents(text, [(0, 22), (23, 37)])] == ["", ""]


def test_a_claim_of_which_nothing_tells_whom_it_is_about_is_never_supported() -> None:
    source = GivenTexts.of(
        "The Basic plan costs 5 EUR a month. The Basic plan includes 20 GB. The Pro plan has an archive."
    )
    scorer = VerifiedScorer(source, suggest_fixes=False)
    [alone] = scorer.verify("It costs 5 EUR a month.").claims
    assert (alone.status, alone.verdict, alone.decided_by) == (
        Status.CHECKED,
        Verdict.UNVERIFIABLE,
        "reference",
    )
    assert "“It”" in alone.reason
    told = scorer.verify("The Basic plan includes 20 GB. It costs 5 EUR a month.")
    assert [claim.verdict for claim in told.claims] == [Verdict.SUPPORTED, Verdict.SUPPORTED]
    again = scorer.verify("The Basic plan costs 5 EUR a month.\n\n# Prices\n\nIt costs 5 EUR a month.")
    assert again.claims[-1].verdict is Verdict.UNVERIFIABLE


def test_a_pronoun_is_read_as_the_only_thing_that_the_evidence_speaks_of() -> None:
    source = GivenTexts.of("The Basic plan costs 5 EUR a month. It includes 20 GB.")
    [alone] = VerifiedScorer(source, suggest_fixes=False).verify("It costs 5 EUR a month.").claims
    assert alone.verdict is Verdict.SUPPORTED
    assert "“It” is taken to mean “The Basic plan”" in alone.reason


@pytest.mark.parametrize(
    ("response", "verdict"),
    [
        ("Tom Hall met Ada Berg. She keeps bees.", Verdict.SUPPORTED),
        ("Tom Hall met Ada Berg [1]. She keeps bees.", Verdict.SUPPORTED),
        ("Tom Hall met Ada Berg. She keeps bees. She sings.", Verdict.SUPPORTED),
        ("Tom Hall met Eva Lund. She keeps bees.", Verdict.UNVERIFIABLE),
        ("Tom Hall met Ada Berg. She sings.", Verdict.UNVERIFIABLE),
        ("Tom Hall met Ada Berg.\n\nShe keeps bees.", Verdict.UNVERIFIABLE),
    ],
)
def test_a_pronoun_behind_the_sentence_of_the_evidence_stands_for_the_same(
    response: str, verdict: Verdict
) -> None:
    source = GivenTexts.of(
        "Tom Hall met Ada Berg. She keeps bees. She sings. Eva Lund came later. She sings."
    )
    claim = VerifiedScorer(source, suggest_fixes=False).verify(response).claims[-1]
    assert claim.verdict is verdict


@pytest.mark.parametrize(
    ("response", "last"),
    [
        ("Anna Berg is the director of the Fyns Choir. She studied in Oslo.", "Anna Berg studied in Oslo."),
        ("Betty Johnson, 86, lives in Derby. She keeps bees.", "Betty Johnson keeps bees."),
        ("Marie Dubois (born 1950) is a chemist. She won a prize.", "Marie Dubois won a prize."),
        ("The museum was designed by Clara Voss. She was born in 1901.", "Clara Voss was born in 1901."),
        ("This document is the Marl Act. It bans open fires.", "the Marl Act bans open fires."),
        ("This guide describes the pump. It has 4 chapters.", "This guide has 4 chapters."),
        ("The hall opens on 29 Nov 2024. It closes in May.", "The hall closes in May."),
    ],
)
def test_the_only_person_or_document_in_question_is_what_a_pronoun_stands_for(
    response: str, last: str
) -> None:
    claim = extract_claims(response).claims[-1]
    assert (claim.hypothesis, claim.unresolved) == (last, "")


@pytest.mark.parametrize(
    "response",
    [
        "Tom Baker met Ann Lee. He was late.",
        "Acme Foods hired Tom Hall. He left in 1990.",
        "Corbin Fire Services hired two men. He left in 1990.",
        "Anna Berg leads the choir. Her deputy is Tom Hall. He studied in Oslo.",
        "Clara Voss founded it. Her brother Tom Voss ran it. He died in 1990.",
    ],
)
def test_with_two_people_in_question_a_pronoun_stays_open(response: str) -> None:
    assert extract_claims(response).claims[-1].unresolved == "He"


@pytest.mark.parametrize(
    ("prompt", "answer", "last"),
    [
        (
            "How big is the archive?",
            "The archive holds 8,400 letters. Roughly one in seven of them can be read.",
            "Roughly one in seven of the letters can be read.",
        ),
        (
            "How many boats does the club own?",
            "It owns 36. A quarter of them are canoes.",
            "A quarter of the boats are canoes.",
        ),
        ("How many lamps are lit?", "Two in five of them are lit.", "Two in five of the lamps are lit."),
        (
            "",
            "The choir has 80 voices. 30 percent of them are basses.",
            "30 percent of the voices are basses.",
        ),
        (
            "How many rooms are there?",
            "It has 30. Half of them have a bath.",
            "Half of the rooms have a bath.",
        ),
    ],
)
def test_a_part_is_one_of_what_was_counted(prompt: str, answer: str, last: str) -> None:
    assert extract_answer(answer, prompt, extract_claims).claims[-1].hypothesis == last


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("What does it cost?", "The hire takes 5 hours. Half of them are free."),
        ("", "The choir has 80 voices and 12 boards. Half of them are old."),
        ("How many boats are there?", "There are lanterns on the lake. Half of them are red."),
        ("", "She bought tickets. Two of them are left."),
        ("", "The club owns 36 boats. It sold some of them."),
    ],
)
def test_it_stays_where_several_things_may_be_meant_or_none_was_counted(prompt: str, answer: str) -> None:
    assert " of them" in extract_answer(answer, prompt, extract_claims).claims[-1].hypothesis


def test_may_is_a_month_where_it_is_written_as_one() -> None:
    assert is_verbless("On 14 May 2006, in a former brewery.")
    assert not is_verbless("Guests may bring a dog.")
