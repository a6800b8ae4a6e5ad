"""What is read of a sentence and its frame in; how far each of its pieces is asserted, denied, asked, ... out.

A small transformer (Vaswani et al. 2017, normalised first) over the encoder's vectors of a sentence and its frame and
those of its words and their neighbours, narrowed to a few dimensions. ``python -m training factuality`` learns it.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import ConfigError
from verifier.core.models import check_files, read_config
from verifier.core.onnx import OnnxGraph
from verifier.verification.statements.states import Encoded
from verifier.verification.statements.types import Factuality

__all__ = ["FOLDER", "GRAPHS", "KINDS", "FactualityHead"]

FOLDER = Path(str(files("verifier_signals"))) / "models" / "factuality"
"""Where the shipped head is, beside the model whose encoder it reads."""
GRAPHS = ("narrow.onnx", "head.onnx")
"""What reads the values of one sentence, and what reads those of a sentence and its frame."""
KINDS = tuple(Factuality)
"""What the head tells apart, in the order of its outputs."""
_LEARN = "learn it again: python -m training factuality"

_Array = NDArray[np.float32]


class FactualityHead:
    """The two graphs of a folder.

    ``asserted_at`` and ``denied_at``, in (0, 1), are the least probabilities at which a clause counts as asserted, and
    one that does not as denied, chosen on plain texts as the head was learnt (``training.factuality``).

    Args:
        folder: with :data:`GRAPHS` and ``config.json``.
        encoder: fingerprint of the model whose encoder gives the vectors; ``None`` not to look.

    Raises:
        ConfigError: there is no head, it is damaged, or it was learnt over the vectors of another model.
    """

    def __init__(self, folder: Path, encoder: str | None) -> None:
        lacking = [name for name in (*GRAPHS, "config.json") if not (folder / name).is_file()]
        if lacking:
            raise ConfigError(f"the factuality head in {folder} lacks {', '.join(lacking)}; {_LEARN}")
        config = read_config(folder / "config.json")
        check_files(folder, config)
        if encoder is not None and config.get("encoder") != encoder:
            raise ConfigError(f"the factuality head in {folder} was learnt over another model; {_LEARN}")
        self.asserted_at = float(config.get("asserted_at", 0.5))
        self.denied_at = float(config.get("denied_at", 0.5))
        narrow, head = (folder / name for name in GRAPHS)
        self._narrow = OnnxGraph(narrow, ("values",))
        self._head = OnnxGraph(head, ("narrowed", "marks", "places"))

    def narrow(self, values: _Array) -> _Array:
        """(pieces, width): what one sentence's values (pieces, 2 * hidden) come to, each word beside its neighbours."""
        [made] = self._narrow.run({"values": values}, len(values))
        return np.asarray(made[0], dtype=np.float32)

    def __call__(self, read: Encoded) -> _Array:
        """(pieces, kinds): the logits of each of the sentence's own pieces, in the order of :data:`KINDS`, from values
        that are narrowed."""
        given: dict[str, NDArray[Any]] = {"narrowed": read.values, "marks": read.marks, "places": read.places}
        [logits] = self._head.run(given, len(read.values))
        return np.asarray(logits[0, 1 : len(read.spans) + 1], dtype=np.float32)
