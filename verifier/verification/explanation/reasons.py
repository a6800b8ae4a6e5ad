"""The reason of a verdict in plain words, with the pair of values and where they stand."""

from __future__ import annotations

from collections.abc import Iterator

from verifier_signals.types import Finding, Relation

from verifier.core.lines import line_ends, paragraph_ends
from verifier.core.text import sentence_spans
from verifier.knowledge.formats.office.sheet import CELLS, cells_at
from verifier.types import Evidence, Quote, Verdict
from verifier.verification.consultation.answers import PROVEN, Consulted
from verifier.verification.decision.features import WindowScores, absent_from_all, conflict_in
from verifier.verification.decision.subjects import OfAnother
from verifier.verification.decision.summary import ClaimCase
from verifier.verification.decision.verdict import Decided
from verifier.verification.evidence.windows import Window
from verifier.verification.statements import Factuality

__all__ = ["explain", "locate", "locate_quote"]

_PAGES = {"pptx": "slide", "odp": "slide"}
"""What a page of a format is called, where it is not a page."""
MAX_QUOTE = 120
"""Longest quotation in a reason, in code points; the evidence itself is in the report, whole."""


def explain(case: ClaimCase, decided: Decided) -> str:
    """One or two sentences that name both values and their place."""
    if case.consulted is not None and case.consulted.answer is not None:
        return _as_read(case, case.consulted, decided)
    if case.unasserted is not None and decided.verdict in (Verdict.CONTRADICTED, Verdict.UNVERIFIABLE):
        return _not_asserted(case.unasserted)
    if case.of_another is not None and decided.verdict is Verdict.UNVERIFIABLE and not decided.conflict:
        return _said_of_another(case.of_another)
    if case.pro is None:
        if decided.verdict is Verdict.FABRICATED:
            return _untraced(case)
        if not case.readings:
            return "no evidence was found"
        return f"the documents mention it without asserting it; {_not_asserted(case.readings[0])}"
    if decided.conflict and case.dispute is not None:
        confirming, disputing = case.dispute
        against = _conflict(disputing, decided.feature) or _quoted(disputing)
        return f"sources disagree: {_quoted(confirming)} against {against}"
    match decided.verdict:
        case Verdict.SUPPORTED:
            return _supported(case.pro)
        case Verdict.CONTRADICTED:
            return _contradicted(case.con or case.pro, decided)
        case Verdict.FABRICATED:
            return _untraced(case)
        case Verdict.UNVERIFIABLE:
            if decided.withheld is Verdict.CONTRADICTED:
                chance = decided.probabilities[Verdict.CONTRADICTED]
                closest = case.con or case.pro
                told = _conflict(closest, decided.feature) or f"closest evidence: {_quoted(closest)}"
                return f"possibly contradicted ({chance:.0%}), but not certain enough: {told}"
            if decided.withheld:
                chance = decided.probabilities[Verdict.SUPPORTED]
                lacks = f"; the evidence lacks {_listed(list(case.beyond))}" if case.beyond else ""
                return f"probably supported ({chance:.0%}), but not certain enough: {_supported(case.pro)}{lacks}"
            return _undecided(case, case.pro)


_NOT_ASSERTED = {
    Factuality.DENIED: "the document denies it",
    Factuality.ATTRIBUTED: "the document only reports that someone says so",
    Factuality.HYPOTHETICAL: "the document only says what would or could be",
    Factuality.ASKED: "the document only asks whether it is so",
    Factuality.ENDED: "the document says that it is no longer so",
    Factuality.PLANNED: "the document only says that it is planned",
}


def _not_asserted(reading: WindowScores) -> str:
    """That a document says the claim without asserting it, and how it says it."""
    told = _NOT_ASSERTED[reading.barred] if reading.barred is not None else "the document does not assert it"
    return f"{told}: {_quoted(reading)}"


def _said_of_another(told: OfAnother) -> str:
    """That the evidence says of another what the claim says, and of whom."""
    window = told.window
    theirs = " ".join(window.premise[slice(*told.theirs)].split())
    place = locate(window.evidence, (window.start, window.end))
    return f"the evidence says this about “{theirs}”: “{_short(window.as_evidence().text)}” ({place})"


def _contradicted(reading: WindowScores, decided: Decided) -> str:
    return _conflict(reading, decided.feature) or f"evidence differs: {_quoted(reading)}"


def _as_read(case: ClaimCase, consulted: Consulted, decided: Decided) -> str:
    """The reason of a claim that a reader has answered: what it quotes, and its note."""
    note = consulted.reading.note.rstrip(".")
    quotes = [
        f"“{_short(one.text)}” ({locate(one.evidence, (one.start, one.end))})" for one in consulted.quoted
    ]
    if consulted.unproven:
        lost = "its quotation is not in the evidence"
        shown = lost if consulted.lost else "it quotes nothing that shows this"
        return f"the reader says {consulted.reading.answer}, but {shown}"
    if decided.conflict:
        if consulted.insisted and not consulted.reading.disputed:
            return f"the reader says {consulted.answer} and repeats it when asked again, but: {consulted.objection}"
        return f"sources disagree: {' against '.join(quotes) or note}"
    said = quotes[0] if quotes else _nearest_piece(case)
    match decided.verdict:
        case Verdict.SUPPORTED:
            return f"evidence says {said}" + (f": {note}" if note else "")
        case Verdict.CONTRADICTED:
            told = next((text for one in consulted.windows if (text := _conflict(one, PROVEN[0]))), None)
            return told or f"evidence says otherwise: {said}" + (f": {note}" if note else "")
        case Verdict.FABRICATED:
            return _untraced(case) if case.untraced else f"the evidence does not mention it: {note}"
        case Verdict.UNVERIFIABLE:
            chance = (
                f"probably supported ({decided.probabilities[Verdict.SUPPORTED]:.0%}), but not certain enough"
            )
            told = chance if decided.withheld else "neither confirmed nor contradicted"
            return f"{told}: {note}; closest evidence: {said}"


def _nearest_piece(case: ClaimCase) -> str:
    """The window that says most of the claim, where the reader quotes nothing."""
    return _quoted(case.pro) if case.pro is not None else "nothing"


def locate(evidence: Evidence, span: tuple[int, int] | None = None) -> str:
    """``refunds.md, line 12``, ``recall.pdf, page 2``, ``fees.xlsx!Cards#4, cell B4``, ``offer.docx, paragraph 3 under
    “Prices”``; characters of what was read where there is none of these."""
    start, end = span or (evidence.start, evidence.end)
    if cells := cells_at(str(evidence.metadata.get(CELLS, "")), start, end):
        return f"{evidence.source}, {cells}"
    told = locate_quote(evidence.narrowed(start, end).quotation)
    name = _PAGES.get(str(evidence.metadata.get("format")))
    return told if name is None else told.replace(f", page {evidence.page}", f", {name} {evidence.page}")


def locate_quote(quote: Quote) -> str:
    """The same of a quotation; without a source it is of the response."""
    source = "response" if quote.source is None else quote.source
    if quote.page is not None:
        return f"{source}, page {quote.page}"
    if quote.start is None:
        return source
    if quote.paragraph is not None:
        last = quote.paragraph + paragraph_ends(quote.text.strip())
        kind = "table at " if quote.text.lstrip().startswith("|") else ""
        return f"{source}, {kind}{_paragraphs(quote.paragraph, last, quote.section)}"
    if quote.line is None:
        return f"{source}, characters {quote.start}-{quote.end}"
    last = quote.line + line_ends(quote.text)
    return f"{source}, line {quote.line}" if last == quote.line else f"{source}, lines {quote.line}-{last}"


def _paragraphs(first: int, last: int, section: str | None) -> str:
    """``paragraph 3 under “Prices”``, ``paragraphs 3-4 under “Prices”``, ``heading “Prices”``."""
    named = "" if section is None else f"“{_short(section)}”"
    if not last:
        return f"heading {named}".rstrip()
    first = max(first, 1)  # the heading is named as it is
    numbers = f"paragraph {first}" if first == last else f"paragraphs {first}-{last}"
    return f"{numbers} under {named}" if named else numbers


def _findings(reading: WindowScores, relation: Relation, *signals: str) -> Iterator[Finding]:
    for name in signals:
        yield from (item for item in reading.findings(name) if item.relation is relation)


def _conflict(reading: WindowScores, feature: str) -> str | None:
    """``claim says 60 days, evidence says 30 days (...)`` for the conflict of this window that decided."""
    found = conflict_in(reading, feature)
    if found is None:
        return None
    finding = found[1]
    said, told = finding.claim_value.rstrip("."), _evidence_says(finding).rstrip(".")
    note = f" ({finding.note})" if finding.note else ""
    if said.casefold() == told.casefold():
        return f"evidence has {said} in a different place{note}: {_quoted(reading)}"
    ours = f"says {said}" if said else "leaves it out"
    return f"claim {ours}, evidence says {told}{note} ({_place(reading.window, finding)})"


def _evidence_says(finding: Finding) -> str:
    return " ".join(finding.evidence_value.split()) if finding.evidence_value else "otherwise"


def _place(window: Window, finding: Finding) -> str:
    found = window.place_of(finding.evidence_span) if finding.evidence_span else None
    return locate(*found) if found else locate(window.evidence, (window.start, window.end))


def _supported(pro: WindowScores) -> str:
    noted = next((item for item in _findings(pro, Relation.MATCH, "number", "entity") if item.note), None)
    pair = (
        f"{noted.claim_value} matches {noted.evidence_value or 'what is known'} ({noted.note}): "
        if noted
        else ""
    )
    return f"{pair}evidence says {_quoted(pro)}"


def _untraced(case: ClaimCase) -> str:
    """What the knowledge base never mentions, names and values first; failing that, what nothing retrieved has."""
    specifics = _absent(case.readings, "number", "entity")
    if case.untraced:
        ordered = sorted(case.untraced, key=lambda value: value not in specifics)
        return f"the knowledge base never mentions {_listed(ordered)}"
    missing = specifics or _absent(case.readings, "traceability")
    if missing:
        return f"nothing in the knowledge base says this about {_listed(missing)}"
    return "the knowledge base never mentions what it asserts"


def _undecided(case: ClaimCase, pro: WindowScores) -> str:
    hedges = list(_findings(pro, Relation.CONFLICT, "negation"))
    nearest = f"closest evidence: {_quoted(pro)}"
    if case.left_out:
        return f"{case.left_out} of its figures and names were not compared because there are too many; {nearest}"
    if case.beyond:
        return f"the evidence lacks {_listed(list(case.beyond))}; the rest repeats {_quoted(pro)}"
    if hedges and hedges[0].evidence_value:
        return f"the evidence only says {hedges[0].evidence_value!r}; {nearest}"
    missing = _absent((pro,), "number", "entity") or _absent((pro,), "traceability")
    if missing:
        lacks = f"the closest evidence lacks {_listed(missing)}: {_quoted(pro)}"
        return f"nothing found confirms or contradicts it; {lacks}"
    return f"nothing found confirms or contradicts it; {nearest}"


def _absent(readings: tuple[WindowScores, ...], *signals: str) -> list[str]:
    """Values of the claim that are absent from every one of these windows, in order of appearance."""
    return [*absent_from_all(readings, *signals).values()]


def _listed(values: list[str], most: int = 3) -> str:
    """The first values in quotes, without those that are part of another one."""
    whole = [one for one in values if not any(one != other and one in other for other in values)]
    shown = ", ".join(f"'{value}'" for value in whole[:most])
    return shown + (f" and {len(whole) - most} more" if len(whole) > most else "")


def _quoted(reading: WindowScores) -> str:
    """The text of the window; of a long one as much as fits, from the sentence on that has most of the claim."""
    window = reading.window
    text = " ".join(window.as_evidence().text.split())
    if len(text) > MAX_QUOTE:
        at = _nearest_sentence(reading)
        text = ("… " if at else "") + " ".join(window.as_evidence().text[at:].split())
    return f"“{_short(text)}” ({locate(window.evidence, (window.start, window.end))})"


def _short(text: str) -> str:
    """At most as much as fits into a reason, on one line."""
    text = " ".join(text.split())
    return text if len(text) <= MAX_QUOTE else text[: MAX_QUOTE - 1].rstrip() + "…"


def _nearest_sentence(reading: WindowScores) -> int:
    """Where the sentence of the window's own text begins that has most words of the claim; the first among equals."""
    window = reading.window
    places = [
        window.place_of(item.evidence_span)
        for item in _findings(reading, Relation.MATCH, "traceability", "number", "entity")
        if item.evidence_span is not None
    ]
    told = [span[0] - window.start for evidence, span in filter(None, places) if evidence is window.evidence]
    sentences = sentence_spans(window.as_evidence().text)
    return max(sentences, key=lambda one: sum(one[0] <= at < one[1] for at in told), default=(0, 0))[0]
