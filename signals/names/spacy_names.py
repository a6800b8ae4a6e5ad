"""A text goes in, the names that a spaCy pipeline sees in it come out, and the rules' where it sees none."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property, lru_cache
from threading import Lock
from typing import Any

from signals.names.find import names_in
from signals.names.types import Name, Sort
from signals.syntax import read
from verifier.core.errors import ConfigError
from verifier.core.registry import require
from verifier.core.text import unreadable_script

__all__ = ["SpacyNames"]

_SORTS = {
    "PERSON": Sort.PERSON,
    "PER": Sort.PERSON,
    "ORG": Sort.ORGANISATION,
    "GPE": Sort.PLACE,
    "LOC": Sort.PLACE,
    "FAC": Sort.PLACE,
    "WORK_OF_ART": Sort.TITLE,
    "PRODUCT": Sort.OTHER,
    "LAW": Sort.OTHER,
    "EVENT": Sort.OTHER,
    "MISC": Sort.OTHER,
}
"""Labels that are names; nationalities, languages, dates and figures are none."""


class SpacyNames:
    """Finds names with a spaCy pipeline, and with the rules what it leaves: codes, titles, products.

    Safe to call from several threads at once. Two finders are equal when they read with the same pipeline.

    Args:
        pipeline: an installed pipeline (``en_core_web_sm``) or the folder of one.

    Raises:
        MissingExtra: on first use, where spaCy is not installed.
        ConfigError: on first use, where there is no such pipeline.
    """

    def __init__(self, pipeline: str) -> None:
        self.pipeline = pipeline
        self._lock = Lock()

    def __call__(self, text: str) -> tuple[Name, ...]:
        """The names of a text in reading order, not overlapping."""
        found: tuple[Name, ...] = self._remembered(text)
        return found

    def spans(self, text: str) -> dict[tuple[int, int], str]:
        """The pipeline's own names, span to sort, without those of the rules."""
        with self._lock:
            found = self._pipeline(text).ents
        return {
            (item.start_char, item.end_char): _SORTS[item.label_] for item in found if item.label_ in _SORTS
        }

    @cached_property
    def _pipeline(self) -> Any:
        spacy = require("spacy", extra="spacy")
        try:
            return spacy.load(self.pipeline)
        except OSError as error:
            raise ConfigError(
                f"spaCy has no pipeline {self.pipeline!r}; install one (python -m spacy download en_core_web_sm) "
                "or give the folder of one"
            ) from error

    @cached_property
    def _remembered(self) -> Any:
        return lru_cache(maxsize=2048)(self._names)

    def _names(self, text: str) -> tuple[Name, ...]:
        if unreadable_script(text) is not None:
            return ()
        tokens = read(text).tokens
        starts, ends = [token.start for token in tokens], [token.end for token in tokens]
        names: list[Name] = []
        taken: set[int] = set()
        for (start, end), sort in self.spans(text).items():
            first, last = bisect_right(ends, start), bisect_left(starts, end)
            while first < last and (tokens[first].word.function or tokens[first].word.punct):
                first += 1
            if first < last:
                names.append(Name(text, tokens, first, last, sort))
                taken.update(range(first, last))
        names += [name for name in names_in(text) if taken.isdisjoint(range(name.first, name.last))]
        return tuple(sorted(names, key=lambda name: name.first))
