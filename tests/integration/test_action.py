"""The GitHub Action and the pre-commit hook: by their schemas, and as their runners run them, without a network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.cli import VERIFIER
from tests.support.inside import LIGHT, inside

ROOT = Path(__file__).resolve().parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
GUIDE = (ROOT / "docs" / "guides" / "ci.md").read_text(encoding="utf-8")
RECIPES = re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)
TOOLS = Path(sys.executable).parent


def _tool(
    name: str, *arguments: str | Path, cwd: Path = ROOT, **environ: str
) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}", **environ}
    return subprocess.run(
        [TOOLS / name, *arguments], cwd=cwd, capture_output=True, text=True, check=False, env=env
    )


def test_the_action_keeps_the_schema_of_github() -> None:
    done = _tool("check-jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("holds", "name", "check"),
    [
        ("runs-on:", "answers.yml", ("check-jsonschema", "--builtin-schema", "vendor.github-workflows")),
        ("junit: ", ".gitlab-ci.yml", ("check-jsonschema", "--builtin-schema", "vendor.gitlab-ci")),
        ("hooks:", ".pre-commit-config.yaml", ("pre-commit", "validate-config")),
    ],
)
def test_the_recipes_of_the_guide_keep_their_schemas(
    tmp_path: Path, holds: str, name: str, check: tuple[str, ...]
) -> None:
    [recipe] = [block for block in RECIPES if holds in block]
    (tmp_path / name).write_text(recipe)
    done = _tool(*check, name, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_guide_gives_the_action_inputs_that_it_has() -> None:
    [step] = [
        step
        for block in RECIPES
        if "runs-on:" in block
        for step in yaml.safe_load(block)["jobs"]["verify"]["steps"]
        if "OWNER/" in step["uses"]
    ]
    assert set(step["with"]) <= set(ACTION["inputs"])
    required = {name for name, value in ACTION["inputs"].items() if value.get("required")}
    assert required <= set(step["with"])


def test_no_input_is_written_into_a_script() -> None:
    scripts = [step["run"] for step in STEPS.values() if "run" in step]
    assert len(scripts) == 2
    assert not any("${{" in script for script in scripts)


def _step(
    name: str, folder: Path, inputs: dict[str, str], **environ: str
) -> subprocess.CompletedProcess[str]:
    """Run a step of the action in a folder, with these inputs and its defaults for the others."""
    given = {key: value.get("default", "") for key, value in ACTION["inputs"].items()} | inputs
    step = STEPS[name]
    env = {key: _filled(value, given) for key, value in step["env"].items()}
    path = f"{folder / 'bin'}{os.pathsep}{VERIFIER.parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder,
        env={**os.environ, **LIGHT, "PATH": path, **env, **environ},
        capture_output=True,
        text=True,
        check=False,
    )


def _filled(value: str, inputs: dict[str, str]) -> str:
    value = value.replace("${{ github.action_path }}", "/action")
    return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: inputs[found[1]], value)


@pytest.mark.parametrize(
    ("inputs", "asked"),
    [
        ({}, "-m pip install /action"),
        ({"extras": "office,st"}, "-m pip install /action[office,st]"),
        ({"version": "0.1.0"}, "-m pip install rag-claim-verifier==0.1.0"),
        ({"version": "0.1.0", "extras": "st"}, "-m pip install rag-claim-verifier[st]==0.1.0"),
    ],
)
def test_it_installs_its_own_revision_or_a_release(
    tmp_path: Path, inputs: dict[str, str], asked: str
) -> None:
    (tmp_path / "bin").mkdir()
    stub = tmp_path / "bin" / "python"
    stub.write_text('#!/bin/sh\necho "$@"\n')
    stub.chmod(0o755)
    done = _step("Install", tmp_path, inputs)
    assert (done.returncode, done.stdout.strip()) == (0, asked)


def test_it_verifies_and_leaves_reports_a_summary_and_the_exit_code(tmp_path: Path) -> None:
    (tmp_path / "my docs").mkdir()
    (tmp_path / "my docs" / "terms.md").write_text("Fees are paid within 30 days.\n")
    (tmp_path / "answers" / "deep").mkdir(parents=True)
    for name, days in (("a b.md", 30), ("deep/c.md", 60), ("deep/d.md", 90)):
        (tmp_path / "answers" / name).write_text(f"Fees are paid within {days} days.\n")
    earlier = ("answers/a b.md", "answers/deep/c.md", "--source", "my docs", "--output", "before.json")
    assert inside(tmp_path, "verify", "--json", *earlier).exit_code == 1
    output = {name: str(tmp_path / name.lower()) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    paths = "answers/a b.md\nanswers/**/[cd].md"
    inputs = {"paths": paths, "sources": "my docs", "baseline": "before.json"}
    done = _step("Verify", tmp_path, inputs, **output)
    assert done.returncode == 1, done.stderr
    assert "::notice file=answers/deep/c.md,line=1," in done.stdout
    assert "::error file=answers/deep/d.md,line=1," in done.stdout
    total = "verifier: 3 texts: 1 approved, 2 rejected; against the baseline: 1 got worse"
    assert done.stdout.splitlines()[-1] == total
    assert (tmp_path / "github_output").read_text() == "exit-code=1\n"
    assert "| answers/a b.md | approved |" in (tmp_path / "github_step_summary").read_text()
    names = sorted(path.name for path in (tmp_path / "verifier-reports").iterdir())
    assert names == ["verifier.json", "verifier.md", "verifier.sarif", "verifier.xml"]
    report = (tmp_path / "verifier-reports" / "verifier.json").read_text()
    assert "every claim is supported" in report  # the rule of --strict, the default here


def _git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


def test_pre_commit_runs_the_hook(tmp_path: Path) -> None:
    hooks, work = tmp_path / "hooks", tmp_path / "work"
    for folder in (hooks, work):
        folder.mkdir()
        _git(folder, "init")
    (hooks / ".pre-commit-hooks.yaml").write_bytes((ROOT / ".pre-commit-hooks.yaml").read_bytes())
    _git(hooks, "add", "-A")
    _git(hooks, "commit", "-m", "hooks")
    _git(hooks, "tag", "v1")
    # The system's own installation in the place of one that pre-commit would make from the network.
    hook = {
        "id": "verifier",
        "language": "system",
        "files": "^answers/",
        "args": ["--source", "docs", "--strict"],
    }
    config = {"repos": [{"repo": str(hooks), "rev": "v1", "hooks": [hook]}]}
    (work / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    for name, text in (
        ("docs/t.md", "30"),
        ("answers/a.md", "30"),
        ("answers/b.md", "60"),
        ("answers/c.py", "70"),
    ):
        (work / name).parent.mkdir(exist_ok=True)
        (work / name).write_text(f"Fees are paid within {text} days.\n")
    _git(work, "add", "-A")
    home = {"PRE_COMMIT_HOME": str(tmp_path / "home"), **LIGHT}
    failed = _tool("pre-commit", "run", "--all-files", cwd=work, **home)
    assert failed.returncode == 1, failed.stdout + failed.stderr
    assert "2 texts: 1 approved, 1 rejected" in failed.stdout
    assert "60 days" in failed.stdout
