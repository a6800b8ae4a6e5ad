"""A report as a table for the terminal, in colour where the terminal has it."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from verifier.core.visible import visible
from verifier.types import ClaimVerdict, Report
from verifier.verification.explanation.reasons import locate
from verifier.verification.render.highlight import PUT_IN, as_read, has_put_in
from verifier.verification.render.summary import (
    SURE,
    Row,
    confidence,
    difference_line,
    end_line,
    failure_line,
    fix_line,
    hidden_line,
    label,
    numbered,
    reader_line,
    rule_line,
    skipped_line,
    unsought_line,
)

__all__ = ["print_table", "render_table"]

COLOURS = {
    "supported": "green",
    "contradicted": "red",
    "fabricated": "magenta",
    "unverifiable": "yellow",
    "abstained": "cyan",
    "error": "bold red",
}
WIDTH = 120
"""Columns of a table that is not written to a terminal."""

NARROW = 100
"""Below this many columns, claim, reason and source stand below each other."""

LEAST = 40
_PLACE = (
    r"(?:page \d+(?:, characters \d+-\d+)?|lines? \d+(?:-\d+)?|characters \d+-\d+"
    r"|(?:table at )?paragraphs? \d+(?:-\d+)?(?: under “[^”]*”)?|heading(?: “[^”]*”)?)"
)
"""As reasons name places, those of older reports, too."""
SOURCE_WIDTH = 26


def print_table(report: Report, console: Console) -> None:
    """One row a claim: its number, verdict, how sure it is, claim, reason, source with offsets; rule and end line."""
    shown = numbered(report)
    if shown:
        console.print(_stacked(shown) if console.width < NARROW else _side_by_side(shown))
    below = [
        SURE if shown else "",
        PUT_IN if any(has_put_in(claim) for row in shown for _, claim in row.claims) else "",
        failure_line(report),
        *(f"note: {note}" for note in report.notes),
        hidden_line(report),
        skipped_line(report),
        unsought_line(report),
        reader_line(report),
        rule_line(report),
    ]
    for line in below:
        if line:
            console.print(Text(visible(line), style="dim"))
    console.print(Text(end_line(report), style="bold green" if report.approved else "bold red"))


def render_table(report: Report, width: int = WIDTH) -> str:
    """The table as plain text, ``width`` columns wide, though never below 40."""
    out = io.StringIO()
    print_table(report, Console(file=out, width=max(width, LEAST), no_color=True, highlight=False))
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())


def _side_by_side(shown: Sequence[Row]) -> Table:
    table = Table(show_lines=True, expand=True)
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("sure", justify="right", no_wrap=True)
    table.add_column("claim", ratio=3, overflow="fold")
    table.add_column("reason", ratio=4, overflow="fold")
    table.add_column("source", overflow="fold", max_width=SOURCE_WIDTH)
    for row in shown:
        claim = row.first
        reason, places = _reason_and_places(claim)
        source = "\n".join(_folded(place) for place in places)
        table.add_row(row.numbers, _verdict(claim), confidence(claim), _text(row), reason, source)
    return table


def _stacked(shown: Sequence[Row]) -> Table:
    table = Table(show_lines=True, expand=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("claim, reason, source", ratio=1, overflow="fold")
    for row in shown:
        claim = row.first
        reason, places = _reason_and_places(claim)
        sure = f"\n{confidence(claim)} sure" if claim.confidence is not None else ""
        verdict = Text.assemble(row.numbers.replace("\n", ", ") + " ", _verdict(claim), sure)
        told = Text.assemble((_text(row).plain, "bold"), "\n", reason)
        told.append("".join(f"\n{place}" for place in places), style="dim")
        table.add_row(verdict, told)
    return table


def _verdict(claim: ClaimVerdict) -> Text:
    name = label(claim)
    return Text(name + ("\n(conflict)" if claim.conflict else ""), style=COLOURS[name])


def _text(row: Row) -> Text:
    """The claim; of several each with its number."""
    texts = [as_read(claim) for _, claim in row.claims]
    if len(texts) > 1:
        texts = [f"{number}. {text}" for (number, _), text in zip(row.claims, texts, strict=True)]
    return Text("\n".join(map(visible, texts)))


def _reason_and_places(claim: ClaimVerdict) -> tuple[Text, list[str]]:
    """The reason with the fix, without the places that it names, and these in its order, for a column of their own.

    A reason that names none has looked at the nearest evidence, and that is what is shown.
    """
    names = "|".join(sorted({re.escape(item.source) for item in claim.evidence}, key=len, reverse=True))
    places: list[str] = []
    reason = claim.reason
    if names:
        place = re.compile(rf" \(((?:{names}), {_PLACE})\)")
        places = list(dict.fromkeys(place.findall(reason)))
        reason = place.sub("", reason)
    if not places:
        places = [f"nearest: {locate(item)}" for item in claim.evidence[:1]]
    told = Text(visible(reason))
    if line := fix_line(claim) or difference_line(claim):
        told.append(f"\n{visible(line)}", style="bold")
    return told, [visible(place) for place in places]


def _folded(place: str) -> str:
    """A place whose long names have line breaks after the separators of a path, so that no word is torn."""
    return " ".join(_folded_name(word) if len(word) > SOURCE_WIDTH else word for word in place.split(" "))


def _folded_name(name: str) -> str:
    lines = [""]
    for part in re.findall(r"[^/\\#_.-]*[/\\#_.-]?", name):
        if lines[-1] and len(lines[-1]) + len(part) > SOURCE_WIDTH:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines)
