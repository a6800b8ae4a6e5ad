"""A model folder, its mix and the stored figures go in; ``CARD.md`` comes out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.evaluation import lines
from training.data import CAPS, LEFT_OUT, weight_of

__all__ = ["licences", "write_card"]

INTRODUCTION = """# The embedded NLI model

Reads a premise (evidence) and a hypothesis (claim) and says how likely the premise entails the hypothesis, leaves it
open, or contradicts it. English. Started from the weights of
[all-MiniLM-L6-v2](https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2) (Apache-2.0).
"""

SHAPES = {
    "split": """\
**Shape.** *Split*: six encoder layers read each text alone, an alignment tells every token what stands opposite it in
the other text, and two joint layers read both. Two graphs: `encoder.onnx` reads one text, `[CLS] text [SEP]` with
positions from 0, and gives the vectors of its tokens (`vectors`) and their plain word vectors (`words`); `joint.onnx`
reads both, and the ids, of premise and hypothesis. The tokenizer file writes a pair as
`[CLS] premise [SEP] [CLS] hypothesis [SEP]`, and its token types say where to part it. The vectors of a passage do
not depend on the claim: they are computed once for many claims, and 64 MiB of them are remembered.
""",
    "cross-encoder": """\
**Shape.** *Cross-encoder*: all six layers read both texts at once, written `[CLS] premise [SEP] hypothesis [SEP]`,
which the tokenizer file does by itself. The heads read the first token's vector, and the mean and the highest over the
hypothesis.
""",
}

RELEVANCE = """\
**Two heads.** The output `logits` holds the three classes; `relevance` the logit of the probability that the premise is
evidence for or against the hypothesis, whatever it says of it, by which `backends.rerankers.EmbeddedReranker` orders
passages. It learnt from premises that entail or contradict a claim, and from passages of other documents, three in four
of them among the twelve that BM25 finds first.
"""

FAILINGS = """## Where it fails

- Claims that need arithmetic, tables, or several distant sentences together. A premise longer than the input is read
  in windows, so what no window holds by itself is not found; over whole web pages (`wice_claim`) and long dialogue
  backgrounds (`begin_tc`) word overlap alone does better.
- Edits of one word in a long claim (`summedits_news` stands near chance): the number, entity and negation signals are
  there for these.
- Claims as they are made about rules, tables and stories: of held-back claims of `training/written` it puts about half
  into the right class. Its weights are a third of the way from its start to a model that was trained on such claims;
  one further on reads them better, and summaries and dialogue worse.
- Hypotheses of several sentences read as one: read them sentence by sentence, as the verifier does.
- Paraphrase without shared words is often neutral to it; a word-for-word copy with one changed name is often
  entailment to it.
- Other languages than English, and lists, code and formulas, which it was never trained on.
- Its probabilities are calibrated on held-back pairs of the training sets. On texts of another kind, and after taking
  the highest of several windows, they are too high; the verifier calibrates its verdicts again.
"""


MADE_FROM = {
    "synthetic/": "synthetic pairs, made by rule from texts of these sets (licence as theirs)",
    "irrelevant/": "pairs of a claim with a passage of another document (of the same set, licence as theirs)",
    "bank/": "pairs from fact sheets written for this project (`training/bank`, Apache-2.0)",
    "relation/": "pairs about relations, made from `training/relations.toml` (Apache-2.0)",
    "written/": "claims about passages, written by hand for this project (`training/written`, Apache-2.0)",
}
"""First part of a source's name -> what the pairs are."""
MADE = tuple(MADE_FROM)


def licences(data: Path) -> dict[str, tuple[str, str]]:
    """Set -> (licence, origin), from the tables of the data folder's README."""
    found: dict[str, tuple[str, str]] = {}
    for line in (data / "README.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) >= 9 and "." in cells[0]:
            found[cells[0]] = (cells[6].replace("**", ""), cells[8])
    return found


def _data_section(data: Path, counts: dict[str, int]) -> Iterator[str]:
    known = licences(data)
    yield "## Trained on\n"
    yield "P: permissive or share-alike, stated. U: unstated in the copy at hand. No text of them is packaged."
    yield "The counts are those that the last mix was drawn from.\n"
    yield "| set | pairs in the mix | weight | licence | origin | used in part because |"
    yield "|---|---|---|---|---|---|"
    for name, rows in counts.items():
        if not name.startswith(MADE):
            licence, origin = known.get(name, ("unknown", ""))
            reason = CAPS[name].reason if name in CAPS else ""
            yield f"| {name} | {rows:,} | {weight_of(name):g} | {licence} | {origin} | {reason} |"
    for kind, what in MADE_FROM.items():
        made = {name.removeprefix(kind): rows for name, rows in counts.items() if name.startswith(kind)}
        if made:
            yield f"\nAnd {sum(made.values()):,} {what}: "
            yield ", ".join(f"{name} {rows:,}" for name, rows in made.items()) + ".\n"
    yield "Left out: " + ", ".join(f"{name} ({reason})" for name, reason in LEFT_OUT.items()) + ".\n"
    yield "No claim of the evaluation sets or of the retrieval queries is in the mix (a test proves it by hash).\n"


def _curve_section(results: Path) -> Iterator[str]:
    path = results / "curve.jsonl"
    if not path.is_file():
        return
    yield "## Learning curve\n"
    yield "A thousand held-back pairs against pairs seen (averaged weights). Mixes hold back different pairs, so that"
    yield "only the rows of one mix can be compared.\n"
    yield "| mix | pairs seen | loss | three-way accuracy | balanced accuracy of entailment |\n|---|---|---|---|---|"
    for line in path.read_text(encoding="utf-8").splitlines():
        point = json.loads(line)
        figures = " | ".join(f"{point[name]:.3f}" for name in ("loss", "accuracy", "balanced"))
        yield f"| {point.get('mix', '')} | {point['seen']:,} | {figures} |"
    yield ""


def _results_section(results: Path) -> Iterator[str]:
    path = results / "int8.json"
    if not path.is_file():
        return
    stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    most = max(stored["rows"].values())
    yield "## Figures\n"
    yield f"At most {most:,} rows a set; one threshold a system, fixed on the odd rows of the real sets,"
    yield "and reported on the even. A hypothesis of several claims counts as its least supported one.\n"
    yield "\n".join(lines(stored)) + "\n"


def write_card(data: Path, mix: Path, model: Path, results: Path) -> None:
    """Write ``CARD.md`` into the model folder; ``results`` holds the commands, the curve and the figures of the model
    that is shipped (``commands.sh``, ``curve.jsonl``, ``int8.json``); records of other rounds stand beside them."""
    config = json.loads((model / "config.json").read_text(encoding="utf-8"))
    counts = json.loads((mix / "counts.json").read_text(encoding="utf-8"))
    facts = ", ".join(
        f"{name} {config[name]}" for name in ("architecture", "precision", "max_length") if name in config
    )
    parts = [INTRODUCTION, SHAPES[config["architecture"]]]
    if config["shape"].get("relevance"):
        parts.append(RELEVANCE)
    parts.append(f"**This file.** {facts}; trained on {config.get('trained_pairs', 0):,} pairs ")
    parts[-1] += f"(with repetitions); temperature {config.get('temperature', 1.0)}.\n"
    commands = results / "commands.sh"
    if commands.is_file():
        parts.append(f"## Made by\n\n```\n{commands.read_text(encoding='utf-8').strip()}\n```\n")
    parts += [*_results_section(results), *_curve_section(results), *_data_section(data, counts), FAILINGS]
    (model / "CARD.md").write_text("\n".join(parts), encoding="utf-8")
