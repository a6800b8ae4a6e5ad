"""Text in, values out: numbers, units, dates, times and codes with exact spans, and how two of them compare."""

from __future__ import annotations

from signals.values.compare import compare, may_be_equal
from signals.values.context import ValueText, values_of
from signals.values.fields import label_units
from signals.values.figures import Figures
from signals.values.fit import Comparison, Fit
from signals.values.grammar import parse
from signals.values.issued import issued, tells
from signals.values.nearest import MOST_PAIRS
from signals.values.tie import tie
from signals.values.types import Date, Day, Form, Quantity, Value

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
