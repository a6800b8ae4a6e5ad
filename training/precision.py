"""The precision that a device computes in: bfloat16 where the hardware has it, else float32."""

from __future__ import annotations

import torch

__all__ = ["has_bfloat16", "mixed_precision"]


def has_bfloat16(device: torch.device) -> bool:
    """Whether the device multiplies bfloat16 by itself.

    One that does not imitates it: on a processor with AVX2 alone training then takes 20 times as long as in float32.
    """
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    return torch.cpu._is_amx_tile_supported() or torch.cpu._is_avx512_bf16_supported()


def mixed_precision(device: torch.device) -> torch.autocast:
    """The context to compute in."""
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=has_bfloat16(device))
