"""The checks of the entity signal: names, and who did what to whom."""

from __future__ import annotations

from verifier_signals.checks.check import Check, Example, catalogue
from verifier_signals.types import Relation

__all__ = ["ENTITY", "SAID_OF_ANOTHER"]

SAID_OF_ANOTHER = "entity.said-of-another"

_CONFLICT = frozenset({Relation.CONFLICT})
_ABSENT = frozenset({Relation.ABSENT})
_MATCH = frozenset({Relation.MATCH})

ENTITY = catalogue(
    (
        Check(
            "entity.sides-exchanged",
            "roles",
            "Both texts tell the same deed, and its two sides are exchanged.",
            _CONFLICT,
            fires=(
                Example("Phobos orbits Mars.", "Mars orbits Phobos."),
                Example("Rain delayed the harvest.", "The harvest delayed the rain."),
            ),
            silent=(
                Example("Mars is orbited by Phobos.", "Phobos orbits Mars."),
                Example("Ann Lee reports to Bo Tran.", "Bo Tran supervises Ann Lee."),
            ),
        ),
        Check(
            SAID_OF_ANOTHER,
            "roles",
            "The evidence says of another subject what the claim says of its own, and something else of that.",
            _CONFLICT,
            fires=(
                Example("Lynx beat Corvid, and Otter beat Heron.", "Otter beat Corvid."),
                Example("Backups go to Frankfurt; logs go to Dublin.", "Backups go to Dublin."),
            ),
            silent=(
                Example("Backups go to Frankfurt; logs go to Dublin.", "Logs go to Dublin."),
                Example("Corvid's victory over Lynx settled the league.", "Corvid beat Lynx."),
            ),
        ),
        Check(
            "entity.other-side",
            "names",
            "A verb of the evidence has another name on the side where the claim has this one.",
            _CONFLICT,
            fires=(
                Example("Brisk was bought by Halden.", "Brisk was bought by Tavener."),
                Example("Kenya exports tea and Ghana cocoa.", "Ghana exports tea."),
            ),
            silent=(
                Example(
                    "Halden, which bought Brisk in 2020, is based in Oslo.",
                    "Brisk was bought by Halden in 2020.",
                ),
                Example(
                    "Gold went to Kenya, silver to Ethiopia and bronze to Morocco.", "Bronze went to Morocco."
                ),
            ),
        ),
        Check(
            "entity.other-holder",
            "names",
            "The evidence names another holder of the office, title or place.",
            _CONFLICT,
            fires=(
                Example("Berlin is the capital of France.", "Paris is the capital of France."),
                Example("Report. Ada Lorne (lead author), Ben Tarr.", "Ben Tarr is the lead author."),
            ),
            silent=(
                Example(
                    "Prague is the capital of the Czech Republic and its largest city.",
                    "The capital of the Czech Republic is Prague.",
                ),
                Example(
                    "Music director: Ada Lorne. Artistic director: Ben Tarr.",
                    "Ben Tarr is the artistic director.",
                ),
            ),
        ),
        Check(
            "entity.displaced",
            "names",
            "Another fact of the evidence has what the claim says, with another name in the place of this one.",
            _CONFLICT,
            fires=(
                Example("Iron is mined at Tarn, copper at Velm and tin at Roos.", "Tin is mined at Velm."),
                Example("Aspirin was tested in Lyon and placebo in Ghent.", "Aspirin was tested in Ghent."),
            ),
            silent=(
                Example("Iron is mined at Tarn, copper at Velm and tin at Roos.", "Copper is mined at Velm."),
                Example("Aspirin was tested in Lyon and placebo in Ghent.", "Placebo was tested in Ghent."),
            ),
        ),
        Check(
            "entity.attributed-to-another",
            "names",
            "The evidence tells of another person or place what the claim tells of this one.",
            _CONFLICT,
            fires=(
                Example("Jane Orr won.", "Mara Dunn won."),
                Example("East Timmer has a school.", "West Timmer has a school."),
            ),
            silent=(
                Example("J. K. Orr won.", "Jane Orr won."),
                Example("Winners: Ada Orr, Ben Lee\nLosers: Cy Dunn", "Ada Orr won."),
            ),
        ),
        Check(
            "entity.attached-to-another",
            "names",
            "The evidence attaches to another name the role or thing that the claim attaches to this one.",
            _CONFLICT,
            fires=(
                Example(
                    "The passes are Corran, the only one open all winter, and Teyl, which a landslide blocked in 1962.",
                    "Corran was blocked by a landslide in 1962.",
                ),
                Example(
                    "The jury: Ada Orr (coach of the national team), Ben Lee (judge from Osaka) and Cy Dunn.",
                    "Ada Orr is a judge from Osaka.",
                ),
            ),
            silent=(
                Example(
                    "The passes are Corran, the only one open all winter, and Teyl, which a landslide blocked in 1962.",
                    "Teyl was blocked by a landslide in 1962.",
                ),
                Example(
                    "The jury: Ada Orr (coach of the national team), Ben Lee (judge from Osaka) and Cy Dunn.",
                    "Ada Orr coaches the national team.",
                ),
            ),
        ),
        Check(
            "entity.rival-name",
            "names",
            "The evidence has another name of the same sort in the same slot, and nowhere this one.",
            _CONFLICT,
            fires=(
                Example("Windows 10 is required.", "Windows 11 is required."),
                Example("It is now shown in the Orlow Museum.", "It is now shown in the Varn Museum."),
            ),
            silent=(
                Example("The rule follows ISO/IEC 27001.", "The rule follows ISO 27001."),
                Example("The Board met on Tuesday.", "The board met on Tuesday."),
            ),
        ),
        Check(
            "entity.named",
            "trace",
            "The evidence has the name, as it stands or in another form.",
            _MATCH,
            fires=(
                Example("The Swiss team won.", "Switzerland won."),
                Example("J. K. Orr won.", "Jane Orr won."),
            ),
            silent=(
                Example("Jane Orr won.", "Mara Dunn won."),
                Example("The order went to Swedish Rail.", "The order went to Swiss Rail."),
            ),
        ),
        Check(
            "entity.not-named",
            "trace",
            "The evidence does not have the name.",
            _ABSENT,
            fires=(
                Example("The lift was built in 1931.", "Mira Sandvik built the lift."),
                Example("Zac Marlow", "Zachary Ambrose Marlow"),
            ),
            silent=(
                Example("Mira Sandvik built the lift.", "Mira Sandvik built the lift."),
                Example("The Swiss team won.", "Switzerland won."),
            ),
        ),
    )
)
