"""The plugin registry: built-ins and third parties register classes by name through the same entry-point groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any

from verifier.core.errors import ConfigError, MissingExtra, UnknownPlugin

__all__ = [
    "BACKENDS",
    "CHECKS",
    "ENCODERS",
    "READERS",
    "RERANKERS",
    "SIGNALS",
    "Registry",
    "needing",
    "require",
]


@cache
def _installed() -> Any:
    """The entry points of all installed distributions; reading their files takes longer than all else here.

    Its type differs between versions of Python; all have ``select``.
    """
    return entry_points()


class Registry:
    """The plugins of one entry-point group, looked up by name and imported only when asked for.

    Args:
        group: entry-point group, for example ``verifier.backends``.
        kind: what a member is called in messages, for example ``backend``.
        built_in: members by name, as ``module:Class``, that no entry point has to name and none replaces.
    """

    def __init__(self, group: str, kind: str, built_in: Mapping[str, str] | None = None) -> None:
        self.group, self.kind = group, kind
        self._built_in = built_in or {}

    @cached_property
    def _points(self) -> Mapping[str, EntryPoint]:
        own = {name: EntryPoint(name, place, self.group) for name, place in self._built_in.items()}
        return {point.name: point for point in _installed().select(group=self.group)} | own

    def names(self) -> list[str]:
        """Names of all installed plugins, sorted."""
        return sorted(self._points)

    def ensure(self, name: str) -> None:
        """Refuse a name as :meth:`load` does, before there is a use for the class; a built-in member is not imported.

        Raises:
            UnknownPlugin, ConfigError: as for :meth:`load`.
        """
        if name not in self._built_in:
            self.load(name)

    def load(self, name: str) -> type[Any]:
        """The class registered under ``name``.

        Raises:
            UnknownPlugin: no installed plugin has that name; the message lists those that exist.
            ConfigError: the plugin is registered but its module cannot be imported.
        """
        if name not in self._points:
            raise UnknownPlugin(self.kind, name, self._points)
        try:
            loaded = self._points[name].load()
        except (ImportError, AttributeError) as error:
            raise ConfigError(
                f"{self.kind} {name!r} is registered but cannot be imported: {error}"
            ) from error
        if not isinstance(loaded, type):
            raise ConfigError(f"{self.kind} {name!r} is registered as {loaded!r}, which is not a class")
        return loaded


BACKENDS = Registry("verifier.backends", "backend")
CHECKS = Registry("verifier.checks", "check")
ENCODERS = Registry("verifier.encoders", "encoder")
READERS = Registry("verifier.readers", "reader")
RERANKERS = Registry("verifier.rerankers", "reranker")
SIGNALS = Registry("verifier.signals", "signal")


def require(module: str, *, extra: str, package: str | None = None) -> ModuleType:
    """Import an optional dependency, or say which extra brings it.

    Args:
        module: import name, for example ``sentence_transformers``.
        extra: the extra of this distribution that installs it.
        package: name shown to the user; the import name with dashes by default.

    Raises:
        MissingExtra: the module is not installed; the message holds the exact pip line.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name and error.name.split(".")[0] != module.split(".")[0]:
            raise
        raise MissingExtra(package or module.replace("_", "-"), extra) from error


@contextmanager
def needing(*modules: str, extra: str, package: str | None = None) -> Iterator[None]:
    """For the imports of a module that is of no use without optional dependencies.

    Args:
        modules: their import names, for example ``langchain``. What is missing inside of them is another error.
        extra: the extra of this distribution that installs them.
        package: name shown to the user; the first import name with dashes by default.

    Raises:
        MissingExtra: one of them is not installed; the message holds the exact pip line.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in modules:
            raise
        raise MissingExtra(package or modules[0].replace("_", "-"), extra) from error
