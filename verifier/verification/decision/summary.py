"""One feature vector for a claim, from all its windows, with the two windows that it speaks of.

``nearly_whole`` is the fourth power of the coverage: what separates a claim that is covered but for one word from one
that is covered but for a quarter, where a straight line in coverage cannot.

Only windows that cover nearly as much of the claim as the best one does are about the same thing: evidence about
something else neither confirms nor contradicts. Two of them matter: ``pro`` speaks best for the claim, covering
most of it and conflicting least; ``con`` speaks most strongly against it.

Where a window bears the whole claim out, a neighbour that says something else says it of something else: the other fare
of a list, the other ship of a fleet. Such conflicts are *settled* and count no more, except between documents, where
they are a disagreement, and against a window that speaks of less of the claim than they do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from verifier_signals.number import leaves_open
from verifier_signals.types import NOT_COMPARED, Relation

from verifier.types import Basis, Claim, Evidence, Span
from verifier.verification.consultation.answers import Consulted, reader_features
from verifier.verification.decision.disputes import Dispute, dispute_in, of_prose, one_document, spoken_of
from verifier.verification.decision.features import (
    ABSENT,
    COMPARING,
    CONFLICTS,
    FEATURES,
    OWN_SIGNALS,
    PRO,
    WIDE,
    WindowScores,
    overlap,
)
from verifier.verification.decision.joined_facts import Related
from verifier.verification.decision.subjects import OfAnother

__all__ = ["ClaimCase", "ReadClaim", "least_alignment", "summarise"]

_OF_OTHERS = ("role_conflict", "entity_conflict")
"""Conflicts by which a window tells of others what the claim tells."""
_VALUES = ("number_conflict", "entity_conflict")
"""Conflicts of values and names, which another window may state."""
_PART_END = re.compile(r"[,;](?=\s)")
_OF_THE_UNHEARD = ("words_untraced", "entity_unknown")
"""Features that speak for *fabricated*. They say nothing where evidence about the same thing denies the claim: a name
in the place of another is a wrong one, whether anybody has heard of it or not."""


@dataclass(frozen=True, slots=True)
class ReadClaim:
    """A claim with the readings of its windows, best covered first; none when nothing was retrieved.

    ``wide`` are those of the wider premises (:mod:`verifier.verification.evidence.premises`), read by traceability and
    NLI only. ``words_untraced`` is the share in [0, 1] of its content words that the knowledge base never mentions, and
    ``untraced`` quotes what it never mentions: words, names and values, in the claim's order. ``settled`` is what
    several places together say of its comparison, superlative or order, where they do. ``beyond`` quotes what it adds
    to a sentence that it repeats (:mod:`verifier.verification.decision.verbatim`). ``retrieved`` are the passages that
    were found, in the order of retrieval; ``consulted`` is what a reader said of it, where one was asked.
    """

    claim: Claim
    readings: tuple[WindowScores, ...]
    wide: tuple[WindowScores, ...]
    words_untraced: float
    untraced: tuple[str, ...] = ()
    settled: Related | None = None
    beyond: tuple[str, ...] = ()
    retrieved: tuple[Evidence, ...] = ()
    consulted: Consulted | None = None
    of_another: OfAnother | None = None
    own_untraced: float = 1.0
    """``words_untraced`` of the words that the prompt does not say alone; ``untraced`` quotes only these."""
    basis: Basis | None = None
    neutral: frozenset[str] = frozenset()
    """Features that are switched off: the weights are fed 0, and no rule hears of them."""

    @property
    def stated(self) -> bool:
        """Whether a document states the claim word for word."""
        return any(reading.stated for reading in self.readings)


@dataclass(frozen=True)
class ClaimCase:
    """A read claim summed up: its features, and the two windows they speak of; ``stated`` word for word or not, and
    ``beyond``, which quotes what it adds to a sentence that it repeats.

    ``unasserted`` is a window that says the whole claim, though the document does not assert it there (it denies it,
    asks it, imagines it), where nothing that it asserts bears the claim out. ``of_another`` is what the documents say
    of another than its subject, and nowhere of that. ``own`` has the features that speak for *fabricated* by what the
    claim says without its prompt, where that completes it.
    """

    claim: Claim
    readings: tuple[WindowScores, ...]
    features: Mapping[str, float]
    pro: WindowScores | None
    con: WindowScores | None
    untraced: tuple[str, ...] = ()
    settled: Related | None = None
    dispute: Dispute | None = None
    stated: bool = False
    beyond: tuple[str, ...] = ()
    consulted: Consulted | None = None
    unasserted: WindowScores | None = None
    of_another: OfAnother | None = None
    own: Mapping[str, float] = field(default_factory=dict)

    def sources_disagree(self, confirmed_at: float) -> bool:
        """Whether one document confirms the claim and another says otherwise about the same thing: both speak of at
        least ``confirmed_at`` of it."""
        return self.dispute is not None and spoken_of(self.dispute) >= confirmed_at

    @property
    def denied(self) -> bool:
        """Whether a document says of the claim that it is not so, or is so no longer."""
        return self.unasserted is not None and self.unasserted.is_denied

    @property
    def left_out(self) -> int:
        """How many of its figures and names were not compared, since it has too many; 0 where it is stated whole."""
        if self.pro is None or self.stated:
            return 0
        found = (item for score in self.pro.scores.values() for item in score.findings)
        return sum(item.note == NOT_COMPARED for item in found)


def summarise(read: ReadClaim, *, same_thing: float) -> ClaimCase:
    """Sum up the readings of a claim; what is switched off (``read.neutral``) is 0.

    Args:
        read: the claim and its readings.
        same_thing: in [0, 1]; a window speaks about the same thing as the best one when it covers at least
            this share of what the best one covers, and bears the claim out only when it covers this share of it.
    """
    if not read.neutral:
        return _summed_up(read, same_thing)
    silenced = tuple(_silenced(reading, read.neutral) for reading in read.readings)
    case = _summed_up(replace(read, readings=silenced), same_thing)
    features, own = (
        {name: 0.0 if name in read.neutral else value for name, value in some.items()}
        for some in (case.features, case.own)
    )
    return replace(case, features=features, own=own)


def _silenced(reading: WindowScores, names: Set[str]) -> WindowScores:
    """The same without those conflicts."""
    scores = dict(reading.scores)
    for signal, feature in (CONFLICTS[name] for name in names if name in CONFLICTS):
        if signal in scores:
            score = scores[signal]
            scores[signal] = replace(score, features={**score.features, feature: 0.0})
    return replace(reading, scores=scores)


def _summed_up(read: ReadClaim, same_thing: float) -> ClaimCase:
    """Sum up the readings of a claim, with every feature on."""
    readings = tuple(reading for reading in read.readings if reading.barred is None)
    features = dict.fromkeys(FEATURES, 0.0)
    features["words_untraced"] = read.words_untraced
    features |= reader_features(read.consulted)
    unasserted = _unasserted(read, same_thing)
    if not readings:
        return ClaimCase(
            read.claim,
            read.readings,
            features,
            None,
            None,
            read.untraced,
            consulted=read.consulted,
            unasserted=unasserted,
        )
    least = least_alignment(readings, same_thing)
    near = [reading for reading in readings if reading.alignment >= least]
    if read.settled is not None and read.settled.holds:
        near = [reading if of_prose(reading) else _without_values(reading) for reading in near]
    bearing = _bearing(near, same_thing)
    denying = [
        reading
        for reading in near
        if not (_settled(reading, bearing) or _stated_elsewhere(read.claim.hypothesis, reading, readings))
    ]
    apart = [reading for reading in near if not any(one_document(reading, other) for other in bearing)]
    pro, con = max(near, key=_for), max([*denying, *apart], key=_against, default=None)
    for name in PRO:
        features[name] = pro.named(name)
    features |= _of_third_parties(pro)
    for name, signal in ABSENT.items():
        features[name] = float(bool(_missing(read, pro, signal)))
    for name, (signal, feature) in WIDE.items():
        features[name] = max(reading.feature(signal, feature) for reading in (pro, *read.wide))
    for name in CONFLICTS:
        features[name] = max((one.alignment * one.named(name) for one in denying), default=0.0)
    features["nearly_whole"] = pro.alignment**4
    features["cause"] = _cause_unstated(readings)
    features["number_untraced"] = _untraced_numbers(readings)
    against = con if con is not None and _against(con) > 0 else None
    settled = _standing(read.settled, bearing)
    if settled is not None:
        features["borne_out"], features["ruled_out"] = (
            float(settled.holds is True),
            float(settled.holds is False),
        )
        features["reach"] = float(settled.holds is None)
        if settled.holds is False:
            against = WindowScores(settled.window, {settled.score.signal: settled.score})
        elif settled.holds is None:
            features |= dict.fromkeys((*CONFLICTS, *ABSENT, "number_untraced"), 0.0)
            against = None
    if pro.conflict > 0 and pro.alignment >= same_thing:
        features |= dict.fromkeys(_OF_THE_UNHEARD, 0.0)
    dispute = dispute_in(read.readings) if settled is None or settled.single else None
    dispute = dispute or _denied_elsewhere(bearing, unasserted)
    features["disputed"] = spoken_of(dispute) if dispute is not None else 0.0
    return ClaimCase(
        read.claim,
        readings,
        features,
        pro,
        against,
        read.untraced,
        settled,
        dispute,
        read.stated,
        read.beyond,
        read.consulted,
        None if bearing else unasserted,
        read.of_another,
        _of_own_words(read, pro, features) if read.claim.asked else {},
    )


def _of_own_words(read: ReadClaim, pro: WindowScores, features: Mapping[str, float]) -> dict[str, float]:
    """The features that speak for *fabricated*, without the words that only the prompt says."""
    names = {item.claim_span: item.claim_value for item in pro.findings("entity")}
    own = [name for name in names.values() if not read.claim.is_asked(name)]
    told = {
        "words_untraced": read.own_untraced,
        "entity_unknown": sum(name in read.untraced for name in own) / max(len(own), 1),
    }
    return {name: min(value, features[name]) for name, value in told.items()}


def _unasserted(read: ReadClaim, share: float) -> WindowScores | None:
    """The window that says most of the claim, all of its values and names among it, and is not asserted; one that
    denies the claim before others."""
    said = [reading for reading in read.readings if reading.barred is not None and reading.bears_out(share)]
    return max(said, key=lambda one: (one.alignment, one.is_denied), default=None)


def _denied_elsewhere(bearing: Sequence[WindowScores], unasserted: WindowScores | None) -> Dispute | None:
    """The window that bears the claim out best, and one of another document that says that it is not so."""
    if not bearing or unasserted is None or not unasserted.is_denied:
        return None
    best = max(bearing, key=_for)
    return None if one_document(best, unasserted) else (best, unasserted)


def _of_third_parties(pro: WindowScores) -> dict[str, float]:
    """What signals that are not ours say of the window that speaks best for the claim, under ``signal.feature``."""
    return {
        f"{signal}.{feature}": value
        for signal, score in pro.scores.items()
        if signal not in OWN_SIGNALS
        for feature, value in score.features.items()
    }


def _standing(settled: Related | None, bearing: Sequence[WindowScores]) -> Related | None:
    """What settles the claim; a row that does not confirm it settles nothing where prose bears it out."""
    if settled is not None and settled.single and not settled.holds and any(map(of_prose, bearing)):
        return None
    return settled


def least_alignment(readings: Sequence[WindowScores], same_thing: float) -> float:
    """How much of a claim a window must speak about, in [0, 1], to be about the same thing as the best of its readings.

    The rule signals alone settle it, and no window below it gives a feature of the NLI model.
    """
    return same_thing * max(reading.alignment for reading in readings)


def _without_values(reading: WindowScores) -> WindowScores:
    """The same without conflicts of values and names: one row of a table tells of one of the things compared."""
    scores = dict(reading.scores)
    for signal in COMPARING:
        if signal in scores:
            score = scores[signal]
            scores[signal] = replace(score, features={**score.features, "conflict": 0.0})
    return replace(reading, scores=scores)


def _bearing(near: Sequence[WindowScores], share: float) -> list[WindowScores]:
    """The windows that bear the claim out; not one that holds a smaller window which denies it, nor a piece of a
    larger one that tells the deed of others: a name and a heading are not the deed."""
    against = [reading.window for reading in near if reading.conflict > 0]
    of_others = [
        reading
        for reading in near
        if reading.named("role_conflict") > 0 or reading.named("entity_conflict") > 0
    ]
    return [
        reading
        for reading in near
        if reading.bears_out(share)
        and not any(reading.window.holds(window) for window in against)
        and not any(
            other.window.holds(reading.window) and other.alignment > reading.alignment for other in of_others
        )
    ]


def _settled(reading: WindowScores, bearing: Sequence[WindowScores]) -> bool:
    """Whether the conflicts of a window are about something else, since another one bears the claim out."""
    tells_more = of_prose(reading) and any(reading.named(name) > 0 for name in _OF_OTHERS)
    return reading.conflict > 0 and any(
        (one_document(reading, other) and not tells_more) or other.alignment >= reading.alignment
        for other in bearing
    )


def _stated_elsewhere(claim: str, reading: WindowScores, readings: Sequence[WindowScores]) -> bool:
    """Whether all that a window denies are values and names that other windows of its document state, which deny
    nothing in that part of the claim and speak of as much of it: then it tells of something else (the next row of a
    table, another quarter)."""
    if any(reading.named(name) > 0 for name in CONFLICTS if name not in _VALUES):
        return False
    denied = _compared(reading, Relation.CONFLICT)
    others = [other for other in readings if other is not reading and one_document(reading, other)]
    return bool(denied) and all(
        any(_states_there(claim, other, reading, span) for other in others) for span in denied
    )


def _part_of(claim: str, span: Span) -> Span:
    """The part of the claim between commas and semicolons in which something stands."""
    ends = [mark.start() for mark in _PART_END.finditer(claim)]
    start = max((end for end in ends if end < span[0]), default=0)
    return start, min((end for end in ends if end >= span[1]), default=len(claim))


def _states_there(claim: str, other: WindowScores, reading: WindowScores, denied: Span) -> bool:
    """Whether another window states what this one denies, denies nothing in that part of the claim, and has as much of
    it."""
    part = _part_of(claim, denied)
    if any(other.named(name) > 0 for name in CONFLICTS if name not in _VALUES):
        return False
    against = _compared(other, Relation.CONFLICT)
    if denied not in _compared(other, Relation.MATCH) or any(_within(span, part) for span in against):
        return False
    if part == (0, len(claim)) and other.alignment < reading.alignment:
        return False
    return _said_of(other, part) >= _said_of(reading, part)


def _said_of(reading: WindowScores, part: Span) -> int:
    """How many words of a part of the claim a window has, or denies."""
    compared = _compared(reading, Relation.MATCH) | _compared(reading, Relation.CONFLICT)
    return sum(
        item.relation is not Relation.ABSENT or any(overlap(item.claim_span, span) for span in compared)
        for item in reading.findings("traceability")
        if _within(item.claim_span, part)
    )


def _within(span: Span, part: Span) -> bool:
    return part[0] <= span[0] and span[1] <= part[1]


def _compared(reading: WindowScores, relation: Relation) -> set[Span]:
    """Where the claim's values and names stand in that relation to a window's."""
    return _spans(reading, "number", relation) | _spans(reading, "entity", relation)


def _missing(read: ReadClaim, pro: WindowScores, signal: str) -> set[Span]:
    """What the window that speaks best lacks, and every place that is read together with it, too."""
    absent = _spans(pro, signal, Relation.ABSENT)
    if absent:
        for reading in read.readings:
            if any(wide.window.includes(reading.window) for wide in read.wide):
                absent -= _spans(reading, signal, Relation.MATCH)
    return absent


def _spans(reading: WindowScores, signal: str, relation: Relation) -> set[Span]:
    return {item.claim_span for item in reading.findings(signal) if item.relation is relation}


def _for(reading: WindowScores) -> tuple[float, float]:
    agreement = reading.alignment * (1.0 - reading.conflict) + reading.feature("nli", "entailment")
    return agreement, reading.alignment


def _against(reading: WindowScores) -> float:
    return reading.alignment * reading.conflict + reading.feature("nli", "contradiction")


def _cause_unstated(readings: Sequence[WindowScores]) -> float:
    """How surely the claim asserts a cause that no window states, in [0, 1]; each of its causes asks for its own."""
    unstated, stated = dict[Span, float](), set[Span]()
    for reading in readings:
        for item in reading.findings("negation"):
            if item.kind != "cause":
                continue
            if item.relation is Relation.MATCH:
                stated.add(item.claim_span)
            else:
                unstated[item.claim_span] = reading.feature("negation", "cause")
    return max((found for span, found in unstated.items() if span not in stated), default=0.0)


def _untraced_numbers(readings: Sequence[WindowScores]) -> float:
    """Share of the claim's values that stand in none of its windows, neither alike nor in conflict; one that a window
    may mean (``7 days`` of ``5 to 10 days``) stands there."""
    relations: dict[tuple[int, int], set[Relation]] = {}
    for reading in readings:
        for finding in reading.findings("number"):
            relation = Relation.MATCH if leaves_open(finding) else finding.relation
            relations.setdefault(finding.claim_span, set()).add(relation)
    if not relations:
        return 0.0
    return sum(seen == {Relation.ABSENT} for seen in relations.values()) / len(relations)
