"""The adapters for other people's frameworks, without these: what is missing, what is listed, and what all share."""

from __future__ import annotations

import asyncio
import importlib
import re
import sys
import tomllib
from pathlib import Path

import pytest
from verifier_backends.bm25 import BM25Backend

from verifier.config import load
from verifier.core.errors import ConfigError, MissingExtra
from verifier.integrations.checking import Check, place, said
from verifier.integrations.retrieved import Retrieved
from verifier.knowledge.store import GroundTruthStore
from verifier.types import Evidence

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
REFUNDS = "Refunds are paid within 30 days of the return. The return must be sent in its box."
PARKING = "The visitors' car park opens at 7 a.m. and costs 4 EUR a day."
TRUE = "Refunds are paid within 30 days."
FALSE = "Refunds are paid within 60 days."
RULES = load(overrides={"signals.nli": False}, environ={}).settings
VENDORS = {
    "deepeval": "deepeval",
    "dspy": "dspy",
    "haystack": "haystack",
    "langchain": "langchain",
    "llama_index": "llama_index",
    "mcp": "mcp",
    "nemo_guardrails": "nemoguardrails",
    "opentelemetry": "opentelemetry",
    "pydantic_ai": "pydantic_ai",
    "pydantic_evals": "pydantic_evals",
    "ragas": "ragas",
}


@pytest.mark.parametrize(("module", "vendor"), VENDORS.items())
def test_what_is_not_installed_is_one_line_that_brings_it(
    module: str, vendor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for name in [name for name in sys.modules if name.partition(".")[0] == vendor]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, vendor, None)
    monkeypatch.delitem(sys.modules, f"verifier.integrations.{module}", raising=False)
    with pytest.raises(MissingExtra) as raised:
        importlib.import_module(f"verifier.integrations.{module}")
    assert raised.value.extra in extras


def test_the_table_lists_every_integration_with_the_version_that_is_tested() -> None:
    pages = list((DOCS / "integrations").glob("*.md"))
    row = r"^\| \[.*?\]\(integrations/(\w+)\.md\) \|.*\| `(.*?)` \| (\S+) (\S+) \|$"
    table = re.findall(row, (DOCS / "integrations.md").read_text(), re.M)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    tested = dict(re.findall(r"^(\S+)==(\S+)$", (ROOT / "constraints-frameworks.txt").read_text(), re.M))
    assert {page for page, *_ in table} == {path.stem for path in pages}
    for _, extra, package, version in table:
        assert extra in extras
        assert tested[package] == version
    tests = " ".join(path.read_text() for path in (ROOT / "tests" / "frameworks").glob("*.py"))
    for path in pages:
        assert re.search(f'"(integrations/)?{path.stem}"', tests)


def test_an_outcome_follows_the_decision_and_never_the_score() -> None:
    check = Check(settings=RULES)
    assert check.outcome(TRUE, [REFUNDS, " "]).passed
    mixed = check.outcome(
        f"{TRUE} The return must be sent in its box. The car park costs 9 EUR.", [REFUNDS, PARKING]
    )
    assert (mixed.passed, mixed.decision) == (False, "rejected")
    assert mixed.score == pytest.approx(2 / 3)
    assert [claim["verdict"] for claim in mixed.summary()["claims"]] == [
        "supported",
        "supported",
        "contradicted",
    ]
    assert "claim says:    9 EUR" in mixed.why


def test_without_a_source_or_a_claim_nothing_passes_unless_it_is_let_through() -> None:
    check = Check(settings=RULES)
    none = check.outcome(TRUE, [""])
    assert (none.passed, none.report, none.summary()["decision"]) == (False, None, "rejected")
    assert not check.outcome("Hello!", [REFUNDS]).passed
    lenient = Check(settings=RULES, nothing_to_check="pass")
    assert lenient.outcome("Hello!", [REFUNDS]).passed
    assert not lenient.outcome(FALSE, [REFUNDS]).passed
    assert not lenient.outcome("Hello!").passed


def test_a_knowledge_base_is_searched_and_opened_once(tmp_path: Path) -> None:
    with GroundTruthStore(BM25Backend(), tmp_path / "kb", create=True) as store:
        store.add("refunds.md", REFUNDS)
        with Check(store, settings=RULES) as check:
            assert asyncio.run(check.aoutcome(TRUE)).passed
            [found] = check.find("refunds", 3)
            assert check.find(" ", 3) == []
        assert place(found)["source"] == "refunds.md"
        assert store.passage_count() == 1
    with pytest.raises(ConfigError, match="give kb"):
        Check(settings=RULES).find("refunds", 3)


def test_what_cannot_be_meant_is_refused() -> None:
    with pytest.raises(ConfigError, match="not both"):
        Check("kb", search=lambda query: [])
    with pytest.raises(ConfigError, match="known: block, pass"):
        Check(nothing_to_check="maybe")
    with pytest.raises(TypeError, match="the answer is of type int: give text="):
        said(3)


def test_a_retriever_is_asked_for_each_claim_and_what_it_found_is_evidence() -> None:
    asked: list[str] = []

    def search(query: str) -> list:
        asked.append(query)
        return [{"text": REFUNDS if "efund" in query else PARKING, "source": "handbook.md"}, ""]

    outcome = Check(search=search, settings=RULES).outcome(f"{FALSE} The car park costs 4 EUR a day.")
    assert len(asked) == 2
    assert [claim.verdict for claim in outcome.report.claims] == ["contradicted", "supported"]
    assert outcome.report.claims[0].evidence[0].source == "handbook.md"


def test_a_retriever_that_finds_nothing_or_fails_approves_nothing() -> None:
    nothing = Check(search=lambda query: [], settings=RULES).outcome(TRUE)
    assert (nothing.passed, nothing.report.claims[0].verdict) == (False, "fabricated")

    def broken(query: str) -> list:
        raise ConnectionError("down")

    failed = Check(search=broken, settings=RULES).outcome(TRUE)
    assert (failed.passed, failed.report.claims[0].status) == (False, "error")


def test_a_text_that_is_found_twice_is_one_document_with_offsets_into_it() -> None:
    source = Retrieved(lambda query: [REFUNDS, REFUNDS, {"text": PARKING, "source": "parking.md"}], 900)
    first, second = source.retrieve(["refunds", "parking"], top_k=5)
    assert [one.source for one in first] == ["text 1", "parking.md"]
    assert first == second
    item: Evidence = first[1]
    assert PARKING[item.start : item.end] == item.text
    assert source.document_head(item.doc_id, 12) == PARKING[:12]
    assert source.term_document_frequency(["refunds", "zebra"]) == {"refunds": 1, "zebra": 0}
    assert Retrieved(lambda query: [], 900).passage_count() == 1
