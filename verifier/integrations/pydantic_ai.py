"""Pydantic AI: an output validator that has an agent write again what its sources do not bear out.

Needs the extra ``pydantic-ai``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar, Unpack

from verifier.core.registry import needing
from verifier.integrations.checking import Check, Unchecked, said
from verifier.integrations.retrieved import Search
from verifier.interfaces.library import Options
from verifier.interfaces.opened import KnowledgeBase
from verifier.verification.contexts import Context

with needing("pydantic_ai", extra="pydantic-ai", package="pydantic-ai-slim"):
    from pydantic_ai import ModelRetry, RunContext
    from pydantic_ai.messages import ModelMessage, ToolReturnPart

__all__ = ["GroundedOutput"]

Output = TypeVar("Output")


class GroundedOutput:
    """An output validator: ``agent.output_validator(GroundedOutput(...))``.

    Output that does not pass the gate is sent back with each claim that failed, as often as the agent's
    ``retries["output"]`` has it; then the run raises ``UnexpectedModelBehavior``, and nothing comes out. While output
    is streamed, the parts are not checked, the whole is.

    Args:
        kb: the knowledge base, its folder or an open store. Without one, or ``search``, output is checked against what
            the tools have returned in the conversation.
        search: another retriever in its place: a function from a claim to contexts.
        tools: names of the tools whose results are sources; by default all.
        text: makes a text of an output that is none; without it such an output is a ``TypeError``.
        nothing_to_check, options: as for :class:`Check`.
    """

    def __init__(
        self,
        kb: KnowledgeBase | None = None,
        *,
        search: Search | None = None,
        tools: Iterable[str] | None = None,
        text: Callable[[Any], str] | None = None,
        nothing_to_check: Unchecked = "block",
        **options: Unpack[Options],
    ) -> None:
        self._check = Check(kb, search=search, nothing_to_check=nothing_to_check, **options)
        self._tools = None if tools is None else frozenset(tools)
        self._text = text

    async def __call__(self, ctx: RunContext[Any], output: Output) -> Output:
        """The output, if it passes.

        Raises:
            ModelRetry: it does not; the message shows each claim that failed.
        """
        if ctx.partial_output:
            return output
        answer = self._text(output) if self._text is not None else said(output, "the output")
        question = ctx.prompt if isinstance(ctx.prompt, str) else None
        outcome = await self._check.aoutcome(answer, self._returned(ctx.messages), question)
        if not outcome.passed:
            raise ModelRetry(
                f"Your answer was checked against the sources and was not approved:\n\n{outcome.why}\n\n"
                "Say only what the sources state."
            )
        return output

    def _returned(self, messages: Sequence[ModelMessage]) -> list[Context]:
        """What the tools have returned, each named by its tool."""
        return [
            {"text": part.model_response_str(), "source": part.tool_name}
            for message in messages
            for part in message.parts
            if isinstance(part, ToolReturnPart)
            and part.outcome == "success"
            and self._is_source(part.tool_name)
        ]

    def _is_source(self, tool: str) -> bool:
        return self._tools is None or tool in self._tools
