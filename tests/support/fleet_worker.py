"""A worker that serves nothing: it tells the board what its first argument says, and does as told until its end."""

import json
import signal
import sys
import time

from verifier.interfaces.server.fleet.board import Board, WorkerState


def main(how: str) -> int:
    """``refuses``, ``stubborn``, ``dies`` or ``orphan``; the exit code."""
    setup = json.loads(sys.stdin.readline())
    board = Board(setup["settings"]["server"]["processes"], setup["board"])
    place = board.place(setup["number"])
    if how == "refuses":
        return 2
    if how == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.stderr.write("begun\n")
    place.state = WorkerState.READY
    if how == "dies" and setup["number"] == 1 and board.restarts < 3:
        return 3
    if how == "orphan":
        sys.stdin.read()
        sys.stderr.write("ended\n")
        return 0
    while True:
        time.sleep(0.05)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
