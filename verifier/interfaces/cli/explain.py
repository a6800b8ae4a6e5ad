"""``verifier explain``: the whole reason ledger of a claim in a report.

The smallest edit that makes a contradicted claim pass is looked for here where ``verify`` has not: by the evidence that
the report quotes, for the knowledge base need not be there.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.core.errors import ConfigError, VerifierError
from verifier.core.visible import visible
from verifier.interfaces.cli.options import (
    ConfigFile,
    OfRow,
    OfText,
    Quiet,
    configuration,
    read_report,
    shared_signals,
)
from verifier.interfaces.cli.output import listing, note, write_text

if TYPE_CHECKING:
    from verifier.types import ClaimVerdict, Contribution, Ledger, Quote, ReaderSaid, ValuePair

__all__ = ["explain", "ledger_text"]

_SHOWN = 0.0005
"""The least difference of two probabilities that three decimal places show."""


def explain(
    report: Annotated[
        Path, typer.Argument(metavar="REPORT|-", help="As `verifier verify --json` or `batch` writes it.")
    ],
    claim: Annotated[
        int | None, typer.Argument(metavar="CLAIM", min=1, help="Its number in the table. [default: all]")
    ] = None,
    of: OfText = None,
    id_: OfRow = None,
    config: ConfigFile = None,
    quiet: Quiet = False,
) -> None:
    """Show why a claim has its verdict: what decided, what would make it pass, what each signal weighed, and where.

    An edit that makes it pass is looked for in the evidence that the report quotes, unless the report has one.
    """
    from verifier.types import Detail
    from verifier.verification.render.summary import rows

    read = read_report(report, of, id_)
    if read.detail is Detail.BRIEF:
        note(
            f"{report} is brief; verify --json --detail full also writes what each signal found and weighed",
            quiet,
        )
    shown = rows(read)
    if not shown:
        raise ConfigError(f"{report} has no claims")
    if claim is not None and claim > len(shown):
        raise ConfigError(f"{report} has {len(shown)} claims; there is no claim {claim}")
    chosen = {n + 1: shown[n] for n in (range(len(shown)) if claim is None else [claim - 1])}
    told = _mended(chosen, config, quiet)
    write_text(visible("\n".join("\n".join(_ledger(n, one)) + "\n" for n, one in told.items())), None)


def ledger_text(number: int, claim: ClaimVerdict) -> str:
    """Everything that led to a claim's verdict, as :func:`explain` prints it under that number."""
    return visible("\n".join(_ledger(number, claim)))


def _mended(claims: dict[int, ClaimVerdict], config: Path | None, quiet: bool) -> dict[int, ClaimVerdict]:
    """The claims, those that are contradicted with an edit, where one can be looked for."""
    from verifier.verification.render.summary import may_be_mended

    if not any(map(may_be_mended, claims.values())):
        return claims
    from verifier.factory import build_scorer
    from verifier.verification.edits.later import with_fix
    from verifier.verification.retrieve import GivenTexts

    try:
        settings = configuration(config, quiet=quiet)
        scorer = build_scorer(
            settings.settings, GivenTexts.of(), shared_signals(settings, quiet)
        ).by_signals()
        return {n: with_fix(one, scorer) if may_be_mended(one) else one for n, one in claims.items()}
    except VerifierError as error:
        note(f"no edits were searched for: {error}", quiet)
        return claims


def _ledger(number: int, claim: ClaimVerdict) -> Iterator[str]:
    """The lines of one claim."""
    from verifier.types import Quote, Verdict
    from verifier.verification.render.highlight import PUT_IN, as_read, has_put_in
    from verifier.verification.render.summary import UNSURE, confidence, fix_line, label, may_be_mended

    sure = "" if confidence(claim) == UNSURE else f" ({confidence(claim)} sure)"
    yield f"{number}. {label(claim)}{sure}: {as_read(claim)}"
    if has_put_in(claim):
        yield f"   ({PUT_IN})"
    yield f"   {_place(Quote(claim.text, claim.start, claim.end, line=claim.line))}"
    yield f"   reason: {_one(claim.reason)}"
    if claim.reader is not None:
        yield from _reader(claim.reader)
    ledger = claim.ledger
    if ledger is None:
        yield "   nothing was weighed"
        return
    yield f"   decided by: {claim.decided_by}; rule: {ledger.rule}"
    if ledger.pair is not None:
        yield from _pair(ledger.pair)
    if fix := fix_line(claim):
        yield f"   {fix}"
    elif may_be_mended(claim):
        yield "   fix: not looked for, the evidence quoted here does not tell alone; verify --fixes looks in all of it"
    if ledger.fix is not None:
        nearest = "" if ledger.fix.verdict is Verdict.SUPPORTED else f"{ledger.fix.label}: "
        yield f"        reads: {nearest}{_one(ledger.fix.text)}"
    yield "   probabilities as weighed: " + ", ".join(
        f"{name} {chance:.3f}" for name, chance in ledger.probabilities.items()
    )
    yield from _after_rules(claim, ledger)
    if ledger.contributions:
        yield ""
        yield from _indented(_contributions(ledger))
    yield ""
    yield from _indented(_findings(claim))
    yield from _windows(claim, ledger)


def _after_rules(claim: ClaimVerdict, ledger: Ledger) -> Iterator[str]:
    """How likely the verdict is once the rules have moved probabilities, where they have and it is not withheld."""
    from verifier.verification.render.summary import UNSURE, confidence

    if claim.verdict is None or claim.confidence is None or confidence(claim) == UNSURE:
        return
    if abs(claim.confidence - ledger.probabilities[claim.verdict]) >= _SHOWN:
        yield f"        after the rules: {claim.verdict} {claim.confidence:.3f}, which is how sure it is"


def _reader(said: ReaderSaid) -> Iterator[str]:
    """What the reader said, where its quotations stand, and what it was told the second time."""
    yield f"   reader: {said.answer or said.state}: {_one(said.note)}"
    for quote in said.quotations:
        yield f"        quotes: {_one(quote.text)} ({_place(quote)})"
    for text in said.lost:
        yield f"        quotation not found in the evidence, not counted: {_one(text)}"
    if said.probabilities is not None:
        yield "        gives: " + ", ".join(
            f"{name} {chance:.3f}" for name, chance in said.probabilities.items()
        )
    if said.objection:
        yield f"        asked again: {_one(said.objection)}"
    if said.left_out:
        yield f"        {said.left_out} passages that were found were not put before it"


def _pair(pair: ValuePair) -> Iterator[str]:
    note = f" ({pair.note})" if pair.note else ""
    yield f"   {pair.relation.value} of {pair.signal} ({pair.kind}){note}"
    yield f"        claim:    {_one(pair.claim.text)} ({_place(pair.claim)})"
    evidence = "nothing" if pair.evidence is None else f"{_one(pair.evidence.text)} ({_place(pair.evidence)})"
    yield f"        evidence: {evidence}"


def _place(quote: Quote) -> str:
    from verifier.verification.explanation.reasons import locate_quote

    return locate_quote(quote) + (", read into the text" if quote.start is None else "")


def _contributions(ledger: Ledger) -> str:
    """Value, and for each verdict what it adds to the logit, with the weight behind it in brackets."""
    verdicts = list(ledger.probabilities)
    table = [
        (item.feature, item.signal or "-", f"{item.value:.3f}", *(_added(item, name) for name in verdicts))
        for item in ledger.contributions
    ]
    totals = (f"{sum(item.logits[name] for item in ledger.contributions):+.2f}" for name in verdicts)
    return listing(("feature", "signal", "value", *verdicts), [*table, ("logit", "", "", *totals)])


def _added(item: Contribution, verdict: str) -> str:
    logit = item.logits[verdict]
    return f"{logit:+.2f} ({logit / item.value:+.2f})" if logit else "0"


def _findings(claim: ClaimVerdict) -> str:
    """What each signal found in the deciding window; of a brief report, which keeps no findings, the first columns."""
    heads = ("signal", "outcome", "support", "claim", "evidence", "note")
    table: list[tuple[str, ...]] = []
    for name, score in claim.signals.items():
        support = "-" if score.support is None else f"{score.support:.2f}"
        table.append((name, score.outcome.value, support, "", "", ""))
        for item in score.findings:
            says = "" if item.evidence_value is None else _one(item.evidence_value)
            table.append(
                ("", item.check or item.kind, item.relation.value, _one(item.claim_value), says, item.note)
            )
    used = len(heads) if any(any(row[3:]) for row in table) else 3
    return listing(heads[:used], [row[:used] for row in table])


def _windows(claim: ClaimVerdict, ledger: Ledger) -> Iterator[str]:
    from verifier.verification.explanation.reasons import locate
    from verifier.verification.render.highlight import Marks, marked_evidence

    marks = Marks(("[", "]"), ("«", "»"))
    for item in claim.evidence:
        yield ""
        yield f"   {locate(item)}, retrieved by {item.retrieved_by}, score {item.score:.4g}"
        yield from _indented(marked_evidence(item, ledger, marks), 5)
    if claim.evidence:
        yield "   ([ ] stands in the claim, too; « » is the value that decided)"


def _indented(text: str, by: int = 3) -> Iterator[str]:
    return (f"{' ' * by}{line}".rstrip() for line in text.splitlines())


def _one(text: str) -> str:
    return " ".join(text.split())
