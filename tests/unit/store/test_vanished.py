"""Documents whose folder was moved are told when the new one is pruned, and removed by the command that is named."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from tests.support.inside import run
from verifier.knowledge.vanished import vanished

BM25 = {"VERIFIER_BACKEND__TYPE": "bm25"}


def test_a_moved_folder_is_told_and_removed_by_its_path(tmp_path: Path) -> None:
    old, new, other = tmp_path / "old docs", tmp_path / "new", tmp_path / "other"
    for folder in (old, other):
        folder.mkdir()
    (old / "a#1.md").write_text("Refunds take 5 days.")
    (old / "t.csv").write_text("id,text\n1,One.\n2,Two.\n")
    (other / "c.md").write_text("Dogs are welcome.")
    assert run("ingest", old, other, cwd=tmp_path, **BM25).returncode == 0
    old.rename(new)
    (new / "a#1.md").write_text("Refunds take 9 days.")

    done = run("ingest", "--prune", new, cwd=tmp_path, **BM25)
    assert done.returncode == 0
    assert done.stdout == "1 added, 2 duplicates; 1 passage embedded\n"
    [told] = done.stderr.splitlines()
    assert f"{old} is no longer there; kept of it: 2 files" in told
    command = shlex.split(told.partition("which verifier ")[2].removesuffix(" removes"))
    removed = run(*command, cwd=tmp_path, **BM25)
    assert removed.stdout == "3 sources removed\n"
    found = run("search", "refunds days", cwd=tmp_path, **BM25).stdout
    assert ("9 days" in found, "5 days" in found) == (True, False)
    assert run("ingest", "--prune", new, cwd=tmp_path, **BM25).stderr == ""
    assert run("kb", "delete", old, cwd=tmp_path, **BM25).returncode == 2


def test_the_outermost_path_that_is_gone_is_told(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "a#b.md").touch()
    gone = [tmp_path / "gone" / "deep" / "a.md", tmp_path / "gone" / "b.csv", tmp_path / "here" / "c.md"]
    uris = [f"{gone[0]}", f"{gone[1]}#1", f"{gone[1]}#2", f"{gone[2]}", "refunds.md", "upload/x.md"]
    there = [f"{tmp_path}{os.sep}here{os.sep}a{mark}b.md" for mark in ("#", "%23")]
    assert vanished([*uris, *there]) == {str(tmp_path / "gone"): 2, str(gone[2]): 1}


def test_a_file_that_is_gone_from_the_paths_is_told_until_it_is_pruned(tmp_path: Path) -> None:
    docs, other = tmp_path / "docs", tmp_path / "other"
    for folder in (docs, other):
        folder.mkdir()
        (folder / "a.md").write_text(f"The {folder.name} fee is 5 euros.")
    (docs / "b.md").write_text("The gate opens at 9.")
    assert run("ingest", docs, other, cwd=tmp_path, **BM25).stderr == ""
    (docs / "b.md").unlink()
    assert run("ingest", other, cwd=tmp_path, **BM25).stderr == ""
    assert run("ingest", docs, cwd=tmp_path, **BM25).stderr == (
        "still in the knowledge base, but no longer there: 1 file; with --prune, ingest removes them\n"
    )
    assert run("ingest", docs, "--prune", cwd=tmp_path, **BM25).stderr == ""
    assert run("ingest", docs, cwd=tmp_path, **BM25).stderr == ""
