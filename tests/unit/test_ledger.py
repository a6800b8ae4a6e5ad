"""The reason ledger: it quotes what it says, adds up to the verdict, and its edit does what it promises."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verifier.core.errors import ConfigError
from verifier.types import ClaimVerdict, Report, Status, Verdict
from verifier.verification.decision.verdict import Fusion
from verifier.verification.render.highlight import Marks, marked_evidence
from verifier.verification.render.markdown import render_markdown
from verifier.verification.render.table import render_table
from verifier.verification.report import from_json, to_json
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer, default_signals
from verifier.verification.vocabulary import Vocabulary

DOCUMENT = """# Harbour rules

The harbour office is led by Jonas Halvorsen. A berth is free of charge for 30 minutes. Dogs are not allowed on the
pontoons. Electricity costs 4 EUR a night. The crane was built in 1962 by Corran Mills.
"""
TRUE = (
    "The harbour office is led by Jonas Halvorsen.",
    "A berth is free of charge for 30 minutes.",
    "Electricity costs 4 EUR a night.",
    "Dogs are not allowed on the pontoons.",
    "The crane was built in 1962 by Corran Mills.",
)
FALSE = (
    "The harbour office is led by Mira Sandvik.",
    "A berth is free of charge for 60 minutes.",
    "Electricity costs 9 EUR a night.",
    "Dogs are allowed on the pontoons.",
    "The crane was built in 1974 by Corran Mills.",
    "Whales sing in the harbour every Tuesday.",
    "Electricity costs 4 EUR a night by card.",
)


@pytest.fixture(scope="module")
def scorer() -> VerifiedScorer:
    vocabulary = Vocabulary()
    rules = [signal for signal in default_signals(vocabulary) if signal.name != "nli"]
    fusion = replace(Fusion.embedded("none"), supported_at=0.0)
    return VerifiedScorer(
        GivenTexts.of(DOCUMENT), rules, vocabulary=vocabulary, fusion=fusion, suggest_fixes=True
    )


RESPONSES = st.lists(st.sampled_from([*TRUE, *FALSE]), min_size=1, max_size=4).map(" ".join)
FEW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def _checked(report: Report) -> list[ClaimVerdict]:
    return [claim for claim in report.claims if claim.status is Status.CHECKED]


@FEW
@given(response=RESPONSES, lead=st.sampled_from(["", "Hello! ", "- ", "**Note**: "]))
def test_every_quote_says_what_stands_there(scorer: VerifiedScorer, response: str, lead: str) -> None:
    text = lead + response
    for claim in _checked(scorer.verify(text)):
        assert claim.ledger is not None
        pair = claim.ledger.pair
        if pair is not None and pair.claim.start is not None:
            assert text[pair.claim.start : pair.claim.end] == pair.claim.text
        if pair is not None and pair.evidence is not None and pair.evidence.start is not None:
            assert DOCUMENT[pair.evidence.start : pair.evidence.end] == pair.evidence.text
        for item in claim.ledger.aligned:
            assert claim.start <= item.start < item.end <= claim.end
            assert DOCUMENT[item.evidence_start : item.evidence_end].strip()


@FEW
@given(response=RESPONSES)
def test_an_edit_gives_the_text_and_the_verdict_that_it_states(scorer: VerifiedScorer, response: str) -> None:
    for claim in _checked(scorer.verify(response)):
        assert claim.ledger is not None
        assert claim.ledger.fix_sought == (claim.verdict is Verdict.CONTRADICTED)
        fix = claim.ledger.fix
        if fix is None:
            continue
        assert response[fix.start : fix.end] == fix.before
        edited = response[claim.start : fix.start] + fix.after + response[fix.end : claim.end]
        assert edited == fix.text
        [again] = _checked(scorer.verify(edited))
        assert again.verdict is fix.verdict


@FEW
@given(response=RESPONSES)
def test_contributions_add_up_to_the_probabilities(scorer: VerifiedScorer, response: str) -> None:
    for claim in _checked(scorer.verify(response)):
        ledger = claim.ledger
        assert ledger is not None
        assert claim.verdict is not None
        logits = {
            name: sum(item.logits[name] for item in ledger.contributions) for name in ledger.probabilities
        }
        total = sum(math.exp(value) for value in logits.values())
        for name, chance in ledger.probabilities.items():
            assert math.exp(logits[name]) / total == pytest.approx(chance, abs=1e-6)
        assert claim.confidence is not None
        assert ledger.probabilities[claim.verdict.value] <= claim.confidence + 1e-9  # rules move some to it


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("A berth is free of charge for 60 minutes.", "60 minutes -> 30 minutes"),
        ("The harbour office is led by Mira Sandvik.", "Mira Sandvik -> Jonas Halvorsen"),
        ("The crane was built in 1974 by Corran Mills.", "1974 -> 1962"),
    ],
)
def test_the_smallest_edit_is_found_and_shown(scorer: VerifiedScorer, claim: str, label: str) -> None:
    report = scorer.verify(claim)
    [checked] = _checked(report)
    assert checked.verdict is Verdict.CONTRADICTED
    assert checked.ledger is not None
    assert checked.ledger.fix is not None
    assert checked.ledger.fix.label == label
    assert f"fix: {label}" in render_table(report, width=200)
    assert f"<br>fix: {label}" in render_markdown(report)


def test_an_edit_of_a_pronoun_puts_the_name_in_its_place(scorer: VerifiedScorer) -> None:
    response = "Mira Sandvik sails. She leads the harbour office."
    claims = [claim for claim in _checked(scorer.verify(response)) if claim.text.startswith("She")]
    for claim in claims:
        fix = claim.ledger.fix if claim.ledger is not None else None
        if fix is not None:
            assert response[fix.start : fix.end] == fix.before
            assert fix.text == claim.text.replace(fix.before, fix.after, 1)
    assert claims


def test_no_edit_is_sought_where_none_is_wanted(scorer: VerifiedScorer) -> None:
    report = scorer.verify(FALSE[1], suggest_fixes=False)
    [checked] = _checked(report)
    assert checked.ledger is not None
    assert (checked.ledger.fix, checked.ledger.fix_sought) == (None, False)
    assert "fix:" not in render_table(report)


def test_skipped_spans_have_no_ledger(scorer: VerifiedScorer) -> None:
    report = scorer.verify("Shall I go on?")
    assert [claim.ledger for claim in report.claims] == [None]


@FEW
@given(response=RESPONSES)
def test_the_json_of_a_report_is_read_back(scorer: VerifiedScorer, response: str) -> None:
    written = to_json(scorer.verify(response))
    assert to_json(from_json(json.loads(json.dumps(written)))) == written


def test_what_is_no_report_is_refused() -> None:
    with pytest.raises(ConfigError, match="not a report: decision"):
        from_json({"claims": []})


@FEW
@given(response=RESPONSES)
def test_marks_add_nothing_but_themselves(scorer: VerifiedScorer, response: str) -> None:
    marks = Marks(("\x01", "\x02"), ("\x03", "\x04"))
    marked = 0
    for claim in _checked(scorer.verify(response)):
        for item in claim.evidence:
            text = marked_evidence(item, claim.ledger, marks)
            marked += text.count("\x01") + text.count("\x03")
            assert text.translate(dict.fromkeys(range(1, 5))) == item.text
            assert text.count("\x01") == text.count("\x02")
    if any(sentence in response for sentence in TRUE):
        assert marked
