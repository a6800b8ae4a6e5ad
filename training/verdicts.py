"""Make documents with labelled claims from held-back fact sheets: rows for ``verifier evaluate``.

The NLI model never saw these facts, but knows their kind better than real texts: measure on them, learn no fusion
from them (`training/results/JOURNAL.md` has the figures). A row is ``{premise, claim, verdict, documents}``, where the
premise is a document of a dozen facts and ``documents`` names the fact.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

from training.bank import FactDocument, is_held_back_fact
from training.sheets import Sheet, read_sheets, render

__all__ = ["verdict_rows", "write_verdicts"]

Row = dict[str, str | list[str]]

OTHERS = 12
"""Facts beside the one that the claims are about."""

_SPECIFIC = re.compile(r"(?<![\w.])(?:\d[\d.,:]*\w*|[A-Z][\w'-]+)")
_VERDICTS = {"entailment": "supported", "contradiction": "contradicted"}


def verdict_rows(sheets: list[Sheet], rows: int, seed: int) -> list[Row]:
    """About ``rows`` claims about held-back facts, each fact in several documents with values of their own."""
    rng = random.Random(seed)
    facts = [(sheet, fact) for sheet in sheets for fact in sheet.facts if is_held_back_fact(fact)]
    made: list[Row] = []
    while facts and len(made) < rows:
        for sheet, fact in facts:
            made.extend(_rows(FactDocument(sheet, fact, rng), rng))
    return made[:rows]


def _rows(document: FactDocument, rng: random.Random) -> Iterator[Row]:
    with_fact = _text(document.lines(OTHERS, True), rng)
    without = _text(document.lines(OTHERS, False), rng)
    for claim in document.claims():
        text = render(claim.template, claim.values, rng)
        yield _row(document, with_fact, text, _VERDICTS.get(claim.label) or _unproven(text, with_fact))
    text = render(rng.choice(document.fact.says), document.values, rng)
    yield _row(document, without, text, _unproven(text, without))


def _row(document: FactDocument, premise: str, claim: str, verdict: str) -> Row:
    return {"premise": premise, "claim": claim, "verdict": verdict, "documents": [document.fact.name]}


def _text(lines: list[str], rng: random.Random) -> str:
    """The lines as paragraphs of one to four sentences."""
    paragraphs: list[str] = []
    while lines:
        size = rng.randint(1, 4)
        paragraphs.append(" ".join(lines[:size]))
        lines = lines[size:]
    return "\n\n".join(paragraphs)


def _unproven(claim: str, document: str) -> str:
    """``fabricated`` where a name or figure of the claim stands nowhere in the document, else ``unverifiable``."""
    known = {found.casefold() for found in _SPECIFIC.findall(document)}
    known |= set(re.findall(r"\w+", document.casefold()))
    specifics = [
        found for found in _SPECIFIC.findall(claim) if not claim.startswith(found) or found[0].isdigit()
    ]
    return "fabricated" if any(found.casefold() not in known for found in specifics) else "unverifiable"


def write_verdicts(path: Path, rows: int, seed: int) -> int:
    """Write the rows as JSON lines; answer how many."""
    made = verdict_rows(read_sheets(), rows, seed)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in made)
    return len(made)
