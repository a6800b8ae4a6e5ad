"""What ``make audit`` asks of the code, the models and the data files, and what it finds where something is wrong."""

from __future__ import annotations

import ast
import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from verifier_signals.names import trained as names
from verifier_signals.names.trained import NameHead

from benchmarks.trust import audit, source_rules, supply
from verifier.core.errors import ConfigError
from verifier.verification.statements.factuality import FOLDER, FactualityHead


def test_the_package_opens_no_pickle_and_runs_no_text() -> None:
    assert source_rules.forbidden() == []
    assert source_rules.unpinned() == []


@pytest.mark.parametrize(
    "line",
    [
        "from pickle import loads",
        "import marshal",
        "eval('1')",
        "exec(text)",
        "yaml.load(text, Loader)",
        "os.system(line)",
        "subprocess.run(line, shell=True)",
        "np.load(path, allow_pickle=True)",
        "model(trust_remote_code=asked)",
        "options = {'trust_remote_code': asked}",
    ],
)
def test_what_may_not_stand_in_the_package_is_found(line: str) -> None:
    assert list(source_rules.forbidden_in(ast.parse(line)))


def test_a_method_that_has_the_name_of_a_builtin_is_none() -> None:
    assert not list(source_rules.forbidden_in(ast.parse("network.eval()\nyaml.safe_load(text)")))


def test_the_embedded_models_are_the_files_that_their_configurations_promise() -> None:
    assert {folder.name for folder in supply.MODELS} == {"factuality", "minilm", "names", "nli", "static"}
    assert audit.damaged_models() == []
    assert len(supply.MODELS) == 5


def test_every_word_list_and_model_has_a_licence() -> None:
    assert audit.unlicensed() == []


def test_the_bill_names_every_distribution_once_and_refers_to_nothing_else() -> None:
    base = supply.closure(supply.extras()["base"])
    bill = supply.bill(base)
    refs = [part["bom-ref"] for part in bill["components"]]
    assert len(set(refs)) == len(refs) == len(base.found) + len(supply.MODELS)
    own = bill["metadata"]["component"]["bom-ref"]
    assert {ref for row in bill["dependencies"] for ref in row["dependsOn"]} <= set(refs)
    assert {row["ref"] for row in bill["dependencies"]} == {
        own,
        *(ref for ref in refs if ref.startswith("pkg:")),
    }
    assert json.dumps(bill) == json.dumps(supply.bill(base))


def test_what_security_names_exists_and_it_is_short() -> None:
    text = (supply.ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert len(text.encode()) <= 6000
    targets = (supply.ROOT / "Makefile").read_text(encoding="utf-8")
    for name in re.findall(r"`make ([a-z]+)`", text):
        assert f"\n{name}: " in targets
    for path, _, test in re.findall(r"`(tests/[\w/]+\.py)(::(\w+))?`", text):
        assert not test or f"def {test}(" in (supply.ROOT / path).read_text(encoding="utf-8")
        assert (supply.ROOT / path).is_file(), path


def test_every_version_that_setup_installs_is_pinned() -> None:
    for name, wanted in supply.extras().items():
        found = supply.closure(wanted)
        assert found.missing or supply.not_pinned(found) == [], name


def test_a_head_that_is_damaged_is_refused(tmp_path: Path) -> None:
    for name in ("narrow.onnx", "head.onnx", "config.json"):
        shutil.copyfile(FOLDER / name, tmp_path / name)
    content = bytearray((tmp_path / "head.onnx").read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / "head.onnx").write_bytes(content)
    with pytest.raises(ConfigError, match=r"damaged: head\.onnx"):
        FactualityHead(tmp_path, None)


def test_a_name_head_that_is_another_one_is_refused(tmp_path: Path) -> None:
    shutil.copytree(names.FOLDER, tmp_path, dirs_exist_ok=True)
    with np.load(tmp_path / "head.npz") as arrays:
        np.savez(tmp_path / "head.npz", **{name: arrays[name] * 2 for name in arrays})
    with pytest.raises(ConfigError, match=r"damaged: head\.npz"):
        NameHead.load(tmp_path, "any")
