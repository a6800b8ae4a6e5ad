"""Two texts go in, where they disagree on who did what to whom comes out."""

from __future__ import annotations

from verifier_signals.roles.attached import attached
from verifier_signals.roles.attributed import attributed
from verifier_signals.roles.borne import told_of_all
from verifier_signals.roles.compare import Clash, clashes
from verifier_signals.roles.denial import denies, share_piece
from verifier_signals.roles.displaced import displaced
from verifier_signals.roles.events import events_in
from verifier_signals.roles.fillers import Event, Filler
from verifier_signals.roles.offices import exchanged_holders, other_holder

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
