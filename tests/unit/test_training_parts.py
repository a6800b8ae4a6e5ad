"""What a bundle is made of: weights in 4 bits, sizes on a command line, batches that are made ahead."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

torch = pytest.importorskip("torch")

from training.ahead import ahead  # noqa: E402 - after the check for torch
from training.bundle import parsed_size  # noqa: E402
from training.errors import CheckpointError, StepError  # noqa: E402
from training.nibbles import pack_in_four_bits, unpack_in_four_bits  # noqa: E402


def test_weights_in_four_bits_are_off_by_at_most_a_step_of_their_block() -> None:
    weights = torch.randn(60, 320, generator=torch.Generator().manual_seed(1))
    weights[7, :40] = 0.0
    packed = pack_in_four_bits({"large": weights, "bias": torch.ones(5), "small": torch.ones(2, 32)})
    assert sum(value.numel() * value.element_size() for value in packed.values()) < 60 * 320 * 0.6
    found = unpack_in_four_bits(packed)
    assert found.keys() == {"large", "bias", "small"}
    assert torch.equal(found["small"], torch.ones(2, 32))
    off = (found["large"] - weights).abs().reshape(60, 10, 32).amax(2)
    largest = weights.abs().reshape(60, 10, 32).amax(2)
    assert (off <= largest * 0.25 + 1e-3).all()
    assert float(((found["large"] - weights) ** 2).mean() / weights.var()) < 0.01
    with pytest.raises(CheckpointError, match="x has values that cannot be kept"):
        pack_in_four_bits({"x": torch.full((200, 320), torch.nan)})


@pytest.mark.parametrize("text", ["", "MiB", "0", "4.5MB", "12GB", "-3"])
def test_a_size_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no size"):
        parsed_size(text)


def test_batches_made_ahead_come_in_their_order_and_errors_come_with_them() -> None:
    assert list(ahead(iter(range(100)), 3)) == list(range(100))

    def failing() -> Iterator[int]:
        yield 1
        raise StepError("broken")

    found = ahead(failing(), 3)
    assert next(found) == 1
    with pytest.raises(StepError, match="broken"):
        next(found)
