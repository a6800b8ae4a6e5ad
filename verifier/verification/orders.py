"""A window in; the same with the order in which its passage writes day and month before its premise out.

``Opened on 10/3/2008`` is a day of March where another date of the passage shows it, or the passage says so.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from verifier_signals.values import values_of
from verifier_signals.values.orders import orders_of

from verifier.verification.windows import Window

__all__ = ["with_order"]

_IN_FIGURES = re.compile(r"\d[-/.]\s?\d{1,2}[-/.]\s?\d\d")
_SAID = {"dm": "Dates are DD/MM/YYYY. ", "md": "Dates are MM/DD/YYYY. "}


def with_order(window: Window) -> Window:
    """The window, told of the order of its passage where it has a date in figures that does not show it.

    >>> from verifier.types import Evidence
    >>> from verifier.verification.windows import windows_of
    >>> text = "It was due on 24/5/2019. It came on 2/6/2019."
    >>> with_order(list(windows_of(Evidence("d", "d.md", text, 0, len(text), 1.0)))[1]).premise
    'Dates are DD/MM/YYYY. It came on 2/6/2019.'
    """
    if not _IN_FIGURES.search(window.premise) or _shown(window.premise) is not None:
        return window
    order = _shown(window.evidence.text)
    if order is None:
        return window
    said = _SAID[order]
    segments = tuple((start + len(said), end + len(said), at) for start, end, at in window.segments)
    return replace(window, premise=said + window.premise, segments=segments)


@lru_cache(maxsize=512)
def _shown(text: str) -> str | None:
    """The one order that the dates of a text show; ``None`` where they show none or both."""
    found = orders_of(values_of(text).values)
    return next(iter(found)) if len(found) == 1 else None
