"""``python -m training.encoders <step>``: arguments in, one step of the pipeline done, its figures printed.

export     a sentence encoder -> backends/models/minilm: ONNX, int8, word vectors in 4 bits
"""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path

from training.__main__ import encoder_folder

__all__ = ["main"]

HERE = Path(__file__).parent
MODELS = HERE.parents[1] / "backends" / "models"
PRECISIONS = ("float", "int8", "int8-words4")
ENCODER = "sentence-transformers/all-MiniLM-L6-v2"


def _size(folder: Path) -> str:
    return f"{folder}: {sum(path.stat().st_size for path in folder.iterdir()) / 1e6:.1f} MB"


def _export(arguments: argparse.Namespace) -> None:
    from training.encoders.export import export
    from training.encoders.model import load_encoder

    source = encoder_folder(arguments.encoder)
    export(
        load_encoder(source, arguments.tuned),
        source / "tokenizer.json",
        arguments.model,
        precision=arguments.precision,
        max_length=arguments.max_length,
        facts={"source": ENCODER, "tuned": arguments.tuned is not None},
    )
    print(_size(arguments.model))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m training.encoders",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--encoder", type=Path, help="folder of the sentence encoder; by default the package")
    steps = parser.add_subparsers(dest="step", required=True)

    export = steps.add_parser("export", parents=[shared])
    export.add_argument("--tuned", type=Path, help="weights written by tune; by default those of --encoder")
    export.add_argument("--model", type=Path, default=MODELS / "minilm", help="folder to write")
    export.add_argument("--precision", choices=PRECISIONS, default="int8-words4")
    export.add_argument("--max-length", type=int, default=256, help="tokens of a window")
    export.set_defaults(do=_export)
    return parser


def main(given: list[str] | None = None) -> None:
    """Run one step."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)
    arguments = _parser().parse_args(given)
    arguments.do(arguments)


if __name__ == "__main__":
    main()
