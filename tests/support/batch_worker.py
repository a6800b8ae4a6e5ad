"""A worker that keeps to the protocol of ``verifier.interfaces.batch.worker`` and does what its rows tell it to.

``die`` ends it each time, ``die once`` the first time, ``die with parent`` ends the process that started it too,
``stop`` stops the run while a file ``gone`` is there.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path


def say(value: object) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def main() -> None:
    folder = Path(sys.argv[1])
    sys.stdin.readline()
    if (folder / "broken").exists():
        sys.exit(3)
    say({"ready": True})
    for line in sys.stdin:
        text = json.loads(line)["response"]
        if text == "stop" and (folder / "gone").exists():
            say({"stop": {"kind": "KnowledgeBaseNotFound", "message": "it is gone"}})
            continue
        if text == "die with parent":
            os.kill(os.getppid(), signal.SIGKILL)
            sys.exit(1)
        first = not (folder / "died").exists()
        if text == "die" or (text == "die once" and first):
            (folder / "died").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.004)
        report = {"claims": [{"verdict": "supported"}], "said": text}
        say({"seconds": 0.004, "decision": "approved", "report": report})


if __name__ == "__main__":
    main()
