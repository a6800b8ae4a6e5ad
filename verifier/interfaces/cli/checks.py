"""``verifier checks``: list the rules of the signals, show one with its examples, find those that fired in a report."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verifier.core.errors import ConfigError
from verifier.core.visible import one_line, visible
from verifier.interfaces.cli.options import ConfigFile, Json, OfText, configuration, read_report
from verifier.interfaces.cli.output import listing, write_text

if TYPE_CHECKING:
    from verifier_signals.checks import Check, Example

    from verifier.types import ClaimVerdict

__all__ = ["app"]

app = typer.Typer(help="The rules of the signals, one by one.", no_args_is_help=True)


@app.command("list")
def list_(
    family: Annotated[
        str | None, typer.Option("--family", metavar="NAME", help="Only of this family or signal.")
    ] = None,
    json_: Json = False,
    config: ConfigFile = None,
) -> None:
    """List every check: its id, its family, what it asserts, and whether the configuration leaves it on."""
    checks, off = _known(), _disabled(config)
    chosen = [check for check in checks.values() if family in (None, check.family, check.signal)]
    if not chosen:
        families = sorted({check.family for check in checks.values()})
        raise ConfigError(f"there is no family or signal {family!r}; families: {', '.join(families)}")
    if json_:
        rows: list[dict[str, Any]] = [{**_as_json(check), "on": check.id not in off} for check in chosen]
        write_text(json.dumps(rows, indent=2, ensure_ascii=False) + "\n", None)
        return
    table = [(check.id, check.family, "off" if check.id in off else "on", check.asserts) for check in chosen]
    write_text(listing(("id", "family", "", "asserts"), table), None)


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
        Path, typer.Argument(metavar="REPORT|-", help="A report as `verifier verify --json` writes it.")
    ],
    of: OfText = None,
) -> None:
    """Show for each claim of a report which checks fired on the evidence that decided, and on what.

    A brief report names only the check that decided; one of `verify --json --detail full` has all.
    """
    from verifier.verification.render.summary import label, rows

    known = _known()
    lines: list[str] = []
    for number, claim in enumerate(rows(read_report(report, of)), 1):
        lines += [f"{number}. {label(claim)}: {one_line(claim.text)}", *_fired(claim, known), ""]
    write_text(visible("\n".join(lines)), None)


def _fired(claim: ClaimVerdict, known: dict[str, Check]) -> Iterator[str]:
    found = list(dict.fromkeys(_found(claim)))
    for relation, name, said, told in found:
        yield f"   {relation:<8}  {name}: {said}{told and f' | {told}'}"
    for name in dict.fromkeys(name for relation, name, _, _ in found if relation == "conflict"):
        if (check := known.get(name)) is not None:
            yield f"   {name}: {check.asserts}"
            yield f'   to switch it off: [signals.{check.signal}] disable = ["{name}"]; its family: "{check.family}"'
    if not found:
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
    yield f"   signal {check.signal}, family {check.family}, languages {', '.join(check.languages)}"
    yield f"   reports: {', '.join(sorted(relation.value for relation in check.relations))}"
    for title, examples in (("fires on", check.fires), ("is silent on", check.silent)):
        yield f"   {title}:"
        for example in examples:
            yield from _lines(example)


def _lines(example: Example) -> Iterator[str]:
    yield f"     evidence  {example.evidence.replace(chr(10), ' / ')}"
    yield f"     claim     {example.claim}"


def _as_json(check: Check) -> dict[str, Any]:
    return {
        "id": check.id,
        "signal": check.signal,
        "family": check.family,
        "asserts": check.asserts,
        "relations": sorted(relation.value for relation in check.relations),
        "languages": list(check.languages),
        "fires": [example._asdict() for example in check.fires],
        "silent": [example._asdict() for example in check.silent],
    }


def _known() -> dict[str, Check]:
    from verifier_signals.checks import all_checks

    return all_checks()


def _disabled(config: Path | None) -> frozenset[str]:
    """The ids that the configuration switches off."""
    from verifier_signals.checks import named

    off: set[str] = set()
    for signal, table in configuration(config).settings.signals.items():
        given = table.get("disable", ()) if isinstance(table, dict) else ()
        of_it = {check.id: check for check in _known().values() if check.signal == signal}
        off |= named(given, of_it, f"signals.{signal}.disable")
    return frozenset(off)
