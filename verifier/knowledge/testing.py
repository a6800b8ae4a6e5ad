"""Contract tests of a knowledge base over a backend: what is deleted is gone, and tenants stay apart.

Beside ``verifier_backends.testing.BackendContract``, for a test class that inherits from both.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from verifier_backends.testing.cases import Suite, new_folder

from verifier.knowledge.database import DATABASE_NAME
from verifier.knowledge.store import GroundTruthStore
from verifier.types import Evidence

__all__ = ["StoreContract"]

_RED = "The red team keeps its spare key under the copper kettle."
_BLUE = "The blue team keeps its spare key behind the northern fuse box."
_GREEN = "The green team keeps its spare key inside a hollow garden stone."
_ASKED = "where is the spare key kept"


class StoreContract(Suite):
    """What a ``GroundTruthStore`` promises over any backend."""

    def test_a_deleted_document_is_gone_from_every_search(self) -> None:
        with GroundTruthStore(self.make_backend()) as store:
            store.add("red", _RED)
            store.add("blue", _BLUE)
            assert {"red", "blue"} <= _sources(store), "a stored document is not found"
            assert store.delete("red") == 1, "delete must remove the one source of that name"
            assert _sources(store) == {"blue"}, "a deleted document is still found"
            assert _sources(store, _RED) == {"blue"}, "a deleted document is still found by its own words"
            if store.backend.capabilities.delete:
                assert store.backend.count() == 1, "a deleted document is still in the backend's index"
            _find_nothing_by_vectors(store)
            assert _sources(store) == {"blue"}, "a deleted document is still found by keywords"

    def test_a_replaced_document_is_found_by_its_new_text_only(self) -> None:
        with GroundTruthStore(self.make_backend()) as store:
            store.add("note", _RED)
            store.add("other", "An invoice must be paid within thirty days.")
            assert "note" in _sources(store)
            store.add("note", _BLUE)
            texts = [one.text for one in _evidence(store)]
            assert any("fuse box" in text for text in texts), "the new text is not found"
            assert not any("kettle" in text for text in texts), "the replaced text is still found"

    def test_two_tenants_never_see_each_others_passages(self) -> None:
        with GroundTruthStore(self.make_backend()) as store:
            store.add("red", _RED, namespace="red")
            store.add("blue", _BLUE, namespace="blue")
            store.add("both", "The spare key is kept on a hook.", namespace="red")
            store.add("both", "The spare key is kept on a hook.", namespace="blue")
            for by_vectors in (True, False):
                for own, text in (("red", _BLUE), ("blue", _RED)):
                    for asked in (_ASKED, text):
                        found = _sources(store, asked, own)
                        assert found, f"the tenant {own!r} finds nothing of its own"
                        assert found <= {own, "both"}, f"the tenant {own!r} sees {sorted(found)}"
                assert not _evidence(store, _ASKED, "green"), "a tenant without documents sees some"
                if by_vectors:
                    _find_nothing_by_vectors(store)
            kinds = {one.retrieved_by for one in _evidence(store, _ASKED, "red")}
            assert kinds == {"keyword"}, "evidence found by keywords must say so"

    def test_a_knowledge_base_on_disk_is_the_same_when_it_is_opened_again(self) -> None:
        with new_folder() as folder:
            with GroundTruthStore(self.make_backend(), folder / "kb", create=True) as store:
                store.add("red", _RED)
                store.add("blue", _BLUE)
                store.add("gone", "This sentence is deleted before the index is closed.")
                store.delete("gone")
                before = _evidence(store)
            with GroundTruthStore(self.make_backend(), folder / "kb") as store:
                after = _evidence(store)
                assert [one.text for one in after] == [one.text for one in before], (
                    "other evidence than before"
                )
                assert "gone" not in _sources(store, "a sentence deleted"), "a deleted document came back"
                store.add("new", "A third spare key lies in the harbour office.")
                assert "new" in _sources(store), "a knowledge base that was opened again takes no documents"

    def test_a_database_that_was_put_back_hides_no_later_document(self) -> None:
        with new_folder() as folder:
            kb, copy = folder / "kb", folder / "copy.sqlite3"
            self._add(kb, "red", _RED)
            shutil.copy(kb / DATABASE_NAME, copy)
            self._add(kb, "blue", _BLUE)
            shutil.copy(copy, kb / DATABASE_NAME)
            self._add(kb, "green", _GREEN)
            with GroundTruthStore(self.make_backend(), kb) as store:
                found = {(one.source, one.retrieved_by) for one in _evidence(store, _GREEN)}
            assert ("green", "vector") in found, (
                "the index hides what was added after the database was put back"
            )
            assert {source for source, _ in found} <= {"red", "green"}, "a document that is gone is found"

    def test_knowledge_bases_that_exchange_their_databases_find_what_is_in_them(self) -> None:
        with new_folder() as folder:
            one, other = folder / "one", folder / "other"
            self._add(one, "red", _RED)
            shutil.copytree(one, other)
            self._add(one, "blue", _BLUE)
            self._add(other, "green", _GREEN)
            (one / DATABASE_NAME).rename(folder / "between")
            (other / DATABASE_NAME).rename(one / DATABASE_NAME)
            (folder / "between").rename(other / DATABASE_NAME)
            for kb, name, text in ((one, "green", _GREEN), (other, "blue", _BLUE)):
                with GroundTruthStore(self.make_backend(), kb) as store:
                    found = {(hit.source, hit.retrieved_by) for hit in _evidence(store, text)}
                assert (name, "vector") in found, "the index hides a document of the exchanged database"
                assert {source for source, _ in found} <= {"red", name}, (
                    "a document of the other one is found"
                )

    def test_a_copy_of_a_knowledge_base_keeps_what_is_deleted_from_the_other(self) -> None:
        with new_folder() as folder:
            one, other = folder / "one", folder / "other"
            self._add(one, "red", _RED)
            self._add(one, "blue", _BLUE)
            shutil.copytree(one, other)
            with GroundTruthStore(self.make_backend(), one) as store:
                store.delete("red")
                assert _sources(store, _RED) <= {"blue"}, "a deleted document is still found"
            with GroundTruthStore(self.make_backend(), other) as store:
                found = {(hit.source, hit.retrieved_by) for hit in _evidence(store, _RED)}
                assert ("red", "vector") in found, "what was deleted from one copy is missing in the other"

    def _add(self, kb: Path, name: str, text: str) -> None:
        with GroundTruthStore(self.make_backend(), kb, create=True) as store:
            store.add(name, text)


def _evidence(store: GroundTruthStore, asked: str = _ASKED, namespace: str = "default") -> list[Evidence]:
    return store.retrieve([asked], top_k=10, namespace=namespace)[0]


def _sources(store: GroundTruthStore, asked: str = _ASKED, namespace: str = "default") -> set[str]:
    return {one.source for one in _evidence(store, asked, namespace)}


def _find_nothing_by_vectors(store: GroundTruthStore) -> None:
    """From now on the backend finds nothing, so that every search falls back to keywords."""
    store.backend.query_many = lambda texts, *_, **__: [[] for _ in texts]  # type: ignore[method-assign]
