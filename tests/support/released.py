"""Write a knowledge base and a report as this version writes them, to be kept as fixtures.

``python -m tests.support.released tests/fixtures/released/NAME`` makes those of a new schema, once, before it is
released. They are never made again: they show that a later version still opens them.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from pathlib import Path

from verifier.config import load
from verifier.factory import build_scorer, open_store
from verifier.verification.report import to_json

__all__ = ["ANSWER", "DOCUMENTS", "write"]

DOCUMENTS = {
    "default": {
        "refunds.md": "# Refunds\n\n## Annual plans\n\nAn annual plan is refunded in full within 30 days of purchase. "
        "Set-up fees are never refunded.",
        "opening.md": "The library opens at 9. The reading room has 24 desks and a lift.",
        "gone.md": "This document is deleted again, so that a tombstone is kept.",
    },
    "orchard": {"apples.md": "Bramley apples are picked from October on. Each crate holds 18 kg."},
}
"""Texts by namespace and name; ``gone.md`` is deleted again."""
ANSWER = (
    "# Answer\n\nAn annual plan is refunded in full within 60 days of purchase. Set-up fees are never refunded. "
    "Zebras orbit Neptune every 12 years. Is that all?"
)
_SETTINGS = {"signals.nli": False, "backend": {"type": "bm25"}}


def write(folder: Path) -> None:
    """Make ``kb/`` and ``report.json``; the database is one file."""
    settings = load(overrides={**_SETTINGS, "kb.path": str(folder / "kb")}).settings
    with open_store(settings, create=True) as store:
        for namespace, texts in DOCUMENTS.items():
            for name, text in texts.items():
                store.add(name, text, namespace=namespace)
        store.delete("gone.md")
        report = build_scorer(settings, store).verify(ANSWER)
    told = json.dumps(to_json(report), indent=1, ensure_ascii=False)
    (folder / "report.json").write_text(told + "\n", encoding="utf-8")
    with sqlite3.connect(folder / "kb" / "knowledge.sqlite3") as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


if __name__ == "__main__":
    write(Path(sys.argv[1]))
