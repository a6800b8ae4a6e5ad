"""Random values of each kind, with unequal ones beside them, and the sentences that state them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from random import Random
from typing import Any, Final

__all__ = ["KINDS", "Kind", "framed"]

Drawn = Callable[[Random], Any]
Other = Callable[[Any, Random], Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """How values of a kind are drawn, and where they stand.

    ``other`` gives a value that a careful reader takes for another one. Of a template, ``{v}`` is where the value
    stands and ``{s}`` a name of its own for each pair; where it has ``" <- "``, the claim stands before it and the
    evidence behind it, else both are worded alike.
    """

    name: str
    draw: Drawn
    other: Other
    templates: Sequence[str]


def framed(kind: str, form: str, sentence: str, name: str, *, amid: bool) -> str:
    """The evidence: a sentence with what its document says of how it writes days, months and thousands.

    ``amid`` puts it into a paragraph about something else.
    """
    if amid:
        sentence = (
            f"The people of {name} are proud of it. {sentence} Visitors are welcome, and so are their dogs."
        )
    first = "day" if "day first" in form else "month"
    if kind == "date, order inferred":
        return f"{sentence} The next review is due on {'24/5/2031' if first == 'day' else '5/24/2031'}."
    if kind == "date, order said":
        said = "DD/MM/YYYY" if first == "day" else "MM/DD/YYYY"
        return f"Dates are given as {said}. {sentence}"
    if kind == "thousands, with a point":
        return f"{sentence} The whole site counts 1.204.500 square metres."
    return sentence


def _day(chance: Random) -> date:
    return date(chance.randint(1950, 2035), chance.randint(1, 12), chance.randint(13, 28))


def _other_day(day: date, chance: Random) -> date:
    change = chance.randrange(3)
    if change == 0:
        return day.replace(day=_but(day.day, 13, 28, chance))
    if change == 1:
        return day.replace(month=_but(day.month, 1, 12, chance))
    return day.replace(year=_but(day.year, max(1950, day.year - 6), day.year + 6, chance))


def _early_day(chance: Random) -> date:
    day = chance.randint(1, 12)
    return date(chance.randint(1950, 2030), _but(day, 1, 12, chance), day)


def _swapped(day: date, chance: Random) -> date:
    del chance
    return date(day.year, day.day, day.month)


def _but(value: int, low: int, high: int, chance: Random) -> int:
    """Another whole number in these bounds."""
    found = chance.randint(low, high - 1)
    return found + int(found >= value)


def _time(chance: Random) -> tuple[int, int]:
    minute = chance.choice([0, 0, 5, 15, 20, 30, 45, 10, 40, 50])
    return chance.choice([hour for hour in range(5, 23) if hour != 12]), minute


def _other_time(time: tuple[int, int], chance: Random) -> tuple[int, int]:
    hour, minute = time
    if chance.random() < 0.4:
        return (hour + 12) % 24, minute
    shifted = (hour - 1) if chance.random() < 0.5 else hour + 1
    return (shifted, minute) if chance.random() < 0.5 else (hour, (minute + 15) % 60)


def _count(chance: Random) -> int:
    found: int = chance.choice([12, 24, 36, *range(11, 99)])
    return found


def _near(value: int, chance: Random) -> int:
    """A figure with one digit changed, or two exchanged; never fewer than two off in a hundred."""
    digits = str(value)
    at = chance.randrange(min(2, len(digits)))
    other = digits[:at] + str(_but(int(digits[at]), 1, 9, chance)) + digits[at + 1 :]
    return int(other)


def _thousands(chance: Random) -> int:
    return chance.choice([chance.randint(1001, 9999), 10 * chance.randint(1001, 9999)])


def _millions(chance: Random) -> int:
    return 100_000 * chance.randint(11, 99)


def _sum(chance: Random) -> tuple[int, str]:
    return 50_000 * chance.randint(21, 199), chance.choice(["EUR", "USD", "GBP"])


def _other_sum(value: tuple[int, str], chance: Random) -> tuple[int, str]:
    amount, currency = value
    if chance.random() < 0.2:
        return amount, "GBP" if currency == "EUR" else "EUR"
    return (amount * 10 if chance.random() < 0.3 else amount + 50_000 * chance.randint(4, 40)), currency


def _price(chance: Random) -> tuple[int, str]:
    return 100 * chance.randint(2, 40) + 5 * chance.randint(2, 19), chance.choice(["EUR", "USD", "GBP"])


def _other_price(value: tuple[int, str], chance: Random) -> tuple[int, str]:
    return value[0] + chance.choice([100, 200, 30, -50, 1000]), value[1]


def _power(chance: Random) -> tuple[float, int]:
    return chance.randint(11, 98) / 10, chance.choice([4, 5, 6])


def _other_power(value: tuple[float, int], chance: Random) -> tuple[float, int]:
    return value[0], _but(value[1], 3, 9, chance)


def _pair(chance: Random) -> tuple[int, int]:
    low = chance.randint(3, 40)
    return low, low + chance.randint(3, 30)


def _other_pair(value: tuple[int, int], chance: Random) -> tuple[int, int]:
    low, high = value
    return (low, high + chance.randint(5, 20)) if chance.random() < 0.5 else (low + 50, high + 50)


def _bound(chance: Random) -> tuple[int, bool]:
    return chance.randint(6, 60), chance.random() < 0.5


def _other_bound(value: tuple[int, bool], chance: Random) -> tuple[int, bool]:
    figure, lower = value
    return (figure, not lower) if chance.random() < 0.5 else (figure + chance.randint(3, 20), lower)


def _round_bound(chance: Random) -> tuple[int, bool]:
    return 100 * chance.randint(2, 9), chance.random() < 0.5


def _other_round(value: tuple[int, bool], chance: Random) -> tuple[int, bool]:
    figure, lower = value
    return (figure, not lower) if chance.random() < 0.5 else (figure + 200, lower)


_DATED: Final = (
    "The {s} archive was opened on {v}.",
    "The lease of {s} Hall was signed on {v}.",
    "The {s} ferry sank on {v}.",
    "The {s} permit expires on {v}.",
    "The {s} mill closed on {v}. <- The {s} mill closed on {v}, and its rooms stood empty.",
)
_ROUNDED: Final = (
    "{v} jars of {s} honey were sold.",
    "The {s} fair drew {v} visitors.",
    "The {s} firm employs {v} people.",
)
_COUNTED: Final = (
    "The {s} choir has {v} singers.",
    "{v} boats sank off {s}.",
    "The {s} clinic treated {v} patients in spring.",
    "The {s} library lent {v} books last week.",
)
_PAID: Final = (
    "The {s} bridge cost {v}.",
    "The {s} grant totals {v} over four years.",
    "The council of {s} spent {v} on the harbour.",
    "The {s} fund paid {v} to farmers. <- Last year, the {s} fund paid {v} to farmers.",
)
_PRICED: Final = (
    "The {s} ticket costs {v}.",
    "The fee for the {s} course is {v}.",
    "Parking at {s} costs {v} an hour.",
)

KINDS: Final[Sequence[Kind]] = (
    Kind("date", _day, _other_day, _DATED),
    Kind("date, order inferred", _early_day, _swapped, _DATED[:4]),
    Kind("date, order said", _early_day, _swapped, _DATED[:4]),
    Kind(
        "time",
        _time,
        _other_time,
        (
            "The train to {s} leaves at {v}.",
            "The {s} museum opens at {v}.",
            "The {s} meeting starts at {v} on Mondays.",
            "Breakfast at the {s} inn ends at {v}.",
        ),
    ),
    Kind("count", _count, _near, _COUNTED),
    Kind(
        "thousands",
        _thousands,
        _near,
        (
            "The {s} hall seats {v} guests.",
            "The {s} dam holds {v} cubic metres of water.",
            "The town of {s} has {v} inhabitants.",
        ),
    ),
    Kind(
        "thousands, with a point",
        _thousands,
        _near,
        ("The {s} hall seats {v} guests.", "The {s} tower has {v} steps."),
    ),
    Kind(
        "millions",
        _millions,
        _near,
        (
            "The {s} plant produced {v} bottles.",
            "The province of {s} has {v} voters.",
            "The {s} app was downloaded {v} times.",
        ),
    ),
    Kind(
        "power of ten",
        _power,
        _other_power,
        (
            "The {s} plate held {v} spores.",
            "The {s} sample contained {v} cells per litre.",
            "The {s} sensor recorded {v} events.",
        ),
    ),
    Kind("sum of money", _sum, _other_sum, _PAID),
    Kind("price", _price, _other_price, _PRICED),
    Kind(
        "length",
        lambda chance: 100 * chance.randint(11, 98),
        lambda m, chance: m + 100 * chance.randint(7, 40),
        ("The {s} trail is {v} long.", "The {s} tunnel is {v} long.", "The school is {v} from {s}."),
    ),
    Kind(
        "weight",
        lambda chance: 100 * chance.randint(11, 98),
        lambda g, chance: g + 100 * chance.randint(7, 40),
        ("The {s} tent weighs {v}.", "Each {s} parcel may weigh {v}.", "The {s} stone weighs {v}."),
    ),
    Kind(
        "length, rounded",
        lambda chance: chance.randint(10, 60),
        lambda miles, _: miles * 2,
        ("The {s} trail is {v} long.", "The {s} canal runs for {v}."),
    ),
    Kind(
        "duration",
        lambda chance: chance.choice([75, 90, 105, 135, 150, 165, 195, 210]),
        lambda minutes, chance: minutes + chance.choice([30, 45, 60]),
        ("The {s} tour lasts {v}.", "The drive to {s} takes {v}.", "Each {s} exam takes {v}."),
    ),
    Kind(
        "range",
        _pair,
        _other_pair,
        (
            "Delivery to {s} takes {v} days.",
            "The {s} class has {v} pupils.",
            "The {s} kiln holds {v} pots.",
        ),
    ),
    Kind(
        "years",
        lambda chance: (chance.randint(1950, 1990), chance.randint(1995, 2020)),
        lambda v, chance: (v[0], v[1] + chance.randint(2, 9)),
        (
            "The {s} museum was rebuilt {v}.",
            "Prices in {s} doubled {v}.",
            "The {s} mine was worked {v}.",
        ),
    ),
    Kind(
        "hours",
        lambda chance: (chance.randint(7, 11), chance.choice([0, 30]), chance.randint(15, 21)),
        lambda v, _: (v[0], v[1], v[2] + 2),
        ("The {s} shop is open {v}.", "The {s} pool is heated {v} on Sundays."),
    ),
    Kind(
        "derived growth",
        lambda chance: (2 * chance.randint(10, 40), chance.choice([1.5, 2, 3])),
        lambda v, _: (v[0], {1.5: 3, 2: 3, 3: 2}[v[1]]),
        ("The {s} catch {v} between 2010 and 2020.", "Sales of {s} coal {v} within four years."),
    ),
    Kind(
        "derived share",
        lambda chance: (4 * chance.randint(5, 25), chance.choice([0.25, 0.5, 0.75])),
        lambda v, _: (v[0], {0.25: 0.75, 0.5: 0.25, 0.75: 0.5}[v[1]]),
        ("At {s}, {v}.", "In the {s} fleet, {v}."),
    ),
    Kind(
        "bound",
        _bound,
        _other_bound,
        (
            "The {s} lift carries {v} people.",
            "A {s} group has {v} members.",
            "The {s} boat takes {v} passengers.",
            "Each {s} volunteer serves {v} hours a month.",
        ),
    ),
    Kind(
        "strict bound",
        _round_bound,
        _other_round,
        _ROUNDED,
    ),
    Kind(
        "nearly",
        _round_bound,
        _other_round,
        _ROUNDED,
    ),
    Kind(
        "sign",
        lambda chance: -chance.randint(11, 39),
        lambda n, chance: -n if chance.random() < 0.6 else n - chance.randint(5, 20),
        (
            "The {s} freezer is kept at {v}.",
            "The lowest temperature in {s} was {v}.",
            "The {s} gel sets at {v}.",
        ),
    ),
    Kind(
        "balance",
        lambda chance: -100 * chance.randint(11, 400),
        lambda n, chance: -n if chance.random() < 0.7 else n - 5000,
        ("The cash flow of {s} in May was {v}.", "The net result of {s} was {v}."),
    ),
    Kind(
        "percentage",
        lambda chance: chance.choice([20, 25, 50, 75, chance.randint(11, 95)]),
        lambda n, _: n - 13 if n > 60 else n + 13,
        (
            "{v} of the {s} members voted.",
            "At {s}, {v} of the pupils walk to school.",
            "The {s} survey found that {v} of the homes are empty.",
        ),
    ),
    Kind(
        "percentage points",
        lambda chance: (chance.randint(2, 19), True),
        lambda v, chance: (v[0], False) if chance.random() < 0.5 else (v[0] + 3, True),
        ("Turnout in {s} rose by {v}.", "The {s} rate fell by {v}."),
    ),
    Kind(
        "quarter",
        lambda chance: (chance.randint(1998, 2029), chance.randint(1, 4)),
        lambda v, chance: (v[0], _but(v[1], 1, 4, chance)) if chance.random() < 0.7 else (v[0] - 1, v[1]),
        (
            "Shipments to {s} started in {v}.",
            "Sales of the {s} lamp peaked in {v}.",
            "The {s} office closed in {v}.",
        ),
    ),
    Kind(
        "ordinal",
        lambda chance: chance.randint(3, 29),
        lambda n, chance: n + chance.randint(1, 9),
        ("The {s} office is on the {v} floor.", "The {s} festival held its {v} edition in a tent."),
    ),
    Kind(
        "chapter",
        lambda chance: chance.randint(2, 19),
        lambda n, chance: _but(n, 2, 19, chance),
        ("The {s} treaty names the port in {v}.", "The {s} manual covers brakes in {v}."),
    ),
    Kind(
        "king",
        lambda chance: chance.randint(2, 15),
        lambda n, chance: _but(n, 2, 15, chance),
        ("{v} opened the {s} harbour.", "The {s} palace was built for {v}."),
    ),
    Kind(
        "fraction",
        lambda chance: chance.choice([(2, 3), (3, 5), (2, 5), (3, 8), (5, 8), (4, 5), (5, 6)]),
        lambda v, _: (1 if v[0] * 2 > v[1] else v[1] - 1, v[1]) if v[0] > 1 else (v[1] - 1, v[1]),
        ("{v} of the {s} crew are volunteers.", "{v} of the {s} orchard was replanted."),
    ),
    Kind(
        "phone",
        lambda chance: f"{chance.randint(2000, 9899)}0{chance.randint(123, 987)}",
        lambda n, chance: n[:-3] + str((int(n[-3:]) + chance.randint(7, 90)) % 1000).zfill(3),
        ("For help at {s}, call {v}.", "The number of the {s} desk is {v}."),
    ),
)
