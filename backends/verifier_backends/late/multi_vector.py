"""Token vectors of a ColBERT checkpoint, by sentence-transformers' MultiVectorEncoder (extra ``st``)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from verifier.core.errors import BackendRejected, ConfigError
from verifier_backends.checkpoints import Checkpoint
from verifier_backends.late.pieces import pieces, token_starts
from verifier_backends.late.tokens import TokenVectors

__all__ = ["MultiVectorTokens"]

_BATCH = 32


class MultiVectorTokens:
    """A ``LateEncoder`` over a checkpoint of PyLate's, Stanford's or the library's own form, loaded on first use.

    Nothing is cut off: a text longer than the checkpoint's window is read in pieces, between words where there are
    any, and has the token vectors of all of them. A checkpoint that runs code of its own is not loaded.

    Args:
        model: a folder on disk, or the name of a model on the Hugging Face hub.
        device: ``cpu``, ``cuda`` ...; the library's choice by default.
        revision: branch, tag or commit of a hub model.

    Raises:
        MissingExtra: sentence-transformers is not installed (on first use).
        ConfigError: the model's folder does not exist or holds no such checkpoint (on first use).
        BackendUnavailable: the hub has no such model or cannot be reached (on first use).
    """

    def __init__(self, model: str, *, device: str | None = None, revision: str | None = None) -> None:
        self._checkpoint = Checkpoint("MultiVectorEncoder", model, device=device, revision=revision)

    @property
    def identity(self) -> str:
        """The name of a hub model, or a hash of a local one."""
        return f"multi-vector:{self._checkpoint.identity}"

    @property
    def dimension(self) -> int:
        """Length of the vectors; loads the model."""
        return int(self._checkpoint.model().get_embedding_dimension())

    def query_vectors(self, texts: Sequence[str]) -> list[TokenVectors]:
        """As the checkpoint reads queries: its prefix, and its expansion where it has one."""
        return self._vectors(texts, "query")

    def document_vectors(self, texts: Sequence[str]) -> list[TokenVectors]:
        """As the checkpoint reads documents: its prefix, without the tokens on its list of those to skip."""
        return self._vectors(texts, "document")

    def _vectors(self, texts: Sequence[str], task: str) -> list[TokenVectors]:
        """One call at a time: the tokenizer keeps the cut and the padding of whoever used it last."""
        with self._checkpoint.lock:
            model = self._checkpoint.model()
            room = self._room(task)
            try:
                cut = [pieces(text, token_starts(model.tokenizer, text), room) for text in texts]
                distinct = list(dict.fromkeys(piece for parts in cut for piece in parts))
                found = self._encoded(distinct, task)
            except (RuntimeError, ValueError, IndexError, TypeError) as error:
                raise BackendRejected(
                    f"the model {self._checkpoint.name!r} could not encode the texts: {error}"
                ) from error
        read = dict(zip(distinct, found, strict=True))
        return [np.concatenate([read[piece] for piece in parts]) for parts in cut]

    def _encoded(self, texts: list[str], task: str) -> list[TokenVectors]:
        model = self._checkpoint.model()
        encode = model.encode_query if task == "query" else model.encode_document
        found = encode(
            texts,
            batch_size=_BATCH,
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return [np.asarray(vectors, np.float32) for vectors in found]

    def _room(self, task: str) -> int:
        """How many tokens of a text fit into the window, beside the prefix and the special ones."""
        model = self._checkpoint.model()
        transformer, tokenizer = model[0], model.tokenizer
        length = getattr(transformer, f"{task}_length", None)
        expansion = getattr(transformer, "query_expansion", None) if task == "query" else None
        if expansion:
            length = expansion.get("length") or length
        length = min(length or transformer.max_seq_length, transformer.max_seq_length)
        prefix = tokenizer(model.prompts.get(task) or "", add_special_tokens=False)["input_ids"]
        room = int(length - len(prefix) - tokenizer.num_special_tokens_to_add())
        if room < 1:
            raise ConfigError(
                f"the model {self._checkpoint.name!r} leaves no room for a {task} in {length} tokens"
            )
        return room
