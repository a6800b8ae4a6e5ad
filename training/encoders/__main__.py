"""``python -m training.encoders <step>``: run one step of the pipeline and print its figures.

tune       data folder, a sentence encoder -> its weights, tuned on claims and their evidence
export     a sentence encoder -> backends/verifier_backends/models/minilm: ONNX, int8, word vectors in 4 bits
static     data folder, a sentence encoder -> .../models/static: a table of token vectors, distilled and taught
precision  a sentence encoder -> how far each precision of its export is from float
judge      encoders -> their figures on the development pool
card       the figures stored -> CARD.md of each embedded encoder
"""

from __future__ import annotations

import argparse
import json
import logging
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.__main__ import encoder_folder
from training.data import data_folder

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["main"]

HERE = Path(__file__).parent
MODELS = HERE.parents[1] / "backends" / "verifier_backends" / "models"
RUNS = HERE.parent / "runs" / "encoders"
RESULTS = HERE.parent / "results" / "encoders"
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
        facts={"source": ENCODER},
    )
    print(_size(arguments.model))


def _kept(path: Path, make: Callable[[], NDArray[Any]]) -> NDArray[Any]:
    """The array that ``path`` holds from an earlier run, or a new one, which it will hold then."""
    import numpy as np

    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, make())
    return np.asarray(np.load(path))


def _tune(arguments: argparse.Namespace) -> None:
    import numpy as np
    import torch
    from tokenizers import Tokenizer

    from training.encoders.lesson import hard_negatives
    from training.encoders.model import load_encoder
    from training.encoders.pairs import retrieval_pairs
    from training.encoders.static import Lesson
    from training.encoders.tune import Tuning, tune

    torch.set_num_threads(arguments.threads)
    source = encoder_folder(arguments.encoder)
    pairs, _ = retrieval_pairs(data_folder(arguments.data), arguments.seed)
    negatives = _kept(arguments.run / f"negatives_{len(pairs)}.npy", lambda: hard_negatives(pairs, 1))
    tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    claims, evidence = (
        [encoding.ids for encoding in tokenizer.encode_batch(texts)]
        for texts in ([pair.hypothesis for pair in pairs], [pair.premise for pair in pairs])
    )
    lesson = Lesson(claims, evidence, negatives, [], np.zeros((0, 1), dtype=np.float32))
    plan = Tuning(minutes=arguments.minutes, rate=arguments.rate, seed=arguments.seed)
    tune(load_encoder(source), lesson, plan, arguments.run / "tuned.pt")
    print(arguments.run / "tuned.pt")


def _static(arguments: argparse.Namespace) -> None:
    import torch
    from tokenizers import Tokenizer
    from verifier_backends.encoders import EmbeddedEncoder

    from training.encoders.export import write_config
    from training.encoders.lesson import CHARACTERS, hard_negatives, imitated_texts, remembered
    from training.encoders.model import load_encoder
    from training.encoders.pairs import retrieval_pairs
    from training.encoders.static import (
        Lesson,
        Schedule,
        distil,
        frequencies,
        piece_vectors,
        save_table,
        teach,
    )

    torch.set_num_threads(arguments.threads)
    source = encoder_folder(arguments.encoder)
    pairs, _ = retrieval_pairs(data_folder(arguments.data), arguments.seed)
    pairs = [pair for pair in pairs if pair.source not in arguments.leave_out]
    tokenizer = Tokenizer.from_file(str(MODELS / "minilm" / "tokenizer.json"))

    def ids(texts: list[str]) -> list[list[int]]:
        return [encoding.ids for encoding in tokenizer.encode_batch_fast(texts, add_special_tokens=False)]

    claims, evidence = ids([pair.hypothesis for pair in pairs]), ids([pair.premise for pair in pairs])

    def pieces() -> NDArray[Any]:
        frame = [tokenizer.token_to_id("[CLS]")], [tokenizer.token_to_id("[SEP]")]
        return piece_vectors(load_encoder(source), frame)

    vectors = _kept(arguments.run / "pieces.npy", pieces)
    table, axes = distil(vectors, frequencies([*evidence, *claims], len(vectors)), arguments.dimension)
    schedule = Schedule(steps=arguments.steps, seed=arguments.seed)
    if arguments.steps:
        texts = imitated_texts(pairs, arguments.imitated)
        targets = remembered(EmbeddedEncoder(threads=arguments.threads), texts, arguments.run / "targets.npz")
        negatives = _kept(
            arguments.run / f"negatives_{len(pairs)}.npy", lambda: hard_negatives(pairs, schedule.hard)
        )
        imitated = ids([text[:CHARACTERS] for text in texts])
        lesson = Lesson(claims, evidence, negatives, imitated, targets @ axes)
        table = teach(table, lesson, schedule)
    for name in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"):
        table[tokenizer.token_to_id(name)] = 0.0
    arguments.model.mkdir(parents=True, exist_ok=True)
    save_table(table, arguments.model / "model.npz")
    shutil.copyfile(MODELS / "minilm" / "tokenizer.json", arguments.model / "tokenizer.json")
    facts = {"source": ENCODER, "pairs": len(pairs), "steps": arguments.steps}
    write_config(
        arguments.model / "model.npz",
        dimension=table.shape[1],
        vocabulary=len(table),
        precision="4 bits",
        **facts,
    )
    print(_size(arguments.model))


def _precision(arguments: argparse.Namespace) -> None:
    import random

    from verifier_backends.encoders import EmbeddedEncoder

    from benchmarks.encoders import closeness
    from training.encoders.export import PRECISIONS, export
    from training.encoders.model import load_encoder
    from training.encoders.pairs import retrieval_pairs

    _, pairs = retrieval_pairs(data_folder(arguments.data), arguments.seed)
    pairs = random.Random(arguments.seed).sample(pairs, 400)
    claims, evidence = [pair.hypothesis for pair in pairs[:100]], [pair.premise for pair in pairs]
    source = encoder_folder(arguments.encoder)
    rows: list[dict[str, Any]] = []
    exact = None
    for precision in PRECISIONS:
        folder = arguments.run / precision
        model, tokenizer = load_encoder(source), source / "tokenizer.json"
        export(model, tokenizer, folder, precision=precision, max_length=256, facts={"source": ENCODER})
        encoder = EmbeddedEncoder(str(folder), threads=arguments.threads)
        found = encoder.encode(claims), encoder.encode(evidence)
        exact = exact or found
        size = (folder / "model.onnx").stat().st_size
        rows.append({"precision": precision, "size": size, **closeness(exact, found)})
        print(json.dumps(rows[-1]))
    _store(arguments.results / "precision.json", {"texts": len(claims) + len(evidence), "rows": rows})


def _store(path: Path, found: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _judge(arguments: argparse.Namespace) -> None:
    from training.encoders.judge import judge
    from training.encoders.pairs import development_pool, retrieval_pairs
    from verifier.core.registry import ENCODERS

    _, pairs = retrieval_pairs(data_folder(arguments.data), arguments.seed)
    pool = development_pool(pairs, arguments.claims, arguments.seed)
    kept = arguments.results / "judge.json"
    asked = {"passages": len(pool.passages), "claims": sum(map(len, pool.claims.values()))}
    earlier = json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else {}
    # What was found for other encoders on the same pool stands.
    rows = {row["encoder"]: row for row in earlier.get("rows", []) if asked.items() <= earlier.items()}
    for given in arguments.encoders:
        name, _, model = given.partition("=")
        found = judge(ENCODERS.load(name)(**({"model": model} if model else {})), pool)
        rows[given] = {"encoder": given, **found._asdict()}
        print(json.dumps(rows[given]), flush=True)
        _store(kept, {**asked, "rows": list(rows.values())})


def _card(arguments: argparse.Namespace) -> None:
    from training.encoders.card import write_card
    from training.encoders.pairs import retrieval_pairs

    data = data_folder(arguments.data)
    pairs, _ = retrieval_pairs(data, arguments.seed)
    write_card(MODELS / "minilm", [], data, arguments.results)
    write_card(MODELS / "static", pairs, data, arguments.results)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m training.encoders",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--encoder", type=Path, help="folder of the sentence encoder; by default the package")
    shared.add_argument("--data", type=Path, help="data folder; by default the variable VERIFIER_DATA")
    shared.add_argument("--run", type=Path, default=RUNS, help="folder of what is kept from run to run")
    shared.add_argument("--results", type=Path, default=RESULTS, help="folder of stored figures")
    shared.add_argument("--threads", type=int, default=1)
    shared.add_argument("--seed", type=int, default=13)
    steps = parser.add_subparsers(dest="step", required=True)

    tune = steps.add_parser("tune", parents=[shared])
    tune.add_argument("--minutes", type=float, default=20.0)
    tune.add_argument("--rate", type=float, default=2e-5)
    tune.set_defaults(do=_tune)

    export = steps.add_parser("export", parents=[shared])
    export.add_argument("--tuned", type=Path, help="weights written by tune; by default those of --encoder")
    export.add_argument("--model", type=Path, default=MODELS / "minilm", help="folder to write")
    export.add_argument("--precision", choices=PRECISIONS, default="int8-words4")
    export.add_argument("--max-length", type=int, default=256, help="tokens of a window")
    export.set_defaults(do=_export)

    static = steps.add_parser("static", parents=[shared])
    static.add_argument("--model", type=Path, default=MODELS / "static", help="folder to write")
    static.add_argument("--dimension", type=int, default=256)
    static.add_argument("--steps", type=int, default=1000, help="0: distilled only")
    static.add_argument(
        "--imitated", type=int, default=12_000, help="claims, and as many passages, to imitate"
    )
    static.add_argument("--leave-out", nargs="*", default=(), metavar="SET", help="sets to judge transfer on")
    static.set_defaults(do=_static)

    precision = steps.add_parser("precision", parents=[shared])
    precision.set_defaults(do=_precision)

    card = steps.add_parser("card", parents=[shared])
    card.set_defaults(do=_card)

    judge = steps.add_parser("judge", parents=[shared])
    judge.add_argument("encoders", nargs="+", help="NAME, or NAME=FOLDER for a model of one's own")
    judge.add_argument("--claims", type=int, default=150, help="at most so many of each set")
    judge.set_defaults(do=_judge)
    return parser


def main(given: list[str] | None = None) -> None:
    """Run one step."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)
    arguments = _parser().parse_args(given)
    arguments.do(arguments)


if __name__ == "__main__":
    main()
