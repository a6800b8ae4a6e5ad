"""NeMo Guardrails: an action for an output rail that lets no answer pass which the gate does not approve.

Needs the extra ``nemo-guardrails``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Unpack

from verifier.core.registry import needing
from verifier.integrations.checking import Check, Unchecked
from verifier.integrations.retrieved import Search
from verifier.interfaces.library import Options
from verifier.interfaces.opened import KnowledgeBase

with needing("nemoguardrails", extra="nemo-guardrails"):
    from nemoguardrails.actions import action
    from nemoguardrails.actions.rail_outcome import RailOutcome

__all__ = ["FLOW", "grounded_action"]

FLOW = """
define subflow check grounded
  $checked = execute check_grounded
  if $checked.is_blocked
    if $config.enable_rails_exceptions
      $why = $checked.reason
      create event GroundedRailException(message=$why)
    else
      bot refuse to respond
    stop
"""
"""The output rail ``check grounded`` in Colang 1.0."""


def grounded_action(
    kb: KnowledgeBase | None = None,
    *,
    search: Search | None = None,
    nothing_to_check: Unchecked = "block",
    **options: Unpack[Options],
) -> Callable[..., Awaitable[RailOutcome]]:
    """The action ``check_grounded``: registered with rails, or named in the ``actions.py`` of a configuration.

    It looks at the bot's message, and blocks it unless the gate approves it, also where there is nothing to check it
    against. The reason shows each claim that failed; ``metadata`` holds the whole outcome.

    Args:
        kb: the knowledge base, its folder or an open store. Without one, or ``search``, the message is checked against
            ``relevant_chunks``, what the rails have retrieved.
        search: another retriever in its place: a function from a claim to contexts.
        nothing_to_check, options: as for :class:`Check`.
    """
    check = Check(kb, search=search, nothing_to_check=nothing_to_check, **options)

    @action(name="check_grounded")
    async def check_grounded(context: dict[str, Any] | None = None, **_: Any) -> RailOutcome:
        given = context or {}
        chunks = given.get("relevant_chunks") or []
        outcome = await check.aoutcome(
            given.get("bot_message") or "",
            [chunks] if isinstance(chunks, str) else chunks,
            given.get("last_user_message"),
        )
        decided = RailOutcome.allow if outcome.passed else RailOutcome.block
        return decided(reason=outcome.why, metadata=outcome.summary())

    rail: Callable[..., Awaitable[RailOutcome]] = check_grounded
    return rail
