"""Two texts compared for semantic roles: who did what to whom, who holds which office, what is said of whom."""

from __future__ import annotations

from verifier_signals.roles.clashes import RoleClash, role_clashes
from verifier_signals.roles.events import events_in
from verifier_signals.roles.fillers import Event, Filler
from verifier_signals.roles.holders import exchanged_holders, other_holder
from verifier_signals.roles.restatement import restated_event
from verifier_signals.roles.rivals import rival_denies, share_clause_piece

__all__ = [
    "Event",
    "Filler",
    "RoleClash",
    "events_in",
    "exchanged_holders",
    "other_holder",
    "restated_event",
    "rival_denies",
    "role_clashes",
    "share_clause_piece",
]
