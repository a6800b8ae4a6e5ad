"""Sources that a response cites and that the knowledge base does not have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.knowledge.called import read_as_names
from verifier.types import UnknownSource
from verifier.verification.claims.citations import NamedFile, files_cited, numbers_without_source
from verifier.verification.retrieve import KnowledgeSource

__all__ = ["unknown_note", "unknown_sources"]

_WORDS = 12
"""Words of the longest name of a file."""
_MOST = 5
"""Sources that a note quotes."""


def unknown_sources(response: str, source: KnowledgeSource, namespace: str) -> tuple[UnknownSource, ...]:
    """The files that marks of the response name and no document is called, and numbers that its list lacks, in order.

    A name stands for a document whatever folder and ending it is written with; one that the documents themselves
    mention is known, too. Nothing is said of names where the source cannot be asked for them.
    """
    files = files_cited(response)
    unknown = [
        UnknownSource(response[one.start : one.end], one.start, one.end, "no document is called that")
        for one in _not_called(files, source, namespace)
    ]
    mentioned = source.term_document_frequency({one.text for one in unknown}, namespace) if unknown else {}
    unknown = [one for one in unknown if not mentioned.get(one.text)]
    return tuple(sorted([*unknown, *numbers_without_source(response)], key=lambda one: one.start))


def _not_called(files: Sequence[NamedFile], source: KnowledgeSource, namespace: str) -> list[NamedFile]:
    """The files that no document of the source is called by."""
    known_names = getattr(source, "known_names", None)
    if known_names is None or not files:
        return []
    stems = {one: [*_stems(one.before)] for one in files}
    known = known_names({stem for some in stems.values() for stem in some}, namespace)
    return [one for one in files if not known.intersection(stems[one])]


def _stems(before: str) -> Iterator[str]:
    """What the last words before an ending may be called, the longest first."""
    words = read_as_names(before).split()[-_WORDS:]
    return (" ".join(words[at:]) for at in range(len(words)))


def unknown_note(unknown: Sequence[UnknownSource]) -> str:
    """What is to be said of them: ``cited, but not there: “nowhere.pdf” (no document is called that)``."""
    told = [f"“{' '.join(one.text.split())}” ({one.why})" for one in unknown[:_MOST]]
    more = f", and {len(unknown) - _MOST} more" if len(unknown) > _MOST else ""
    return f"cited, but not there: {', '.join(told)}{more}"
