"""The folder of a Hugging Face model goes in; its network and tokenizer, and what its kind asks for, come out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from verifier.core.errors import ConfigError, SignalError
from verifier.core.models import read_config
from verifier.core.registry import require
from verifier_signals.nli.batches import Head, classifier_head
from verifier_signals.nli.hhem import PROMPT, first_token_head, load_hhem
from verifier_signals.nli.joined import Wording
from verifier_signals.nli.kinds import Kind, is_encoder_decoder, kind_of
from verifier_signals.nli.minicheck import answer_head, answer_tokens, wording_of

__all__ = ["DTYPES", "Network", "open_network"]

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
    return Network("hhem", module, first_token_head, text, PROMPT, 0, False, None, config)


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
        wording=wording_of(loaded.eos_token or loaded.sep_token, name, writes=writes)
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
