"""Speed of a classifier against ``CrossEncoder.predict`` with the same weights in the same run.

``python -m benchmarks.nli [--model FOLDER] [--lengths 32,64,128,256] [--threads 1,2] [--clock wall|processor]``

``--model`` is a Hugging Face sequence classifier of the BERT family; without it a BERT in MiniLM's shape with
random weights stands in (their values do not change the time). It is exported to ONNX and quantised here. The
embedded model, of another shape, is compared with its own weights in float, which ``CrossEncoder.predict`` is given as
a model of that library's. The row ``128, crossed`` puts ten claims to each of ten
premises, as a response and its passages do. Rounds of all contestants alternate, each over texts of its own, and the
best round of each counts, so that a busy machine is the same for all and nothing is remembered from the round before.
On a machine that others keep busy, ``--clock processor`` counts this process's own seconds, of all its threads.
"""

from __future__ import annotations

import argparse
import json
import logging
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from rich.console import Console
from rich.table import Table
from verifier_signals.nli import NLISignal
from verifier_signals.types import TextPair

from benchmarks.same_weights import cross_encoder
from verifier.core.models import embedded_model

INPUTS = ("input_ids", "token_type_ids")
"""No mask: with each pair run alone there is no padding, and the int8 graph is up to a third faster without."""
LABELS = ("entailment", "neutral", "contradiction")
ROUNDS = 3
TOKENS_A_ROUND = 4096
CROSSED = 10
"""Premises, and claims put to each of them."""
PEER, OWN_PEER, OWN = "CrossEncoder.predict", "embedded weights by CrossEncoder.predict", "embedded model"
CLOCKS = {"wall": "perf_counter", "processor": "process_time"}
"""Names in the module ``time``."""


class _LogitsOnly(torch.nn.Module):
    """Names the inputs of a classifier and keeps only its logits."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Any, token_type_ids: Any) -> Any:
        """(batch, tokens) twice in, (batch, classes) out."""
        return self.model(input_ids=input_ids, token_type_ids=token_type_ids).logits


def export(source: Path, folder: Path) -> Path:
    """Write a BERT classifier's folder as an ONNX folder; the exporter's own warnings are not shown."""
    model = transformers.AutoModelForSequenceClassification.from_pretrained(source).eval()
    sample = torch.ones((2, 7), dtype=torch.int64)
    folder.mkdir()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            _LogitsOnly(model),
            (sample, torch.zeros_like(sample)),
            str(folder / "model.onnx"),
            input_names=list(INPUTS),
            output_names=["logits"],
            dynamic_axes={name: {0: "pairs", 1: "tokens"} for name in INPUTS} | {"logits": {0: "pairs"}},
            opset_version=17,
            dynamo=False,
        )
    return _with_companions(source, folder)


def quantise(source: Path, folder: Path) -> Path:
    """Write an ONNX folder in dynamic int8, a scale for each output channel."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    folder.mkdir()
    logging.disable(logging.WARNING)
    try:
        quantize_dynamic(
            source / "model.onnx", folder / "model.onnx", per_channel=True, weight_type=QuantType.QInt8
        )
    finally:
        logging.disable(logging.NOTSET)
    return _with_companions(source, folder)


def _with_companions(source: Path, folder: Path) -> Path:
    for name in ("tokenizer.json", "config.json"):
        (folder / name).write_bytes((source / name).read_bytes())
    return folder


def stand_in(folder: Path) -> Path:
    """A BERT in the shape of MiniLM-L6 with random weights and a vocabulary of made-up words."""
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in "bdfgklmnprst"]
    vocabulary = {word: at for at, word in enumerate([*special, *words])}
    config = transformers.BertConfig(
        vocab_size=30522,
        hidden_size=384,
        num_hidden_layers=6,
        num_attention_heads=12,
        intermediate_size=1536,
        id2label=dict(enumerate(LABELS)),
        label2id={label: at for at, label in enumerate(LABELS)},
    )
    torch.manual_seed(0)
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    transformers.BertTokenizerFast(vocab=vocabulary).save_pretrained(folder)
    return folder


def pairs_of(tokenizer: Any, length: int, count: int, draw: int = 0) -> list[TextPair]:
    """Pairs of exactly ``length`` tokens, a quarter of them the hypothesis, in words of one token each."""
    known = [word for word in tokenizer.get_vocab() if word.isascii() and word.isalpha() and word.islower()]
    words = [word for word in sorted(known)[:4000] if len(tokenizer.tokenize(word)) == 1]
    rng = np.random.default_rng([length, draw])

    def text(size: int) -> str:
        return " ".join(rng.choice(words, size))

    hypothesis = length // 4
    return [TextPair(text(length - hypothesis - 3), text(hypothesis)) for _ in range(count)]


def crossed(tokenizer: Any, length: int, draw: int) -> list[TextPair]:
    """Every premise of ``CROSSED`` pairs with every hypothesis of them."""
    pairs = pairs_of(tokenizer, length, CROSSED, draw)
    return [TextPair(one.premise, other.hypothesis) for one in pairs for other in pairs]


def contestants(
    source: Path, onnx: Mapping[str, Path | None], threads: int
) -> dict[str, Callable[[Sequence[TextPair]], Any]]:
    """Name -> a function that scores pairs, nothing cached."""
    from sentence_transformers import CrossEncoder

    torch.set_num_threads(threads)
    peers = {PEER: CrossEncoder(str(source), device="cpu")}
    if own := embedded_model("verifier_signals", "nli"):
        peers[OWN_PEER] = cross_encoder(own)
    running: dict[str, Callable[[Sequence[TextPair]], Any]] = {}
    for name, peer in peers.items():
        running[name] = partial(_predict, peer)
    for name, folder in onnx.items():
        model = None if folder is None else str(folder)
        running[name] = NLISignal(model, threads=threads, cache_size=0).score
    return running


def _predict(peer: Any, pairs: Sequence[TextPair]) -> Any:
    return peer.predict(list(pairs), show_progress_bar=False)


def rates(
    running: Mapping[str, Callable[[Sequence[TextPair]], Any]],
    pairs: Mapping[str, Sequence[Sequence[TextPair]]],
    clock: Callable[[], float],
) -> dict[str, float]:
    """Pairs a second of each contestant on its rounds of pairs, its best of all but the first, which warms up."""
    best = dict.fromkeys(running, 0.0)
    for name, score in running.items():
        score(pairs[name][0][:4])
    for turn in range(1, ROUNDS + 1):
        for name, score in running.items():
            own = pairs[name][turn]
            start = clock()
            score(own)
            best[name] = max(best[name], len(own) / (clock() - start))
    return best


_FOOTPRINT = r"""
import json, re, sys, time
from verifier_signals.nli import NLISignal
from verifier_signals.types import TextPair
pairs = [TextPair(*pair) for pair in json.load(sys.stdin)]
signal = NLISignal(sys.argv[1] or None)
clock = getattr(time, sys.argv[2])
start = clock()
signal.score(pairs[:1])
first = clock() - start
signal.score(pairs)
peak = re.search(r"VmHWM:\s+(\d+)", open("/proc/self/status").read())
print(json.dumps([first, int(peak[1]) / 1024]))
"""


def footprint(folder: str, pairs: Sequence[TextPair], clock: str) -> tuple[float, float]:
    """Seconds to a new process's first score, and its peak memory in MiB after all ``pairs`` (Linux).

    ``folder`` is "" for the embedded model; ``clock`` is one of ``CLOCKS``.
    """
    command = [sys.executable, "-c", _FOOTPRINT, folder, CLOCKS[clock]]
    done = subprocess.run(command, input=json.dumps(pairs), capture_output=True, check=True, text=True)
    first, peak = json.loads(done.stdout)
    return first, peak


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, help="folder of a Hugging Face BERT classifier")
    parser.add_argument("--lengths", default="32,64,128,256")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--clock", choices=CLOCKS, default="wall")
    given = parser.parse_args()
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    with tempfile.TemporaryDirectory() as scratch:
        source = given.model or stand_in(Path(scratch) / "torch")
        exact = export(source, Path(scratch) / "float")
        onnx: dict[str, Path | None] = {"ONNX float32": exact}
        onnx["ONNX int8"] = quantise(exact, Path(scratch) / "int8")
        if embedded_model("verifier_signals", "nli"):
            onnx[OWN] = None
        lengths = [int(part) for part in given.lengths.split(",")]
        report(source, onnx, lengths, given.threads.split(","), given.clock)


def report(
    source: Path, onnx: Mapping[str, Path | None], lengths: Sequence[int], threads: Sequence[str], clock: str
) -> None:
    """Measure everything and print it."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(source)
    own = embedded_model("verifier_signals", "nli")
    # Texts of so many tokens for the stand-in are several times as long for the embedded model's vocabulary.
    embedded = transformers.PreTrainedTokenizerFast(tokenizer_file=str(own.tokenizer)) if own else tokenizer
    console = Console(width=110)
    title = f"pairs a second of {clock} time (and times CrossEncoder.predict with the same weights)"
    table = Table("threads", "tokens", title=title)
    drawn: dict[str, Callable[..., list[TextPair]]] = {
        str(length): partial(pairs_of, length=length, count=max(16, TOKENS_A_ROUND // length))
        for length in lengths
    }
    drawn["128, crossed"] = partial(crossed, length=128)
    for count in map(int, threads):
        running = contestants(source, onnx, count)
        for name in running if not table.rows else ():
            table.add_column(name, justify="right")
        for label, draw in drawn.items():
            pairs = {
                name: [
                    draw(embedded if name in (OWN_PEER, OWN) else tokenizer, draw=n)
                    for n in range(ROUNDS + 1)
                ]
                for name in running
            }
            found = rates(running, pairs, getattr(time, CLOCKS[clock]))
            cells = [
                f"{rate:.0f} ({rate / found[OWN_PEER if name in (OWN_PEER, OWN) else PEER]:.2f})"
                for name, rate in found.items()
            ]
            table.add_row(str(count), label, *cells)
    console.print(table)
    mixed = [pair for length in (32, 96, 200, 400, 512) for pair in pairs_of(tokenizer, length, 8)]
    for name, folder in onnx.items():
        first, peak = footprint("" if folder is None else str(folder), mixed, clock)
        console.print(f"{name}: first score after {first:.2f} s, peak memory {peak:.0f} MiB")


if __name__ == "__main__":
    main()
