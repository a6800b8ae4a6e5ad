"""The checks of the negation signal: what it holds against each other, family by family."""

from __future__ import annotations

from verifier_signals.checks.check import Check, Example, catalogue
from verifier_signals.types import Relation

__all__ = ["STATEMENTS"]

_CONFLICT = frozenset({Relation.CONFLICT})
_EITHER = frozenset({Relation.CONFLICT, Relation.ABSENT})
_ABSENT = frozenset({Relation.ABSENT})
_MATCH = frozenset({Relation.MATCH})

STATEMENTS = catalogue(
    (
        Check(
            "negation.denied",
            "denial",
            "One text denies what the other affirms.",
            _CONFLICT,
            fires=(
                Example("The ferry does not carry cars.", "The ferry carries cars."),
                Example("No guard was asleep.", "A guard was asleep."),
            ),
            silent=(
                Example("The ferry does not run on Sundays.", "No ferry runs on Sundays."),
                Example(
                    "The guild never admitted Mara Veil.", "It is not true that the guild admitted Mara Veil."
                ),
            ),
        ),
        Check(
            "negation.denial-turned",
            "denial",
            "The claim repeats a sentence, and one of the two denies it.",
            _CONFLICT,
            fires=(
                Example("The choir sang in Latin, not in Greek.", "The choir sang in Greek."),
                Example("No train leaves without a guard.", "Some trains leave without a guard."),
            ),
            silent=(
                Example("The choir sang in Latin, not in Greek.", "The choir sang in Latin."),
                Example("No train leaves without a guard.", "No train leaves without a guard."),
            ),
        ),
        Check(
            "negation.word-turned",
            "denial",
            "The claim repeats a sentence with one word in its contrary.",
            _CONFLICT,
            fires=(
                Example("The museum sold the painting in May.", "The museum bought the painting in May."),
                Example("A team has at least 20 players.", "A team has at most 20 players."),
            ),
            silent=(
                Example("The museum sold the painting in May.", "The museum sold the painting in May."),
                Example("The shop is open from 8 am until 8 pm.", "The shop is open until 8 pm."),
            ),
        ),
        Check(
            "negation.opposite-words",
            "opposites",
            "The two texts have opposite words in the same place.",
            _CONFLICT,
            fires=(
                Example("The well is shallow.", "The well is deep."),
                Example("Sales increased in 2020.", "Sales decreased in 2020."),
            ),
            silent=(
                Example("The well is shallow.", "The well is not deep."),
                Example("The fee was lowered to 4 euros.", "The council lowered the fee to 4 euros."),
            ),
        ),
        Check(
            "negation.order-contrary",
            "comparisons",
            "The evidence has the two events in the contrary order.",
            _CONFLICT,
            fires=(
                Example("Ashby was succeeded by Cole.", "Ashby came after Cole."),
                Example("The chapel is older than the mill.", "The mill is older than the chapel."),
            ),
            silent=(
                Example("Ann Lee succeeded Bo Tran.", "Bo Tran was succeeded by Ann Lee."),
                Example(
                    "The dough rests 40 minutes before baking.",
                    "The dough rests no less than 40 minutes before baking.",
                ),
            ),
        ),
        Check(
            "negation.comparison-contrary",
            "comparisons",
            "The evidence compares the two things the other way round.",
            _CONFLICT,
            fires=(
                Example("Oak is heavier than pine.", "Oak is lighter than pine."),
                Example("Lake Ema is as deep as Lake Suur.", "Lake Ema is deeper than Lake Suur."),
            ),
            silent=(
                Example("The C4 is heavier than the C2.", "The C2 is lighter than the C4."),
                Example("Lake Ema is not as deep as Lake Suur.", "Lake Suur is deeper than Lake Ema."),
            ),
        ),
        Check(
            "negation.trend-contrary",
            "comparisons",
            "Two figures of a sentence show the contrary change.",
            _CONFLICT,
            fires=(
                Example("Output in 2019 was 410 t, in 2023 it was 500 t.", "Output shrank."),
                Example("The fee was lowered from $30 to $25.", "The fee rose."),
            ),
            silent=(
                Example("Output in 2019 was 410 t, in 2023 it was 500 t.", "Output grew."),
                Example("The fee was lowered from $30 to $25.", "The fee did not rise."),
            ),
        ),
        Check(
            "negation.other-share",
            "quantity",
            "The claim says of all, most or none what the evidence says of other shares.",
            _CONFLICT,
            fires=(
                Example("None of the tenants objected.", "Some tenants objected."),
                Example("Both engines were replaced.", "Neither engine was replaced."),
            ),
            silent=(
                Example(
                    "Most of the volunteers stayed until Sunday.",
                    "Some of the volunteers stayed until Sunday.",
                ),
                Example(
                    "None of the chairs is broken, but some are scratched.",
                    "Some of the chairs are scratched.",
                ),
            ),
        ),
        Check(
            "negation.wider-share",
            "quantity",
            "The claim says of more things what the evidence says of some.",
            _ABSENT,
            fires=(
                Example("Some guests left early.", "Most of the guests who had a ticket left early."),
                Example("Most of the looms were sold.", "60 % of the looms were sold."),
            ),
            silent=(
                Example(
                    "Most of the volunteers stayed until Sunday.",
                    "Some of the volunteers stayed until Sunday.",
                ),
                Example("Some of the looms were sold.", "Some of the looms were sold."),
            ),
        ),
        Check(
            "negation.majority-not-counted",
            "quantity",
            "The claim speaks of a majority, and the evidence does not say of how many.",
            _ABSENT,
            fires=(
                Example("Weavers report headaches.", "The majority of weavers report headaches."),
                Example("Some of the looms were sold.", "Most of the looms were sold."),
            ),
            silent=(
                Example("Of the 19 looms, 17 were sold in 2020.", "Most of the looms were sold in 2020."),
                Example("Most of the looms were sold.", "Most of the looms were sold."),
            ),
        ),
        Check(
            "negation.superlative-not-stated",
            "quantity",
            "The claim has a superlative or a wider world, and the evidence ranks nothing so.",
            _ABSENT,
            fires=(
                Example("It is used in many homes.", "It is the most popular lamp."),
                Example("The C2 is made by Orrin.", "The C2 is Orrin's best-selling loom."),
            ),
            silent=(
                Example(
                    "Of the six mills Orrin is the largest.", "Orrin Mill is the largest of the six mills."
                ),
                Example("It is the most popular lamp.", "It is the most popular lamp."),
            ),
        ),
        Check(
            "negation.permission-or-duty",
            "modality",
            "One text permits, demands or forbids what the other does not.",
            _CONFLICT,
            fires=(
                Example("Children do not have to pay.", "Children must pay."),
                Example("Tenants may keep a cat.", "Tenants may not keep a cat."),
            ),
            silent=(
                Example("You need not book a table.", "You need not book a table."),
                Example("Tenants may keep a cat.", "Tenants are allowed to keep a cat."),
            ),
        ),
        Check(
            "negation.duty-denied",
            "modality",
            "The evidence says that something need not be, and the claim that it is, or the other way round.",
            _EITHER,
            fires=(
                Example("You need not book a table.", "You book a table."),
                Example("The guild need not publish its rules.", "The guild publishes its rules."),
            ),
            silent=(
                Example("You need not book a table.", "You need not book a table."),
                Example("The guild publishes its rules.", "The guild publishes its rules."),
            ),
        ),
        Check(
            "negation.contrary-case",
            "modality",
            "The evidence permits it in the contrary case: to members, for opened goods.",
            _CONFLICT,
            fires=(
                Example("Members may book courts.", "Non-members may book courts."),
                Example("Opened goods may be sent back.", "Unopened goods may be sent back."),
            ),
            silent=(
                Example("Members may book courts.", "Members may book courts."),
                Example("Registered users may vote.", "Registered users may vote."),
            ),
        ),
        Check(
            "negation.condition-denied",
            "conditions",
            "The claim speaks of the case that the evidence excepts, or denies its condition.",
            _CONFLICT,
            fires=(
                Example("The lift is free, other than for groups.", "The lift is free for groups."),
                Example(
                    "The pump runs unless the tank is empty.", "The pump runs even when the tank is empty."
                ),
            ),
            silent=(
                Example("The lift is free, other than for groups.", "The lift is free."),
                Example("Every door was locked.", "All the doors were locked except two."),
            ),
        ),
        Check(
            "negation.condition-left-out",
            "conditions",
            "The claim holds in all cases what the evidence ties to a condition.",
            _EITHER,
            fires=(
                Example("Fees are refunded only if work has not started.", "Fees are always refunded."),
                Example("The fund pays out only after five years.", "The fund pays out at any time."),
            ),
            silent=(
                Example(
                    "The fund pays out only after five years.",
                    "The fund does not pay out before five years have passed.",
                ),
                Example("Fees are refunded.", "Fees are always refunded."),
            ),
        ),
        Check(
            "negation.limit-ignored",
            "conditions",
            "The claim speaks of any measure, and the evidence states a limit.",
            _CONFLICT,
            fires=(
                Example("The lift carries loads of up to 400 kg.", "The lift carries loads of any weight."),
                Example(
                    "The zip line takes riders aged 12 and over.", "The zip line takes riders of all ages."
                ),
            ),
            silent=(
                Example("The lift carries loads of any weight.", "The lift carries loads of any weight."),
                Example("The lift carries loads of up to 400 kg.", "The lift carries loads of any colour."),
            ),
        ),
        Check(
            "negation.only-these",
            "conditions",
            "The evidence admits only some, and the claim admits others, or all.",
            _CONFLICT,
            fires=(
                Example("Only the owner can cancel a plan.", "Anyone can cancel a plan."),
                Example("Only nurses may open the cabinet.", "Visitors may open the cabinet."),
            ),
            silent=(
                Example("Only the owner can cancel a plan.", "The owner can cancel a plan."),
                Example("Only nurses may open the cabinet.", "Nurses may open the cabinet."),
            ),
        ),
        Check(
            "negation.reserve-lost",
            "reserve",
            "The claim says firmly what the evidence says with reserve.",
            _ABSENT,
            fires=(
                Example("The tax is expected to rise.", "The tax rose."),
                Example("The trip may take three hours.", "The trip takes three hours."),
            ),
            silent=(
                Example("The trip takes three hours.", "The trip may take three hours."),
                Example("The tax is expected to rise.", "The tax is expected to rise."),
            ),
        ),
        Check(
            "negation.cause-stated",
            "causes",
            "The evidence states the cause that the claim asserts.",
            _MATCH,
            fires=(
                Example("The storm led to the outage.", "The outage was due to the storm."),
                Example("The ribbon was cut because of the delay.", "The delay led to the ribbon being cut."),
            ),
            silent=(
                Example("The outage was not due to the storm.", "The storm led to the outage."),
                Example("Zinc may shorten a cold.", "Zinc shortens a cold."),
            ),
        ),
        Check(
            "negation.cause-denied",
            "causes",
            "The evidence denies the cause that the claim asserts.",
            _CONFLICT,
            fires=(
                Example("The outage was not due to the storm.", "The storm led to the outage."),
                Example("The delay was not caused by the snow.", "The delay was caused by the snow."),
            ),
            silent=(
                Example("The outage was due to the storm.", "The storm led to the outage."),
                Example("The fire was probably caused by a stove.", "The fire was caused by a stove."),
            ),
        ),
        Check(
            "negation.cause-open",
            "causes",
            "The evidence leaves open the cause that the claim asserts.",
            _ABSENT,
            fires=(
                Example("Coffee is associated with lower mortality.", "Coffee causes lower mortality."),
                Example("The fire was probably caused by a stove.", "The fire was caused by a stove."),
            ),
            silent=(
                Example("The fire was caused by a stove.", "The fire was caused by a stove."),
                Example("The delay was caused by the snow.", "The delay was caused by the snow."),
            ),
        ),
        Check(
            "negation.cause-not-stated",
            "causes",
            "The evidence states no such cause.",
            _ABSENT,
            fires=(
                Example("Screen time is linked to poor sleep.", "Screen time causes poor sleep."),
                Example(
                    "The insurer is not liable for damage caused by frost.",
                    "The insurer is liable for damage caused by fire.",
                ),
            ),
            silent=(
                Example("The fire was caused by a stove.", "The fire was caused by a stove."),
                Example("The storm led to the outage.", "The outage was due to the storm."),
            ),
        ),
    )
)
