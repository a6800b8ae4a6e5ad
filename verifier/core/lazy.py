"""Names that a package shows and that live in its modules: a module is imported when one of its names is asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["names_from"]


def names_from(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """What a package has for its ``__getattr__``, so that importing it costs nothing.

    Args:
        package: its ``__name__``.
        homes: the module in which each name lives.

    >>> names_from("verifier", {"Registry": "verifier.core.registry"})("Registry").__name__
    'Registry'
    """

    def found(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(homes[name]), name)
        vars(sys.modules[package])[name] = value
        return value

    return found
