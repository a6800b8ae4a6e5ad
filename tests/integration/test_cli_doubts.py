"""Pages of a PDF that could hardly be read: told by ``ingest`` as a warning, by ``verify --source`` as a note."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.inside import run

GARBLED = Path(__file__).parents[2] / "corpora/cases/files/garbled.pdf"
DOUBT = "garbled.pdf: garbled text on page 2: words of no language that is known here"


def test_ingest_warns_of_a_garbled_page_and_stores_the_document(tmp_path: Path) -> None:
    done = run("ingest", GARBLED, "--kb", "kb", "--quiet", cwd=tmp_path)
    assert done.returncode == 0
    assert f"warning: {DOUBT}" in done.stderr


def test_verify_with_a_source_notes_a_garbled_page(tmp_path: Path) -> None:
    done = run(
        *("verify", "--source", GARBLED, "--text", "The old mill was built in 1811.", "--json"), cwd=tmp_path
    )
    report = json.loads(done.stdout)
    assert DOUBT in report["notes"]
    assert report["claims"][0]["verdict"] == "supported"
