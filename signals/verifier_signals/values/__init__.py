"""Values in texts: numbers, units, dates, times and codes with exact spans, and how two of them compare."""

from __future__ import annotations

from verifier_signals.values.alignment import MOST_PAIRS, ValueIndex, tie
from verifier_signals.values.comparison import compare, may_be_equal
from verifier_signals.values.context import ValueText, values_of
from verifier_signals.values.document_dates import document_dates, gives_date
from verifier_signals.values.extraction import parse
from verifier_signals.values.fields import label_units
from verifier_signals.values.types import Date, Day, Fit, Form, Quantity, Value, ValueComparison

__all__ = [
    "MOST_PAIRS",
    "Date",
    "Day",
    "Fit",
    "Form",
    "Quantity",
    "Value",
    "ValueComparison",
    "ValueIndex",
    "ValueText",
    "compare",
    "document_dates",
    "gives_date",
    "label_units",
    "may_be_equal",
    "parse",
    "tie",
    "values_of",
]
