"""The process that checks: a setup and rows on stdin, a record for each on stdout, a JSON value a line.

The setup is ``{"settings": ..., "has_base": ..., "box": ...}`` and answered by ``{"ready": true}``. What stops the
whole run is ``{"stop": {"kind": ..., "message": ...}}``. It ends with its stdin, and so with the process that started
it.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import IO, Any

from verifier.config import Settings
from verifier.core.errors import VerifierError
from verifier.core.garbage import collect_rarely
from verifier.interfaces.batch.checking import Checker, error_record
from verifier.interfaces.batch.rows import Row
from verifier.interfaces.processes import own_stdout, stop_of

__all__ = ["main"]


def main() -> int:
    """Answer until stdin ends."""
    collect_rarely()
    channel = own_stdout()
    try:
        setup = json.loads(sys.stdin.readline() or "null")
        if setup is None:
            return 0
        return _serve(setup, channel)
    except BrokenPipeError:  # nobody is left who would read it
        return 0


def _serve(setup: dict[str, Any], channel: IO[str]) -> int:

    try:
        box = Path(setup["box"]) if setup["box"] else None
        checker = Checker(Settings.model_validate(setup["settings"]), has_base=setup["has_base"], box=box)
    except VerifierError as error:
        _say(channel, stop_of(error))
        return 0
    _say(channel, {"ready": True})
    for line in sys.stdin:
        answer = _answer(checker, line)
        _say(channel, answer)
        if "stop" in answer:
            break
    checker.close()
    return 0


def _answer(checker: Checker, line: str) -> dict[str, Any]:
    """The record of a row, or what stops the run."""
    started = time.perf_counter()
    try:
        record = checker.record(Row(**json.loads(line)))
    except VerifierError as error:
        return stop_of(error)
    except MemoryError:
        record = error_record("memory", "there was not enough memory to read it")
    return {"seconds": round(time.perf_counter() - started, 4), **record}


def _say(channel: IO[str], value: dict[str, Any]) -> None:
    channel.write(json.dumps(value) + "\n")
    channel.flush()


if __name__ == "__main__":
    sys.exit(main())
