"""What is expensive is made once and late: patterns, tables of words, and what several parts make of one file."""

from __future__ import annotations

import re
import threading
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from pkgutil import walk_packages

import pytest

from verifier.core import patterns
from verifier.core.patterns import compiled_later
from verifier.core.shared import SharedByFile
from verifier.core.sorted_table import SortedTable


class Made:
    """Of a file."""

    def __init__(self, path: Path) -> None:
        self.text = path.read_text()


def test_a_pattern_is_compiled_when_it_is_first_asked_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    real = re.compile

    def noted(text: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(text)
        return real(text, flags)

    monkeypatch.setattr(patterns.re, "compile", noted)
    later = compiled_later("(a+)b", re.IGNORECASE)
    assert not compiled
    found = later.search("xAAb")
    assert found is not None
    assert found[1] == "AA"
    assert later.sub("-", "aab ab") == "- -"
    assert [match.span() for match in later.finditer("ab aab")] == [(0, 2), (3, 6)]
    assert compiled == ["(a+)b"]


def test_every_pattern_that_is_compiled_later_is_one() -> None:
    modules = [
        import_module(found.name)
        for package in ("verifier.core", "verifier.verification", "verifier_signals")
        for found in walk_packages(import_module(package).__path__, f"{package}.")
    ]
    later = [one for module in modules for one in vars(module).values() if type(one) is patterns._Later]
    assert len(later) > 300
    for one in later:
        re.compile(*one._made)


@pytest.mark.parametrize("name", ["senses.tsv", "families.tsv"])
def test_each_word_of_a_sorted_table_is_found_and_no_other(name: str) -> None:
    table = SortedTable("verifier_signals.lexicon", name)
    rows = [
        line.split("\t")
        for line in (files("verifier_signals.lexicon") / name).read_text("utf-8").split("\n")
        if line
    ]
    assert all(table[word] == beside for word, beside in rows)
    assert {table[word] for word in ("", "a\t", "zzz", "Aardvark", "~", "abandon ")} == {""}


def test_what_is_made_of_a_file_is_shared_while_it_is_used(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("one")
    made: list[Path] = []

    def make(given: Path) -> Made:
        made.append(given)
        return Made(given)

    shared = SharedByFile(make)
    found: list[Made] = []
    threads = [threading.Thread(target=lambda: found.append(shared(path))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(one) for one in found}) == len(made) == 1
    path.write_text("another")
    assert shared(path).text == "another"
    with pytest.raises(FileNotFoundError):
        shared(tmp_path / "missing")
