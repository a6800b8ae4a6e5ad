"""The ledger of a verdict: the rule that fired, the pair of values that decided, every weight.

Spans of the claim are offsets into its hypothesis until ``placed`` carries them into the response, for claims that
read alike are judged once and stand in several places.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from verifier_signals.types import Finding, Relation

from verifier.types import (
    Aligned,
    Claim,
    ClaimVerdict,
    Contribution,
    Edit,
    Ledger,
    Quote,
    Span,
    ValuePair,
    Verdict,
)
from verifier.verification.consultation.answers import Consulted
from verifier.verification.decision.features import (
    READER,
    WindowScores,
    conflict_in,
    feature_names,
    signal_of,
)
from verifier.verification.decision.summary import ClaimCase
from verifier.verification.decision.verdict import BEYOND_ODDS, Decided, Fusion, as_worded

__all__ = [
    "BEYOND",
    "BIAS",
    "RECALIBRATION",
    "STATED",
    "WITHHELD",
    "ledger_of",
    "placed",
    "text_span",
]

NEGLIGIBLE = 1e-9
BIAS = "bias"
RECALIBRATION = "recalibration"
STATED = "stated"
BEYOND = "beyond"
"""Contributions that are of no signal: what is there whatever the signals say, and what is added to the logit of
``supported`` where the fusion was recalibrated on other claims than it was learnt from, or a document states the claim
word for word; and what changes where the claim repeats a sentence and adds to it."""
WITHHELD = "support withheld"
"""How the rule begins by which a claim that is probably supported is not called so."""
DENIAL_WITHHELD = "contradiction withheld"
"""How the rule begins by which a claim that is likelier contradicted than anything else is not called so."""


def ledger_of(case: ClaimCase, decided: Decided, fusion: Fusion) -> Ledger:
    """Everything that led to the verdict; no fix is sought here."""
    reading = _decisive(case, decided)
    weighed = as_worded(case, fusion.probabilities(case.features))
    return Ledger(
        rule=_rule(case, decided, fusion),
        pair=_pair(case, decided, reading),
        probabilities={verdict.value: chance for verdict, chance in weighed.items()},
        contributions=_contributions(case, fusion, weighed),
        aligned=tuple(_aligned(reading)) if reading is not None else (),
    )


def _decisive(case: ClaimCase, decided: Decided) -> WindowScores | None:
    """The window that the verdict rests on: what a reader quotes, what speaks against the claim, or for it."""
    if decided.decided_by == READER and case.consulted is not None and case.consulted.windows:
        return max(case.consulted.windows, key=lambda one: one.conflict)
    if case.unasserted is not None and Verdict.SUPPORTED not in (decided.verdict, decided.withheld):
        return case.unasserted
    return case.con if decided.verdict is Verdict.CONTRADICTED and case.con else case.pro


def placed(verdict: ClaimVerdict, claim: Claim) -> ClaimVerdict:
    """The verdict of a claim that reads like this one, at this place, its ledger with offsets into the response."""
    ledger = None if verdict.ledger is None else _ledger_in(claim, verdict.ledger)
    return replace(verdict, text=claim.text, start=claim.start, end=claim.end, ledger=ledger)


def _ledger_in(claim: Claim, ledger: Ledger) -> Ledger:
    pair = ledger.pair
    if pair is not None:
        pair = replace(pair, claim=_quote_in(claim, pair.claim))
    aligned = []
    for item in ledger.aligned:
        span = claim.to_text_span((item.start, item.end))
        if span is not None:
            aligned.append(replace(item, start=claim.start + span[0], end=claim.start + span[1]))
    fix = None if ledger.fix is None else _edit_in(claim, ledger.fix)
    return replace(ledger, pair=pair, aligned=tuple(aligned), fix=fix)


def text_span(claim: Claim, span: Span) -> Span | None:
    """Where a span of the hypothesis is written in the claim's text; a pronoun stands for all of its referent.

    >>> from verifier.types import Substitution
    >>> text_span(Claim("She won.", 0, 8, (Substitution(0, 3, "Mira Sandvik"),)), (0, 12))
    (0, 3)
    """
    shift = 0
    for sub in claim.substitutions:
        at = sub.start + shift
        if span == (at, at + len(sub.replacement)) and sub.end > sub.start:
            return sub.start, sub.end
        shift += len(sub.replacement) - (sub.end - sub.start)
    return claim.to_text_span(span)


def _rule(case: ClaimCase, decided: Decided, fusion: Fusion) -> str:
    """The rule of ``Fusion`` that gave the verdict, in plain words."""
    if case.consulted is not None and case.consulted.answer is not None:
        return _rule_of_reader(case.consulted, decided, fusion)
    if decided.conflict:
        return "sources that disagree never support: unverifiable"
    if decided.withheld is Verdict.CONTRADICTED:
        chance = decided.probabilities[Verdict.CONTRADICTED]
        return f"{DENIAL_WITHHELD}: probability {chance:.3f} is below {fusion.contradicted_at:g}"
    if decided.withheld:
        chance = decided.probabilities[Verdict.SUPPORTED]
        return f"{WITHHELD}: probability {chance:.3f} is below {fusion.supported_at:g}"
    if case.unasserted is not None and case.unasserted.barred is not None:
        return f"what a document does not assert ({case.unasserted.barred}) never supports"
    if case.of_another is not None and decided.verdict is not Verdict.SUPPORTED:
        return "what is said of another than the claim's subject never supports"
    if case.stated and decided.verdict is Verdict.SUPPORTED:
        return "a document states it word for word"
    if case.beyond and decided.verdict is Verdict.UNVERIFIABLE:
        return f"it repeats a sentence and adds words that the evidence lacks: odds of support times {BEYOND_ODDS:g}"
    weighed = fusion.probabilities(case.features)
    outweighed = weighed[decided.verdict] < max(weighed.values())
    if decided.vetoed and decided.verdict is Verdict.CONTRADICTED and outweighed and case.pro is not None:
        strength = case.pro.named(decided.vetoed)
        return f"support vetoed: {decided.vetoed} {strength:.2f} is at least {fusion.veto_at:g}"
    return "the most probable verdict"


def _rule_of_reader(consulted: Consulted, decided: Decided, fusion: Fusion) -> str:
    """The rule of ``Fusion.rule_of_reader`` that gave the verdict, in plain words."""
    if consulted.unproven:
        return "an answer of a reader counts only with words that stand in the evidence: unverifiable"
    if decided.conflict and consulted.insisted:
        return "the reader and the other signals disagree, also when it looks again: unverifiable"
    if decided.conflict:
        return "sources that disagree never support: unverifiable"
    if decided.withheld:
        chance = decided.probabilities[Verdict.SUPPORTED]
        return f"{WITHHELD}: probability {chance:.3f} is below {fusion.supported_at:g}"
    return "what the reader says" if consulted.quotes_needed else "the most probable verdict"


def _contributions(
    case: ClaimCase, fusion: Fusion, worded: Mapping[Verdict, float]
) -> tuple[Contribution, ...]:
    """The bias, every feature that is there and has a weight, in the order of ``FEATURES``, and the recalibration.

    Their sum gives ``worded``, the probabilities before a rule moves any of them to another verdict.
    """
    verdicts = [verdict.value for verdict in Verdict]
    found = [Contribution(BIAS, "", 1.0, {name: fusion.bias[name] / fusion.temperature for name in verdicts})]
    for name in feature_names([case.features]):
        value = case.features[name]
        weights = {verdict: fusion.weights[verdict].get(name, 0.0) for verdict in verdicts}
        if value and any(weights.values()):
            logits = {verdict: weight * value / fusion.temperature for verdict, weight in weights.items()}
            found.append(Contribution(name, signal_of(name), value, logits))
    weighed = fusion.probabilities(case.features)
    shift = _shift(found, weighed if case.beyond else worded)
    if abs(shift) > NEGLIGIBLE:
        logits = dict.fromkeys(verdicts, 0.0) | {Verdict.SUPPORTED.value: shift}
        found.append(Contribution(STATED if case.stated else RECALIBRATION, "", 1.0, logits))
    if case.beyond and worded != weighed:
        logits = {one.value: math.log(worded[one] / chance) for one, chance in weighed.items()}
        found.append(Contribution(BEYOND, "", 1.0, logits))
    return tuple(found)


def _shift(found: Sequence[Contribution], chances: Mapping[Verdict, float]) -> float:
    """How much the log-odds of ``supported`` differ from the sum of what the features add."""
    other = max(
        (verdict for verdict in Verdict if verdict is not Verdict.SUPPORTED), key=lambda one: chances[one]
    )
    if not (chances[Verdict.SUPPORTED] and chances[other]):
        return 0.0
    odds = math.log(chances[Verdict.SUPPORTED] / chances[other])
    return odds - sum(item.logits[Verdict.SUPPORTED] - item.logits[other] for item in found)


def _pair(case: ClaimCase, decided: Decided, reading: WindowScores | None) -> ValuePair | None:
    if reading is None:
        return None
    if Verdict.CONTRADICTED in (decided.verdict, decided.withheld) or decided.conflict:
        against = case.dispute[1] if decided.conflict and case.dispute else case.con or reading
        if decided.decided_by == READER or reading is case.unasserted:
            against = reading
        found = conflict_in(against, decided.feature)
        return _pair_of(case, against, *found) if found else _whole(case, against, decided.decided_by)
    if Verdict.SUPPORTED in (decided.verdict, decided.withheld):
        found = _first(reading, Relation.MATCH, decided.decided_by)
    else:
        found = _first(reading, Relation.ABSENT, decided.decided_by)
    return _pair_of(case, reading, *found) if found else _whole(case, reading, decided.decided_by)


def _first(reading: WindowScores, relation: Relation, decider: str) -> tuple[str, Finding] | None:
    """The value that says most: of the signal that decided, else a figure, a name, the longest word."""
    for signal in dict.fromkeys((decider, "number", "entity", "traceability")):
        found = [item for item in reading.findings(signal) if item.relation is relation and item.claim_value]
        if found:
            return signal, max(found, key=lambda item: (bool(item.note), len(item.claim_value)))
    return None


def _pair_of(case: ClaimCase, reading: WindowScores, signal: str, finding: Finding) -> ValuePair:
    start, end = finding.claim_span
    claim = Quote(case.claim.hypothesis[start:end], start, end)
    evidence = _evidence_quote(reading, finding)
    return ValuePair(signal, finding.kind, finding.relation, claim, evidence, finding.note, finding.check)


def _evidence_quote(reading: WindowScores, finding: Finding) -> Quote | None:
    if finding.evidence_value is None or finding.evidence_span is None:
        return None
    place = reading.window.place_of(finding.evidence_span)
    if place is None:
        item = reading.window.evidence
        return Quote(finding.evidence_value, None, None, item.doc_id, item.source, item.page)
    item, (start, end) = place
    return replace(item.narrowed(start, end).quotation, text=finding.evidence_value)


def _whole(case: ClaimCase, reading: WindowScores, signal: str) -> ValuePair:
    """The whole claim beside the whole window, where a signal read both and names no value."""
    text, item = case.claim.hypothesis, reading.window.as_evidence()
    evidence = item.quotation
    score = reading.scores.get(signal)
    against = score is not None and score.outcome.value == "conflicting"
    relation = Relation.CONFLICT if against else Relation.MATCH
    return ValuePair(signal, "sentence", relation, Quote(text, 0, len(text)), evidence)


def _aligned(reading: WindowScores) -> Iterable[Aligned]:
    for finding in reading.findings("traceability"):
        place = reading.window.place_of(finding.evidence_span) if finding.evidence_span else None
        if place is not None:
            item, (start, end) = place
            yield Aligned(*finding.claim_span, item.doc_id, start, end)


def _quote_in(claim: Claim, quote: Quote) -> Quote:
    if quote.start is None or quote.end is None:
        return quote
    if (quote.start, quote.end) == (0, len(claim.hypothesis)):
        return Quote(claim.text, claim.start, claim.end)
    span = claim.to_text_span((quote.start, quote.end))
    if span is None:
        return replace(quote, start=None, end=None)
    return replace(quote, start=claim.start + span[0], end=claim.start + span[1])


def _edit_in(claim: Claim, edit: Edit) -> Edit | None:
    span = text_span(claim, (edit.start, edit.end))
    if span is None:
        return None
    start, end = span
    text = claim.text[:start] + edit.after + claim.text[end:]
    return replace(
        edit, before=claim.text[start:end], start=claim.start + start, end=claim.start + end, text=text
    )
