"""A text goes in, the names that a spaCy pipeline sees in it come out."""

from __future__ import annotations

from functools import cached_property
from threading import Lock
from typing import Any

from verifier.core.errors import ConfigError
from verifier.core.registry import require
from verifier_signals.names.trained import TrainedNames
from verifier_signals.names.types import Sort

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


class SpacyNames(TrainedNames):
    """Finds names with a spaCy pipeline, and with the rules what it leaves.

    Args:
        pipeline: an installed pipeline (``en_core_web_sm``) or the folder of one.

    Raises:
        MissingExtra: on first use, where spaCy is not installed.
        ConfigError: on first use, where there is no such pipeline.
    """

    def __init__(self, pipeline: str) -> None:
        self.pipeline = pipeline
        self._lock = Lock()

    def spans(self, text: str) -> dict[tuple[int, int], str | None]:
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
