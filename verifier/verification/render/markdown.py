"""A report in; a Markdown page out, for a pull request or a ticket."""

from __future__ import annotations

from verifier.core.visible import visible
from verifier.types import Report
from verifier.verification.reasons import locate
from verifier.verification.render.summary import (
    SURE,
    confidence,
    end_line,
    label,
    rows,
    rule_line,
    skipped_line,
)

__all__ = ["render_markdown"]


def render_markdown(report: Report) -> str:
    """A heading with the decision, a table of claims, the evidence quoted below it."""
    shown = rows(report)
    lines = [f"# {end_line(report)}", ""]
    if shown:
        lines += ["| # | verdict | sure | claim | reason |", "|---|---|---|---|---|"]
    for n, claim in enumerate(shown, 1):
        cells = (str(n), label(claim), confidence(claim), claim.hypothesis or claim.text, claim.reason)
        lines.append("| " + " | ".join(_cell(text) for text in cells) + " |")
    for n, claim in enumerate(shown, 1):
        for item in claim.evidence:
            quote = "\n".join(f"> {line}" for line in item.text.splitlines())
            lines += ["", f"**{n}.** {_cell(locate(item))}", "", quote]
    notes = [f"note: {note}" for note in report.notes]
    footer = [SURE if shown else "", *notes, skipped_line(report), rule_line(report)]
    sentences = [f"{line[0].upper()}{line[1:]}." for line in footer if line]
    return visible("\n".join([*lines, "", "  \n".join(sentences)])) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
