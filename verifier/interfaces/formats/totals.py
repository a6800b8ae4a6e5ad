"""The lines that sum up a run for people."""

from __future__ import annotations

from collections import Counter

from verifier.interfaces.formats.base import Checked, Run, Unread
from verifier.interfaces.formats.findings import State, findings

__all__ = ["baseline_lines", "total_line", "unread_line"]


def total_line(run: Run) -> str:
    """``3 texts: 2 approved, 1 rejected; 1 could not be read; against the baseline: none got worse``."""
    seen = Counter(text.report.decision.value.replace("_", " ") for text in run.checked)
    decisions = ", ".join(f"{number} {decision}" for decision, number in sorted(seen.items()))
    number = len(run.checked)
    told = f"{number} text{'' if number == 1 else 's'}" + (f": {decisions}" if decisions else "")
    told += f"; {len(run.unread)} could not be read" if run.unread else ""
    compared = [text for text in run.checked if text.changes]
    worse = sum(not text.passes for text in compared)
    return told + (f"; against the baseline: {worse or 'none'} got worse" if compared else "")


def unread_line(unread: Unread) -> str:
    """``could not be read: scan.pdf: no text``."""
    return " ".join(f"could not be read: {unread.name}: {unread.reason}".split())


def baseline_lines(text: Checked) -> list[str]:
    """What got worse since the baseline and which verdicts got better; nothing without a baseline."""
    if text.changes is None:
        return []
    found = findings(text)
    known = sum(one.state is State.KNOWN for one in found)
    worse = "; ".join(text.changes.reasons) or "nothing got worse"
    lines = [f"baseline: {worse}" + (f"; {known} fail{'s' if known == 1 else ''} as before" if known else "")]
    moved = (one for one in found if one.kind in ("worse", "better") and one.claim)
    return lines + [" ".join(f"{one.kind}: “{one.text}” {one.message}".split()) for one in moved]
