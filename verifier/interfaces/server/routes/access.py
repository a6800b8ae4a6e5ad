"""What the one who asks may do here, and within which bounds: what a page or a program offers rests on it."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter

from verifier import __version__
from verifier.interfaces.server.keys import ANYWHERE
from verifier.interfaces.server.problems import Problem
from verifier.interfaces.server.routes.common import ERRORS, Caller, Known
from verifier.knowledge.files import SUFFIXES

__all__ = ["router"]

router = APIRouter(prefix="/v1", tags=["access"], responses=ERRORS)

_LIMITS = ("max_body", "max_text", "max_prompt", "max_query", "max_upload", "request_seconds")


@router.get("/access")
async def access(caller: Known) -> dict[str, Any]:
    """The rights of the key, the namespaces that it may enter, the kinds of files that are read, the bounds.

    `namespace` is that of a request which names none; it is null where the key must name one. Without keys everything
    is allowed, and `keys` is false.
    """
    own, owner = caller.engine.settings.server, caller.asking.owner
    return {
        "version": __version__,
        "keys": own.keys is not None,
        "name": owner.name,
        "rights": [right.value for right in owner.rights],
        "namespaces": await asyncio.to_thread(_namespaces, caller),
        "namespace": _usual(caller),
        "reads": sorted(SUFFIXES),
        "limits": {name: getattr(own, name) for name in _LIMITS},
    }


def _namespaces(caller: Caller) -> list[str]:
    """Those that hold something, and those that the key names, which it may fill."""
    owner, usual = caller.asking.owner, _usual(caller)
    named = {name for name in owner.namespaces if name != ANYWHERE} | ({usual} if usual else set())
    return sorted(named | {name for name in caller.engine.store.namespaces() if owner.may_enter(name)})


def _usual(caller: Caller) -> str | None:
    try:
        return caller.namespace(None)
    except Problem:
        return None
