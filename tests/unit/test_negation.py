"""The negation signal: what clashes in each respect, and what only looks like a clash."""

from __future__ import annotations

import pytest
from verifier_signals.negation import NegationSignal
from verifier_signals.types import Outcome, Relation, SignalScore, TextPair


def score(premise: str, claim: str) -> SignalScore:
    return NegationSignal().score([TextPair(premise, claim)])[0]


CLASHES = {
    "polarity": [
        ("The office is open on Sundays.", "The office is not open on Sundays."),
        ("No customer data is sold, and none is used to train models.", "Customer data is used to train models."),
        ("The museum isn’t free on Mondays.", "The museum is free on Mondays."),
        ("The product is no longer available.", "The product is available."),
        ("The company failed to meet its target.", "The company met its target."),
        ("Phones are forbidden in the hall.", "Phones may be used in the hall."),
        ("Guests may not smoke in the rooms.", "Guests may smoke in the rooms."),
        ("The ticket is non-refundable.", "The ticket is refundable."),
        ("Vinegar is suitable for descaling.", "Vinegar is unsuitable for descaling."),
        ("Nobody was hurt in the fire.", "A worker was hurt in the fire."),
        ("No one may enter without a helmet.", "Visitors may enter without a helmet."),
    ],
    "antonym": [
        ("In those years the pond in the park grew noticeably warmer.", "The pond became noticeably colder."),
        ("The queue grew longer.", "The queue became shorter."),
        ("The court upheld the ban.", "The court lifted the ban."),
        ("Grapefruit raises the level of the drug.", "Grapefruit lowers the level of the drug."),
        ("The maximum stay is ten days.", "The minimum stay is ten days."),
        ("Sales increased in 2020.", "Sales decreased in 2020."),
        ("Results are published after the board has met.", "The board meets after the results are published."),
        ("The C4 is heavier than the C2.", "The C2 is heavier than the C4."),
        ("Breakfast is included in the price.", "Breakfast is excluded from the price."),
    ],
    "quantifier": [
        ("Some employees received a bonus.", "All employees received a bonus."),
        ("Most volumes are in English.", "Few volumes are in English."),
        ("Most of the pumps were replaced.", "Only a few of the pumps were replaced."),
        ("None of the turbines was damaged.", "Some of the turbines were damaged."),
        ("All eleven days were lost to one fault.", "Only some of the eleven days were lost to one fault."),
    ],
    "modality": [
        ("Registration is required for visitors.", "Registration is optional for visitors."),
        ("Visitors may leave coats at the desk.", "Visitors must leave coats at the desk."),
        ("Visitors do not have to register.", "Visitors have to register."),
        ("Pensioners are exempt from the parking charge.", "Pensioners must pay the parking charge."),
    ],
    "condition": [
        ("Visitors may not enter unless a guide is with them.", "Visitors may never enter."),
        ("All routes, with the exception of route 7, run on Sundays.", "Route 7 runs on Sundays."),
        ("A loan may be renewed, unless it was reserved.", "A loan may be renewed even if it was reserved."),
        ("Fees are refunded only if work has not started.", "Fees are always refunded."),
        ("Only the owner can cancel a plan.", "Anyone can cancel a plan."),
        ("The discount applies to members only.", "The discount applies to everyone."),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("feature", "premise", "claim"),
    [(feature, *pair) for feature, pairs in CLASHES.items() for pair in pairs],
)
def test_a_clash_is_found_in_its_respect(feature: str, premise: str, claim: str) -> None:
    result = score(premise, claim)
    assert result.features[feature] >= 0.7
    assert result.outcome is Outcome.CONFLICTING
    conflicts = [finding for finding in result.findings if finding.relation is Relation.CONFLICT]
    assert feature in {finding.kind for finding in conflicts}


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("Hard water may shorten the life of the pump.", "Hard water shortens the life of the pump."),
        ("The towers were possibly designed by Voss.", "The towers were designed by Voss."),
        ("Coffee is associated with lower mortality.", "Coffee causes lower mortality."),
        ("The council plans to build a new bridge.", "The council built a new bridge."),
        ("The council is considering a new bridge.", "The council will build a new bridge."),
    ],
)
def test_a_lost_hedge_is_absent_and_not_conflicting(premise: str, claim: str) -> None:
    result = score(premise, claim)
    assert result.features["hedge"] >= 0.7
    assert result.outcome is Outcome.ABSENT


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("The office is never closed on Sundays.", "The office is open on Sundays."),
        ("It is not unusual for trains to be late.", "It is usual for trains to be late."),
        ("The ticket is refundable.", "It is not true that the ticket is non-refundable."),
        ("Birchwood Hut is open in all seasons.", "There is no season in which Birchwood Hut is not open."),
        ("Dictionaries are allowed.", "Dictionaries are not forbidden."),
        ("All employees received a bonus.", "Some employees received a bonus."),
        ("All trains have sockets; most buses have Wi-Fi.", "Every train has sockets."),
        (
            "Refunds are granted unless the item is damaged.",
            "Refunds are not granted if the item is damaged.",
        ),
        ("Damage is not covered, unless it was reported.", "Damage is covered if it was reported."),
        ("You cannot upload more than 20 files.", "You can upload up to 20 files."),
        ("Bags must not weigh more than about 20 kg.", "Bags may weigh up to 20 kg."),
        ("The museum did not open until 1994.", "The museum opened in 1994."),
        ("Unlike copper, aluminium does not tarnish.", "Copper tarnishes."),
        ("All routes, with the exception of route 7, run on Sundays.", "Route 5 runs on Sundays."),
        ("It applies not only to banks but also to shops.", "It applies to banks."),
        ("The C4 is heavier than the C2.", "The C2 is lighter than the C4."),
        ("The board met before the vote.", "The vote came after the board met."),
        ("Rinse the unit, without detergent. Descale the machine.", "Descale the machine."),
        ("The trust may apply for a grant.", "The trust could apply for a grant."),
        ("Pets are not allowed, except guide dogs.", "Guide dogs are allowed."),
        ("Morrowline sold the depot to Orr.", "Orr bought the depot from Morrowline."),
        ("Swimming is allowed, but not near the dam.", "Swimming is allowed."),
        ("Not all of the rooms have a bath.", "Some rooms have no bath."),
        ("Hardly any members voted.", "Few members voted."),
        ("No one may enter without a helmet.", "A helmet must be worn to enter."),
        ("No one may enter without a helmet.", "You may enter with a helmet."),
        ("Her predecessor was Anna Holt.", "She succeeded Anna Holt."),
    ],
)
def test_agreement_in_other_words_is_no_clash(premise: str, claim: str) -> None:
    result = score(premise, claim)
    assert result.outcome in (Outcome.CONSISTENT, Outcome.NOT_APPLICABLE)
    assert not [finding for finding in result.findings if finding.relation is Relation.CONFLICT]


def test_a_plan_borne_out_as_a_plan_has_lost_no_reserve() -> None:
    result = score("The council plans to build a new bridge.", "The council wants to build a new bridge.")
    assert result.features["hedge"] == 0.0


def test_statements_about_other_things_are_not_compared() -> None:
    result = score("The lift is not working.", "The museum opens at nine.")
    assert result.outcome is Outcome.NOT_APPLICABLE
    assert set(result.features.values()) == {0.0}


def test_a_cue_in_another_clause_does_not_reach_over() -> None:
    result = score("The pool is open, but the sauna does not work.", "The pool is open.")
    assert result.features["polarity"] == 0.0


def test_findings_quote_the_cue_on_both_sides() -> None:
    [finding] = score("Visitors are not allowed inside.", "Visitors are allowed inside.").findings
    assert "not allowed" in (finding.evidence_value or "")
    assert "allowed" in finding.claim_value


def test_support_is_what_the_strongest_clash_leaves() -> None:
    result = score("Some employees received a bonus.", "All employees received a bonus.")
    assert result.support == pytest.approx(1.0 - max(result.features.values()))


@pytest.mark.parametrize(
    ("premise", "claim", "feature"),
    [
        ("Harbour report. Finds. No wrecks were found.", "The divers came across two wrecks.", "polarity"),
        ("There were nine fires in May. None was deliberate.", "One of the fires was deliberate.", "polarity"),
        ("Of the 12 nurses, 9 wore gloves.", "All the nurses wore gloves.", "quantifier"),
        ("All the doors were locked except two.", "Every door was locked.", "quantifier"),
        ("It is impossible to change the date.", "It is not impossible to change the date.", "polarity"),
    ],
)  # fmt: skip
def test_tables_lists_ranks_and_shares_are_compared(premise: str, claim: str, feature: str) -> None:
    result = score(premise, claim)
    assert result.outcome is Outcome.CONFLICTING
    assert result.features[feature] >= 0.7


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("Item: Firewood; Provided: no", "Firewood is not provided."),
        ("Site: North Bank; 2010: 14 ha; 2020: 22 ha", "North Bank grew between 2010 and 2020."),
        ("Item: Weight; P1: 3.2 kg; P2: 2.1 kg", "The P1 weighs more than the P2."),
        ("Lake Orre is the second largest lake.", "Lake Orre is the second largest lake."),
        ("Scripts need two approvals before they run.", "No script runs without two approvals."),
        ("The crest is closed when the wind is strong.", "The crest is not closed unless the wind is strong."),
        ("A second pier was planned but never built.", "The town never got the pier that had been planned."),
    ],
)  # fmt: skip
def test_tables_and_double_negations_that_agree_are_no_clash(premise: str, claim: str) -> None:
    assert score(premise, claim).outcome is not Outcome.CONFLICTING


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("Dogs on a lead are welcome in the shop, but not in the café.", "Dogs on a lead are welcome in the shop."),
        ("Entry is free, apart from special exhibitions.", "Entry is free."),
        ("Pets are welcome except in the spa.", "Pets are welcome."),
        ("Deposits are returned unless a key is lost.", "Deposits are returned."),
        ("Parcels are insured. If you need more cover, ask at the desk.", "Parcels are insured."),
    ],
)  # fmt: skip
def test_the_general_rule_without_its_exception_is_free_of_any_clash(premise: str, claim: str) -> None:
    assert set(score(premise, claim).features.values()) == {0.0}


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("The office did not raise rents in Lund.", "The office raised fees in Malmö."),
        ("The north gate is not lit. The south gate is lit until ten.", "The south gate is lit until ten."),
        ("Ms Berg did not sign the lease.", "Ms Lind signed the lease."),
        ("The ferry does not sail on Mondays. The bus runs daily.", "The bus runs on Mondays."),
        ("Sugar exports fell. Salt exports rose.", "Salt exports rose."),
    ],
)
def test_a_denial_reaches_only_what_it_denies(premise: str, claim: str) -> None:
    result = score(premise, claim)
    assert max(result.features[name] for name in ("polarity", "antonym")) == 0.0


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("The mayor spoke first. She did not mention the bridge.", "The mayor mentioned the bridge."),
        ("The kiln was lit at dawn and was never left alone.", "The kiln was left alone."),
        ("Ada passed the exam, but Bertil did not.", "Bertil passed the exam."),
        ("Because the river was low, the barges could not sail.", "The barges could sail."),
    ],
)
def test_a_denial_knows_its_subject_from_the_words_before(premise: str, claim: str) -> None:
    assert score(premise, claim).outcome is Outcome.CONFLICTING


@pytest.mark.parametrize(
    ("premise", "claim", "outcome"),
    [
        ("The dam was built in 1931 and the mill in 1940.", "The mill is older than the dam.", Outcome.CONFLICTING),
        ("The dam was built in 1931 and the mill in 1940.", "The dam is older than the mill.", Outcome.CONSISTENT),
        ("The shop did not open until the snow melted.", "It opened before the snow melted.", Outcome.CONFLICTING),
        ("By the time help came, the fever had gone.", "Help came before the fever had gone.", Outcome.CONFLICTING),
        ("Once the paint is dry, the floor is waxed.", "The floor is waxed after it is dry.", Outcome.CONSISTENT),
    ],
)  # fmt: skip
def test_events_are_ordered_by_links_bounds_and_years(premise: str, claim: str, outcome: Outcome) -> None:
    assert score(premise, claim).outcome is outcome


@pytest.mark.parametrize(
    ("premise", "claim", "hedged"),
    [
        ("The firm will open a shop in Gent.", "The firm will open a shop in Gent.", False),
        ("There is no proof that Maes wrote the ode.", "Maes wrote the ode.", True),
        ("Members may vote by post and pay no fee.", "Members pay no fee.", False),
        ("In May the choir sang in Brno.", "The choir sang in Brno.", False),
        ("The trip may take three hours.", "The trip takes three hours.", True),
        ("A rattle may come from loose screws.", "The rattle of the fan comes from loose screws.", True),
        (
            "A rattle at the start may come from screws.",
            "A rattle at the Zent 40's start comes from screws.",
            True,
        ),
        ("Visitors may come by boat and feed the seals.", "Visitors feed the seals.", False),
    ],
)
def test_a_reserve_reaches_only_its_own_verb(premise: str, claim: str, hedged: bool) -> None:
    assert (score(premise, claim).features["hedge"] >= 0.7) is hedged


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        (
            "Parties of more than ten guests pay a deposit.",
            "No, parties of more than ten guests pay a deposit.",
        ),
        ("Dinner is served before the concert.", "No, dinner is served before the concert."),
        ("The chapel stands at 1,900 metres.", "The chapel lies at 1,900 metres."),
        (
            "The agency is not responsible for bookings which were cancelled or made in cash.",
            "The agency is not responsible for bookings made in cash.",
        ),
    ],
)
def test_the_no_of_an_answer_and_what_only_describes_deny_nothing(premise: str, claim: str) -> None:
    assert not any(score(premise, claim).features[name] for name in ("antonym", "polarity"))


def test_a_no_inside_a_comparison_still_denies() -> None:
    assert score("No bridge is longer than the Orm.", "The Tay bridge is longer than the Orm.").findings


def test_a_lone_charge_is_read() -> None:
    assert not NegationSignal().score([TextPair("They charge it.", "Charge")])[0].findings


@pytest.mark.parametrize(
    ("premise", "claim", "clashing"),
    [
        ("Nora Quist said the plant in Velm will not be closed.", "The plant in Velm will be closed.", True),
        ("Critics claim the tax does not work.", "The tax works.", True),
        ("The mayor said the bridge is safe.", "The bridge is not safe.", True),
        ("The mayor said the bridge is safe.", "The bridge is safe.", False),
        ("He knows the town well and has never left.", "He left the town.", False),
    ],
)
def test_what_is_reported_without_that_is_a_statement_of_its_own(
    premise: str, claim: str, clashing: bool
) -> None:
    assert (NegationSignal().score([TextPair(premise, claim)])[0].features["polarity"] > 0) is clashing
