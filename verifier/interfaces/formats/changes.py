"""Compare a report with an earlier one of the same text: what got worse, what is better or as it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from verifier.core.reasoning import OPEN_REASONING
from verifier.types import ClaimVerdict, Decision, Report, Status
from verifier.verification.grounded import fails, rule_of
from verifier.verification.render.summary import label

__all__ = ["Before", "BeforeClaim", "Changes", "Kind", "compare"]

Kind = str
"""``new``, ``worse``, ``better`` or ``same``."""

_RANKS = {"supported": 0, "abstained": 0, "unverifiable": 1, "fabricated": 2, "contradicted": 2, "error": 3}
"""How bad a verdict is. Of two that reject none is worse."""


@dataclass(frozen=True, slots=True)
class BeforeClaim:
    """A claim of the earlier report: its text, where it began, and its verdict, ``abstained`` or ``error``."""

    text: str
    start: int
    verdict: str


@dataclass(frozen=True, slots=True)
class Before:
    """What an earlier report said of a text; ``hidden`` and ``unknown`` are sentences and sources by their text."""

    decision: Decision
    claims: tuple[BeforeClaim, ...]
    hidden: frozenset[str] = frozenset()
    unknown: frozenset[str] = frozenset()
    open_reasoning: bool = False


@dataclass(frozen=True, slots=True)
class Changes:
    """A text against its baseline. ``kinds`` has the kind of each claim, ``was`` the verdict of those that were there,
    both by the claim's number in the report, from 0; ``reasons`` say what got worse, none where nothing did."""

    before: Before | None
    kinds: Mapping[int, Kind]
    was: Mapping[int, str]
    reasons: tuple[str, ...]


def compare(report: Report, before: Before | None) -> Changes:
    """What has changed since ``before``, ``None`` for a text that it did not have.

    Claims are matched by their text; of several with the same text by the place that is nearest. A claim got worse if
    its verdict did; a new one counts if it fails by the report's rule. A text that was approved and is no longer has
    got worse, too, whatever its claims.
    """
    claims = {n: one for n, one in enumerate(report.claims) if one.status is not Status.SKIPPED}
    earlier = _matched(claims, before.claims if before else ())
    kinds = {n: _kind(claim, earlier.get(n)) for n, claim in claims.items()}
    was = {n: one.verdict for n, one in earlier.items()}
    return Changes(before, kinds, was, tuple(_reasons(report, before, kinds)))


def _matched(claims: Mapping[int, ClaimVerdict], earlier: Sequence[BeforeClaim]) -> dict[int, BeforeClaim]:
    """The earlier claim of each that was there; none is taken twice."""
    left: dict[str, list[BeforeClaim]] = {}
    for one in earlier:
        left.setdefault(_key(one.text), []).append(one)
    found = {}
    for n, claim in claims.items():
        if same := left.get(_key(claim.text)):
            found[n] = same.pop(_nearest(same, claim.start))
    return found


def _nearest(claims: Sequence[BeforeClaim], start: int) -> int:
    """The number of the claim that begins nearest to a place; of two the first."""
    return min(range(len(claims)), key=lambda n: abs(claims[n].start - start))


def _key(text: str) -> str:
    return " ".join(text.split())


def _kind(claim: ClaimVerdict, earlier: BeforeClaim | None) -> Kind:
    if earlier is None:
        return "new"
    step = _RANKS[label(claim)] - _RANKS[earlier.verdict]
    return "worse" if step > 0 else "better" if step < 0 else "same"


def _reasons(report: Report, before: Before | None, kinds: Mapping[int, Kind]) -> Iterator[str]:
    rule = rule_of(report.config)
    worse = sum(kind == "worse" for kind in kinds.values())
    added = [report.claims[n] for n, kind in kinds.items() if kind == "new"]
    new = 0 if report.approved else sum(fails(claim, report, rule) for claim in added)
    hidden = {one.text for one in report.hidden} - (before.hidden if before else set())
    unknown = {one.text for one in report.unknown_sources} - (before.unknown if before else set())
    if worse:
        yield f"{worse} claim{'' if worse == 1 else 's'} got worse"
    if new:
        yield f"{new} new claim{'' if new == 1 else 's'} fail{'s' if new == 1 else ''}"
    if hidden and not rule.allow_hidden:
        yield "something new is said in hidden text"
    if unknown and rule.strict:
        yield "a source is newly cited that is not there"
    if _left_open(report) and not (before and before.open_reasoning):
        yield "a block of reasoning is newly left open"
    if not report.approved and (before is None or before.decision is Decision.APPROVED):
        yield f"it is {_said(report.decision)}; the baseline {'has it approved' if before else 'does not have it'}"


def _left_open(report: Report) -> bool:
    return any(claim.reason == OPEN_REASONING for claim in report.claims)


def _said(decision: Decision) -> str:
    return "rejected" if decision is Decision.REJECTED else "without anything to check"
