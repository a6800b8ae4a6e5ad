"""Every error this toolkit raises on purpose; vendor errors are translated into one of these with ``from``.

::

    VerifierError
    |-- ConfigError                 a value, key or file of the configuration is wrong
    |   `-- UnknownPlugin           a name that no installed plugin has; lists the valid ones
    |-- MissingExtra                an optional dependency is not installed; gives the pip line
    |-- KnowledgeBaseError
    |   |-- KnowledgeBaseNotFound   no knowledge base at that path
    |   |-- KnowledgeBaseFull       its disk has no room left; it can be read all the same
    |   |-- KnowledgeBaseLocked     another process is writing to it
    |   |-- KnowledgeBaseUnavailable  its server cannot be reached, or broke off: a retry may help
    |   `-- KnowledgeBaseMismatch   a newer schema, or an index that is not what it says it is
    |-- BackendError
    |   |-- BackendUnavailable      a retry may help
    |   |-- BackendRejected         a retry will not help
    |   `-- UnsupportedOperation    the backend does not declare that capability
    |-- LLMError
    |   |-- LLMUnavailable          the language model is busy or failed: a retry may help
    |   |   `-- LLMUnreachable      nothing answers at its address
    |   `-- LLMRejected             the language model, or its server, refused: a retry will not help
    |       `-- LLMRefused          the model itself declined, or broke off, and may have charged for it
    |           `-- LLMCut          its answer ran into a limit of length: a higher limit may help
    |-- SignalError                 a signal could not score
    |-- StateUnavailable            the place of counts that several processes share cannot be reached
    `-- IngestError                 a file could not be read into documents
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

__all__ = [
    "BackendError",
    "BackendRejected",
    "BackendUnavailable",
    "Cancelled",
    "ConfigError",
    "IngestError",
    "KnowledgeBaseError",
    "KnowledgeBaseFull",
    "KnowledgeBaseLocked",
    "KnowledgeBaseMismatch",
    "KnowledgeBaseNotFound",
    "KnowledgeBaseUnavailable",
    "LLMCut",
    "LLMError",
    "LLMRefused",
    "LLMRejected",
    "LLMUnavailable",
    "LLMUnreachable",
    "MissingExtra",
    "SignalError",
    "StateUnavailable",
    "UnknownPlugin",
    "UnsupportedOperation",
    "VerifierError",
    "failing_as",
]


class Cancelled(Exception):
    """Nobody waits for the work any more: no failure of a plugin that it passes through, and no error to be told."""


class VerifierError(Exception):
    """Base of all errors raised on purpose. Its text is one clear line, fit to be shown to a user."""


class ConfigError(VerifierError):
    """A value, key or file of the configuration is wrong."""


class UnknownPlugin(ConfigError):
    """A plugin name that is not installed."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind, self.name, self.known = kind, name, tuple(sorted(known))
        super().__init__(f"unknown {kind} {name!r}; known: {', '.join(self.known) or 'none'}")


class MissingExtra(VerifierError):
    """An optional dependency is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        self.package, self.extra = package, extra
        super().__init__(f"{package} is not installed; run: pip install 'rag-claim-verifier[{extra}]'")


class KnowledgeBaseError(VerifierError):
    """A knowledge base cannot be used as it is."""


class KnowledgeBaseNotFound(KnowledgeBaseError):
    """There is no knowledge base at that path."""


class KnowledgeBaseFull(KnowledgeBaseError):
    """There is no room to write. What is stored can be read."""


class KnowledgeBaseLocked(KnowledgeBaseError):
    """Another process holds the write lock of the knowledge base."""


class KnowledgeBaseUnavailable(KnowledgeBaseError):
    """The server of the knowledge base cannot be reached, or broke off: the same call may succeed later."""


class KnowledgeBaseMismatch(KnowledgeBaseError):
    """The knowledge base has a newer schema, or an index whose stamp is not what its fingerprint promises."""


class BackendError(VerifierError):
    """A retrieval backend failed."""


class BackendUnavailable(BackendError):
    """The backend cannot be reached or is busy: the same call may succeed later."""


class BackendRejected(BackendError):
    """The backend refused the call: the same call will be refused again."""


class UnsupportedOperation(BackendError):
    """The backend does not declare the capability that the call needs."""


class LLMError(VerifierError):
    """A language model that the user configured did not do what it was asked.

    ``input_tokens`` and ``output_tokens`` are what the failed call took, where the server says so.
    """

    def __init__(self, message: str, *, input_tokens: int = 0, output_tokens: int = 0) -> None:
        super().__init__(message)
        self.input_tokens, self.output_tokens = input_tokens, output_tokens


class LLMUnavailable(LLMError):
    """The language model cannot be reached, is busy or failed: the same call may succeed later.

    ``retry_after`` is the server's own word on when, in seconds.
    """

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class LLMUnreachable(LLMUnavailable):
    """No connection to the language model's server came about: most often it does not run, or its address is wrong."""


class LLMRejected(LLMError):
    """The language model or its server refused the call: the same call will be refused again.

    ``refuses`` names the parts of the request that the server is known not to take (``schema``, ``temperature``,
    ``logprobs``): without them the call may succeed.
    """

    def __init__(
        self, message: str, *, input_tokens: int = 0, output_tokens: int = 0, refuses: Iterable[str] = ()
    ) -> None:
        super().__init__(message, input_tokens=input_tokens, output_tokens=output_tokens)
        self.refuses = frozenset(refuses)


class LLMRefused(LLMRejected):
    """The model declined to answer, or its answer was cut off at a limit."""


class LLMCut(LLMRefused):
    """The model's answer was cut off at a limit of length."""


class SignalError(VerifierError):
    """A signal could not score its pairs."""


class StateUnavailable(VerifierError):
    """The place of counts that several processes share cannot be reached, or does not answer in time."""


class IngestError(VerifierError):
    """A file could not be read into documents."""


@contextmanager
def failing_as(kind: type[VerifierError], what: str) -> Iterator[None]:
    """Whatever a plugin raises becomes an error of that kind: never a pass, never a traceback. ``Cancelled`` passes."""
    try:
        yield
    except (VerifierError, Cancelled):
        raise
    except Exception as error:
        raise kind(f"{what} failed: {type(error).__name__}: {error}") from error
