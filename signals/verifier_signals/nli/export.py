"""Export a Hugging Face model as an ONNX folder that needs no torch to run.

    python -m verifier_signals.nli.export MODEL FOLDER [--kind minicheck|hhem|scorer] [--tokenizer DIR] [--labels A,B]

``MODEL`` is a local folder. The graph holds the head that reads the answer, so that a model that writes text is one
graph too, and ``config.json`` says how a pair is put to it; ``[signals.nli] model = "FOLDER"`` is all that is left to
set.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from verifier.core.errors import ConfigError, VerifierError
from verifier.core.models import sha256_of
from verifier.core.registry import require
from verifier_signals.nli.kinds import KINDS, Kind
from verifier_signals.nli.torch_models import Network, as_loaded, open_network

__all__ = ["export"]


def export(
    model: Path,
    folder: Path,
    *,
    kind: Kind = "auto",
    tokenizer: Path | None = None,
    labels: Sequence[str] | None = None,
    max_tokens: int | None = None,
) -> None:
    """Write ``model.onnx`` (float32), ``tokenizer.json`` and ``config.json``.

    Args:
        model: a local folder.
        folder: made here.
        others: as ``NLISignal`` has them.

    Raises:
        ConfigError: ``folder`` is there already, or the model's kind or labels are unclear.
        MissingExtra: ``transformers`` or ``torch`` is not installed.
        SignalError: there is no such model.
    """
    network = open_network(model, str(model), kind=kind, device="cpu", dtype="float32", tokenizer=tokenizer)
    loaded = as_loaded(
        network,
        model,
        str(model),
        labels=labels,
        max_tokens=max_tokens,
        batch_tokens=4096,
        tokenizer=tokenizer,
    )
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise ConfigError(f"cannot make {folder}: {error.strerror}") from error
    graph = folder / "model.onnx"
    _write_graph(network, graph)
    network.tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    config: dict[str, Any] = {
        "kind": network.kind,
        "labels": list(loaded.labels),
        "max_length": loaded.limit,
        "fingerprint": sha256_of(graph),
    }
    if network.wording is not None:
        config["pair"] = {"before": network.wording.before, "between": network.wording.between}
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")


def _write_graph(network: Network, path: Path) -> None:
    """With any number of pairs and tokens. The exporter's warnings are about its own future."""
    torch = require("torch", extra="transformers")
    names = ["input_ids", "attention_mask", *(["token_type_ids"] if network.typed else [])]

    class Answering(torch.nn.Module):  # type: ignore[misc, name-defined]  # torch is no dependency of this package
        """The network with the head that reads it."""

        def __init__(self) -> None:
            super().__init__()
            self.network = network.module

        def forward(self, *values: Any) -> Any:
            """The inputs in the order of ``names`` in, logits (pairs, classes) out."""
            return network.head(self.network, dict(zip(names, values, strict=True)))

    ids = torch.full((2, 9), network.pad + 1, dtype=torch.int64)
    sample = (ids, torch.ones_like(ids), torch.zeros_like(ids))[: len(names)]
    if hasattr(network.module, "set_attn_implementation"):
        network.module.set_attn_implementation("eager")
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Answering().eval(),
            sample,
            str(path),
            input_names=names,
            output_names=["logits"],
            dynamic_axes={name: {0: "pairs", 1: "tokens"} for name in names} | {"logits": {0: "pairs"}},
            opset_version=17,
            dynamo=False,
        )


def main() -> int:
    """Parse arguments, export, say where to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kind", choices=KINDS, default="auto")
    parser.add_argument("--tokenizer", type=Path)
    parser.add_argument("--labels", help="what the outputs mean, comma-separated, in their order")
    parser.add_argument("--max-tokens", type=int)
    given = parser.parse_args()
    try:
        export(
            given.model,
            given.folder,
            kind=given.kind,
            tokenizer=given.tokenizer,
            labels=given.labels.split(",") if given.labels else None,
            max_tokens=given.max_tokens,
        )
    except VerifierError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f'in use with: [signals.nli] model = "{given.folder}"\n')
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
