"""A text goes in, its names come out, and whether two of them can name the same thing."""

from __future__ import annotations

from signals.names.alias import comparable, is_alias, is_known
from signals.names.find import names_in
from signals.names.rivals import can_be_rivals, may_be_one
from signals.names.slots import may_compete, rival_of
from signals.names.trace import is_ordinary, trace_of
from signals.names.types import Finder, Name, Sort
from signals.names.unnamed import is_subject, tie_of, unnamed_subjects

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
