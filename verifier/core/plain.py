"""A tokenizer that reads every text as plain characters, so that no text can write a model's special tokens."""

from __future__ import annotations

import json
import secrets
from typing import Any

__all__ = ["plain_reader"]


def plain_reader(tokenizer: Any) -> Any:
    """A tokenizer for texts of others: nothing in them can become a special token.

    ``encode_special_tokens`` is enough where special tokens are found before the model reads. A Unigram model (T5,
    DeBERTa-v3) has them among its own pieces, and would still read ``</s>`` in a document as the end of it: a document
    could so put words into the claim's place. There the copy has names for them that nobody can write.

    Args:
        tokenizer: a ``tokenizers.Tokenizer``; not changed where it needs a copy.

    Returns:
        ``tokenizer`` itself, or the copy.
    """
    tokenizer.encode_special_tokens = True
    if type(tokenizer.model).__name__ != "Unigram":
        return tokenizer
    from tokenizers import Tokenizer

    raw = json.loads(tokenizer.to_str())
    pieces, secret = raw["model"]["vocab"], secrets.token_hex(16)
    special = {token["id"] for token in raw["added_tokens"] if token["special"]}
    unknown = raw["model"].get("unk_id")
    for at in {*special, *([] if unknown is None else [unknown])}:
        if at < len(pieces):
            pieces[at][0] = f"{secret}:{at}"
    for token in raw["added_tokens"]:
        if token["id"] in special:
            token["content"] = f"{secret}:{token['id']}"
    copy = Tokenizer.from_str(json.dumps(raw))
    copy.encode_special_tokens = True
    return copy
