"""A base reader is trained from a bundle, by the clock and through a kill, brought back, exported and read with."""

from __future__ import annotations

import json
import lzma
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from verifier_signals.nli import NLISignal  # noqa: E402
from verifier_signals.types import TextPair  # noqa: E402

from benchmarks.evaluation import read_sets, score_rows  # noqa: E402 - after the check for torch
from tests.support.tiny_mpnet import write_tiny_mpnet  # noqa: E402
from training.__main__ import main  # noqa: E402
from training.base_export import export_base  # noqa: E402
from training.bundle import LESSONS, Lessons, read_bundle  # noqa: E402
from training.by_clock import send  # noqa: E402
from training.data import Pair  # noqa: E402
from training.development import figures_of  # noqa: E402
from training.errors import CheckpointError  # noqa: E402
from training.mix import read_mix, store_mix  # noqa: E402
from training.nibbles import (  # noqa: E402
    read_in_four_bits,
    rounded,
)
from training.result import unbundle  # noqa: E402
from training.tables import four_bit, unpacked  # noqa: E402
from training.teacher import Teacher, teacher_tokenizer  # noqa: E402
from training.tokens import shorter_than, tokenize  # noqa: E402
from training.train import logits_of  # noqa: E402
from verifier.core.errors import ConfigError  # noqa: E402

LONGEST = 60


@pytest.fixture(scope="module", autouse=True)
def _one_thread_in_float() -> Iterator[None]:
    """Several would wait for one another longer than so small a model computes; bfloat16 would hide small errors."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("training.precision.has_bfloat16", lambda device: False)
        yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_mpnet(tmp_path_factory.mktemp("start") / "encoder")


@pytest.fixture(scope="module")
def mix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mixes") / "mix"
    labels = ("entailment", "neutral", "contradiction")
    pairs = [
        Pair(
            f"The bridge {n} was built in {n} by Ann Lee.",
            f"The road is open {n}.",
            labels[n % 3],
            "x",
            taught=(0.5, 0.25, 0.25) if n % 4 == 0 else None,
        )
        for n in range(1800, 1960)
    ]
    store_mix(folder, pairs[:120], pairs[120:], {"x": 160})
    return folder


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with two development sets, of which one is real."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "train").mkdir()
    (folder / "eval").mkdir()
    long = "The bridge was built in 1932 by Ann Lee. " * 12
    rows = [
        {
            "premise": long if n % 2 else "The city closed road.",
            "hypothesis": f"The bridge {n} is old. The road {n} is closed.",
            "label": ("entailment", "not_entailment")[n % 2],
            "source": "x",
        }
        for n in range(12)
    ]
    for name in ("frank.valid", "rte.val"):
        with lzma.open(folder / "eval" / f"{name}.jsonl.xz", "wt", encoding="utf-8") as lines:
            lines.writelines(json.dumps(row) + "\n" for row in rows)
    return folder


@pytest.fixture(scope="module")
def bundle(encoder: Path, mix: Path, data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bundles") / "bundle"
    make_bundle(folder, encoder, mix, data)
    return folder


def make_bundle(folder: Path, encoder: Path, mix: Path, data: Path, *more: str) -> None:
    shared = ["--encoder", str(encoder), "--mix", str(mix), "--data", str(data), "--to", str(folder)]
    sizes = ["--max-length", str(LONGEST), "--batch-tokens", "512", "--part-size", "20kB"]
    main(
        [
            "bundle",
            *shared,
            *sizes,
            "--sets",
            "frank.valid,rte.val",
            "--check-every",
            "0.05",
            "--epochs",
            "3",
            *more,
        ]
    )


def from_bundle(bundle: Path, place: Path, *more: str) -> None:
    folders = ["--work", str(place / "work"), "--output", str(place / "out")]
    main(["from-bundle", str(bundle), *folders, "--part-size", "12kB", "--threads", "1", *more])


@pytest.fixture(scope="module")
def trained(bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folders of the work and the output of a run of two seconds."""
    place = tmp_path_factory.mktemp("there")
    from_bundle(bundle, place, "--minutes", "0.03", "--rate", "0.003")
    return place


def assert_exported(run: Path, model: Path, mix: Path) -> None:
    """Export a run in 4 bits, in many files, and read with it."""
    report = model.with_suffix(".json")
    told = ["--mix", str(mix), "--rows", "20", "--output", str(report), "--max-length", str(LONGEST)]
    main(["export-base", "--run", str(run), "--model", str(model), "--part-size", "17kB", *told])
    files = json.loads(report.read_text())["files"]
    assert len([name for name in files if name.startswith("model.onnx_data")]) > 1
    assert max(size for name, size in files.items() if "data" in name) <= 17_000
    exact, small = json.loads(report.read_text())["models"]
    assert exact["distance"] == 0.0
    assert 0.0 < small["distance"] < 0.3
    assert small["megabytes"] < exact["megabytes"]
    reader = Teacher(run)
    for part in (part for layer in reader.layers for part in layer.modules()):
        if isinstance(part, torch.nn.Linear):
            part.weight.data = torch.from_numpy(unpacked(*four_bit(part.weight.data.numpy())))
    pairs = read_mix(mix, "held_back")
    rows = tokenize(pairs, teacher_tokenizer(run, LONGEST))
    shares = torch.softmax(torch.from_numpy(logits_of(reader, rows)), 1)[:, 0].numpy()
    scores = NLISignal(str(model)).score([TextPair(pair.premise, pair.hypothesis) for pair in pairs])
    # What is left are the products in int8 and the words in 8 bits.
    assert np.abs(shares - np.array([score.features["entailment"] for score in scores])).max() < 0.04
    data = model / "model.onnx_data1"
    data.write_bytes(data.read_bytes()[:-1] + b"\x01")
    with pytest.raises(ConfigError, match=r"is damaged: model\.onnx_data1 is not the file"):
        NLISignal(str(model)).fingerprint  # noqa: B018 - it is read


def logits(run: Path, mix: Path) -> np.ndarray:
    return logits_of(Teacher(run), tokenize(read_mix(mix, "held_back"), teacher_tokenizer(run, LONGEST)))


def test_a_bundle_holds_the_mix_the_development_sets_and_the_start_in_parts(
    bundle: Path, encoder: Path, mix: Path
) -> None:
    manifest, blobs = read_bundle(bundle)
    sizes = [(bundle / name).stat().st_size for name in manifest["parts"]]
    assert len(sizes) > 2
    assert max(sizes) == 20_000
    lessons = Lessons.of(blobs[LESSONS])
    own = shorter_than(tokenize(read_mix(mix, "train"), teacher_tokenizer(encoder, LONGEST)), LONGEST)
    assert lessons.mix.ids.dtype == np.uint16
    for name, column in vars(own).items():
        assert np.array_equal(getattr(lessons.mix, name), column, equal_nan=name == "taught"), name
    sets = lessons.development
    assert sets.names == ["frank.valid", "rte.val"]
    assert sets.real == ["frank.valid"]
    assert len(sets.supported) == 24
    assert len(sets.row_of) == 48  # two claims a row
    assert sets.windows.lengths.max() <= LONGEST
    assert len(sets.windows) > 48  # long premises are read in windows


def test_the_archive_of_code_has_what_its_modules_import_and_nothing_of_the_rest(bundle: Path) -> None:
    with zipfile.ZipFile(bundle / "code.zip") as archive:
        names = archive.namelist()
    assert {"training/rented.py", "training/by_clock.py", "verifier/measure/metrics.py"} <= set(names)
    assert not [
        name for name in names if name.startswith(("verifier_signals/", "verifier_backends/", "training/mix"))
    ]


def test_a_run_is_killed_goes_on_elsewhere_comes_back_and_is_read_with(
    bundle: Path, mix: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "training.base_export.SMALL", 512
    )  # or all of so small a model would stay in the graph
    work, out = tmp_path / "work", tmp_path / "out"
    told = [str(bundle), "--work", str(work), "--output", str(out), "--part-size", "12kB", "--threads", "1"]
    command = [sys.executable, "-m", "training.rented", *told, "--minutes", "10"]
    environment = {**os.environ, "PYTHONPATH": str(bundle / "code.zip")}
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 300
    while not (work / "seed-1" / "state.pt").is_file() and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    seen = json.loads((work / "seed-1" / "checkpoint.json").read_text())["point"]["seen"]
    # What was sent before the kill is a whole result.
    assert unbundle(out, bundle, tmp_path / "early")["record"]["point"]["seen"] > 0

    with pytest.raises(SystemExit, match="go on with --resume"):
        from_bundle(bundle, tmp_path, "--minutes", "10")
    from_bundle(bundle, tmp_path, "--minutes", "10", "--resume")
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["record"]["point"]["seen"] == 360 > seen
    assert manifest["record"]["finished"] is True
    assert manifest["figures"]["chosen"] == "seed-1"
    assert manifest["figures"]["seed-1"]["development"]["sets"].keys() == {"frank.valid", "rte.val"}

    run, model = tmp_path / "run", tmp_path / "model"
    main(["unbundle", str(out), "--bundle", str(bundle), "--to", str(run)])
    assert np.abs(logits(run, mix) - logits(work / "seed-1", mix)).max() < 0.02
    assert_exported(run, model, mix)
    teach = [
        "--mix",
        str(mix),
        "--max-length",
        str(LONGEST),
        "--rows",
        "10",
        "--pairs",
        "40",
        "--threads",
        "1",
    ]
    main(["teach", str(run), "--run", str(tmp_path / "further"), *teach])
    further = json.loads((tmp_path / "further" / "checkpoint.json").read_text())
    assert further["point"]["seen"] >= 360 + 40


def test_a_call_ends_at_its_own_minutes_and_the_next_goes_on(bundle: Path, tmp_path: Path) -> None:
    from_bundle(bundle, tmp_path, "--minutes", "10", "--stop", "0.0001")
    assert (tmp_path / "work" / "seed-1" / "state.pt").is_file()
    from_bundle(bundle, tmp_path, "--minutes", "10", "--resume")
    assert not (tmp_path / "work" / "seed-1" / "state.pt").exists()
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["record"]["finished"] is True


def test_parts_are_sent_a_few_a_call(trained: Path, bundle: Path, tmp_path: Path) -> None:
    names = json.loads((trained / "out" / "manifest.json").read_text())["parts"]
    assert len(names) > 3
    place = tmp_path / "place"
    shutil.copytree(trained / "work", place / "work")
    from_bundle(bundle, place, "--send", "0:2")
    assert {path.name for path in (place / "out").iterdir()} == {*names[:2], "manifest.json"}
    with pytest.raises(CheckpointError, match=rf"lacks {names[2]}.*: fetch them with from-bundle --send 2:"):
        unbundle(place / "out", bundle, tmp_path / "run")
    from_bundle(bundle, place, "--send", "2:99")
    assert unbundle(place / "out", bundle, tmp_path / "run")["unchanged"]
    with pytest.raises(SystemExit, match=r"--send 90:99 is none of them"):
        from_bundle(bundle, place, "--send", "90:99")
    with pytest.raises(CheckpointError, match=r"holds no result: manifest\.json is missing"):
        send(tmp_path / "none", tmp_path / "out", None)


def test_several_seeds_are_averaged_from_one_start(bundle: Path, mix: Path, tmp_path: Path) -> None:
    from_bundle(bundle, tmp_path, "--minutes", "0.02", "--seeds", "2", "--weights", "fp16")
    work = tmp_path / "work"
    figures = json.loads((tmp_path / "out" / "manifest.json").read_text())["figures"]
    assert figures.keys() == {"seed-1", "seed-2", "average", "chosen"}
    assert figures["chosen"] == min(
        ("seed-1", "seed-2", "average"), key=lambda name: figures[name]["held_back"]["loss"]
    )
    assert not np.array_equal(logits(work / "seed-1", mix), logits(work / "seed-2", mix))
    states = [Teacher(work / name).body.state_dict() for name in ("seed-1", "seed-2", "average")]
    for name, weight in states[2].items():
        mean = (states[0][name].double() + states[1][name].double()) / 2
        assert torch.allclose(weight.double(), mean, atol=1e-6), name


def test_a_reader_in_four_bits_reads_with_rounded_weights_and_learns_the_plain_ones(
    trained: Path, mix: Path
) -> None:
    run = trained / "work" / "seed-1"
    reader, by_hand = Teacher(run), Teacher(run)
    on = False
    read_in_four_bits(reader.layers, lambda: on)
    pairs = tokenize(read_mix(mix, "held_back")[:8], teacher_tokenizer(run, LONGEST))
    assert np.array_equal(logits_of(reader, pairs), logits_of(by_hand, pairs))
    on = True
    for part in (part for layer in by_hand.layers for part in layer.modules()):
        if isinstance(part, torch.nn.Linear):
            part.weight.data = rounded(part.weight.data)
    found = logits_of(reader, pairs)
    assert np.abs(found - logits_of(by_hand, pairs)).max() < 1e-5
    assert not np.array_equal(found, logits(run, mix)[:8])
    ids = torch.from_numpy(pairs.ids[: int(pairs.starts[1])].astype(np.int64))[None]
    reader(ids, torch.ones_like(ids), torch.zeros_like(ids)).square().sum().backward()
    assert all(layer.attention.attn.q.weight.grad.abs().max() > 0 for layer in reader.layers)
    assert reader.state_dict().keys() == by_hand.state_dict().keys()


def test_a_run_may_end_in_four_bits(bundle: Path, tmp_path: Path) -> None:
    from_bundle(bundle, tmp_path, "--minutes", "10", "--four-bits-from", "0.5", "--stop", "0.0001")
    from_bundle(bundle, tmp_path, "--minutes", "10", "--resume")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["record"]["options"]["four_bits_from"] == 0.5
    # The loss of the curve is that of the weights in 4 bits, as the figures of the end are.
    assert manifest["curve"][-1]["loss"] == manifest["figures"]["seed-1"]["held_back"]["loss"]


def test_development_sets_are_read_as_the_evaluation_reads_them(
    trained: Path, bundle: Path, data: Path, tmp_path: Path
) -> None:
    run = trained / "work" / "seed-1"
    sets = Lessons.of(read_bundle(bundle)[1][LESSONS]).development
    found = sets.scores(logits_of(Teacher(run), sets.windows))
    export_base(run, tmp_path / "model", precision="float", max_length=LONGEST)
    model = NLISignal(str(tmp_path / "model"), threads=1)
    told = [
        score
        for rows in read_sets(data, None, None).values()
        for score in score_rows(rows, {}, {"model": model})["model"]
    ]
    assert len(told) == 24
    assert np.abs(found - np.array(told)).max() < 1e-4
    assert found.std() > 0.01
    assert figures_of(sets, logits_of(Teacher(run), sets.windows))["sets"].keys() == set(sets.names)


def test_a_result_goes_out_in_the_smallest_form_and_then_in_a_better_one(
    trained: Path, bundle: Path, mix: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.checkpoints.SMALL", 64)
    shutil.copytree(trained / "work", tmp_path / "work")
    sizes, off = [], []
    for form in ("int4", "int8", "fp16"):
        from_bundle(bundle, tmp_path, "--weights", form)
        sizes.append(sum(path.stat().st_size for path in (tmp_path / "out").glob("weights.*")))
        unbundle(tmp_path / "out", bundle, tmp_path / form)
        off.append(np.abs(logits(tmp_path / form, mix) - logits(trained / "work" / "seed-1", mix)).max())
        shutil.rmtree(tmp_path / "out")
    assert sizes == sorted(sizes)
    assert off == sorted(off, reverse=True)
    assert off[-1] < 0.01


@pytest.mark.parametrize("change", ["bit", "cut", "gone"])
def test_a_bundle_with_a_damaged_or_missing_part_trains_nothing(
    bundle: Path, tmp_path: Path, change: str
) -> None:
    copy = tmp_path / "bundle"
    shutil.copytree(bundle, copy)
    part = copy / "part.001"
    content = part.read_bytes()
    if change == "gone":
        part.unlink()
    else:
        part.write_bytes(content[:-1] + (bytes([content[-1] ^ 1]) if change == "bit" else b""))
    told = {
        "bit": r"part\.001 is damaged: its hash is not that of the manifest$",
        "cut": r"part\.001 is damaged: 19999 bytes, not 20000$",
        "gone": r"lacks part\.001: bring these parts, too$",
    }
    with pytest.raises(SystemExit, match=told[change]):
        from_bundle(copy, tmp_path, "--minutes", "1")
    assert not (tmp_path / "work").exists()


def test_a_damaged_part_of_a_result_is_one_error_and_leaves_no_run(
    trained: Path, bundle: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    shutil.copytree(trained / "out", out)
    part = out / "weights.001"
    content = part.read_bytes()
    part.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(SystemExit, match=r"weights\.001 is damaged: its hash is not that of the manifest$"):
        main(["unbundle", str(out), "--bundle", str(bundle), "--to", str(tmp_path / "run")])
    assert not (tmp_path / "run").exists()


def test_a_run_of_another_bundle_is_not_gone_on_with_nor_brought_back(
    trained: Path, encoder: Path, mix: Path, data: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    make_bundle(other, encoder, mix, data, "--pairs", "60", "--start-weights", "fp16")
    place = tmp_path / "place"
    shutil.copytree(trained / "work", place / "work")
    with pytest.raises(SystemExit, match=r"is of another bundle: name another folder with --work$"):
        from_bundle(other, place, "--minutes", "1", "--resume")
    with pytest.raises(CheckpointError, match="was trained from another bundle"):
        unbundle(trained / "out", other, tmp_path / "run")
    with pytest.raises(SystemExit, match=r"is no manifest of a bundle"):
        make_bundle(trained / "out", encoder, mix, data)


def test_a_machine_without_a_package_is_told_which(
    bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.rented.NEEDED", ("numpy", "no_such_package", "nor_this"))
    with pytest.raises(
        SystemExit, match=r"^not installed here: no_such_package, nor_this; bring their wheels"
    ):
        from_bundle(bundle, tmp_path, "--minutes", "1")
