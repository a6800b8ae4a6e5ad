"""What Chroma's adapter does beyond the contract: Chroma's limits and known faults, filters, errors, the server."""

import gc
import os
import random
import socket
import string
import subprocess
import sys
import tempfile
import threading

import pytest
from chromadb.api.types import EmbeddingFunction
from chromadb.errors import ChromaError, InternalError, NotFoundError, RateLimitError, error_types
from chromadb.utils.embedding_functions import register_embedding_function
from verifier_backends.chroma import ChromaBackend, ChromaEncoder
from verifier_backends.chroma.backend import _batches
from verifier_backends.chroma.client import translated
from verifier_backends.encoders import HashingEncoder
from verifier_backends.index import folders
from verifier_backends.types import Item

from tests.support.chroma_server import chroma_server, free_port
from tests.support.filters import assert_filters_are_exact
from verifier.core.errors import (
    BackendError,
    BackendRejected,
    BackendUnavailable,
    ConfigError,
    UnknownPlugin,
)
from verifier.factory import backend_description, build_backend

WORDS = [a + b + c for a in "blmnprst" for b in "aeiou" for c in "dkngs"]


def texts(n, seed=0):
    rng = random.Random(seed)
    return [" ".join(rng.choices(WORDS, k=8)) for _ in range(n)]


@pytest.fixture(scope="module")
def server():
    with chroma_server() as port:
        yield port


@pytest.fixture(scope="module")
def filled():
    backend = ChromaBackend(HashingEncoder(), ef_search=20)
    backend.add_many(
        Item(f"{i:03}", text, {"group": i // 3, "even": i % 2 == 0}) for i, text in enumerate(texts(300))
    )
    return backend


def test_filters_mean_what_the_contract_says_for_values_of_every_type() -> None:
    assert_filters_are_exact(ChromaBackend(HashingEncoder()))


def test_a_filter_of_more_values_than_the_database_takes_is_refused(filled) -> None:
    with pytest.raises(BackendRejected, match="10000 values; 'group' has 10001"):
        filled.query_many(["x"], 3, {"group": list(range(10_001))})


def test_ties_beyond_the_candidates_are_cut_by_id() -> None:
    backend = ChromaBackend(HashingEncoder(), ef_search=10)
    backend.add_many(Item(f"{i:03}", "the very same text") for i in reversed(range(120)))
    assert [hit["id"] for hit in backend.query("the same text", 5)] == [f"{i:03}" for i in range(5)]


def test_many_queries_of_many_results_stay_below_the_limits_of_the_database(filled) -> None:
    asked = texts(120)
    found = filled.query_many(asked, 300)
    assert [len(hits) for hits in found] == [300] * 120
    assert [hits[0]["text"] for hits in found] == asked


def test_a_selective_filter_and_a_graph_full_of_deleted_texts_hide_nothing(filled) -> None:
    hits = filled.query_many([texts(300)[299]], 3, {"group": 99})[0]
    assert {hit["id"] for hit in hits} == {"297", "298", "299"}
    assert hits[0]["id"] == "299"
    backend = ChromaBackend(HashingEncoder(), ef_search=20)
    backend.add_many(Item(f"{i:03}", text) for i, text in enumerate(texts(400)))
    backend.delete(f"{i:03}" for i in range(350))
    assert {hit["id"] for hit in backend.query("badad", 50)} == {f"{i:03}" for i in range(350, 400)}


def test_the_ranking_is_near_the_exact_one() -> None:
    # Chroma builds its graph by several threads, so that no two are alike: 199 or 200 of 200 in a dozen of them.
    items = [Item(f"{i:04}", text) for i, text in enumerate(texts(1500))]
    exact, near = build_backend({"type": "memory", "encoder": "hashing"}), ChromaBackend(HashingEncoder())
    asked = texts(20, seed=7)
    found = []
    for backend in (exact, near):
        backend.add_many(items)
        found.append([{hit["id"] for hit in hits} for hits in backend.query_many(asked, 10)])
    assert sum(len(ours & oracle) for oracle, ours in zip(*found, strict=True)) >= 0.95 * 200


def test_writes_go_in_batches_that_chroma_takes() -> None:
    backend = ChromaBackend(HashingEncoder())
    backend.add("first", "opens the client")
    backend._opened.client.get_max_batch_size = lambda: 7
    backend.add_many(Item(f"{i:02}", text) for i, text in enumerate(texts(30)))
    assert backend.count() == 31
    assert backend.delete(f"{i:02}" for i in range(30)) == 30
    heavy = [{"item": "x" * (3 << 20)} for _ in range(5)]
    assert list(_batches(heavy, 10, 100)) == [slice(0, 2), slice(2, 4), slice(4, 5)]
    assert list(_batches(heavy, 10, 1)) == [slice(i, i + 1) for i in range(5)]


def test_embedded_chroma_opens_no_connection(monkeypatch) -> None:
    def refuse(*args):
        raise AssertionError("something tried to connect")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    backend = ChromaBackend(HashingEncoder())
    backend.add("a", "telemetry is off")
    assert backend.query("telemetry", 1)[0]["id"] == "a"
    settings = backend._opened.client.get_settings()
    assert not settings.anonymized_telemetry
    assert not settings.chroma_otel_collection_endpoint


def test_the_private_folder_goes_with_the_backend() -> None:
    backend = ChromaBackend(HashingEncoder())
    backend.add("a", "text")
    folder = backend._opened.folder.path.parent
    assert folder.is_dir()
    assert folder not in folders.sweep("chroma"), "it is in use"
    del backend
    gc.collect()
    assert not folder.exists()


def test_the_private_folder_of_a_process_that_was_killed_is_swept(tmp_path, monkeypatch) -> None:
    script = (
        "import os, signal; from verifier_backends.index.folders import PrivateFolder\n"
        "(PrivateFolder('chroma').path / 'vectors').touch(); os.kill(os.getpid(), signal.SIGKILL)"
    )
    place = tmp_path / "temporary"
    place.mkdir()
    subprocess.run([sys.executable, "-c", script], env={**os.environ, "TMPDIR": str(place)}, check=False)
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    left = list(place.glob("verifier-chroma-*"))
    old, young = place / "verifier-chroma-old", place / "verifier-chroma-young"
    for folder in (old, young):  # of a release that made no locks
        folder.mkdir()
    os.utime(old, (0, 0))
    own = folders.PrivateFolder("chroma")
    assert len(left) == 1
    assert sorted(place.iterdir()) == sorted([own.path.parent, young])
    own.remove()


def test_another_process_reads_what_was_saved(tmp_path) -> None:
    backend = ChromaBackend(HashingEncoder())
    backend.add_many(Item(str(i), text) for i, text in enumerate(texts(20)))
    backend.save(tmp_path / "index")
    script = (
        "import sys, pathlib; from verifier_backends.chroma import ChromaBackend\n"
        "from verifier_backends.encoders import HashingEncoder; b = ChromaBackend(HashingEncoder())\n"
        "b.load(pathlib.Path(sys.argv[1])); print(b.count(), b.query(sys.argv[2], 1)[0]['id'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, tmp_path / "index", texts(20)[7]],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["20", "7"]


def test_a_server_that_is_not_there_or_does_not_answer_is_unavailable() -> None:
    with pytest.raises(BackendUnavailable, match="reach the server"):
        ChromaBackend(HashingEncoder(), host="127.0.0.1", port=free_port()).add("a", "text")
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()
        with pytest.raises(BackendUnavailable, match="in time"):
            ChromaBackend(HashingEncoder(), host="127.0.0.1", port=deaf.getsockname()[1], timeout=0.2).stage(
                [Item("a", "b")]
            )


def test_a_server_that_goes_away_is_unavailable_at_every_call(tmp_path) -> None:
    with chroma_server() as port:
        backend = ChromaBackend(HashingEncoder(), host="127.0.0.1", port=port)
        backend.add("a", "text")
    calls = [
        lambda: backend.query("text"),
        lambda: backend.add("b", "more"),
        lambda: backend.get(["a"]),
        lambda: backend.delete(["a"]),
        lambda: backend.count(),
    ]
    for call in calls:
        with pytest.raises(BackendUnavailable):
            call()


def test_a_saved_collection_is_gone_on_with_and_an_unsaved_one_goes(server, tmp_path) -> None:
    def names():
        return {collection.name for collection in watcher._content().client.list_collections()}

    watcher = ChromaBackend(HashingEncoder(), host="127.0.0.1", port=server)
    before = names()
    backend = ChromaBackend(HashingEncoder(), host="127.0.0.1", port=server)
    backend.add("a", "text")
    assert len(names() - before) == 1
    del backend
    gc.collect()
    assert names() == before

    backend = ChromaBackend(HashingEncoder(), host="127.0.0.1", port=server)
    backend.add("a", "text")
    backend.save(tmp_path / "one")
    backend.add("b", "more text")
    backend.save(tmp_path / "two")
    del backend
    gc.collect()
    again = ChromaBackend(HashingEncoder(), host="127.0.0.1", port=server)
    again.load(tmp_path / "one")
    assert again.count() == 2
    watcher.discard(tmp_path / "one", keeping=[tmp_path / "two"])
    again.discard(tmp_path / "two")
    assert again.count() == 2, "what is in use or kept elsewhere stays"
    watcher.discard(tmp_path / "two")
    assert names() == before
    with pytest.raises(BackendRejected, match="open the collection"):
        watcher.load(tmp_path / "one")


def test_every_error_of_chroma_becomes_one_of_ours() -> None:
    assert len(error_types) > 10
    for cls in {*error_types.values()} - {ChromaError}:
        with pytest.raises(BackendError, match="said by Chroma"), translated("search"):
            raise cls("said by Chroma")
    for cls, ours in ((RateLimitError, BackendUnavailable), (InternalError, BackendUnavailable)):
        with pytest.raises(ours), translated("search"):
            raise cls("busy")
    with pytest.raises(BackendRejected), translated("search"):
        raise NotFoundError("no such collection")


def test_a_panic_of_native_code_is_an_error_and_an_interrupt_is_not() -> None:
    panic = type("PanicException", (BaseException,), {})
    with pytest.raises(BackendRejected, match="broke"), translated("search"):
        raise panic("index out of range")
    with pytest.raises(KeyboardInterrupt), translated("search"):
        raise KeyboardInterrupt


def test_threads_may_open_one_backend_at_once() -> None:
    backend = ChromaBackend(HashingEncoder())
    threads = [threading.Thread(target=backend.add, args=(str(i), f"text {i}")) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert backend.count() == 6


@register_embedding_function
class Letters(EmbeddingFunction):
    """Counts of letters: an embedding function as a user registers one with Chroma."""

    def __init__(self, upper: bool = False) -> None:
        self.alphabet = string.ascii_uppercase if upper else string.ascii_lowercase

    def __call__(self, input):
        return [[float(text.count(letter)) for letter in self.alphabet] for text in input]

    @staticmethod
    def name():
        return "letters"


def test_an_embedding_function_of_chroma_is_an_encoder_by_configuration() -> None:
    backend = build_backend({"type": "chroma", "encoder": {"type": "chroma", "function": "letters"}})
    backend.add_many([Item("a", "banana"), Item("b", "cherry")])
    assert [hit["id"] for hit in backend.query("nab", 2)] == ["a", "b"]
    other = ChromaEncoder("letters", {"upper": True})
    assert other.identity != ChromaEncoder("letters").identity
    assert other.encode(["ABBA", "none"]).shape == (2, 26)


def test_embedding_functions_that_cannot_serve_are_refused_by_name() -> None:
    with pytest.raises(
        UnknownPlugin, match=r"unknown embedding function of Chroma 'leters'; known: .*letters"
    ):
        ChromaEncoder("leters").encode(["x"])
    with pytest.raises(ConfigError, match="'jina' reads queries in another way"):
        ChromaEncoder("jina").encode(["x"])
    with pytest.raises(ConfigError, match=r"letters.*no_such_option"):
        ChromaEncoder("letters", {"no_such_option": 1}).encode(["x"])


@pytest.mark.parametrize(
    "table", [{"ef_search": 0}, {"max_neighbors": 1}, {"timeout": 0}, {"collection": "x y"}]
)
def test_parameters_out_of_range_are_refused(table) -> None:
    with pytest.raises(ConfigError):
        ChromaBackend(**table)


def test_no_secret_stands_in_what_a_report_carries(monkeypatch) -> None:
    monkeypatch.setenv("CHROMA_API_KEY", "secret-token")
    described = backend_description({"type": "chroma", "host": "example.org"})
    assert "secret-token" not in str(described)
