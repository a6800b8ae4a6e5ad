"""An answer and what it rests on in; its report out, or an error that shows what failed: for tests of a program."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Self, Unpack

from verifier.config import Settings
from verifier.factory import open_store
from verifier.interfaces.library import Options, configured, verify, verify_against
from verifier.types import Report
from verifier.verification.contexts import Context
from verifier.verification.retrieve import KnowledgeSource

__all__ = ["Grounded", "assert_grounded"]

KnowledgeBase = str | os.PathLike[str] | KnowledgeSource
"""The folder of a knowledge base, or an open one."""


class Grounded:
    """:func:`assert_grounded` for many answers: a knowledge base that it opens stays open until :meth:`close`."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._stores: dict[str, KnowledgeSource] = {}

    def __call__(
        self,
        answer: str,
        contexts: Iterable[Context] | None = None,
        *,
        kb: KnowledgeBase | None = None,
        prompt: str | None = None,
        **options: Unpack[Options],
    ) -> Report:
        """As :func:`assert_grounded`."""
        __tracebackhide__ = True
        if contexts is not None and kb is None:
            report = verify(answer, contexts, prompt, **options)
        elif kb is not None and contexts is None:
            report = verify_against(answer, self._source(kb, configured(**options)), prompt, **options)
        else:
            raise TypeError("give contexts=[...] or kb=..., one of them")
        return report.assert_grounded()

    def _source(self, kb: KnowledgeBase, settings: Settings) -> KnowledgeSource:
        """The knowledge base itself, or the one in that folder."""
        if not isinstance(kb, str | os.PathLike):
            if not hasattr(kb, "retrieve"):
                raise TypeError(f"kb is of type {type(kb).__name__}: give a folder, or an open store")
            return kb
        table = settings.kb.model_copy(update={"path": os.fspath(kb)})
        own = settings.model_copy(update={"kb": table})
        key = own.model_dump_json(exclude={"decision", "verdict"})
        if key not in self._stores:
            self._stores[key] = self._open.enter_context(open_store(own))
        return self._stores[key]

    def close(self) -> None:
        """Close what was opened."""
        self._open.close()
        self._stores.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def assert_grounded(
    answer: str,
    contexts: Iterable[Context] | None = None,
    *,
    kb: KnowledgeBase | None = None,
    prompt: str | None = None,
    **options: Unpack[Options],
) -> Report:
    """Check an answer against contexts or a knowledge base, and give its report if it is approved.

    Args:
        answer: the text to check.
        contexts: as for :func:`verify`.
        kb: in their place, a knowledge base: its folder, or an open store. A folder is opened for this call; the
            fixture ``grounded`` opens each once.
        prompt: the question; it completes answers that say nothing without it.
        options: as for :func:`verify`: ``strict``, ``min_groundedness`` ...

    Raises:
        NotGrounded: an ``AssertionError`` that shows each claim that failed, with evidence and what differs.
        TypeError, IngestError, ConfigError, MissingExtra: as for :func:`verify`; both or none of contexts and ``kb``.
        KnowledgeBaseError: the knowledge base cannot be used.
    """
    __tracebackhide__ = True
    with Grounded() as check:
        return check(answer, contexts, kb=kb, prompt=prompt, **options)
