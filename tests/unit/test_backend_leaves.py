"""What the backends are made of: filters, tokens, the storage seal, the lock, the metric functions."""

import json
import sys
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from verifier_backends.bm25 import BM25Backend
from verifier_backends.dense import SentenceTransformerEncoder
from verifier_backends.encoders import HashingEncoder
from verifier_backends.evaluation import ndcg_at, recall_at
from verifier_backends.filters import matches
from verifier_backends.hybrid import HybridBackend
from verifier_backends.index.locks import ReadWriteLock
from verifier_backends.index.records import Records
from verifier_backends.index.storage import MANIFEST, read_manifest, writing
from verifier_backends.index.tokens import Analyzer, words
from verifier_backends.memory import InMemoryBackend
from verifier_backends.types import Capabilities, Item

from verifier.core.errors import BackendRejected, BackendUnavailable, ConfigError, MissingExtra

VALUE = st.one_of(st.none(), st.booleans(), st.integers(0, 2), st.sampled_from(["", "a", "1"]), st.just(1.0))
METADATA = st.dictionaries(st.sampled_from("kl"), VALUE)
WHERE = st.dictionaries(st.sampled_from("klm"), st.one_of(VALUE, st.lists(VALUE, max_size=3)))


@given(st.lists(METADATA, max_size=8), WHERE)
def test_the_columns_of_an_index_filter_as_matches_does(metadata, where):
    records = Records().append([Item(str(i), "text", found) for i, found in enumerate(metadata)])
    assert records.mask(where).tolist() == [matches(found, where) for found in metadata]


def test_words_keep_decimals_and_join_thousands():
    assert words("It costs 1,250.50 or 2.3% of 1,25,000") == [
        "it", "costs", "1250.50", "or", "2.3", "of", "1,25,000",
    ]  # fmt: skip


def test_words_without_spaces_between_become_bigrams():
    assert words("東京タワー and 京") == ["東京", "京タ", "タワ", "ワー", "and", "京"]


def test_stop_words_leave_negations_and_quantifiers():
    assert Analyzer(stop_words=True).terms("it is not all or never") == ["not", "all", "never"]


def test_capabilities_of_a_pair_are_those_of_both():
    both = Capabilities(delete=True, get=True) & Capabilities(get=True, persist=True)
    assert both == Capabilities(get=True)
    assert both.missing() == ("delete", "where", "persist")


def test_a_crash_while_saving_leaves_nothing_that_loads(tmp_path):
    with pytest.raises(KeyboardInterrupt), writing(tmp_path / "index", {"a": 1}):  # noqa: PT012
        (tmp_path / "index" / "part.json").write_text("{}")
        raise KeyboardInterrupt
    with pytest.raises(BackendRejected, match="no whole index"):
        read_manifest(tmp_path / "index", {"a": 1})


def test_a_truncated_file_is_refused(tmp_path):
    backend = InMemoryBackend(HashingEncoder())
    backend.add("a", "text")
    backend.save(tmp_path / "index")
    vectors = tmp_path / "index" / "000001" / "vectors.npy"
    vectors.write_bytes(vectors.read_bytes()[:-1])
    with pytest.raises(BackendRejected, match=r"damaged: 000001/vectors\.npy"):
        backend.load(tmp_path / "index")


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"format": 99, "identity": {}, "files": {}}'])
def test_a_manifest_that_makes_no_sense_is_refused(tmp_path, content):
    (tmp_path / MANIFEST).write_text(content)
    with pytest.raises(BackendRejected):
        read_manifest(tmp_path, {})


def test_an_index_of_another_configuration_is_refused(tmp_path):
    BM25Backend(language="german").save(tmp_path / "bm25")
    with pytest.raises(BackendRejected, match=r"german.*build it anew"):
        BM25Backend().load(tmp_path / "bm25")
    with pytest.raises(BackendRejected, match="is not this backend"):
        InMemoryBackend(HashingEncoder()).load(tmp_path / "bm25")


def test_a_folder_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BackendRejected, match="cannot save an index into"):
        BM25Backend().save(tmp_path / "file")


def test_metadata_survive_a_reload_with_their_types(tmp_path):
    backend = BM25Backend()
    metadata = {"s": "ü\ud800", "i": 7, "f": 0.1, "b": True, "n": None}
    backend.add("a", "text", metadata)
    backend.save(tmp_path / "index")
    loaded = BM25Backend()
    loaded.load(tmp_path / "index")
    assert json.dumps(loaded.get(["a"])[0]["metadata"]) == json.dumps(metadata)


def test_a_writer_waits_for_readers_and_goes_before_new_ones():
    lock, order = ReadWriteLock(), []
    reading, release = threading.Event(), threading.Event()

    def first_reader():
        with lock.reading():
            reading.set()
            release.wait(5)
            order.append("first reader")

    def writer():
        with lock.writing():
            order.append("writer")

    def late_reader():
        with lock.reading():
            order.append("late reader")

    threads = [threading.Thread(target=first_reader), threading.Thread(target=writer)]
    threads[0].start()
    assert reading.wait(5)
    threads[1].start()
    while not lock._writers_waiting:
        pass
    threads.append(threading.Thread(target=late_reader))
    threads[2].start()
    release.set()
    for thread in threads:
        thread.join(5)
    assert order == ["first reader", "writer", "late reader"]


@pytest.mark.parametrize(
    "arguments",
    [
        {"method": "sum"},
        {"dense_weight": -1},
        {"dense_weight": 0, "sparse_weight": 0},
        {"rrf_k": -1},
        {"fetch_multiplier": 0},
    ],
)
def test_hybrid_refuses_parameters_out_of_range(arguments):
    with pytest.raises(ConfigError):
        HybridBackend(InMemoryBackend(HashingEncoder()), BM25Backend(), **arguments)


@pytest.mark.parametrize("arguments", [{"k1": -0.1}, {"b": 1.1}, {"b": float("nan")}, {"k1": float("nan")}])
def test_bm25_refuses_parameters_out_of_range(arguments):
    with pytest.raises(ConfigError, match="k1 must be at least 0"):
        BM25Backend(**arguments)


def test_a_model_folder_that_does_not_exist_is_a_configuration_error(tmp_path):
    pytest.importorskip("sentence_transformers", reason="needs the extra 'st'")
    encoder = SentenceTransformerEncoder(str(tmp_path / "no model"))
    with pytest.raises(ConfigError, match="there is no folder"):
        encoder.encode(["text"])


def test_a_missing_extra_is_named_with_the_line_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtra, match=r"pip install 'rag-claim-verifier\[st\]'"):
        SentenceTransformerEncoder("some/model").encode(["text"])


@pytest.mark.parametrize("failure", [OSError("no route"), ValueError("no such repository")])
def test_a_hub_that_does_not_answer_is_unavailable(monkeypatch, failure):
    library = pytest.importorskip("sentence_transformers", reason="needs the extra 'st'")

    def refuse(*args, **kwargs):
        raise failure

    monkeypatch.setattr(library, "SentenceTransformer", refuse)
    with pytest.raises(BackendUnavailable, match="'some/model' is not on this machine"):
        SentenceTransformerEncoder("some/model", revision="0" * 40).encode(["text"])


@pytest.mark.parametrize("revision", [None, "main", "v1.0", "0123abc"])
def test_a_hub_model_must_be_pinned_to_a_commit(revision):
    pytest.importorskip("sentence_transformers", reason="needs the extra 'st'")
    with pytest.raises(ConfigError, match=r"the model some/model has .*pin it to a commit"):
        SentenceTransformerEncoder("some/model", revision=revision).encode(["text"])


def test_a_local_models_identity_follows_its_content_not_its_place(tmp_path):
    for name in ("one", "two", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text("{}" if name != "other" else '{"hidden_size": 3}')
        (tmp_path / name / "model.safetensors").write_bytes(b"weights")
    one, two, other = (
        SentenceTransformerEncoder(str(tmp_path / n)).identity for n in ("one", "two", "other")
    )
    assert one == two != other
    (tmp_path / "two" / "model.safetensors").write_bytes(b"WEIGHTS")
    assert SentenceTransformerEncoder(str(tmp_path / "two")).identity != one


def test_recall_counts_relevant_ids_only():
    assert recall_at(5, ["x", "a"], {"a": 2, "b": 1, "c": 0}) == 0.5
    assert recall_at(1, [], {"a": 1}) == 0


def test_ndcg_of_the_best_order_is_one_and_grades_count():
    assert ndcg_at(10, ["a", "b", "x"], {"a": 3, "b": 1, "x": 0}) == 1
    # (1 + 3 / log2(3)) / (3 + 1 / log2(3))
    assert ndcg_at(2, ["b", "a"], {"a": 3, "b": 1}) == pytest.approx(0.7967, abs=1e-4)
