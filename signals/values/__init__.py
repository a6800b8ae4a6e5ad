"""Text in, values out: numbers, units, dates, times and codes with exact spans, and how two of them compare."""

from __future__ import annotations

from signals.values.compare import Fit, compare
from signals.values.context import ValueText, tie
from signals.values.grammar import parse
from signals.values.types import Date, Day, Form, Quantity, Value

__all__ = ["Date", "Day", "Fit", "Form", "Quantity", "Value", "ValueText", "compare", "parse", "tie"]
