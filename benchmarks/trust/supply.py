"""What the package brings with it: the installed distributions with hashes, and a bill of materials."""

from __future__ import annotations

import base64
import hashlib
import re
import tomllib
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from verifier.core.models import sha256_of

__all__ = [
    "MODELS",
    "ROOT",
    "Closure",
    "bill",
    "closure",
    "extras",
    "licence_of",
    "lock",
    "not_pinned",
    "record_faults",
]

ROOT = Path(__file__).parents[2]
MODELS = tuple(sorted(path.parent for path in ROOT.glob("*/verifier_*/models/*/config.json")))
"""The folders of the embedded models."""
_OWN = "rag-claim-verifier"


@dataclass(frozen=True)
class Closure:
    """What some requirements bring: distributions by name, what each asks for, and the names that are not installed."""

    found: Mapping[str, Distribution]
    asks: Mapping[str, Sequence[str]]
    missing: Sequence[str]


def extras() -> Mapping[str, Sequence[str]]:
    """The requirements of the base install, under ``base``, and of every extra for users."""
    project = _project()
    optional = project["optional-dependencies"]
    return {"base": project["dependencies"]} | {
        name: wanted for name, wanted in optional.items() if name not in {"all", "dev"}
    }


def _project() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project


def closure(requirements: Iterable[str]) -> Closure:
    """Everything that these requirements bring, by the metadata of what is installed."""
    found: dict[str, Distribution] = {}
    asks: dict[str, list[str]] = {}
    missing: list[str] = []
    waiting = [Requirement(line) for line in requirements]
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        if (name, frozenset(wanted.extras)) in seen:
            continue
        seen.add((name, frozenset(wanted.extras)))
        try:
            found[name] = distribution(wanted.name)
        except PackageNotFoundError:
            missing.append(name)
            continue
        if not wanted.specifier.contains(found[name].version, prereleases=True):
            missing.append(f"{name} ({found[name].version} is installed, {wanted.specifier} is asked for)")
        own = [one for one in map(Requirement, found[name].requires or ()) if _holds(one, wanted.extras)]
        asks[name] = sorted({canonicalize_name(one.name) for one in own} | set(asks.get(name, ())))
        waiting += own
    return Closure(dict(sorted(found.items())), asks, sorted(set(missing)))


def _holds(wanted: Requirement, given: Iterable[str]) -> bool:
    """Whether a requirement counts on this machine, with these extras of whoever asks."""
    return wanted.marker is None or any(wanted.marker.evaluate({"extra": extra}) for extra in ("", *given))


def not_pinned(of: Closure) -> list[str]:
    """What ``constraints.txt`` pins to another version than the installed one, or not at all."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.partition("==") for line in lines if "==" in line and not line.startswith("#"))
    pinned = {canonicalize_name(name): version.strip() for name, _, version in pairs}
    return [
        f"{name} {one.version} (pinned: {pinned.get(name, 'not at all')})"
        for name, one in of.found.items()
        if pinned.get(name) != one.version.partition("+")[0]
    ]


def record_faults(one: Distribution) -> list[str]:
    """Files of a distribution that are not what its RECORD says; one without a RECORD is a fault."""
    if not one.files or one.read_text("RECORD") is None:
        return [f"{one.name}: no RECORD"]
    faults = []
    for file in one.files:
        if file.hash is None or file.hash.mode != "sha256":
            continue
        path = Path(str(file.locate()))
        digest = hashlib.sha256(path.read_bytes()).digest() if path.is_file() else b""
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != file.hash.value:
            faults.append(f"{one.name}: {file}")
    return faults


def lock(of: Closure) -> str:
    """The versions with the digest of each RECORD, which holds those of all files."""
    lines = ["# Versions with the sha256 of the RECORD that was installed; archive hashes need the index."]
    for name, one in of.found.items():
        digest = hashlib.sha256((one.read_text("RECORD") or "").encode()).hexdigest()
        lines.append(f"{name}=={one.version}  # RECORD sha256:{digest}")
    return "\n".join(lines) + "\n"


def licence_of(one: Distribution) -> str:
    """The licence that a distribution states: its expression, its classifiers, or the first line of its field."""
    stated = one.metadata.get("License-Expression")
    if stated:
        return str(stated)
    classified = [
        line.rpartition(" :: ")[2]
        for line in one.metadata.get_all("Classifier") or ()
        if line.startswith("License ::")
    ]
    return ", ".join(classified) or str(one.metadata.get("License") or "").strip().partition("\n")[0]


def bill(of: Closure) -> dict[str, Any]:
    """The bill of materials as CycloneDX 1.6: distributions and embedded models, and who asks for whom."""
    project = _project()
    own = f"pkg:pypi/{_OWN}@{project['version']}"
    refs = {name: f"pkg:pypi/{name}@{one.version}" for name, one in of.found.items()}
    direct = [refs[name] for name in _direct(project) if name in refs]
    told = "".join(sorted(refs.values()))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, own + told)}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": own,
                "name": _OWN,
                "version": project["version"],
                "purl": own,
                "licenses": [{"license": {"id": project["license"]}}],
            }
        },
        "components": [
            *(_component(one, refs[name]) for name, one in of.found.items()),
            *map(_model, MODELS),
        ],
        "dependencies": [
            {"ref": own, "dependsOn": sorted(direct)},
            *(
                {"ref": refs[name], "dependsOn": sorted(refs[other] for other in asked if other in refs)}
                for name, asked in sorted(of.asks.items())
            ),
        ],
    }


def _direct(project: Mapping[str, Any]) -> set[str]:
    return {canonicalize_name(Requirement(line).name) for line in project["dependencies"]}


def _component(one: Distribution, ref: str) -> dict[str, Any]:
    stated = licence_of(one)
    shape = "expression" if one.metadata.get("License-Expression") else "license"
    licences = [{shape: stated if shape == "expression" else {"name": stated}}] if stated else []
    name, version = canonicalize_name(one.name), one.version
    return {
        "type": "library",
        "bom-ref": ref,
        "name": name,
        "version": version,
        "purl": ref,
        "licenses": licences,
    }


def _model(folder: Path) -> dict[str, Any]:
    """An embedded model with the digests of its files."""
    name = folder.relative_to(ROOT).as_posix()
    files = [path for path in sorted(folder.iterdir()) if re.search(r"\.(onnx|npz|json)$", path.name)]
    return {
        "type": "machine-learning-model",
        "bom-ref": f"model:{name}",
        "name": name,
        "components": [
            {"type": "file", "name": path.name, "hashes": [{"alg": "SHA-256", "content": sha256_of(path)}]}
            for path in files
        ],
    }
