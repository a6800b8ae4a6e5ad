"""A pytest plugin: the fixture ``grounded`` for tests of answers. It loads nothing of the toolkit before it is used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from verifier.interfaces.asserting import Grounded

__all__ = ["grounded"]


@pytest.fixture(scope="session")
def grounded() -> Iterator[Grounded]:
    """Checks an answer: ``grounded(answer, contexts=[...])`` or ``grounded(answer, kb="kb")``.

    Gives the report, or fails the test with each claim that failed, its evidence and what differs. ``prompt=``,
    ``strict=``, ``min_groundedness=`` and the other options of ``verifier.verify`` go with it. Models and knowledge
    bases are opened once a session.
    """
    from verifier.interfaces.asserting import Grounded

    with Grounded() as check:
        yield check
