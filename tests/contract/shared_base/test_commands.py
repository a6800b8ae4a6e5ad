"""The commands and the library over the address of a PostgreSQL: the same as over a folder, and no password."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import verifier
from tests.support.shared_base import asked
from tests.support.stores import PETS, REFUNDS, SHIPPING, doc
from verifier.config import Settings, load
from verifier.core.database_url import checked_url
from verifier.core.errors import ConfigError, VerifierError
from verifier.factory import open_store
from verifier.interfaces.cli import exits
from verifier.interfaces.cli.app import app
from verifier.interfaces.cli.doctor import _knowledge_base

psycopg = pytest.importorskip("psycopg", reason="needs the extra 'pgvector'")

SECRET = "s3cr%40t"
CONFIG = """
kb = "{place}"
[backend]
type = "pgvector"
encoder = {{type = "hashing", dimension = 64}}
[signals]
nli = false
"""


@pytest.fixture
def place(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The working directory has a configuration whose address holds a password; that address."""
    place = url.replace("postgres@", f"postgres:{SECRET}@")
    monkeypatch.chdir(tmp_path)
    Path("verifier.toml").write_text(CONFIG.format(place=place))
    Path("docs").mkdir()
    for document in (REFUNDS, SHIPPING, PETS):
        Path("docs", document.source).write_text(document.text)
    return place


def run(*arguments: str, code: int = 0) -> str:
    """What a command prints, which is no password; an error as ``main`` tells it."""
    done = CliRunner().invoke(app, list(arguments))
    error = done.exception if isinstance(done.exception, VerifierError) else None
    told = done.output + str(error or "")
    assert (exits.of_error(error) if error is not None else done.exit_code) == code, told
    assert SECRET not in told
    assert "s3cr@t" not in told
    return told if error is not None else done.stdout


def test_every_command_takes_the_address_and_none_shows_the_password(place: str) -> None:
    assert "no knowledge base at postgresql://postgres@127" in run("search", "refunds", code=2)
    run("ingest", "docs")
    assert "refunds.md" in run("search", "when are refunds paid")
    report = json.loads(run("verify", "--text", REFUNDS.text, "--format", "json", "--kb", place))
    assert report["decision"] == "approved"
    assert "postgresql" not in json.dumps(report["config"])
    stats = json.loads(run("kb", "stats", "--json"))
    assert (stats["documents"], stats["schema_version"], len(stats["indexes"])) == (3, 1, 1)
    assert stats["database_bytes"] > 100_000
    assert [state for _, state, _ in _knowledge_base(load())] == ["ok"]
    assert "postgresql://postgres@127.0.0.1" in run("config", "show")
    assert "3 passages" in run("verify", "--text", "x", "--dry-run")
    Path("in.jsonl").write_text(json.dumps({"id": "a", "response": REFUNDS.text}) + "\n")
    run("batch", "in.jsonl", "out.jsonl", "--workers", "1")
    assert json.loads(Path("out.jsonl").read_text())["decision"] == "approved"
    assert SECRET not in Path("out.jsonl").read_text()
    run("kb", "delete", "pets.md")
    run("kb", "reindex")
    run("kb", "gc")
    assert len(run("kb", "list").strip().splitlines()) == 3
    assert asked(place, "SELECT count(*) FROM verifier.waiting") == [(0,)]


def test_the_library_takes_the_address_too(place: str) -> None:
    run("ingest", "docs")
    settings = load().settings
    assert load(environ={"VERIFIER_KB": place}).settings.kb == settings.kb
    report = verifier.assert_grounded(REFUNDS.text, kb=place, settings=settings)
    assert SECRET not in repr(settings) + settings.model_dump_json() + repr(report)


def test_a_base_is_copied_to_a_server_and_back_and_nothing_is_embedded_again(
    place: str,
) -> None:
    Path("folder.toml").write_text(CONFIG.format(place="from").replace("pgvector", "memory"))
    settings = load(Path("folder.toml")).settings
    with open_store(settings, create=True) as store:
        store.ingest([REFUNDS, SHIPPING])
        store.ingest([PETS, doc("refunds.md", "Refunds take ten days.")], namespace="other")
        before = list(store.export())
    told = json.loads(run("kb", "copy", "from", place, "--json"))
    assert told == {"passages": 4, "vectors_taken_over": 4}
    assert "choose another database" in run("kb", "copy", "from", place, code=2)
    told = json.loads(run("kb", "copy", place, "back", "--json", "--config", "folder.toml"))
    assert told == {"passages": 4, "vectors_taken_over": 4}
    for path, file in ((place, "verifier.toml"), ("back", "folder.toml")):
        with open_store(load(Path(file), {"kb.path": path}).settings) as store:
            assert list(store.export()) == before
            (hit,) = store.retrieve(["dogs and cats"], namespace="other", top_k=1)[0]
            assert (hit.source, hit.retrieved_by) == ("pets.md", "vector")
            assert store.known_terms(["refunds take", "warehouse"], "other") == {"refunds take"}
            store.add("new", "A new text after the copy.")
            assert store.retrieve_context("a new text after the copy", top_k=1)[0].source == "new"


def test_the_default_backend_is_pgvector_and_one_in_memory_is_loaded_from_the_database(url: str) -> None:
    memory = {"type": "memory", "encoder": {"type": "hashing", "dimension": 64}}
    settings = Settings.model_validate({"kb": {"path": url}, "backend": memory})
    with open_store(settings, create=True) as store:
        store.ingest([REFUNDS])
    with open_store(settings) as store:
        assert store.retrieve_context("refunds", top_k=1)[0].retrieved_by == "vector"
        assert store._index.embedded == 0
        store.ingest([PETS])
        assert store._index.embedded == 1
    with open_store(Settings.model_validate({"kb": {"path": url}})) as store:
        assert type(store.backend).__name__ == "PgvectorBackend"


def test_an_address_that_cannot_be_read_is_not_quoted() -> None:
    for wrong in (
        "postgresql://me:pa/ss@db/facts",
        "postgresql://me:p@ss@db/facts",
        "postgresql://me:pass@db:x/facts",
    ):
        with pytest.raises(ConfigError, match="%40") as raised:
            checked_url(wrong)
        assert "ss@" not in str(raised.value)
