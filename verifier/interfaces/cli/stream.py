"""``verifier stream``: check a stream on stdin, with its checked sentences on stdout and a halt's reason on stderr."""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.core.errors import ConfigError
from verifier.interfaces.cli import exits
from verifier.interfaces.cli.options import (
    ConfigFile,
    KnowledgeBase,
    Namespace,
    Quiet,
    configuration,
    ensure_namespace,
    ensure_ready,
    existing_store,
    shared_signals,
)
from verifier.interfaces.cli.output import note, write_text

if TYPE_CHECKING:
    from verifier.guard.streaming import StreamSession

__all__ = ["stream"]

_CHUNK = 4096
_WORD = re.compile(r"\S+\s*|\s+")


def stream(
    prompt: Annotated[str, typer.Option("--prompt", help="What the stream answers.")] = "",
    hard_limit: Annotated[
        float | None,
        typer.Option("--hard-limit", min=0.0, max=1.0, help="A score below it halts. [default: 0.5]"),
    ] = None,
    soft: Annotated[bool, typer.Option("--soft", help="Finish the sentence before a soft halt.")] = False,
    events: Annotated[
        Path | None, typer.Option("--events", metavar="FILE", help="Write every score there, as JSON lines.")
    ] = None,
    kb: KnowledgeBase = None,
    config: ConfigFile = None,
    namespace: Namespace = None,
    quiet: Quiet = False,
) -> None:
    """Release a stream sentence by sentence, each after its check: exit 0 all released, 1 halted, 3 not checked."""
    halt_mode = "soft" if soft else None
    configured = configuration(
        config, kb, namespace, stream__hard_limit=hard_limit, stream__halt_mode=halt_mode, quiet=quiet
    )
    from verifier.guard.factory import build_streaming_kernel
    from verifier.guard.streaming import StreamSession

    session = StreamSession()
    with existing_store(configured, quiet=quiet) as store:
        ensure_namespace(store, configured.settings.kb.namespace)
        shared = shared_signals(configured, quiet)
        kernel = build_streaming_kernel(configured.settings, store, prompt=prompt, shared=shared)
        ensure_ready(store)
        for piece in kernel.release(_tokens(), session):
            write_text(piece, None)
    _tell(session, events, quiet)
    raise typer.Exit(_exit_code(session))


def _tokens() -> Iterator[str]:
    """The words that stand on stdin, as they come: what ``hold_tokens`` and ``soft_cap`` count.

    Raises:
        ConfigError: it is not UTF-8.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        while raw := os.read(sys.stdin.fileno(), _CHUNK):
            yield from _WORD.findall(decoder.decode(raw))
        yield decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        raise ConfigError(f"stdin is not UTF-8: {error.reason}; nothing more was released") from error


def _exit_code(session: StreamSession) -> int:
    from verifier.guard.streaming import HaltKind

    if session.halt is None:
        passed_over = any(event.note and event.value is None for event in session.events)
        return exits.OK if _was_checked(session) and not passed_over else exits.INCOMPLETE
    unchecked = session.halt.kind in (HaltKind.ERROR, HaltKind.TIMEOUT)
    return exits.INCOMPLETE if unchecked else exits.REJECTED


def _was_checked(session: StreamSession) -> bool:
    """Whether anything in the stream had a score."""
    return any(event.value is not None for event in session.events)


def _tell(session: StreamSession, events: Path | None, quiet: bool) -> None:
    """The events to their file, the halt to stderr; a halt is told though ``quiet``, since it is the answer."""
    if events is not None:
        import json
        from dataclasses import asdict

        write_text("".join(json.dumps(asdict(event)) + "\n" for event in session.events), events)
    if session.halt is not None:
        held = len(session.text) - session.given_out
        if sys.stdout.isatty() and not session.text[: session.given_out].endswith("\n"):
            write_text(
                "\n", None
            )  # on a screen the reason begins a line; a pipe gets what was released and no more
        note(f"halted ({session.halt.kind.value}): {session.halt.reason}; {held} characters held back")
    elif not session.text.strip():
        note("the stream is empty: nothing to check", quiet)
    elif not _was_checked(session):
        note("the stream states nothing that could be checked", quiet)
