"""Knowledge bases and reports of earlier versions, kept as files, opened by this one."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.support.released import ANSWER, DOCUMENTS
from verifier.config import Settings, load
from verifier.factory import build_scorer, open_store
from verifier.knowledge.schema import SCHEMA_VERSION
from verifier.types import Decision, Verdict
from verifier.verification.render import FORMATS
from verifier.verification.report import from_json, to_json

RELEASED = Path(__file__).parents[1] / "fixtures" / "released"
REPORTS = sorted(RELEASED.glob("*/report.json"))
BASES = sorted(path.parent for path in RELEASED.glob("*/kb/knowledge.sqlite3"))


@pytest.fixture(params=BASES, ids=lambda path: path.parent.name)
def kb(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of an old knowledge base."""
    return Path(shutil.copytree(request.param, tmp_path / "kb"))


def settings(kb: Path, backend: str = "bm25") -> Settings:
    given = {"signals.nli": False, "backend": {"type": backend}, "kb.path": str(kb)}
    return load(overrides=given).settings


def version_of(kb: Path) -> int:
    with sqlite3.connect(kb / "knowledge.sqlite3") as connection:
        found = int(connection.execute("PRAGMA user_version").fetchone()[0])
    connection.close()
    return found


def test_an_old_knowledge_base_is_brought_up_and_says_what_it_said(kb: Path) -> None:
    with open_store(settings(kb)) as store:
        report = build_scorer(settings(kb), store).verify(ANSWER)
        assert store.namespaces() == ["default", "orchard"]
        total, records = store.document_page("default", limit=10, offset=0)
        assert total == len(records) == 2
        [found] = store.retrieve(["deleted again so that a tombstone is kept"], top_k=5)
        assert "gone.md" not in {item.source for item in found}
        [apples] = store.retrieve(["When are Bramley apples picked?"], top_k=1, namespace="orchard")
        assert apples[0].text in DOCUMENTS["orchard"]["apples.md"]
    assert version_of(kb) == SCHEMA_VERSION
    verdicts = [claim.verdict for claim in report.claims if claim.verdict is not None]
    assert verdicts[:2] == [Verdict.CONTRADICTED, Verdict.SUPPORTED]
    assert report.decision is Decision.REJECTED


def test_an_old_knowledge_base_takes_new_documents_and_another_backend(kb: Path) -> None:
    with open_store(settings(kb)) as store:
        store.add("fees.md", "The handling fee is 5 EUR.")
    with open_store(settings(kb, "memory")) as store:
        [found] = store.retrieve(["handling fee"], top_k=1)
        assert found[0].source == "fees.md"
        assert store.passage_count("default") == 3


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.parent.name)
def test_an_old_report_is_read_and_shown_with_all_that_it_says(path: Path) -> None:
    raw = json.loads(path.read_text(encoding="utf-8"))
    report = from_json(raw)
    assert missing(raw, to_json(report)) == []
    assert report.decision is Decision.REJECTED
    for name, render in FORMATS.items():
        assert "contradicted" in render(report), name


def missing(old: Any, new: Any, where: str = "report") -> list[str]:
    """What an old report says and its reading does not."""
    if isinstance(old, dict) and isinstance(new, dict):
        return [lack for key in old for lack in missing(old[key], new.get(key), f"{where}.{key}")]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True))
        return [lack for n, (one, other) in pairs for lack in missing(one, other, f"{where}.{n}")]
    return [] if old == new else [where]


def test_a_knowledge_base_of_every_earlier_schema_is_kept() -> None:
    earlier = {*range(1, SCHEMA_VERSION), 1}
    assert earlier <= {version_of(kb) for kb in BASES}, "see tests/fixtures/released/README.md"
    assert len(REPORTS) >= 3
