"""The contract of an encoder: unit vectors of texts, each independent of the texts beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

__all__ = ["Encoder"]


@runtime_checkable
class Encoder(Protocol):
    """Turns texts into vectors whose dot product says how near they are."""

    @property
    def identity(self) -> str:
        """Names the function computed: equal identities give equal vectors, on any machine."""

    @property
    def dimension(self) -> int:
        """Length of the vectors."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of length 1 for each text, shape [n, dimension]; a zero row for a text without features.

        The row of a text does not depend on the other texts, to within 1e-5.
        """
