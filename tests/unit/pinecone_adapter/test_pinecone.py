"""What Pinecone's adapter does beyond the contract, over its real client and a server: limits, delays, namespaces."""

import gc
import threading

import pinecone
import pytest
from verifier_backends.memory import InMemoryBackend
from verifier_backends.types import Item

from tests.support import pinecone_server as support
from tests.support.filters import assert_filters_are_exact
from tests.support.pinecone_backend import ENCODER, late, made, texts
from tests.support.pinecone_server import KEY, pinecone_server
from verifier.core.errors import BackendRejected, BackendUnavailable
from verifier.factory import build_backend

# Records


def test_filters_mean_what_the_contract_says_for_values_of_every_type(server) -> None:
    assert_filters_are_exact(made(server))


def test_a_filter_of_more_values_than_pinecone_takes_is_refused(server) -> None:
    backend = made(server)
    with pytest.raises(BackendRejected, match="10000 values; 'group' has 10001"):
        backend.query_many(["x"], 3, {"group": list(range(10_001))})


def test_a_passage_that_the_filter_excludes_is_an_error_and_no_hit(server, monkeypatch) -> None:
    backend = made(server)
    backend.add_many(
        [Item("a", "some words", {"tenant": "red"}), Item("b", "some words", {"tenant": "blue"})]
    )
    monkeypatch.setattr(support._Handler, "_meets", lambda *_: True)
    with pytest.raises(BackendRejected, match="'b', which the filter does not let through"):
        backend.query_many(["some words"], 3, {"tenant": "red"})


def test_rankings_and_scores_are_those_of_the_exact_index(server) -> None:
    exact, backend = InMemoryBackend(ENCODER), made(server)
    items = [Item(f"{i:03}", text) for i, text in enumerate([*texts(150), "!!! ???", "---"])]
    for one in (exact, backend):
        one.add_many(items)
    for asked in (*texts(5, seed=7), "!!!"):
        for n in (3, 45, 200):
            ours, oracle = backend.query(asked, n), exact.query(asked, n)
            assert [hit["id"] for hit in ours] == [hit["id"] for hit in oracle]
            assert [hit["score"] for hit in ours] == pytest.approx([hit["score"] for hit in oracle], abs=2e-6)
    assert backend.get(["150"])[0]["text"] == "!!! ???", "a text without features has a vector, and is kept"


def test_ties_beyond_the_candidates_are_cut_by_id(server) -> None:
    backend = made(server)
    ids = [f"{i:03}" for i in range(90)] + ["é1", "Z1"]
    backend.add_many(Item(doc_id, "the very same text") for doc_id in reversed(ids))
    assert [hit["id"] for hit in backend.query("the same text", 5)] == sorted(ids)[:5]
    assert [hit["id"] for hit in backend.query("the same text", 92)] == sorted(ids)


def test_more_results_than_pinecone_gives_are_refused_only_where_there_are_more(server, monkeypatch) -> None:
    backend = made(server)
    backend.add("a", "some words")
    assert len(backend.query("some words", 20_000)) == 1
    monkeypatch.setattr("verifier_backends.pinecone.backend.MOST_RESULTS", 1)
    backend.add("b", "some words")
    with pytest.raises(BackendRejected, match="at most 1 results; 2 were asked"):
        backend.query("some words", 2)


def test_writes_go_in_requests_that_pinecone_takes(server) -> None:
    backend = made(server)
    backend.add_many(Item(f"{i:04}", text) for i, text in enumerate(texts(2300)))
    sizes = [len(body["vectors"]) for route, body in server.requests if route.endswith("upsert")]
    assert sizes == [1000, 1000, 300]
    server.requests.clear()
    backend.add_many(Item(f"heavy {i}", f"{text} " * 800) for i, text in enumerate(texts(120)))
    assert server.routes().count("upsert") >= 2, "the server calls more than 2 MB a problem"
    assert backend.count() == 2420
    assert backend.delete([f"{i:04}" for i in range(2300)]) == 2300
    assert backend.count() == 120


def test_a_text_that_does_not_fit_lies_in_pieces_and_goes_with_its_record(server) -> None:
    backend = made(server)
    long = {f"é{i}": f"{i} " + "“long” words of “many” sizes. " * 6000 for i in range(3)}
    backend.add_many([*(Item(*pair, {"n": 1}) for pair in long.items()), Item("short", "few words")])
    assert backend.count() == 4
    assert {hit["id"]: hit["text"] for hit in backend.query("long words", 3)} == long
    (beside,) = (records for name, records in server.namespaces().items() if name.endswith("-pieces"))
    assert len(beside) > 12
    backend.add("é0", "short now")
    backend.add("é1", long["é1"][:-50])
    assert [hit["text"] for hit in backend.get(["é0", "é1"])] == ["short now", long["é1"][:-50]]
    assert backend.delete(["é1", "é2"]) == 2
    assert [name for name in server.namespaces() if name.endswith("-pieces")] == [], "deleted, yet kept"


def test_a_missing_piece_is_an_error_and_no_shorter_text(server) -> None:
    backend = made(server)
    backend.add("a", "long words " * 9000)
    pieces = next(n for n in server.indexes["verifier"].namespaces if n.endswith("-pieces"))
    server.indexes["verifier"].namespaces[pieces].views["fetch"].popitem()
    with pytest.raises(BackendUnavailable, match="incomplete"):
        backend.query("long words")


def test_what_pinecone_cannot_hold_is_refused_before_anything_is_stored(server) -> None:
    backend = made(server)
    wide = {f"key {i}": "value" * 20 for i in range(300)}
    with pytest.raises(BackendRejected, match=r"the metadata of 'b' take \d+ bytes"):
        backend.add_many([Item("a", "text"), Item("b", "text", wide)])
    with pytest.raises(BackendRejected, match="512 characters"):
        backend.add("é" * 100, "text")
    assert backend.count() == 0
    backend.add("a", "text")
    assert backend.get(["é" * 100, "a"])[0] is None
    assert backend.delete(["é" * 100]) == 0


def test_an_encoder_may_be_any(server) -> None:
    table = {"type": "pinecone", "host": server.url, "encoder": {"type": "hashing", "dimension": 32}}
    backend = build_backend(table)
    backend.add("a", "some words")
    assert backend.query("words")[0]["id"] == "a"
    assert server.indexes["verifier"].dimension == 33


# Delays


@pytest.mark.parametrize("environment", [None, "us-east1-gcp"], ids=["serverless", "pods"])
def test_a_write_ends_when_queries_show_it(server, environment) -> None:
    backend, clock = late(server, environment=environment)
    server.delay = 3.0
    backend.add_many(Item(str(i), text) for i, text in enumerate(texts(20)))
    assert 3 <= clock.now < 6
    reader, _ = made(server), clock
    reader._namespace = reader._open().namespace(backend._namespace.name)
    assert len(reader.query(texts(20)[0], 50)) == 20, "another reader sees it as well"
    backend.add("0", "words that nobody has used before")
    assert backend.query("nobody has used", 1)[0]["text"] == "words that nobody has used before"
    assert backend.delete(["0", "1"]) == 2
    assert {"0", "1"}.isdisjoint(hit["id"] for hit in reader.query(texts(20)[0], 50))


@pytest.mark.parametrize("environment", [None, "us-east1-gcp"], ids=["serverless", "pods"])
def test_a_write_that_does_not_become_visible_is_an_error_and_can_be_repeated(server, environment) -> None:
    backend, clock = late(server, environment=environment)
    backend.add("a", "first words")
    server.delay = 60.0
    with pytest.raises(
        BackendUnavailable, match=r"has taken a write, but does not yet show texts.*10 seconds"
    ):
        backend.add("b", "second words")
    with pytest.raises(BackendUnavailable, match="the removal of texts after 10 seconds"):
        backend.delete(["a"])
    clock.now += 100
    server.delay = 0.0
    backend.add("b", "second words")
    assert [hit["id"] for hit in backend.query("words", 5)] == ["b"]
    assert backend.count() == 1


def test_a_count_is_that_of_what_was_written_or_an_error(server, tmp_path) -> None:
    backend, clock = late(server)
    server.lag = {"stats": 5}
    backend.add_many(Item(str(i), text) for i, text in enumerate(texts(9)))
    assert backend.count() == 9
    assert made(server)._open().namespace(backend._namespace.name).count() == 9, "for every reader"
    server.lag = {"stats": 10**9}
    before = clock.now
    backend.add("new", "other words")
    assert clock.now == before + 10
    with pytest.raises(BackendUnavailable, match="a count of 10 texts after 10 seconds"):
        backend.count()
    assert backend.query("other words", 1)[0]["id"] == "new"
    before = clock.now
    assert backend.delete(["new", "0"]) == 2
    assert clock.now < before + 10, "it waits in vain only once"
    backend.save(tmp_path / "index")
    other = made(server, patience=10.0, sleep=clock.sleep, clock=clock)
    other.load(tmp_path / "index")
    with pytest.raises(BackendUnavailable, match="a count of 8 texts after 10 seconds"):
        other.count()
    server.lag = {}
    assert other.count() == backend.count() == 8


def test_log_positions_spare_a_query_for_each_request_of_a_write(server) -> None:
    items = [Item(f"{i:04}", text) for i, text in enumerate(texts(2300))]
    asked = []
    for environment in (None, "us-east1-gcp"):
        server.reset()
        made(server, environment=environment).add_many(items)
        filters = [body["filter"] for route, body in server.requests if route.endswith("/query")]
        asked.append(sum("mark" in wanted for wanted in filters))
    assert asked == [1, 3]


def test_pieces_that_come_late_are_waited_for(server) -> None:
    backend, clock = late(server)
    server.lag = {"fetch": 4}
    backend.add("a", "long words " * 9000)
    assert clock.slept
    assert backend.query("long words")[0]["text"] == "long words " * 9000


# Namespaces


def test_a_saved_namespace_is_gone_on_with_and_an_unsaved_one_goes(server, tmp_path) -> None:
    backend = made(server, namespace="mine")
    backend.add("a", "text")
    assert [name.rpartition("-")[0] for name in server.namespaces()] == ["mine"]
    del backend
    gc.collect()
    assert server.namespaces() == {}

    backend = made(server)
    backend.add_many([Item("a", "text"), Item("long", "long words " * 9000)])
    backend.save(tmp_path / "one")
    backend.add("b", "more text")
    backend.save(tmp_path / "two")
    del backend
    gc.collect()
    again, watcher = made(server), made(server)
    again.load(tmp_path / "one")
    assert again.count() == 3
    watcher.discard(tmp_path / "one", keeping=[tmp_path / "two"])
    again.discard(tmp_path / "two")
    assert again.count() == 3, "what is in use or kept elsewhere stays"
    watcher.discard(tmp_path / "two")
    assert server.namespaces() == {}, "its pieces as well"
    with pytest.raises(BackendRejected, match="is gone or empty; build it anew"):
        watcher.load(tmp_path / "one")
    with pytest.raises(BackendRejected, match="lies in Pinecone's index 'verifier', not in 'other'"):
        made(server, index="other").load(tmp_path / "one")


def test_two_backends_on_one_index_never_see_each_other(server) -> None:
    red, blue = made(server), made(server)
    red.add("a", "some words of red")
    blue.add("a", "some words of blue")
    assert [hit["text"] for hit in red.query("some words", 5)] == ["some words of red"]
    assert blue.delete(["a"]) == 1
    assert red.count() == 1


def test_threads_may_open_one_backend_at_once(server) -> None:
    backend = made(server)
    threads = [threading.Thread(target=backend.add, args=(str(i), f"text {i}")) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert backend.count() == 4
    assert len(server.namespaces()) == 1


def test_the_server_calls_what_it_does_not_know_a_problem(server) -> None:
    for call in (
        lambda index: index.update(id="a", values=[1.0] * 65, namespace="n"),
        lambda index: index.query(top_k=1, vector=[1.0] * 65, namespace="n", scan_factor=2.0),
        lambda index: index.upsert(vectors=[("a", [1.0] * 65, {"x": ["y"]})], namespace="n"),
    ):
        with pytest.raises(AssertionError, match="/i/verifier/"), pinecone_server() as strict:
            _refused(strict, call)


def _refused(strict, call) -> None:
    strict.made("verifier", 65)
    client = pinecone.Pinecone(api_key=KEY, host=strict.url)
    with client, client.index("verifier") as index, pytest.raises(pinecone.ApiError):
        call(index)
