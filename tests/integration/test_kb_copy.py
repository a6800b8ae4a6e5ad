"""``verifier kb copy``: the same documents and evidence over another backend, and no text encoded twice."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from verifier_backends.elasticsearch import ElasticsearchBackend
from verifier_backends.encoders import HashingEncoder
from verifier_backends.memory import InMemoryBackend
from verifier_backends.types import Item

from tests.support.search_engines import PASSWORD, USER, ElasticsearchServer, running
from tests.support.stores import PETS, REFUNDS, SHIPPING, doc
from verifier.config import Settings
from verifier.core.errors import ConfigError, KnowledgeBaseNotFound
from verifier.factory import open_store
from verifier.interfaces.cli.copy import copy

ENCODER = {"type": "hashing", "dimension": 256}
FROM = {"type": "hybrid", "dense": {"type": "memory", "encoder": ENCODER}}
TARGETS = {
    "memory": {"type": "memory", "encoder": ENCODER},
    "hybrid": FROM,
    "lancedb": {"type": "lancedb", "encoder": ENCODER},
}


def settings(base: Path, backend: dict) -> Settings:
    return Settings.model_validate({"backend": backend, "kb": {"path": str(base)}})


@pytest.fixture
def base(tmp_path: Path) -> Path:
    with open_store(settings(tmp_path / "from", FROM), create=True) as store:
        store.ingest([REFUNDS, SHIPPING])
        store.ingest([PETS, doc("refunds.md", "Refunds take ten days.")], namespace="other")
    return tmp_path / "from"


def copied(base: Path, backend: dict, capsys: pytest.CaptureFixture[str], name: str = "to") -> dict[str, int]:
    path = base.parent / "verifier.json.toml"
    path.write_text(f"backend = {_toml(backend)}\n")
    copy(base, base.parent / name, config=path, json_=True, quiet=True)
    told: dict[str, int] = json.loads(capsys.readouterr().out)
    return told


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(one)}" for key, one in value.items()) + "}"
    return json.dumps(value)


def found(base: Path, backend: dict) -> list:
    with open_store(settings(base, backend)) as store:
        asked = ["when are refunds paid", "do dogs travel free"]
        return [
            [(one.source, one.text, round(one.score, 4)) for one in ranking]
            for namespace in ("default", "other")
            for ranking in store.retrieve(asked, namespace=namespace)
        ]


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_all_vectors_are_taken_over_and_the_same_is_found(
    base: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    if name == "lancedb":
        pytest.importorskip(name)
    encode = HashingEncoder.encode
    asked: list[str] = []
    monkeypatch.setattr(
        HashingEncoder, "encode", lambda self, texts: (asked.extend(texts), encode(self, texts))[1]
    )
    assert copied(base, TARGETS[name], capsys) == {"passages": 4, "vectors_taken_over": 4}
    assert asked == ["probe"] or asked == []
    monkeypatch.undo()
    copy_found = found(base.parent / "to", TARGETS[name])
    if name == "hybrid":
        assert copy_found == found(base, FROM)
    else:
        again = settings(base.parent / "fresh", TARGETS["memory"])
        with open_store(again, create=True) as store:
            store.ingest([REFUNDS, SHIPPING])
            store.ingest([PETS, doc("refunds.md", "Refunds take ten days.")], namespace="other")
        assert copy_found == found(base.parent / "fresh", TARGETS["memory"])


def test_vectors_go_to_elasticsearch_and_back(
    base: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("elasticsearch")
    for variable, value in zip(ElasticsearchBackend.secrets, (USER, PASSWORD), strict=False):
        monkeypatch.setenv(variable, value)
    with running(ElasticsearchServer) as server:
        remote = {"type": "elasticsearch", "encoder": ENCODER, "url": server.url}
        assert copied(base, remote, capsys) == {"passages": 4, "vectors_taken_over": 4}
        there = found(base.parent / "to", remote)
        told = copied(base.parent / "to", TARGETS["memory"], capsys, "back")
    assert told == {"passages": 4, "vectors_taken_over": 4}
    assert found(base.parent / "back", TARGETS["memory"]) == there


def test_a_copy_goes_on_by_itself(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copied(base, TARGETS["memory"], capsys)
    with open_store(settings(base.parent / "to", TARGETS["memory"])) as store:
        store.add("new", "Kayaks are rented by the hour.")
        assert store.retrieve(["kayaks by the hour"])[0][0].source == "new"
    with open_store(settings(base, FROM)) as store:
        assert "new" not in {one.source for one in store.documents()}


def test_another_encoder_encodes_all_of_it_anew(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = {"type": "memory", "encoder": {"type": "hashing", "dimension": 512}}
    assert copied(base, other, capsys) == {"passages": 4, "vectors_taken_over": 0}
    assert found(base.parent / "to", other)


def test_nothing_is_copied_over_a_knowledge_base_or_out_of_none(
    base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ConfigError, match="holds a knowledge base"):
        copied(base, TARGETS["memory"], capsys, name="from")
    with pytest.raises(KnowledgeBaseNotFound):
        copied(base.parent / "none", TARGETS["memory"], capsys)
    assert not (base.parent / "to").exists()


def test_a_backend_says_which_vectors_it_was_given() -> None:
    encoder = HashingEncoder(dimension=64)
    backend = InMemoryBackend(encoder)
    backend.add_many([Item("a", "one text"), Item("b", "another")])
    backend.add("a", "a third text")
    first, missing = backend.vectors(["a", "c"])
    assert missing is None
    assert first is not None
    assert np.allclose(first, encoder.encode(["a third text"])[0])
