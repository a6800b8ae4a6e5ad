"""A claim's value with its date, and a row of dated columns in; the value of the column that the claim means, out.

``H1 2025: 1,146; H1 2024: 1,203`` denies that there were 1,203 in June 2025.
"""

from __future__ import annotations

from collections.abc import Sequence

from signals.values.compare import compare
from signals.values.context import ValueText
from signals.values.fit import Fit
from signals.values.grammar import parse
from signals.values.rivals import Candidate
from signals.values.types import Value

__all__ = ["value_of_column"]


def value_of_column(
    claim: ValueText, value: Value, evidence: ValueText, row: Sequence[Candidate]
) -> Candidate | None:
    """The differing value that a row gives for the claim's date, where it gives the claim's own value for another date
    alone; ``None`` where the row has no dated columns, or the claim names both dates."""
    if value.dates:
        return None
    sentence = claim.sentence(value)
    dates = [one for one in claim.values if one.dates and sentence[0] <= one.start < sentence[1]]
    stated = [one for one in row if one.comparison.fit is Fit.EQUAL]
    if (
        not dates
        or not stated
        or any(_column_fit(dates, evidence, one) is not Fit.DIFFERENT for one in stated)
    ):
        return None
    spans = {evidence.row_span(one.value) for one in stated}
    meant = [
        one
        for one in row
        if one.comparison.fit is Fit.DIFFERENT
        and evidence.row_span(one.value) in spans
        and _column_fit(dates, evidence, one) >= Fit.COMPATIBLE
    ]
    return meant[0] if len(meant) == 1 else None


def _column_fit(dates: Sequence[Value], evidence: ValueText, one: Candidate) -> Fit:
    """How the claim's dates stand to the one that heads the column of a value: the best of them."""
    heads = [head for head in parse(evidence.label(one.value)) if head.dates]
    return max((compare(date, head).fit for date in dates for head in heads), default=Fit.UNRELATED)
