"""A name in the configuration is that backend or an error: never another one, never silently less."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from verifier_backends.base import VectorBackend

from verifier.core.errors import MissingExtra, UnknownPlugin
from verifier.core.registry import BACKENDS
from verifier.factory import build_backend

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BUILT_IN = PROJECT["entry-points"]["verifier.backends"]

NEEDS = {
    "dense": ("sentence_transformers", "pip install 'rag-claim-verifier[st]'"),
    "chroma": ("chromadb", "pip install 'rag-claim-verifier[chroma]'"),
    "pinecone": ("pinecone", "pip install 'rag-claim-verifier[pinecone]'"),
    "qdrant": ("qdrant_client", "pip install 'rag-claim-verifier[qdrant]'"),
    "opensearch": ("opensearchpy", "pip install 'rag-claim-verifier[opensearch]'"),
    "elasticsearch": ("elasticsearch", "pip install 'rag-claim-verifier[elasticsearch]'"),
    "lancedb": ("lancedb", "pip install 'rag-claim-verifier[lancedb]'"),
    "pgvector": ("psycopg", "pip install 'rag-claim-verifier[pgvector]'"),
    "ann": ("faiss", "pip install 'rag-claim-verifier[ann]'"),
}
"""What a backend imports when it first works, and the line that installs it."""


def verifier(*arguments: object) -> "subprocess.CompletedProcess[str]":
    """The command in a process that cannot import the module named first."""
    hide = "import sys; sys.modules[sys.argv.pop(1)] = None"
    script = f"{hide}; from verifier.interfaces.cli import main; main()"
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def used(name: str) -> None:
    backend = build_backend({"type": name})
    backend.add("a", "some text")
    backend.query("some text")


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_a_name_is_the_backend_of_that_name(name) -> None:
    module, _, cls = BUILT_IN[name].partition(":")
    assert module == f"verifier_backends.{name}", "one name in four places: module, entry point, extra, type"
    loaded = BACKENDS.load(name)
    assert loaded.__name__ == cls
    assert issubclass(loaded, VectorBackend)
    backend = build_backend({"type": name})
    assert type(backend) is loaded, "another backend took its place"
    assert backend.count() == 0


def test_an_unknown_name_is_an_error_that_lists_the_known() -> None:
    with pytest.raises(UnknownPlugin) as raised:
        build_backend({"type": "chromma"})
    message = str(raised.value)
    assert message.startswith("unknown backend 'chromma'; known: ")
    assert all(name in message for name in BUILT_IN)


@pytest.mark.parametrize("name", sorted(NEEDS))
def test_a_missing_extra_gives_the_pip_line_and_nothing_takes_its_place(name, monkeypatch) -> None:
    module, line = NEEDS[name]
    assert line.rpartition("[")[2].rstrip("]'") in PROJECT["optional-dependencies"]
    for loaded in [m for m in sys.modules if m == module or m.startswith(f"{module}.")]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra) as raised:
        used(name)
    assert str(raised.value).endswith(f"is not installed; run: {line}")


def test_the_command_line_says_the_pip_line_and_stores_nothing(tmp_path) -> None:
    (tmp_path / "note.txt").write_text("The spare key lies behind the fuse box.")
    (tmp_path / "verifier.toml").write_text('[backend]\ntype = "chroma"\n')
    options = ["--kb", tmp_path / "kb", "--config", tmp_path / "verifier.toml"]
    done = verifier("chromadb", "ingest", tmp_path / "note.txt", *options)
    assert done.returncode == 2
    assert "pip install 'rag-claim-verifier[chroma]'" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert verifier("chromadb", "search", "key", *options).returncode == 2
