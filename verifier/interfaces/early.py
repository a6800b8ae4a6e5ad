"""Open the embedded models that a check needs while the rest is imported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verifier.config import Settings

__all__ = ["models_opening"]


@contextmanager
def models_opening(settings: Settings, *, searching: bool = True) -> Iterator[None]:
    """Open in a thread what the block will ask for: most of it is done on another core than imports are.

    What is opened is shared by file, and kept until the block ends. What fails is told by whoever needs it.

    Args:
        settings: name the models.
        searching: whether the block searches a knowledge base, with the model of its index.
    """
    kept: list[Any] = []
    thread = Thread(target=_open, args=(list(_models(settings, searching)), kept), name="early")
    try:
        thread.start()
    except RuntimeError:  # no more threads in this process: whoever needs a model opens it
        yield
        return
    try:
        yield
    finally:
        thread.join()
        kept.clear()


def _open(models: Sequence[tuple[str, str]], kept: list[Any]) -> None:
    from verifier.core.errors import VerifierError
    from verifier.core.models import embedded_model
    from verifier.core.onnx import PairTokenizer, session_of

    for package, name in models:
        with suppress(VerifierError, OSError):
            folder = embedded_model(package, name)
            if folder is not None:
                kept.append(PairTokenizer.from_file(folder.tokenizer))
                kept += map(session_of, folder.graphs)


def _models(settings: Settings, searching: bool) -> Iterator[tuple[str, str]]:
    """The models of the package that these settings use: one reads what documents assert, whatever else is switched."""
    if searching and settings.backend == type(settings)().backend:
        yield "verifier_backends", "minilm"
    yield "verifier_signals", "nli"
