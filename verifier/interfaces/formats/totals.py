"""A run in; the lines that sum it up for people out."""

from __future__ import annotations

from collections import Counter

from verifier.interfaces.formats.base import Run, Unread

__all__ = ["total_line", "unread_line"]


def total_line(run: Run) -> str:
    """``3 texts: 2 approved, 1 rejected; 1 file could not be read``."""
    seen = Counter(text.report.decision.value.replace("_", " ") for text in run.checked)
    decisions = ", ".join(f"{number} {decision}" for decision, number in sorted(seen.items()))
    number = len(run.checked)
    told = f"{number} text{'' if number == 1 else 's'}" + (f": {decisions}" if decisions else "")
    lost = len(run.unread)
    return told + (f"; {lost} file{'' if lost == 1 else 's'} could not be read" if lost else "")


def unread_line(unread: Unread) -> str:
    """``could not be read: scan.pdf: no text``."""
    return " ".join(f"could not be read: {unread.name}: {unread.reason}".split())
