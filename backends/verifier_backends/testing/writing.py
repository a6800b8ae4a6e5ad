"""Contract tests of a backend's content: upserts, deletion, persistence, threads."""

from __future__ import annotations

import json
import threading
from pathlib import Path

from verifier.core.errors import BackendRejected
from verifier_backends.testing.cases import (
    ITEMS,
    METADATA,
    QUERY,
    TEXTS,
    Suite,
    assert_ordered,
    ids,
    is_torn,
    new_folder,
    raises,
)
from verifier_backends.types import Hit, Item

__all__ = ["WritingContract"]


class WritingContract(Suite):
    """What a write must leave behind."""

    def test_adding_an_id_again_replaces_text_and_metadata(self) -> None:
        backend = self.filled()
        backend.add("glacier", "Saffron is harvested by hand at dawn.", {"lang": "it"})
        assert backend.count() == len(ITEMS), "add under an existing id must not grow count()"
        best = backend.query("saffron harvested by hand", 1)
        assert ids(best) == ["glacier"], "the new text of a replaced id is not found"
        assert best[0]["metadata"] == {"lang": "it"}, "metadata must be replaced, not merged"
        old = backend.query(TEXTS["glacier"], 100)
        assert TEXTS["glacier"] not in [hit["text"] for hit in old], (
            "the old text of a replaced id is still found"
        )

    def test_the_last_of_an_id_in_one_batch_wins(self) -> None:
        backend = self.make_backend()
        backend.add_many(
            [Item("a", "first marble statue"), Item("b", "other"), Item("a", "second copper bell")]
        )
        assert backend.count() == 2, "an id given twice in one batch must be stored once"
        hits = {hit["id"]: hit["text"] for hit in backend.query("second copper bell other", 5)}
        assert hits.get("a") == "second copper bell", "the last text of an id in a batch must win"

    def test_deleted_texts_are_gone(self) -> None:
        backend = self.filled()
        if self.refuses(backend, "delete", lambda: backend.delete(["invoice"])):
            return
        assert backend.delete(["invoice", "no such id", "invoice"]) == 1, "delete returns how many were there"
        assert backend.delete(["invoice"]) == 0, "a deleted id is unknown afterwards"
        assert backend.delete([]) == 0, "deleting nothing is no error"
        assert backend.count() == len(ITEMS) - 1, "count() must not count deleted texts"
        assert "invoice" not in ids(backend.query(QUERY, 100)), "a deleted text is still found"
        backend.add("invoice", TEXTS["invoice"], METADATA["invoice"])
        self.assert_same(backend.query(QUERY, 6), self.filled().query(QUERY, 6), "delete and add again")
        assert backend.delete(iter(list(TEXTS))) == len(ITEMS), "delete takes any iterable"
        assert backend.count() == 0, "all was deleted, yet count() is not 0"
        assert backend.query(QUERY) == [], "all was deleted, yet something is found"

    def test_get_returns_what_was_stored_in_the_order_asked(self) -> None:
        backend = self.filled()
        if self.refuses(backend, "get", lambda: backend.get(["invoice"])):
            return
        found = backend.get(["violin", "no such id", "invoice", "violin"])
        assert [hit and hit["id"] for hit in found] == ["violin", None, "invoice", "violin"], "order of get()"
        expected = Hit(id="violin", text=TEXTS["violin"], score=0.0, metadata=METADATA["violin"])
        assert found[0] == expected, f"get() must return the stored item with score 0, got {found[0]}"
        assert backend.get([]) == [], "get([]) must give []"

    def test_a_saved_index_gives_the_same_hits(self) -> None:
        backend = self.filled()
        with new_folder() as folder:
            if self.refuses(
                backend,
                "persist",
                lambda: backend.save(folder / "index"),
                lambda: backend.load(folder / "index"),
            ):
                return
            backend.add("glacier", "Saffron is harvested by hand at dawn.", {"lang": "it"})
            backend.save(folder / "index")
            loaded = self.make_backend()
            loaded.add("stray", "This text was here before the load.")
            loaded.load(folder / "index")
            assert loaded.count() == backend.count(), "load() must replace the content by what was saved"
            for text in (QUERY, *TEXTS.values()):
                for where in (None, {"lang": "it"}):
                    expected = backend.query_many([text], 6, where)[0]
                    self.assert_same(loaded.query_many([text], 6, where)[0], expected, "load")
            attached = self.make_backend()
            attached.attach(folder / "index")
            self.assert_same(attached.query(QUERY, 6), backend.query(QUERY, 6), "attach")
            expected = backend.query(QUERY, 6)
            backend.saved_in(folder / "index")
            self.assert_same(backend.query(QUERY, 6), expected, "saved_in")
            loaded.add("new", "A new sentence about copper bells.")
            assert ids(loaded.query("copper bells", 1)) == ["new"], "a loaded index must take new texts"
            if backend.resident:
                assert backend.count() == loaded.count(), "what is resident elsewhere is the same for both"
            else:
                assert backend.count() == len(ITEMS), "a loaded index must share nothing with the saved one"

    def test_an_empty_index_can_be_saved(self) -> None:
        backend = self.make_backend()
        if self.refuses(backend, "persist", lambda: backend.save(Path("nowhere"))):
            return
        with new_folder() as folder:
            backend.save(folder / "index")
            loaded = self.filled()
            loaded.load(folder / "index")
            assert loaded.count() == 0, "an empty index must load as empty"
            assert loaded.query(QUERY) == [], "an empty index must find nothing"
            loaded.add("invoice", TEXTS["invoice"])
            assert ids(loaded.query(QUERY, 1)) == ["invoice"], "a loaded empty index must take new texts"

    def test_an_incomplete_index_is_refused_and_changes_nothing(self) -> None:
        backend = self.filled()
        if self.refuses(backend, "persist", lambda: backend.load(Path("nowhere"))):
            return
        with new_folder() as folder:
            backend.save(folder / "index")
            with raises(BackendRejected, "save() into a directory that is not empty"):
                backend.save(folder / "index")
            with raises(BackendRejected, "load() of a directory that does not exist"):
                backend.load(folder / "nowhere")
            for path in _files(folder / "index"):
                content = path.read_bytes()
                path.unlink()
                with raises(BackendRejected, f"load() of an index without {path.name}"):
                    backend.load(folder / "index")
                path.write_bytes(content)
            self.assert_same(backend.query(QUERY, 6), self.filled().query(QUERY, 6), "refused load")

    def test_an_index_of_which_a_byte_changed_is_refused_and_changes_nothing(self) -> None:
        backend = self.filled()
        if self.refuses(backend, "persist", lambda: backend.load(Path("nowhere"))):
            return
        with new_folder() as folder:
            backend.save(folder / "index")
            for path in _files(folder / "index"):
                content = path.read_bytes()
                for place in sorted({0, len(content) // 2, len(content) - 1}) if content.strip() else ():
                    changed = bytearray(content)
                    changed[place] ^= 0x11
                    path.write_bytes(changed)
                    with raises(
                        BackendRejected, f"load() of an index with a changed byte {place} in {path.name}"
                    ):
                        backend.load(folder / "index")
                path.write_bytes(content)
            self.assert_same(backend.query(QUERY, 6), self.filled().query(QUERY, 6), "refused load")

    def test_readers_see_whole_states_while_one_thread_writes(self) -> None:
        backend = self.make_backend()
        backend.add("anchor", "invoice paid anchor")
        writing = threading.Event()
        writing.set()
        problems: list[str] = []

        def read() -> None:
            try:
                while writing.is_set():
                    hits = backend.query("invoice paid revision", 50)
                    assert_ordered(hits)
                    assert "anchor" in ids(hits), "a text that no one touched was not found during a write"
                    torn = [h for h in hits if "revision" in h["metadata"] and is_torn(h)]
                    assert not torn, f"a hit joins the text of one state with the metadata of another: {torn}"
            except Exception as error:  # noqa: BLE001 - any error of a reader is what the test looks for
                problems.append(f"{type(error).__name__}: {error}")

        readers = [threading.Thread(target=read) for _ in range(3)]
        for reader in readers:
            reader.start()
        for revision in range(30):
            number = revision % 7
            backend.add(f"doc-{number}", f"invoice paid revision {revision}", {"revision": revision})
            if revision % 5 == 4 and backend.capabilities.delete:
                backend.delete([f"doc-{number}"])
        writing.clear()
        for reader in readers:
            reader.join()
        assert not problems, f"readers beside a writer failed: {problems[0]}"

    def test_identity_is_json_and_equal_for_equal_configurations(self) -> None:
        identity = self.make_backend().identity
        assert json.loads(json.dumps(identity)) == identity, "identity must hold JSON values only"
        assert self.filled().identity == identity, "identity must not depend on the content"


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())
