"""An entailment that one sentence has is not lost among others: over the facts that the NLI model never saw."""

from __future__ import annotations

import random
from collections.abc import Iterator

from training.bank import FactDocument, is_held_back_fact
from training.sheets import read_sheets, render
from verifier.config import load
from verifier.factory import build_scorer, temporary_store
from verifier.types import Claim
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

OTHERS = 8
"""Sentences of the same topic around the one that entails the claim."""


def _cases(rng: random.Random) -> Iterator[tuple[str, str, str]]:
    """A sentence, a document that holds it, and another way to say it."""
    for sheet in read_sheets():
        for fact in filter(is_held_back_fact, sheet.facts):
            document = FactDocument(sheet, fact, rng)
            sentence = render(fact.says[0], document.values, rng)
            lines = document.lines(OTHERS, with_fact=False)
            lines.insert(rng.randrange(len(lines) + 1), sentence)
            yield sentence, " ".join(lines), render(fact.says[1], document.values, rng)


def _entailment(scorer: VerifiedScorer, claim: str, text: str) -> float:
    [read] = scorer.examine([Claim(claim, 0, len(claim))], GivenTexts.of(text))
    return max(reading.feature("nli", "entailment") for reading in (*read.readings, *read.wide))


def test_a_sentence_among_others_entails_what_it_entails_alone() -> None:
    settings = load(environ={}).settings
    scorer = build_scorer(settings, temporary_store(settings))
    entailed = 0
    for sentence, document, claim in _cases(random.Random(5)):
        alone = _entailment(scorer, claim, sentence)
        if alone >= 0.3:
            entailed += 1
            assert _entailment(scorer, claim, document) >= alone - 0.02, claim
    assert entailed >= 20
