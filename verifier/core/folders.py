"""The cache folder of this user's programs, for what can be made again."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

__all__ = ["CACHE_VARIABLE", "cache_folder"]

CACHE_VARIABLE = "VERIFIER_CACHE_DIR"
"""The environment variable that names another folder."""

_OURS = "rag-claim-verifier"


def cache_folder(environ: Mapping[str, str] | None = None, platform: str = sys.platform) -> Path | None:
    """The folder, which need not exist yet; ``None`` for a user without a home.

    ``$VERIFIER_CACHE_DIR`` where it is set. Else ``rag-claim-verifier`` in the system's folder for caches:
    ``%LOCALAPPDATA%`` on Windows, ``~/Library/Caches`` on macOS, and elsewhere ``$XDG_CACHE_HOME`` or ``~/.cache`` (XDG
    Base Directory Specification: a relative path does not count).
    """
    environ = os.environ if environ is None else environ
    if given := environ.get(CACHE_VARIABLE):
        return Path(os.path.expanduser(given))
    if platform == "win32":
        local = environ.get("LOCALAPPDATA")
        return Path(local) / _OURS if local else None
    named = environ.get("XDG_CACHE_HOME", "")
    if platform != "darwin" and os.path.isabs(named):
        return Path(named) / _OURS
    home = environ.get("HOME") or os.path.expanduser("~")
    if not os.path.isabs(home):  # expanduser gives "~" back where it knows no home
        return None
    return Path(home, *(("Library", "Caches") if platform == "darwin" else (".cache",)), _OURS)
