"""What a reader makes of labelled claims, measured through the product, and the weights that are learnt from it.

python -m benchmarks.readers desk --port P --folder F      a server whose replies a person or any model writes
python -m benchmarks.readers ask SET... --output DIR       have a chat model read labelled claims (--desk F, --base-url)
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from benchmarks.readers.ask import ask
from benchmarks.readers.desk import MODEL, desk
from benchmarks.readers.sets import language_sets, verdict_sets
from verifier.core.errors import VerifierError


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    steps = parser.add_subparsers(dest="step", required=True)
    serve = steps.add_parser("desk", help="serve requests as files")
    serve.add_argument("--port", type=int, default=8099)
    serve.add_argument("--folder", type=Path, required=True)
    serve.add_argument("--wait", type=float, default=3600.0, help="seconds until a request is given up")
    asking = steps.add_parser("ask", help="have a chat model read labelled claims")
    asking.add_argument("sets", nargs="+", choices=[*verdict_sets(), *language_sets()], metavar="SET")
    asking.add_argument("--output", type=Path, required=True)
    asking.add_argument("--desk", type=Path, help="a folder of requests and replies")
    asking.add_argument("--base-url")
    asking.add_argument("--model", default=MODEL)
    asking.add_argument("--set", dest="settings", action="append", default=[], metavar="KEY=VALUE")
    return parser


def main() -> None:
    """Parse arguments and do one step."""
    options = _parser().parse_args()
    try:
        if options.step == "desk":
            with desk(options.folder, port=options.port, wait=options.wait) as url:
                print(f"serving {options.folder} at {url}; stop with Ctrl-C", flush=True)
                while True:
                    time.sleep(3600)
        if options.step == "ask":
            raise SystemExit(3 if _ask(options) else 0)
    except KeyboardInterrupt:
        return
    except VerifierError as error:
        raise SystemExit(f"benchmarks.readers: {error}") from error


def _ask(options: argparse.Namespace) -> int:
    given = dict(pair.split("=", 1) for pair in options.settings)
    overrides = {
        "reader.type": "chat",
        "llm.model": options.model,
        "llm.max_retries": 0,
        "llm.timeout": 600.0,
        "reader.breaker_failures": 1_000_000,
        "reader.workers": 8,
    }
    if options.desk is None:
        return ask(options.sets, options.output, overrides | {"llm.base_url": options.base_url} | given)
    with desk(options.desk) as url:
        return ask(options.sets, options.output, overrides | {"llm.base_url": url} | given)


if __name__ == "__main__":
    main()
