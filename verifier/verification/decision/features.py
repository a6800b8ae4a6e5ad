"""Named features of one window, from what the signals say of it, and how much of the claim it speaks of.

``FEATURES`` names all of ours that is weighed, :func:`signal_of` the signal that each comes from, ``IN_FAVOUR`` the
ones that may raise support; :mod:`verifier.verification.decision.summary` makes one vector of them. A third party's
signal brings its own features, under ``signal.feature``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from verifier_signals.types import Finding, Relation, SignalScore

from verifier.types import Span
from verifier.verification.evidence.windows import Window
from verifier.verification.statements import Factuality

__all__ = [
    "ABSENT",
    "COMPARING",
    "CONFLICTS",
    "FEATURES",
    "IN_FAVOUR",
    "NLI_FEATURES",
    "PRO",
    "READER_FEATURES",
    "WIDE",
    "WindowScores",
    "absent_from_all",
    "conflict_in",
    "conflicting_checks",
    "feature_names",
    "overlap",
    "reaching",
    "signal_of",
]

CONFLICTS: Mapping[str, tuple[str, str]] = {
    "number_conflict": ("number", "conflict"),
    "entity_conflict": ("entity", "conflict"),
    "role_conflict": ("entity", "role_conflict"),
    "polarity": ("negation", "polarity"),
    "antonym": ("negation", "antonym"),
    "quantifier": ("negation", "quantifier"),
    "modality": ("negation", "modality"),
    "condition": ("negation", "condition"),
}
"""Features that speak against a claim: name -> (signal, its feature)."""

PRO: Mapping[str, tuple[str, str]] = {
    "coverage": ("traceability", "coverage"),
    "order": ("traceability", "order"),
    "novel": ("traceability", "novel"),
    "number_match": ("number", "match"),
    "entity_match": ("entity", "match"),
    "entity_unknown": ("entity", "unknown"),
    "hedge": ("negation", "hedge"),
    "reach": ("negation", "reach"),
    "denial": ("negation", "denial"),
    "nli_entailment": ("nli", "entailment"),
    "nli_contradiction": ("nli", "contradiction"),
}
"""Features read from the window that speaks best for the claim."""

WIDE: Mapping[str, tuple[str, str]] = {
    "wide_coverage": ("traceability", "coverage"),
    "wide_entailment": ("nli", "entailment"),
    "wide_contradiction": ("nli", "contradiction"),
}
"""Features of which the highest counts, among the window that speaks best and the wider premises."""

ABSENT: Mapping[str, str] = {"number_absent": "number", "entity_absent": "entity"}
"""Features that are 1 where a value or a name stands neither in the window that speaks best nor in what is read
together with it: name -> signal."""

NLI_FEATURES = ("nli_entailment", "nli_contradiction", "wide_entailment", "wide_contradiction")

READER = "reader"
READER_FEATURES = (
    "reader_supported",
    "reader_contradicted",
    "reader_not_found",
    "reader_disputed",
    "reader_unheard",
)
"""What a reader that was asked says of a claim (:mod:`verifier.verification.consultation.answers`)."""

FEATURES: tuple[str, ...] = (
    *PRO,
    *ABSENT,
    *WIDE,
    "nearly_whole",
    *CONFLICTS,
    "cause",
    "number_untraced",
    "words_untraced",
    "borne_out",
    "ruled_out",
    "disputed",
    *READER_FEATURES,
)

_SIGNAL_OF: Mapping[str, str] = {
    **{name: signal for name, (signal, _) in {**PRO, **WIDE, **CONFLICTS}.items()},
    **ABSENT,
    "nearly_whole": "traceability",
    "cause": "negation",
    "number_untraced": "number",
    "words_untraced": "traceability",
    "borne_out": "negation",
    "ruled_out": "negation",
    "disputed": "traceability",
    **dict.fromkeys(READER_FEATURES, READER),
}
"""Which signal each of ``FEATURES`` comes from. ``disputed`` tells how much of the claim two documents that disagree
speak of, which traceability measures."""

OWN_SIGNALS = frozenset(_SIGNAL_OF.values())
"""Signals whose features are summed up by name; the others are read from the window that speaks best for the claim."""

COMPARING = ("number", "entity")
"""Signals that find a claim's values and names, and hold them against the evidence's."""

_KIND = {"role_conflict": frozenset({"role"}), "entity_conflict": frozenset({"name"})}
"""Kinds of the findings behind a conflict; those of the negation signal are named after their feature."""

_SHARES = frozenset(
    {
        "number_conflict",
        "entity_conflict",
        "role_conflict",
        "entity_unknown",
    }
)
"""Shares of a claim's values: one wrong or missing value among many makes the whole claim wrong or unproven, so
any share counts as 1."""

IN_FAVOUR = frozenset(
    {
        *("coverage", "nearly_whole", "order", "wide_coverage"),
        *("number_match", "entity_match"),
        *("nli_entailment", "wide_entailment"),
        "reader_supported",
        "borne_out",
        "denial",
    }
)
"""Features that may only raise the probability of ``supported``; every other one may only lower it."""


@dataclass(frozen=True)
class WindowScores:
    """One window with what each signal says of it; ``scores`` by signal name.

    Where it has the claim word for word (``stated``), all of it speaks about the claim, and no conflict that a rule
    sees in what stands beside it counts. Where the document does not assert what it says, and the claim does,
    ``barred`` says in which way; such a window never supports. ``read_as`` is the claim as it was read beside this
    window, in its forms of values.
    """

    window: Window
    scores: Mapping[str, SignalScore]
    stated: bool = False
    barred: Factuality | None = None
    read_as: str = ""

    def feature(self, signal: str, name: str) -> float:
        """A feature of a signal, 0 where that signal is switched off."""
        score = self.scores.get(signal)
        return score.features[name] if score is not None else 0.0

    def named(self, name: str) -> float:
        """One of ``FEATURES`` that is read from a single window."""
        if self.stated and name in CONFLICTS:
            return 0.0
        value = self.feature(*(CONFLICTS.get(name) or PRO[name]))
        return 1.0 if value > 0 and name in _SHARES else value

    @cached_property
    def alignment(self) -> float:
        """How much of the claim this window speaks about, in [0, 1]: what it covers, and what its values and names
        confirm or contradict.

        A window that says 1896 where the claim says 1894 is about the same opening, and one that says 75 minutes or
        two prices is about the hour and a quarter, or the sum, that follows from them. Of the part of the claim that is
        not covered, the share that stands in such a match or conflict counts as spoken about.
        """
        if self.stated:
            return 1.0
        compared = [
            item.claim_span
            for signal in COMPARING
            for item in self.findings(signal)
            if item.relation in (Relation.CONFLICT, Relation.MATCH)
        ]
        score = self.scores.get("traceability")
        return 0.0 if score is None else _spoken_of(score, compared)

    def findings(self, signal: str) -> tuple[Finding, ...]:
        """What a signal found here; nothing where it is switched off."""
        score = self.scores.get(signal)
        return score.findings if score is not None else ()

    def bears_out(self, share: float) -> bool:
        """Whether this window says that share of the claim, with all its values and names, and conflicts nowhere.

        One that the document does not assert says it too: whoever asks for support leaves those out (``barred``).
        """
        if self.stated:
            return True
        covers = self.alignment >= share and self.conflict == 0
        return covers and not any(self.feature(signal, "absent") for signal in ("number", "entity"))

    @property
    def is_denied(self) -> bool:
        """Whether the document says of what stands here that it is not so, or is so no longer."""
        return self.barred is not None and self.barred.denies

    @property
    def conflict(self) -> float:
        """The strongest conflict that a rule signal sees here, in [0, 1]."""
        return max(self.named(name) for name in CONFLICTS)


def signal_of(feature: str) -> str:
    """The signal that a feature comes from.

    >>> signal_of("coverage"), signal_of("readability.plain")
    ('traceability', 'readability')
    """
    return _SIGNAL_OF.get(feature) or feature.partition(".")[0]


def feature_names(vectors: Iterable[Mapping[str, float]]) -> tuple[str, ...]:
    """The features that any of these vectors has: ours in their order, then those of third parties by name."""
    further = {name for vector in vectors for name in vector} - set(FEATURES)
    return (*FEATURES, *sorted(further))


def conflict_in(reading: WindowScores, first: str | None = None) -> tuple[str, Finding] | None:
    """The conflict to name: of the feature ``first`` where it has one, else of the strongest that has; by signal."""
    ranked = sorted(CONFLICTS, key=lambda name: (name != first, -reading.named(name)))
    for name in ranked:
        signal, _ = CONFLICTS[name]
        kinds = _KIND.get(name) or (frozenset({name}) if signal == "negation" else None)
        for item in reading.findings(signal):
            if item.relation is Relation.CONFLICT and (kinds is None or item.kind in kinds):
                return signal, item
    return None


def conflicting_checks(reading: WindowScores) -> frozenset[str]:
    """The ids of the checks that find a conflict in a window."""
    signals = {signal for signal, _ in CONFLICTS.values()}
    found = (item for signal in sorted(signals) for item in reading.findings(signal))
    return frozenset(item.check for item in found if item.relation is Relation.CONFLICT)


def absent_from_all(readings: Iterable[WindowScores], *signals: str) -> dict[Span, str]:
    """Where values of the claim stand, with the values, that those signals find in none of these windows."""
    absent, found = dict[Span, str](), set[Span]()
    for reading in readings:
        for name in signals:
            for item in reading.findings(name):
                if item.relation is Relation.ABSENT:
                    absent[item.claim_span] = item.claim_value
                else:
                    found.add(item.claim_span)
    return {span: value for span, value in sorted(absent.items()) if span not in found}


def reaching(traced: Sequence[SignalScore], compared: Sequence[Span], share: float) -> Iterator[bool]:
    """Of each window of a claim, best first, whether it can speak of at least that share of what the best one covers.

    Args:
        traced: what traceability says of each.
        compared: spans of the claim, of all its values and names: what a window lacks of them it may contradict.
        share: in [0, 1].
    """
    return (_spoken_of(score, compared) >= share * traced[0].features["coverage"] for score in traced)


def _spoken_of(traced: SignalScore, compared: Sequence[Span]) -> float:
    """How much of a claim a window speaks about, in [0, 1]: what it covers, and what is compared of the rest.

    Args:
        traced: what traceability says of the window.
        compared: spans of the claim, of its values and names, that the window confirms or contradicts, or might.
    """
    coverage = traced.features["coverage"]
    missing = [item.claim_span for item in traced.findings if item.relation is Relation.ABSENT]
    spoken = sum(any(overlap(one, other) for other in compared) for one in missing)
    return coverage + (1.0 - coverage) * spoken / len(missing) if missing else coverage


def overlap(one: Span, other: Span) -> bool:
    """Whether two spans of one text share a code point."""
    return one[0] < other[1] and other[0] < one[1]
