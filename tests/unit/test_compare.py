"""Comparing backends: what a label means, recall and nDCG over passages, verdicts that flip, and what fails."""

import hashlib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from verifier_backends.memory import InMemoryBackend

from tests.support.minimal_backend import MinimalBackend
from verifier.config import Settings
from verifier.core.errors import (
    BackendUnavailable,
    ConfigError,
    KnowledgeBaseError,
    MissingExtra,
    UnknownPlugin,
)
from verifier.factory import open_store
from verifier.knowledge import live
from verifier.knowledge.database import Database
from verifier.knowledge.reader import KnowledgeReader
from verifier.measure.compare import compare
from verifier.measure.comparison_svg import as_svg
from verifier.measure.judgements import ndcg, recall, resolve
from verifier.measure.queries import Query, QuerySet
from verifier.measure.trial import Candidate
from verifier.types import Document

TEXTS = {
    "refunds.md": "An annual plan is refunded in full within 30 days of purchase.",
    "fees.md": "The workshop charges a set-up fee of 12 euros for every new saddle.",
    "rows.csv#1": "The Cairn 65 holds 65 litres and weighs 1,900 grams.",
    "rows.csv#2": "The Cairn 40 holds 40 litres and weighs 1,400 grams.",
}
RULES = ("entity", "number", "negation", "traceability")
CLAIMS = ("An annual plan is refunded in full within 30 days of purchase.", "The Cairn 40 holds 40 litres.")


class WorstFirst(MinimalBackend):
    """Shows the passages that share least with the query."""

    def query(self, text, n_results=3):
        return super().query(text, self.count())[::-1][:n_results]


class FindsNothing(MinimalBackend):
    def query(self, text, n_results=3):
        return []


class Unreachable(MinimalBackend):
    def add(self, doc_id, text, metadata=None):
        raise BackendUnavailable("the server does not answer")


class Broken(MinimalBackend):
    def query(self, text, n_results=3):
        raise ZeroDivisionError("a third party's mistake")


def candidate(kind: type, name: str = "") -> Candidate:
    return Candidate(name or kind.__name__, kind, {"type": "memory" if kind is InMemoryBackend else "own"})


def asking(*queries: Query) -> QuerySet:
    return QuerySet(queries or tuple(Query(claim) for claim in CLAIMS), "test")


def files_of(folder: str) -> dict[str, str]:
    paths = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


@pytest.fixture
def settings(tmp_path) -> Settings:
    """One passage a claim, and no NLI model, so that a verdict hangs on what is retrieved."""
    tables = {"kb": {"path": str(tmp_path / "kb")}, "retrieval": {"top_k": 1}, "backend": {"type": "bm25"}}
    settings = Settings.model_validate({**tables, "signals": {**dict.fromkeys(RULES, True), "nli": False}})
    with open_store(settings, create=True) as store:
        store.ingest(Document(source=name, uri=f"/in/{name}", text=text) for name, text in TEXTS.items())
        store.add("other.md", "An annual plan is never refunded.", namespace="other")
    return settings


# What a label means


@pytest.fixture
def reader(settings):
    database = Database(Path(settings.kb.path))
    yield KnowledgeReader(database)
    database.close()


def wanted(reader, *names: str, namespace: str = "default") -> list[set[str]]:
    [found] = resolve([Query("q", tuple((name, 1) for name in names), "line 1")], reader, namespace)
    return [set(entry) for entry in found]


def test_a_name_is_a_document_a_source_a_file_of_rows_or_a_row(reader) -> None:
    by_source = {record.source: record.doc_id for record in reader.documents("default")}
    assert wanted(reader, "refunds.md") == [{by_source["refunds.md"]}]
    assert wanted(reader, "/in/refunds.md", by_source["refunds.md"]) == [{by_source["refunds.md"]}]
    assert wanted(reader, "rows.csv") == [{by_source["rows.csv#1"], by_source["rows.csv#2"]}]
    assert wanted(reader, "#2") == [{by_source["rows.csv#2"]}]


def test_a_quoted_text_means_the_passages_it_stands_in_whatever_the_white_space(reader) -> None:
    [entry] = wanted(reader, "refunded  in full\nwithin 30 days")
    [record] = [record for record in reader.documents("default") if record.source == "refunds.md"]
    assert entry == {f"{record.doc_id}:0-{len(TEXTS['refunds.md'])}"}


def test_a_quoted_text_over_several_passages_means_all_that_it_touches(settings, reader) -> None:
    sentences = [f"Rule {n} of the house says that door {n} is locked at {n} o'clock." for n in range(40)]
    with open_store(settings) as store:
        store.add("house.md", " ".join(sentences))
        [record] = [record for record in store.documents("default") if record.source == "house.md"]
        first, second, *_ = store.passages(record.doc_id)
    quote = f"{first.text[-30:]} {second.text[:30]}"
    assert wanted(reader, quote) == [{f"{record.doc_id}:{p.start}-{p.end}" for p in (first, second)}]


def test_a_label_that_the_knowledge_base_does_not_hold_is_refused(reader) -> None:
    with pytest.raises(ConfigError, match=r"line 1: 'gone\.md' is no document, source or quoted text"):
        wanted(reader, "refunds.md", "gone.md")
    with pytest.raises(ConfigError, match="is no document"):
        wanted(reader, "other.md", namespace="default")


def test_a_row_id_that_several_files_have_is_refused(settings, reader) -> None:
    with open_store(settings) as store:
        store.add("more.csv#2", "Another second row.")
    with pytest.raises(ConfigError, match=r"'#2' is a row of several files: more\.csv, rows\.csv"):
        wanted(reader, "#2")


# Recall and nDCG


def test_recall_counts_an_entry_once_however_many_of_its_passages_are_found() -> None:
    entries = {frozenset({"d1"}): 1, frozenset({"d2", "d3"}): 1}
    assert recall(2, ["d1:0-5", "d1:5-9", "d3:0-9"], entries) == 0.5
    assert recall(3, ["d1:0-5", "d1:5-9", "d3:0-9"], entries) == 1.0
    assert recall(3, [], entries) == 0.0


def test_ndcg_gains_where_an_entry_is_first_met_and_never_exceeds_1() -> None:
    low, high = frozenset({"d1"}), frozenset({"d2"})
    assert ndcg(10, ["d2:0-1", "d1:0-1"], {low: 1, high: 3}) == 1.0
    assert ndcg(10, ["x:0-1", "d1:0-1", "d1:1-2"], {low: 1}) == pytest.approx(0.6309297535714575)
    both = {frozenset({"d1:0-9"}): 1, frozenset({"d1"}): 2}
    assert ndcg(10, ["d1:0-9"], both) == 1.0
    assert ndcg(10, ["x:0-9"], both) == 0.0


# Comparisons


def test_a_backend_that_finds_the_wrong_passage_flips_the_verdicts_and_both_reasons_are_given(
    settings,
) -> None:
    found = compare(settings, [candidate(MinimalBackend), candidate(WorstFirst)], asking())
    assert found.claims == 2
    flip = found.flips[0]
    assert flip.claim == CLAIMS[0]
    assert flip.outcomes["MinimalBackend"].verdict == "supported"
    assert flip.outcomes["WorstFirst"].verdict != "supported"
    assert all(outcome.reason for outcome in flip.outcomes.values())
    assert list(flip.grouped().values()) == [["MinimalBackend"], ["WorstFirst"]]
    assert found.is_whole


def test_backends_that_agree_flip_nothing(settings) -> None:
    found = compare(settings, [candidate(MinimalBackend), candidate(MinimalBackend, "again")], asking())
    assert (found.claims, found.flips) == (2, ())
    assert found.backends[0].verdicts == found.backends[1].verdicts


def test_labels_decide_recall_and_ndcg(settings) -> None:
    queries = asking(
        Query(CLAIMS[0], (("refunds.md", 1),)), Query(CLAIMS[1], (("#2", 1),)), Query("The sea is wet.")
    )
    found = compare(settings, [candidate(MinimalBackend), candidate(WorstFirst)], queries, k=1)
    good, bad = found.backends
    assert (found.recall_against, found.labelled, found.queries) == ("labels", 2, 3)
    assert (good.recall, good.ndcg_at_10, bad.recall) == (1.0, 1.0, 0.0)
    assert bad.ndcg_at_10 is not None
    assert bad.ndcg_at_10 < 0.6


def test_without_labels_recall_is_against_an_exact_search_or_what_any_found_and_says_which(settings) -> None:
    exact = compare(settings, [candidate(WorstFirst), candidate(InMemoryBackend, "mem")], asking(), k=1)
    assert exact.recall_against == "exact search of mem"
    assert [row.recall for row in exact.backends] == [0.0, 1.0]
    either = compare(settings, [candidate(MinimalBackend), candidate(WorstFirst)], asking(), k=1)
    assert either.recall_against == "what any of them found"
    assert [row.recall for row in either.backends] == [0.5, 0.5]
    assert [row.ndcg_at_10 for row in either.backends] == [None, None]


def test_evidence_that_only_keyword_search_found_is_counted(settings) -> None:
    found = compare(settings, [candidate(MinimalBackend), candidate(FindsNothing)], asking())
    assert [row.keyword for row in found.backends] == [0, 2]


def test_a_backend_that_fails_is_a_row_and_the_others_are_compared(settings) -> None:
    def uninstalled() -> InMemoryBackend:
        raise MissingExtra("chromadb", "chroma")

    missing = Candidate("chroma", uninstalled, {"type": "chroma"})
    broken = [candidate(Unreachable), candidate(Broken), missing]
    found = compare(settings, [*broken, candidate(MinimalBackend), candidate(WorstFirst)], asking())
    assert [row.error for row in found.backends] == [
        "the server does not answer",
        "ZeroDivisionError: a third party's mistake",
        "chromadb is not installed; run: pip install 'rag-claim-verifier[chroma]'",
        None,
        None,
    ]
    assert [row.recall is None for row in found.backends] == [True, True, True, False, False]
    assert not found.is_whole
    assert set(found.flips[0].outcomes) == {"MinimalBackend", "WorstFirst"}


def test_the_knowledge_base_is_left_as_it_is_and_nothing_stays(settings, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    before = files_of(settings.kb.path)
    found = compare(settings, [candidate(InMemoryBackend), candidate(Unreachable)], asking())
    assert found.backends[0].index_bytes
    assert found.backends[1].error
    assert files_of(settings.kb.path) == before
    assert list((tmp_path / "temporary").iterdir()) == []


def test_an_index_that_was_saved_on_the_way_is_not_counted_twice(settings, monkeypatch) -> None:
    rows = [candidate(InMemoryBackend), candidate(MinimalBackend)]
    at_once = compare(settings, rows, asking(), verdicts=False).backends[0]
    monkeypatch.setattr(live, "_BATCH", 1)
    monkeypatch.setattr(live, "_SAVE_EVERY", -1.0)
    monkeypatch.setattr(live, "_SAVE_SHARE", 0)
    on_the_way = compare(settings, rows, asking(), verdicts=False).backends[0]
    assert (
        at_once.index_bytes <= on_the_way.index_bytes < 1.5 * at_once.index_bytes
    )  # each part has its own head


def test_only_the_namespace_is_searched(settings) -> None:
    query = Query("An annual plan is never refunded.", (("An annual plan is never refunded.", 1),))
    with pytest.raises(ConfigError, match="is no document"):
        compare(settings, [candidate(MinimalBackend), candidate(InMemoryBackend)], asking(query))
    other = settings.model_copy(update={"kb": settings.kb.model_copy(update={"namespace": "other"})})
    found = compare(other, [candidate(MinimalBackend), candidate(InMemoryBackend)], asking(query), k=1)
    assert found.passages == 1
    assert [row.recall for row in found.backends] == [1.0, 1.0]
    empty = settings.model_copy(update={"kb": settings.kb.model_copy(update={"namespace": "none"})})
    with pytest.raises(KnowledgeBaseError, match=r"'none' .* holds nothing; namespaces that do: default"):
        compare(empty, [candidate(MinimalBackend), candidate(InMemoryBackend)], asking(query))


def test_without_queries_every_passage_is_to_be_found_by_a_sentence_of_its_own(settings) -> None:
    found = compare(settings, [candidate(MinimalBackend), candidate(InMemoryBackend)], k=1, verdicts=False)
    assert (found.queries, found.labelled, found.claims) == (4, 4, None)
    assert [row.recall for row in found.backends] == [1.0, 1.0]


def test_the_claims_of_responses_are_judged_instead_of_the_queries(settings) -> None:
    response = f"Hello! {CLAIMS[0]} {CLAIMS[1]}"
    found = compare(
        settings,
        [candidate(MinimalBackend), candidate(WorstFirst)],
        asking(Query("refunds")),
        responses=[response],
    )
    assert (found.queries, found.claims) == (1, 2)


def test_names_must_differ_and_be_two(settings) -> None:
    for given in ([candidate(MinimalBackend)], [candidate(MinimalBackend), candidate(MinimalBackend)]):
        with pytest.raises(ConfigError, match="at least two different backends"):
            compare(settings, given, asking())


def test_a_table_is_checked_before_anything_is_built() -> None:
    with pytest.raises(UnknownPlugin, match="known: ann, bm25"):
        Candidate.of("mine", {"type": "chrome"})
    with pytest.raises(ConfigError, match=r"unknown key backend\.k2"):
        Candidate.of("mine", {"type": "bm25", "k2": 1.0})


def test_the_picture_names_failures_and_escapes_what_it_shows(settings) -> None:
    claim = Query("The Cairn 40 holds 40 litres & <b>more</b>.")
    rows = [candidate(MinimalBackend), candidate(WorstFirst), candidate(Unreachable)]
    svg = as_svg(compare(settings, rows, asking(claim)))
    assert svg.startswith("<svg")
    assert "failed: the server does not answer" in svg
    assert "<b>" not in svg
    ElementTree.fromstring(svg)
