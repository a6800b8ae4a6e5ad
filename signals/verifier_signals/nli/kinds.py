"""The kinds of NLI models: how each is given a pair, what its outputs mean, and the probabilities that they become."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import ConfigError

__all__ = [
    "CLASSES",
    "KINDS",
    "Kind",
    "_fixed_labels",
    "is_encoder_decoder",
    "kind_of",
    "label_order",
    "probabilities",
]

Kind = Literal["auto", "classifier", "scorer", "minicheck", "hhem"]
"""``classifier`` reads a pair as the tokenizer joins it, and has two or three named outputs. ``scorer`` has one output,
the logit of support. ``minicheck`` and ``hhem`` read one text made of both, and say unsupported or supported."""

KINDS: tuple[Kind, ...] = get_args(Kind)

_FIXED: Mapping[Kind, tuple[str, ...]] = {
    "scorer": ("entailment",),
    "minicheck": ("not_entailment", "entailment"),
    "hhem": ("not_entailment", "entailment"),
}
_HHEM = "HHEMv2"


def kind_of(config: Mapping[str, Any], asked: Kind, model: str) -> Kind:
    """What is asked for, or what the configuration shows. The name of a model is never taken for its kind.

    Args:
        config: the model's ``config.json``; an export of ours writes its ``kind`` there.
        asked: from the user.
        model: what to call it in messages.

    Raises:
        ConfigError: no such kind, or the configuration leaves it open; the message names the option that says it.
    """
    if asked not in KINDS:
        raise ConfigError(f"kind = {asked!r} of the NLI signal; known: {', '.join(KINDS)}")
    if asked != "auto":
        return asked
    stated = config.get("kind")
    if stated is not None:
        return kind_of(config, stated, model)
    if config.get("model_type") == _HHEM:
        return "hhem"
    if is_encoder_decoder(config):
        raise ConfigError(
            f"model {model} writes text; if it was trained to answer whether a document supports a claim by 0 or 1, "
            'as MiniCheck-Flan-T5 was, set kind = "minicheck"'
        )
    if _number_of_outputs(config) == 1:
        raise ConfigError(
            f"model {model} has one output, which its configuration does not explain; if it is the logit of support "
            '(higher: the premise supports the claim better), set kind = "scorer"'
        )
    return "classifier"


def is_encoder_decoder(config: Mapping[str, Any]) -> bool:
    """Whether the model writes text, so that its answer is the first token that it writes."""
    names: Sequence[str] = config.get("architectures") or ()
    return any(name.endswith("ForConditionalGeneration") for name in names)


def _number_of_outputs(config: Mapping[str, Any]) -> int | None:
    """How many outputs a classifier says it has; ``None`` where it does not say."""
    names = config.get("id2label")
    if isinstance(names, Mapping):
        return len(names)
    number = config.get("num_labels")
    return number if isinstance(number, int) else None


def _fixed_labels(kind: Kind) -> tuple[str, ...] | None:
    """What the outputs of that kind mean, in order; ``None`` where each model says it itself."""
    return _FIXED.get(kind)


CLASSES = ("entailment", "neutral", "contradiction")
"""The columns of ``probabilities``, and the names of the signal's features."""

_REST = "not_entailment"
_SPELLINGS = {
    **dict.fromkeys(("entailment", "entail", "entails", "entailed"), "entailment"),
    "neutral": "neutral",
    **dict.fromkeys(("contradiction", "contradict", "contradicts", "contradictory"), "contradiction"),
    **dict.fromkeys(("not_entailment", "non_entailment", "no_entailment", "not_entailed"), _REST),
}
_KNOWN = ({"entailment", "neutral", "contradiction"}, {"entailment", _REST}, {"entailment"})


def label_order(
    config: Mapping[str, Any], given: Sequence[str] | None, model: str, kind: Kind = "classifier"
) -> tuple[str, ...]:
    """What each output of a model means.

    Args:
        config: the model's ``config.json``: ``labels`` (a list) or ``id2label`` (a mapping from the index).
        given: names in output order, from the user; they replace those of ``config``.
        model: what to call the model in messages.
        kind: a kind whose outputs have a fixed meaning needs no names.

    Returns:
        The three of ``CLASSES`` in the model's order, or ``entailment`` and ``not_entailment`` in its order, or
        ``entailment`` alone.

    Raises:
        ConfigError: the names say nothing (``LABEL_0``), are not these classes, or are missing.

    >>> label_order({"id2label": {"0": "CONTRADICTION", "1": "ENTAILMENT", "2": "NEUTRAL"}}, None, "m")
    ('contradiction', 'entailment', 'neutral')
    """
    if given is None and (fixed := _fixed_labels(kind)) is not None:
        return fixed
    names = list(given) if given is not None else _named(config)
    plain = [re.sub(r"[\W_]+", "_", str(name).strip().lower()) for name in names]
    order = tuple(_SPELLINGS.get(name, name) for name in plain)
    if set(order) not in _KNOWN or len(set(order)) != len(order):
        raise ConfigError(
            f"model {model} names its outputs {', '.join(map(str, names)) or 'nothing'}; say what they mean, "
            f"in output order, with labels=: entailment, neutral, contradiction, or entailment, {_REST}{_hint(names)}"
        )
    return order


def _hint(names: Sequence[Any]) -> str:
    return '; or kind = "minicheck" if it is a MiniCheck classifier' if len(names) == 2 else ""


def _named(config: Mapping[str, Any]) -> list[Any]:
    if isinstance(labels := config.get("labels"), list):
        return labels
    by_index = config.get("id2label")
    if not isinstance(by_index, Mapping):
        return []
    try:
        return [by_index[index] for index in sorted(by_index, key=int)]
    except ValueError:
        return list(by_index.values())


def probabilities(
    logits: NDArray[np.float32], labels: Sequence[str], temperature: float
) -> NDArray[np.float64]:
    """The softmax of ``logits / temperature`` (Guo et al. 2017), columns in the order of ``CLASSES``.

    A two-class model knows no contradiction: that column is 0 and ``neutral`` is all that is not entailment. A model
    with one output gives the log-odds of entailment against the rest.

    Args:
        logits: (pairs, labels), finite.
        labels: what ``label_order`` gave.
        temperature: above 0; above 1 softens.

    >>> probabilities(np.array([[0.0, 0.0]]), ("not_entailment", "entailment"), 1.0).tolist()
    [[0.5, 0.5, 0.0]]
    >>> probabilities(np.array([[0.0]]), ("entailment",), 1.0).tolist()
    [[0.5, 0.5, 0.0]]
    """
    scaled = logits.astype(np.float64) / temperature
    if len(labels) == 1:
        scaled, labels = np.concatenate([scaled, np.zeros_like(scaled)], axis=1), (*labels, _REST)
    weights = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    column = {"neutral" if name == _REST else name: at for at, name in enumerate(labels)}
    out = np.zeros((len(logits), len(CLASSES)))
    for to, name in enumerate(CLASSES):
        if name in column:
            out[:, to] = weights[:, column[name]]
    return out
