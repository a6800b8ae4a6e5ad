"""``report.assert_grounded``: an error that shows each claim that failed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from verifier.core.errors import ConfigError
from verifier.core.visible import visible
from verifier.types import ClaimVerdict, Quote, Report, Status, Verdict
from verifier.verification.explanation.reasons import locate, locate_quote
from verifier.verification.render.summary import (
    UNSURE,
    confidence,
    end_line,
    hidden_line,
    label,
    rule_line,
    skipped_line,
)
from verifier.verification.report import DecisionRule, decide, is_failing

__all__ = ["NotGrounded", "assert_grounded", "claim_lines", "fails", "rule_of"]

_QUOTED = 400
"""Code points of a passage that are shown."""


class NotGrounded(AssertionError):
    """A response was not approved. Its text shows each claim that failed; ``report`` is the report, as judged."""

    def __init__(self, report: Report, rule: DecisionRule) -> None:
        super().__init__(visible("\n".join(_lines(report, rule))))
        self.report, self._rule = report, rule

    def __reduce__(self) -> tuple[type[NotGrounded], tuple[Report, DecisionRule]]:
        return type(self), (self.report, self._rule)


def assert_grounded(
    report: Report, *, strict: bool | None = None, min_groundedness: float | None = None
) -> Report:
    """The report, if it is approved; with ``strict`` or ``min_groundedness``, by its rule with these in it.

    The rest of the rule is that of the report's configuration, or the default one where it has none.

    Raises:
        NotGrounded: it is not approved; nothing to check is not approved either.
        ConfigError: ``min_groundedness`` is not in [0, 1].
    """
    __tracebackhide__ = True
    if min_groundedness is not None and not 0.0 <= min_groundedness <= 1.0:
        raise ConfigError(f"min_groundedness is {min_groundedness}; expected a share, from 0 to 1")
    rule = rule_of(report.config)
    if strict is not None or min_groundedness is not None:
        rule = replace(
            rule,
            strict=rule.strict if strict is None else strict,
            min_groundedness=rule.min_groundedness if min_groundedness is None else min_groundedness,
        )
        decision, worded = decide(report.claims, rule, hidden=report.hidden, unknown=report.unknown_sources)
        report = replace(report, decision=decision, rule=worded)
    if not report.approved:
        raise NotGrounded(report, rule)
    return report


def rule_of(config: Mapping[str, Any]) -> DecisionRule:
    """The rule that a report's configuration names, or the default one where it names none."""
    usual, own = DecisionRule(), config.get("decision") or {}
    return DecisionRule(
        tuple(own.get("fail_on", usual.fail_on)),
        own.get("min_groundedness", usual.min_groundedness),
        own.get("strict", usual.strict),
        own.get("hidden") == "allow",
    )


def _lines(report: Report, rule: DecisionRule) -> Iterator[str]:
    yield end_line(report)
    yield from filter(None, (hidden_line(report), rule_line(report)))
    failed = [claim for claim in report.claims if fails(claim, report, rule)]
    for claim in failed:
        yield ""
        yield from claim_lines(claim)
    if not failed and (skipped := skipped_line(report)):
        yield skipped


def fails(claim: ClaimVerdict, report: Report, rule: DecisionRule) -> bool:
    """Whether the report is not approved because of this claim, alone or with others."""
    if claim.status is Status.ERROR:
        return True
    if claim.status is not Status.CHECKED or claim.verdict is Verdict.SUPPORTED:
        return False
    too_few = (report.groundedness or 0.0) < (1.0 if rule.strict else rule.min_groundedness)
    return too_few or is_failing(claim, rule.fail_on)


def claim_lines(claim: ClaimVerdict) -> Iterator[str]:
    """The claim, the values that differ or why it failed, and the passage that speaks of it."""
    sure = "" if confidence(claim) == UNSURE else f" ({confidence(claim)} sure)"
    yield f"{label(claim)}{sure}: {_one(claim.text)}"
    pair = claim.ledger.pair if claim.ledger is not None else None
    if pair is not None and pair.evidence is not None and claim.verdict is Verdict.CONTRADICTED:
        yield f"  claim says:    {_one(pair.claim.text)}"
        yield f"  evidence says: {_one(pair.evidence.text)}{_place(pair.evidence)}"
    else:
        yield f"  reason: {_one(claim.reason)}"
    for item in claim.evidence[:1]:
        text = _one(item.text)
        shown = text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"
        yield f"  evidence: “{shown}” ({locate(item)})"


def _place(quote: Quote) -> str:
    return "" if quote.start is None or quote.source is None else f" ({locate_quote(quote)})"


def _one(text: str) -> str:
    return " ".join(text.split())
