"""The files of the view: one script without imports, one style sheet."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

__all__ = ["asset"]

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./(?P<name>\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


@cache
def asset(name: str) -> str:
    """``view.js``, which exports ``view`` and ``themeSwitch``, or ``page.js``, both without imports; or ``view.css``.

    The script is its modules one behind the other, each before those that import it.
    """
    text = _read(name)
    if not name.endswith(".js"):
        return text
    return "".join([*(_EXPORT.sub("", _body(one)) for one in _needed(text)), _IMPORT.sub("", text)])


def _needed(text: str) -> list[str]:
    """The modules that a module imports, and those that they import first."""
    found: dict[str, None] = {}
    for match in _IMPORT.finditer(text):
        name = f"{match['name']}.js"
        found |= dict.fromkeys([*_needed(_read(name)), name])
    return list(found)


def _body(name: str) -> str:
    return _IMPORT.sub("", _read(name))


def _read(name: str) -> str:
    return files(__package__).joinpath("files", name).read_text(encoding="utf-8")
