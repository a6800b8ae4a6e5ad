"""A MiniCheck model's tokenizer goes in; how it is given document and claim, and where its answer stands, comes out.

Tang, Laban and Durrett 2024 (arXiv:2404.10774); the form is that of their ``minicheck/inference.py``. Document and
claim are one text with the end token between them. The classifiers (RoBERTa, DeBERTa) have two outputs, unsupported
and supported. Flan-T5 reads ``predict: `` before that text and writes ``0`` or ``1``; its probability of support is the
softmax over the first tokens of these two answers (in T5's vocabulary 3, the bare word mark before ``0``, and 209).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verifier.core.errors import SignalError
from verifier_signals.nli.joined import Wording

__all__ = ["ANSWERS", "answer_head", "answer_tokens", "wording_of"]

ANSWERS = ("0", "1")
"""What Flan-T5 writes for unsupported and for supported."""


def wording_of(end: str | None, model: str, *, writes: bool) -> Wording:
    """What stands around document and claim.

    Args:
        end: the tokenizer's token for the end of a text.
        model: what to call the model in messages.
        writes: whether it is the form that writes its answer.

    Raises:
        SignalError: the tokenizer has no such token.
    """
    if not end:
        raise SignalError(f"the tokenizer of NLI model {model} has no end token, which MiniCheck models need")
    return Wording("predict: " if writes else "", end)


def answer_tokens(tokenizer: Any, model: str) -> tuple[int, int]:
    """The first token of each of ``ANSWERS``.

    Args:
        tokenizer: a ``tokenizers.Tokenizer``.
        model: what to call the model in messages.

    Raises:
        SignalError: both answers begin with the same token, or with one that stands for anything unknown.
    """
    unsupported, supported = (tokenizer.encode(text, add_special_tokens=False).ids for text in ANSWERS)
    if not unsupported or not supported or unsupported[0] == supported[0]:
        raise SignalError(
            f"the tokenizer of NLI model {model} does not tell the answers 0 and 1 apart by their first token; "
            "it is not the one of a MiniCheck model"
        )
    return unsupported[0], supported[0]


def answer_head(network: Any, inputs: Mapping[str, Any], answers: tuple[int, int]) -> Any:
    """The logits (pairs, 2) of the two answers as the first thing that the model writes."""
    ids = inputs["input_ids"]
    start = ids.new_full((ids.shape[0], 1), network.config.decoder_start_token_id or 0)
    written = network(
        input_ids=ids, attention_mask=inputs["attention_mask"], decoder_input_ids=start, use_cache=False
    )
    return written.logits[:, 0, list(answers)]
