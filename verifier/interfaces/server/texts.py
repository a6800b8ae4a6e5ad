"""The texts of requests as types: which characters they may hold, and how many, as ``[server]`` says."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, Field

from verifier.config.server import MOST_CHARACTERS, ServerSettings

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["BoundedTexts", "Name", "Prompt", "Query", "Sound", "Text", "not_blank"]

_BOUNDS: ContextVar[ServerSettings] = ContextVar("bounds", default=ServerSettings())  # noqa: B039 - it is frozen


class BoundedTexts:
    """Has the texts of a request measured by these settings: pydantic's own bounds stand in the code.

    Args:
        app: what is called within them.
        settings: ``max_text``, ``max_prompt`` and ``max_query``.
    """

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self._app, self._settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        _BOUNDS.set(self._settings)
        await self._app(scope, receive, send)


def _at_most(name: str) -> Callable[[str], str]:
    def checked(text: str) -> str:
        most: int = getattr(_BOUNDS.get(), name)
        if len(text) > most:
            raise ValueError(f"has {len(text)} characters, and at most {most} are taken")
        return text

    return checked


def _sound(text: str) -> str:
    """Text that can be stored and sent on."""
    if "\x00" in text:
        raise ValueError("holds a NUL character")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError("holds half of a surrogate pair, which is no character") from error
    return text


def not_blank(text: str) -> str:
    """Text that says something."""
    if not text.strip():
        raise ValueError("is blank")
    return text


_Bounded = Annotated[str, Field(max_length=MOST_CHARACTERS)]
Sound = Annotated[_Bounded, AfterValidator(_at_most("max_text")), AfterValidator(_sound)]
"""What may be long: a response, a source, a document, a candidate."""
Text = Annotated[Sound, AfterValidator(not_blank)]
Prompt = Annotated[_Bounded, AfterValidator(_at_most("max_prompt")), AfterValidator(_sound)]
"""What a text answers, or was written for."""
Query = Annotated[_Bounded, AfterValidator(_at_most("max_query")), AfterValidator(_sound)]
"""What is looked for or kept beside a document: a query, a value of its metadata."""
Name = Annotated[str, AfterValidator(_sound), AfterValidator(not_blank), Field(max_length=200)]
