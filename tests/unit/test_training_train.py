"""A run that was stopped goes on from its last check as if it had not been, or says in a line why it cannot."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from training.model import PairModel, load_checkpoint, save_checkpoint  # noqa: E402
from training.shape import ModelConfig  # noqa: E402
from training.state import (  # noqa: E402
    ResumeError,
    RunState,
    Schedule,
    check_options,
    check_unused,
    is_finished,
    read_state,
)
from training.tokens import TokenizedPairs  # noqa: E402
from training.train import Training  # noqa: E402

SPLIT = ModelConfig(
    encoder_layers=2,
    joint_layers=1,
    hidden=16,
    heads=2,
    intermediate=32,
    vocabulary=90,
    positions=64,
    dropout=0.3,
    relevance=True,
)
SCHEDULE = Schedule(
    pairs=200, rate=5e-3, frozen_layers=1, batch_tokens=256, warmup=0.3, done=0.2, check_every=-1
)
"""A check after every step, about 20 steps in two epochs and a half."""


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """Several would wait for one another longer than so small a model computes."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


class Stopped(Exception):
    """What stands for the end of the process."""


class Fragile(Training):
    """A run that is stopped in one of its steps, after the weights have changed."""

    stops_after: int
    steps: int = 0

    def _step(self, batch: Any) -> None:
        super()._step(batch)
        self.steps += 1
        if self.steps == self.stops_after:
            raise Stopped


def some_pairs(count: int, seed: int) -> TokenizedPairs:
    rng = np.random.default_rng(seed)
    claims = rng.integers(3, 9, count)
    lengths = claims + rng.integers(5, 20, count)
    return TokenizedPairs(
        ids=rng.integers(5, 90, lengths.sum()).astype(np.uint16),
        starts=np.concatenate([[0], np.cumsum(lengths)]),
        claims=claims,
        labels=np.arange(count) % 4,
        weights=np.ones(count, np.float32),
        relevance=np.arange(count) % 3 - 1,
        taught=np.where(np.arange(count)[:, None] % 2, rng.dirichlet(np.ones(3), count), np.nan).astype(
            np.float32
        ),
    )


MIX, HELD_BACK = some_pairs(80, seed=1), some_pairs(20, seed=2)


def a_model(config: ModelConfig) -> PairModel:
    torch.manual_seed(3)
    return PairModel(config)


def stopped_run(folder: Path, stops_after: int, config: ModelConfig = SPLIT) -> RunState:
    """The state that a run left behind that was stopped in its step ``stops_after``."""
    run = Fragile(a_model(config), MIX, HELD_BACK, SCHEDULE, folder, {"max_length": 60})
    run.stops_after = stops_after
    with pytest.raises(Stopped):
        run.run(earlier_pairs=1000)
    return read_state(folder)


def curve(folder: Path) -> list[dict[str, float]]:
    lines = (folder / "curve.jsonl").read_text(encoding="utf-8").splitlines()
    return [{**json.loads(line), "minutes": 0.0} for line in lines]


@pytest.mark.parametrize("split", [True, False])
@pytest.mark.parametrize("stops_after", [3, 12])
def test_a_stopped_and_resumed_run_gives_the_weights_of_one_that_was_not(
    split: bool, stops_after: int, tmp_path: Path
) -> None:
    config = SPLIT if split else dataclasses.replace(SPLIT, split=False, joint_layers=0, align=False)
    whole = Training(a_model(config), MIX, HELD_BACK, SCHEDULE, tmp_path / "whole")
    whole.run(earlier_pairs=1000)

    state = stopped_run(tmp_path / "parts", stops_after, config)
    assert state.epoch == (0 if stops_after == 3 else 1)
    assert state.batches > 1
    # Of the model only what is not trained counts.
    resumed = Training(a_model(config), MIX, HELD_BACK, Schedule(**state.schedule), tmp_path / "parts")
    resumed.resume(state)

    assert resumed.seen == whole.seen
    for name, weight in whole.model.state_dict().items():
        assert torch.allclose(resumed.model.state_dict()[name], weight, rtol=0, atol=1e-6), name
    assert curve(tmp_path / "parts") == curve(tmp_path / "whole")
    assert load_checkpoint(tmp_path / "parts")[1]["point"]["seen"] == 1000 + whole.seen


def test_without_the_random_numbers_of_the_state_the_weights_would_be_others(tmp_path: Path) -> None:
    state = stopped_run(tmp_path, 5)
    runs = []
    for random in (state.random, torch.get_rng_state()):
        model, _ = load_checkpoint(tmp_path)
        run = Training(model, MIX, HELD_BACK, SCHEDULE, tmp_path / "on")
        run.resume(dataclasses.replace(state, random=random))
        runs.append(run.model.classify.weight)
    assert not torch.allclose(*runs, rtol=0, atol=1e-4)


def test_minutes_count_what_was_trained_before(tmp_path: Path) -> None:
    state = stopped_run(tmp_path, 5)
    assert state.seconds > 0
    schedule = dataclasses.replace(SCHEDULE, minutes=10.0)
    model, _ = load_checkpoint(tmp_path)
    run = Training(model, MIX, HELD_BACK, schedule, tmp_path)
    run.resume(dataclasses.replace(state, seconds=600.0))
    assert run.seen == state.seen
    assert json.loads((tmp_path / "curve.jsonl").read_text().splitlines()[-1])["minutes"] >= 10.0


def test_the_rate_depends_on_time_only_where_minutes_are_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Training(a_model(SPLIT), MIX, HELD_BACK, SCHEDULE, tmp_path)
    run.began, run.seen = 0.0, 50
    monkeypatch.setattr("training.train.time.monotonic", lambda: 1e12)
    assert run.progress() == 0.25
    run.schedule = dataclasses.replace(SCHEDULE, minutes=1e12 / 60 / 0.5)
    assert run.progress() == pytest.approx(0.5)


def test_a_finished_run_leaves_its_checkpoint_and_no_state(tmp_path: Path) -> None:
    state = stopped_run(tmp_path, 4)
    assert not is_finished(tmp_path)
    with pytest.raises(ResumeError, match="--resume, or remove it"):
        check_unused(tmp_path)
    model, _ = load_checkpoint(tmp_path)
    Training(model, MIX, HELD_BACK, SCHEDULE, tmp_path).resume(state)
    assert is_finished(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"checkpoint.json", "curve.jsonl", "model.pt"}
    check_unused(tmp_path)


def test_a_state_that_is_missing_or_damaged_is_told_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(ResumeError, match=r"state\.pt is missing"):
        read_state(tmp_path)
    stopped_run(tmp_path, 2)
    path = tmp_path / "state.pt"
    whole = path.read_bytes()
    for damaged in (whole[:-3000], b"", b"nothing of the kind"):
        path.write_bytes(damaged)
        with pytest.raises(ResumeError, match=r"^.*state\.pt cannot be read: \w+$"):
            read_state(tmp_path)
    torch.save({"seen": 3}, path)
    with pytest.raises(ResumeError, match="no state of a run"):
        read_state(tmp_path)


def test_other_pairs_or_another_model_are_refused(tmp_path: Path) -> None:
    state = stopped_run(tmp_path, 2)
    model, _ = load_checkpoint(tmp_path)
    with pytest.raises(ResumeError, match="same --mix"):
        Training(model, some_pairs(80, seed=4), HELD_BACK, SCHEDULE, tmp_path).resume(state)
    other = a_model(dataclasses.replace(SPLIT, intermediate=48))
    with pytest.raises(ResumeError, match="not of the model beside it"):
        Training(other, MIX, HELD_BACK, SCHEDULE, tmp_path).resume(state)


def test_an_option_that_differs_is_named(tmp_path: Path) -> None:
    state = stopped_run(tmp_path, 2)
    check_options(state, {"pairs": 200, "rate": 5e-3, "max_length": 60})
    told = r"--batch-tokens 512 \(it was started with 256\), --max-length 80 \(it was started with 60\)$"
    with pytest.raises(ResumeError, match=told):
        check_options(state, {"pairs": 200, "batch_tokens": 512, "max_length": 80})


@pytest.mark.parametrize("name", ["model.pt", "checkpoint.json"])
def test_a_checkpoint_that_could_not_be_written_leaves_the_one_before_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_checkpoint(a_model(SPLIT), tmp_path, point={"seen": 1})
    before = (tmp_path / name).read_bytes()

    def fail(*_: Any, **__: Any) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="no space"):
        save_checkpoint(a_model(SPLIT), tmp_path, point={"seen": 2})
    assert (tmp_path / name).read_bytes() == before
