"""The uri that identifies a file in a knowledge base, and the one that it had before.

A row of a table is ``path#key``. So that no file is taken for a row, a ``#`` in the path itself is written ``%23``, as
in any uri; a path that says ``%23`` by itself says ``%2523`` then. All other paths stand as they are.
"""

from __future__ import annotations

import re

__all__ = ["file_part", "file_uri", "former_uri", "is_under"]

_ESCAPED = re.compile("%(?=(?:25)*23)|#")
_ESCAPE = re.compile("%25(?=(?:25)*23)|%23")


def file_uri(path: str) -> str:
    """What identifies the file at an absolute path.

    >>> file_uri("/kb/a.md"), file_uri("/kb/a.csv#b.md"), file_uri("/kb/a%23.md"), file_uri("/kb/5%.md")
    ('/kb/a.md', '/kb/a.csv%23b.md', '/kb/a%2523.md', '/kb/5%.md')
    """
    return _ESCAPED.sub(lambda found: "%23" if found[0] == "#" else "%25", path)


def file_part(uri: str) -> str:
    """The uri of the file that a uri is of, or a row of.

    >>> file_part("/kb/a%231.csv#row#7")
    '/kb/a%231.csv'
    """
    return uri.partition("#")[0]


def former_uri(uri: str) -> str:
    """How a file or row was identified before ``#`` was escaped.

    >>> former_uri("/kb/a%231.csv#7"), former_uri("/kb/a%2523.csv#7%23"), former_uri("/kb/a.md")
    ('/kb/a#1.csv#7', '/kb/a%23.csv#7%23', '/kb/a.md')
    """
    file, mark, row = uri.partition("#")
    return _ESCAPE.sub(lambda found: "#" if found[0] == "%23" else "%", file) + mark + row


def is_under(uri: str, root: str) -> bool:
    """Whether ``uri`` is ``root``, a file below it, or a row of it.

    >>> is_under("/a/b.csv#7", "/a/b.csv"), is_under("/a/b", "/a/"), is_under("/ab", "/a")
    (True, True, False)
    """
    stem = root.rstrip("/\\")
    return uri in (root, stem) or uri.startswith((f"{stem}/", f"{stem}\\", f"{stem}#"))
