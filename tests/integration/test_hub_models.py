"""A model on a hub, played by a server on this machine: pinned to a commit, fetched once, then read without network."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

pytest.importorskip("torch")

from benchmarks.random_models import make

COMMIT = "c0ffee" * 6 + "c0ff"
NAME = "someone/tiny-nli"

SCORE = """
import sys
from verifier_signals.nli import NLISignal
from verifier_signals.types import TextPair
from verifier.core.errors import VerifierError
for revision in sys.argv[1:]:
    try:
        signal = NLISignal("someone/tiny-nli", revision=revision or None)
        (score,) = signal.score([TextPair("the cat sat", "a dog ran")])
        print(round(score.support, 6), signal.title, signal.fingerprint)
    except VerifierError as error:
        print(error)
"""


class Hub:
    """What the client asks of a hub, over a folder; ``asked`` holds the paths."""

    def __init__(self, folder: Path) -> None:
        self.asked: list[str] = []
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                hub.asked.append(self.path)
                if self.path.startswith(f"/api/models/{NAME}/tree/{COMMIT}"):
                    tree = [
                        {"type": "file", "path": path.name, "size": path.stat().st_size, "oid": "0" * 40}
                        for path in sorted(folder.iterdir())
                    ]
                    return self._send(json.dumps(tree).encode())
                if self.path.startswith(f"/api/models/{NAME}"):
                    files = [{"rfilename": path.name} for path in sorted(folder.iterdir())]
                    return self._send(json.dumps({"id": NAME, "sha": COMMIT, "siblings": files}).encode())
                name = self.path.rsplit("/", 1)[-1]
                if self.path.startswith(f"/{NAME}/resolve/{COMMIT}/") and (folder / name).is_file():
                    return self._send((folder / name).read_bytes())
                self.send_error(404)
                return None

            do_HEAD = do_GET  # noqa: N815

            def _send(self, body: bytes) -> None:
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("ETag", f'"{hashlib.sha256(body).hexdigest()}"')
                self.send_header("X-Repo-Commit", COMMIT)
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    folder = make("bert", tmp_path / "published")
    (folder / "pytorch_model.bin").write_bytes(b"the same weights in another form")
    served = Hub(folder)
    thread = threading.Thread(target=served.server.serve_forever)
    thread.start()
    yield served
    served.server.shutdown()
    thread.join()
    served.server.server_close()


def score(revisions: Sequence[str], url: str, home: Path) -> list[str]:
    """What a new process prints for each revision."""
    environ = {"HF_ENDPOINT": url, "HF_HOME": str(home), "PATH": "", "HF_HUB_DISABLE_XET": "1"}
    done = subprocess.run(
        [sys.executable, "-c", SCORE, *revisions], capture_output=True, text=True, env=environ, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_hub_model_is_pinned_fetched_once_and_then_read_without_network(hub: Hub, tmp_path: Path) -> None:
    home = tmp_path / "home"
    unpinned, moving, first = score(["", "main", COMMIT], hub.url, home)
    assert "has no revision; pin it to a commit" in unpinned
    assert "has revision = 'main', which can move" in moving
    for message in (unpinned, moving):
        assert f'revision = "{COMMIT}" (what it is now)' in message
    support, title, _ = first.split()
    assert 0 < float(support) < 1
    assert title == f"{NAME}@{COMMIT}"
    assert not any(path.endswith("pytorch_model.bin") for path in hub.asked), "one form is enough"
    [weights] = home.rglob("model.safetensors")
    weights.unlink()
    assert score([COMMIT], hub.url, home) == [first], "a download that broke off is completed"
    assert score([COMMIT], "http://127.0.0.1:9", home) == [first], "what is there needs no network"
