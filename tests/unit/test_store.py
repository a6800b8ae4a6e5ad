"""GroundTruthStore: what goes in, what is found, and that nothing else is ever found."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from backends.base import VectorBackend
from backends.encoders import HashingEncoder
from backends.memory import InMemoryBackend
from backends.types import Capabilities, Hit, Item, Metadata, Where
from verifier.core.errors import BackendUnavailable, KnowledgeBaseError, KnowledgeBaseNotFound, MissingExtra
from verifier.knowledge.records import FailedSource, IngestSummary
from verifier.knowledge.store import GroundTruthStore, VectorGroundTruthStore
from verifier.types import Document, Evidence, Page, Passage


class CountingBackend(InMemoryBackend):
    """Counts the texts it is given to embed."""

    def __init__(self) -> None:
        super().__init__(HashingEncoder())
        self.embedded: list[str] = []

    def add_many(self, items: Iterable[Item]) -> None:
        items = list(items)
        self.embedded += [item.text for item in items]
        super().add_many(items)


class ThreeMethodBackend(VectorBackend):
    """The least there can be: shared words, no deletion, no persistence, no filter."""

    def __init__(self) -> None:
        self.texts: dict[str, tuple[str, Metadata]] = {}

    def add(self, doc_id: str, text: str, metadata: Metadata | None = None) -> None:
        self.texts[doc_id] = (text, metadata or {})

    def query(self, text: str, n_results: int = 3) -> list[Hit]:
        words = set(text.lower().split())
        scored = [
            Hit(
                id=name,
                text=stored,
                score=float(len(words & set(stored.lower().split()))),
                metadata=dict(extra),
            )
            for name, (stored, extra) in self.texts.items()
        ]
        found = [hit for hit in scored if hit["score"]]
        return sorted(found, key=lambda hit: (-hit["score"], hit["id"]))[:n_results]

    def count(self) -> int:
        return len(self.texts)


class BlindBackend(ThreeMethodBackend):
    """Finds nothing, so that only keywords are left."""

    capabilities = Capabilities(delete=True)

    def query(self, text: str, n_results: int = 3) -> list[Hit]:
        return []

    def delete(self, doc_ids: Iterable[str]) -> int:
        return sum(self.texts.pop(name, None) is not None for name in doc_ids)


def doc(name: str, text: str, **metadata: str | int | float | bool | None) -> Document:
    return Document(source=name, uri=f"/files/{name}", text=text, metadata=metadata)


def sources(found: Sequence[Evidence]) -> list[str]:
    return [evidence.source for evidence in found]


REFUNDS = doc("refunds.md", "Refunds are paid within 30 days of the purchase.")
SHIPPING = doc("shipping.md", "Parcels leave the warehouse on the next working day.")
PETS = doc("pets.md", "Dogs travel free of charge; cats need a ticket.")


@pytest.fixture
def backend() -> CountingBackend:
    return CountingBackend()


@pytest.fixture
def store(backend: CountingBackend, tmp_path: Path) -> Iterator[GroundTruthStore]:
    with GroundTruthStore(backend, tmp_path / "kb", create=True) as opened:
        yield opened


@pytest.fixture(params=["memory", "three methods", "nothing found"])
def any_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[GroundTruthStore]:
    kinds = {"memory": CountingBackend, "three methods": ThreeMethodBackend, "nothing found": BlindBackend}
    with GroundTruthStore(kinds[request.param](), tmp_path / "kb", create=True) as opened:
        yield opened


def test_the_alias_is_the_store() -> None:
    assert VectorGroundTruthStore is GroundTruthStore


def test_evidence_quotes_the_document_to_the_character(store: GroundTruthStore) -> None:
    text = "# Fees\n\nEntry costs 5 €.\n\n## Dogs\n\nDogs 🐕 pay 2 €."
    store.ingest([Document("fees.md", "/fees.md", text, media_type="text/markdown", metadata={"year": 2024})])
    found = store.retrieve(["what do dogs pay"], top_k=9)[0]
    assert [text[hit.start : hit.end] for hit in found] == [hit.text for hit in found]
    assert found[0].text.endswith("Dogs 🐕 pay 2 €.")
    assert found[0].headings == ("Fees", "Dogs")
    assert (found[0].retrieved_by, found[0].metadata) == ("vector", {"year": 2024})
    assert store.document_text(found[0].doc_id) == text


def test_pages_and_context_survive_storage(backend: CountingBackend) -> None:
    text = "Plan | Days\nFree | 30"
    passage = Passage("Free | 30", 12, 21, page=2, headings=("Terms",), context="Plan | Days")
    with GroundTruthStore(backend, chunker=lambda document: [passage]) as store:
        pages = (Page(1, 0, 12), Page(2, 12, 21))
        store.ingest([Document("t.pdf", "/t.pdf", text, title="Terms of use", pages=pages)])
        (found,) = store.retrieve_context("free days")
        assert (found.page, found.headings, found.context) == (2, ("Terms",), "Plan | Days")
        assert store.passages(found.doc_id) == [passage]
        assert backend.embedded == ["Terms of use > Terms\nPlan | Days\nFree | 30"]


def test_a_second_ingest_of_the_same_embeds_nothing(
    store: GroundTruthStore, backend: CountingBackend
) -> None:
    first = store.ingest([REFUNDS, SHIPPING])
    assert first == IngestSummary(added=2, passages_added=2, passages_embedded=2)
    revision = store.revision
    assert store.ingest([REFUNDS, SHIPPING]) == IngestSummary(unchanged=2)
    assert len(backend.embedded) == 2
    assert store.revision == revision


def test_a_changed_file_replaces_its_passages(store: GroundTruthStore, backend: CountingBackend) -> None:
    store.ingest([REFUNDS, SHIPPING])
    changed = doc("refunds.md", "Refunds are paid within 14 days.")
    assert store.ingest([changed, SHIPPING]) == IngestSummary(
        replaced=1, unchanged=1, passages_added=1, passages_embedded=1
    )
    texts = [hit.text for hit in store.retrieve(["refunds are paid"], top_k=9)[0]]
    assert "Refunds are paid within 14 days." in texts
    assert REFUNDS.text not in texts
    assert store.stats()["documents"] == 2


def test_changed_metadata_is_a_change(store: GroundTruthStore) -> None:
    store.ingest([doc("a", "One text.", year=2023)])
    assert store.ingest([doc("a", "One text.", year=2024)]).replaced == 1
    assert store.retrieve(["text"], where={"year": 2023}) == [[]]
    assert len(store.retrieve(["text"], where={"year": 2024})[0]) == 1


def test_a_duplicate_is_stored_once_and_keeps_both_sources(
    store: GroundTruthStore, backend: CountingBackend
) -> None:
    store.ingest([doc("b.md", REFUNDS.text)])
    summary = store.ingest([doc("a.md", REFUNDS.text)])
    assert (summary.duplicates, summary.passages_embedded, len(backend.embedded)) == (1, 0, 1)
    (record,) = store.documents()
    assert [source.source for source in record.sources] == ["a.md", "b.md"]
    assert sources(store.retrieve_context("refunds")) == ["a.md"]
    assert store.delete("a.md") == 1
    assert sources(store.retrieve_context("refunds")) == ["b.md"]
    assert store.delete("b.md") == 1
    assert store.retrieve_context("refunds") == []


def test_a_file_that_becomes_a_copy_of_another_lets_its_old_content_go(store: GroundTruthStore) -> None:
    store.ingest([REFUNDS, SHIPPING])
    assert store.ingest([doc("shipping.md", REFUNDS.text)]).replaced == 1
    (record,) = store.documents()
    assert [source.source for source in record.sources] == ["refunds.md", "shipping.md"]


def test_a_renamed_source_is_shown_under_its_new_name_and_not_embedded(
    store: GroundTruthStore, backend: CountingBackend
) -> None:
    store.ingest([Document("old.md", "/x.md", "Some text.")])
    assert store.ingest([Document("new.md", "/x.md", "Some text.")]).unchanged == 1
    assert sources(store.retrieve_context("text")) == ["new.md"]
    assert len(backend.embedded) == 1


def test_prune_removes_what_vanished_below_the_given_folders_only(store: GroundTruthStore) -> None:
    store.ingest(
        [REFUNDS, SHIPPING, Document("x", "/filesystem/x", "Elsewhere."), doc("t.csv#1", "Row one.")]
    )
    summary = store.ingest([REFUNDS], prune_under=["/files/"])
    assert (summary.pruned, summary.unchanged) == (2, 1)
    assert [record.source for record in store.documents()] == ["refunds.md", "x"]
    assert store.contains_phrase("warehouse") is False


def test_prune_keeps_what_could_not_be_read(store: GroundTruthStore) -> None:
    store.ingest([doc("rows.csv#1", "Row one."), doc("rows.csv#2", "Row two.")])
    failed = FailedSource("rows.csv", "/files/rows.csv", "the file is locked")
    summary = store.ingest([failed], prune_under=["/files"])
    assert (summary.pruned, summary.failed) == (0, (("rows.csv", "the file is locked"),))
    assert store.stats()["documents"] == 2


def test_prune_alone_keeps_the_named_ones(store: GroundTruthStore) -> None:
    store.ingest([REFUNDS, SHIPPING])
    assert store.prune(["/files"], keep=[REFUNDS.uri]) == 1
    assert [record.source for record in store.documents()] == ["refunds.md"]


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (doc("blank.txt", " \n\t"), "no text"),
        (doc("surrogate.txt", "ab\ud800"), "lone surrogate at character 2"),
        (Document("list", "/list", "x", metadata={"tags": ["a"]}), "'tags' is a list"),  # type: ignore[dict-item]
    ],
)
def test_a_document_that_cannot_be_stored_is_reported_and_does_not_stop_the_rest(
    store: GroundTruthStore, broken: Document, reason: str
) -> None:
    summary = store.ingest([REFUNDS, broken, SHIPPING])
    assert summary.added == 2
    ((name, why),) = summary.failed
    assert name == broken.source
    assert reason in why


@pytest.mark.parametrize(
    "passages",
    [
        [Passage("Wrong", 0, 5)],
        [Passage("Refun", 0, 5), Passage("Refun", 0, 5)],
    ],
)
def test_passages_that_do_not_quote_their_document_are_refused(passages: list[Passage]) -> None:
    with GroundTruthStore(CountingBackend(), chunker=lambda document: passages) as store:
        assert len(store.ingest([REFUNDS]).failed) == 1
        assert store.stats()["documents"] == 0


def test_odd_texts_come_back_as_they_went_in(store: GroundTruthStore) -> None:
    texts = [
        "nul \0 inside",
        "\ufeffbom",
        "e\u0301 and é",
        "🏳️‍🌈 flag",
        "'; DROP TABLE documents; --",
        "\r\nCR",
    ]
    store.ingest([doc(str(number), text) for number, text in enumerate(texts)])
    assert sorted(str(store.document_text(record.doc_id)) for record in store.documents()) == sorted(texts)


def test_one_text_can_be_added_and_replaced_under_its_name(store: GroundTruthStore) -> None:
    first = store.add("faq", "Opening at nine.", {"lang": "en"})
    second = store.add("faq", "Opening at ten.", {"lang": "en"})
    assert first != second
    assert [hit.text for hit in store.retrieve_context("opening")] == ["Opening at ten."]
    with pytest.raises(ValueError, match="no text"):
        store.add("blank", "  ")
    with pytest.raises(ValueError, match="namespace"):
        store.add("x", "text", namespace=" ")


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
    assert any_store.contains_phrase("secret code", "one") is False
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


def test_a_document_can_come_back_after_it_was_deleted(any_store: GroundTruthStore) -> None:
    any_store.ingest([REFUNDS])
    any_store.delete("refunds.md")
    any_store.retrieve(["refunds"])
    any_store.ingest([REFUNDS])
    assert sources(any_store.retrieve_context("refunds")) == ["refunds.md"]


def test_delete_takes_an_id_a_name_or_a_uri(store: GroundTruthStore) -> None:
    store.ingest([REFUNDS, SHIPPING, PETS])
    ids = {record.source: record.doc_id for record in store.documents()}
    assert store.delete(ids["refunds.md"]) == 1
    assert store.delete("shipping.md") == 1
    assert store.delete(PETS.uri) == 1
    assert store.delete(PETS.uri) == 0
    assert store.documents() == []


def test_a_name_that_several_documents_bear_is_refused_with_their_ids(store: GroundTruthStore) -> None:
    here, there = (Document("a.md", f"/{place}/a.md", f"Fees in {place}.") for place in ("x", "y"))
    store.ingest([here, there])
    ids = [record.doc_id for record in store.documents()]
    for ask in (store.resolve, store.delete):
        with pytest.raises(KnowledgeBaseError, match="several documents") as caught:
            ask("a.md")
        assert all(part in str(caught.value) for part in (*ids, here.uri, there.uri))
    assert len(store.documents()) == 2
    by_uri = store.resolve(there.uri)
    assert by_uri is not None
    assert store.resolve(by_uri.doc_id) == by_uri
    assert by_uri.sources[0].uri == there.uri
    assert store.delete(there.uri) == 1
    left = store.resolve("a.md")
    assert left is not None
    assert left.sources[0].uri == here.uri
    assert store.delete("a.md") == 1


def test_a_name_is_looked_up_in_its_namespace_and_as_an_identity_first(store: GroundTruthStore) -> None:
    store.ingest([Document("shown", "exact", "One."), Document("exact", "other", "Two.")])
    store.ingest([Document("shown", "far", "Three.")], namespace="far")
    found = store.resolve("exact")
    assert found is not None
    assert found.source == "shown"
    assert store.resolve("far") is None
    assert store.resolve("exact", "far") is None
    assert store.resolve("shown", "no such namespace") is None
    assert store.delete("exact") == 1
    assert [record.source for record in store.documents()] == ["exact", "shown"]


def test_one_document_under_one_name_in_two_places_is_not_unclear(store: GroundTruthStore) -> None:
    store.ingest([Document("a.md", f"/{place}/a.md", "The same fees.") for place in ("x", "y")])
    assert store.resolve("a.md") == store.documents()[0]
    assert store.delete("/x/a.md") == 1
    store.ingest([Document("a.md", "/x/a.md", "The same fees.")])
    assert store.delete("a.md") == 2


def test_a_name_that_very_many_bear_is_told_in_one_line(store: GroundTruthStore) -> None:
    store.ingest([Document("a.md", f"/{n}/a.md", f"Fee {n}.") for n in range(14)])
    with pytest.raises(KnowledgeBaseError, match=r"and 4 more$"):
        store.delete("a.md")


def test_prune_keeps_the_rows_of_a_table_with_a_bad_one(store: GroundTruthStore) -> None:
    store.ingest([Document(f"a.csv#{n}", f"/d/a.csv#{n}", f"Row {n}.") for n in (1, 2)])
    bad = FailedSource("a.csv", "/d/a.csv#", "row 2: not valid CSV")
    summary = store.ingest([Document("a.csv#1", "/d/a.csv#1", "Row 1."), bad], prune_under=["/d"])
    assert summary == IngestSummary(unchanged=1, failed=(("a.csv", "row 2: not valid CSV"),))


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
        assert store.contains_phrase(query) in (True, False)


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
    assert store.contains_phrase("café IN Zurich")
    assert not store.contains_phrase("Zürich café")
    assert store.known_terms(["passes", "pass", "都市"]) == {"passes", "都市"}


def test_headings_are_searched_but_not_quoted(tmp_path: Path) -> None:
    document = Document("m.md", "/m.md", "It is free.", title="Museum of Clocks")
    with GroundTruthStore(BlindBackend(), tmp_path / "kb", create=True) as store:
        store.ingest([document])
        (found,) = store.retrieve_context("clocks")
        assert found.text == "It is free."
        assert store.contains_phrase("museum of clocks")
        assert not store.contains_phrase("clocks it is")


def test_records_describe_what_is_stored(store: GroundTruthStore) -> None:
    store.ingest([doc("a.md", "Some text.", year=2024, draft=False, rate=0.5, note=None)])
    (record,) = store.documents()
    assert store.document(record.doc_id) == record
    assert (record.characters, record.passages, record.source, record.namespace) == (10, 1, "a.md", "default")
    assert record.metadata == {"year": 2024, "draft": False, "rate": 0.5, "note": None}
    stats = store.stats()
    assert json.loads(json.dumps(stats)) == stats
    assert {name: stats[name] for name in ("documents", "sources", "passages", "characters")} == {
        "documents": 1, "sources": 1, "passages": 1, "characters": 10,
    }  # fmt: skip
    assert stats["namespaces"]["default"]["passages"] == 1


def test_export_holds_all_that_is_needed_to_make_the_knowledge_base_again(
    store: GroundTruthStore, tmp_path: Path
) -> None:
    pages = (Page(1, 0, 10), Page(2, 10, 30))
    store.ingest([Document("a.pdf", "/a.pdf", "First page.Second page here..", title="A", pages=pages)])
    store.ingest([doc("b.md", "Bee.", year=1), doc("c.md", "Bee.", year=1)], namespace="other")
    rows = [json.loads(json.dumps(row)) for row in store.export()]
    assert [[passage["text"] for passage in row["passages"]] for row in rows] == [
        [passage.text for passage in store.passages(row["doc_id"])] for row in rows
    ]
    with GroundTruthStore(CountingBackend(), tmp_path / "again", create=True) as again:
        for row in rows:
            again.ingest(
                [
                    Document(
                        source=source["source"],
                        uri=source["uri"],
                        text=row["text"],
                        media_type=row["media_type"],
                        title=row["title"],
                        pages=tuple(Page(**page) for page in row["pages"]),
                        metadata=row["metadata"],
                    )
                    for source in row["sources"]
                ],
                namespace=row["namespace"],
            )
        assert again.content_hash() == store.content_hash()
        assert again.documents() == store.documents()


def test_the_content_hash_depends_on_what_is_said_and_not_on_the_way_there(tmp_path: Path) -> None:
    hashes = []
    for number, order in enumerate([[REFUNDS, SHIPPING, PETS], [PETS, SHIPPING, REFUNDS]]):
        with GroundTruthStore(CountingBackend(), tmp_path / str(number), create=True) as store:
            store.ingest(order)
            store.delete("shipping.md")
            hashes.append(store.content_hash())
    with GroundTruthStore(CountingBackend()) as in_memory:
        in_memory.ingest([REFUNDS, PETS])
        hashes.append(in_memory.content_hash())
        in_memory.ingest([SHIPPING])
        assert in_memory.content_hash() not in hashes
    assert len(set(hashes)) == 1


def test_a_store_in_memory_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with GroundTruthStore(CountingBackend()) as store:
        store.ingest([REFUNDS])
        assert sources(store.retrieve_context("refunds")) == ["refunds.md"]
        assert store.reindex() == 1
        assert store.gc().removed == ()
        assert store.delete("refunds.md") == 1
        assert store.stats()["indexes"] == []
    assert list(tmp_path.iterdir()) == []


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = GroundTruthStore(CountingBackend(), tmp_path / "kb", create=True)
    store.ingest([REFUNDS])
    store.close()
    store.close()
    with pytest.raises(KnowledgeBaseError, match="closed"):
        store.retrieve(["refunds"])


def test_a_missing_knowledge_base_is_named_with_the_command_that_makes_one(tmp_path: Path) -> None:
    with pytest.raises(
        KnowledgeBaseNotFound, match=r"no knowledge base at .*kb; make one with: verifier ingest"
    ):
        GroundTruthStore(CountingBackend(), tmp_path / "kb").open()
    assert list(tmp_path.iterdir()) == []


def test_a_backend_that_fails_loses_nothing_that_was_stored(tmp_path: Path) -> None:
    class Failing(CountingBackend):
        broken = True

        def add_many(self, items: Iterable[Item]) -> None:
            if self.broken:
                raise KnowledgeBaseError("the encoder is down")
            super().add_many(items)

    backend = Failing()
    with GroundTruthStore(backend, tmp_path / "kb", create=True) as store:
        with pytest.raises(KnowledgeBaseError, match="down"):
            store.ingest([REFUNDS])
        assert [record.source for record in store.documents()] == ["refunds.md"]
        backend.broken = False
        assert store.ingest([REFUNDS]) == IngestSummary(unchanged=1, passages_embedded=1)
        assert sources(store.retrieve_context("refunds")) == ["refunds.md"]


class UnableBackend(CountingBackend):
    """Its encoder cannot be loaded until it is mended."""

    broken = True

    def stage(self, items: Iterable[Item]) -> Callable[[], None]:
        if self.broken:
            raise MissingExtra("a-library", "st")
        return super().stage(items)


class NamelessBackend(CountingBackend):
    """Cannot even say what it is."""

    @property
    def identity(self) -> dict[str, Any]:
        raise BackendUnavailable("the service is down")


@pytest.mark.parametrize("kind", [UnableBackend, NamelessBackend])
@pytest.mark.parametrize("opening", [True, False])
def test_a_backend_that_cannot_work_leaves_no_knowledge_base_behind(
    tmp_path: Path, kind: type[CountingBackend], opening: bool
) -> None:
    def fill(store: GroundTruthStore) -> None:
        if opening:
            store.open()
        store.ingest([REFUNDS])

    with pytest.raises((MissingExtra, BackendUnavailable)):
        fill(GroundTruthStore(kind(), tmp_path / "new" / "kb", create=True))
    assert list(tmp_path.iterdir()) == []


def test_a_backend_that_cannot_work_adds_nothing_to_what_is_there(
    store: GroundTruthStore, tmp_path: Path
) -> None:
    store.ingest([REFUNDS])
    before = store.revision
    backend = UnableBackend()
    with GroundTruthStore(backend, tmp_path / "kb") as unable:
        with pytest.raises(MissingExtra):
            unable.ingest([SHIPPING])
        with pytest.raises(MissingExtra):
            unable.add("pets", "Dogs travel free.")
        assert ([record.source for record in unable.documents()], unable.revision) == (["refunds.md"], before)
        backend.broken = False
        assert unable.ingest([SHIPPING]).added == 1
        assert sources(unable.retrieve_context("parcels", top_k=1)) == ["shipping.md"]


def test_a_backend_is_not_asked_to_work_for_what_is_there_already(
    tmp_path: Path,
) -> None:
    able = UnableBackend()
    able.broken = False
    with GroundTruthStore(able, tmp_path / "kb", create=True) as store:
        store.ingest([REFUNDS])
    with GroundTruthStore(UnableBackend(), tmp_path / "kb") as unable:
        assert unable.ingest([REFUNDS]) == IngestSummary(unchanged=1)


def test_progress_counts_sources_and_passages(tmp_path: Path) -> None:
    seen: list[tuple[str, int, int | None]] = []
    backend = CountingBackend()
    with GroundTruthStore(
        backend, tmp_path / "kb", create=True, progress=lambda *step: seen.append(step)
    ) as store:
        store.ingest([doc(str(number), f"Text {number}.") for number in range(600)])
    assert [step for step in seen if step[0] == "ingest"] == [
        ("ingest", 256, None), ("ingest", 512, None), ("ingest", 600, None),
    ]  # fmt: skip
    assert ("index", 256, 256) in seen


def test_threads_read_whole_states_while_one_writes(store: GroundTruthStore) -> None:
    store.ingest([doc("fixed", "A fixed point about refunds.")])
    stop = threading.Event()
    problems: list[BaseException] = []

    def read() -> None:
        try:
            while not stop.is_set():
                found = store.retrieve(["refunds of version"], top_k=50)[0]
                assert "fixed" in sources(found)
                versions = [hit.text for hit in found if hit.source == "moving"]
                assert len(versions) <= 1, versions
                assert store.known_terms(["refunds"]) == {"refunds"}
        except BaseException as error:  # noqa: BLE001 - handed to the test's own thread
            problems.append(error)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for number in range(30):
        store.ingest([doc("moving", f"Refunds of version {number}.")])
    stop.set()
    for reader in readers:
        reader.join()
    assert problems == []
    assert [hit.text for hit in store.retrieve(["refunds of version"])[0] if hit.source == "moving"] == [
        "Refunds of version 29."
    ]
