"""A report in; a table for the terminal out, in colour where the terminal has it."""

from __future__ import annotations

import io

from rich.console import Console
from rich.table import Table
from rich.text import Text

from verifier.types import Report
from verifier.verification.reasons import locate
from verifier.verification.render.summary import confidence, end_line, label, rows, skipped_line

__all__ = ["print_table", "render_table"]

COLOURS = {
    "supported": "green",
    "contradicted": "red",
    "fabricated": "magenta",
    "unverifiable": "yellow",
    "error": "bold red",
}
WIDTH = 120
"""Columns of a table that is not written to a terminal."""


def print_table(report: Report, console: Console) -> None:
    """One row a claim: verdict, confidence, claim, reason, source with offsets; then the end line."""
    table = Table(show_lines=True, expand=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("conf.", justify="right", no_wrap=True)
    table.add_column("claim", ratio=3, overflow="fold")
    table.add_column("reason", ratio=4, overflow="fold")
    table.add_column("source", ratio=2, overflow="fold")
    for claim in rows(report):
        sources = "\n".join(locate(item) for item in claim.evidence[:2])
        name = label(claim)
        verdict = Text(name + (" (conflict)" if claim.conflict else ""), style=COLOURS[name])
        text = Text(" ".join((claim.hypothesis or claim.text).split()))
        table.add_row(verdict, confidence(claim), text, Text(claim.reason), Text(sources))
    if table.row_count:
        console.print(table)
    for line in (*(f"note: {note}" for note in report.notes), skipped_line(report)):
        if line:
            console.print(Text(line, style="dim"))
    console.print(Text(end_line(report), style="bold green" if report.approved else "bold red"))


def render_table(report: Report) -> str:
    """The table as plain text, ``WIDTH`` columns wide."""
    out = io.StringIO()
    print_table(report, Console(file=out, width=WIDTH, no_color=True, highlight=False))
    return out.getvalue()
