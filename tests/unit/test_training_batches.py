"""Batches that share premises: nothing lost, nothing read twice, and the logits of pairs that are read one by one."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from training.data import Pair
from training.mix import shortened, thinned

torch = pytest.importorskip("torch")

from training.model import PairModel  # noqa: E402
from training.shape import ModelConfig  # noqa: E402
from training.tokens import SharedBatch, TokenizedPairs, shared_batches  # noqa: E402

TINY = ModelConfig(
    encoder_layers=2, joint_layers=2, hidden=24, heads=4, intermediate=48, vocabulary=90, positions=64
)


def some_pairs(premises: int, claims: int) -> TokenizedPairs:
    """Rows of made-up ids: ``claims`` claims of lengths by chance for each of so many premises."""
    rng = np.random.default_rng(5)
    rows, lengths = [], []
    for _ in range(premises):
        premise = rng.integers(5, 90, rng.integers(4, 40))
        for _ in range(claims):
            claim = rng.integers(5, 90, rng.integers(3, 12))
            rows.append(np.concatenate([premise, claim]).astype(np.uint16))
            lengths.append(len(claim))
    count = len(rows)
    return TokenizedPairs(
        ids=np.concatenate(rows),
        starts=np.cumsum([0, *map(len, rows)]),
        claims=np.array(lengths),
        labels=np.arange(count) % 4,
        weights=np.ones(count, np.float32),
        relevance=np.full(count, -1),
        taught=np.full((count, 3), np.nan, np.float32),
    )


def test_an_epoch_holds_every_row_once_within_the_budget() -> None:
    pairs = some_pairs(premises=60, claims=11)
    batches = list(shared_batches(pairs, tokens=600, seed=3, claims_each=4, pool=32))
    assert Counter(row for batch in batches for row in batch.rows) == Counter(range(len(pairs)))
    for batch in batches:
        width = batch.premises.shape[1] + batch.claims.shape[1]
        assert len(batch.rows) * width <= 600 or len(batch.premises) == 1
        assert max(Counter(batch.owners.tolist()).values()) <= 4
        assert batch.labels.tolist() == pairs.labels[batch.rows].tolist()


def test_another_seed_puts_other_rows_together() -> None:
    pairs = some_pairs(premises=60, claims=5)
    first, same, other = (
        [batch.rows for batch in shared_batches(pairs, tokens=600, seed=seed)] for seed in (3, 3, 4)
    )
    assert first == same
    assert first != other


def test_a_shared_premise_gives_the_logits_of_whole_pairs() -> None:
    torch.manual_seed(1)
    model = PairModel(TINY).eval()
    pairs = some_pairs(premises=9, claims=5)
    read = 0
    for batch in shared_batches(pairs, tokens=700, seed=2):
        with torch.no_grad():
            shared = model.shared(*texts_of(batch))
            for row, logits in zip(batch.rows, shared, strict=True):
                ids = torch.from_numpy(np.concatenate(pairs.parts(row)).astype(np.int64))[None]
                types = (torch.arange(ids.shape[1]) >= len(pairs.parts(row)[0])).long()[None]
                assert torch.allclose(model(ids, torch.ones_like(ids), types)[0], logits, atol=1e-5)
                read += 1
    assert read == len(pairs)


def test_a_shared_premise_gives_the_gradients_of_whole_pairs() -> None:
    torch.manual_seed(1)
    model = PairModel(TINY).eval()  # without dropout, which draws its own numbers in each form
    pairs = some_pairs(premises=1, claims=4)
    [batch] = shared_batches(pairs, tokens=10_000, seed=2)
    model.shared(*texts_of(batch)).square().sum().backward()
    shared = {
        name: weight.grad.clone() for name, weight in model.named_parameters() if weight.grad is not None
    }
    model.zero_grad()
    for row in batch.rows:
        ids = torch.from_numpy(np.concatenate(pairs.parts(row)).astype(np.int64))[None]
        types = (torch.arange(ids.shape[1]) >= len(pairs.parts(row)[0])).long()[None]
        model(ids, torch.ones_like(ids), types).square().sum().backward()
    for name, weight in model.named_parameters():
        if weight.grad is not None:
            assert torch.allclose(weight.grad, shared[name], rtol=1e-3, atol=1e-5), name


def texts_of(batch: SharedBatch) -> tuple[torch.Tensor, ...]:
    return batch.premises, batch.premises_seen, batch.claims, batch.claims_seen, batch.owners


def test_a_mix_is_thinned_by_whole_premises() -> None:
    mix = [Pair(f"Text {n}.", f"Claim {k}.", "neutral", "set") for n in range(50) for k in range(4)]
    mix += [Pair("Told by hand.", f"Claim {k}.", "neutral", "written/exact") for k in range(30)]
    kept = thinned(mix, others=41, seed=1)
    assert Counter(pair.source for pair in kept) == {"set": 44, "written/exact": 30}
    assert set(Counter(pair.premise for pair in kept if pair.source == "set").values()) == {4}
    assert kept == [pair for pair in mix if pair in kept]


def test_long_pairs_are_left_out_but_for_those_told_by_hand() -> None:
    mix = [
        Pair("word " * n, "One claim.", "neutral", source)
        for n in (3, 4)
        for source in ("set", "written/exact")
    ]
    assert shortened(mix, longest=5) == [mix[0], mix[1], mix[3]]


def test_a_blend_lies_between_its_two_models() -> None:
    from training.blend import blended

    start, tuned = PairModel(TINY), PairModel(TINY)
    expected = {
        name: 0.25 * weight + 0.75 * start.state_dict()[name] for name, weight in tuned.state_dict().items()
    }
    for name, weight in blended(start, tuned, 0.25).state_dict().items():
        assert torch.allclose(weight, expected[name], atol=1e-6), name
    with pytest.raises(ValueError, match="share"):
        blended(start, tuned, 1.5)
