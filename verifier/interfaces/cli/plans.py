"""``--dry-run``: what a command would read, with which models, and how often it would ask."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from verifier.core.visible import one_line
from verifier.interfaces.cli import exits
from verifier.interfaces.cli.output import write_text

if TYPE_CHECKING:
    from verifier.config import Settings
    from verifier.measure.rows import LabelledRow
    from verifier.readers import Foretold
    from verifier.verification.scorer import VerifiedScorer

__all__ = ["DryRun", "asking", "finish", "models_of", "passages_in", "rows_asked", "shown", "summed"]

DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say what would be read and asked; ask and write nothing.")
]


def finish(plan: Mapping[str, Any], json_: bool, files: Iterable[Path | None] = ()) -> NoReturn:
    """Print a plan with the ``files`` that would be written, a line a value or as JSON, and end the command as done.

    Raises:
        typer.Exit: always.
    """
    plan = {**plan, "would_write": [str(file) for file in files if file is not None]}
    lines = "".join(f"{line}\n" for line in _lines(plan))
    text = json.dumps(plan, indent=2, ensure_ascii=False) + "\n" if json_ else lines
    write_text(text, None)
    raise typer.Exit(exits.OK)


def _lines(plan: Mapping[str, Any]) -> Iterator[str]:
    """What is asked as a sentence, where it is known; then each value that is there, those of a list in lines."""
    asked = _ASKED if "requests" in plan else ()
    if asked:
        yield _asked(plan)
    for key, value in plan.items():
        if key in asked or value == []:
            continue
        name = key.replace("_", " ")
        if isinstance(value, list):
            yield f"{name}: {len(value)}"
            yield from (f"  {one_line(str(item))}" for item in value)
        elif isinstance(value, Mapping):
            yield f"{name}: {', '.join(f'{part} {shown(one)}' for part, one in value.items())}"
        else:
            yield f"{name}: {one_line(str(value))}"


_ASKED = ("cases", "requests", "input_tokens", "output_tokens", "cost", "claims")


def shown(value: Any) -> str:
    """A table of the configuration in a few words; what is not set is left out.

    >>> shown({"type": "dense", "encoder": {"type": "minilm", "threads": None}})
    'dense (encoder minilm)'
    """
    if not isinstance(value, Mapping):
        return one_line(str(value))
    more = [f"{key} {shown(one)}" for key, one in value.items() if key != "type" and one is not None]
    return str(value.get("type", "")) + (f" ({', '.join(more)})" if more else "")


def _asked(plan: Mapping[str, Any]) -> str:
    """What the reader would be asked, in a sentence."""
    if not plan["requests"]:
        return "would ask no reader beside the signals"
    requests = "1 request" if plan["requests"] == 1 else f"{plan['requests']} requests"
    tokens = f"about {plan['input_tokens']:,} input tokens"
    replies = f" and replies of at most {plan['output_tokens']:,}" if plan["output_tokens"] else ""
    cost = plan["cost"]
    told = "no prices are configured" if cost is None else f"at their longest {cost:.4g} by your prices"
    asked = f"would ask about {plan['cases']} of {plan['claims']} claims in {requests} with {tokens}{replies}"
    return f"{asked}; {told}; repeated requests are not included"


def summed(told: Sequence[Foretold]) -> dict[str, Any]:
    """What several checks would ask together."""
    costs = [one.cost for one in told if one.cost is not None]
    return {
        "cases": sum(one.cases for one in told),
        "requests": sum(one.requests for one in told),
        "input_tokens": sum(one.input_tokens for one in told),
        "output_tokens": sum(one.output_tokens for one in told),
        "cost": sum(costs) if told and len(costs) == len(told) else None,
        "claims": sum(one.claims or 0 for one in told),
    }


def asking(scorer: VerifiedScorer, texts: Iterable[str], prompt: str | None = None) -> dict[str, Any]:
    """What checks of these texts would ask; nothing where no reader is configured."""
    if not scorer.reader:
        return summed([])
    return summed([scorer.foretell(text, prompt=prompt) for text in texts])


def rows_asked(scorer: VerifiedScorer, rows: Iterable[LabelledRow]) -> dict[str, Any]:
    """What checks of labelled rows would ask, each against its own premise if it has one."""
    from verifier.verification.retrieve import GivenTexts

    if not scorer.reader:
        return summed([])
    told = []
    for row in rows:
        source = GivenTexts.of(row.premise) if row.premise is not None else None
        told.append(scorer.within(row.namespace).foretell(row.claim, source=source))
    return summed(told)


def models_of(settings: Settings) -> dict[str, Any]:
    """What would read and search: the backend, the NLI model, the reader, and the chat model where one takes part."""
    nli = settings.signals.get("nli", True)
    models: dict[str, Any] = {
        "backend": dict(settings.backend),
        "NLI": "the embedded model" if nli is True else "none" if not nli else dict(nli),
        "reader": {key: value for key, value in settings.reader.items() if key != "cache"},
    }
    if settings.claims.decomposer == "llm" or settings.reader.get("type") == "chat":
        models["chat model"] = settings.claims.model or settings.llm.model
    return models


def passages_in(settings: Settings) -> int:
    """Passages of the namespace of the configuration; neither the knowledge base nor its index is changed.

    Raises:
        KnowledgeBaseError: there is no knowledge base, or nothing in the namespace.
    """
    from verifier.knowledge.places import database_at
    from verifier.knowledge.reader import KnowledgeReader

    with closing(database_at(settings.kb.place)) as database:
        reader = KnowledgeReader(database)
        reader.refuse_empty(settings.kb.namespace)
        return reader.passage_count(settings.kb.namespace)
