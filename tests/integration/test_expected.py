"""The figures that we publish are the figures that their commands print; the untouched half is untouched."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXPECTED = tomllib.loads((ROOT / "corpora" / "expected.toml").read_text(encoding="utf-8"))


def test_the_untouched_half_is_the_one_that_was_committed_before_the_first_signal() -> None:
    untouched = EXPECTED["untouched"]
    content = (ROOT / "corpora" / untouched["file"]).read_bytes()
    assert hashlib.sha256(content).hexdigest() == untouched["sha256"]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Any]:
    """What a command prints, as JSON; each is run once. Knowledge bases go to a folder of this run."""
    build = tmp_path_factory.mktemp("expected")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

    @cache
    def run(command: str) -> Any:
        done = subprocess.run(
            command.replace("build/", f"{build}/"),
            shell=True,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PATH": path},
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout[done.stdout.index("{") :])

    return run


@pytest.mark.parametrize("figure", EXPECTED["figure"], ids=lambda figure: figure["what"])
def test_each_command_prints_its_figure(figure: dict[str, Any], printed: Callable[[str], Any]) -> None:
    value = printed(figure["command"])
    for key in figure["key"].split("."):
        value = value[key]
    assert value == pytest.approx(figure["value"], abs=figure["tolerance"])
