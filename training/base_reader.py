"""The steps that train a base reader on a rented GPU and bring it back.

``training/README.md`` says how to follow them.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from training import rented
from training.arguments import RUNS, Subparsers
from training.data import data_folder
from training.errors import StepError
from training.mix import read_mix

if TYPE_CHECKING:
    from training.bundle import Lessons
    from training.state import Schedule

__all__ = ["PRECISIONS", "add_steps"]

PRECISIONS = ("int4", "int4-words4", "int8", "float")
"""``int4``: matrices in 4 bits, words in 8; ``int4-words4``: words in 4 bits, too; ``int8``: both in 8, products with
scales of each input; ``float`` is what these are compared with."""


def add_steps(added: Subparsers, inputs: argparse.ArgumentParser) -> None:
    """Add the four steps; ``inputs`` has the arguments that name the mix, the encoder, the data and threads."""
    _add_bundle(added, inputs)
    there = added.add_parser("from-bundle", help="train from a bundle by the clock")
    rented.add_arguments(there)
    there.set_defaults(do=rented.run)
    back = added.add_parser("unbundle", help="make a run folder of what came back")
    back.add_argument("folder", type=Path, help="the result: its manifest and all parts")
    back.add_argument("--bundle", type=Path, required=True, help="the bundle that it was trained from")
    back.add_argument("--to", dest="run", type=Path, required=True, help="folder of the run to make")
    back.set_defaults(do=_unbundle)
    _add_export(added, inputs)


def _add_bundle(added: Subparsers, inputs: argparse.ArgumentParser) -> None:
    bundle = added.add_parser("bundle", parents=[inputs], help="pairs over --max-length are left out")
    bundle.add_argument("--to", dest="folder", type=Path, required=True, help="folder of the bundle")
    bundle.add_argument("--part-size", default="48MiB", help="of the largest part")
    bundle.add_argument("--start-weights", choices=("int8", "fp16"), default="int8")
    bundle.add_argument("--max-length", type=int, default=384, help="tokens of the longest pair")
    bundle.add_argument("--pairs", type=int, help="only the first so many pairs of the mix")
    bundle.add_argument("--rows", type=int, default=4000, help="held-back pairs for the curve")
    bundle.add_argument("--sets", default="real", help="development sets: comma-separated names, or real")
    bundle.add_argument("--set-rows", type=int, default=400, help="rows of each development set")
    bundle.add_argument("--epochs", type=float, default=6.0, help="end after so many, if minutes allow")
    bundle.add_argument("--rate", type=float, default=1e-4)
    bundle.add_argument("--layer-decay", type=float, default=0.93, help="of the rate, a layer further down")
    bundle.add_argument("--frozen-layers", type=int, default=0, help="lowest layers left as they are")
    bundle.add_argument("--batch-tokens", type=int, default=16384)
    bundle.add_argument("--check-every", type=float, default=100.0, help="seconds between two results")
    bundle.add_argument("--seed", type=int, default=13)
    bundle.set_defaults(do=_bundle)


def _add_export(added: Subparsers, inputs: argparse.ArgumentParser) -> None:
    export = added.add_parser("export-base", parents=[inputs], help="a base reader's run as ONNX in 4 bits")
    export.add_argument("--run", type=Path, default=RUNS / "run", help="folder of the run")
    export.add_argument("--model", type=Path, required=True, help="folder to write")
    export.add_argument("--precision", choices=PRECISIONS, default="int4")
    export.add_argument("--max-length", type=int, default=384, help="tokens of the longest pair")
    export.add_argument("--part-size", default="45MB", help="of the largest file")
    export.add_argument(
        "--rows", type=int, default=0, help="held-back pairs of --mix to compare with float on"
    )
    export.add_argument("--output", type=Path, help="write the report there as JSON")
    export.set_defaults(do=_export)


def _size(text: str) -> int:
    from training.bundle import parsed_size

    try:
        return parsed_size(text)
    except ValueError as error:
        raise StepError(f"--part-size {error}") from error


def _bundle(arguments: argparse.Namespace) -> None:
    from training.bundle import write_bundle

    if arguments.encoder is None:
        raise StepError("name what to start from: --encoder DIR, a sentence encoder or a reader's run")
    size, lessons = _size(arguments.part_size), _lessons(arguments)
    manifest = write_bundle(
        arguments.folder,
        lessons,
        arguments.encoder,
        arguments.mix,
        _schedule(arguments, len(lessons.mix)),
        max_length=arguments.max_length,
        weights=arguments.start_weights,
        part_size=size,
    )
    for blob in manifest["blobs"]:
        logging.info("%s: %.1f MB", blob["name"], blob["bytes"] / 1e6)
    for name, told in manifest["files"].items():
        print(f"{name}: {told['bytes'] / 1e6:.1f} MB")


def _lessons(arguments: argparse.Namespace) -> Lessons:
    """The mix, the held-back pairs and the development sets, as the encoder's tokenizer writes them."""
    from benchmarks.evaluation import read_sets, set_names
    from training.bundle import Lessons
    from training.teacher import teacher_tokenizer
    from training.tokens import shorter_than, tokenize
    from training.windows import development_sets

    longest = arguments.max_length
    tokenizer = teacher_tokenizer(arguments.encoder, longest)
    mix = shorter_than(tokenize(read_mix(arguments.mix, "train")[: arguments.pairs], tokenizer), longest)
    held_back = tokenize(read_mix(arguments.mix, "held_back")[: arguments.rows], tokenizer)
    sets = read_sets(data_folder(arguments.data), set_names(arguments.sets), arguments.set_rows)
    logging.info("%d pairs of %.0f tokens, %d development sets", len(mix), mix.lengths.mean(), len(sets))
    return Lessons(mix, held_back, development_sets(sets, tokenizer, longest))


def _schedule(arguments: argparse.Namespace, pairs: int) -> Schedule:
    from training.state import Schedule

    return Schedule(
        pairs=max(1, round(arguments.epochs * pairs)),
        rate=arguments.rate,
        layer_decay=arguments.layer_decay,
        frozen_layers=arguments.frozen_layers,
        batch_tokens=arguments.batch_tokens,
        check_every=arguments.check_every,
        seed=arguments.seed,
    )


def _unbundle(arguments: argparse.Namespace) -> None:
    from training.result import unbundle

    manifest = unbundle(arguments.folder, arguments.bundle, arguments.run)
    told = {"seen": manifest["record"]["point"]["seen"], "device": manifest["device"], **manifest["figures"]}
    print(f"{arguments.run}: {json.dumps(told)}")


def _export(arguments: argparse.Namespace) -> None:
    from training.base_export import export_base, report

    largest, longest = _size(arguments.part_size), arguments.max_length
    export_base(
        arguments.run, arguments.model, precision=arguments.precision, max_length=longest, largest=largest
    )
    size = sum(path.stat().st_size for path in arguments.model.iterdir())
    print(f"{arguments.model}: {size / 1e6:.1f} MB")
    if arguments.rows:
        pairs = read_mix(arguments.mix, "held_back")[: arguments.rows]
        text = json.dumps(report(arguments.run, arguments.model, pairs, longest), indent=1)
        print(text)
        if arguments.output is not None:
            arguments.output.write_text(text + "\n", encoding="utf-8")
