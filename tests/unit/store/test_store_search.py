"""What is found in the store: the order, filters, namespaces, keywords, and nothing that is gone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from verifier_backends.types import Hit, Where

from tests.support.stores import (
    PETS,
    REFUNDS,
    SHIPPING,
    BlindBackend,
    CountingBackend,
    ThreeMethodBackend,
    doc,
    sources,
)
from verifier.knowledge.records import IngestSummary
from verifier.knowledge.store import GroundTruthStore
from verifier.types import Document, Passage


def test_evidence_quotes_the_document_to_the_character(store: GroundTruthStore) -> None:
    text = "# Fees\n\nEntry costs 5 €.\n\n## Dogs\n\nDogs 🐕 pay 2 €."
    store.ingest([Document("fees.md", "/fees.md", text, media_type="text/markdown", metadata={"year": 2024})])
    found = store.retrieve(["what do dogs pay"], top_k=9)[0]
    assert [text[hit.start : hit.end] for hit in found] == [hit.text for hit in found]
    assert found[0].text.endswith("Dogs 🐕 pay 2 €.")
    assert found[0].headings == ("Fees", "Dogs")
    assert (found[0].retrieved_by, found[0].metadata) == ("vector", {"year": 2024})
    assert store.document_text(found[0].doc_id) == text
    assert store.document_head(found[0].doc_id, 5) == text[:5]


def test_queries_are_answered_in_order_and_blank_ones_with_nothing(store: GroundTruthStore) -> None:
    store.ingest([REFUNDS, SHIPPING, PETS])
    asked = ["refunds purchase", "", "dogs and cats", " \n", "refunds purchase"]
    answers = store.retrieve(asked, top_k=1)
    assert [sources(found) for found in answers] == [["refunds.md"], [], ["pets.md"], [], ["refunds.md"]]
    assert store.retrieve([]) == []
    assert store.retrieve(["refunds"], top_k=0) == [[]]
    with pytest.raises(ValueError, match="negative"):
        store.retrieve(["refunds"], top_k=-1)


def test_an_empty_knowledge_base_finds_nothing(any_store: GroundTruthStore) -> None:
    assert any_store.retrieve(["anything"]) == [[]]
    assert any_store.ingest([]) == IngestSummary()
    assert any_store.known_terms(["anything"]) == set()
    assert any_store.term_document_frequency(["anything"]) == {"anything": 0}
    assert (any_store.documents(), any_store.namespaces(), list(any_store.export())) == ([], [], [])
    assert any_store.document("none") is None
    assert any_store.document_text("none") is None
    assert any_store.document_head("none", 5) is None
    assert any_store.passages("none") == []
    assert any_store.delete("none") == 0


def test_equal_scores_are_ordered_by_source_and_offset(tmp_path: Path) -> None:
    def halves(document: Document) -> list[Passage]:
        return [Passage(document.text[:4], 0, 4), Passage(document.text[5:9], 5, 9)]

    documents = [doc(name, "same same", of=name) for name in "cab"]
    orders = []
    for number, order in enumerate([documents, documents[::-1]]):
        with GroundTruthStore(BlindBackend(), tmp_path / str(number), create=True, chunker=halves) as store:
            store.ingest(order)
            orders.append([(hit.source, hit.start) for hit in store.retrieve(["same"], top_k=3)[0]])
    assert orders == [[("a", 0), ("a", 5), ("b", 0)]] * 2


def test_filters_select_before_the_cut(any_store: GroundTruthStore) -> None:
    any_store.ingest(
        [doc(f"{year}.md", f"The refund period of {year}.", year=year) for year in range(2000, 2030)]
    )
    for wanted in (2003, [2003, 2004]):
        found = any_store.retrieve(["refund period"], top_k=2, where={"year": wanted})[0]
        assert {hit.metadata["year"] for hit in found} <= {2003, 2004}
        assert found
    assert any_store.retrieve(["refund period"], where={"year": 1999}) == [[]]
    record = next(record for record in any_store.documents() if record.source == "2009.md")
    only = any_store.retrieve(["refund period"], where={"doc_id": record.doc_id})[0]
    assert sources(only) == ["2009.md"]
    with pytest.raises(ValueError, match="namespace"):
        any_store.retrieve(["refund"], where={"namespace": "other"})


def test_namespaces_never_leak(any_store: GroundTruthStore) -> None:
    any_store.ingest([REFUNDS], namespace="one")
    any_store.ingest([doc("two.md", "The secret code is Zanzibar."), REFUNDS], namespace="two")
    assert any_store.namespaces() == ["one", "two"]
    assert sources(any_store.retrieve(["secret code Zanzibar"], namespace="one", top_k=9)[0]) in (
        [],
        ["refunds.md"],
    )
    assert "two.md" in sources(any_store.retrieve(["secret code Zanzibar"], namespace="two", top_k=9)[0])
    assert any_store.retrieve(["secret code"], namespace="default") == [[]]
    hidden = next(record for record in any_store.documents("two") if record.source == "two.md")
    assert any_store.retrieve(["secret"], namespace="one", where={"doc_id": hidden.doc_id}) == [[]]
    assert any_store.known_terms(["zanzibar", "refunds"], "one") == {"refunds"}
    assert any_store.term_document_frequency(["zanzibar", "refunds"], "two") == {"zanzibar": 1, "refunds": 1}
    assert any_store.known_terms(["secret code"], "one") == set()
    assert [record.source for record in any_store.documents("one")] == ["refunds.md"]
    assert (any_store.passage_count("one"), any_store.passage_count("two")) == (1, 2)
    assert any_store.delete(hidden.doc_id, "one") == 0
    assert any_store.delete("refunds.md", "one") == 1
    assert any_store.namespaces() == ["two"]
    assert any_store.known_terms(["refunds"], "two") == {"refunds"}
    assert any_store.content_hash("one") != any_store.content_hash("two")


def test_a_backend_that_ignores_filters_leaks_nothing(tmp_path: Path) -> None:
    class Careless(CountingBackend):
        def query_many(
            self, texts: Sequence[str], n_results: int = 3, where: Where | None = None
        ) -> list[list[Hit]]:
            return super().query_many(texts, n_results)

    with GroundTruthStore(Careless(), tmp_path / "kb", create=True) as store:
        store.ingest([doc("one.md", "The code is Zanzibar.", year=1)], namespace="one")
        store.ingest([doc("two.md", "The code is Timbuktu.", year=2)], namespace="two")
        assert sources(store.retrieve(["the code"], namespace="two", top_k=9)[0]) == ["two.md"]
        assert store.retrieve(["the code"], namespace="two", where={"year": 1}) == [[]]


def test_the_same_content_in_two_namespaces_is_two_documents(store: GroundTruthStore) -> None:
    store.ingest([REFUNDS], namespace="one")
    assert store.ingest([REFUNDS], namespace="two").added == 1
    assert len({record.doc_id for record in store.documents()}) == 2


def test_keyword_scores_do_not_depend_on_other_namespaces(tmp_path: Path) -> None:
    with GroundTruthStore(BlindBackend(), tmp_path / "kb", create=True) as store:
        store.ingest([REFUNDS, SHIPPING], namespace="one")
        before = store.retrieve(["refunds of parcels"], namespace="one")
        store.ingest([doc(str(number), f"Refunds {number}.") for number in range(50)], namespace="two")
        assert store.retrieve(["refunds of parcels"], namespace="one") == before


def test_deleted_and_replaced_passages_are_gone_from_every_path(any_store: GroundTruthStore) -> None:
    any_store.ingest([REFUNDS, SHIPPING])
    any_store.retrieve(["refunds"])
    any_store.delete("refunds.md")
    any_store.ingest([doc("shipping.md", "Parcels are sent by pigeon.")])
    for query in ("refunds are paid within 30 days of the purchase", "parcels leave the warehouse"):
        assert "refunds.md" not in sources(any_store.retrieve([query], top_k=9)[0])
        assert all("warehouse" not in hit.text for hit in any_store.retrieve([query], top_k=9)[0])
    assert any_store.known_terms(["refunds", "warehouse", "pigeon"]) == {"pigeon"}
    assert [record.source for record in any_store.documents()] == ["shipping.md"]
    assert [row["sources"][0]["source"] for row in any_store.export()] == ["shipping.md"]
    assert any_store.passage_count() == 1


def test_stale_texts_of_a_backend_without_deletion_hide_nothing(tmp_path: Path) -> None:
    with GroundTruthStore(ThreeMethodBackend(), tmp_path / "kb", create=True) as store:
        store.ingest([doc(f"{number}", f"alpha beta gamma {number}") for number in range(20)])
        store.ingest([doc("keep", "alpha")])
        store.retrieve(["alpha"])
        for number in range(20):
            store.delete(str(number))
        found = store.retrieve(["alpha beta gamma"], top_k=1)[0]
        assert [(hit.source, hit.retrieved_by) for hit in found] == [("keep", "vector")]


def test_keywords_are_the_fallback_and_say_so(tmp_path: Path) -> None:
    with GroundTruthStore(BlindBackend(), tmp_path / "kb", create=True) as store:
        store.ingest([REFUNDS, SHIPPING, PETS])
        found = store.retrieve(["When are REFUNDS paid?", "nothing matches", "cats, parcels"], top_k=2)
        assert [sources(hits) for hits in found] == [["refunds.md"], [], ["pets.md", "shipping.md"]]
        assert {hit.retrieved_by for hits in found for hit in hits} == {"keyword"}
        assert all(hit.score > 0 for hits in found for hit in hits)


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "refunds OR",
        "NEAR(refunds, 2)",
        "head:refunds",
        "-refunds",
        "refunds*",
        "^refunds",
        "(",
        "AND",
        "\0",
        "🐕",
        "a" * 9000,
    ],
)
def test_a_query_is_never_read_as_search_syntax(tmp_path: Path, query: str) -> None:
    with GroundTruthStore(BlindBackend(), tmp_path / "kb", create=True) as store:
        store.ingest([REFUNDS])
        expected = ["refunds.md"] if "refunds" in query else []
        assert sources(store.retrieve_context(query)) == expected
        assert store.known_terms([query]) <= {query}


def test_a_query_of_very_many_words_is_answered(tmp_path: Path) -> None:
    with GroundTruthStore(BlindBackend(), tmp_path / "kb", create=True) as store:
        store.ingest([REFUNDS])
        query = " ".join(f"word{number}" for number in range(20_000)) + " refunds"
        assert sources(store.retrieve_context(query)) == ["refunds.md"]


def test_terms_are_found_whatever_their_case_accents_and_script(store: GroundTruthStore) -> None:
    store.ingest(
        [
            doc("a", "The CAFÉ in Zürich sells 60-day passes at 2.5 EUR; 2 ships, 5 crews."),
            doc("b", "京都は日本の都市です。"),
            doc("c", "The café again."),
        ]
    )
    frequencies = store.term_document_frequency(
        ["cafe", "Café", "ZURICH", "60-day", "2.5", "25", "京都", "大阪", "—", ""]
    )
    assert frequencies == {
        "cafe": 2, "Café": 2, "ZURICH": 1, "60-day": 1, "2.5": 1, "25": 0, "京都": 1, "大阪": 0, "—": 0, "": 0,
    }  # fmt: skip
    assert store.known_terms(["café IN Zurich", "Zürich café"]) == {"café IN Zurich"}
    assert store.known_terms(["passes", "pass", "都市"]) == {"passes", "都市"}


def test_headings_are_searched_but_not_quoted(tmp_path: Path) -> None:
    document = Document("m.md", "/m.md", "It is free.", title="Museum of Clocks")
    with GroundTruthStore(BlindBackend(), tmp_path / "kb", create=True) as store:
        store.ingest([document])
        (found,) = store.retrieve_context("clocks")
        assert found.text == "It is free."
        assert store.known_terms(["museum of clocks", "clocks it is"]) == {"museum of clocks"}
