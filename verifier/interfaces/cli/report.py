"""``verifier report``: one HTML file that shows each claim of a draft beside its evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.core.errors import ConfigError, IngestError
from verifier.interfaces.cli import exits
from verifier.interfaces.cli.options import (
    STDIN,
    ConfigFile,
    Encoding,
    Fixes,
    KnowledgeBase,
    Namespace,
    Quiet,
    Strict,
    configuration,
    ensure_namespace,
    ensure_ready,
    existing_store,
    progress_bars,
    read_text,
    shared_signals,
)
from verifier.interfaces.cli.output import note, plural, refuse_overwriting, write_text
from verifier.interfaces.cli.texts import sources_beside
from verifier.interfaces.early import models_opening

if TYPE_CHECKING:
    from verifier.config import Configuration
    from verifier.interfaces.html.types import Unread
    from verifier.knowledge.ingest import SourceFile
    from verifier.knowledge.records import FailedSource
    from verifier.knowledge.store import GroundTruthStore
    from verifier.types import Document

__all__ = ["report"]


def report(
    draft: Annotated[Path, typer.Argument(metavar="DRAFT|-", help="The text to check; - is stdin.")],
    sources: Annotated[
        list[Path] | None,
        typer.Argument(metavar="SOURCE", help="Files and folders to check it against. [default: the --kb]"),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE", help="Write it there; - is stdout. [default: DRAFT.html]"),
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    prompt: Annotated[
        str | None,
        typer.Option("--prompt", help="The question that the draft answers: completes short answers."),
    ] = None,
    strict: Strict = None,
    fixes: Fixes = None,
    encoding: Encoding = None,
    kb: KnowledgeBase = None,
    config: ConfigFile = None,
    namespace: Namespace = None,
    quiet: Quiet = False,
) -> None:
    """Check a draft and write a page to read: each claim marked in it, with its evidence beside it.

    Exit 0 approved, 1 rejected, 2 usage, 3 not (wholly) checked, or a source could not be read.
    """
    given = list(sources or ())
    if given and kb:
        raise ConfigError("SOURCE checks against files on the spot: it does not go with --kb")
    to_stdout = output == STDIN
    if to_stdout and open_:
        raise ConfigError("--open needs a file to open: leave --output - out")
    written = None if to_stdout else output or _named_after(draft)
    refuse_overwriting(written, [draft, *given], "--output")
    configured = configuration(
        config, kb, namespace, decision__strict=strict, verdict__suggest_fixes=fixes, quiet=quiet
    )
    text = read_text(draft, encoding)
    with ExitStack() as stack:
        stack.enter_context(models_opening(configured.settings))
        from verifier.factory import build_scorer
        from verifier.interfaces.html import page, view_of
        from verifier.verification.render.summary import end_line

        unread = _Unread()
        knowledge = _knowledge(configured, given, [draft, written], encoding, quiet, unread)
        store = stack.enter_context(knowledge)
        into = configured.settings.kb.namespace
        scorer = build_scorer(configured.settings, store, shared_signals(configured, quiet))
        if text.strip():
            ensure_namespace(store, into)
            ensure_ready(store)
        found = scorer.verify(text, prompt=prompt, progress=stack.enter_context(progress_bars(quiet)))
        view = view_of(
            found,
            text,
            name="" if draft == STDIN else draft.name,
            documents=cache(store.whole_document),
            unread=[*unread.failed, *unread.doubted.values()],
            checked_against=_told(store, into, given, configured),
        )
    write_text(page(view), written)
    if written is not None:
        write_text(f"{written}: {end_line(found)}\n", None)
    if open_ and written is not None:
        _open(written)
    raise typer.Exit(exits.INCOMPLETE if unread.failed else exits.of_report(found))


def _named_after(draft: Path) -> Path:
    """``draft.docx.html`` in the working directory; ``report.html`` for what has no name."""
    return Path("report.html" if draft == STDIN else f"{draft.name}.html")


class _Unread:
    """What could not be read of the sources, and what is doubtful of how the others were read."""

    def __init__(self) -> None:
        self.failed: list[Unread] = []
        self.doubted: dict[tuple[str, str], Unread] = {}

    def watched(self, read: Iterable[Document | FailedSource]) -> Iterator[Document | FailedSource]:
        """The documents as they come; what is doubtful of several rows of a file is kept once."""
        from verifier.knowledge.ingest import doubts_about
        from verifier.types import Document

        for one in read:
            for doubt in doubts_about(one) if isinstance(one, Document) else ():
                why = doubt.removeprefix(f"{one.source}: ")
                self.doubted.setdefault(
                    (one.source.partition("#")[0], why), {"source": one.source, "why": why}
                )
            yield one


@contextmanager
def _knowledge(
    configured: Configuration,
    sources: list[Path],
    own: list[Path | None],
    encoding: str | None,
    quiet: bool,
    unread: _Unread,
) -> Iterator[GroundTruthStore]:
    """The store to check against; what could not be read of its sources comes into ``unread``.

    The draft and its report, ``own``, are no sources, wherever they lie.
    """
    if not sources:
        otherwise = "or name files to check against: verifier report DRAFT SOURCE"
        with existing_store(configured, quiet=quiet, otherwise=otherwise) as store:
            yield store
        return
    from verifier.factory import temporary_store
    from verifier.interfaces.parsing.documents import documents_of
    from verifier.knowledge.ingest import ReadOptions

    files = list(_without(own, sources))
    namespace = configured.settings.kb.namespace
    with temporary_store(configured.settings) as store:
        read = unread.watched(documents_of(files, ReadOptions(encoding=encoding), note))
        summary = store.ingest(read, namespace=namespace)
        for name, reason in summary.failed:
            note(f"not read: {name}: {reason}")
            unread.failed.append({"source": name, "why": reason})
        for file in files:
            if file.ignored:
                note(f"ignored: {file.source}: {file.ignored}", quiet)
        if not store.passage_count(namespace):
            raise IngestError("the sources hold no text to check against")
        yield store


def _without(own: list[Path | None], sources: list[Path]) -> Iterator[SourceFile]:
    """The files of the sources but for the draft, which would bear itself out, and for pages that this command wrote.

    Raises:
        ConfigError: a path leads nowhere, or what is to be written would take the place of a source.
    """
    draft, written = own
    for file in sources_beside(filter(None, [draft]), sources):
        if not file.ignored:
            refuse_overwriting(written, [file.path], "--output")
        yield file


def _told(store: GroundTruthStore, namespace: str, sources: list[Path], configured: Configuration) -> str:
    """``12 documents in papers and notes.md``."""
    number, _ = store.document_page(namespace, limit=0)
    names = [path.name or str(path) for path in sources] or [str(configured.settings.kb.path)]
    listed = " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
    return f"{plural(number, 'document')} in {listed}"


def _open(path: Path) -> None:
    """Show a file in the browser of this machine."""
    import webbrowser

    if not webbrowser.open(path.resolve().as_uri()):
        note(f"no browser was found: open {path} in one")
