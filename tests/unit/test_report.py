"""The gate, the coverage line, the published JSON form, and the formats for people."""

from __future__ import annotations

import json
from dataclasses import replace

import jsonschema
import pytest
from verifier_signals.types import Finding, Outcome, Relation, SignalScore

from verifier.core.errors import ConfigError
from verifier.core.reasoning import OPEN_REASONING
from verifier.readers import Call
from verifier.types import (
    ClaimVerdict,
    Decision,
    Evidence,
    Ledger,
    ReaderSaid,
    ReaderUse,
    Report,
    Status,
    Verdict,
)
from verifier.verification.render import FORMATS
from verifier.verification.render.table import render_table
from verifier.verification.report import DecisionRule, build_report, from_json, json_schema, to_json

RESPONSE = "Refunds take 60 days.\n\nAny questions?"
EVIDENCE = Evidence(
    doc_id="d1", source="refunds.md", text="Refunds take 30 days.", start=412, end=433, score=0.5, page=2
)
SCORE = SignalScore(
    "number",
    Outcome.CONFLICTING,
    0.0,
    (Finding("number", Relation.CONFLICT, "60 days", (13, 20), "30 days", (13, 20)),),
    {"conflict": 1.0, "match": 0.0, "absent": 0.0},
)


def _claim(verdict: Verdict | None, status: Status = Status.CHECKED, **more: object) -> ClaimVerdict:
    given: dict[str, object] = {"confidence": 0.9, "support": 0.1} if verdict else {}
    return ClaimVerdict(RESPONSE[:21], 0, 21, status, verdict, "because", **{**given, **more})  # type: ignore[arg-type]


SKIPPED = ClaimVerdict("Any questions?", 23, 37, Status.SKIPPED, None, "question")


def _report(
    *claims: ClaimVerdict, fail_on: tuple[str, ...] = ("contradicted", "fabricated"), least: float = 0.5
) -> Report:
    return build_report(RESPONSE, claims, rule=DecisionRule(tuple(fail_on), least))


@pytest.mark.parametrize(
    ("claims", "decision"),
    [
        ([_claim(Verdict.SUPPORTED)], Decision.APPROVED),
        ([_claim(Verdict.CONTRADICTED)], Decision.REJECTED),
        ([_claim(Verdict.SUPPORTED), _claim(Verdict.FABRICATED)], Decision.REJECTED),
        ([_claim(Verdict.SUPPORTED), _claim(None, Status.ERROR)], Decision.REJECTED),
        ([_claim(None, Status.ERROR)], Decision.REJECTED),
        ([_claim(Verdict.UNVERIFIABLE)], Decision.REJECTED),
        ([_claim(Verdict.SUPPORTED), _claim(Verdict.UNVERIFIABLE)], Decision.APPROVED),
        ([_claim(Verdict.SUPPORTED), _claim(Verdict.UNVERIFIABLE, decided_by="language")], Decision.REJECTED),
        ([SKIPPED], Decision.NOTHING_TO_CHECK),
        ([], Decision.NOTHING_TO_CHECK),
    ],
)
def test_the_gate(claims: list[ClaimVerdict], decision: Decision) -> None:
    report = _report(*claims)
    assert report.decision is decision
    assert report.approved is (decision is Decision.APPROVED)


def test_the_rule_can_be_changed_and_is_stated() -> None:
    claims = (_claim(Verdict.SUPPORTED), _claim(Verdict.UNVERIFIABLE))
    assert _report(*claims, fail_on=("unverifiable",)).decision is Decision.REJECTED
    assert _report(*claims, least=0.6).decision is Decision.REJECTED
    assert _report(*claims, least=0.6).rule == (
        "approved when no claim is contradicted, fabricated, in error or in a language that cannot be read, "
        "nothing is said in hidden text, and groundedness is at least 0.6"
    )
    assert _report(*claims, fail_on=()).rule.startswith(
        "approved when no claim is none of the verdicts, in error"
    )
    assert _report(*claims, least=0.5).decision is Decision.APPROVED


def test_a_rule_that_is_no_number_lets_nothing_through() -> None:
    assert _report(_claim(Verdict.SUPPORTED), least=float("nan")).decision is Decision.REJECTED


def test_a_report_says_its_groundedness_and_what_it_was_made_by() -> None:
    claims = [_claim(Verdict.SUPPORTED), _claim(Verdict.UNVERIFIABLE), SKIPPED]
    report = build_report(
        RESPONSE,
        claims,
        rule=DecisionRule(()),
        notes=["a note"],
        kb={"passages": 3},
        config={"top_k": 5},
    )
    assert report.groundedness == 0.5
    assert (report.notes, report.kb, report.config) == (("a note",), {"passages": 3}, {"top_k": 5})
    assert _report(SKIPPED).groundedness is None
    assert report.reader is None


OPEN = replace(SKIPPED, reason=OPEN_REASONING)


def test_a_block_of_reasoning_that_is_not_closed_is_part_of_the_rule() -> None:
    report = _report(_claim(Verdict.SUPPORTED), OPEN)
    assert report.decision is Decision.REJECTED
    assert report.rule.endswith("at least 0.5; never approved with a block of reasoning that is not closed")


def _read(key: str, *, claim: int, tokens: int | None = 10, cost: float | None = 0.5) -> ClaimVerdict:
    said = ReaderSaid("settled", "supported", "so it is", calls=(Call(key, tokens, tokens, cost),))
    return _claim(Verdict.SUPPORTED, reader=said, hypothesis=str(claim))


def test_what_a_reader_took_is_summed_over_its_requests() -> None:
    claims = [
        _read("a", claim=1),
        _read("a", claim=2),
        _read("b", claim=3),
        _claim(None, Status.ERROR),
        SKIPPED,
    ]
    use = build_report(RESPONSE, claims, rule=DecisionRule(()), reader="chat:m").reader
    assert use == ReaderUse("chat:m", claims=4, read=3, calls=2, input_tokens=20, output_tokens=20, cost=1.0)


def test_what_a_reader_took_is_unknown_where_one_request_does_not_tell() -> None:
    claims = [_read("a", claim=1), _read("b", claim=2, tokens=None, cost=None)]
    use = build_report(RESPONSE, claims, rule=DecisionRule(()), reader="chat:m").reader
    assert use is not None
    assert (use.input_tokens, use.output_tokens, use.cost) == (None, None, None)
    nobody = build_report(RESPONSE, [SKIPPED], rule=DecisionRule(()), reader="chat:m").reader
    assert nobody is not None
    assert (nobody.calls, nobody.input_tokens, nobody.cost) == (0, 0, None)


def test_coverage_counts_what_belongs_to_nothing() -> None:
    assert _report(_claim(Verdict.SUPPORTED), SKIPPED).coverage == 1.0
    assert _report(_claim(Verdict.SUPPORTED)).coverage == pytest.approx(18 / 31)
    assert build_report(" \n", [], rule=DecisionRule(())).coverage == 1.0
    middle = replace(SKIPPED, text="60", start=13, end=15)
    assert _report(middle).coverage == pytest.approx(2 / 31)


def test_claims_and_skipped_spans_stand_in_the_order_of_the_text() -> None:
    assert [claim.start for claim in _report(SKIPPED, _claim(Verdict.SUPPORTED)).claims] == [0, 23]


def test_the_json_form_fits_its_published_schema() -> None:
    report = _report(
        _claim(Verdict.CONTRADICTED, signals={"number": SCORE}, evidence=(EVIDENCE,), decided_by="number"),
        SKIPPED,
    )
    raw = to_json(report)
    jsonschema.Draft202012Validator.check_schema(json_schema())
    jsonschema.validate(raw, json_schema())
    first = raw["claims"][0]
    assert RESPONSE[first["start"] : first["end"]] == first["text"]
    assert first["evidence"][0]["page"] == 2
    assert first["signals"]["number"]["findings"][0]["evidence_value"] == "30 days"
    assert raw["approved"] is False
    assert type(raw["decision"]) is str
    schema = json_schema()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["title"] == "rag-claim-verifier report"
    assert schema["properties"]["approved"] == {"title": "Approved", "type": "boolean"}
    assert schema["required"] == sorted(schema["properties"])
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({key: value for key, value in raw.items() if key != "approved"}, schema)


def test_numbers_of_the_json_form_have_six_places() -> None:
    raw = to_json(_report(_claim(Verdict.SUPPORTED, support=1 / 3, confidence=2 / 3)))
    assert (raw["claims"][0]["support"], raw["claims"][0]["confidence"]) == (0.333333, 0.666667)
    assert from_json(raw) == from_json(to_json(from_json(raw)))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"coverage": "much"}, r"^not a report: coverage: Input should be a valid number"),
        ({"claims": [{"text": 1}]}, r"^not a report: claims\.0\.text: "),
    ],
)
def test_what_is_no_report_is_told_with_its_place(change: dict[str, object], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        from_json({**to_json(_report(SKIPPED)), **change})
    with pytest.raises(ConfigError, match=r"^not a report: the whole: "):
        from_json(7)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_format_says_the_decision_and_is_the_same_twice(name: str) -> None:
    report = _report(_claim(Verdict.CONTRADICTED, evidence=(EVIDENCE,)), SKIPPED)
    text = FORMATS[name](report)
    assert "rejected" in text
    assert text == FORMATS[name](report)
    assert text.endswith("\n")


def test_jsonl_has_a_line_a_claim_and_one_for_the_report() -> None:
    lines = [
        json.loads(line)
        for line in FORMATS["jsonl"](_report(_claim(Verdict.SUPPORTED), SKIPPED)).splitlines()
    ]
    assert [line["type"] for line in lines] == ["claim", "claim", "report"]


def test_lone_surrogates_survive_every_format() -> None:
    broken = ClaimVerdict("a \udc80 b", 0, 5, Status.CHECKED, Verdict.UNVERIFIABLE, "r", 0.5, 0.1)
    report = build_report("a \udc80 b", [broken], rule=DecisionRule((), 0.0))
    assert json.loads(FORMATS["json"](report))["claims"][0]["text"] == "a \udc80 b"


def test_markdown_cells_cannot_break_the_table() -> None:
    text = "a | b <script> c"
    claim = ClaimVerdict(text, 0, len(text), Status.CHECKED, Verdict.SUPPORTED, "x | y", 0.5, 0.9)
    page = FORMATS["markdown"](build_report(text, [claim], rule=DecisionRule((), 0.0)))
    row = next(line for line in page.splitlines() if line.startswith("| 1 |"))
    assert row.replace("\\|", "").count("|") == 6
    assert "<script" not in row


def test_the_table_tells_the_rule_and_each_place_once() -> None:
    claim = _claim(Verdict.CONTRADICTED, evidence=(EVIDENCE,))
    claim = replace(claim, reason="evidence says 30 days (refunds.md, page 2, characters 425-432)")
    for width in (120, 60):
        shown = " ".join(render_table(_report(claim), width).replace("│", " ").split())
        assert shown.count("refunds.md") == 1
        assert "425-432" in shown
        assert "rule: approved when no claim is contradicted, fabricated, in error" in shown
        assert "90 %" in shown


@pytest.mark.parametrize("width", [120, 60])
def test_one_cause_of_several_errors_is_told_once_with_what_to_look_at(width: int) -> None:
    text = "One fee. Two fees. Three fees. Four fees."
    spans = [(0, 8), (9, 18), (19, 30), (31, 41)]
    reasons = [
        "model 'm' cannot be reached",
        "model 'm' cannot be reached",
        "no reply",
        "model 'm' cannot be reached",
    ]
    said = ReaderSaid("failed", None, "")
    claims = [
        ClaimVerdict(text[slice(*span)], *span, Status.ERROR, None, reason, reader=said)
        for span, reason in zip(spans, reasons, strict=True)
    ]
    report = build_report(text, claims, rule=DecisionRule())
    shown = " ".join(render_table(report, width).replace("│", " ").split())
    page = FORMATS["markdown"](report)
    assert shown.count("cannot be reached") == page.count("cannot be reached") == 1
    assert "| 1-2, 4 | error |" in page
    assert all(
        part in shown and part in page
        for part in ("1. One fee.", "2. Two fees.", "4. Four fees.", "no reply")
    )
    assert "4 claims were not read" in shown
    assert "verifier readers test" in page


def test_a_reason_without_a_place_is_shown_with_the_nearest_evidence() -> None:
    shown = render_table(_report(_claim(Verdict.FABRICATED, evidence=(EVIDENCE, EVIDENCE))))
    assert "nearest: refunds.md, page" in shown
    assert shown.count("refunds.md") == 1


def test_a_long_name_is_broken_only_after_a_separator() -> None:
    name = "handbook/customer-care/refunds-and-returns.md"
    shown = render_table(_report(_claim(Verdict.FABRICATED, evidence=(replace(EVIDENCE, source=name),))))
    lines = [line.split("│")[-2].strip() for line in shown.splitlines() if line.startswith("│")]
    assert "handbook/customer-care/" in lines
    assert "refunds-and-returns.md," in " ".join(lines)


def test_counts_are_told_in_grammar() -> None:
    skipped = [
        replace(SKIPPED, reason=reason) for reason in ("heading", "heading", "question", "code", "code")
    ]
    shown = FORMATS["table"](_report(*skipped))
    assert "skipped: 2 code, 2 headings, 1 question" in shown


def test_what_might_be_a_statement_is_quoted_where_it_is_skipped() -> None:
    opinions = [
        replace(SKIPPED, reason="opinion", text=f"I like number {n} " + "most " * 20) for n in range(5)
    ]
    [line] = [
        line for line in FORMATS["markdown"](_report(*opinions, SKIPPED)).splitlines() if "kipped" in line
    ]
    assert "1 question (“Any questions?”)" in line
    assert line.count("“I like number") == 3
    assert "mos…”, …), 1 question" in line


def test_no_verdict_is_shown_as_certain() -> None:
    shown = FORMATS["table"](_report(_claim(Verdict.FABRICATED, confidence=0.9997)))
    assert "99 %" in shown
    assert "100 % │" not in shown


def test_what_is_probably_supported_is_counted() -> None:
    ledger = Ledger("support withheld: probability 0.600 is below 0.7", None, {}, (), ())
    withheld = _claim(Verdict.UNVERIFIABLE, ledger=ledger)
    shown = FORMATS["table"](_report(withheld, _claim(Verdict.UNVERIFIABLE), _claim(Verdict.SUPPORTED)))
    assert "1 supported, 2 unverifiable (1 probably supported);" in " ".join(shown.split())


def test_the_table_numbers_the_claims_as_explain_does() -> None:
    shown = FORMATS["table"](_report(_claim(Verdict.SUPPORTED), SKIPPED, _claim(Verdict.FABRICATED)))
    numbered = [
        line.split("│")[1:3] for line in shown.splitlines() if "supported" in line or "fabricated" in line
    ]
    assert [[cell.strip() for cell in row] for row in numbered[:2]] == [
        ["1", "supported"],
        ["2", "fabricated"],
    ]


def test_steering_characters_are_spelt_out_for_people_and_kept_for_programs() -> None:
    claim = replace(_claim(Verdict.SUPPORTED), text="a\x1b[2J\u202eb", reason="\x9b1m \u2066")
    report = build_report("a\x1b[2J\u202eb", [claim], rule=DecisionRule((), 0.0), notes=["\x07"])
    for name in ("table", "markdown"):
        shown = FORMATS[name](report)
        assert not set("\x1b\u202e\x9b\u2066\x07") & set(shown)
        assert "\\x1b[2J" in shown
    assert json.loads(FORMATS["json"](report))["claims"][0]["text"] == "a\x1b[2J\u202eb"
