"""Which files among the sources are no longer on this machine."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from verifier.knowledge.files import leads_nowhere
from verifier.knowledge.uris import file_part, former_uri

__all__ = ["vanished"]


def vanished(uris: Iterable[str]) -> dict[str, int]:
    """How many files are no longer there, by the outermost path that is gone: a folder, or the file itself.

    Uris that are no absolute paths name no file of this machine, and one that stands for a path that is no UTF-8 does
    not tell where it is.
    """
    files = {file_part(uri): uri for uri in uris if os.path.isabs(uri) and "\\" not in uri}
    found = Counter(
        _outermost(Path(former_uri(file)))
        for file, uri in files.items()
        if leads_nowhere(Path(former_uri(file))) and leads_nowhere(Path(uri))
    )
    return {str(path): number for path, number in sorted(found.items())}


def _outermost(path: Path) -> Path:
    """The outermost part of a path that leads nowhere."""
    return next((part for part in reversed(path.parents) if leads_nowhere(part)), path)
