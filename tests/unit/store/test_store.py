"""GroundTruthStore: what goes in, what is found, and that nothing else is ever found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.stores import (
    PETS,
    REFUNDS,
    SHIPPING,
    CountingBackend,
    doc,
    sources,
)
from verifier.core.errors import KnowledgeBaseError
from verifier.knowledge.records import FailedSource, IngestSummary
from verifier.knowledge.store import GroundTruthStore, VectorGroundTruthStore
from verifier.types import Document, Page, Passage


def test_the_alias_is_the_store() -> None:
    assert VectorGroundTruthStore is GroundTruthStore


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
    assert store.known_terms(["warehouse"]) == set()


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


def test_all_rows_of_a_file_are_given_in_its_order(store: GroundTruthStore) -> None:
    store.ingest([doc(f"rows.csv#{number}", f"Row {number}.") for number in (10, 2, 1)])
    store.ingest([doc("rows.csv.md", "Prose."), doc("rows.csv2#1", "Another file.")])
    assert [row.text for row in store.rows_of("rows.csv")] == ["Row 1.", "Row 2.", "Row 10."]
    assert store.rows_of("rows.csv.md") == store.rows_of("rows") == []


def test_no_rows_are_given_of_too_long_a_file_or_of_two_under_one_name(store: GroundTruthStore) -> None:
    store.ingest([doc(f"rows.csv#{number}", f"Row {number}.") for number in (1, 2, 3)])
    assert len(store.rows_of("rows.csv", limit=3)) == 3
    assert store.rows_of("rows.csv", limit=2) == []
    store.ingest([Document("rows.csv#1", "/elsewhere/rows.csv#1", "Row one.")])
    assert store.rows_of("rows.csv") == []
    assert store.rows_of("rows.csv", "another") == []
