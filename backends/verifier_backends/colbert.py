"""The ``colbert`` backend: late interaction, in which every word of a claim looks for its like in a passage
(ColBERT).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, get_args

from verifier.core.errors import ConfigError
from verifier_backends.encoders import EmbeddedEncoder
from verifier_backends.late.codecs import CODECS, CodecName
from verifier_backends.late.embedded import EmbeddedTokens
from verifier_backends.late.engine import LateEngine, TokenEngine
from verifier_backends.late.multi_vector import MultiVectorTokens
from verifier_backends.late.plaid import PlaidEngine
from verifier_backends.local import LocalBackend, Store
from verifier_backends.types import Hit, Item, Where

__all__ = ["ColBERTBackend"]

EngineName = Literal["embedded", "sentence-transformers", "colbert-ai"]


class ColBERTBackend(LocalBackend):
    """Ranks by MaxSim over token vectors (``verifier_backends.maxsim``); ``docs/colbert.md`` compares the engines.

    ``embedded`` reads the token vectors of the encoder in the package and needs no extra; ``sentence-transformers``
    reads any ColBERT checkpoint of PyLate or Stanford (extra ``st``). Both keep their vectors in our index, which
    takes and drops texts without a rebuild, ranks exactly while it is small, and scores the ``candidates`` nearest
    by their mean token vector when it is large (``verifier_backends.late.index``). ``colbert-ai`` hands everything to
    Stanford's own Indexer and Searcher (extra ``colbert``); a write there makes the next query build the
    whole index anew.

    Args:
        engine: ``embedded``, ``sentence-transformers`` or ``colbert-ai``.
        model: a folder on disk or, but for ``embedded``, the name of a model on the Hugging Face hub. The other two
            engines need one.
        compression: ``float32``, ``int8`` (the default) or ``residual2`` (a centroid and 2 bits a dimension).
            ``colbert-ai`` knows ``residual2`` alone.
        candidates: texts that are scored in a large index.
        exact_tokens: an index, or what a filter leaves of it, with at most so many tokens is searched whole.
        device: ``cpu``, ``cuda`` ...; ``sentence-transformers`` only.
        revision: branch, tag or commit of a hub model.

    Raises:
        ConfigError: a parameter is out of its range or does not belong to the engine; a model that cannot be loaded
            (on first use).
        MissingExtra: the engine's package is not installed (on first use).
    """

    def __init__(
        self,
        engine: EngineName = "embedded",
        model: str | None = None,
        *,
        compression: CodecName | None = None,
        candidates: int = 512,
        exact_tokens: int = 65_536,
        device: str | None = None,
        revision: str | None = None,
    ) -> None:
        if engine not in get_args(EngineName):
            known = ", ".join(sorted(get_args(EngineName)))
            raise ConfigError(f"unknown engine {engine!r} of the backend 'colbert'; known: {known}")
        if compression is not None and compression not in CODECS:
            raise ConfigError(f"unknown compression {compression!r}; known: {', '.join(CODECS)}")
        if candidates < 1 or exact_tokens < 0:
            raise ConfigError("candidates must be at least 1 and exact_tokens at least 0")
        self.engine_name = engine
        if engine == "embedded":
            _refuse(engine, device=device, revision=revision)
        if engine == "colbert-ai":
            _refuse(engine, device=device, compression=None if compression == "residual2" else compression)
            self._engine: LateEngine = PlaidEngine(
                _named(engine, model), revision=revision, candidates=candidates, exact_tokens=exact_tokens
            )
            return
        self._engine = TokenEngine(
            EmbeddedTokens(EmbeddedEncoder(model))
            if engine == "embedded"
            else MultiVectorTokens(_named(engine, model), device=device, revision=revision),
            compression=compression or "int8",
            candidates=candidates,
            exact_tokens=exact_tokens,
        )

    @property
    def identity(self) -> dict[str, Any]:
        """The engine, and what it says decides its vectors."""
        return {**super().identity, "engine": self.engine_name, **self._engine.identity}

    @property
    def _store(self) -> Store:
        return self._engine

    def stage(self, items: Iterable[Item]) -> Callable[[], None]:
        """Encode now (``colbert-ai`` encodes before the next query), store when the result is called."""
        return self._engine.stage(items)

    def _search(self, texts: Sequence[str], n_results: int, where: Where | None) -> list[list[Hit]]:
        """One batch through the encoder, then one search for each text."""
        return self._engine.search(texts, n_results, where)


def _named(engine: EngineName, model: str | None) -> str:
    if not model:
        raise ConfigError(
            f"engine {engine!r} of the backend 'colbert' needs a model: a folder or a name on the hub"
        )
    return model


def _refuse(engine: EngineName, **given: object) -> None:
    """An option that an engine would not look at is an error, not silence."""
    for name, value in given.items():
        if value is not None:
            raise ConfigError(
                f"{name} = {value!r} does not belong to engine {engine!r} of the backend 'colbert'"
            )
