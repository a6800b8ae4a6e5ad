"""The command line and the server look for garbage less often than Python does by itself."""

from __future__ import annotations

import gc

from verifier.core.garbage import collect_rarely, left_alone


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


def test_garbage_is_left_alone_in_a_block_and_then_collected_as_before() -> None:
    on = gc.isenabled()
    try:
        for before in (gc.enable, gc.disable):
            before()
            kept = gc.isenabled()
            with left_alone():
                assert not gc.isenabled()
            assert gc.isenabled() is kept
    finally:
        (gc.enable if on else gc.disable)()
