"""A claim's value with a date or quantity, and a row of columns headed by such in; the value of the column meant, out.

``H1 2025: 1,146; H1 2024: 1,203`` denies that there were 1,203 in June 2025; ``40 mg: 19; 20 mg: 11`` denies that 19
were on 20 mg.
"""

from __future__ import annotations

from collections.abc import Sequence

from verifier_signals.values.compare import compare
from verifier_signals.values.context import ValueText
from verifier_signals.values.fit import Fit
from verifier_signals.values.grammar import parse
from verifier_signals.values.rivals import Candidate
from verifier_signals.values.types import Value

__all__ = ["value_of_column"]


def value_of_column(
    claim: ValueText, value: Value, evidence: ValueText, row: Sequence[Candidate]
) -> Candidate | None:
    """The differing value that a row gives for the claim's date or quantity, where it gives the claim's own value for
    another one alone; ``None`` where no such head the columns, or the claim names both."""
    if value.dates:
        return None
    sentence = claim.sentence(value)
    heads = [
        one
        for one in claim.values
        if one is not value and _may_head(one) and sentence[0] <= one.start < sentence[1]
    ]
    stated = [one for one in row if one.comparison.fit is Fit.EQUAL]
    if (
        not heads
        or not stated
        or any(_column_fit(heads, evidence, one) is not Fit.DIFFERENT for one in stated)
    ):
        return None
    spans = {evidence.row_span(one.value) for one in stated}
    meant = [
        one
        for one in row
        if one.comparison.fit is Fit.DIFFERENT
        and evidence.row_span(one.value) in spans
        and _column_fit(heads, evidence, one) >= Fit.COMPATIBLE
    ]
    return meant[0] if len(meant) == 1 else None


def _column_fit(named: Sequence[Value], evidence: ValueText, one: Candidate) -> Fit:
    """How the claim's dates and quantities stand to the one that heads the column of a value: the best of them."""
    heads = [head for head in parse(evidence.label(one.value)) if _may_head(head)]
    return max((compare(own, head).fit for own in named for head in heads), default=Fit.UNRELATED)


def _may_head(value: Value) -> bool:
    """Whether a column may be headed by a value: a date, or a quantity with its unit."""
    return bool(value.dates) or value.kind == "unit"
