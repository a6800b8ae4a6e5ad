"""Texts of a given length that grow by repetition: short units, and realistic lists."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from itertools import count

__all__ = ["TEXTS", "TextOf", "repeated"]

TextOf = Callable[[int], str]
"""Makes a text of a number of characters: the same text for the same number."""

_UNITS = (
    "a",
    "7",
    "7 ",
    "7, ",
    "7 and ",
    "7,",
    "7.5 ",
    "1,000 ",
    "(7) ",
    "7%",
    "7 % ",
    "5 EUR, ",
    "€5 ",
    "12:30 ",
    "12:30-14:00 ",
    "3 May 2021, ",
    "2021-05-03 ",
    "3/5/2021 ",
    "1914-1918, ",
    "two ",
    "twenty-two hundred ",
    "first and ",
    "the ",
    "fee ",
    "fee, ",
    "not ",
    "not only ",
    "no fee, ",
    "never open ",
    "only members ",
    "more than ",
    "and ",
    "or ",
    "if it rains, ",
    "unless ",
    "because ",
    "which is ",
    "that he said that ",
    "is open ",
    "Anna ",
    "Anna and ",
    "Anna met Ben and ",
    "Dr. A. B. Stone, ",
    "Mr. ",
    "e.g. ",
    "A1-",
    "X-27 ",
    "Hello! ",
    "Hi there, ",
    "Thanks. ",
    "Sure! ",
    "I think ",
    "Why? ",
    "...",
    "… ",
    "!",
    "?",
    ". ",
    "; ",
    ": ",
    "- ",
    " – ",
    "-",
    "(",
    ")",
    "[",
    "((a) ",
    "[1]",
    "[a](b) ",
    '"',
    '"a" ',
    "“a” ",
    "'a' ",
    "*",
    "**a** ",
    "_a_ ",
    "~~x~~ ",
    "`",
    "`a` ",
    "```\n",
    "# ",
    "# a\n",
    "> ",
    "> a\n",
    "- a\n",
    "  - a\n",
    "1. a\n",
    "\n",
    "a\n",
    "a\n\n",
    "|",
    "|a|b|\n",
    "a: b\n",
    "a: 7\n",
    "a,7\n",
    "<b>",
    "<b>a</b> ",
    "<div>",
    "<p>a</p>\n",
    "<del>x</del> ",
    "<!--",
    "<",
    "&amp;",
    "http://a.b/c ",
    "a@b.c ",
    "\\",
    "$x$ ",
    "🙂",
    "🙂 ",
    "e\u0301",
    "\u200b",
    "年",
    "年。",
    "\t",
    " ",
    "#7 ",
    "No. 7 ",
    "§7 ",
    "+49 30 7 ",
    "IV, ",
    "1/2 ",
    "7x",
    "7-",
    "10^7 ",
    "(source: the fee is 5 EUR) ",
)

_NAMES = (
    "Anna Stone",
    "Ben Marsh",
    "Clara Holt",
    "Dr. Emil Krug",
    "Faye Lund",
    "the Harbour Board",
    "Norland",
    "Kelsund",
)
_THINGS = ("tea", "bread", "rope", "paint", "soap", "salt", "cloth", "wood", "glass", "paper")
_GREETINGS = (
    "Hello!",
    "Hi there.",
    "Good morning!",
    "Thanks for asking.",
    "Of course!",
    "I hope this helps.",
)
_FACTS = (
    "The library opens at 9:00 on weekdays and closes at 17:30.",
    "Anna Stone founded the choir in 1987 with 14 members.",
    "A lost card costs 5 euros, but members under 18 pay nothing.",
    "The bridge is 320 m long and was rebuilt because the flood of 1953 had damaged it.",
    "Not all of the boats were sold, and none of the crew was paid before May 2021.",
)


def repeated(unit: str) -> TextOf:
    """Texts that hold nothing but a unit, again and again."""
    return lambda size: (unit * (size // len(unit) + 1))[:size]


def _filled(pieces: Iterator[str], size: int, begin: str = "", end: str = ".") -> str:
    """As many pieces as go into a text."""
    found, room = [begin], size - len(begin) - len(end)
    for piece in pieces:
        if (room := room - len(piece)) < 0:
            break
        found.append(piece)
    return "".join(found).rstrip(", ") + end


def _each(piece: Callable[[int, random.Random], str], begin: str = "", end: str = ".") -> TextOf:
    """Texts of numbered pieces, which a generator of a fixed seed makes."""

    def text(size: int) -> str:
        chance = random.Random(7)
        return _filled((piece(at, chance) for at in count(1)), size, begin, end)

    return text


def _nested(opens: str, closes: str) -> TextOf:
    """A word inside as many pairs of marks as go into half of the text on either side."""

    def text(size: int) -> str:
        depth = size // (len(opens) + len(closes))
        return f"{opens * depth}The pool is open.{closes * depth}"

    return text


_REAL: Mapping[str, TextOf] = {
    "counts": _each(lambda _, of: f"{of.randint(1, 999)}, ", "The daily counts in 2023 were "),
    "counts with units": _each(lambda _, of: f"{of.randint(1, 999)} kg, ", "The loads in May weighed "),
    "years": _each(lambda _, of: f"{of.randint(1500, 2020)}, ", "There were floods in "),
    "dates": _each(lambda _, of: f"{of.randint(1, 28)} May {of.randint(1900, 2020)}, ", "It met on "),
    "times": _each(lambda _, of: f"{of.randint(0, 23)}:{of.randint(10, 59)}, ", "Boats leave at "),
    "ranges": _each(lambda at, of: f"from {at} to {at + of.randint(1, 9)} and ", "Rooms hold groups "),
    "percentages": _each(lambda _, of: f"{of.choice(_THINGS)} rose by {of.randint(1, 99)} %, ", "In 2021, "),
    "prices": _each(lambda _, of: f"{of.choice(_THINGS)} costs {of.randint(1, 99)} euros, ", "In the shop "),
    "prices and": _each(
        lambda at, of: f"{of.choice(_THINGS)} number {at} costs {of.randint(1, 99)} euros and ", "Here "
    ),
    "codes": _each(lambda _, of: f"X-{of.randint(10, 99999)}, ", "The valid codes are "),
    "price table": _each(
        lambda at, of: f"| {of.choice(_THINGS)} {at} | {of.randint(1, 99)} EUR | {of.randint(1, 9)} kg |\n",
        "| item | price | weight |\n|---|---|---|\n",
        "\n",
    ),
    "records": _each(
        lambda at, of: f"item: {of.choice(_THINGS)} {at}\nprice: {of.randint(1, 99)} EUR\n\n", end=""
    ),
    "csv rows": _each(
        lambda at, of: f"{of.choice(_THINGS)},{at},{of.randint(1, 99)}\n", "item,number,price\n", ""
    ),
    "json rows": _each(lambda at, of: f'{{"text": "The {of.choice(_THINGS)} costs {at} EUR."}}\n', end=""),
    "names and": _each(lambda _, of: f"{of.choice(_NAMES)} and ", "The prize went to "),
    "new names": _each(
        lambda at, _: f"{chr(65 + at % 26)}o{chr(97 + at // 26 % 26)}{chr(97 + at // 676 % 26)}er Lund and ",
        "The prize went to ",
    ),
    "who met whom": _each(lambda _, of: f"{of.choice(_NAMES)} met {of.choice(_NAMES)}, "),
    "greetings": _each(lambda _, of: f"{of.choice(_GREETINGS)} ", end=""),
    "facts": _each(lambda _, of: f"{of.choice(_FACTS)} ", end=""),
    "one sentence": _each(lambda _, of: f"{of.choice(_FACTS)[:-1]}, and ", "It is known that "),
    "clauses": _each(lambda at, _: f"if it rains on day {at}, the pool stays closed, ", "In May, "),
    "denials": _each(lambda _, of: f"{of.choice(_THINGS)} is not sold and ", "In the shop "),
    "long list": _each(lambda _, of: f"- {of.choice(_THINGS)}: {of.randint(1, 99)} EUR\n", "Prices:\n", ""),
    "nested list": _each(lambda at, of: f"{'  ' * (at % 9)}- {of.choice(_THINGS)} {at}\n", end=""),
    "quotes": _each(lambda at, of: f"“The {of.choice(_THINGS)} costs {at} euros,” she said. ", end=""),
    "asides": _each(lambda at, of: f"the {of.choice(_THINGS)} (which costs {at} EUR) is sold, ", "Here "),
    "sections": _each(lambda at, of: f"## Part {at}\n\n{of.choice(_FACTS)}\n\n", end=""),
    "nested div": _nested("<div>", "</div>"),
    "nested b": _nested("<b>", "</b>"),
    "nested ul": _nested("<ul><li>", "</li></ul>"),
    "nested brackets": _nested("(", ")"),
    "nested quotes": _nested("“", "”"),
    "html table": _each(
        lambda at, of: f"<tr><td>{of.choice(_THINGS)}</td><td>{at} EUR</td></tr>\n", "<table>", "</table>"
    ),
}

TEXTS: Mapping[str, TextOf] = {**{repr(unit)[1:-1]: repeated(unit) for unit in _UNITS}, **_REAL}
"""Every kind of text by its name, short units first."""
