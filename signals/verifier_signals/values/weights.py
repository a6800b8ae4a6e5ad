"""Weights and thresholds by which values are tied to what they measure.

They are chosen by ``python -m benchmarks.signals number --fit``: from where they stand, one constant after the other is
moved to the value at which the tuning half of ``corpora/signals/number.jsonl`` is read best, until none moves. The
other half of that corpus is never searched; ``python -m benchmarks.signals number`` prints both.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["TIE_WEIGHTS", "TieWeights"]


class TieWeights(NamedTuple):
    """Weights and thresholds, all in [0, 1] but where it says otherwise."""

    step: float = 0.2
    """How fast nearness falls with each content word in between: ``1 / (1 + step * distance)``."""
    shared_step: float = 0.12
    """The same for the words before the first value of a kind, which all its values share."""
    not_shared: float = 0.5
    """Share that is left of these where the value's part of the sentence has words of its own before the value."""
    of_another: float = 0.15
    """Share that is left of words in the part of another value of the same kind."""
    barrier: float = 2.0
    """A comma, a conjunction or another value in between counts as this many words."""
    elsewhere: float = 0.12
    """Nearness of words outside the sentence: what the whole text is about."""
    name_elsewhere: float = 0.5
    """The same of names."""
    name: float = 0.5
    """Names weigh less than what is said of them, but in a table, where they tell the row."""
    unknown: float = 0.5
    """What a word of the claim weighs that stands nowhere in the evidence, which may use a pronoun for it."""
    anchor: float = 2.0
    """Years, codes and other figures in the claim that name the case weigh this much more than plain words."""
    inherited: float = 0.81
    """Nearness of the noun that is left out behind a count and was named behind the one before (``and 14 others``)."""
    same_row: float = 0.4
    """Nearness of the other cells of a row."""
    row_of_head: float = 0.8
    """The same to a figure in its first cell."""
    prose_cell: float = 0.15
    """The same of cells so long that they are prose."""
    label_of_prose: float = 0.5
    """Nearness of the label to a figure in a cell of several words."""
    match: float = 0.15
    """A small round number needs this tie to be more than the same number by chance."""
    instance: float = 0.4
    """A case that a limit of the evidence covers needs this tie to be backed by it."""
    conflict: float = 0.4
    """A different value is a conflict only when it measures the same thing this surely."""
    conflict_date: float = 0.5
    conflict_time: float = 0.45
    conflict_code: float = 0.65
    conflict_ordinal: float = 0.6
    common: float = 0.35
    """So much of a conflict's tie must come from words other than names: all in a text is about its subject."""
    sure: float = 0.2
    """Tie enough where two figures are written alike, or are the only ones of their kind in the row that is named."""
    same_month: float = 0.3
    """Tie enough for ``March 2026`` against ``March 2027``, which differ in the year alone."""
    other_head: float = 0.3
    """Counts of other things (``4 towers``, ``3 piers``) keep this share of their tie."""
    unsaid_head: float = 0.7
    """The same where the evidence leaves out what it counts."""
    other_size: float = 0.2
    """Added to the tie that a figure needs which is more than fifty times as large."""
    better: float = 0.12
    """A different value must fit the claim's words better than an equal one by this much to outvote it."""
    particular: float = 0.33
    """The same where the equal value has three digits or is a year, and is less easily met by chance."""
    unique: float = 0.45
    """The same where it has five digits or is a full date."""
    apart: float = 0.1
    """Added to these where the two stand in different sentences, as nearness says less across sentences."""
    beside: float = 1.0
    """What another value weighs that both texts have, beside words: it names the case."""
    preposition: float = 1.0
    """What it weighs that only one of the two has the preposition of the claim's value (``after``, ``until``)."""
    missing: float = 0.55
    """What a word of the evidence weighs, against the value it stands at, that the claim lacks."""
    reckoned: float = 0.3
    """The tie that a value needs from which the claim's is reckoned."""
    shrink: float = 0.5
    """Added to the sum of what tells two values apart: little of it says little."""
    contrast: float = 0.3
    """Or of what tells the two apart, so much more must speak for the different one; by how particular the other is:"""
    contrast_particular: float = 0.4
    contrast_unique: float = 0.4


TIE_WEIGHTS = TieWeights()
