"""Dates of a claim that a document bears at its head count as stated in it.

A window of a policy says nothing of the policy's date: that stands in its first lines alone, or in its file's name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from verifier_signals.number import NumberSignal, amended
from verifier_signals.types import Finding, Relation
from verifier_signals.values import Date, Day, document_dates, gives_date, values_of

from verifier.types import Evidence
from verifier.verification.decision.features import WindowScores
from verifier.verification.retrieve import KnowledgeSource

__all__ = ["Heads", "dated", "heads_of"]

Heads = Callable[[Evidence], tuple[Date, ...]]
"""The dates that the document of an evidence bears."""

HEAD_CHARS = 600
"""Code points of a document in which its date is looked for: a title, a byline and the first sentences."""

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_NOTE = "the date of the document"


def heads_of(source: KnowledgeSource) -> Heads:
    """What gives the dates that a document bears, each document read once; those of its file's name alone where the
    source keeps no texts, or the document is a row of a file."""
    head_of = getattr(source, "document_head", None)

    @cache
    def read(doc_id: str) -> tuple[Date, ...]:
        return document_dates(head_of(doc_id, HEAD_CHARS) or "") if head_of is not None else ()

    def heads(item: Evidence) -> tuple[Date, ...]:
        name, _, row = item.source.replace("\\", "/").rpartition("/")[2].partition("#")
        years = tuple(Date(Day(int(year))) for year in dict.fromkeys(_YEAR.findall(name)))
        return years if row.isdecimal() else read(item.doc_id) or years

    return heads


def dated(claim: str, reading: WindowScores, heads: Heads) -> WindowScores:
    """The reading of a claim's window, a date counting as stated where the document of the window bears it.

    A conflict of dates stays one, but in the head itself (``Version of 2021. Replaces the rules of 2014``).
    """
    score = reading.scores.get(NumberSignal.name)
    if score is None or all(finding.relation is Relation.MATCH for finding in score.findings):
        return reading
    values = {(value.start, value.end): value for value in values_of(claim).values if value.dates}
    if not values:
        return reading
    dates = heads(reading.window.evidence)
    at_head = reading.window.start < HEAD_CHARS
    evidence = values_of(reading.window.premise)
    findings = tuple(
        _met(finding)
        if finding.claim_span in values
        and (finding.relation is Relation.ABSENT or (at_head and finding.relation is Relation.CONFLICT))
        and gives_date(values[finding.claim_span], evidence, dates)
        else finding
        for finding in score.findings
    )
    if findings == score.findings:
        return reading
    return replace(reading, scores={**reading.scores, NumberSignal.name: amended(score, findings)})


def _met(finding: Finding) -> Finding:
    return replace(finding, relation=Relation.MATCH, evidence_value=None, evidence_span=None, note=_NOTE)
