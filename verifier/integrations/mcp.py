"""An MCP server: the tools ``verify``, ``search`` and ``explain`` for a model that can call tools.

Needs the extra ``mcp``. ``verifier mcp`` runs it over standard input and output.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import Field

from verifier.config import Settings
from verifier.core.database_url import is_database_url
from verifier.core.errors import VerifierError
from verifier.core.recent import RecentlyUsed
from verifier.core.registry import needing
from verifier.core.release import RELEASE
from verifier.integrations.checking import Check, place
from verifier.interfaces.cli.explain import ledger_text
from verifier.interfaces.library import in_thread
from verifier.types import Report
from verifier.verification.render.summary import rows

with needing("mcp", extra="mcp"):
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

__all__ = ["build_server"]

Result = TypeVar("Result")

_KEPT = 64
"""Reports that can be explained; older ones are forgotten."""

_INSTRUCTIONS = (
    "Checks texts against documents that the user trusts, claim by claim. Call verify before you state facts as "
    "settled; a text whose decision is not 'approved' must not be presented as confirmed. Call explain for the "
    "values that decided a claim, and search to see what the documents say."
)


def build_server(settings: Settings) -> MCPServer:
    """The server of a configuration. Without a knowledge base at ``kb.path``, texts are checked against contexts alone.

    Raises:
        MissingExtra: MCP's package is not installed.
    """
    tools = _Tools(settings)
    server = MCPServer(
        "verifier",
        title="rag-claim-verifier",
        version=RELEASE,
        instructions=_INSTRUCTIONS,
        log_level="WARNING",
    )
    for tool in (tools.verify, tools.search, tools.explain):
        server.tool()(tool)
    return server


class _Tools:
    """What the tools share: the knowledge base, opened on first use, and the last reports."""

    def __init__(self, settings: Settings) -> None:
        there = is_database_url(settings.kb.path) or Path(settings.kb.path).exists()
        self._base = Check(settings.kb.place if there else None, settings=settings)
        self._given = Check(settings=settings)
        self._reports: RecentlyUsed[Report] = RecentlyUsed(_KEPT)

    async def verify(
        self,
        answer: Annotated[str, Field(min_length=1, description="The text to check.")],
        contexts: Annotated[
            list[str] | None,
            Field(description="Texts to check it against, in the place of the knowledge base."),
        ] = None,
        question: Annotated[
            str | None, Field(description="What it answers; completes short answers.")
        ] = None,
    ) -> dict[str, Any]:
        """Check a text claim by claim. Gives the decision (approved, rejected, nothing_to_check) and a verdict and a
        reason for each claim; `report` is the handle for `explain`."""
        check = self._base if contexts is None else self._given
        outcome = await _told(partial(check.outcome, answer, contexts or (), question))
        handle = secrets.token_hex(4)
        if outcome.report is not None:
            self._reports.update([(handle.encode(), outcome.report)])
        return {**outcome.summary(), "report": handle if outcome.report is not None else None}

    async def search(
        self,
        query: Annotated[str, Field(min_length=1, description="A claim or a question.")],
        top_k: Annotated[int, Field(ge=1, le=50)] = 5,
    ) -> list[dict[str, Any]]:
        """The passages of the knowledge base that are nearest to a query, best first, each with where it stands."""
        found = await _told(partial(self._base.find, query, top_k))
        return [{"text": one.text, **place(one)} for one in found]

    async def explain(
        self,
        report: Annotated[str, Field(description="The handle that `verify` gave.")],
        claim: Annotated[int, Field(ge=1, description="The claim's number in its list, from 1.")],
    ) -> str:
        """Why a claim has its verdict: the values that decided, where they stand, and what each signal weighed."""
        kept = self._reports.get(report.encode())
        if kept is None:
            raise ToolError(f"there is no report {report!r}: verify the text again")
        shown = rows(kept)
        if claim > len(shown):
            raise ToolError(f"the report has {len(shown)} claims; there is no claim {claim}")
        return ledger_text(claim, shown[claim - 1])


async def _told(work: Callable[[], Result]) -> Result:
    """What ``work`` gives, computed in a thread; our own errors become words for the model."""
    with _as_words():
        return await in_thread(work)


@contextmanager
def _as_words() -> Iterator[None]:
    try:
        yield
    except VerifierError as error:
        raise ToolError(str(error)) from error
