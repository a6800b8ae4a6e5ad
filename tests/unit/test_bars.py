"""Bars of long work: on a terminal, with rate and time left; of short work, and where there is no terminal, none."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

WORK = """
import time
from verifier.interfaces.cli import bars
from verifier.interfaces.cli.options import progress_bars
bars.AFTER = {after}
with progress_bars(False) as tell:
    for done in range(8):
        if tell:
            tell("claims", done, 20)
        time.sleep(0.1)
"""


def drawn(after: float, *, terminal: bool) -> str:
    """What stands on stderr after less than a second of work."""
    reading, writing = os.openpty() if terminal else os.pipe()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    command = [sys.executable, "-c", WORK.format(after=after)]
    with subprocess.Popen(command, stderr=writing, env=environment) as process:
        os.close(writing)
        parts = []
        try:
            while part := os.read(reading, 4096):
                parts.append(part)
        except OSError:  # the terminal is gone with its process
            pass
        assert process.wait(60) == 0
    os.close(reading)
    return b"".join(parts).decode()


def test_long_work_is_drawn_with_its_rate_and_the_time_left() -> None:
    said = drawn(0.05, terminal=True)
    assert "claims" in said
    assert "/20" in said
    assert "/s" in said
    assert "left" in said


@pytest.mark.parametrize(("after", "terminal"), [(30.0, True), (0.05, False)])
def test_what_is_done_at_once_or_written_to_a_file_is_not(after: float, terminal: bool) -> None:
    assert drawn(after, terminal=terminal) == ""
