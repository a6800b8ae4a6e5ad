"""Checks of the negation signal that read several passages at once: rows of a table, or sentences."""

from __future__ import annotations

from verifier_signals.checks.check import Check, Example, catalogue
from verifier_signals.types import Relation

__all__ = ["LOOKED_UP", "PASSAGES", "RANKED", "TOLD_OF_ALL"]

RANKED = "negation.ranked-by-figures"
LOOKED_UP = "negation.looked-up"
TOLD_OF_ALL = "negation.told-of-all"

_ANY = frozenset(Relation)
_HUTS = "Hut: Elm; Height: 2,115 m; Dogs: no; Beds: 46\nHut: Oak; Height: 1,880 m; Dogs: yes; Beds: 64"
_CHOIR = "It was founded in 1921.\nThe new organ was dedicated on 4 May 1937.\nThe tower burnt down in 1934."

PASSAGES = catalogue(
    (
        Check(
            RANKED,
            "passages",
            "Figures or dates of several passages settle a comparison, a superlative or an order.",
            _ANY,
            fires=(
                Example(_HUTS, "The Elm hut lies higher than the Oak hut."),
                Example(_HUTS, "The Oak hut has fewer beds than the Elm hut."),
            ),
            silent=(
                Example(_HUTS, "The Elm hut is older than the Oak hut."),
                Example(_CHOIR, "The choir was founded in 1921."),
            ),
        ),
        Check(
            LOOKED_UP,
            "passages",
            "The row that the claim names states what it says, or something else.",
            _ANY,
            fires=(
                Example(_HUTS, "The Elm hut has 46 beds."),
                Example(_HUTS, "Dogs are allowed in the Elm hut."),
            ),
            silent=(
                Example(_HUTS, "The Elm hut has a sauna."),
                Example(_HUTS, "The Birch hut has 46 beds."),
            ),
        ),
        Check(
            TOLD_OF_ALL,
            "passages",
            "A passage tells the deed from its other side, with all that the claim says of it.",
            frozenset({Relation.MATCH}),
            fires=(
                Example("Veld Bank owns Orla Energy.", "Orla Energy belongs to Veld Bank."),
                Example(
                    "Mara Quist sold the mill to Tom Ebers.", "Tom Ebers bought the mill from Mara Quist."
                ),
            ),
            silent=(
                Example("Mara Quist sold the mill.", "Tom Ebers bought the mill from Mara Quist."),
                Example("Veld Bank owns Orla Energy.", "Orla Energy owns Veld Bank."),
            ),
        ),
    )
)
