"""Put the model of the ``[reader]`` table in the place of the signals' own, where it is of their kind."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from verifier.core.errors import ConfigError

__all__ = ["MODEL_SIGNAL", "signal_tables"]

MODEL_SIGNAL = "nli"
"""The signal by which an embedded or a classifying reader reads."""


def signal_tables(reader: Mapping[str, Any], signals: Mapping[str, Any]) -> dict[str, Any]:
    """The tables of the signals to build: a ``classifier`` of ``[reader]`` is the model of ``[signals.nli]``.

    ``[reader] type = "classifier", model = "..."`` so does what ``[signals.nli] model = "..."`` does, in the cascade of
    the scorer. Readers of other types leave the tables as they are.

    Args:
        reader: the ``[reader]`` table without the keys that every type has (``read``, ``evidence`` ...), but with
            ``type``.
        signals: by name: ``True``, ``False`` or a table of the signal's options.

    Raises:
        ConfigError: the reader's table has an option that its type lacks, or lacks the model; or it says something
            else than ``[signals.nli]``.
    """
    own = {key: value for key, value in reader.items() if key != "type"}
    if reader.get("type") == "embedded":
        if own:
            raise ConfigError(
                f"reader.{min(own)} is no option of the reader 'embedded', which has none; "
                'for another model set reader.type = "classifier"'
            )
        return dict(signals)
    if reader.get("type") != "classifier":
        return dict(signals)
    _check(own)
    return {**signals, MODEL_SIGNAL: _merged(own, signals.get(MODEL_SIGNAL, True))}


def _check(own: Mapping[str, Any]) -> None:
    """Refuse an option that a classifier does not have, by the name under which it was given."""
    from verifier.readers.classifier import ClassifierReader

    known = inspect.signature(ClassifierReader).parameters
    if unknown := sorted(own.keys() - known.keys()):
        raise ConfigError(
            f"unknown key reader.{unknown[0]} for reader 'classifier'; known: {', '.join(sorted(known))}"
        )
    if not own.get("model"):
        raise ConfigError(
            "[reader] type = \"classifier\" needs a value for 'model': a folder, or the id of one on the hub"
        )


def _merged(own: Mapping[str, Any], table: object) -> dict[str, Any]:
    """The reader's options and those of ``[signals.nli]``, which must not contradict each other."""
    if table is False:
        raise ConfigError(
            'reader.type = "classifier" reads by the signal nli, and signals.nli = false switches that off; '
            "keep one of them"
        )
    other = dict(table) if isinstance(table, Mapping) else {}
    for key in sorted(own.keys() & other.keys(), key=lambda name: (name != "model", name)):
        if own[key] != other[key]:
            said = "name two models" if key == "model" else "differ"
            raise ConfigError(
                f"reader.{key} = {own[key]!r} and signals.nli.{key} = {other[key]!r} {said}; keep one of them"
            )
    return {**other, **own}
