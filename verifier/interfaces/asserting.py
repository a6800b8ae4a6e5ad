"""Assert in a test that an answer is grounded, or show what failed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self, Unpack

from verifier.interfaces.library import Options, configured, verify, verify_against
from verifier.interfaces.opened import KnowledgeBase, OpenBases
from verifier.types import Report
from verifier.verification.contexts import Context

__all__ = ["Grounded", "assert_grounded"]


class Grounded:
    """:func:`assert_grounded` for many answers: a knowledge base that it opens stays open until :meth:`close`."""

    def __init__(self) -> None:
        self._bases = OpenBases()

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
            report = verify_against(answer, self._bases.source(kb, configured(**options)), prompt, **options)
        else:
            raise TypeError("give contexts=[...] or kb=..., one of them")
        return report.assert_grounded()

    def close(self) -> None:
        """Close what was opened."""
        self._bases.close()

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
        kb: in their place, a knowledge base: its folder or address, or an open store. A folder is opened for this call;
            the fixture ``grounded`` opens each once.
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
