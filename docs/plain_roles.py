"""Makes roles of Sphinx in docstrings (``:class:`Report```) plain code, which is what the site shows of them."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

_ROLE = re.compile(r":(?:class|func|meth|data|mod|attr|exc):`~?([^`]+)`")


class PlainRoles(Extension):
    """Called by mkdocstrings for each object whose docstring it reads."""

    def on_instance(self, *, obj: Object, **_: Any) -> None:
        """Replace the roles in its docstring."""
        if obj.docstring:
            obj.docstring.value = _ROLE.sub(r"``\1``", obj.docstring.value)
