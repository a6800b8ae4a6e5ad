"""The command line and the server look for garbage less often than Python does by itself."""

from __future__ import annotations

import gc

from verifier.core.garbage import collect_rarely


def test_new_objects_are_looked_through_less_often_and_old_ones_as_before() -> None:
    before = gc.get_threshold()  # another test of this process may have run a program that collects rarely
    try:
        gc.set_threshold(700, 10, 10)
        collect_rarely()
        assert gc.isenabled()
        young, *older = gc.get_threshold()
        assert young > 700
        assert older == [10, 10]
    finally:
        gc.set_threshold(*before)
