"""A text goes in, its names come out, and whether two of them can name the same thing."""

from __future__ import annotations

from signals.names.alias import comparable, is_alias, stands_in
from signals.names.find import Name, Sort, names_in
from signals.names.slots import rival_of

__all__ = ["Name", "Sort", "comparable", "is_alias", "names_in", "rival_of", "stands_in"]
