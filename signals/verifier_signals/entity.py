"""The entity signal: how the names of a claim stand to the evidence, and who did what to whom."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

from verifier.core.deadline import each
from verifier.core.errors import ConfigError
from verifier_signals.base import Signal
from verifier_signals.checks import ENTITY, SAID_OF_ANOTHER, Check, Switchable
from verifier_signals.long_texts import PairPart, parts_of
from verifier_signals.names import (
    Finder,
    Name,
    is_alias,
    is_ordinary,
    may_compete,
    mention_of,
    names_in,
    rival_of,
)
from verifier_signals.names.trained import HeadNames, SpacyNames
from verifier_signals.roles import (
    attached_to_another,
    attributed_to_another,
    displaced_names,
    exchanged_holders,
    other_holder,
    rival_denies,
    role_clashes,
    share_clause_piece,
)
from verifier_signals.roles.predication import said_of_another
from verifier_signals.syntax import read
from verifier_signals.types import (
    NEAREST_ONLY,
    NOT_COMPARED,
    Finding,
    Outcome,
    Relation,
    SignalScore,
    Span,
    TextPair,
)

__all__ = ["MOST_NAMES", "EntitySignal"]

MOST_NAMES = 64
"""Names of a claim that are compared at a time, with twice as many of the evidence: at most a second for a pair."""


_RIVAL = "entity.rival-name"
_OTHER_FILLER = "entity.other-side"
_RIVALS = (
    ("entity.other-holder", other_holder),
    ("entity.displaced", displaced_names),
    ("entity.attributed-to-another", attributed_to_another),
    ("entity.attached-to-another", attached_to_another),
)
"""Checks that find who or what the evidence has in the role of a name of the claim, in order."""


class EntitySignal(Switchable, Signal):
    """Compares names and roles by rules: capitals, aliases, slots, and verbs with their two sides.

    A name conflicts only when the evidence has another name of its sort in the same place; a name that the
    evidence does not have is absent. Features are shares over the claim's names, in [0, 1]:

    * ``conflict``, ``match``, ``absent``: their sum is 1 when the claim has names, else 0.
    * ``role_conflict``: 1 when the evidence tells the same deed with its sides exchanged, or says of another what the
      claim says of its subject, and of that something else in its place; else 0.
    * ``unknown``: names that the whole knowledge base never mentions, nor the premise by another form of theirs; 0
      without a gazetteer.

    Args:
        gazetteer: tells of each of some names whether the knowledge base mentions it anywhere. Called once a
            batch.
        spacy: an installed spaCy pipeline (``en_core_web_sm``), or the folder of one, that finds names in place of
            the rules (extra ``spacy``); the rules add what it leaves.
        head: find names with the named-entity head over the embedded encoder in place of the rules, which add what
            it leaves. Not beside ``spacy``.
        disable: ids or families of checks that are left out (``verifier checks list``); a string is one of them.

    Raises:
        ConfigError: both ``spacy`` and ``head`` are asked for, or there is no such check or family.
    """

    name: ClassVar[str] = "entity"
    feature_names: ClassVar[tuple[str, ...]] = ("conflict", "match", "absent", "role_conflict", "unknown")

    def __init__(
        self,
        gazetteer: Callable[[Sequence[str]], Sequence[bool]] | None = None,
        spacy: str | None = None,
        head: bool = False,
        disable: Sequence[str] | str = (),
    ) -> None:
        if spacy is not None and head:
            raise ConfigError("the entity signal finds names with spacy or with head, not with both")
        super().__init__(disable)
        self.gazetteer = gazetteer
        self.spacy = spacy
        self.head = head

    def checks(self) -> Mapping[str, Check]:
        """All its checks, by id."""
        return ENTITY

    @cached_property
    def _find(self) -> Finder:
        if self.spacy is not None:
            return SpacyNames(self.spacy)
        return HeadNames() if self.head else names_in

    def score(self, pairs: Sequence[TextPair]) -> list[SignalScore]:
        """Score every pair; findings have the kinds ``name`` and ``role``.

        Raises:
            MissingExtra: a pipeline is asked for and spaCy is not installed.
            ConfigError: spaCy has no such pipeline, or there is no head for the embedded model.
        """
        known = self._known(pairs)
        return [self._score(pair, known) for pair in each(pairs)]

    def _known(self, pairs: Sequence[TextPair]) -> dict[str, bool]:
        if self.gazetteer is None:
            return {}
        texts = dict.fromkeys(pair.hypothesis for pair in pairs)
        names = list(dict.fromkeys(name.text for text in texts for name in self._find(text)))
        return dict(zip(names, self.gazetteer(names), strict=True)) if names else {}

    def _score(self, pair: TextPair, known: dict[str, bool]) -> SignalScore:
        names = self._find(pair.hypothesis)
        roles: list[Finding] = []
        findings: list[Finding] = []
        for part in parts_of(pair, self._places, MOST_NAMES):
            some_roles, some = self._compared(part, pair.premise)
            roles += some_roles
            findings += some
        findings += [
            Finding("name", Relation.ABSENT, name.text, (name.start, name.end), note=NOT_COMPARED)
            for name in names
            if name.start >= part.ends
        ]
        if not findings and not roles:
            return SignalScore(
                self.name, Outcome.NOT_APPLICABLE, None, (), dict.fromkeys(self.feature_names, 0.0)
            )
        relations = [item.relation for item in findings]
        share = {relation: relations.count(relation) / max(len(findings), 1) for relation in Relation}
        if roles or share[Relation.CONFLICT]:
            outcome, support = Outcome.CONFLICTING, 0.0
        else:
            outcome = Outcome.ABSENT if share[Relation.ABSENT] else Outcome.CONSISTENT
            support = share[Relation.MATCH]
        found = {item.claim_span for item in findings if item.relation is Relation.MATCH}
        strange = [name for name in names if not known.get(name.text, True)]
        unknown = sum((name.start, name.end) not in found for name in strange) / max(len(names), 1)
        features = (
            share[Relation.CONFLICT], share[Relation.MATCH], share[Relation.ABSENT], float(bool(roles)), unknown
        )  # fmt: skip
        return SignalScore(
            self.name,
            outcome,
            support,
            (*roles, *findings),
            dict(zip(self.feature_names, features, strict=True)),
        )

    def _places(self, text: str) -> list[int]:
        return [name.start for name in self._find(text)]

    def _compared(self, part: PairPart, whole: str) -> tuple[list[Finding], list[Finding]]:
        """What is wrong with the roles and the names of a part of a pair whose whole premise is given."""
        pair = part.pair
        swapped, replaced = _conflicts(pair, self._find, self.disabled)
        roles = [
            _role_finding("entity.sides-exchanged", pair, *spans, "the two sides are exchanged")
            for spans in swapped
        ]
        asked = not roles and SAID_OF_ANOTHER not in self.disabled
        other = said_of_another(pair.hypothesis, (pair.premise,)) if asked else None
        if other is not None and other.conflict:
            roles = [_role_finding(SAID_OF_ANOTHER, pair, other.ours, other.theirs, "it is said of another")]
        names = self._find(pair.hypothesis)
        findings = _name_findings(pair, names, self._find(pair.premise), replaced, self.disabled)
        if pair.premise == whole:
            return [_placed(item, part) for item in roles], [_placed(item, part) for item in findings]
        return (
            [_placed(item, part) for item in roles],
            [self._elsewhere(_placed(item, part), name, whole) for item, name in _of_names(findings, names)],
        )

    def _elsewhere(self, finding: Finding, name: Name, whole: str) -> Finding:
        """A name that the nearest of a long premise lacks, found in the rest of it."""
        if finding.relation is not Relation.ABSENT:
            return finding
        span = mention_of(name, self._find(whole), read(whole))
        if span is None:
            return replace(finding, note=NEAREST_ONLY)
        return replace(
            finding, relation=Relation.MATCH, evidence_value=whole[slice(*span)], evidence_span=span
        )


def _of_names(findings: Sequence[Finding], names: Sequence[Name]) -> Iterator[tuple[Finding, Name]]:
    """Each finding with the name that it is of."""
    by_place = {(name.start, name.end): name for name in names}
    return ((finding, by_place[finding.claim_span]) for finding in findings)


def _placed(finding: Finding, part: PairPart) -> Finding:
    """A finding of a part of a pair, as one of the whole pair."""
    if not (part.begins or part.told):
        return finding
    told = None if finding.evidence_span is None else part.in_evidence(finding.evidence_span)
    return replace(finding, claim_span=part.in_claim(finding.claim_span), evidence_span=told)


def _conflicts(
    pair: TextPair, find: Finder, disabled: Set[str]
) -> tuple[list[tuple[Span, Span]], dict[Name, tuple[str, Span]]]:
    """Roles that are exchanged, as spans on both sides; names of the claim with what the evidence has in their role,
    and the check that says so."""
    claim, premise = pair.hypothesis, pair.premise
    clash = role_clashes(claim, premise, find)
    swapped = [
        ((item.claim.start, item.claim.end), (item.evidence.start, item.evidence.end))
        for item in clash
        if item.swapped
    ]
    swapped += [
        ((ours.name.start, ours.name.end), (theirs.name.start, theirs.name.end))
        for ours, theirs in exchanged_holders(claim, premise, find)
    ]
    if "entity.sides-exchanged" in disabled:
        swapped = []
    candidates = [
        (_OTHER_FILLER, item.claim.name, item.evidence.name)
        for item in clash
        if item.claim.name is not None and item.evidence.name is not None and not item.swapped
        if not share_clause_piece(item.claim.name, item.evidence.name, premise, find)
    ]
    if not swapped:
        for check, find_rivals in _RIVALS:
            candidates += [(check, *found) for found in find_rivals(claim, premise, find).items()]
    replaced: dict[Name, tuple[str, Span]] = {}
    for check, name, rival in candidates:
        if check not in disabled and rival_denies(name, rival, claim, premise, find):
            replaced.setdefault(name, (check, (rival.start, rival.end)))
    return swapped, replaced


def _role_finding(check: str, pair: TextPair, ours: Span, theirs: Span, note: str) -> Finding:
    return Finding(
        "role",
        Relation.CONFLICT,
        pair.hypothesis[slice(*ours)],
        ours,
        pair.premise[slice(*theirs)],
        theirs,
        note,
        check,
    )


def _name_findings(
    pair: TextPair,
    names: Sequence[Name],
    theirs: Sequence[Name],
    replaced: dict[Name, tuple[str, Span]],
    disabled: Set[str],
) -> list[Finding]:
    """One finding a name. ``replaced``: names in whose role the evidence has another one, there."""
    reading = read(pair.premise)
    spans = {name: mention_of(name, theirs, reading) for name in names}
    complete = all(span is not None for span in spans.values())
    rivals = []
    if not complete and _RIVAL not in disabled and may_compete(pair.hypothesis, pair.premise):
        rivals = [rival for rival in theirs if not any(is_alias(name, rival) for name in names)]
    found = []
    for name in names:
        span = spans[name]
        other = replaced.get(name)
        rival = (
            rival_of(name, pair.hypothesis, rivals, pair.premise) if span is None and other is None else None
        )
        if other is not None:
            relation, (check, span) = Relation.CONFLICT, other
        elif rival is not None:
            relation, check, span = Relation.CONFLICT, _RIVAL, (rival.start, rival.end)
        elif span is None and is_ordinary(name, reading):
            continue
        else:
            relation = Relation.ABSENT if span is None else Relation.MATCH
            check = "entity.not-named" if span is None else "entity.named"
        if check in disabled:
            continue
        value = None if span is None else pair.premise[span[0] : span[1]]
        place = (name.start, name.end)
        found.append(Finding("name", relation, name.text, place, value, span, check=check))
    return found
