"""Outcomes of a fault in one short line: what a report, an exit code or an answer of the server says."""

from __future__ import annotations

import asyncio
import io
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx

from verifier.core.errors import VerifierError
from verifier.types import Report, Status
from verifier.verification.report import to_json

__all__ = [
    "FACT",
    "FALSE",
    "TEXT",
    "Came",
    "Condition",
    "answer",
    "application",
    "command",
    "engine_of",
    "of_report",
    "refused",
]

FACT = "An annual plan is refunded in full within 30 days of purchase."
"""Stands in ``TEXT`` word for word, so that it is approved wherever nothing goes wrong."""
FALSE = FACT.replace("30", "60")
"""What ``TEXT`` denies, for conditions that the product overcomes: it still sees that."""
TEXT = f"{FACT} Set-up fees are never refunded."

_OURS = ("VERIFIER_", "COHERENCE_", "OPENAI_", "ANTHROPIC_")


@dataclass(frozen=True, slots=True)
class Came:
    """What came of a condition: ``said`` in few words, whether anything in it is an approval, and the reason given."""

    said: str
    approved: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that goes wrong on the way to a decision.

    ``expected`` is what :attr:`Came.said` must be. ``guard`` names the test that holds it, as ``path::name``. ``run``
    makes it happen in a folder of its own. ``reason`` are words that must stand in :attr:`Came.why`.
    """

    name: str
    expected: str
    guard: str
    run: Callable[[Path], Came]
    reason: str = ""

    def holds(self, came: Came) -> bool:
        """Whether it came out as expected, for that reason, and not as an approval."""
        return not came.approved and came.said == self.expected and self.reason in came.why


def of_report(report: Report | Mapping[str, Any]) -> Came:
    """The decision with what the claims are: ``rejected: error``."""
    told = to_json(report) if isinstance(report, Report) else report
    kinds = {
        str(claim["verdict"] or claim["status"])
        for claim in told["claims"]
        if claim["status"] != Status.SKIPPED.value
    }
    said = f"{told['decision']}: {', '.join(sorted(kinds))}" if kinds else str(told["decision"])
    why = " ".join([str(told.get("reason", "")), *(str(claim["reason"]) for claim in told["claims"])])
    return Came(said, bool(told["approved"]), why)


def refused(made: Callable[[], object]) -> Came:
    """The kind of the error that a call ends with; any other ending counts as approval."""
    try:
        made()
    except VerifierError as error:
        return Came(f"raises {type(error).__name__}", False, str(error))
    return Came("no error", approved=True)


def command(place: Path, *arguments: str, stdin: str = "", **settings: object) -> Came:
    """The exit code of ``verifier ARGUMENTS`` in this process, with what its JSON says where it prints some.

    Settings are written ``kb__path``; names in capitals are variables of the environment.
    """
    printed, noted, code = run_command(place, *arguments, stdin=stdin, **settings)
    came = _of_json(printed)
    said = f"exit {code}" + (f", {came.said}" if came else "")
    return Came(said, code == 0 or bool(came and came.approved), f"{came.why if came else printed} {noted}")


def run_command(place: Path, *arguments: str, stdin: str = "", **settings: object) -> tuple[str, str, int]:
    """What the command prints on stdout and on stderr, and its exit code."""
    from verifier.interfaces.cli import main

    out, noted = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    piped = place / ".stdin"
    piped.write_text(stdin, encoding="utf-8")
    code = 0
    with (
        chdir(place),
        _environment(place, settings),
        patch.object(sys, "argv", ["verifier", *arguments]),
        patch.object(sys, "stdout", out),
        patch.object(sys, "stderr", noted),
        piped.open(encoding="utf-8") as given,  # a file, for who reads its descriptor
        patch.object(sys, "stdin", given),
    ):
        try:
            main()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        return _written(out), _written(noted), code


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


@contextmanager
def _environment(place: Path, settings: Mapping[str, object]) -> Iterator[None]:
    """Without the settings of whoever runs this; what is kept for a user goes into the folder."""
    bare = {key: value for key, value in os.environ.items() if not key.startswith(_OURS)}
    given = {
        name if name.isupper() else f"VERIFIER_{name.upper()}": _spelt(value)
        for name, value in settings.items()
    }
    with patch.dict(os.environ, {**bare, "VERIFIER_CACHE_DIR": str(place / ".cache"), **given}, clear=True):
        yield


def _spelt(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _of_json(printed: str) -> Came | None:
    """What a report or a review on stdout says."""
    try:
        told = json.loads(printed)
    except ValueError:
        return None
    if not isinstance(told, dict) or "decision" not in told:
        return None
    return of_report({**told, "approved": told["decision"] == "approved"})


def application(place: Path, **settings: object) -> Any:
    """The server's application over a knowledge base in the folder; keys of settings are written ``server__queue``."""
    from verifier.config import load
    from verifier.interfaces.server.app import create_app

    given = {"signals.nli": False, "backend.type": "bm25", "kb.path": str(place / "kb")}
    given |= {key.replace("__", "."): value for key, value in settings.items()}
    return create_app(load(overrides=given).settings, create=True)


def engine_of(app: Any) -> Any:
    """What stands behind the routes of an application, under the layers around it."""
    while not hasattr(app, "state"):
        app = app._app if hasattr(app, "_app") else app.app
    return app.state.engine


def answer(app: Any, path: str, **options: Any) -> Came:
    """What the server answers to one POST: its status, with the report's decision or the error's code."""

    async def once() -> httpx.Response:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.post(path, **options)

    got = asyncio.run(once())
    told = got.json()
    if "error" in told:
        return Came(f"{got.status_code} {told['error']['code']}", False, told["error"]["message"])
    came = of_report(told) if "decision" in told else Came("no decision", approved=True)
    return Came(f"{got.status_code}, {came.said}", came.approved, came.why)
