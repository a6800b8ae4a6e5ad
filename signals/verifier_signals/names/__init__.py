"""A text goes in, its names come out, and whether two of them can name the same thing."""

from __future__ import annotations

from verifier_signals.names.alias import comparable, is_alias, is_known
from verifier_signals.names.find import names_in
from verifier_signals.names.rivals import can_be_rivals, may_be_one
from verifier_signals.names.slots import may_compete, rival_of
from verifier_signals.names.trace import is_ordinary, trace_of
from verifier_signals.names.types import Finder, Name, Sort
from verifier_signals.names.unnamed import is_subject, tie_of, unnamed_subjects

__all__ = [
    "Finder",
    "Name",
    "Sort",
    "can_be_rivals",
    "comparable",
    "is_alias",
    "is_known",
    "is_ordinary",
    "is_subject",
    "may_be_one",
    "may_compete",
    "names_in",
    "rival_of",
    "tie_of",
    "trace_of",
    "unnamed_subjects",
]
