"""What the processor under the tests computes exactly."""

from __future__ import annotations

import platform
from pathlib import Path

__all__ = ["int8_saturates"]

_EXACT = ("avx512_vnni", "avx_vnni", "amx_int8")


def int8_saturates() -> bool:
    """Whether products of int8 are summed in 16 bits, where large ones are cut off: x86 without VNNI instructions.

    ONNX Runtime says so of its kernels for unsigned activations and signed weights ("Quantize ONNX Models", on U8S8).
    Weights of one scale a channel that use their whole range, as random ones do, lose most by it.
    """
    info = Path("/proc/cpuinfo")
    if platform.machine().lower() not in ("x86_64", "amd64") or not info.is_file():
        return False
    return not any(name in info.read_text(encoding="utf-8") for name in _EXACT)
