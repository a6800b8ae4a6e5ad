"""Encoded pairs and a torch network go in, logits come out: in batches of similar length, in the order of the pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import SignalError
from verifier.core.onnx import EncodedPair
from verifier.core.registry import require

__all__ = ["Head", "TransformersClassifier", "classifier_head"]

Head = Callable[[Any, Mapping[str, Any]], Any]
"""A network and its inputs (``input_ids``, ``attention_mask``, perhaps ``token_type_ids``) go in, the logits of the
answer (pairs, classes) come out."""


def classifier_head(network: Any, inputs: Mapping[str, Any]) -> Any:
    """The logits of a sequence classifier."""
    return network(**inputs).logits


class TransformersClassifier:
    """A loaded torch network, given batches of similar length.

    In float32 a pair's logits do not depend on its batch to within 1e-5; in half precision they may by more.

    Args:
        network: the model, on its device, in evaluation mode.
        head: reads the answer from it.
        batch_tokens: how many tokens a batch may hold, padding included; a longer pair is a batch of its own.
        pad: token id that fills up shorter pairs.
        typed: whether the model reads ``token_type_ids``.
    """

    def __init__(self, network: Any, head: Head, *, batch_tokens: int, pad: int, typed: bool) -> None:
        self.network, self.head, self.batch_tokens, self.pad, self.typed = (
            network,
            head,
            batch_tokens,
            pad,
            typed,
        )
        self._lock = Lock()

    def logits(self, pairs: Sequence[EncodedPair]) -> NDArray[np.float32]:
        """The raw outputs, (pairs, classes), in the order of ``pairs``.

        Raises:
            SignalError: the device failed, or an output is not finite.
        """
        rows: dict[int, NDArray[np.float32]] = {}
        for batch in self._batches([len(pair.input_ids) for pair in pairs]):
            try:
                with self._lock:
                    answers = self._run([pairs[i] for i in batch])
            except RuntimeError as error:
                raise SignalError(f"the NLI model failed on a batch of {len(batch)} pairs") from error
            rows.update(zip(batch, answers, strict=True))
        logits = np.stack([rows[i] for i in range(len(pairs))])
        if not np.isfinite(logits).all():
            raise SignalError(
                "the NLI model answered a value that is not finite"
                + ("" if self._precision != "float16" else '; try dtype = "bfloat16" or "float32"')
            )
        return logits

    @property
    def _precision(self) -> str:
        return str(self.network.dtype).removeprefix("torch.")

    def _batches(self, lengths: Sequence[int]) -> Iterator[list[int]]:
        """Longest first: a batch that is too big for the device fails at once."""
        batch: list[int] = []
        for i in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
            if batch and (len(batch) + 1) * lengths[batch[0]] > self.batch_tokens:
                yield batch
                batch = []
            batch.append(i)
        if batch:
            yield batch

    def _run(self, pairs: Sequence[EncodedPair]) -> NDArray[np.float32]:
        torch = require("torch", extra="transformers")
        shape = len(pairs), len(pairs[0].input_ids)
        ids, types = np.full(shape, self.pad, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        mask = np.zeros(shape, dtype=np.int64)
        for row, pair in enumerate(pairs):
            length = len(pair.input_ids)
            ids[row, :length], types[row, :length], mask[row, :length] = *pair, 1
        arrays = {"input_ids": ids, "attention_mask": mask} | (
            {"token_type_ids": types} if self.typed else {}
        )
        device = self.network.device
        with torch.inference_mode():
            inputs = {name: torch.from_numpy(value).to(device) for name, value in arrays.items()}
            answer = self.head(self.network, inputs)
        return np.asarray(answer.float().cpu().numpy(), dtype=np.float32)
