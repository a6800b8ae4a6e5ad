"""Hugging Face models run by torch: network, tokenizer and heads, in batches of pairs of similar length."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import ConfigError, SignalError
from verifier.core.models import read_config, sha256_of
from verifier.core.onnx import EncodedPair, PairTokenizer
from verifier.core.registry import require
from verifier_signals.nli.families import (
    HHEM_WORDING,
    JoinedTokenizer,
    Wording,
    answer_head,
    answer_tokens,
    first_token_head,
    load_hhem,
    minicheck_wording,
)
from verifier_signals.nli.kinds import Kind, is_encoder_decoder, kind_of, label_order
from verifier_signals.nli.loaded import LoadedModel, input_limit

__all__ = [
    "DTYPES",
    "Head",
    "Network",
    "TransformersClassifier",
    "as_loaded",
    "classifier_head",
    "open_network",
]

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


DTYPES = ("float32", "float16", "bfloat16")

_TOKENIZER = "tokenizer.json"


@dataclass(frozen=True, slots=True)
class Network:
    """A network in evaluation mode on its device, with all that a pair needs on its way through it."""

    kind: Kind
    module: Any
    head: Head
    tokenizer: Any
    """A ``tokenizers.Tokenizer``."""
    wording: Wording | None
    """``None`` where the tokenizer itself joins a pair."""
    pad: int
    typed: bool
    """Whether it reads ``token_type_ids``."""
    longest: int | None
    """The tokens that the tokenizer says it may be given."""
    config: Mapping[str, Any]


def open_network(
    folder: Path,
    name: str,
    *,
    kind: Kind = "auto",
    device: str | None = None,
    dtype: str | None = None,
    tokenizer: Path | None = None,
    remote_code: bool = False,
) -> Network:
    """Load a model of any kind with torch; nothing is fetched.

    Args:
        folder: holds the model's files.
        name: what to call it in messages.
        kind: what it is, where its configuration does not say.
        device: by default a GPU, if there is one.
        dtype: one of ``DTYPES``; by default float32 on the CPU and half precision elsewhere.
        tokenizer: a folder with its tokenizer, if that lies elsewhere.
        remote_code: whether code that comes with the model may run.

    Raises:
        ConfigError: its kind is unclear, or an option is wrong.
        MissingExtra: ``transformers`` or ``torch`` is not installed.
        SignalError: the folder holds no such model.
    """
    if dtype is not None and dtype not in DTYPES:
        raise ConfigError(f"dtype = {dtype!r} of the NLI model; known: {', '.join(DTYPES)}")
    torch = require("torch", extra="transformers")
    require("transformers", extra="transformers")
    config = read_config(folder / "config.json")
    kind = kind_of(config, kind, name)
    place = device or ("cuda" if torch.cuda.is_available() else "cpu")
    precision = getattr(torch, dtype or _usual_dtype(place, kind, config))
    if kind == "hhem":
        opened = _open_hhem(folder, name, precision, tokenizer or folder)
    else:
        if "auto_map" in config and not remote_code and not _is_known(config):
            raise ConfigError(
                f"NLI model {name} brings its own code, which is run only where the configuration says so: "
                "remote_code = true; read that code first"
            )
        opened = _open_pretrained(folder, name, kind, config, precision, tokenizer or folder, remote_code)
    try:
        opened.module.to(place).eval()
    except (RuntimeError, AssertionError) as error:
        raise ConfigError(f"device = {place!r} of the NLI model is not there") from error
    return opened


def _open_hhem(folder: Path, name: str, precision: Any, tokenizer: Path) -> Network:
    from tokenizers import Tokenizer

    module = load_hhem(folder, precision, name)
    if not (tokenizer / _TOKENIZER).is_file():
        raise ConfigError(
            f"NLI model {name} has no {_TOKENIZER} of its own; say whose it uses with tokenizer = a folder, or "
            "owner/name@commit on the hub (HHEM-2.1-open was trained with that of google/flan-t5-base)"
        )
    text = Tokenizer.from_file(str(tokenizer / _TOKENIZER))
    config = module.config.to_dict()
    return Network("hhem", module, first_token_head, text, HHEM_WORDING, 0, False, None, config)


def _open_pretrained(
    folder: Path,
    name: str,
    kind: Kind,
    config: Mapping[str, Any],
    precision: Any,
    tokenizer: Path,
    code: bool,
) -> Network:
    writes = kind == "minicheck" and is_encoder_decoder(config)
    auto = "AutoModelForSeq2SeqLM" if writes else "AutoModelForSequenceClassification"
    module, loaded = _from_pretrained(auto, folder, tokenizer, name, precision, code)
    text = getattr(loaded, "backend_tokenizer", None)
    if text is None:
        raise SignalError(f"NLI model {name} has no fast tokenizer, and others cannot cut long texts")
    head: Head = classifier_head
    if writes:
        head = partial(answer_head, answers=answer_tokens(text, name))
    return Network(
        kind=kind,
        module=module,
        head=head,
        tokenizer=text,
        wording=minicheck_wording(loaded.eos_token or loaded.sep_token, name, writes=writes)
        if kind == "minicheck"
        else None,
        pad=loaded.pad_token_id or 0,
        typed="token_type_ids" in loaded.model_input_names,
        longest=loaded.model_max_length,
        config=module.config.to_dict(),
    )


def _from_pretrained(
    auto: str, folder: Path, tokenizer: Path, name: str, precision: Any, code: bool
) -> tuple[Any, Any]:
    transformers = require("transformers", extra="transformers")
    here = {"local_files_only": True, "trust_remote_code": code}
    try:
        with _quiet(transformers):
            loaded = transformers.AutoTokenizer.from_pretrained(tokenizer, **here)
            module, report = getattr(transformers, auto).from_pretrained(
                folder, **here, dtype=precision, output_loading_info=True
            )
    except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
        raise SignalError(
            f"cannot load NLI model {name}: no usable classifier in that folder, or its tokenizer is missing"
        ) from error
    # transformers fills weights that a checkpoint lacks with random ones.
    if missing := sorted(report["missing_keys"]):
        raise SignalError(f"{name} is no sequence classifier: its weights lack {missing[0]}")
    return module, loaded


def _usual_dtype(place: str, kind: Kind, config: Mapping[str, Any]) -> str:
    """T5 was trained in bfloat16 and leaves the range of float16."""
    if place == "cpu":
        return "float32"
    return "bfloat16" if kind == "hhem" or "t5" in str(config.get("model_type")) else "float16"


def _is_known(config: Mapping[str, Any]) -> bool:
    """Whether the installed library reads that architecture with code of its own."""
    models = require("transformers.models.auto.configuration_auto", extra="transformers")
    return config.get("model_type") in models.CONFIG_MAPPING_NAMES


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


_SAFE, _PICKLED = "*.safetensors", "pytorch_model*.bin"


def as_loaded(
    network: Network,
    folder: Path,
    name: str,
    *,
    labels: Sequence[str] | None,
    max_tokens: int | None,
    batch_tokens: int,
    tokenizer: Path | None,
) -> LoadedModel:
    """What ``networks.open_network`` gave, ready for pairs.

    Args:
        folder, tokenizer: where the model's files, and perhaps its tokenizer's, came from.
        name: what to call the model in messages.
        labels, max_tokens, batch_tokens: as ``NLISignal`` has them.

    Raises:
        ConfigError: its labels are unclear, or ``max_tokens`` is more than it can read.
        SignalError: its tokenizer cannot put a pair together.
    """
    plain = network.wording is None
    return LoadedModel(
        classifier=TransformersClassifier(
            network.module, network.head, batch_tokens=batch_tokens, pad=network.pad, typed=network.typed
        ),
        tokenizer=PairTokenizer(network.tokenizer)
        if network.wording is None
        else JoinedTokenizer(network.tokenizer, network.wording, name),
        labels=label_order(network.config, labels, name, kind=network.kind),
        limit=input_limit(network.config, max_tokens, network.longest),
        temperature=1.0,
        identity=_weights_identity([folder, *([tokenizer] if tokenizer else [])], network, plain=plain),
    )


def _weights_identity(folders: Sequence[Path], network: Network, *, plain: bool) -> str:
    """A digest of the weights, of how they are read, and of the precision: the same for a folder and for the hub."""
    digest = hashlib.sha256()
    for folder in folders:
        weights = sorted(folder.glob(_SAFE)) or sorted(folder.glob(_PICKLED))
        for path in [*weights, folder / "tokenizer.json", folder / "config.json"]:
            if path.is_file():
                digest.update(f"{path.name} {sha256_of(path)}\n".encode())
    digest.update(f"{network.module.dtype} {'' if plain else network.wording} {network.kind}".encode())
    return digest.hexdigest()
