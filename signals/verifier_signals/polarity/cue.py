"""The type of a word that denies, counts, obliges or hedges: what it is of, what it says there, where it stands."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Cue", "Share"]


class Share(NamedTuple):
    """Of how many things a quantifier speaks, as shares in [0, 1] of all of them; both ends are included."""

    low: float
    high: float


class Cue(NamedTuple):
    """One cue: what it is of, what it says there, its first token and one behind its last.

    ``negation``: value ``not``. ``quantifier``: the value is the word that stands for its kind (``all``, ``most``
    ...), ``share`` what it says as the word of a claim, ``told`` what it says as evidence, where ``some`` means not
    all. ``modal``: ``permit oblige must recommend``, after ``-`` when the word itself denies (``forbidden`` is
    ``-permit``). ``hedge``: value ``hedge``.
    """

    kind: str
    value: str
    first: int
    last: int
    share: Share = Share(0.0, 1.0)
    told: Share = Share(0.0, 1.0)

    @property
    def forbids(self) -> bool:
        """Whether it is a modal that denies by itself."""
        return self.kind == "modal" and self.value.startswith("-")
