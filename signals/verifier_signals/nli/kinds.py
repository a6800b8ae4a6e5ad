"""A model's configuration goes in; its kind comes out: how it is given a pair, and what its outputs mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from verifier.core.errors import ConfigError

__all__ = ["KINDS", "Kind", "is_encoder_decoder", "kind_of", "own_labels"]

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
    if outputs(config) == 1:
        raise ConfigError(
            f"model {model} has one output, which its configuration does not explain; if it is the logit of support "
            '(higher: the premise supports the claim better), set kind = "scorer"'
        )
    return "classifier"


def is_encoder_decoder(config: Mapping[str, Any]) -> bool:
    """Whether the model writes text, so that its answer is the first token that it writes."""
    names: Sequence[str] = config.get("architectures") or ()
    return any(name.endswith("ForConditionalGeneration") for name in names)


def outputs(config: Mapping[str, Any]) -> int | None:
    """How many outputs a classifier says it has; ``None`` where it does not say."""
    names = config.get("id2label")
    if isinstance(names, Mapping):
        return len(names)
    number = config.get("num_labels")
    return number if isinstance(number, int) else None


def own_labels(kind: Kind) -> tuple[str, ...] | None:
    """What the outputs of that kind mean, in order; ``None`` where each model says it itself."""
    return _FIXED.get(kind)
