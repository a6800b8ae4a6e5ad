"""A signal that compares part codes, a check of prices, a skip of disclaimers, and a reader of verbatim statements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

from verifier_signals.base import Signal
from verifier_signals.checks import Action, Check, Conflict, Example, Rule, Skip, said
from verifier_signals.types import Finding, Outcome, Relation, SignalScore, TextPair

from verifier.readers import Answer, Case, Quotation, Reader, Reading, State, Traits

_CODE = re.compile(r"\b[A-Z]{2}-\d{3}\b")
_DISCLAIMER = re.compile(r"this(?: answer)? is not (?:legal|medical|financial) advice\.?", re.IGNORECASE)
_PRICE = re.compile(r"\b(?P<sum>\d+) euros? (?P<kind>net|gross)\b")


class CodesSignal(Signal):
    """Part codes (``LK-402``) of a claim must stand in the evidence. The fusion sees them as ``codes.missing``."""

    name: ClassVar[str] = "codes"
    feature_names: ClassVar[tuple[str, ...]] = ("missing",)

    def score(self, pairs: Sequence[TextPair]) -> list[SignalScore]:
        """One score a pair: the share of the claim's codes that the evidence lacks."""
        return [self._one(pair) for pair in pairs]

    def _one(self, pair: TextPair) -> SignalScore:
        there = set(_CODE.findall(pair.premise))
        findings = []
        for found in _CODE.finditer(pair.hypothesis):
            code, span = found[0], found.span()
            if code in there:
                at = pair.premise.index(code)
                findings.append(Finding("code", Relation.MATCH, code, span, code, (at, at + len(code))))
            else:
                findings.append(Finding("code", Relation.ABSENT, code, span))
        if not findings:
            return SignalScore(self.name, Outcome.NOT_APPLICABLE, None, (), {"missing": 0.0})
        missing = sum(item.relation is Relation.ABSENT for item in findings) / len(findings)
        outcome = Outcome.ABSENT if missing else Outcome.CONSISTENT
        return SignalScore(self.name, outcome, 1.0 - missing, tuple(findings), {"missing": missing})


class NetAndGross(Rule):
    """``10 euros net`` is not ``10 euros gross``."""

    check: ClassVar[Check] = Check(
        "negation.net-and-gross",
        "prices",
        "The same sum is net in one text and gross in the other.",
        frozenset({Relation.CONFLICT}),
        fires=(
            Example("The pump costs 90 euros net.", "The pump costs 90 euros gross."),
            Example("A day costs 8 euros gross.", "A day costs 8 euros net."),
        ),
        silent=(
            Example("The pump costs 90 euros net.", "The pump costs 90 euros net."),
            Example("It costs 90 euros net, or 107 euros gross.", "It costs 107 euros gross."),
        ),
    )
    feature: ClassVar[str] = "antonym"

    def find(self, claim: str, premise: str) -> Iterator[Conflict]:
        """Each sum of the claim that the premise has with the other word."""
        told = {found["sum"]: found for found in _PRICE.finditer(premise)}
        for mine in _PRICE.finditer(claim):
            other = told.get(mine["sum"])
            if other is not None and other["kind"] != mine["kind"]:
                yield Conflict(mine.span("kind"), other.span("kind"), "net is not gross")


class Disclaimer(Skip):
    """``This is not legal advice.`` is no claim about anything in the documents."""

    check: ClassVar[Check] = Check(
        "claims.skip-disclaimer",
        "house",
        "The sentence only says what the answer is not meant to be.",
        frozenset({Action.SKIP}),
        fires=said("This is not legal advice.", "This answer is not medical advice."),
        silent=said("The firm gives legal advice.", "Legal advice is not covered."),
    )

    def skips(self, sentence: str) -> bool:
        """Whether it is such a sentence."""
        return _DISCLAIMER.fullmatch(sentence.strip()) is not None


class VerbatimReader(Reader):
    """Settles claims that a piece of evidence states word for word, and abstains from all others."""

    traits = Traits(quotes=True, probabilities=False, multilingual=True, kind="chat")
    identity = "verbatim-1"

    def read(self, cases: Sequence[Case]) -> list[Reading]:
        """One reading a case."""
        return [self._one(case) for case in cases]

    def _one(self, case: Case) -> Reading:
        wanted = case.claim.strip().rstrip(".")
        for number, piece in enumerate(case.pieces, start=1):
            if wanted and wanted in piece.text:
                quoted = (Quotation(number, wanted),)
                return Reading(State.SETTLED, Answer.SUPPORTED, quotations=quoted, pieces=(number,))
        return Reading(State.ABSTAINED, note="no piece states it word for word")
