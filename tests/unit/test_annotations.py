"""GitHub's workflow commands: as its runner reads them, with foreign text that cannot leave its place."""

from __future__ import annotations

import re

import pytest

from tests.support.checked import ANSWER, mixed
from verifier.interfaces.formats.base import Run, Unread
from verifier.interfaces.formats.github import GitHubFormat
from verifier.interfaces.formats.testing import sample
from verifier.types import Verdict

COMMAND = re.compile(r"::(\w+) ([^:]*)::(.*)")


def _unescaped(text: str) -> str:
    for code, letter in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(code, letter)
    return text


def _read(written: str) -> list[tuple[str, dict[str, str], str]]:
    """The commands of a log: name, properties and message."""
    read = []
    for line in written.splitlines():
        if found := COMMAND.fullmatch(line):
            pairs = (pair.split("=", 1) for pair in found[2].split(","))
            read.append((found[1], {key: _unescaped(value) for key, value in pairs}, _unescaped(found[3])))
    return read


@pytest.fixture(scope="module")
def commands() -> list[tuple[str, dict[str, str], str]]:
    return _read(GitHubFormat().render(mixed()))


def test_a_failing_claim_is_marked_in_its_file(commands: list[tuple[str, dict[str, str], str]]) -> None:
    [(name, place, message)] = [one for one in commands if "60 days" in one[2]]
    assert name == "error"
    assert place["file"] == "answers/a, b.md"
    assert (place["line"], place["endLine"]) == ("3", "4")
    assert "col" not in place
    assert place["title"].startswith("contradicted: An annual plan is refunded in full within 60")
    assert "  evidence says: within 30 days (source 1, line 1)" in message.splitlines()


def test_a_claim_on_one_line_has_columns(commands: list[tuple[str, dict[str, str], str]]) -> None:
    [(_, place, _)] = [one for one in commands if one[2].startswith("said in hidden text")]
    line = ANSWER.splitlines()[int(place["line"]) - 1]
    assert line[int(place["col"]) - 1 : int(place["endColumn"])] == "The fee is 5 EUR."


def test_what_could_not_be_read_or_checked_is_an_error(
    commands: list[tuple[str, dict[str, str], str]],
) -> None:
    assert ("error", {"file": "scan.pdf", "title": "could not be read"}) in [one[:2] for one in commands]
    assert any(one[2].startswith("stdin: error: Refunds") and "file" not in one[1] for one in commands)


def test_a_text_that_passes_leaves_the_line_for_all_alone() -> None:
    written = GitHubFormat().render(Run((sample("Refunds take 30 days.", Verdict.SUPPORTED),)))
    assert written == "verifier: 1 text: 1 approved\n"


def test_foreign_text_begins_no_command_of_its_own() -> None:
    claim = "Fee,file=x::y\n::stop-commands::t\r::add-mask::1 50%0A::error::"
    text = sample(claim, Verdict.FABRICATED, "a\n::error::b.md")
    written = GitHubFormat().render(Run((text,), (Unread("c\n::debug::d", "e\r::warning::f"),), several=True))
    assert [line.split("::")[1].split()[0] for line in written.splitlines()[:-1]] == ["error", "error"]
    assert len(written.splitlines()) == 3
    [_, (_, place, message)] = _read(written)
    assert set(place) == {"file", "line", "endLine", "title"}
    assert "50%0A" in message
