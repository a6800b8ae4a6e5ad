"""A text goes in, the names that something trained sees in it come out, and the rules' where it sees none."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any

from verifier.core.text import unreadable_script
from verifier_signals.names.find import names_in
from verifier_signals.names.types import Name
from verifier_signals.syntax import read

__all__ = ["TrainedNames"]


class TrainedNames(ABC):
    """Finds names with something trained, and with the rules what it leaves: codes, titles, products; also those that
    hold a figure, where it sees a part only (``ISO`` of ``ISO 27001``).

    Safe to call from several threads at once.
    """

    def __call__(self, text: str) -> tuple[Name, ...]:
        """The names of a text in reading order, not overlapping."""
        found: tuple[Name, ...] = self._remembered(text)
        return found

    @abstractmethod
    def spans(self, text: str) -> Mapping[tuple[int, int], str | None]:
        """Its own names, span to sort, without those of the rules; ``None`` for a sort that the rules are to tell."""

    @cached_property
    def _remembered(self) -> Any:
        return lru_cache(maxsize=2048)(self._names)

    def _names(self, text: str) -> tuple[Name, ...]:
        if unreadable_script(text) is not None:
            return ()
        tokens = read(text).tokens
        starts, ends = [token.start for token in tokens], [token.end for token in tokens]
        ruled = names_in(text)
        numbered = [name for name in ruled if any(map(str.isdecimal, name.text))]
        names: list[Name] = []
        taken: set[int] = set()
        for (start, end), sort in self.spans(text).items():
            first, last = bisect_right(ends, start), bisect_left(starts, end)
            while first < last and (tokens[first].word.function or tokens[first].word.punct):
                first += 1
            whole = any(
                name.first <= first and last <= name.last and last - first < name.last - name.first
                for name in numbered
            )
            if first < last and not whole:
                names.append(Name(text, tokens, first, last, sort))
                taken.update(range(first, last))
        names += [name for name in ruled if taken.isdisjoint(range(name.first, name.last))]
        return tuple(sorted(names, key=lambda name: name.first))
