"""``verifier readers``: list readers and their weights, learn these, and try a reader out."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verifier.core.errors import ConfigError, VerifierError
from verifier.core.visible import one_line
from verifier.interfaces.cli import exits
from verifier.interfaces.cli.options import ConfigFile, Json, Quiet, configuration, shared_signals
from verifier.interfaces.cli.output import listing, note, plural, write_text

if TYPE_CHECKING:
    from verifier.config import Settings
    from verifier.measure.kept import Kept
    from verifier.measure.ready import ReadySignals
    from verifier.readers import Answer, Case, Reader, Reading
    from verifier.verification.decision.verdict import Fusion

__all__ = ["app"]

app = typer.Typer(help="What reads claims: list, try out, and learn weights for it.", no_args_is_help=True)


@app.command("list")
def list_(json_: Json = False, config: ConfigFile = None) -> None:
    """List the readers, the model in use, and what was learnt here.

    Exit 3 where a reader, or the model in use, cannot be loaded.
    """
    from verifier.core.registry import READERS

    settings = (configured := configuration(config)).settings
    in_use = str(settings.reader.get("type", ""))
    readers = [_installed(name, in_use) for name in READERS.names()]
    model = _model_in_use(shared_signals(configured, quiet=True), settings)
    kept = _kept()
    if json_:
        found = {"readers": readers, "model": model, "kept": kept}
        write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", None)
    else:
        write_text(_as_text(readers, model, kept), None)
    broken = [row for row in (*readers, model) if row.get("error")]
    raise typer.Exit(exits.INCOMPLETE if broken else exits.OK)


def _installed(name: str, in_use: str) -> dict[str, Any]:
    """A row of the list: the reader, and where weights for its answers come from."""
    from verifier.core.registry import READERS
    from verifier.verification.decision.verdict import Fusion

    row: dict[str, Any] = {"reader": name, "in_use": name == in_use}
    try:
        kind = READERS.load(name).traits.kind
        if name == "embedded":
            weights = "shipped"
        elif kind == "classifier":
            weights = "by model: learnt at first use, and kept"
        else:
            weights = "shipped for its kind" if Fusion.of_kind(kind).learnt_from else "none"
        return {**row, "kind": kind, "weights": weights}
    except (VerifierError, AttributeError) as error:
        return {**row, "kind": None, "weights": None, "error": str(error)}


def _model_in_use(shared: ReadySignals, settings: Settings) -> dict[str, Any]:
    """The NLI model that the signals read with, and its weights."""
    row: dict[str, Any] = {"model": shared.model}
    try:
        found = shared.find()
        if settings.verdict.fusion:
            return {**row, "fingerprint": found.nli, "weights": settings.verdict.fusion}
        kept = str(found.path) if found.fusion is not None and found.path else None
        return {**row, "fingerprint": found.nli, "weights": kept or found.source}
    except VerifierError as error:
        return {**row, "fingerprint": None, "weights": None, "error": str(error)}


def _kept() -> list[dict[str, Any]]:
    """The files of weights that were learnt here."""
    from verifier.measure.kept import Shelf, rules_version

    version = rules_version()
    return [_kept_row(kept, version) for kept in Shelf.of_user()]


def _kept_row(kept: Kept, version: str) -> dict[str, Any]:
    if kept.fusion is None or kept.origin is None:
        return {"file": str(kept.path), "state": "damaged"}
    return {
        "file": str(kept.path),
        "state": "current" if kept.origin.version == version else "of another version",
        "model": kept.origin.model,
        "fingerprint": kept.fusion.nli,
        "date": kept.origin.date,
        "claims": kept.fusion.learnt_from.get("claims"),
    }


def _as_text(
    readers: Sequence[Mapping[str, Any]], model: Mapping[str, Any], kept: Sequence[Mapping[str, Any]]
) -> str:
    rows = [
        ("*" if row["in_use"] else "", row["reader"], row["kind"] or "-", row["weights"] or row["error"])
        for row in readers
    ]
    said = model.get("error") or f"fingerprint {model['fingerprint']}, weights: {model['weights']}"
    if model["weights"] == "none":
        said += " yet (the first check learns them; or now: verifier readers fit)"
    parts = [
        listing(("in use", "reader", "kind", "weights"), rows),
        f"\nNLI model: {one_line(str(model['model']))}, {one_line(said)}\n",
    ]
    if kept:
        columns = ("model", "date", "claims", "state", "file")
        table = [[row.get(key) or "-" for key in columns] for row in kept]
        parts.append(f"\nlearnt from labelled claims of the package\n{listing(columns, table)}")
    return "".join(parts)


@app.command("fit")
def fit(
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE", help="Write a fusion file there, and keep nothing."),
    ] = None,
    json_: Json = False,
    config: ConfigFile = None,
    quiet: Quiet = False,
) -> None:
    """Learn verdict weights for the NLI model in use.

    They are learnt from labelled claims that the package ships, as the first check would, and kept. Labels of your own
    make better weights: verifier calibrate.
    """
    if output is not None and (output.is_dir() or not output.parent.is_dir()):
        reason = "it is a folder" if output.is_dir() else "there is no such folder"
        raise ConfigError(f"cannot write {output}: {reason}")
    settings = (configured := configuration(config, quiet=quiet)).settings
    shared = shared_signals(configured, quiet)
    if shared.consultant is not None:
        raise ConfigError(
            f"weights of a {settings.reader.get('type')} reader are learnt from labels of your own: "
            "verifier calibrate LABELLED.jsonl --learn-weights --output reader.json"
        )
    if shared.find().source == "shipped":
        raise ConfigError(f"weights for {shared.model} come with the package: there is nothing to learn")
    if own := settings.verdict.fusion:
        note(f"verdict.fusion = {own!r} is used in the place of what is learnt here", quiet)
    fusion, path = _learnt(shared, output)
    shown = {"model": shared.model, "fingerprint": fusion.nli, "file": str(path), **fusion.figures}
    said = json.dumps(shown, indent=2) + "\n" if json_ else _fitted(fusion, shared.model, path, output)
    write_text(said, None)


def _learnt(shared: ReadySignals, output: Path | None) -> tuple[Fusion, Path]:
    """Weights, and the file that they were written to."""
    if output is None:
        fusion, path = shared.learn()
        if path is None:
            raise ConfigError("nothing was kept; to write a file: verifier readers fit --output FILE")
        return fusion, path
    fusion = shared.learn_only()
    try:
        fusion.save(output)
    except OSError as error:
        raise ConfigError(f"cannot write {output}: {error.strerror}") from error
    return fusion, output


def _fitted(fusion: Fusion, model: str, path: Path, output: Path | None) -> str:
    kept, claims = fusion.figures["guarantee"], fusion.learnt_from["claims"]
    where = f"in use with: [verdict] fusion = {str(path)!r}" if output else f"kept in {path}"
    return (
        f"learnt for {one_line(model)} from {plural(claims, 'labelled claim')} of the package\n"
        f"supported from {fusion.supported_at:.4f} on: {kept['accepted']} of {claims} claims, {kept['wrong']} of them "
        f"wrongly; of claims like these at most {kept['target_error']:.0%} are "
        f"({kept['confidence']:.0%} confidence)\n{where}\n"
    )


@app.command("test")
def try_out(json_: Json = False, config: ConfigFile = None, quiet: Quiet = False) -> None:
    """Let the configured reader read three examples.

    Exit 3 where it could not read one."""
    from verifier.factory import build_reader

    settings = configuration(config, quiet=quiet).settings
    reader = build_reader(_as_reader(settings))
    rows = [_tried(reader, case, right) for case, right in _examples()]
    if json_:
        found = {"reader": reader.identity, "examples": rows}
        write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", None)
    else:
        write_text(f"{one_line(reader.identity)}\n\n{_examples_text(rows)}", None)
    if any(row["answer"] not in (None, row["right"]) for row in rows):
        note(
            "an answer is not what the evidence says; for a classifier: are its labels in the right order?",
            quiet,
        )
    failed = any(row["state"] == "failed" for row in rows)
    raise typer.Exit(exits.INCOMPLETE if failed else exits.OK)


def _as_reader(settings: Settings) -> Settings:
    """The settings with the model of ``[signals.nli]`` as the reader, where ``[reader]`` leaves reading to it."""
    table = settings.signals.get("nli")
    if settings.reader.get("type") != "embedded" or not isinstance(table, Mapping) or not table.get("model"):
        return settings
    return settings.model_copy(update={"reader": {**table, "type": "classifier"}})


def _examples() -> Sequence[tuple[Case, Answer]]:
    from verifier.readers import Answer, Case, Piece

    tower = Piece("The tower was built in 1890. It stands beside the harbour.", "tower.md > History")
    tram = Piece("A ticket is valid for two hours. Children under six travel free.", "tram.md > Tickets")
    return (
        (Case("The tower was built in 1890.", (tram, tower)), Answer.SUPPORTED),
        (Case("Children never travel free.", (tower, tram)), Answer.CONTRADICTED),
        (Case("The mayor plays the violin.", (tower, tram)), Answer.NOT_FOUND),
    )


def _tried(reader: Reader, case: Case, right: Answer) -> dict[str, Any]:
    """What a reader makes of an example, and the seconds that it took."""
    started = time.perf_counter()
    [reading] = reader.read([case])
    return {
        "claim": case.claim,
        "right": right.value,
        "state": reading.state.value,
        "answer": None if reading.answer is None else reading.answer.value,
        "probabilities": _chances(reading),
        "seconds": round(time.perf_counter() - started, 3),
        "note": reading.note,
    }


def _chances(reading: Reading) -> dict[str, float] | None:
    if reading.probabilities is None:
        return None
    return {answer.value: round(chance, 4) for answer, chance in reading.probabilities.items()}


def _examples_text(rows: Sequence[Mapping[str, Any]]) -> str:
    table = [
        (
            row["answer"] or row["state"],
            " ".join(f"{name} {chance:.2f}" for name, chance in (row["probabilities"] or {}).items()) or "-",
            f"{row['seconds']:.2f}",
            row["claim"],
        )
        for row in rows
    ]
    notes = [
        f"{row['state']}: {one_line(row['note'])}\n" for row in rows if row["note"] and not row["answer"]
    ]
    return listing(("answer", "probabilities", "seconds", "claim"), table) + "".join(notes)
