"""A Hugging Face classifier's name or folder goes in, an opened one comes out (extra ``transformers``)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from signals.nli.labels import label_order
from signals.nli.loaded import LoadedModel, input_limit
from verifier.core.errors import ConfigError, SignalError
from verifier.core.models import sha256_of
from verifier.core.onnx import EncodedPair, PairTokenizer
from verifier.core.registry import require

__all__ = ["PRECISIONS", "TransformersClassifier", "open_transformers"]

_PATIENCE = 10.0
"""Seconds to wait for the hub to name a model's commit."""

PRECISIONS = ("float32", "float16", "bfloat16")


def open_transformers(
    model: str,
    *,
    revision: str | None,
    labels: Sequence[str] | None,
    max_tokens: int | None,
    batch_tokens: int,
    threads: int | None,
    device: str | None,
    precision: str | None,
) -> LoadedModel:
    """Load a classifier with torch. Code that comes with a model is never run.

    Raises:
        ConfigError: its labels are unclear, or an option is wrong.
        MissingExtra: ``transformers`` or ``torch`` is not installed.
        SignalError: there is no such model, the hub cannot be reached, or it is no sequence classifier.
    """
    if precision is not None and precision not in PRECISIONS:
        raise ConfigError(f"precision = {precision!r} of the NLI model; known: {', '.join(PRECISIONS)}")
    torch = require("torch", extra="transformers")
    if threads is not None:
        torch.set_num_threads(threads)
    network, tokenizer = _load(torch, model, revision, precision or "float32")
    fast = getattr(tokenizer, "backend_tokenizer", None)
    if fast is None:
        raise SignalError(f"NLI model {model} has no fast tokenizer, and others cannot be read without torch")
    try:
        network = network.to(device or ("cuda" if torch.cuda.is_available() else "cpu")).eval()
    except (RuntimeError, AssertionError) as error:
        raise ConfigError(f"device = {device!r} of the NLI model is not there") from error
    config = network.config.to_dict()
    return LoadedModel(
        classifier=TransformersClassifier(
            network,
            batch_tokens=batch_tokens,
            pad=tokenizer.pad_token_id or 0,
            typed="token_type_ids" in tokenizer.model_input_names,
        ),
        tokenizer=PairTokenizer(fast),
        labels=label_order(config, labels, model),
        limit=input_limit(config, max_tokens),
        temperature=1.0,
        identity=_identity(model, network),
    )


class TransformersClassifier:
    """A loaded torch classifier, given batches of similar length.

    In float32 a pair's logits do not depend on its batch to within 1e-5; in half precision they may by more.

    Args:
        network: the model, on its device, in evaluation mode.
        batch_tokens: how many tokens a batch may hold, padding included; a longer pair is a batch of its own.
        pad: token id that fills up shorter pairs.
        typed: whether the model reads ``token_type_ids``.
    """

    def __init__(self, network: Any, *, batch_tokens: int, pad: int, typed: bool) -> None:
        self.network, self.batch_tokens, self.pad, self.typed = network, batch_tokens, pad, typed
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
            raise SignalError("the NLI model answered a value that is not finite")
        return logits

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
            answer = self.network(
                **{name: torch.from_numpy(value).to(device) for name, value in arrays.items()}
            )
        return np.asarray(answer.logits.float().cpu().numpy(), dtype=np.float32)


def _load(torch: Any, model: str, revision: str | None, precision: str) -> tuple[Any, Any]:
    transformers = require("transformers", extra="transformers")
    commit = None if Path(model).is_dir() else _commit(model, revision)
    safe = {"revision": commit or revision, "local_files_only": commit is None, "trust_remote_code": False}
    try:
        with _quiet(transformers):
            tokenizer = transformers.AutoTokenizer.from_pretrained(model, **safe)
            network, report = transformers.AutoModelForSequenceClassification.from_pretrained(
                model, **safe, dtype=getattr(torch, precision), output_loading_info=True
            )
    except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
        where = "in that folder" if Path(model).is_dir() else "on the hub, or it cannot be reached"
        at = f" at revision {revision}" if revision else ""
        raise SignalError(f"cannot load NLI model {model}{at}: no usable classifier {where}") from error
    # transformers fills weights that a checkpoint lacks with random ones.
    if missing := sorted(report["missing_keys"]):
        raise SignalError(f"{model} is no sequence classifier: its weights lack {missing[0]}")
    return network, tokenizer


def _commit(model: str, revision: str | None) -> str | None:
    """What the hub has under that name now; ``None`` when it does not answer, so that the cache must do.

    Asked once, because the loader itself goes on for a minute when there is no network.
    """
    hub = require("huggingface_hub", extra="transformers")
    # The HTTP library beneath differs by version; the hub's own error derives from that library's.
    transport = hub.errors.HfHubHTTPError.__bases__
    try:
        commit: str | None = hub.model_info(model, revision=revision, timeout=_PATIENCE).sha
    except (*transport, OSError, ValueError):
        return None
    return commit


@contextmanager
def _quiet(transformers: Any) -> Iterator[None]:
    """Keep the library's own progress bars and warnings from the user's terminal."""
    logging = transformers.utils.logging
    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()


def _identity(model: str, network: Any) -> str:
    """The hub's commit, or a digest of the weight files of a folder; with the precision."""
    folder = Path(model)
    if folder.is_dir():
        files = sorted([*folder.glob("*.safetensors"), *folder.glob("pytorch_model*.bin")])
        weights = "".join(map(sha256_of, files))
    else:
        weights = f"{model}@{getattr(network.config, '_commit_hash', None)}"
    return hashlib.sha256(f"{weights} {network.dtype}".encode()).hexdigest()
