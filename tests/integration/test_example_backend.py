"""The example package of ``docs/``: built, installed without network, found by its entry point, and whole."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.examples import ROOT, installed_in

EXAMPLE = ROOT / "docs" / "example-backend"

SUITE = """
from verifier_backends.testing import BackendContract
from verifier.core.registry import BACKENDS
from verifier.factory import build_backend
from verifier.knowledge.testing import StoreContract


class TestJaccard(BackendContract, StoreContract):
    def make_backend(self):
        return build_backend({"type": "jaccard"})


def test_it_was_found_by_its_entry_point():
    assert "jaccard" in BACKENDS.names()
    assert BACKENDS.load("jaccard").__module__ == "jaccard_backend"
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> dict[str, str]:
    """The environment in which the example is installed, in a folder of its own."""
    return installed_in(tmp_path_factory.mktemp("installed"), tmp_path_factory.mktemp("source"), EXAMPLE)


def test_the_example_is_short() -> None:
    files = [path for path in EXAMPLE.iterdir() if path.is_file()]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) < 80


def test_the_example_passes_the_suite(installed, tmp_path) -> None:
    (tmp_path / "test_jaccard.py").write_text(SUITE)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", tmp_path, tmp_path],
        env=installed,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "skipped" not in done.stdout


def test_one_line_of_configuration_puts_it_to_work(installed, tmp_path) -> None:
    (tmp_path / "note.txt").write_text("The spare key lies behind the fuse box.")
    (tmp_path / "verifier.toml").write_text('[backend]\ntype = "jaccard"\nmin_length = 3\n')
    verifier = str(Path(sys.executable).with_name("verifier"))

    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        command = [verifier, *arguments]
        return subprocess.run(
            command, env=installed, cwd=tmp_path, capture_output=True, text=True, check=False
        )

    assert run("ingest", "note.txt").returncode == 0
    found = run("search", "where is the spare key")
    assert "fuse box" in found.stdout, found.stderr
    (tmp_path / "verifier.toml").write_text('[backend]\ntype = "jaccard"\nmin_size = 3\n')
    refused = run("search", "where is the spare key")
    assert refused.returncode == 2
    assert "unknown key backend.min_size for backend 'jaccard'; known: min_length" in refused.stderr
