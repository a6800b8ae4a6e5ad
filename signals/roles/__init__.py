"""Two texts go in, where they disagree on who did what to whom comes out."""

from __future__ import annotations

from signals.roles.compare import Clash, clashes
from signals.roles.events import Event, Filler, events_in
from signals.roles.holders import other_holder

__all__ = ["Clash", "Event", "Filler", "clashes", "events_in", "other_holder"]
