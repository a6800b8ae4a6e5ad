"""Dockerfile, .dockerignore and compose.yaml hold together; ``make containers`` has linters look at them."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import yaml

from verifier.config import load

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
INSTRUCTIONS = [
    tuple(line.split(maxsplit=1))
    for line in DOCKERFILE.replace("\\\n", " ").splitlines()
    if line and not line.startswith(("#", " "))
]


def told(name: str) -> list[str]:
    """What follows each instruction of that name."""
    return [words for instruction, words in INSTRUCTIONS if instruction == name]


def test_every_base_image_is_of_a_stated_python() -> None:
    assert len(told("FROM")) == 2
    assert all(re.match(r"python:3\.1\d-slim-\w+( AS \w+)?$", image) for image in told("FROM"))


def test_what_is_copied_is_there_and_not_ignored_and_all_that_the_wheel_takes() -> None:
    sources = {path for words in told("COPY") if "--from" not in words for path in words.split()[:-1]}
    admitted = set(
        re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert sources == admitted
    assert all((ROOT / path).exists() for path in sources)
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    assert {path.split("/")[0] for path in build["targets"]["wheel"]["packages"]} < sources


def test_the_server_runs_as_nobody_special_and_says_whether_it_is_well() -> None:
    [user] = told("USER")
    assert user not in {"root", "0"}
    assert f"--uid {user} " in DOCKERFILE
    [health] = told("HEALTHCHECK")
    assert "/readyz" in health


def test_its_settings_are_settings(monkeypatch) -> None:
    for setting in shlex.split(told("ENV")[0]):
        monkeypatch.setenv(*setting.split("=", 1))
    settings = load().settings
    assert settings.server.host == "0.0.0.0"
    assert settings.kb.path.startswith(told("VOLUME")[0])
    assert str(settings.server.port) == told("EXPOSE")[0]


def test_compose_keeps_the_knowledge_base_and_listens_to_this_machine_alone() -> None:
    composed = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    server = composed["services"]["verifier"]
    [volume] = server["volumes"]
    name, place = volume.split(":")
    assert name in composed["volumes"]
    assert place == told("VOLUME")[0]
    assert [port.split(":")[0] for port in server["ports"]] == ["127.0.0.1"]
    assert server["ports"][0].split(":")[-1] == told("EXPOSE")[0]
