"""Answer a question from the knowledge base: written, chosen among several, gated and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from verifier.config import Settings
from verifier.core.chat import ChatModel
from verifier.core.chat.enclose import Enclosure
from verifier.factory import SharedSignals, build_chat, build_scorer
from verifier.guard.consistency import ConsistencyResult
from verifier.guard.consistency.configured import build_self_consistency
from verifier.guard.gate import GateResult
from verifier.guard.gate.configured import Verifies, build_gate, build_generator, build_history
from verifier.types import Report
from verifier.verification.report import to_json
from verifier.verification.retrieve import KnowledgeSource

__all__ = ["Asked", "answer"]

_FROM_PASSAGES = """\
Answer the question from the passages below, and from nothing else. Where they do not answer it, say so. {explanation}

{passages}"""


@dataclass(frozen=True, slots=True)
class Asked:
    """An answer with all that is known of it; parts that were not asked for are ``None``."""

    content: str
    gate: GateResult | None = None
    consistency: ConsistencyResult | None = None
    report: Report | None = None

    def to_dict(self) -> Mapping[str, Any]:
        """JSON values only."""
        return {
            "content": self.content,
            "gate": self.gate.to_dict() if self.gate else None,
            "consistency": self.consistency.to_dict() if self.consistency else None,
            "report": to_json(self.report) if self.report else None,
        }


def answer(
    settings: Settings,
    prompt: str,
    source: KnowledgeSource | None = None,
    *,
    gate: bool = False,
    chat: ChatModel | None = None,
    shared: SharedSignals | None = None,
) -> Asked:
    """Answer ``prompt``.

    With a ``source`` the passages that bear on the prompt are handed to the model, and the answer is checked against
    the source, claim by claim, whatever the gate said of it. With ``gate`` the answer is rated and tried again; where
    groundedness is part of the rating, its report on the accepted answer is the one that is returned.

    Args:
        settings: ``[llm]``, ``[gate]``, ``[consistency]`` and all of verification.
        prompt: the question.
        source: the knowledge base, if any.
        gate: whether to rate and retry.
        chat: asked in the place of the model that ``[llm]`` names.
        shared: signals that other scorers use too.

    Raises:
        LLMUnavailable, LLMRejected: no answer could be had, and no gate stands in for it.
        BackendError: the passages could not be retrieved.
    """
    chat = chat or build_chat(settings.llm)
    scorer = _LastReport(build_scorer(settings, source, shared)) if source else None
    instructions = _grounding(settings, prompt, source) if source else ""
    gated = consistent = None
    if gate:
        generator = build_generator(settings, chat, prompt=prompt, shared=shared)
        system = build_gate(settings, chat, scorer=scorer, generator=generator, shared=shared)
        gated = system.run(prompt, instructions=instructions)
        history = build_history(settings)
        if history is not None:
            history.record(gated)
        content = gated.content
    elif settings.consistency.use_self_consistency:
        several = build_self_consistency(settings, chat, prompt=prompt, check_claims=True, shared=shared)
        consistent = several.run(prompt, instructions=instructions, max_tokens=settings.gate.max_tokens)
        content = consistent.best_candidate
    else:
        content = build_generator(settings, chat).generate(prompt, instructions).content
    # The fallback text is ours and claims nothing; checking it would say that an answer was checked.
    checked = scorer.verify(content, prompt=prompt) if scorer and (gated is None or gated.success) else None
    return Asked(content, gated, consistent, checked)


class _LastReport:
    """Gives a scorer's last report again where the same is asked: what the gate has measured is checked already."""

    def __init__(self, scorer: Verifies) -> None:
        self._scorer = scorer
        self._last: tuple[tuple[str, str | None], Report] | None = None

    def verify(self, response: str, *, prompt: str | None = None) -> Report:
        asked = (response, prompt)
        if self._last is None or self._last[0] != asked:
            self._last = asked, self._scorer.verify(response, prompt=prompt)
        return self._last[1]


def _grounding(settings: Settings, prompt: str, source: KnowledgeSource) -> str:
    """Instructions that hand over what the knowledge base has on the prompt."""
    [found] = source.retrieve([prompt], top_k=settings.retrieval.top_k, namespace=settings.kb.namespace)
    blocks = Enclosure([(f"PASSAGE {n}", item.text) for n, item in enumerate(found, 1)])
    return _FROM_PASSAGES.format(explanation=blocks.explanation(), passages=blocks.text() or "(no passages)")
