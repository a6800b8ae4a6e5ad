"""A property that makes something expensive on first use, once for all threads."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any, Generic, Self, TypeVar, overload

__all__ = ["made_once"]

_T = TypeVar("_T")


class made_once(Generic[_T]):  # noqa: N801 - a decorator
    """A ``cached_property`` that threads may ask for together: one of them makes the value, the others wait for it.

    An error is raised to whoever asked, and the next one tries again. The value is kept in the instance's
    ``__dict__``; assigning to the name replaces it.
    """

    def __init__(self, make: Callable[[Any], _T]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type | None = None) -> _T: ...

    def __get__(self, instance: object | None, owner: type | None = None) -> Self | _T:
        if instance is None:
            return self
        kept = vars(instance)
        with kept.setdefault(f"{self._name} lock", RLock()):  # setdefault is atomic
            if self._name not in kept:
                kept[self._name] = self._make(instance)
        value: _T = kept[self._name]
        return value
