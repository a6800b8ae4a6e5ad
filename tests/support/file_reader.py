"""A process that reads files as ``verifier.interfaces.parsing.worker`` does, but for what their names tell it to.

``dies`` in a name ends it by SIGKILL when it comes to the file, ``dies later`` after its first line of it, ``stops`` is
what no other file would fare better with, and with ``broken`` as its argument it does not start.
"""

import os
import signal
import sys
from collections.abc import Iterator
from typing import Any

from verifier.core.errors import ConfigError
from verifier.interfaces.parsing import worker
from verifier.interfaces.parsing.messages import stop_line
from verifier.interfaces.processes import own_stdout

read = worker.read


def read_or_die(file: Any, *arguments: Any) -> Iterator[str]:
    if "stops" in file.source:
        yield stop_line(ConfigError("nothing goes"))
        return
    lines = read(file, *arguments)
    if "dies later" in file.source:
        yield next(lines)
    if "dies" in file.source:
        os.kill(os.getpid(), signal.SIGKILL)
    yield from lines


def stdout_by_lines() -> Any:
    channel = own_stdout()
    channel.reconfigure(line_buffering=True)  # type: ignore[attr-defined]
    return channel


if __name__ == "__main__":
    if "broken" in sys.argv:
        sys.exit(3)
    worker.own_stdout = stdout_by_lines
    worker.read = read_or_die
    sys.exit(worker.main())
