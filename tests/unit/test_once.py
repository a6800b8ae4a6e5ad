"""What is expensive is made once, whoever asks first."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from verifier.core.once import made_once


class Maker:
    """Counts how often it makes its thing, and fails the first times."""

    def __init__(self, failures: int = 0) -> None:
        self.failures, self.made = failures, 0

    @made_once
    def thing(self) -> object:
        """What is made."""
        self.made += 1
        if self.made <= self.failures:
            raise OSError("not yet")
        return object()


def test_threads_that_ask_together_get_the_one_thing() -> None:
    maker, together = Maker(), Barrier(8)

    def ask() -> object:
        together.wait()
        return maker.thing

    with ThreadPoolExecutor(8) as pool:
        found = [future.result() for future in [pool.submit(ask) for _ in range(8)]]
    assert maker.made == 1
    assert set(map(id, found)) == {id(maker.thing)}


def test_each_instance_has_its_own_and_the_class_has_the_docstring() -> None:
    assert Maker().thing is not Maker().thing
    assert Maker.thing.__doc__ == "What is made."


def test_a_failure_is_raised_and_the_next_one_tries_again() -> None:
    maker = Maker(failures=1)
    with pytest.raises(OSError, match="not yet"):
        _ = maker.thing
    assert maker.thing is maker.thing
    assert maker.made == 2
