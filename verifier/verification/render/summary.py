"""The phrases that all formats for people share: rows, confidence, the line at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from verifier.core.reasoning import OPEN_REASONING, REASONING
from verifier.types import ClaimVerdict, Report, Status, Verdict
from verifier.verification.explanation.ledger import DENIAL_WITHHELD, WITHHELD

__all__ = [
    "SURE",
    "UNSURE",
    "Row",
    "confidence",
    "counts",
    "difference_line",
    "end_line",
    "failure_line",
    "fix_line",
    "hidden_line",
    "label",
    "may_be_mended",
    "numbered",
    "reader_line",
    "rows",
    "rule_line",
    "skipped_line",
    "unsought_line",
]

SURE = "sure: the calibrated probability that the verdict shown is the right one of the four"

UNSURE = "–"
"""What stands for a probability where there is none."""

_UNCOUNTED = frozenset({"code", "meta", "url only", REASONING, OPEN_REASONING})
"""Reasons to skip that have no plural."""
_QUOTED = frozenset({"opinion", "question", "instruction"})
"""Reasons to skip something that a reader may take for a statement."""
_LONGEST, _MOST = 60, 3
"""Code points of such a quote, and quotes of one reason."""


def rows(report: Report) -> list[ClaimVerdict]:
    """The claims a person wants to see: those that were checked, could not be, or say that something is not told."""
    return [claim for claim in report.claims if claim.status is not Status.SKIPPED]


class Row(NamedTuple):
    """Claims that are shown together, each with its number: one, or all that could not be checked for one reason."""

    claims: Sequence[tuple[int, ClaimVerdict]]

    @property
    def first(self) -> ClaimVerdict:
        """The claim that stands for them."""
        return self.claims[0][1]

    @property
    def numbers(self) -> str:
        """Their numbers, runs of them as one, a line each: ``1-3``."""
        runs: list[list[int]] = []
        for number, _ in self.claims:
            if runs and runs[-1][-1] == number - 1:
                runs[-1][1:] = [number]
            else:
                runs.append([number])
        return "\n".join("-".join(map(str, run)) for run in runs)


def numbered(report: Report) -> list[Row]:
    """:func:`rows` with their numbers from 1; errors of one cause are one row, where the first of them stands."""
    found: dict[object, list[tuple[int, ClaimVerdict]]] = {}
    for number, claim in enumerate(rows(report), 1):
        failed = claim.status is Status.ERROR
        found.setdefault(claim.reason if failed else number, []).append((number, claim))
    return [Row(claims) for claims in found.values()]


def failure_line(report: Report) -> str:
    """What to look at where the reader failed, or nothing."""
    failed = sum(claim.status is Status.ERROR and claim.reader is not None for claim in report.claims)
    if not failed:
        return ""
    told = "1 claim was" if failed == 1 else f"{failed} claims were"
    return f"error: {told} not read; [reader] and [llm] say what is asked, and verifier readers test asks it alone"


def label(claim: ClaimVerdict) -> str:
    """The verdict, ``error`` or ``abstained``."""
    return claim.verdict.value if claim.verdict is not None else claim.status.value


def confidence(claim: ClaimVerdict) -> str:
    """``87 %``, at most 99 %, for no verdict is certain; a dash where there is none, and where a likelier verdict was
    withheld: the reason says how likely that one is."""
    if claim.confidence is None or _is_withheld(claim, WITHHELD, DENIAL_WITHHELD):
        return UNSURE
    return f"{min(claim.confidence, 0.99):.0%}".replace("%", " %")


def counts(report: Report) -> str:
    """``3 supported, 2 unverifiable (1 probably supported), 1 contradicted``, most severe last."""
    seen = Counter(label(claim) for claim in rows(report))
    withheld = sum(_is_withheld(claim, WITHHELD) for claim in rows(report))
    told = sum(claim.status is Status.ABSTAINED and bool(claim.evidence) for claim in report.claims)
    beside = {
        "unverifiable": f" ({withheld} probably supported)" if withheld else "",
        "abstained": f" ({told} answered by the sources)" if told else "",
    }
    order = ("supported", "abstained", "unverifiable", "fabricated", "contradicted", "error")
    return (
        ", ".join(f"{seen[name]} {name}{beside.get(name, '')}" for name in order if seen[name]) or "no claims"
    )


def end_line(report: Report) -> str:
    """``rejected: 3 supported, 1 contradicted; groundedness 0.75; coverage 100 %``."""
    grounded = "none" if report.groundedness is None else f"{report.groundedness:.2f}"
    decision = report.decision.value.replace("_", " ") + _although(report)
    unseen = len(report.hidden)
    hidden = f"; {unseen} hidden sentence{'s' if unseen > 1 else ''}" if unseen else ""
    lost = len(report.unknown_sources)
    unknown = f"; {lost} source{'s' if lost > 1 else ''} cited, but not there" if lost else ""
    return (
        f"{decision}: {counts(report)}{hidden}{unknown}; groundedness {grounded}; "
        f"coverage {_percent(report.coverage)}"
    )


def hidden_line(report: Report) -> str:
    """``hidden: “The fee is 5 EUR.” in a comment``: what whoever reads the rendered answer does not see, or nothing."""
    told = [f"“{_short(' '.join(one.text.split()))}” in {one.where}" for one in report.hidden[:_MOST]]
    more = f", and {len(report.hidden) - _MOST} more" if len(report.hidden) > _MOST else ""
    return f"hidden: {', '.join(told)}{more}" if told else ""


def _although(report: Report) -> str:
    """That a response is approved with claims that nothing confirms."""
    number = sum(claim.verdict is Verdict.UNVERIFIABLE for claim in report.claims)
    if not report.approved or not number:
        return ""
    return (
        " although 1 claim is not confirmed"
        if number == 1
        else f" although {number} claims are not confirmed"
    )


def skipped_line(report: Report) -> str:
    """``skipped: 2 headings, 1 question (“Any questions?”)``, or nothing; what might be a statement is quoted."""
    seen: dict[str, list[str]] = {}
    for claim in report.claims:
        if claim.status is Status.SKIPPED and claim.reason != "markup":
            seen.setdefault(claim.reason, []).append(" ".join(claim.text.split()))
    told = (_several(len(texts), reason) + _quoted(reason, texts) for reason, texts in sorted(seen.items()))
    return "skipped: " + ", ".join(told) if seen else ""


def fix_line(claim: ClaimVerdict) -> str:
    """``fix: 60 days -> 30 days``, an edit after which the claim was judged supported; that none was found, where one
    was looked for; else nothing."""
    ledger = claim.ledger
    if ledger is None or not (ledger.fix or ledger.fix_sought):
        return ""
    if ledger.fix is None:
        return "fix: none found"
    supported = ledger.fix.verdict is Verdict.SUPPORTED
    return f"fix: {ledger.fix.label}" if supported else "fix: none that is supported"


def difference_line(claim: ClaimVerdict) -> str:
    """``60 days differs from 30 days``, where no edit was looked for and the reason does not name both values."""
    ledger = claim.ledger
    pair = ledger.pair if ledger is not None and not ledger.fix_sought else None
    if claim.verdict is not Verdict.CONTRADICTED or pair is None or pair.evidence is None:
        return ""
    values = [" ".join(quote.text.split()).rstrip(".") for quote in (pair.claim, pair.evidence)]
    told = claim.reason.casefold()
    named = pair.kind == "sentence" or all(value.casefold() in told for value in values)
    return "" if named else " differs from ".join(values)


def may_be_mended(claim: ClaimVerdict) -> bool:
    """Whether an edit can be looked for and has not been: a contradicted claim that no reader has read."""
    unsought = claim.ledger is not None and not claim.ledger.fix_sought
    return claim.verdict is Verdict.CONTRADICTED and unsought and claim.reader is None


def unsought_line(report: Report) -> str:
    """How to have edits looked for, where a contradicted claim may have one; with a reader none is ever looked for."""
    told = "fixes: not looked for; --fixes looks for the smallest edit that makes a contradicted claim pass"
    return told if report.reader is None and any(map(may_be_mended, report.claims)) else ""


def reader_line(report: Report) -> str:
    """``reader: asked about 5 of 8 claims, 1 reply, 3,412 input and 640 output tokens``; nothing without one."""
    use = report.reader
    if use is None:
        return ""
    calls = "1 reply" if use.calls == 1 else f"{use.calls} replies"
    tokens = ""
    if use.calls and use.input_tokens is not None:
        replied = f" and {use.output_tokens:,} output" if use.output_tokens else ""
        tokens = f", {use.input_tokens:,} input{replied} tokens"
    cost = f", cost {use.cost:.4g}" if use.cost is not None else ""
    return f"reader: asked about {use.read} of {use.claims} claims, {calls}{tokens}{cost}"


def rule_line(report: Report) -> str:
    """``rule: approved when ...``."""
    return f"rule: {report.rule}"


def _is_withheld(claim: ClaimVerdict, *rules: str) -> bool:
    return claim.ledger is not None and claim.ledger.rule.startswith(rules)


def _quoted(reason: str, texts: list[str]) -> str:
    if reason not in _QUOTED:
        return ""
    quotes = [f"“{_short(text)}”" for text in texts[:_MOST]]
    return f" ({', '.join(quotes)}{', …' if len(texts) > _MOST else ''})"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _several(number: int, reason: str) -> str:
    return f"{number} {reason}" + ("" if number == 1 or reason in _UNCOUNTED else "s")


def _percent(share: float) -> str:
    """Rounded down, so that 100 % means all."""
    return f"{int(share * 100)} %"
