"""Names in texts: which there are, and whether two of them can name the same thing."""

from __future__ import annotations

from verifier_signals.names.matching import can_be_rivals, comparable, is_alias, is_known, may_be_one
from verifier_signals.names.mentions import is_ordinary, mention_of
from verifier_signals.names.recognition import names_in
from verifier_signals.names.slots import (
    is_subject,
    may_compete,
    preposition_before,
    rival_of,
    unnamed_subjects,
)
from verifier_signals.names.types import Finder, Name, Sort

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
    "mention_of",
    "names_in",
    "preposition_before",
    "rival_of",
    "unnamed_subjects",
]
