"""What the guides and pages tell to type: every command and option of ours in them exists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from verifier.interfaces.cli.app import app

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(page for page in DOCS.rglob("*.md") if "verifier " in page.read_text(encoding="utf-8"))
ROOT = typer.main.get_command(app)
_FENCED = re.compile(r"```(?:bash|console|sh|yaml|)\n(.*?)```", re.DOTALL)


def _typed(text: str) -> Iterator[list[str]]:
    """The words of each command line of ours in fenced blocks, and of those in backticks that go over no line."""
    blocks = "\n".join(_FENCED.findall(text)).replace("\\\n", " ")
    for line in [*blocks.splitlines(), *re.findall(r"`(verifier [^`\n]+)`", text)]:
        for part in re.split(r"[|;&]+", line):
            if found := re.match(r"\s*(?:\$ |- |[A-Z_]+=\S+ )*verifier (.*)", part):
                yield found[1].split("#")[0].split()


def _unknown(words: list[str]) -> str:
    """What of a command line does not exist, or nothing."""
    command: Any = ROOT
    while words and words[0] in getattr(command, "commands", {}):
        command = command.commands[words.pop(0)]
    known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
    known |= {"--help", "-h", "--install-completion", "--show-completion"}
    if hasattr(command, "commands") and words and re.fullmatch(r"[a-z]+", words[0]):
        return words[0]
    asked = [found[0] for word in words if (found := re.match(r"--?[a-z][\w-]*", word))]
    return next((name for name in asked if name not in known), "")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_what_a_page_tells_to_type_exists(page: Path) -> None:
    missing = {
        " ".join(words): name
        for words in map(list, _typed(page.read_text(encoding="utf-8")))
        if (name := _unknown([*words]))
    }
    assert not missing


def test_an_option_that_is_gone_is_found() -> None:
    [words] = _typed("```bash\nVERIFIER_X=1 verifier verify a.md --colour red | head\n```")
    assert _unknown(words) == "--colour"
    assert _unknown(["kb", "paint"]) == "paint"
