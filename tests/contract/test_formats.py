"""Every built-in format under the shipped contract, plugins beside them, and proof that the contract can fail."""

from __future__ import annotations

import re
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import pytest

from verifier.core.errors import UnknownPlugin
from verifier.core.registry import Registry
from verifier.interfaces.formats import FORMATS
from verifier.interfaces.formats.base import Format, Run
from verifier.interfaces.formats.testing import FormatContract

PAGE = Path(__file__).resolve().parents[2] / "docs" / "report-formats.md"


class _OfName(FormatContract):
    name = "text"

    def make_format(self) -> Format:
        return FORMATS.load(self.name)()


for _name in FORMATS.names():
    globals()[f"Test{_name.title()}"] = type(f"Test{_name.title()}", (_OfName,), {"name": _name})


class Brief(Format):
    """Tells the names of the texts, and nothing of what failed."""

    suffix = ".txt"

    def render(self, run: Run) -> str:
        return "".join(f"{text.name}\n" for text in run.checked)


class _OfBrief(FormatContract):
    def make_format(self) -> Format:
        return Brief()


HIDDEN = (
    "every_claim_that_fails_is_there_with_the_name_of_its_text",
    "what_could_not_be_read_is_there_with_its_reason",
    "what_fails_does_not_look_as_if_it_had_passed",
    "text_that_could_steer_a_terminal_is_spelt_out",
    "it_ends_with_a_line_feed",
)


@pytest.mark.parametrize("behaviour", HIDDEN)
def test_the_contract_fails_where_a_format_hides_something(behaviour: str) -> None:
    with pytest.raises(AssertionError):
        getattr(_OfBrief(), f"test_{behaviour}")()


def test_the_format_of_the_page_keeps_the_contract() -> None:
    [code] = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(code, str(PAGE), "exec"), names)
    suite = names["TestChecklist"]()
    tests = [name for name in dir(suite) if name.startswith("test_")]
    assert len(tests) > 5
    for name in tests:
        getattr(suite, name)()


def test_the_page_has_every_format() -> None:
    names = sorted(FORMATS.names())
    assert sorted(re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)) == names


def test_a_plugin_adds_a_format_and_replaces_none(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [EntryPoint(name, f"{__name__}:Brief", "verifier.formats") for name in ("brief", "json")]
    monkeypatch.setattr("verifier.core.registry._installed", lambda: EntryPoints(points))
    formats = Registry("verifier.formats", "format", {"json": "verifier.interfaces.formats.json:JsonFormat"})
    assert formats.names() == ["brief", "json"]
    assert formats.load("json").__name__ == "JsonFormat"
    with pytest.raises(UnknownPlugin, match="known: brief, json"):
        formats.load("yaml")
