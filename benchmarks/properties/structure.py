"""How often a claim about one of many things finds that thing's own fact, or is given another's.

    python -m benchmarks.properties.structure [--only LAYOUTS] [--rounds N] [--show N] [--set KEY=VALUE]

Only the layout of a document says what belongs to what: headings, bold lines, capitals, titles, labels, definitions,
lists, tables with spanned cells. A claim of a thing's own fact is right and to be supported; one that gives it the fact
of a neighbour is wrong and never to be supported. Rates come with a 95 % Clopper-Pearson interval.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from benchmarks.metamorphic import clopper_pearson
from benchmarks.readers.sets import settings_of
from verifier.config import Settings
from verifier.factory import SharedSignals, build_scorer
from verifier.knowledge.ingest import ReadOptions, discover, read_documents
from verifier.types import Claim, Verdict
from verifier.verification.retrieve import GivenTexts

__all__ = ["LAYOUTS", "Asked", "Judged", "Page", "judged", "pages", "rates", "table"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A claim about a page; ``own``: it states what the page says of its thing, not what it says of a neighbour."""

    claim: str
    own: bool


@dataclass(frozen=True, slots=True)
class Page:
    """A document in one layout, and claims about it."""

    layout: str
    name: str
    text: str
    asked: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """What was said of a claim about a page, and why."""

    page: Page
    asked: Asked
    verdict: str
    reason: str

    @property
    def right(self) -> bool:
        """Whether an own fact is supported, or a neighbour's is not."""
        return (self.verdict == Verdict.SUPPORTED) is self.asked.own


@dataclass(frozen=True, slots=True)
class Kind:
    """Things of a kind, and what is said of them: the predicate, with ``{}`` for the value, and its column head."""

    things: Sequence[str]
    predicate: str
    column: str
    values: Sequence[str]


KINDS = (
    Kind(
        ("day ticket", "night ticket", "week ticket", "group ticket", "family ticket"),
        "costs {}",
        "Price",
        ("7 EUR", "11 EUR", "26 EUR", "31 EUR", "48 EUR", "53 EUR", "64 EUR"),
    ),
    Kind(
        ("blue kettle", "red kettle", "green kettle", "white kettle", "black kettle"),
        "weighs {}",
        "Weight",
        ("900 g", "1100 g", "1350 g", "1500 g", "1720 g", "1910 g"),
    ),
    Kind(
        ("east gate", "west gate", "north gate", "south gate", "river gate"),
        "opens at {}",
        "Opens at",
        ("6:15", "7:30", "8:45", "9:20", "10:10", "11:05"),
    ),
    Kind(
        ("ridge path", "lake path", "mill path", "forest path", "castle path"),
        "ends at the {}",
        "Ends at",
        ("inn", "chapel", "harbour", "quarry", "station", "bakery", "windmill"),
    ),
    Kind(
        ("Arven hut", "Silber hut", "Torren hut", "Melk hut", "Gamper hut"),
        "is run by {}",
        "Run by",
        ("Lena Voss", "Piet Haan", "Odd Myhre", "Anja Holt", "Bea Lind", "Karl Ostrem"),
    ),
    Kind(
        ("Ostby museum", "Velm museum", "Harlow museum", "Tarn museum", "Selby museum"),
        "has {} rooms",
        "Rooms",
        ("12", "17", "23", "31", "44", "58"),
    ),
)

Fact = tuple[str, str]
"""A thing, and its value."""
Layout = Callable[[Kind, Sequence[Fact]], str]


def _sentence(kind: Kind, value: str, subject: str = "It") -> str:
    return f"{subject} {kind.predicate.format(value)}."


def _title(thing: str) -> str:
    return thing[0].upper() + thing[1:]


def _below(title: str, gap: str = "\n\n") -> Layout:
    """Each fact as a sentence with ``it`` below its title."""

    def laid(kind: Kind, facts: Sequence[Fact]) -> str:
        parts = (
            title.format(_title(thing), thing.upper()) + gap + _sentence(kind, value)
            for thing, value in facts
        )
        return "\n\n".join(parts) + "\n"

    return laid


def _lines(line: str, between: str = "\n") -> Layout:
    """Each fact as a value or a sentence behind its label."""

    def laid(kind: Kind, facts: Sequence[Fact]) -> str:
        parts = (line.format(_title(thing), _sentence(kind, value)) for thing, value in facts)
        return between.join(parts) + "\n"

    return laid


def _values(line: str, between: str = "\n", around: str = "{}") -> Layout:
    """Each value alone behind its label, below a title that says what it is."""

    def laid(kind: Kind, facts: Sequence[Fact]) -> str:
        parts = between.join(line.format(_title(thing), value) for thing, value in facts)
        return around.format(parts).replace("COLUMN", kind.column) + "\n"

    return laid


def _among_others(below: Layout) -> Layout:
    """The same between a title with a text of its own, above, and with a second sentence of each thing."""

    def laid(kind: Kind, facts: Sequence[Fact]) -> str:
        text = below(kind, facts)
        for _, value in facts:
            said = _sentence(kind, value)
            text = text.replace(
                said, f"{said} It was looked over in spring, and nothing had to be mended.", 1
            )
        return text

    return laid


def _page(inner: str, around: str = "{}") -> Layout:
    def laid(kind: Kind, facts: Sequence[Fact]) -> str:
        return around.format(
            "".join(inner.format(_title(thing), _sentence(kind, value)) for thing, value in facts)
        )

    return laid


def _markdown_table(kind: Kind, facts: Sequence[Fact]) -> str:
    rows = "\n".join(f"| {_title(thing)} | {value} |" for thing, value in facts)
    return f"| Name | {kind.column} |\n|---|---|\n{rows}\n"


def _pairs(kind: Kind, facts: Sequence[Fact]) -> str:
    rows = "".join(f"<tr><td>{_title(thing)}</td><td>{value}</td></tr>" for thing, value in facts)
    return f"<p>{kind.column}:</p><table>{rows}</table>"


def _nested_table(kind: Kind, facts: Sequence[Fact]) -> str:
    rows = "".join(f"<tr><td>{_title(thing)}</td><td>{value}</td></tr>" for thing, value in facts)
    inner = f"<table><tr><th>Name</th><th>{kind.column}</th></tr>{rows}</table>"
    return f"<table><tr><td>{inner}</td><td>Dogs are welcome.</td></tr></table>"


def _spanned_table(kind: Kind, facts: Sequence[Fact]) -> str:
    """A title row, a head of two rows, and a first column that spans two rows."""
    rows = "".join(
        f"<tr>{'' if n % 2 else f'<td rowspan=2>Part {n // 2 + 1}</td>'}<td>{_title(thing)}</td><td>{value}</td></tr>"
        for n, (thing, value) in enumerate(facts)
    )
    head = f"<tr><th rowspan=2>Part</th><th colspan=2>Overview</th></tr><tr><th>Name</th><th>{kind.column}</th></tr>"
    return f"<table><tr><td colspan=3>This season</td></tr>{head}{rows}</table>"


LAYOUTS: dict[str, tuple[str, Layout]] = {
    "headings": ("a.md", _below("## {0}")),
    "bold paragraphs": ("a.md", _below("**{0}**")),
    "bold lines": ("a.md", _below("**{0}**", "\n")),
    "capitals": ("a.txt", _below("{1}", "\n")),
    "titles": ("a.txt", _below("{0}")),
    "titles in Markdown": ("a.md", _below("{0}")),
    "labels": ("a.txt", _lines("{0}: {1}")),
    "labels on lines of their own": ("a.txt", _lines("{0}:\n  {1}")),
    "bold labels": ("a.md", _lines("**{0}:** {1}", "\n\n")),
    "run-in titles": ("a.md", _lines("**{0}.** {1}", "\n\n")),
    "definitions": ("a.md", _lines("{0}\n: {1}", "\n\n")),
    "list": ("a.md", _lines("- {0}: {1}")),
    "HTML definitions": ("a.html", _page("<dt>{0}</dt><dd>{1}</dd>", "<dl>{}</dl>")),
    "HTML bold": ("a.html", _page("<p><b>{0}</b></p><p>{1}</p>")),
    "HTML bold and a break": ("a.html", _page("<div><strong>{0}</strong><br>{1}</div>")),
    "HTML headings": ("a.html", _page("<h3>{0}</h3><div>{1}</div>")),
    "headings, more said": ("a.md", _among_others(_below("## {0}"))),
    "bold paragraphs, more said": (
        "a.md",
        _among_others(_below("# Guide\n\nThis page tells of all.\n\n**{0}**")),
    ),
    "titles, more said": ("a.txt", _among_others(_below("{0}"))),
    "labels, more said": ("a.txt", _among_others(_lines("{0}: {1}"))),
    "HTML definitions, more said": (
        "a.html",
        _among_others(_page("<dt>{0}</dt><dd>{1}</dd>", "<h2>Guide</h2><dl>{}</dl><p>Ask us.</p>")),
    ),
    "values behind labels": ("a.txt", _values("{0}: {1}", around="COLUMN\n\n{}")),
    "values behind bold labels": ("a.md", _values("**{0}:** {1}", "\n\n", "# COLUMN\n\n{}")),
    "values in a list": ("a.md", _values("- {0}: {1}", around="COLUMN:\n\n{}")),
    "values in definitions": (
        "a.html",
        _values("<dt>{0}</dt><dd>{1}</dd>", "", "<h2>COLUMN</h2><dl>{}</dl>"),
    ),
    "table": ("a.md", _markdown_table),
    "pairs in a table": ("a.html", _pairs),
    "nested table": ("a.html", _nested_table),
    "spanned table": ("a.html", _spanned_table),
}


def pages(layouts: Iterable[str] | None = None, *, rounds: int = 1) -> Iterator[Page]:
    """Every layout with every kind of thing, the same each time; every thing with its own fact and those of two others.

    Args:
        layouts: names of layouts; all by default.
        rounds: how often, each time with other things and values.
    """
    for layout, kind, turn in product(layouts or LAYOUTS, KINDS, range(rounds)):
        chance = Random(f"{layout} {kind.column} {turn}")
        things = chance.sample(kind.things, 4)
        facts = list(zip(things, chance.sample(kind.values, 4), strict=True))
        name, laid = LAYOUTS[layout]
        asked = []
        for n, (thing, value) in enumerate(facts):
            asked.append(Asked(_sentence(kind, value, f"The {thing}"), own=True))
            asked += [
                Asked(_sentence(kind, facts[n + by][1], f"The {thing}"), own=False)
                for by in (-1, 1)
                if 0 <= n + by < len(facts)
            ]
        yield Page(layout, name, laid(kind, facts), tuple(asked))


def judged(
    asked: Iterable[Page], settings: Settings | None = None, shared: SharedSignals | None = None
) -> Iterator[Judged]:
    """What the verifier says of each claim, each page a source of its own."""
    settings = settings or settings_of({"verdict.suggest_fixes": False})
    scorer = build_scorer(settings, GivenTexts.of(""), shared or SharedSignals.of(settings))
    for page in asked:
        with TemporaryDirectory() as folder:
            (Path(folder) / page.name).write_text(page.text, encoding="utf-8")
            [found] = discover([Path(folder)])
            source = GivenTexts(tuple(read_documents(found, ReadOptions())))
        claims = [Claim(one.claim, 0, len(one.claim)) for one in page.asked]
        for one, verdict in zip(page.asked, scorer.judge(claims, source=source), strict=True):
            yield Judged(page, one, str(verdict.verdict), verdict.reason)


def rates(found: Iterable[Judged]) -> tuple[float, float]:
    """The share of own facts that are supported, and that of neighbours' facts that are, both in [0, 1]."""
    said: dict[bool, list[bool]] = {True: [], False: []}
    for one in found:
        said[one.asked.own].append(one.verdict == Verdict.SUPPORTED)
    own, others = (sum(some) / max(1, len(some)) for some in (said[True], said[False]))
    return own, others


def table(found: Sequence[Judged]) -> Iterator[str]:
    """The rates of each layout, as Markdown."""
    yield "| layout | own facts | supported | denied | neighbours' facts | supported | 95 % interval |"
    yield "|---|---|---|---|---|---|---|"
    rows: defaultdict[str, list[Judged]] = defaultdict(list)
    for one in found:
        rows[one.page.layout].append(one)
    for layout, some in [*rows.items(), ("all", list(found))]:
        own = [one for one in some if one.asked.own]
        others = [one for one in some if not one.asked.own]
        denied = sum(one.verdict in (Verdict.CONTRADICTED, Verdict.FABRICATED) for one in own)
        wrong = sum(not one.right for one in others)
        low, high = clopper_pearson(wrong, len(others))
        share, _ = rates(own)
        yield (
            f"| {layout} | {len(own)} | {share:.1%} | {denied / max(1, len(own)):.1%} | {len(others)} "
            f"| {wrong / max(1, len(others)):.1%} | {low:.1%} to {high:.1%} |"
        )


def main(arguments: Sequence[str]) -> int:
    """Print the table, and some of what is wrong; exit 0 whatever it says."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.properties.structure", description=(__doc__ or "").split("\n\n")[0]
    )
    parser.add_argument("--only", help="layouts, separated by semicolons")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--show", type=int, default=20, help="so many of what is wrong")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="settings")
    given = parser.parse_args(arguments)
    layouts = given.only.split(";") if given.only else None
    if unknown := sorted(set(layouts or ()) - set(LAYOUTS)):
        parser.error(f"no layout {', '.join(unknown)}; known: {'; '.join(LAYOUTS)}")
    overrides = {key: json.loads(value) for key, _, value in (one.partition("=") for one in given.settings)}
    settings = settings_of({"verdict.suggest_fixes": False, **overrides})
    found = list(judged(pages(layouts, rounds=given.rounds), settings))
    print("\n".join(table(found)))
    for one in [one for one in found if not one.right][: given.show]:
        print(
            f"- {one.page.layout}: {one.asked.claim!r} ({'own' if one.asked.own else 'of another'}): "
            f"{one.verdict}: {one.reason}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
