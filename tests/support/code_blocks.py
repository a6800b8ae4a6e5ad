"""The code blocks of a page, and the folder with small inputs in which they run."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["PAGES", "ROOT", "Block", "blocks_of", "fill", "name_of"]

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(page for page in (ROOT / "docs").rglob("*.md") if "decisions" not in page.parts),
]

_FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>\w*)(?P<more>[^\n]*)\n(?P<code>.*?)^(?P=indent)```",
    re.MULTILINE | re.DOTALL,
)
_TITLE = re.compile(r'title="(?P<title>[^"]*)"')


@dataclass(frozen=True)
class Block:
    """One fenced block: its language, its code, the line where it begins, and why it does not run (or nothing)."""

    language: str
    code: str
    line: int
    reason: str
    generated: bool


def blocks_of(text: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order.

    >>> [(block.language, block.code, block.reason) for block in blocks_of('```bash title="Not run: a key"\\nls\\n```')]
    [('bash', 'ls\\n', 'a key')]
    """
    for found in _FENCE.finditer(text):
        title = _TITLE.search(found["more"])
        reason = title["title"].partition(": ")[2] if title and title["title"].startswith("Not run") else ""
        code = re.sub(rf"^{found['indent']}", "", found["code"], flags=re.MULTILINE)
        before = text[: found.start()].rstrip("\n").rpartition("\n")[2]
        yield Block(
            language=found["language"],
            code=code,
            line=text.count("\n", 0, found.start()) + 1,
            reason=reason,
            generated=before.startswith("<!--"),
        )


def name_of(page: Path) -> str:
    """A page by its path in the repository."""
    return page.relative_to(ROOT).as_posix()


def fill(folder: Path) -> None:
    """Put in the files that pages speak of: documents, answers, labelled claims."""
    demo = ROOT / "corpora" / "demo"
    for name in ("docs", "answers", "sources", "papers"):
        (folder / name).mkdir(parents=True)
    (folder / "corpora").symlink_to(ROOT / "corpora")
    refunds = "# Refunds\n\nRefunds are paid within 30 days of purchase. The handling fee is 5 EUR.\n"
    for place in ("docs/refunds.md", "refunds.md", "sources/refunds.md"):
        (folder / place).write_text(refunds, encoding="utf-8")
    (folder / "prices.csv").write_text("plan,price\nBasic,5 EUR\nPro,9 EUR\n", encoding="utf-8")
    for place in ("handbook.pdf", "faq.pdf", "papers/recall-notice.pdf"):
        shutil.copy(demo / "kb" / "recall-notice.pdf", folder / place)
    row = {"id": "a", "response": "The handling fee is 5 EUR."}
    (folder / "answers.jsonl").write_text(f"{json.dumps(row)}\n", encoding="utf-8")
    answers = {
        "answer.md": "Refunds are paid within 60 days of purchase. The handling fee is 5 EUR.\n",
        "answers/good.md": "The handling fee is 5 EUR.\n",
        "answers/rejected.md": "The handling fee is 7 EUR.\n",
        "draft.md": "The handling fee is 7 EUR.\n",
        "answer.txt": "Refunds are paid within 30 days.\n",
        "a.txt": "The fee is 5 EUR.\n",
        "b.txt": "The fee is 5 euros.\n",
        "c.txt": "The fee is 9 EUR.\n",
    }
    for name, text in answers.items():
        (folder / name).write_text(text, encoding="utf-8")
