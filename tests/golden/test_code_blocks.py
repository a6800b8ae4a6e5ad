"""The code of the README and of every page of docs/ runs, in a folder with small inputs, or its block says why not."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from tests.support.code_blocks import PAGES, ROOT, Block, blocks_of, fill, name_of
from tests.support.warm_process import CLIENT, ask
from verifier import load
from verifier.core.errors import ConfigError

GUIDES = {"docs/guides/ci.md", "docs/guides/report.md", "docs/guides/python.md"}
"""Pages whose blocks ``docs/generate.py --check`` runs, with what they print."""

FRAMEWORKS = "docs/integrations/"
"""Pages whose programs need the frameworks: tests/frameworks runs them in an environment of their own."""

RUN_HERE = [
    page for page in PAGES if name_of(page) not in GUIDES and not name_of(page).startswith(FRAMEWORKS)
]

ALLOWED = {0, 1, 3}
"""Exit codes of ``verifier`` that an example may have: done, rejected, not wholly checked; 2 is a wrong command."""

QUICK = {
    "VERIFIER_BACKEND__TYPE": "bm25",
    "VERIFIER_SIGNALS__NLI": "false",
    "COLUMNS": "100",
}
"""What makes examples quick: whether commands and code are right does not depend on the models."""


@dataclass
class Warm:
    """The process that runs commands, the folder of programs that scripts find, and the log of exit codes."""

    address: str
    programs: Path
    log: Path

    def env(self, home: Path) -> dict[str, str]:
        path = f"{self.programs}{os.pathsep}{os.environ['PATH']}"
        return {
            **os.environ,
            **QUICK,
            "PATH": path,
            "HOME": str(home),
            "VERIFIER_CACHE_DIR": str(home / "cache"),
        }


@pytest.fixture(scope="module")
def warm() -> Iterator[Warm]:
    with tempfile.TemporaryDirectory() as short:  # a socket's path has a limit of about 100 bytes
        folder = Path(short)
        found = Warm(str(folder / "line"), folder / "bin", folder / "log")
        found.programs.mkdir()
        _program(found.programs / "verifier", CLIENT.format(address=found.address, log=str(found.log)))
        _program(found.programs / "pip", _pip())
        _program(
            found.programs / "make",
            f"import os, sys\nos.execv('/usr/bin/make', ['make', '-n', '-C', {str(ROOT)!r}, *sys.argv[1:]])\n",
        )
        with subprocess.Popen(
            [sys.executable, "-m", "tests.support.warm_process", found.address],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield found
            process.terminate()


def _program(path: Path, code: str) -> None:
    path.write_text(f"#!{sys.executable} -IS\n{code}", encoding="utf-8")
    path.chmod(0o755)


def _pip() -> str:
    """A ``pip`` that installs nothing and fails for an extra that there is not."""
    extras = set(
        tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    )
    return (
        "import re, sys\n"
        f"extras = {sorted(extras)!r}\n"
        "asked = [e for a in sys.argv for g in re.findall(r'\\[([\\w,-]+)\\]', a) for e in g.split(',')]\n"
        "sys.exit(f'no such extra: {asked}' if set(asked) - set(extras) else 0)\n"
    )


@pytest.fixture(scope="module")
def filled(warm: Warm, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the inputs, a knowledge base and a report of them, to be copied."""
    folder = tmp_path_factory.mktemp("filled") / "place"
    fill(folder)
    for argv in (
        ["ingest", "docs", "--kb", "kb"],
        ["verify", "answer.md", "--json", "--output", "report.json"],
    ):
        code = ask(warm.address, _asked("verifier", argv, folder, warm), folder / "printed")
        assert code in ALLOWED, (folder / "printed").read_text(encoding="utf-8")
    return folder


def _asked(kind: str, argv: list[str], place: Path, warm: Warm) -> dict[str, object]:
    return {"kind": kind, "argv": argv, "cwd": str(place), "env": warm.env(place)}


@pytest.mark.parametrize("page", RUN_HERE, ids=name_of)
def test_the_code_of_a_page_runs(page: Path, warm: Warm, filled: Path, tmp_path: Path) -> None:
    place = tmp_path / "place"
    shutil.copytree(filled, place, symlinks=True)
    for block in blocks_of(page.read_text(encoding="utf-8")):
        if not block.reason and not block.generated:
            problem = _problem(block, place, warm)
            assert not problem, f"{name_of(page)}, line {block.line}: {problem}"


def _problem(block: Block, place: Path, warm: Warm) -> str:
    """What is wrong with a block, or nothing."""
    if block.language in {"bash", "console"}:
        return _in_shell(_typed(block), place, warm)
    if block.language == "python" and ">>> " not in block.code:  # test_docs.py runs those
        return _as_program(block.code, place, warm)
    if block.language == "toml":
        return _as_settings(block.code, place)
    if block.language == "json":
        json.loads(block.code)
    if block.language == "yaml":
        yaml.safe_load(block.code)
    if not block.language and block.code.startswith(("verifier ", "$ ", "pip ", "python ", "make ")):
        return "a block of commands needs its language: bash, or console where it shows what they print"
    return ""


def _typed(block: Block) -> str:
    """The commands of a block; of a console, the lines behind ``$ ``, and what continues them."""
    if block.language == "bash":
        return block.code
    lines, on = [], False
    for line in block.code.splitlines():
        if line.startswith("$ ") or on:
            lines.append(line.removeprefix("$ "))
            on = line.endswith(("\\", "|"))
    return "\n".join(lines)


def _in_shell(code: str, place: Path, warm: Warm) -> str:
    warm.log.write_text("", encoding="utf-8")
    failed = place / "failed"
    script = f"set -o pipefail\ntrap 'echo \"$? $BASH_COMMAND\" >> {failed}' ERR\n{code}\n"
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=place,
        env=warm.env(place),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    codes = [line.partition(" ") for line in warm.log.read_text(encoding="utf-8").splitlines()]
    wrong = [f"exit {code}: {command}" for code, _, command in codes if int(code) not in ALLOWED]
    if failed.exists():
        lines = failed.read_text(encoding="utf-8").splitlines()
        failed.unlink()
        wrong += [line for line in lines if "verifier" not in line]
    return f"{wrong}\n{done.stdout}" if wrong or "Traceback" in done.stdout else ""


def _as_program(code: str, place: Path, warm: Warm) -> str:
    printed = place / "printed"
    printed.write_bytes(b"")
    ended = ask(warm.address, _asked("code", [code], place, warm), printed)
    return "" if ended == 0 else printed.read_text(encoding="utf-8")


def _as_settings(text: str, place: Path) -> str:
    """What is wrong with a block of configuration: it is read as a file of its own."""
    file = place / "block.toml"
    file.write_text(text, encoding="utf-8")
    try:
        load(file)
    except (ConfigError, OSError, ValueError) as problem:
        return str(problem)
    return ""
