"""The command line and the server look for garbage less often than Python does by itself."""

from __future__ import annotations

import gc

from verifier.core.garbage import collect_rarely


def test_new_objects_are_looked_through_less_often_and_old_ones_as_before() -> None:
    young, *older = before = gc.get_threshold()
    try:
        collect_rarely()
        assert gc.isenabled()
        assert gc.get_threshold()[0] > young
        assert [*gc.get_threshold()[1:]] == older
    finally:
        gc.set_threshold(*before)
