"""Regular expressions that are compiled when they are first used: most texts never need most of them."""

from __future__ import annotations

import re
from typing import Any, cast

from verifier.core.lexicon import lexicon

__all__ = ["compiled_later"]

_ASKED = lexicon("""
    findall finditer flags fullmatch groupindex groups match pattern search split sub subn
    """)


class _Later:
    """Stands for a pattern; the first look at any attribute compiles it, and all are then as quick as its own."""

    def __init__(self, text: str, flags: int) -> None:
        self._made = (text, flags)

    def __getattr__(self, name: str) -> Any:
        if name not in _ASKED:
            raise AttributeError(name)
        compiled = re.compile(*self._made)
        vars(self).update({one: getattr(compiled, one) for one in _ASKED})
        return vars(self)[name]


def compiled_later(text: str, flags: int = 0) -> re.Pattern[str]:
    """As ``re.compile``, for a long expression: compiling one takes as long as importing a module.

    Only its methods can be used; ``re.search(pattern, text)`` wants a real one. What is wrong in ``text`` is told when
    it is first used.

    >>> found = compiled_later("(?P<day>mon|tues)day", re.IGNORECASE).fullmatch("Tuesday")
    >>> found["day"]
    'Tues'
    """
    return cast("re.Pattern[str]", _Later(text, flags))
