"""The command that trains a reader on a rented GPU, out of the bundle's own archive.

    PYTHONPATH=BUNDLE/code.zip python -m training.rented BUNDLE --work WORK --output OUT --minutes 8

It is ``python -m training from-bundle`` without the rest of the repository. It first checks that what it needs is
installed, so that a machine without it says so in the first second.
"""

from __future__ import annotations

import argparse
import logging
import os
import re
import sys
from importlib.util import find_spec
from pathlib import Path

from training.errors import StepError

__all__ = ["NEEDED", "add_arguments", "check_installed", "main", "run"]

NEEDED = ("numpy", "torch", "safetensors", "tokenizers", "transformers")
"""Packages that have to be installed there, or be brought as wheels."""


def check_installed() -> None:
    """Make sure that what is needed is there.

    Raises:
        StepError: it is not; the message names all that is missing.
    """
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise StepError(
            f"not installed here: {', '.join(missing)}; bring their wheels, unpack them into a folder and name it in "
            "PYTHONPATH"
        )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What a run from a bundle may be told."""
    parser.add_argument("bundle", type=Path, help="folder with all parts of the bundle, and its manifest")
    parser.add_argument(
        "--work", type=Path, required=True, help="folder of the run, which --resume goes on in"
    )
    parser.add_argument("--output", type=Path, required=True, help="folder that gets parts of the result")
    parser.add_argument(
        "--minutes", type=float, help="train for so long; without it an earlier call's result is sent"
    )
    parser.add_argument("--resume", action="store_true", help="go on with the run in --work")
    parser.add_argument(
        "--stop", type=float, help="end this call after so many minutes; --resume goes on in the next"
    )
    parser.add_argument(
        "--seeds", type=int, default=1, help="so many runs share the minutes, and are averaged"
    )
    parser.add_argument("--send", type=span, help="parts of the result, FROM:TO, TO left out; all by default")
    parser.add_argument("--part-size", default="15MiB", help="of the largest file of the result")
    parser.add_argument(
        "--weights", choices=("int4", "int8", "fp16"), default="int8", help="form in which the result travels"
    )
    parser.add_argument("--rate", type=float, help="by default the bundle's")
    parser.add_argument("--batch-tokens", type=int, help="by default the bundle's")
    parser.add_argument(
        "--frozen-layers", type=int, help="lowest layers left as they are; the bundle's by default"
    )
    parser.add_argument(
        "--check-every", type=float, help="seconds between two results; the bundle's by default"
    )
    parser.add_argument(
        "--four-bits-from",
        type=float,
        default=1.0,
        help="share of the run, 0 to 1, from which on the weights are read in 4 bits; never by default",
    )
    parser.add_argument("--threads", type=int, help="of the processor; by default all")


def span(text: str) -> tuple[int, int]:
    """``FROM:TO`` as two numbers.

    >>> span("0:4")
    (0, 4)

    Raises:
        argparse.ArgumentTypeError: it is something else.
    """
    found = re.fullmatch(r"(\d+):(\d+)", text)
    if found is None or int(found[1]) >= int(found[2]):
        raise argparse.ArgumentTypeError(f"{text!r}: expected FROM:TO, as 0:4")
    return int(found[1]), int(found[2])


def run(arguments: argparse.Namespace) -> None:
    """Train by the clock, or send what was trained."""
    check_installed()
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # or transformers may wait for a network that is not there
    from training.by_clock import Call, send, train
    from training.result import rewritten

    call = Call.of(arguments)
    if call.minutes is None:
        rewritten(call.result, call.work, call.weights, call.part_size)
        names = send(call.result, call.output, call.send)
        print(f"{call.output}: {', '.join(names) or 'no parts'}")
    else:
        print(train(call))


def main(given: list[str] | None = None) -> None:
    """Run it; what cannot be done ends with one line."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)
    parser = argparse.ArgumentParser(
        prog="python -m training.rented",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_arguments(parser)
    try:
        run(parser.parse_args(given))
    except (StepError, OSError) as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
