"""The figures that we publish are the figures that their commands print; the untouched half is untouched."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tomllib
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
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What each command prints, run once; ``KB`` in a command is a folder that all of them share."""
    kb = tmp_path_factory.mktemp("expected") / "kb"
    return {"kb": str(kb)}


@pytest.mark.parametrize("figure", EXPECTED.get("figure", []), ids=lambda figure: figure["what"])
def test_each_command_prints_its_figure(figure: dict[str, Any], printed: dict[str, Any]) -> None:
    command = figure["command"]
    if command not in printed:
        steps = [step.strip().split() for step in command.split("&&")]
        for step in steps:
            arguments = [printed["kb"] if part == "KB" else part for part in step[1:]]
            done = subprocess.run(
                [Path(sys.executable).with_name(step[0]), *arguments],
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr
        printed[command] = json.loads(done.stdout)
    value: Any = printed[command]
    for key in figure["key"].split("."):
        value = value[key]
    assert value == pytest.approx(figure["value"], abs=figure.get("tolerance", 0.0))
