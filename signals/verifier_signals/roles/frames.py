"""A verb and its filled slots go in, the frame that tells which role each slot fills comes out."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from verifier_signals.lexicon import Frame, frames
from verifier_signals.stems import word_key

__all__ = ["frame_of"]

_FREE_SLOTS = ("subj", "obj", "to", "from", "against", "over")
"""Slots that are roles by themselves where no frame names two of those that are filled."""


def frame_of(verbs: Sequence[str], filled: Collection[str]) -> Frame:
    """The frame of a verb that gives a role to most of its filled slots.

    Args:
        verbs: the lemma with its particles and the bare lemma, as the table may list them, the likeliest first. Among
            frames that fit alike the first wins.
        filled: the slots that are filled. Where no frame gives two roles to them they are roles by themselves, and
            verbs of one meaning tell of one event: ``shut`` and ``close``.

    >>> frame_of(["report"], ["subj", "to"]).event, frame_of(["report"], ["subj", "obj"]).event
    ('hierarchy', 'report')
    """
    known = [frame for verb in verbs for frame in frames().get(verb, ())]
    best = max(known, key=lambda frame: _fit(frame, filled), default=None)
    if best is not None and _fit(best, filled) > 1:
        return best
    return Frame(word_key(verbs[-1]) or verbs[-1], {slot: slot for slot in _FREE_SLOTS})


def _fit(frame: Frame, filled: Collection[str]) -> int:
    """How many roles the filled slots fill."""
    return len({frame.roles[slot] for slot in filled if slot in frame.roles})
