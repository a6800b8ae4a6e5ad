"""The parts of generated denials: facts by domain, and turns of phrase that deny them or except from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

__all__ = ["Case", "cases"]


class Case(NamedTuple):
    """A source, a claim about it, and whether the source says so (``right``) or says the contrary."""

    turn: str
    source: str
    claim: str
    right: bool


class _Fact(NamedTuple):
    subject: str
    said: str
    denied: str

    @property
    def clause(self) -> str:
        return f"{_small(self.subject)} {self.said}"


class _Group(NamedTuple):
    """Things of a sort, one of them, and what is said of all, of one, and denied of one."""

    one_of: str
    all_of: str
    one: str
    of_all: str
    of_one: str
    denied: str


def _rows(text: str) -> Iterator[list[str]]:
    for line in text.strip().splitlines():
        yield [cell.strip() for cell in line.split("|")]


def _small(text: str) -> str:
    return text if text.split()[0] not in ("The", "A", "An", "All", "Our") else text[0].lower() + text[1:]


def _big(text: str) -> str:
    return text[0].upper() + text[1:]


_FACTS = [
    _Fact(*row)
    for row in _rows("""
    The ferry | was sold in 2009 | was not sold in 2009
    The mill | closed after the war | did not close after the war
    The museum | owns the portrait | does not own the portrait
    The clinic | treats burns | does not treat burns
    The vaccine | contains mercury | does not contain mercury
    The council | approved the bridge | did not approve the bridge
    The bakery | has a garden | does not have a garden
    The policy holder | must pay the first 100 euros | does not have to pay the first 100 euros
    The pilot | lost his licence | did not lose his licence
    The battery | can be replaced at home | cannot be replaced at home
    The software | stores passwords in plain text | does not store passwords in plain text
    The choir | will sing in Oslo | will not sing in Oslo
    Anna Berg | leads the survey team | does not lead the survey team
    The comet | is visible from Peru | is not visible from Peru
    The school | bought the tents | did not buy the tents
    The firm | has moved to Leeds | has not moved to Leeds
    The old lighthouse | was built by monks | was not built by monks
    The lizard | lays its eggs in sand | does not lay its eggs in sand
    The tenants | paid the deposit | did not pay the deposit
    The trains | run on Sundays | do not run on Sundays
    The bats | are blind | are not blind
    The drug | causes headaches | does not cause headaches
    The river | floods every spring | does not flood every spring
    The mayor | resigned in March | did not resign in March
    The contract | expires in June | does not expire in June
    The gallery | charges an entrance fee | does not charge an entrance fee
    The goalkeeper | signed for Riverton | did not sign for Riverton
    The soup | is made with cream | is not made with cream
    The pension fund | invests in coal | does not invest in coal
    The satellite | reached its orbit | did not reach its orbit
    """)
]
_FRAMES: Mapping[str, Callable[[_Fact], str]] = {
    "it is not true": lambda fact: f"It is not true that {fact.clause}.",
    "it is untrue": lambda fact: f"It is untrue that {fact.clause}.",
    "it is false": lambda fact: f"It is false that {fact.clause}.",
    "it is not the case": lambda fact: f"It is not the case that {fact.clause}.",
    "it isn't correct": lambda fact: f"It isn't correct to say that {fact.clause}.",
    "it is simply wrong": lambda fact: f"It is simply wrong that {fact.clause}.",
    "it is a myth": lambda fact: f"It is a myth that {fact.clause}.",
    "the rumour is false": lambda fact: f"The rumour that {fact.clause} is false.",
    "the claim is untrue": lambda fact: f"The claim that {fact.clause} is untrue.",
    "reports are wrong": lambda fact: f"Reports that {fact.clause} are wrong.",
    "the belief is mistaken": lambda fact: f"The common belief that {fact.clause} is mistaken.",
    "the story proved false": lambda fact: f"The story that {fact.clause} turned out to be false.",
    "the notion is not true": lambda fact: f"The notion that {fact.clause} is not true.",
    "that ... is false": lambda fact: f"That {fact.clause} is false.",
}
_GROUPS = [
    _Group(*row)
    for row in _rows("""
    room | rooms | the attic | are heated | is heated | is not heated
    member | members | Ivo Renn | paid the fee | paid the fee | did not pay the fee
    carriage | carriages | the buffet car | have tables | has tables | does not have tables
    crew member | crew members | Dina Foss | passed the test | passed the test | did not pass the test
    guest | guests | Mr Tarn | may use the sauna | may use the sauna | may not use the sauna
    plan | plans | the Basic plan | include roaming | includes roaming | does not include roaming
    ship | ships | the Merle | carry coal | carries coal | does not carry coal
    branch | branches | the Hulm branch | will close in May | will close in May | will not close in May
    bridge | bridges | the Old Bridge | were repaired | was repaired | was not repaired
    patient | patients | the youngest boy | recovered | recovered | did not recover
    course | courses | the evening course | end in June | ends in June | does not end in June
    sample | samples | sample 14 | contained lead | contained lead | did not contain lead
    village | villages | Orby | have a school | has a school | does not have a school
    employee | employees | the night porter | must wear a badge | must wear a badge | does not have to wear a badge
    lift | lifts | the goods lift | stop at the roof | stops at the roof | does not stop at the roof
    """)
]
_EXCEPTING: Mapping[str, Callable[[_Group], str]] = {
    "all but": lambda of: f"All {of.all_of} but {of.one} {of.of_all}.",
    "all except": lambda of: f"All {of.all_of} except {of.one} {of.of_all}.",
    "all the ... except for": lambda of: f"All the {of.all_of} except for {of.one} {of.of_all}.",
    "all other than": lambda of: f"All {of.all_of} other than {of.one} {of.of_all}.",
    "all apart from": lambda of: f"All {of.all_of} apart from {of.one} {of.of_all}.",
    "with the exception": lambda of: f"All {of.all_of}, with the exception of {of.one}, {of.of_all}.",
    "except behind": lambda of: f"All {of.all_of} {of.of_all} except {of.one}.",
    "apart from behind": lambda of: f"All {of.all_of} {of.of_all}, apart from {of.one}.",
    "with the exception in front": lambda of: f"With the exception of {of.one}, all {of.all_of} {of.of_all}.",
    "apart from in front": lambda of: f"Apart from {of.one}, all {of.all_of} {of.of_all}.",
    "every ... except": lambda of: f"Every {of.one_of} except {of.one} {of.of_one}.",
    "each of the ... but": lambda of: f"Every {of.one_of} but {of.one} {of.of_one}.",
}
_ADMITTING: Mapping[str, Callable[[_Group], str]] = {
    "no ... except": lambda of: f"No {of.one_of} except {of.one} {of.of_one}.",
    "no ... other than": lambda of: f"No {of.one_of} other than {of.one} {of.of_one}.",
    "none of the ... apart from": lambda of: f"None of the {of.all_of} apart from {of.one} {of.of_one}.",
    "no ... but": lambda of: f"No {of.one_of} but {of.one} {of.of_one}.",
}
_PLACES = [
    *_rows("""
    Cycling | forbidden | allowed | on the towpath
    Smoking | banned | permitted | in the courtyard
    Subletting | prohibited | allowed | with written consent
    Fishing | not allowed | allowed | from the pier
    Swimming | forbidden | permitted | between the flags
    Photography | permitted | forbidden | in the chapel
    Parking | allowed | prohibited | in front of the gate
    Camping | banned | allowed | at the lakeside
    Entry | possible | impossible | during mass
    Diving | allowed | forbidden | near the wreck
    """)
]
_DAYS = [
    *_rows("""
    The library | open | closed | every day | Tuesday | on Tuesday
    The museum | open | closed | all year | January | in January
    The pool | open | closed | daily | Mondays | on Mondays
    The chapel | unlocked | locked | every day | Good Friday | on Good Friday
    The cable car | open | closed | all year | November | in November
    """)
]
_OPPOSITES = [
    *_rows("""
    The gate | locked | unlocked | at night
    The back door | open | closed | on Sundays
    The footpath | open | closed | in winter
    The visit | allowed | forbidden | before noon
    The course | mandatory | optional | for nurses
    The signature | required | optional | on page two
    The comet | visible | invisible | from Peru
    The attic | heated | unheated | in winter
    The licence | valid | invalid | abroad
    The tent | occupied | vacant | this week
    The bird | alive | dead | after the storm
    The fee | included | excluded | in the price
    The seat | available | unavailable | on Fridays
    The report | complete | incomplete | at present
    The strike | legal | illegal | in Norway
    The server | online | offline | at weekends
    The job | temporary | permanent | for a start
    The answer | correct | wrong | in both books
    """)
]
_PRICED = [
    *_rows("""
    The tour | the tour
    The guided walk | the guided walk
    Parking | parking
    The concert | the concert
    The audio guide | the audio guide
    Wi-Fi on board | Wi-Fi on board
    """)
]
_TEXTS = [
    *_rows("""
    the policy | covers flood damage | does not cover flood damage
    the contract | forbids pets | does not forbid pets
    the rules | allow diving | do not allow diving
    the warranty | covers scratches | does not cover scratches
    the lease | mentions the garden | does not mention the garden
    the statutes | require a vote | do not require a vote
    the report | suggests fraud | does not suggest fraud
    the by-laws | prevent a merger | do not prevent a merger
    """)
]
_ABSENT = [
    *_rows("""
    lead | in the water | The laboratory
    corrosion | in the main cable | Engineers
    mould | in the cellar | The surveyor
    fluid | in the lungs | The scan
    asbestos | in the roof | The inspectors
    sugar | in the sauce | The kitchen
    oil | in the lagoon | The divers
    damage | to the hull | The crew
    a fracture | in the left hand | The X-ray
    a leak | in the tank | The fitters
    """)
]


def cases() -> Iterator[Case]:
    """All cases, by turn; the same each time."""
    for name, turn in _FRAMES.items():
        for fact in _FACTS:
            yield from _both(
                name, turn(fact), f"{fact.subject} {fact.denied}.", f"{fact.subject} {fact.said}."
            )
            yield from _both(f"{name} (claim)", f"{fact.subject} {fact.denied}.", turn(fact), "")
            yield from _both(f"{name} (claim)", f"{fact.subject} {fact.said}.", "", turn(fact))
    for name, excepting in _EXCEPTING.items():
        for of in _GROUPS:
            yield from _both(
                name, excepting(of), f"{_big(of.one)} {of.denied}.", f"{_big(of.one)} {of.of_one}."
            )
    for name, admitting in _ADMITTING.items():
        for of in _GROUPS:
            yield from _both(
                name, admitting(of), f"{_big(of.one)} {of.of_one}.", f"{_big(of.one)} {of.denied}."
            )
    yield from _placed()
    yield from _opposed()
    yield from _lacking()
    yield from _plain()


def _both(turn: str, source: str, right: str, wrong: str) -> Iterator[Case]:
    if right:
        yield Case(turn, source, right, right=True)
    if wrong:
        yield Case(turn, source, wrong, right=False)


def _placed() -> Iterator[Case]:
    for who, said, contrary, where in _PLACES:
        for by in ("except", "except"):
            source = f"{who} is {said} {by} {where}."
            right, wrong = f"{who} is {contrary} {where}.", f"{who} is {said} {where}."
            yield from _both("is ... except where", source, right, wrong)
        front = f"Except {where}, {_small(who).lower()} is {said}."
        yield from _both("except where, ...", front, right, wrong)
    for who, said, contrary, always, day, when in _DAYS:
        for by in ("except", "with the exception of", "excluding", "apart from"):
            source = f"{who} is {said} {always} {by} {day}."
            yield from _both(
                "every day except", source, f"{who} is {contrary} {when}.", f"{who} is {said} {when}."
            )
            yield from _both("every day except", source, f"{who} is not {said} {when}.", "")


def _opposed() -> Iterator[Case]:
    for who, one, other, where in _OPPOSITES:
        for this, that in ((one, other), (other, one)):
            for no in ("is not", "isn't", "is no longer"):
                yield from _both(
                    f"{no} / opposite",
                    f"{who} {no} {this} {where}.",
                    f"{who} is {that} {where}.",
                    f"{who} is {this} {where}.",
                )
            yield from _both(
                "opposite / is not",
                f"{who} is {this} {where}.",
                f"{who} is not {that} {where}.",
                f"{who} is {that} {where}.",
            )
    for who, low in _PRICED:
        free, priced = f"{who} is free.", f"{who} is not free."
        paid = [f"{who} costs money.", f"There is a charge for {low}.", f"You have to pay for {low}."]
        for claim in paid:
            yield from _both("not free / costs", priced, claim, "")
            yield from _both("free / costs", free, "", claim)
        for source in (f"{who} costs 8 euros.", f"There is a fee for {low}."):
            yield from _both("costs / not free", source, priced, free)


def _lacking() -> Iterator[Case]:
    for text, said, denied in _TEXTS:
        one = said if not text.endswith("s") else said.replace(" ", "s ", 1)
        yield from _both(
            "nothing in", f"Nothing in {text} {one}.", f"{_big(text)} {denied}.", f"{_big(text)} {said}."
        )
        yield from _both("nothing in (claim)", f"{_big(text)} {denied}.", f"Nothing in {text} {one}.", "")
        yield from _both("nothing in (claim)", f"{_big(text)} {said}.", "", f"Nothing in {text} {one}.")
    for what, where, who in _ABSENT:
        bare = what.removeprefix("a ")
        right, wrong = f"There is no {bare} {where}.", f"There is {what} {where}."
        for source in (
            f"{who} ruled out {what} {where}.",
            f"{who} has ruled out the presence of {bare} {where}.",
        ):
            yield from _both("ruled out", source, right, wrong)
        yield from _both("was ruled out", f"{_big(what)} {where} was ruled out.", right, wrong)
        for sign in ("no sign of", "no trace of", "no evidence of"):
            yield from _both(sign, f"There was {sign} {what} {where}.", right, wrong)
            yield from _both(f"found {sign}", f"{who} found {sign} {what} {where}.", right, wrong)


def _plain() -> Iterator[Case]:
    for what, said, denied in (
        ("pump", "started in the cold", "failed to start in the cold"),
        ("cabin", "has running water", "lacks running water"),
        ("paint", "contains lead", "is free of lead"),
        ("sauce", "is made with butter", "is made without butter"),
        ("rocket", "reached orbit", "failed to reach orbit"),
        ("tower", "has a lift", "lacks a lift"),
        ("firm", "answered the letter", "did not answer the letter"),
        ("road", "is safe in winter", "is anything but safe in winter"),
    ):
        yield from _both("verbs that deny", f"The {what} {denied}.", "", f"The {what} {said}.")
        yield from _both(
            "verbs that deny", f"The {what} {said}.", f"The {what} {said}.", f"The {what} {denied}."
        )
    for one, two, said, denied in (
        ("the north tower", "the chapel", "has a lift", "does not have a lift"),
        ("the mayor", "his deputy", "attended the vote", "did not attend the vote"),
        ("the tram", "the bus", "stops at the lake", "does not stop at the lake"),
        ("the drug", "the diet", "lowers blood pressure", "does not lower blood pressure"),
        ("Lena Voss", "her sister", "signed the lease", "did not sign the lease"),
    ):
        for name in (one, two):
            source = f"Neither {one} nor {two} {said}."
            yield from _both("neither ... nor", source, f"{_big(name)} {denied}.", f"{_big(name)} {said}.")
    for who, others, said in (
        ("residents", "visitors", "may park in the yard"),
        ("members", "guests", "can vote"),
        ("the captain", "the cook", "may open the safe"),
        ("nurses", "students", "may give injections"),
        ("the owner", "the tenant", "can cancel the contract"),
    ):
        yield from _both("only", f"Only {who} {said}.", f"{_big(who)} {said}.", f"{_big(others)} {said}.")
