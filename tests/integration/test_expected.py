"""The figures that we publish are the figures that their commands print; the untouched half is untouched."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from benchmarks import published

FIGURES = tomllib.loads(published.EXPECTED.read_text(encoding="utf-8"))


def test_the_untouched_half_is_the_one_that_was_committed_before_the_first_signal() -> None:
    untouched = FIGURES["untouched"]
    content = (published.ROOT / "corpora" / untouched["file"]).read_bytes()
    assert hashlib.sha256(content).hexdigest() == untouched["sha256"]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Any]:
    """What a command prints, as JSON; each is run once. Knowledge bases go to a folder of this run."""
    build = tmp_path_factory.mktemp("expected")
    return cache(lambda command: published.printed(command.replace("build/", f"{build}/")))


@pytest.mark.parametrize("figure", FIGURES["figure"], ids=lambda figure: figure["what"])
def test_each_command_prints_its_figure(figure: dict[str, Any], printed: Callable[[str], Any]) -> None:
    assert published.value_of(figure, printed) == pytest.approx(figure["value"], abs=figure["tolerance"])
