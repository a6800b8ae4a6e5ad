"""Measure a reader on labelled claims through the product, and learn weights from its readings.

    python -m benchmarks.readers desk --port P --folder F     a server whose replies a person or any model writes
    python -m benchmarks.readers ask SET... --output DIR      have a chat model read labelled claims, keep its readings
    python -m benchmarks.readers measure SET...               how right verdicts are, what was sent, what it took
    python -m benchmarks.readers guards                       what conflicts in quoted words are worth
    python -m benchmarks.readers learn --output FILE          weights of claims that a chat model has read

``ask`` and ``measure`` put questions to ``--base-url``, or to a desk over ``--desk FOLDER``; ``measure`` also repeats
stored readings (``--stored FOLDER``).
"""

from __future__ import annotations

import argparse
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from benchmarks.readers.ask import ask
from benchmarks.readers.desk import MODEL, desk
from benchmarks.readers.guards import again, lines
from benchmarks.readers.learn import learn_chat, read_samples, worth
from benchmarks.readers.measure import measured
from benchmarks.readers.sets import CORPORA, language_sets, verdict_sets
from verifier.core.errors import VerifierError

READINGS = CORPORA / "readings" / "chat"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    steps = parser.add_subparsers(dest="step", required=True)
    serve = steps.add_parser("desk", help="serve requests as files")
    serve.add_argument("--port", type=int, default=8099)
    serve.add_argument("--folder", type=Path, required=True)
    serve.add_argument("--wait", type=float, default=3600.0, help="seconds until a request is given up")
    for name, told in (("ask", "keep what a model says"), ("measure", "figures of verdicts")):
        asking = steps.add_parser(name, help=told)
        asking.add_argument("sets", nargs="+", choices=[*verdict_sets(), *language_sets()], metavar="SET")
        asking.add_argument("--desk", type=Path, help="a folder of requests and replies")
        asking.add_argument("--base-url")
        asking.add_argument("--model", default=MODEL)
        asking.add_argument("--set", dest="settings", action="append", default=[], metavar="KEY=VALUE")
        if name == "ask":
            asking.add_argument("--output", type=Path, required=True)
        else:
            asking.add_argument("--stored", type=Path, help="a folder of stored readings")
            asking.add_argument("--only", type=Path, help="only claims that this folder of readings has")
            asking.add_argument("--without", action="store_true", help="the signals alone, for comparison")
    for name, told in (("guards", "conflicts in quoted words"), ("learn", "weights")):
        stored = steps.add_parser(name, help=told)
        stored.add_argument("--readings", type=Path, default=READINGS)
        if name == "learn":
            stored.add_argument("--output", type=Path)
    return parser


def main() -> None:
    """Parse arguments and do one step."""
    options = _parser().parse_args()
    try:
        match options.step:
            case "desk":
                _serve(options)
            case "ask" | "measure":
                _ask(options)
            case _:
                _learn(options)
    except KeyboardInterrupt:
        return
    except VerifierError as error:
        raise SystemExit(f"benchmarks.readers: {error}") from error


def _serve(options: argparse.Namespace) -> None:
    with desk(options.folder, port=options.port, wait=options.wait) as url:
        print(f"serving {options.folder} at {url}; stop with Ctrl-C", flush=True)
        while True:
            time.sleep(3600)


def _ask(options: argparse.Namespace) -> None:
    given: dict[str, Any] = dict(pair.split("=", 1) for pair in options.settings)
    patient = {"llm.max_retries": 0, "llm.timeout": 600.0, "reader.breaker_failures": 1_000_000}
    chat = {"reader.type": "chat", "llm.model": options.model, "reader.workers": 8, **patient}
    with nullcontext(options.base_url) if options.desk is None else desk(options.desk) as url:
        overrides = {**chat, "llm.base_url": url, **given}
        if options.step == "ask":
            raise SystemExit(3 if ask(options.sets, options.output, overrides) else 0)
        asked = given if options.without else overrides
        print(measured(options.sets, asked, stored=options.stored, only=options.only))


def _learn(options: argparse.Namespace) -> None:
    names = [path.stem for path in sorted(options.readings.glob("*.jsonl"))]
    samples, nli = read_samples(names, options.readings)
    if options.step == "guards":
        every = [one for some in samples.values() for one in some]
        print("\n".join([*lines(every), *again(every)]))
        return
    fusion, made = learn_chat(samples, nli, options.readings)
    print("\n".join(worth(made, fusion)))
    print(
        f"supported from {fusion.supported_at:.4f} on; settled by the signals from {dict(fusion.settled_at)} on"
    )
    if options.output is not None:
        fusion.save(options.output)


if __name__ == "__main__":
    main()
