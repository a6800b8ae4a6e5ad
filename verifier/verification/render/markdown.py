"""A report as a Markdown page, for a pull request or a ticket."""

from __future__ import annotations

from verifier.core.visible import cell, visible
from verifier.types import ClaimVerdict, Report
from verifier.verification.explanation.reasons import locate
from verifier.verification.render.highlight import Marks, marked_claim, marked_evidence
from verifier.verification.render.summary import (
    SURE,
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

__all__ = ["render_markdown"]

MARKS = Marks(("**", "**"), ("***", "***"))


def render_markdown(report: Report) -> str:
    """A heading with the decision, a table of claims, the evidence quoted below it.

    What the claim has as well is bold in the evidence, the value that decided is bold and slanted on both sides.
    """
    shown = numbered(report)
    lines = [f"# {end_line(report)}", ""]
    if shown:
        lines += ["| # | verdict | sure | claim | reason |", "|---|---|---|---|---|"]
    for row in shown:
        cells = [
            cell(text) for text in (row.numbers.replace("\n", ", "), label(row.first), confidence(row.first))
        ]
        claims = [
            f"{n}. " * (len(row.claims) > 1) + cell(marked_claim(claim, MARKS)) for n, claim in row.claims
        ]
        cells += ["<br>".join(claims), "<br>".join(cell(text) for text in _told(row.first))]
        lines.append("| " + " | ".join(cells) + " |")
    for n, claim in (one for row in shown for one in row.claims):
        for item in claim.evidence:
            text = marked_evidence(item, claim.ledger, MARKS)
            quote = "\n".join(f"> {line}" for line in text.splitlines())
            lines += ["", f"**{n}.** {cell(locate(item))}", "", quote]
    notes = [f"note: {note}" for note in report.notes]
    footer = [
        SURE if shown else "",
        failure_line(report),
        *notes,
        hidden_line(report),
        skipped_line(report),
        unsought_line(report),
        reader_line(report),
        rule_line(report),
    ]
    sentences = [f"{line[0].upper()}{line[1:]}." for line in footer if line]
    return visible("\n".join([*lines, "", "  \n".join(sentences)])) + "\n"


def _told(claim: ClaimVerdict) -> list[str]:
    return [line for line in (claim.reason, fix_line(claim), difference_line(claim)) if line]
