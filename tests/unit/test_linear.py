"""Work grows in proportion to the text, and what is too much to compare whole is left out in the open."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence

import pytest
from verifier_signals.base import Signal
from verifier_signals.entity import EntitySignal
from verifier_signals.long_texts import LONGEST_CLAIM, LONGEST_EVIDENCE, parts_of
from verifier_signals.negation import NegationSignal
from verifier_signals.number import NumberSignal
from verifier_signals.types import (
    NEAREST_ONLY,
    NOT_COMPARED,
    Finding,
    Outcome,
    Relation,
    SignalScore,
    TextPair,
)
from verifier_signals.values import values_of
from verifier_signals.values.alignment import MOST_OF_CLAIM, are_too_many, nearest_groups

from benchmarks.trust.linear import Growing, main
from benchmarks.trust.linear_parts import PARTS
from benchmarks.trust.linear_texts import TEXTS
from verifier.config import load
from verifier.factory import build_scorer
from verifier.types import Report, Verdict
from verifier.verification.retrieve import GivenTexts

FILLER = TEXTS["facts"](3 * LONGEST_EVIDENCE)
TIMES, MOST = 4, 8


def calls_of(part: str, text: str) -> int:
    """How many functions a part calls for a text: the same on any machine, however busy."""
    calls = 0

    def count(_: object, event: str, __: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        PARTS[part](text)
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize(
    ("part", "text", "size"),
    [
        ("number: itself", "counts", 1000),
        ("number: itself", "price table", 1000),
        ("number: short claim", "prices", 2000),
        ("number: short evidence", "dates", 2000),
        ("entity: itself", "names and", LONGEST_EVIDENCE),
        ("entity: itself", "who met whom", LONGEST_EVIDENCE),
        ("negation: itself", "clauses", LONGEST_EVIDENCE),
        ("traceability: itself", "counts", 1000),
        ("traceability: itself", "new names", 1000),
        ("traceability: itself", "7 ", 1000),
        ("claims", "greetings", 2000),
        ("claims", "one sentence", 2000),
        ("claims", "(source: the fee is 5 EUR) ", 2000),
        ("claims of a question", "facts", 1000),
        ("hidden text", "nested b", 2000),
        ("chunks of text", "long list", 2000),
        ("chunks of Markdown", "sections", 2000),
        ("reads html", "nested div", 2000),
        ("reads csv", "csv rows", 2000),
    ],
)
def test_four_times_the_text_takes_at_most_eight_times_the_calls(part: str, text: str, size: int) -> None:
    made = TEXTS[text]
    PARTS[part](made(size // 2))  # what is loaded once is no work of the text
    assert calls_of(part, made(size * TIMES)) <= MOST * calls_of(part, made(size))


def numbers(count: int, seed: int = 3) -> str:
    chosen = random.Random(seed).sample(range(100, 99_999), count)
    return f"The daily counts in 2023 were {', '.join(map(str, chosen))}."


def score(signal: Signal, premise: str, hypothesis: str) -> SignalScore:
    return signal.score([TextPair(premise, hypothesis)])[0]


def related(findings: Sequence[Finding], relation: Relation) -> list[Finding]:
    return [one for one in findings if one.relation is relation]


def test_a_list_of_a_hundred_numbers_bears_itself_out() -> None:
    text = numbers(100)
    assert are_too_many(values_of(text), values_of(text))
    assert score(NumberSignal(), text, text).outcome is Outcome.CONSISTENT


def test_numbers_beyond_the_bound_are_absent_and_told() -> None:
    text = numbers(MOST_OF_CLAIM + 50)
    found = score(NumberSignal(), text, text)
    beyond = [one for one in found.findings if one.note == NOT_COMPARED]
    assert (
        len(beyond)
        == len(values_of(text).values) - MOST_OF_CLAIM
        == len(related(found.findings, Relation.ABSENT))
    )
    assert found.outcome is Outcome.ABSENT


def test_a_wrong_number_among_many_is_not_borne_out() -> None:
    text = numbers(100)
    wrong = text.replace(text.split(", ")[50], "7654321")
    [finding] = [one for one in score(NumberSignal(), text, wrong).findings if one.claim_value == "7654321"]
    assert finding.relation is not Relation.MATCH


@pytest.mark.parametrize(("said", "relation"), [("71234", Relation.MATCH), ("71235", Relation.CONFLICT)])
def test_one_number_is_looked_up_among_thousands(said: str, relation: Relation) -> None:
    premise = f"{numbers(2000, seed=9)} The harbour counted 71234 boats. {numbers(2000, seed=8)}"
    found = score(NumberSignal(), premise, f"The harbour counted {said} boats.")
    [finding] = [one for one in found.findings if one.claim_value.startswith(said)]
    assert finding.relation is relation
    assert finding.evidence_value is not None
    assert finding.evidence_value.startswith("71234")


def test_none_and_zero_are_one_among_thousands_too() -> None:
    found = score(NumberSignal(), f"The club has 0 boats. {numbers(2000)}", "The club has no boats.")
    assert found.outcome is Outcome.CONSISTENT


def test_groups_hold_the_same_figures_first() -> None:
    text = values_of(numbers(400))
    for claim, evidence in nearest_groups(text, text):
        assert set(claim.values) <= set(evidence.values)
        assert len(evidence.values) < len(text.values)


def test_short_texts_are_compared_whole() -> None:
    pair = TextPair("The pool opens at 9.", "It opens at 9.")
    assert [part.pair for part in parts_of(pair)] == [pair]


def test_long_claims_are_read_to_their_end_in_parts() -> None:
    claim = FILLER[: 3 * LONGEST_CLAIM]
    parts = parts_of(TextPair("The pool opens at 9.", claim))
    assert "".join(part.pair.hypothesis for part in parts) == claim
    assert [part.begins for part in parts][1:] == [part.ends for part in parts][:-1]
    assert all(len(part.pair.hypothesis) <= LONGEST_CLAIM for part in parts)


@pytest.mark.parametrize(
    "premise",
    [FILLER + " The ferry does not run on Sundays.", "The ferry does not run on Sundays. " + FILLER],
)
def test_what_denies_a_claim_is_found_wherever_it_stands(premise: str) -> None:
    found = score(NegationSignal(), premise, "The ferry runs on Sundays.")
    assert found.outcome is Outcome.CONFLICTING
    [finding] = related(found.findings, Relation.CONFLICT)
    assert finding.evidence_span is not None
    assert premise[slice(*finding.evidence_span)] == finding.evidence_value
    assert premise.find("The ferry") <= finding.evidence_span[0] < premise.find("Sundays")


def test_a_claim_without_end_is_no_agreement() -> None:
    found = score(NegationSignal(), "The pool opens at 9.", TEXTS["denials"](20 * LONGEST_CLAIM))
    assert (found.outcome, found.support, found.findings[-1].note) == (Outcome.ABSENT, 0.0, NOT_COMPARED)


def test_a_name_is_found_wherever_it_stands_in_long_evidence() -> None:
    premise = "Orla Quist rows for Tarn. " + FILLER + " The choir sings in Kelsund."
    found = score(EntitySignal(), premise, "Orla Quist met Bodil Varga in Kelsund.")
    told = {one.claim_value: (one.relation, one.note) for one in found.findings}
    assert told["Orla Quist"] == (Relation.MATCH, "")
    assert told["Kelsund"] == (Relation.MATCH, "")
    assert told["Bodil Varga"] == (Relation.ABSENT, NEAREST_ONLY)


def verified(text: str, answer: str) -> Report:
    settings = load(overrides={"signals.nli": False, "verdict.suggest_fixes": False}).settings
    return build_scorer(settings, GivenTexts.of(text)).verify(answer)


def test_the_report_says_what_was_not_compared() -> None:
    text = numbers(MOST_OF_CLAIM + 50)
    report = verified(text, text)
    assert report.notes[-1].endswith("nearest were compared; 51 were not compared at all and count as absent")


def test_a_claim_of_which_not_all_was_compared_is_not_supported_unless_it_is_stated_whole() -> None:
    chosen = [str(random.Random(at).randint(1, 999)) for at in range(170)]
    text = f"The daily counts in 2023 were {', '.join(chosen)}."
    other = f"The daily counts in 2023 were {', '.join([*chosen[:-1], chosen[0]])}."
    [same], [changed] = verified(text, text).claims, verified(text, other).claims
    assert same.verdict is Verdict.SUPPORTED
    assert changed.verdict is Verdict.UNVERIFIABLE
    assert changed.reason.startswith(
        "43 of its figures and names were not compared because there are too many; closest evidence"
    )


def test_growth_by_the_square_is_over_the_bound() -> None:
    square = Growing("part", "text", ((3125, 0.1), (6250, 0.4), (12500, 1.6)))
    assert (square.exponent, square.bounded) == (pytest.approx(2.0), False)
    assert Growing("part", "text", ((3125, 0.1), (6250, 0.2), (12500, 0.4))).bounded


def test_the_command_prints_the_worst_of_every_part(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--parts", "hidden", "--texts", "sections"]) == 0
    assert capsys.readouterr().out.endswith("linear: 1 parts, 1 texts, 0 over a bound\n")
