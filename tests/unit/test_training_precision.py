"""Training computes in bfloat16 only where the hardware does: imitated it is many times slower than float32."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from training.precision import has_bfloat16, mixed_precision  # noqa: E402 - after the check for torch


@pytest.mark.parametrize(
    ("tiles", "vectors", "expected"), [(False, False, False), (True, False, True), (False, True, True)]
)
def test_products_are_in_bfloat16_where_the_processor_has_it(
    monkeypatch: pytest.MonkeyPatch, tiles: bool, vectors: bool, expected: bool
) -> None:
    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: tiles)
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: vectors)
    device = torch.device("cpu")
    assert has_bfloat16(device) is expected
    with mixed_precision(device):
        product = torch.ones(2, 3) @ torch.ones(3, 2)
    assert product.dtype == (torch.bfloat16 if expected else torch.float32)
