"""Text in, values out: numbers, units, dates, times and codes with exact spans, and how two of them compare."""

from __future__ import annotations

from verifier_signals.values.compare import compare, may_be_equal
from verifier_signals.values.context import ValueText, values_of
from verifier_signals.values.fields import label_units
from verifier_signals.values.figures import Figures
from verifier_signals.values.fit import Comparison, Fit
from verifier_signals.values.grammar import parse
from verifier_signals.values.issued import issued, tells
from verifier_signals.values.nearest import MOST_PAIRS
from verifier_signals.values.tie import tie
from verifier_signals.values.types import Date, Day, Form, Quantity, Value

__all__ = [
    "MOST_PAIRS",
    "Comparison",
    "Date",
    "Day",
    "Figures",
    "Fit",
    "Form",
    "Quantity",
    "Value",
    "ValueText",
    "compare",
    "issued",
    "label_units",
    "may_be_equal",
    "parse",
    "tells",
    "tie",
    "values_of",
]
