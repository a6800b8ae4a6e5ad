"""Who did what to whom, however it is said: what the evidence bears out stays silent, its reverse conflicts."""

from __future__ import annotations

import pytest
from verifier_signals.entity import EntitySignal
from verifier_signals.lexicon import senses_of
from verifier_signals.names import names_in
from verifier_signals.roles import attributed_to_another, events_in
from verifier_signals.roles.clashes import role_clashes
from verifier_signals.roles.events import frame_of
from verifier_signals.traceability import TraceabilitySignal
from verifier_signals.types import Outcome, TextPair


def outcome(premise: str, claim: str) -> Outcome:
    [score] = EntitySignal().score([TextPair(premise, claim)])
    return score.outcome


@pytest.mark.parametrize(
    ("premise", "right", "wrong"),
    [
        (
            "Mara Veil studied painting with Oskar Lindt and sculpture with Ines Corbo.",
            "Oskar Lindt taught Mara Veil painting.",
            "Ines Corbo taught Mara Veil painting.",
        ),
        (
            "Oskar Lindt taught chemistry to Mara Veil at the lyceum.",
            "Mara Veil learned chemistry from Oskar Lindt.",
            "Oskar Lindt learned chemistry from Mara Veil.",
        ),
        (
            "The scholarship was awarded to Pim Dekker by the Hallam Trust.",
            "Pim Dekker received the scholarship from the Hallam Trust.",
            "Pim Dekker awarded the scholarship to the Hallam Trust.",
        ),
        (
            "The prize went to Ilse Dorn; Karim Said came second.",
            "Ilse Dorn won the prize.",
            "Karim Said won the prize.",
        ),
        (
            "The proposal came from Petra Hahn. Lyle Grant spoke against it.",
            "Petra Hahn made the proposal.",
            "The proposal was made by Lyle Grant.",
        ),
        (
            "An amendment by Senator Lyle Grant was rejected. Senator Petra Hahn spoke against it.",
            "Senator Lyle Grant moved the amendment.",
            "Senator Petra Hahn moved the amendment.",
        ),
        (
            "Mr Abel Stone rents the barn to the Lorne family.",
            "Mr Abel Stone rents out the barn.",
            "Mr Abel Stone rents the barn from the Lorne family.",
        ),
        (
            "Bram Oko reported the crash; Jorun Tast fixed it.",
            "The crash was reported by Bram Oko.",
            "Jorun Tast reported the crash.",
        ),
        (
            "In 2003 Tarn hands over to Kofi Mensa, who is still director.",
            "Kofi Mensa took over from Tarn in 2003.",
            "In 2003 Kofi Mensa handed over to Tarn.",
        ),
        (
            "Ines Falk plays the queen and Jo Tarrant the jester.",
            "Ines Falk plays the queen.",
            "Jo Tarrant plays the queen.",
        ),
    ],
)
def test_the_same_deed_told_from_another_side(premise: str, right: str, wrong: str) -> None:
    assert outcome(premise, right) is Outcome.CONSISTENT
    assert outcome(premise, wrong) is Outcome.CONFLICTING


@pytest.mark.parametrize(
    ("premise", "right", "wrong"),
    [
        (
            "Nora Kettle left the board in May. Paul Reiss, until then treasurer, succeeded her as chair.",
            "Paul Reiss succeeded Nora Kettle as chair.",
            "Nora Kettle succeeded Paul Reiss as chair.",
        ),
        (
            "Pavel Novak, whom Ruth Stein had trained, took over the clinic.",
            "Ruth Stein trained Pavel Novak.",
            "Pavel Novak trained Ruth Stein.",
        ),
        (
            "Tessa Bloom drew the map that Ivo Crane printed.",
            "Ivo Crane printed the map.",
            "Tessa Bloom printed the map.",
        ),
        (
            "Lena Horn took the samples. The report was approved by Dr Matt Oye.",
            "The person who took the samples was Lena Horn.",
            "The person who took the samples was Matt Oye.",
        ),
        (
            "The inquiry blamed the contractor, Delmar, not the architect, Osgood.",
            "The inquiry blamed Delmar.",
            "The inquiry blamed Osgood.",
        ),
    ],
)
def test_relatives_pronouns_and_appositions_are_followed(premise: str, right: str, wrong: str) -> None:
    assert outcome(premise, right) is Outcome.CONSISTENT
    assert outcome(premise, wrong) is Outcome.CONFLICTING


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        (
            "Complaints go to Yusuf Brand, head of service, who replies within ten days. The manager is Clara Oates.",
            "Clara Oates replies to complaints within ten days.",
        ),
        (
            "Requests for leave are signed by Tova Lind. Payroll is the task of Nils Arbo.",
            "Requests for leave are signed by Nils Arbo.",
        ),
        (
            "The keys are kept by the caretaker, Ugo Sarti. Bookings are taken by Lia Moretto.",
            "Lia Moretto keeps the keys of the caretaker.",
        ),
        (
            "Fixed a crash at start-up when no printer was found. Bram Okoye reported it.",
            "Jorunn Tastad reported a crash at start-up when no printer was found.",
        ),
        (
            "The lighthouse at Skerrow was designed and built in 1871. Its engineer was Tamsin Okafor.",
            "The engineer who designed and built the lighthouse at Skerrow was Ruben Halvorsen.",
        ),
    ],
)
def test_a_person_is_given_what_is_told_of_another(premise: str, claim: str) -> None:
    assert attributed_to_another(claim, premise)


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        (
            "Ada Quorn chairs the board. She also signs the accounts, says Ben Rudge.",
            "Ada Quorn signs the accounts.",
        ),
        ("Ada Quorn and Ben Rudge sign the accounts.", "Ada Quorn signs the accounts."),
        ("Ben Rudge signs the accounts. Ada Quorn signs the accounts, too.", "Ada Quorn signs the accounts."),
        ("The accounts are signed by the treasurer.", "Ada Quorn signs the accounts."),
        ("The accounts are signed by Ben Rudge and Cy Tolland.", "Ada Quorn signs the accounts."),
        ("The accounts are audited on the North Strand.", "Ada Quorn audits the accounts."),
        ("Ben Rudge was born in Tarn.", "Ada Quorn signs the accounts."),
    ],
)
def test_nobody_is_displaced_where_the_other_is_no_rival(premise: str, claim: str) -> None:
    assert not attributed_to_another(claim, premise)


@pytest.mark.parametrize(
    ("premise", "right", "wrong"),
    [
        (
            "The buyer notifies the seller of any defect.",
            "The seller is notified of any defect by the buyer.",
            "The seller notifies the buyer of any defect.",
        ),
        (
            "The supplier pays the distributor a commission every month.",
            "The distributor is paid a commission by the supplier every month.",
            "The distributor pays the supplier a commission every month.",
        ),
        (
            "Data is copied from the primary to the replica every night.",
            "Every night data is copied to the replica from the primary.",
            "Data is copied from the replica to the primary every night.",
        ),
    ],
)
def test_a_phrase_behind_who_fills_a_role_fills_none(premise: str, right: str, wrong: str) -> None:
    assert outcome(premise, right) is not Outcome.CONFLICTING
    assert outcome(premise, wrong) is Outcome.CONFLICTING


def test_of_several_frames_that_counts_which_fits_the_slots() -> None:
    assert frame_of(["rent"], ["subj", "obj", "to"]).roles["subj"] == "landlord"
    assert frame_of(["rent"], ["subj", "obj", "from"]).roles["subj"] == "tenant"
    assert frame_of(["hand over", "hand"], ["subj", "to"]).event == "succession"
    assert frame_of(["hand over", "hand"], ["subj", "obj", "to"]).event == "transfer"


def test_verbs_of_one_meaning_tell_of_one_event() -> None:
    [first] = events_in("Ada Quorn shut the mill.")
    [second] = events_in("The mill was closed by Ada Quorn.")
    assert (first.kind, set(first.roles)) == (second.kind, set(second.roles))


@pytest.mark.parametrize(
    ("one", "other"),
    [("run", "work"), ("go", "last"), ("born", "suffer"), ("lift", "rise"), ("take", "adopt")],
)
def test_a_seldom_sense_makes_no_synonym(one: str, other: str) -> None:
    assert senses_of(one).isdisjoint(senses_of(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("baby", "infant"),
        ("abruptly", "suddenly"),
        ("harm", "damage"),
        ("halt", "stop"),
        ("quake", "earthquake"),
    ],
)
def test_a_usual_sense_makes_a_synonym(one: str, other: str) -> None:
    assert senses_of(one) & senses_of(other)


def test_a_name_has_no_synonyms() -> None:
    [score] = TraceabilitySignal().score(
        [TextPair("The moist air costs nothing.", "The fare Breeze costs nothing.")]
    )
    assert [item.evidence_value for item in score.findings if item.claim_value == "Breeze"] == [None]
    assert names_in("The fare Breeze costs nothing.")


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("The Fox serves the chowder.", "The inn at Elmford that serves the chowder is the Fox."),
        ("Orr & Sons bakes the loaf.", "The bakery near Thane which bakes the loaf is Orr & Sons."),
        ("Ben Lee founded Larkdesk.", "The man from Elmford who founded Larkdesk was Ben Lee."),
        ("Mara Veil painted the hall.", "The woman in Corran who painted the hall was Mara Veil."),
        ("Sollen Ltd cleans the canal.", "The firm in Varn that cleans the canal is Sollen Ltd."),
    ],
)
def test_a_relative_without_a_comma_speaks_of_the_thing_and_not_of_its_place(
    premise: str, claim: str
) -> None:
    assert outcome(premise, claim) is not Outcome.CONFLICTING


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        (
            "Halden Foods sold the Marlow warehouse in 2019.",
            "Halden Foods bought the Marlow warehouse in 2019.",
        ),
        (
            "The Marlow warehouse was sold by Halden Foods.",
            "Halden Foods bought the Marlow warehouse in 2019.",
        ),
        ("The archive borrowed the maps of the library.", "The archive lent the library its maps."),
        ("The centre may borrow tools.", "The centre lends tools to members."),
        ("Mira Voss donated the painting.", "Mira Voss inherited the painting from her aunt."),
    ],
)
def test_one_party_on_the_other_side_of_the_same_deal_is_a_conflict(claim: str, premise: str) -> None:
    [clash] = role_clashes(claim, premise)
    assert clash.swapped
    assert clash.claim.head == clash.evidence.head


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Halden Foods sold the mill in 2022.", "Halden Foods bought the mill in 2019."),
        ("Halden Foods sold the mill.", "Halden Foods bought the mill in 2019 and sold it in 2022."),
        ("Halden Foods did not sell the mill.", "Halden Foods bought the mill."),
        ("The library borrows books from other libraries.", "The library lends books for three weeks."),
        ("Orrin bought the mill.", "Halden sold the mill to Orrin."),
        ("Members may borrow tools.", "The centre lends tools to members."),
    ],
)
def test_another_deal_or_the_same_one_told_from_across_is_none(claim: str, premise: str) -> None:
    assert not role_clashes(claim, premise)
