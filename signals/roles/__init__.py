"""Two texts go in, where they disagree on who did what to whom comes out."""

from __future__ import annotations

from signals.roles.attached import attached
from signals.roles.attributed import attributed
from signals.roles.borne import told_of_all
from signals.roles.compare import Clash, clashes
from signals.roles.denial import denies, share_piece
from signals.roles.displaced import displaced
from signals.roles.events import events_in
from signals.roles.fillers import Event, Filler
from signals.roles.offices import exchanged_holders, other_holder

__all__ = [
    "Clash",
    "Event",
    "Filler",
    "attached",
    "attributed",
    "clashes",
    "denies",
    "displaced",
    "events_in",
    "exchanged_holders",
    "other_holder",
    "share_piece",
    "told_of_all",
]
