"""Two texts compared for semantic roles: who did what to whom, who holds which office, what is said of whom."""

from __future__ import annotations

from verifier_signals.roles.attribution import attached_to_another, attributed_to_another
from verifier_signals.roles.clashes import RoleClash, role_clashes
from verifier_signals.roles.displacement import displaced_names, rival_denies, share_clause_piece
from verifier_signals.roles.events import events_in
from verifier_signals.roles.fillers import Event, Filler
from verifier_signals.roles.holders import exchanged_holders, other_holder
from verifier_signals.roles.restatement import restated_event

__all__ = [
    "Event",
    "Filler",
    "RoleClash",
    "attached_to_another",
    "attributed_to_another",
    "displaced_names",
    "events_in",
    "exchanged_holders",
    "other_holder",
    "restated_event",
    "rival_denies",
    "role_clashes",
    "share_clause_piece",
]
