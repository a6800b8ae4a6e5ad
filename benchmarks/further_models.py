"""Further NLI models as columns of the evaluation table, by what the command line names."""

from __future__ import annotations

import json
from pathlib import Path

from verifier_signals.nli import NLISignal

from verifier.config import load
from verifier.core.errors import SignalError
from verifier.core.models import embedded_model
from verifier.factory import build_signals
from verifier.verification.vocabulary import Vocabulary


def model_of(given: str) -> tuple[str, NLISignal]:
    """A column's name and its model, from ``NAME=MODEL,OPTION=VALUE...``; labels are separated by ``/``.

    Raises:
        ConfigError: an option that the signal does not have, or a value that does not fit.
    """
    named, *more = given.split(",")
    name, _, model = named.partition("=")
    options: dict[str, object] = {"model": model, "cache_size": 0}
    for item in more:
        key, _, value = item.partition("=")
        options[key] = value.split("/") if key == "labels" else value
    settings = load(overrides={"signals.nli": options}, environ={}).settings
    built = {signal.name: signal for signal in build_signals(settings, Vocabulary())}
    signal = built["nli"]
    assert isinstance(signal, NLISignal)
    return name, signal


def random_model(family: str, scratch: Path) -> NLISignal:
    """A model of that architecture with random weights, over the words that the embedded model knows."""
    from benchmarks.random_models import ANSWERING, make

    own = embedded_model("verifier_signals", "nli")
    known = json.loads(own.tokenizer.read_text(encoding="utf-8"))["model"]["vocab"] if own else ()
    words = [word for word in known if word.isalpha() and len(word) > 1]
    folder = make(family, scratch / family, width=768, layers=6, heads=12, positions=512, words=words)
    return NLISignal(str(folder), kind="minicheck" if family == ANSWERING else "auto", cache_size=0)


def checkpoint_model(run: Path, scratch: Path) -> tuple[str, NLISignal]:
    """A column's name and its model, a training run's checkpoint in float; pairs are as long as the embedded one's.

    Raises:
        FileNotFoundError: there is no checkpoint, or no sentence encoder whose tokenizer it uses.
        SignalError: no model is embedded.
    """
    from training.__main__ import encoder_folder
    from training.export import export_run

    embedded = embedded_model("verifier_signals", "nli")
    if embedded is None:
        raise SignalError("no embedded model says how long a pair may be")
    folder = scratch / f"run {run.name}"
    tokenizer = encoder_folder(None) / "tokenizer.json"
    length = int(embedded.config["max_length"])
    model = export_run(run, tokenizer, folder, precision="float", max_length=length)
    return f"{model.config.architecture} {run.name}", NLISignal(str(folder), cache_size=0)
