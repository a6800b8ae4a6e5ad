"""``verifier recheck``: verify saved reports again where the knowledge base has changed, and say what flipped and
why.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from verifier.core.alone import alone_with
from verifier.core.errors import ConfigError
from verifier.core.visible import visible
from verifier.interfaces.cli import exits
from verifier.interfaces.cli.options import (
    ConfigFile,
    Json,
    KnowledgeBase,
    Quiet,
    configuration,
    existing_paths,
    existing_store,
    progress_bars,
    shared_signals,
)
from verifier.interfaces.cli.output import note, plural, refuse_overwriting, write_text

if TYPE_CHECKING:
    from verifier.interfaces.saved import Named
    from verifier.knowledge.store import GroundTruthStore
    from verifier.types import Report
    from verifier.verification.recheck import Flip, Rechecked

__all__ = ["recheck"]

_MOST_CAUSES = 3
"""Causes of a flip that a line tells; JSON has all."""

_MOST_FILES = 3
"""Edited files that are named."""


@dataclass
class _Tally:
    """What has come out so far; it grows with what flipped only."""

    reports: int = 0
    claims: int = 0
    verified: int = 0
    flips: list[tuple[str, Flip]] = field(default_factory=list)
    decisions: list[tuple[str, str, str]] = field(default_factory=list)
    """Name, decision before and after, of reports that are decided otherwise."""
    whole: list[tuple[str, str]] = field(default_factory=list)
    left: list[tuple[str, str]] = field(default_factory=list)
    """What was left as it is, and why."""
    code: int = exits.OK

    def add(self, name: str, done: Rechecked | None, reason: str) -> Report | None:
        """Count a report, or the ``reason`` why it is left as it is; gives what takes its place."""
        if done is None:
            self.left.append((name, reason))
            self.code = exits.INCOMPLETE
            return None
        self.reports, self.claims = self.reports + 1, self.claims + done.claims
        self.verified += len(done.causes)
        self.flips += [(name, flip) for flip in done.flips]
        if done.before.decision is not done.report.decision:
            self.decisions.append((name, done.before.decision.value, done.report.decision.value))
        if done.whole:
            self.whole.append((name, done.whole))
        self.code = max(self.code, exits.of_report(done.report))
        return done.report

    def as_json(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "reports": self.reports,
            "claims": self.claims,
            "verified": self.verified,
            "share": round(self.verified / self.claims, 6) if self.claims else 0.0,
            "flips": [
                {
                    "name": name,
                    "text": flip.text,
                    "start": flip.start,
                    "before": flip.before,
                    "after": flip.after,
                    "causes": [{"what": cause.what, "where": cause.where} for cause in flip.causes],
                }
                for name, flip in self.flips
            ],
            "decisions": [{"name": name, "before": was, "after": now} for name, was, now in self.decisions],
            "whole": [{"name": name, "reason": reason} for name, reason in self.whole],
            "left": [{"name": name, "reason": reason} for name, reason in self.left],
        }

    def as_text(self) -> str:
        """A few lines for people."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        for name, flip in self.flips:
            yield f"{name}: {flip.before} -> {flip.after}: {' '.join(flip.text.split())}"
            told = "; ".join(map(str, flip.causes[:_MOST_CAUSES]))
            more = len(flip.causes) - _MOST_CAUSES
            yield f"    {told}{f'; and {more} more' if more > 0 else ''}"
        yield from (f"{name}: now {now}, was {was}" for name, was, now in self.decisions)
        yield from (f"{name}: verified whole: {reason}" for name, reason in self.whole)
        yield from (f"{name}: left as it is: {reason}" for name, reason in self.left)
        share = f" ({self.verified / self.claims:.0%})" if self.claims else ""
        yield (
            f"{plural(self.reports, 'report')}: {self.verified} of {plural(self.claims, 'claim')}{share} verified "
            f"again, {plural(len(self.flips), 'verdict')} flipped"
        )


def recheck(
    reports: Annotated[
        list[Path],
        typer.Argument(metavar="REPORT...", help="Files that verify --json --output, or batch, has written."),
    ],
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Write the renewed REPORT there.")
    ] = None,
    write: Annotated[bool, typer.Option("--write", help="Renew each REPORT in place.")] = False,
    json_: Json = False,
    kb: KnowledgeBase = None,
    config: ConfigFile = None,
    quiet: Quiet = False,
) -> None:
    """After documents changed, verify again the claims that it may touch, and print what flipped.

    Exit codes as for verify: 0 all approved, 1 one rejected, 2 usage, 3 not (wholly) checked.
    """
    if output is not None and (write or len(reports) > 1):
        raise ConfigError("--output is for one REPORT, and not beside --write, which renews each in place")
    files = existing_paths(reports)
    refuse_overwriting(output, files, "--output")
    configured = configuration(config, kb)
    tally = _Tally()
    with existing_store(configured, quiet=quiet) as store, progress_bars(quiet) as progress:
        from verifier.factory import build_scorer
        from verifier.interfaces.saved import renewed
        from verifier.verification import recheck as stage

        _tell_edited(store, config, quiet)
        scorer = build_scorer(configured.settings, store, shared_signals(configured, quiet))

        def renew(named: Sequence[Named]) -> list[Report | None]:
            reasons = [_why_not(one) for one in named]
            pairs = list(zip(named, reasons, strict=True))
            able = [one.report for one, reason in pairs if one.report is not None and not reason]
            done = iter(stage.recheck(scorer, able, store, progress=progress))
            return [tally.add(one.name, None if reason else next(done), reason) for one, reason in pairs]

        for path in files:
            target = path if write else output
            _written(renewed(path, renew), target)
    told = json.dumps(tally.as_json(), indent=2, ensure_ascii=False) + "\n"
    write_text(told if json_ else visible(tally.as_text()), None)
    raise typer.Exit(tally.code)


def _tell_edited(store: GroundTruthStore, config: Path | None, quiet: bool) -> None:
    """Say which files were edited after the knowledge base was last written, and how to bring them in.

    Of a knowledge base on a server it is not known when that was.
    """
    from verifier.knowledge.creation import DATABASE_NAME
    from verifier.knowledge.vanished import edited

    if store.directory is None:
        return
    written = (store.directory / DATABASE_NAME).stat().st_mtime
    for namespace in store.namespaces():
        found = edited(store.source_uris(namespace), written, partial(store.known_hash, namespace=namespace))
        if not found:
            continue
        names = [os.path.relpath(path) for path in found[:_MOST_FILES]]
        more = f" and {len(found) - len(names)} more" if len(found) > len(names) else ""
        command = ["verifier", "ingest", *names, "--kb", str(store.directory)]
        command += ["--namespace", namespace] if namespace != "default" else []
        command += ["--config", str(config)] if config is not None else []
        note(
            f"edited since they were stored, and here judged by what is stored: {', '.join(names)}{more}; "
            f"first run: {shlex.join(command)}",
            quiet,
        )


def _why_not(one: Named) -> str:
    """Why a report cannot be rechecked against a knowledge base; empty where it can."""
    report = one.report
    if report is None:
        return "it has no report, but an error"
    given = any(item.retrieved_by == "source" for claim in report.claims for item in claim.evidence)
    if given or (report.origin is not None and not report.origin.knowledge):
        return "it was checked against texts given on the spot, not against a knowledge base"
    return ""


def _written(pieces: Iterable[str], target: Path | None) -> None:
    """Write a file whole or not at all; without a target the pieces are made and dropped.

    Raises:
        ConfigError: it cannot be written.
    """
    with _replacing(target) as take:
        for piece in pieces:
            take(piece.encode("utf-8", errors="backslashreplace"))


@contextmanager
def _replacing(target: Path | None) -> Iterator[Callable[[bytes], object]]:
    """Takes the bytes that stand at ``target`` in the end, which no batch writes to meanwhile."""
    if target is None:
        yield lambda _: None
        return
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    lock = target.with_name(f".{target.name}.lock")
    try:
        with alone_with(lock, lambda: _refuse(target)):
            with beside.open("wb") as file:
                yield file.write
            beside.replace(target)
            lock.unlink(missing_ok=True)
    except OSError as error:
        raise ConfigError(f"cannot write {target}: {error.strerror}") from error
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _refuse(target: Path) -> NoReturn:
    raise ConfigError(f"another run is writing {target}")
