"""The group of all commands: each is imported when it is called, and help lists them by what they are for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import Any, ClassVar, NamedTuple

import typer
from typer.core import TyperGroup

__all__ = ["Grouped", "Place"]

_LONGEST = 200
"""Code points of the sentence that stands beside a command."""
_PLAIN: Mapping[str, Any] = {
    "rich_markup_mode": None,  # rich would take "[default: kb]" for markup and drop it
    "pretty_exceptions_enable": False,
    "add_completion": False,
}


class Place(NamedTuple):
    """Where a command is found: ``attribute`` of a module is its function, or the ``typer.Typer`` of a group."""

    module: str
    attribute: str
    panel: str
    """What the command is for: the heading under which help lists it."""


class Grouped(TyperGroup):
    """A group of commands that are imported when they are first asked for, and of which help lists all.

    Help lists them under their ``panel``, in the order of ``places``. Typer does so itself only where rich writes the
    help, which takes ``[default: kb]`` for markup.
    """

    places: ClassVar[Mapping[str, Place]] = {}
    """The commands by name; a subclass has them."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.commands = _Commands(self.places)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section for each panel; context and formatter are typer's own."""
        del ctx
        panels: dict[str, list[tuple[str, str]]] = {}
        for name, command in self.commands.items():
            if not command.hidden:
                row = (name, command.get_short_help_str(_LONGEST))
                panels.setdefault(self.places[name].panel, []).append(row)
        widest = max(len(name) for rows in panels.values() for name, _ in rows)
        for panel, rows in panels.items():
            with formatter.section(panel):
                formatter.write_dl([(name.ljust(widest), told) for name, told in rows])


class _Commands(MutableMapping[str, Any]):
    """Commands by name, each made once, when it is first asked for."""

    def __init__(self, places: Mapping[str, Place]) -> None:
        self._made: dict[str, Any] = dict.fromkeys(places)
        self._places = places

    def __getitem__(self, name: str) -> Any:
        made = self._made[name]
        if made is None:
            made = self._made[name] = _command(name, self._places[name])
        return made

    def __setitem__(self, name: str, command: Any) -> None:
        self._made[name] = command

    def __delitem__(self, name: str) -> None:
        del self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)


def _command(name: str, place: Place) -> Any:
    """The command of a place, as typer makes it from the function or the group that stands there."""
    found = getattr(import_module(place.module), place.attribute)
    around = typer.Typer(**_PLAIN)
    around.callback()(lambda: None)  # a Typer with a callback is a group, whatever is in it
    if isinstance(found, typer.Typer):
        around.add_typer(found, name=name)
    else:
        around.command(name)(found)
    group: Any = typer.main.get_command(around)
    return group.commands[name]
