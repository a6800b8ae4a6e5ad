"""The functions for Python programs: check an answer against given texts, with nothing put on disk."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias, TypedDict, TypeVar, Unpack

from pydantic import ValidationError

from verifier.config import FailingVerdict, Settings, load
from verifier.config.base import said_of
from verifier.core.errors import ConfigError, IngestError
from verifier.core.garbage import left_alone
from verifier.core.recent import RecentlyUsed, digest
from verifier.interfaces.early import models_opening
from verifier.types import Document, Report

if TYPE_CHECKING:
    from verifier.measure.ready import ReadySignals
    from verifier.verification.contexts import Context
    from verifier.verification.retrieve import KnowledgeSource
    from verifier.verification.scorer import VerifiedScorer

__all__ = [
    "Options",
    "averify",
    "configured",
    "in_thread",
    "shared_scorer",
    "verify",
    "verify_against",
    "verify_many",
]

Result = TypeVar("Result")


class Options(TypedDict, total=False):
    """What a call may set; anything else is as ``verifier.toml`` and the environment have it, or ``settings``."""

    settings: Settings
    """The whole configuration, in the place of ``verifier.toml`` and the environment."""
    strict: bool
    min_groundedness: float
    fail_on: Sequence[FailingVerdict]
    suggest_fixes: bool


_TABLES = {
    "strict": "decision",
    "min_groundedness": "decision",
    "fail_on": "decision",
    "suggest_fixes": "verdict",
}
"""The table of the configuration in which each option stands."""


class _Scorers:
    """Scorers by configuration, made on first use; those that differ in their rule alone share signals and models."""

    def __init__(self) -> None:
        self._making = Lock()
        self._signals: RecentlyUsed[ReadySignals] = RecentlyUsed(4)
        self._scorers: RecentlyUsed[VerifiedScorer] = RecentlyUsed(32)

    def of(self, settings: Settings) -> VerifiedScorer:
        """The scorer of a configuration."""
        key = digest(settings.model_dump_json())
        with self._making:
            scorer = self._scorers.get(key)
            if scorer is None:
                with left_alone():
                    scorer = self._made(settings)
                self._scorers.update([(key, scorer)])
            return scorer

    def opening(self, settings: Settings) -> AbstractContextManager[None]:
        """For a block that checks something: the first one of a process opens its models beside what it imports."""
        return nullcontext() if len(self._scorers) else models_opening(settings, searching=False)

    def _made(self, settings: Settings) -> VerifiedScorer:
        from verifier.measure.ready import build_scorer
        from verifier.verification.retrieve import GivenTexts

        return build_scorer(settings, GivenTexts.of(), self._signals_of(settings))

    def _signals_of(self, settings: Settings) -> ReadySignals:
        from verifier.measure.ready import ReadySignals

        key = digest(settings.model_dump_json(exclude={"decision", "kb", "server"}))
        signals = self._signals.get(key)
        if signals is None:
            signals = ReadySignals.of(settings)
            self._signals.update([(key, signals)])
        return signals


_SCORERS = _Scorers()


def shared_scorer(settings: Settings) -> VerifiedScorer:
    """The one scorer that this process has for a configuration; safe to share by threads. It has no source of its own.

    Raises:
        ConfigError, MissingExtra: the configuration cannot work as it is.
    """
    return _SCORERS.of(settings)


def configured(**options: Unpack[Options]) -> Settings:
    """The configuration of a call: its ``settings``, or else the file and the environment, with its options in it.

    Raises:
        TypeError: there is no such option, or ``settings`` is something else.
        ConfigError: a value does not fit.
    """
    if unknown := options.keys() - {"settings", *_TABLES}:
        known = ", ".join(("settings", *_TABLES))
        raise TypeError(f"unknown option {min(unknown)!r}; known: {known}")
    settings = options["settings"] if options.get("settings") is not None else load().settings
    if not isinstance(settings, Settings):
        raise TypeError(
            f"settings is of type {type(settings).__name__}: give verifier.load().settings, or Settings()"
        )
    given = {name: value for name, value in options.items() if name in _TABLES and value is not None}
    if not given:
        return settings
    raw = settings.whole()
    for name, value in given.items():
        raw[_TABLES[name]][name] = value
    try:
        return Settings.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigError(f"{first['loc'][1]} = {first['input']!r}: {said_of(first)}") from error


def verify(
    answer: str, contexts: Iterable[Context], prompt: str | None = None, **options: Unpack[Options]
) -> Report:
    """Check an answer, claim by claim, against the contexts that it rests on. Nothing is put on disk.

    The first call of a process opens the models; all that follow share them, from whatever thread. Where the contexts
    make up to ``retrieval.top_k`` passages, all of them are evidence for every claim; of more, each claim gets its
    ``top_k`` best by its words (:class:`GivenContexts`). Evidence names its context (``context 2``, or the source that
    was given), with offsets into its text.

    Args:
        answer: the text to check.
        contexts: texts, Documents, or mappings with ``text`` and ``source``, in any mix.
        prompt: the question; it completes answers that say nothing without it, and is no evidence.
        options: ``settings`` (in the place of ``verifier.toml`` and the environment), ``strict``, ``min_groundedness``,
            ``fail_on`` and ``suggest_fixes``.

    Raises:
        TypeError: the answer is no text, a context is nothing of the kind, or there is no such option.
        IngestError: there are no contexts, or one is blank.
        ConfigError, MissingExtra: the configuration cannot work as it is.
    """
    _ensure_texts(answer, prompt)
    settings = configured(**options)
    with _SCORERS.opening(settings):
        scorer = shared_scorer(settings)
        return _checked(scorer, settings, *_read(answer, contexts, prompt))


def verify_against(
    answer: str, source: KnowledgeSource, prompt: str | None = None, **options: Unpack[Options]
) -> Report:
    """:func:`verify` against an open knowledge base.

    Raises:
        TypeError, ConfigError, MissingExtra: as for :func:`verify`.
    """
    _ensure_texts(answer, prompt)
    settings = configured(**options)
    with _SCORERS.opening(settings):
        return shared_scorer(settings).verify(answer, prompt=prompt, source=source)


async def averify(
    answer: str, contexts: Iterable[Context], prompt: str | None = None, **options: Unpack[Options]
) -> Report:
    """:func:`verify` in a thread, so that the event loop goes on; several at once share the models.

    Where the await is cancelled, as ``asyncio.wait_for`` does, the check ends at its next step.
    """
    return await in_thread(partial(verify, answer, contexts, prompt, **options))


async def in_thread(check: Callable[[], Result]) -> Result:
    """What ``check`` gives, computed in a thread; where the await is cancelled, it ends at its next step."""
    import asyncio

    from verifier.interfaces.server.giving_up import Ticket

    ticket = Ticket(math.inf)
    try:
        return await asyncio.to_thread(ticket.spent_on, check)
    finally:
        ticket.give_up()


Case: TypeAlias = "tuple[str, Iterable[Context]] | tuple[str, Iterable[Context], str | None]"
"""An answer, its contexts and, if there is one, its prompt."""


def verify_many(cases: Iterable[Case], **options: Unpack[Options]) -> list[Report]:
    """A report for each (answer, contexts) or (answer, contexts, prompt), in order, the same as :func:`verify` gives.

    All are looked at before the first is checked: what :func:`verify` refuses comes at once.

    Raises:
        TypeError, IngestError, ConfigError, MissingExtra: as for :func:`verify`.
    """
    settings = configured(**options)
    with _SCORERS.opening(settings):
        scorer = shared_scorer(settings)
        read = [_numbered(n, case) for n, case in enumerate(cases, 1)]
        return [_checked(scorer, settings, *one) for one in read]


_Read = tuple[str, tuple[Document, ...], str | None]


def _read(answer: str, contexts: Iterable[Context], prompt: str | None = None) -> _Read:
    """A case whose parts are what they should be."""
    from verifier.verification.contexts import documents_of

    _ensure_texts(answer, prompt)
    return answer, documents_of(contexts), prompt


def _ensure_texts(answer: str, prompt: str | None) -> None:
    for name, text in (("answer", answer), ("prompt", "" if prompt is None else prompt)):
        if not isinstance(text, str):
            raise TypeError(f"the {name} is of type {type(text).__name__}: give a text")


def _numbered(n: int, case: Case) -> _Read:
    """:func:`_read`, with errors that say which case they are about."""
    if not isinstance(case, tuple | list) or len(case) not in (2, 3):
        raise TypeError(f"case {n}: give (answer, contexts) or (answer, contexts, prompt)")
    try:
        return _read(*case)
    except (TypeError, IngestError) as error:
        raise type(error)(f"case {n}: {error}") from error


def _checked(
    scorer: VerifiedScorer,
    settings: Settings,
    answer: str,
    documents: tuple[Document, ...],
    prompt: str | None,
) -> Report:
    from verifier.verification.contexts import GivenContexts

    source = GivenContexts(documents, settings.chunking.max_chars)
    return scorer.verify(answer, prompt=prompt, source=source)
