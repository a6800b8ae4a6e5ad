"""Audit what the package is made of: versions, hashes, licences, models, and what its code may not do.

python -m benchmarks.trust.audit              check, and write the lock and the bill of materials into build/audit
python -m benchmarks.trust.audit --online     look for known vulnerabilities, too, where pip-audit is installed

Each line says passed, FAILED, or what could not be had here, which counts as not done. Ends with
``audit: N checks, 0 failed, K not possible here``.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.trust.source_rules import ALLOWED, PACKAGES, forbidden, unpinned
from benchmarks.trust.supply import (
    MODELS,
    ROOT,
    Closure,
    bill,
    closure,
    extras,
    licence_of,
    lock,
    not_pinned,
    record_faults,
)
from verifier.core.models import check_files, read_config, sha256_of

__all__ = ["Check", "checks", "damaged_models", "main", "unlicensed"]

_DATA = frozenset({".tsv", ".toml", ".json", ".txt", ".npz", ".onnx", ".xz"})
_GRAPHS = ("model.onnx", "model.npz", "encoder.onnx", "joint.onnx")
"""The weights that a configuration names by one digest, in the order in which it was taken."""


@dataclass(frozen=True, slots=True)
class Check:
    """One question; ``passed`` is ``None`` where it could not be answered here. ``said`` tells why, or what failed."""

    name: str
    passed: bool | None
    said: str = ""


def checks(folder: Path, *, online: bool = False) -> Iterator[Check]:
    """All checks; the lock and the bill of materials go into ``folder``."""
    brought = {name: closure(wanted) for name, wanted in extras().items()}
    for name, one in brought.items():
        yield _versions(name, one)
    base = brought["base"]
    faults = [fault for one in base.found.values() for fault in record_faults(one)]
    yield _check("files of the base install are those of their RECORDs", faults)
    unstated = [name for name, one in base.found.items() if not licence_of(one)]
    yield _check("every distribution of the base install states a licence", unstated)
    yield _written(folder, base)
    yield Check("hashes of the archives", None, "they need the index; the lock names the RECORDs instead")
    yield _vulnerabilities(folder, online)
    yield _check(f"no pickle, eval, shell or the like, but in {len(ALLOWED)} places", forbidden())
    yield _check("every call to the model hub passes a revision on", unpinned())
    yield _check("embedded models are the files that their configurations promise", damaged_models())
    yield _check("every word list and model has a licence", unlicensed())


def _check(name: str, faults: Sequence[str]) -> Check:
    return Check(name, not faults, "; ".join(faults[:5]))


def _versions(name: str, one: Closure) -> Check:
    title = f"{name}: {len(one.found)} distributions, as constraints.txt pins them"
    if one.missing:
        return Check(title, None, f"not installed here: {', '.join(one.missing)}")
    return _check(title, not_pinned(one))


def _written(folder: Path, base: Closure) -> Check:
    """The lock and the bill, which must name every distribution once and refer to nothing that it lacks."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "requirements.lock").write_text(lock(base), encoding="utf-8")
    made = bill(base)
    (folder / "sbom.cdx.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    refs = [part["bom-ref"] for part in made["components"]] + [made["metadata"]["component"]["bom-ref"]]
    asked = {ref for row in made["dependencies"] for ref in (row["ref"], *row["dependsOn"])}
    faults = [f"{ref} is no component" for ref in sorted(asked - set(refs))]
    faults += [f"{ref} stands twice" for ref in sorted({ref for ref in refs if refs.count(ref) > 1})]
    return _check(f"bill of materials (CycloneDX 1.6, {len(made['components'])} components)", faults)


def _vulnerabilities(folder: Path, online: bool) -> Check:
    """What pip-audit knows of the locked versions, where it is installed and may ask."""
    name, program = "known vulnerabilities", shutil.which("pip-audit")
    if not online or program is None:
        return Check(name, None, "no vulnerability data could be had (install pip-audit and say --online)")
    asked = [program, "--disable-pip", "--no-deps", "--requirement", str(folder / "requirements.lock")]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or (
        "No known vulnerabilities" not in done.stdout + done.stderr and not done.stdout
    ):
        return Check(name, None, f"no vulnerability data could be had: {done.stderr.strip()[-200:]}")
    return Check(name, done.returncode == 0, " ".join(done.stdout.split())[:500])


def damaged_models() -> list[str]:
    """Model folders whose files are not the promised ones, or that do not promise all of them."""
    faults = []
    for folder in MODELS:
        config = read_config(folder / "config.json")
        graphs = [folder / name for name in _GRAPHS if (folder / name).is_file()]
        if "fingerprint" in config and config["fingerprint"] != sha256_of(*graphs):
            faults.append(f"{folder.name}: {', '.join(path.name for path in graphs)}")
        promised = set(config.get("files", {})) | {path.name for path in graphs if "fingerprint" in config}
        held = {path.name for path in folder.iterdir()} - {"config.json", "CARD.md"}
        faults += [f"{folder.name}: {name} has no checksum" for name in sorted(held - promised)]
        try:
            check_files(folder, config)
        except Exception as error:  # noqa: BLE001 - the reason is what is told
            faults.append(str(error))
    return faults


def unlicensed() -> list[str]:
    """Files of data in the package that ``docs/licences.md`` does not name, and names there that fit no file."""
    rows = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8").splitlines()
    named = [
        name for row in rows if row.startswith("| `") for name in re.findall(r"`([^`]+)`", row.split("|")[1])
    ]
    files = [
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*"))
        if path.suffix in _DATA and path.is_file()
    ]
    lacking = [name for name in files if not any(fnmatch.fnmatch(name, one) for one in named)]
    return lacking + [f"{one} fits no file" for one in named if not fnmatch.filter(files, one)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print, tell; the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--online", action="store_true", help="let pip-audit ask for known vulnerabilities")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "audit", metavar="DIR")
    given = parser.parse_args(arguments)
    made = []
    for check in checks(given.output, online=given.online):
        made.append(check)
        state = {True: "passed", False: "FAILED", None: "not possible here"}[check.passed]
        print(f"{state}: {check.name}" + (f": {check.said}" if check.said else ""), flush=True)
    for (path, call), why in ALLOWED.items():
        print(f"  allowed: {call} in {path}, {why}")
    failed = sum(check.passed is False for check in made)
    undone = sum(check.passed is None for check in made)
    print(f"audit: {len(made)} checks, {failed} failed, {undone} not possible here")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
