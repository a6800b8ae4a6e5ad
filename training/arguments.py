"""The command line of the training pipeline: the arguments of each step."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

__all__ = [
    *("FACTUALITY", "MODEL", "NAMES", "PRECISIONS", "RESULTS", "RUNS"),
    *("Step", "Subparsers", "parser_of"),
]

Step = Callable[[argparse.Namespace], None]
Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
Added = Callable[[Subparsers, argparse.ArgumentParser], None]

HERE = Path(__file__).parent
RUNS = HERE / "runs"
RESULTS = HERE / "results"
MODEL = HERE.parent / "signals" / "verifier_signals" / "models" / "nli"
NAMES = MODEL.parent / "names"
FACTUALITY = MODEL.parent / "factuality"
PRECISIONS = ("float", "int8", "int8-static", "int8-reduced", "int8-words4")
"""``int8`` takes the scales of activations from each input, ``int8-static`` fixes them on pairs of the mix.
``int8-reduced`` uses 7 bits of each weight, as ``int8-static`` does: processors without VNNI add products in 16 bits,
which 8 overflow. ``int8-words4`` is the same with word vectors in 4 bits, which is what two more layers take."""


def parser_of(
    description: str | None, steps: Mapping[str, Step], more: Sequence[Added] = ()
) -> argparse.ArgumentParser:
    """What the command line may say; the chosen step's function is in ``do``.

    Args:
        more: add steps of their own, given where to and the arguments that all steps with a mix share.
    """
    parser = argparse.ArgumentParser(
        prog="python -m training",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    inputs = argparse.ArgumentParser(add_help=False)
    inputs.add_argument("--data", type=Path, help="data folder; by default the variable VERIFIER_DATA")
    inputs.add_argument("--mix", type=Path, default=RUNS / "mix", help="folder of the mix")
    inputs.add_argument("--encoder", type=Path, help="folder of the sentence encoder; by default the package")
    inputs.add_argument("--threads", type=int, help="by default all cores")
    shared = argparse.ArgumentParser(add_help=False, parents=[inputs])
    shared.add_argument("--seed", type=int, default=13)
    added = parser.add_subparsers(dest="step", required=True)

    mix = added.add_parser("mix", parents=[shared])
    mix.add_argument("--synthetic", type=int, default=50_000, help="about so many synthetic pairs")
    mix.add_argument("--joined", type=int, default=10_000, help="about so many pairs among other sentences")
    mix.add_argument("--sheets", type=int, default=50_000, help="about so many pairs from the fact sheets")
    mix.add_argument(
        "--irrelevant", type=int, default=50_000, help="about so many passages that are no evidence"
    )
    mix.add_argument("--relations", type=int, default=12_000, help="so many pairs about relations")
    mix.add_argument("--twins", type=int, default=0, help="so many entailed claims with one edit")
    mix.add_argument("--written", type=int, default=0, help="about so many pairs of the written claims")
    mix.add_argument("--genres", nargs="+", help="files of written claims to draw from; all by default")
    mix.add_argument(
        "--others", type=int, help="keep about so many of all other pairs, premise by premise; all by default"
    )
    mix.add_argument(
        "--longest", type=int, help="leave out other pairs of over so many words; none by default"
    )
    mix.set_defaults(do=steps["mix"])

    claims = added.add_parser("claims", parents=[shared])
    claims.add_argument("--rows", type=int, default=1500)
    claims.add_argument("--output", type=Path, required=True, metavar="FILE.jsonl")
    claims.set_defaults(do=steps["claims"])

    run = argparse.ArgumentParser(add_help=False)
    run.add_argument("--run", type=Path, default=RUNS / "run", help="folder of the checkpoint and the curve")
    _add_train(added, [inputs, run]).set_defaults(do=steps["train"])

    _add_teach(added, [shared, run]).set_defaults(do=steps["teach"])
    _add_checkpoint(added, inputs).set_defaults(do=steps["checkpoint"])

    soften = added.add_parser("soften", parents=[shared])
    soften.add_argument("--teacher", type=Path, required=True, help="folder of the teacher")
    soften.add_argument("--output", type=Path, required=True, help="folder of the new mix")
    soften.add_argument("--rows", type=int, default=1500, help="held-back pairs that fix its temperature")
    soften.add_argument(
        "--max-length", type=int, default=256, help="longer pairs, in tokens, are not asked of"
    )
    soften.set_defaults(do=steps["soften"])

    kept = argparse.ArgumentParser(add_help=False, parents=[run])
    kept.add_argument("--max-length", type=int, default=128, help="tokens of the longest pair")

    deepen = added.add_parser("deepen", parents=[shared, kept])
    deepen.add_argument("start", type=Path, help="split checkpoint or int8 model folder")
    deepen.add_argument("--joint-layers", type=int, required=True, help="in all")
    deepen.set_defaults(do=steps["deepen"])

    blend = added.add_parser("blend", parents=[shared, kept])
    blend.add_argument("tuned", type=Path, help="checkpoint that was trained further")
    blend.add_argument("--from", dest="start", type=Path, required=True, help="what it started from")
    blend.add_argument("--share", type=float, default=0.5, help="of the tuned weights, 0 to 1")
    blend.set_defaults(do=steps["blend"])

    calibrate = added.add_parser("calibrate", parents=[shared, kept])
    calibrate.add_argument(
        "--rows", type=int, default=3000, help="held-back pairs, half of them to measure on"
    )
    calibrate.set_defaults(do=steps["calibrate"])

    export = added.add_parser("export", parents=[shared, kept])
    export.add_argument("--model", type=Path, default=MODEL, help="folder to write")
    export.add_argument("--precision", choices=PRECISIONS, default="int8")
    export.set_defaults(do=steps["export"])

    compare = added.add_parser("compare", parents=[shared])
    compare.add_argument("models", type=Path, nargs="+", help="model folders; the first is the reference")
    compare.add_argument("--rows", type=int, default=800, help="held-back pairs")
    compare.add_argument("--output", type=Path, help="write the figures there as JSON")
    compare.set_defaults(do=steps["compare"])

    evaluate = added.add_parser("evaluate", parents=[shared])
    evaluate.add_argument("--model", type=Path, nargs="+", default=[MODEL], help="model folders")
    evaluate.add_argument("--rows", type=int, help="rows of each set, always the same ones; all by default")
    evaluate.add_argument("--sets", help="comma-separated names, or real; all by default")
    evaluate.add_argument("--max-tokens", type=int, help="window of a long premise; the model's by default")
    evaluate.add_argument("--output", type=Path, help="write the figures there as JSON")
    evaluate.set_defaults(do=steps["evaluate"])

    rerank = added.add_parser("rerank", parents=[shared])
    rerank.add_argument("models", type=Path, nargs="*", help="model folders with a head for relevance")
    rerank.add_argument(
        "--nli", type=Path, nargs="*", default=[], help="NLI model folders, read as 1 - P(neutral)"
    )
    rerank.add_argument("--claims", type=int, default=60, help="of each set, at most")
    rerank.add_argument("--passages", type=int, default=1500, help="of each set, about")
    rerank.add_argument("--top-n", type=int, default=30, help="candidates that are read")
    rerank.add_argument(
        "--write", action="store_true", help="write the temperature found into each model's folder"
    )
    rerank.add_argument("--output", type=Path, help="write the figures there as JSON")
    rerank.set_defaults(do=steps["rerank"])

    card = added.add_parser("card", parents=[shared])
    card.add_argument("--model", type=Path, default=MODEL, help="model folder")
    card.add_argument("--results", type=Path, default=RESULTS, help="folder of stored figures")
    card.set_defaults(do=steps["card"])

    names = added.add_parser("names", parents=[shared])
    names.add_argument(
        "--model", type=Path, default=MODEL, help="model folder whose encoder gives the vectors"
    )
    names.add_argument("--output", type=Path, default=NAMES, help="folder of the head")
    names.add_argument("--units", type=int, default=96, help="of the hidden layer")
    names.set_defaults(do=steps["names"])

    factuality = added.add_parser("factuality", parents=[shared])
    factuality.add_argument(
        "--model", type=Path, default=MODEL, help="model folder whose encoder gives the vectors"
    )
    factuality.add_argument("--output", type=Path, default=FACTUALITY, help="folder of the head")
    factuality.set_defaults(do=steps["factuality"])
    for add in more:
        add(added, inputs)
    return parser


def _add_train(
    added: argparse._SubParsersAction[argparse.ArgumentParser], parents: list[argparse.ArgumentParser]
) -> argparse.ArgumentParser:
    """The step that trains. Its options have no defaults here: ``--resume`` compares those that are given."""
    train = added.add_parser(
        "train",
        parents=parents,
        argument_default=argparse.SUPPRESS,
        help="pairs over --max-length are left out",
    )
    train.add_argument(
        "--resume", action="store_true", default=False, help="go on with the run in --run, which was stopped"
    )
    train.add_argument(
        "--from",
        metavar="START",
        type=Path,
        help="checkpoint or int8 model folder to go on from, as a new run",
    )
    train.add_argument("--max-length", type=int, help="tokens of the longest pair")
    train.add_argument("--architecture", choices=("split", "cross-encoder"))
    train.add_argument("--encoder-layers", type=int, help="layers that read each text alone; all by default")
    train.add_argument("--joint-layers", type=int, help="layers that read both texts")
    train.add_argument(
        "--align-before", type=int, help="layer of the cross-encoder that an alignment precedes"
    )
    train.add_argument("--relevance", action="store_true", help="with a second head, for relevance")
    train.add_argument("--seed", type=int)
    train.add_argument("--done", type=float, help="share of the schedule done by earlier runs")
    train.add_argument("--frozen-layers", type=int, help="lowest encoder layers left as they are")
    train.add_argument("--pairs", type=int, help="end after so many")
    train.add_argument("--minutes", type=float, help="or after so long")
    train.add_argument("--rate", type=float)
    train.add_argument("--batch-tokens", type=int)
    train.add_argument(
        "--taught", type=float, help="share of a teacher in the target of pairs that it was asked of"
    )
    train.add_argument("--check-every", type=float, help="seconds between two checkpoints")
    return train


def _add_teach(
    added: argparse._SubParsersAction[argparse.ArgumentParser], parents: list[argparse.ArgumentParser]
) -> argparse.ArgumentParser:
    """The step that trains a teacher."""
    teach = added.add_parser("teach", parents=parents, help="pairs over --max-length are left out")
    teach.add_argument("start", type=Path, help="folder of an encoder or a classifier of transformers")
    teach.add_argument("--resume", action="store_true", help="go on with the run in --run, which was stopped")
    teach.add_argument("--max-length", type=int, default=256, help="tokens of the longest pair")
    teach.add_argument("--frozen-layers", type=int, default=4, help="lowest layers left as they are")
    teach.add_argument("--pairs", type=int, default=100_000, help="end after so many")
    teach.add_argument("--minutes", type=float, help="or after so long")
    teach.add_argument("--rate", type=float, default=5e-5)
    teach.add_argument("--layer-decay", type=float, default=0.93, help="of the rate, a layer further down")
    teach.add_argument("--batch-tokens", type=int, default=4096)
    teach.add_argument("--done", type=float, default=0.0, help="share of the schedule done by earlier runs")
    teach.add_argument("--check-every", type=float, default=600.0, help="seconds between two checkpoints")
    teach.add_argument(
        "--rows", type=int, default=1000, help="held-back pairs to look at for each checkpoint"
    )
    return teach


def _add_checkpoint(
    added: argparse._SubParsersAction[argparse.ArgumentParser], inputs: argparse.ArgumentParser
) -> argparse.ArgumentParser:
    """The step that packs a teacher's newest checkpoint, and unpacks it."""
    checkpoint = added.add_parser(
        "checkpoint", help="a teacher's newest checkpoint, small enough for the repository"
    )
    actions = checkpoint.add_subparsers(dest="action", required=True)
    pack = actions.add_parser("pack", parents=[inputs], help="write the newest checkpoint of a run as int8")
    pack.add_argument("run", type=Path, help="folder of the run")
    pack.add_argument("folder", type=Path, help="folder to write; a packed checkpoint in it is replaced")
    pack.add_argument("--rows", type=int, default=0, help="held-back pairs to measure on what packing costs")
    pack.add_argument("--max-length", type=int, default=256, help="tokens that these are cut to")
    unpack = actions.add_parser("unpack", help="make a run folder; the optimiser is begun anew")
    unpack.add_argument("folder", type=Path, help="folder of a packed checkpoint")
    unpack.add_argument("run", type=Path, help="folder of the run to make")
    return checkpoint
