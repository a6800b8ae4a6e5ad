"""``verifier checks``: list all rules, show one with its examples, find those that fired in a report."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verifier.core.errors import ConfigError
from verifier.core.visible import one_line, visible
from verifier.interfaces.cli.options import ConfigFile, Json, OfRow, OfText, configuration, read_report
from verifier.interfaces.cli.output import listing, write_text
from verifier.types import Status

if TYPE_CHECKING:
    from verifier_signals.checks import Check, Example

    from verifier.types import ClaimVerdict

__all__ = ["app"]

_ORDER = ("conflict", "absent", "match", "skip", "split", "feature")
"""What checks may report: of the signals, of claim extraction, and of the features."""

app = typer.Typer(help="The rules of claims, signals and features, one by one.", no_args_is_help=True)


@app.command("list")
def list_(
    family: Annotated[
        str | None,
        typer.Option(
            "--family", metavar="NAME", help="Only of this family or signal, of claims, or of feature."
        ),
    ] = None,
    relation: Annotated[
        str | None,
        typer.Option("--relation", metavar="NAME", help="Only what may report conflict, skip, split ..."),
    ] = None,
    json_: Json = False,
    config: ConfigFile = None,
) -> None:
    """List every check by what it may report: its id, its family, what it asserts, and whether it is on."""
    checks, off = _known(), _disabled(config)
    relations = dict.fromkeys(one for check in checks.values() for one in _relations(check))
    if relation not in (None, *relations):
        raise ConfigError(f"nothing reports {relation!r}; there are: {', '.join(relations)}")
    chosen = [
        check
        for check in checks.values()
        if family in (None, check.family, check.signal) and relation in (None, *_relations(check))
    ]
    if not chosen:
        families = sorted({check.family for check in checks.values()})
        raise ConfigError(f"there is no family or signal {family!r}; families: {', '.join(families)}")
    if json_:
        rows: list[dict[str, Any]] = [{**_as_json(check), "on": check.id not in off} for check in chosen]
        write_text(json.dumps(rows, indent=2, ensure_ascii=False) + "\n", None)
        return
    chosen.sort(key=lambda check: _ORDER.index(_relations(check)[0]))
    table = [
        (
            ", ".join(_relations(check)),
            check.id,
            check.family,
            "off" if check.id in off else "on",
            check.asserts,
        )
        for check in chosen
    ]
    write_text(listing(("reports", "id", "family", "", "asserts"), table), None)


@app.command("show")
def show(check: Annotated[str, typer.Argument(metavar="ID")], config: ConfigFile = None) -> None:
    """Show one check: what it asserts, what it may report, and examples that it fires on and is silent on."""
    found = _known().get(check)
    if found is None:
        from difflib import get_close_matches

        near = get_close_matches(check, _known(), n=3, cutoff=0.4)
        hint = f"did you mean {' or '.join(near)}?" if near else "see: verifier checks list"
        raise ConfigError(f"there is no check {check!r}; {hint}")
    write_text("\n".join(_page(found, off=check in _disabled(config))) + "\n", None)


@app.command("explain")
def explain(
    report: Annotated[
        Path, typer.Argument(metavar="REPORT|-", help="As `verifier verify --json` or `batch` writes it.")
    ],
    of: OfText = None,
    id_: OfRow = None,
) -> None:
    """Show for each sentence of a report which checks skipped or split it, and which fired on the evidence and on what.

    A brief report names only the check that decided; one of `verify --json --detail full` has all.
    """
    known, lines, number = _known(), list[str](), 0
    for claim in read_report(report, of, id_).claims:
        number += claim.status is not Status.SKIPPED
        lines += [_titled(claim, number), *_fired(claim, known), ""]
    write_text(visible("\n".join(lines)), None)


def _titled(claim: ClaimVerdict, number: int) -> str:
    """A claim under the number that ``verifier explain`` knows it by; what is skipped has none."""
    from verifier.verification.render.summary import label

    if claim.status is Status.SKIPPED:
        return f"-  skipped, {claim.reason}: {one_line(claim.text)}"
    return f"{number}. {label(claim)}: {one_line(claim.text)}"


def _fired(claim: ClaimVerdict, known: dict[str, Check]) -> Iterator[str]:
    found = list(dict.fromkeys(_found(claim)))
    for name in claim.checks:
        if (check := known.get(name)) is not None:
            yield f"   {_relations(check)[0]:<8}  {name}: {check.asserts}"
            yield f"   {_switch(check)}"
    for relation, name, said, told in found:
        yield f"   {relation:<8}  {name}: {said}{told and f' | {told}'}"
    for name in dict.fromkeys(name for relation, name, _, _ in found if relation == "conflict"):
        if (check := known.get(name)) is not None:
            yield f"   {name}: {check.asserts}"
            yield f"   {_switch(check)}"
    if not (found or claim.checks):
        yield "   no check fired"


def _found(claim: ClaimVerdict) -> Iterator[tuple[str, str, str, str]]:
    """Relation, check, and both values: of the pair that decided, and of all findings where the report has them."""
    pair = claim.ledger.pair if claim.ledger is not None else None
    if pair is not None and pair.check:
        told = "" if pair.evidence is None else one_line(pair.evidence.text)
        yield pair.relation.value, pair.check, one_line(pair.claim.text), told
    for score in claim.signals.values():
        for item in score.findings:
            if item.check:
                told = one_line(item.evidence_value or "")
                yield item.relation.value, item.check, one_line(item.claim_value), told


def _page(check: Check, *, off: bool) -> Iterator[str]:
    yield f"{check.id}{' (off)' if off else ''}"
    yield f"   {check.asserts}"
    yield f"   part {check.signal}, family {check.family}, languages {', '.join(check.languages)}"
    yield f"   reports: {', '.join(_relations(check))}"
    yield f"   {_switch(check)}"
    for title, examples in (("fires on", check.fires), ("is silent on", check.silent)):
        yield f"   {title}:"
        for example in examples:
            yield from _lines(example)


def _lines(example: Example) -> Iterator[str]:
    if example.evidence:
        yield f"     evidence  {_one_line(example.evidence)}"
    yield f"     {'claim     ' if example.evidence else ''}{_one_line(example.claim)}"


def _one_line(text: str) -> str:
    return text.replace("\n", " / ")


def _relations(check: Check) -> list[str]:
    """What a check may report, the weightiest first."""
    return sorted((one.value for one in check.relations), key=_ORDER.index)


def _switch(check: Check) -> str:
    """How a check is switched off, alone or with its family."""
    from verifier.verification.checks import setting_of

    return f'to switch it off: [{setting_of(check)}] disable = ["{check.id}"]; its family: "{check.family}"'


def _as_json(check: Check) -> dict[str, Any]:
    return {
        "id": check.id,
        "signal": check.signal,
        "family": check.family,
        "asserts": check.asserts,
        "relations": _relations(check),
        "languages": list(check.languages),
        "fires": [example._asdict() for example in check.fires],
        "silent": [example._asdict() for example in check.silent],
    }


def _known() -> dict[str, Check]:
    from verifier.verification.checks import every_check

    return every_check()


def _disabled(config: Path | None) -> frozenset[str]:
    """The ids that the configuration switches off."""
    from verifier_signals.checks import named

    from verifier.verification.checks import setting_of

    settings = configuration(config).settings
    given = {"claims": settings.claims.disable, "verdict": settings.verdict.disable}
    for signal, table in settings.signals.items():
        given[f"signals.{signal}"] = table.get("disable", ()) if isinstance(table, dict) else ()
    known = _known().values()
    return frozenset(
        one
        for table, names in given.items()
        for one in named(
            names, {check.id: check for check in known if setting_of(check) == table}, f"{table}.disable"
        )
    )
