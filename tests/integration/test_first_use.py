"""Weights for a model that the package does not know: learnt at first use, kept, and never misused."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.support.labelled import write_archive
from verifier.config import Settings, load
from verifier.core.errors import SignalError
from verifier.measure import labelled
from verifier.measure.first_use import learn_weights
from verifier.measure.kept import Shelf
from verifier.measure.ready import ReadySignals, build_scorer
from verifier.types import Verdict
from verifier.verification.decision.verdict import Fusion
from verifier.verification.retrieve import GivenTexts

pytest.importorskip("torch")

from verifier_signals.nli.export import export

from benchmarks.random_models import make

SOURCE = "The library of Arden opened in 1901 and is run by the county."


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Two tiny random models of three classes, exported, so that the commands need no torch."""
    root = tmp_path_factory.mktemp("models")
    return {name: _exported(root, name, seed) for name, seed in (("first", 3), ("second", 4))}


def _exported(root: Path, name: str, seed: int) -> Path:
    export(make("bert", root / "torch" / name, seed=seed), root / name)
    return root / name


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One of the twelve sets: real claims, and few of them."""
    return write_archive(tmp_path_factory.mktemp("archive") / "claims.tar.xz")


@pytest.fixture(scope="module")
def learnt(models: dict[str, Path], archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder with the weights of the first model."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VERIFIER_CACHE_DIR", str(folder))
        patch.setattr(labelled, "ARCHIVE", archive)
        labelled.archive_digest.cache_clear()
        assert ReadySignals.of(settings_of(models["first"]), tell=silent).learn()[1] is not None
    return folder


@pytest.fixture(autouse=True)
def _small(archive: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Every test learns from few claims, and keeps what it learns in a folder of its own."""
    monkeypatch.setattr(labelled, "ARCHIVE", archive)
    monkeypatch.setenv("VERIFIER_CACHE_DIR", str(tmp_path / "cache"))
    labelled.archive_digest.cache_clear()
    yield
    labelled.archive_digest.cache_clear()


@pytest.fixture
def cache(learnt: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the folder with the weights of the first model, in use."""
    copy = tmp_path / "copy"
    (copy / "weights").mkdir(parents=True)
    for file in (learnt / "weights").glob("*.json"):
        (copy / "weights" / file.name).write_bytes(file.read_bytes())
    monkeypatch.setenv("VERIFIER_CACHE_DIR", str(copy))
    return copy


def settings_of(model: Path, **given: object) -> Settings:
    """The configuration of one table: a classifier as the reader."""
    keys = {key.replace("__", "."): value for key, value in given.items()}
    return load(
        overrides={"reader.type": "classifier", "reader.model": str(model), **keys}, environ={}
    ).settings


def silent(message: str) -> None:
    """Nobody is told."""


def weights_of(settings: Settings) -> tuple[Fusion, list[str]]:
    """The weights in use with these settings, and what was said on the way."""
    said: list[str] = []
    scorer = build_scorer(settings, GivenTexts.of(SOURCE), ReadySignals.of(settings, tell=said.append))
    return scorer.fusion, said


def test_weights_that_are_kept_are_used_and_nothing_is_learnt_again(
    models: dict[str, Path], cache: Path
) -> None:
    fusion, said = weights_of(settings_of(models["first"]))
    assert said == []
    [kept] = Shelf.of_user()
    assert fusion == kept.fusion
    assert fusion.learnt_from["claims"] == 112
    assert not [*cache.rglob(".draft-*")]


def test_the_old_table_finds_the_weights_that_the_new_one_learnt(
    models: dict[str, Path], cache: Path
) -> None:
    old = load(overrides={"signals.nli.model": str(models["first"])}, environ={}).settings
    assert weights_of(old)[1] == []


def test_options_that_no_score_depends_on_learn_nothing_anew(models: dict[str, Path], cache: Path) -> None:
    assert weights_of(settings_of(models["first"], reader__threads=1))[1] == []


def test_another_model_and_another_set_of_signals_learn_anew(models: dict[str, Path], cache: Path) -> None:
    assert "labelled claims of the package: about " in weights_of(settings_of(models["second"]))[1][0]
    assert weights_of(settings_of(models["first"], signals__negation=False))[1] != []
    assert len([*Shelf.of_user()]) == 3
    assert weights_of(settings_of(models["second"]))[1] == []


def test_weights_of_other_rules_or_claims_are_learnt_anew(
    models: dict[str, Path], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifier.measure.kept.RELEASE", "0.0.1")
    assert weights_of(settings_of(models["first"]))[1] != []
    assert sorted(kept.origin.model for kept in Shelf.of_user() if kept.origin) == [str(models["first"])] * 2


@pytest.mark.parametrize("damage", ["cut", "changed", "another", "nonsense"])
def test_a_damaged_file_is_said_and_learnt_anew(models: dict[str, Path], cache: Path, damage: str) -> None:
    [kept] = Shelf.of_user()
    text = kept.path.read_text()
    raw = json.loads(text)
    spoilt = {
        "cut": text[: len(text) // 2],
        "changed": json.dumps({**raw, "supported_at": 0.0}),
        "another": json.dumps({**raw, "nli": "0" * 16}),
        "nonsense": '{"weights": 3}',
    }
    kept.path.write_text(spoilt[damage])
    found = ReadySignals.of(settings_of(models["first"])).find()
    assert (found.source, found.fusion, found.path) == ("none", None, kept.path)
    if damage == "changed":  # the others come to the same from here on
        fusion, said = weights_of(settings_of(models["first"]))
        assert said[0] == f"the weights kept in {kept.path} cannot be used, and are learnt anew"
        assert len(said) == 2
        assert fusion.supported_at == raw["supported_at"]
        assert json.loads(kept.path.read_text())["weights"] == raw["weights"]


def test_weights_that_cannot_be_kept_are_used_with_a_note(
    models: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("VERIFIER_CACHE_DIR", str(tmp_path / "file"))
    fusion, said = weights_of(settings_of(models["first"]))
    assert fusion.learnt_from["claims"] == 112
    assert len(said) == 2
    assert said[1].startswith("the weights cannot be kept, and are learnt again next time: Not a directory")


def test_a_configured_fusion_wins(models: dict[str, Path], cache: Path, tmp_path: Path) -> None:
    [kept] = Shelf.of_user()
    raw = json.loads(kept.path.read_text())
    own = tmp_path / "fusion.json"
    own.write_text(json.dumps({**raw, "supported_at": 0.75, "learnt_from": {"claims": 80}}))
    fusion, said = weights_of(settings_of(models["first"], verdict__fusion=str(own)))
    assert (fusion.supported_at, said) == (0.75, [])
    other = settings_of(models["second"], verdict__fusion=str(own))
    assert _nothing_learnt(other)


def _nothing_learnt(settings: Settings) -> bool:
    """Whether a scorer of these settings is built without a word."""
    said: list[str] = []
    build_scorer(settings, GivenTexts.of(SOURCE), ReadySignals.of(settings, tell=said.append))
    return not said


def test_the_embedded_model_and_none_have_weights_already(tmp_path: Path) -> None:
    for given in ({}, {"signals.nli": False}, {"signals.nli.threads": 1}):
        assert _nothing_learnt(load(overrides=given, environ={}).settings)
    assert not (tmp_path / "cache").exists()


def test_a_report_says_where_the_weights_come_from_and_judges(models: dict[str, Path], cache: Path) -> None:
    settings = settings_of(models["first"])
    report = build_scorer(settings, GivenTexts.of(SOURCE)).verify("The library of Arden opened in 1950.")
    [claim] = (
        report.claims
    )  # 112 claims may not prove from which probability on a contradiction is sure enough
    assert claim.verdict in (Verdict.CONTRADICTED, Verdict.UNVERIFIABLE)
    assert "1950" in claim.reason
    [note] = [note for note in report.notes if "labelled claims" in note]
    assert note.startswith(f"the verdict weights for {models['first']} were learnt from 112 labelled claims")
    assert "not from yours" in note


def test_a_model_that_fails_as_weights_are_learnt_keeps_nothing(
    models: dict[str, Path], tmp_path: Path
) -> None:
    failing = settings_of(models["first"], reader__labels=["entailment", "not_entailment"])
    with pytest.raises(SignalError, match="3 outputs but 2 labels"):
        weights_of(failing)
    assert [*Shelf.of_user()] == []


def test_the_stages_and_the_time_are_told_while_weights_are_learnt(models: dict[str, Path]) -> None:
    stages: list[tuple[str, int, int | None]] = []
    foretold: list[tuple[int, float]] = []
    fusion = learn_weights(
        ReadySignals.of(settings_of(models["first"])),
        "a model",
        claims=60,
        progress=lambda *stage: stages.append(stage),
        foretell=lambda claims, seconds: foretold.append((claims, seconds)),
    )
    assert [*dict.fromkeys(name for name, _, _ in stages)] == [
        "labelled documents",
        "labelled claims",
        "weights",
    ]
    counts = [done for name, done, total in stages if name == "labelled claims" and total == 60]
    assert (counts[0], counts[-1], sorted(counts)) == (0, 60, counts)
    [(claims, seconds)] = foretold
    assert claims == 60
    assert 0 < seconds < 600
    assert fusion.learnt_from["note"].startswith(
        "the verdict weights for a model were learnt from 60 labelled"
    )


SCRIPT = """
import sys
from pathlib import Path
from verifier.interfaces.cli.options import configuration, shared_signals
from verifier.measure import labelled

labelled.ARCHIVE = Path(sys.argv[1])
shared = shared_signals(configuration(Path(sys.argv[2])), quiet=sys.argv[3] == "quiet")
print(shared.fusion.supported_at)
"""


def command(archive: Path, model: Path, folder: Path, how: str = "") -> list[str]:
    """What learns weights in a process of its own, as the commands do."""
    folder.mkdir(exist_ok=True)
    file = folder / "verifier.toml"
    file.write_text(f'[reader]\ntype = "classifier"\nmodel = "{model}"\n')
    return [sys.executable, "-c", SCRIPT, str(archive), str(file), how]


def test_two_processes_at_once_learn_once_and_agree(
    models: dict[str, Path], archive: Path, tmp_path: Path
) -> None:
    started = [
        subprocess.Popen(
            command(archive, models["first"], tmp_path),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    done = [process.communicate(timeout=600) for process in started]
    assert [process.returncode for process in started] == [0, 0], done
    assert done[0][0] == done[1][0]
    said = [line for _, errors in done for line in errors.splitlines()]  # no terminal, no bar
    assert len([line for line in said if line.startswith("learning verdict weights")]) == 1
    assert all(line.startswith(("learning verdict weights", "another process is")) for line in said)
    [kept] = Shelf.of_user()
    assert kept.fusion is not None


def test_quiet_says_nothing(models: dict[str, Path], archive: Path, tmp_path: Path) -> None:
    quiet = subprocess.run(
        command(archive, models["first"], tmp_path, "quiet"), capture_output=True, text=True, check=True
    )
    assert quiet.stderr == ""


def test_a_terminal_shows_a_bar(models: dict[str, Path], archive: Path, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command(archive, models["first"], tmp_path),
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "160"},
    ) as process:
        os.close(theirs)
        shown = "".join(_read(ours))
    os.close(ours)
    assert process.returncode == 0, shown
    assert "labelled claims" in shown
    assert "112/112" in shown
    assert "learning verdict weights" in shown


def _read(terminal: int) -> Sequence[str]:
    """Everything that is written to a terminal until its other end is closed."""
    parts = []
    while True:
        try:
            raw = os.read(terminal, 65536)
        except OSError:  # Linux: nobody has the other end open any more
            return parts
        if not raw:
            return parts
        parts.append(raw.decode("utf-8", "replace"))
