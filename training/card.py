"""Write the model card (``CARD.md``) from a model folder, its mix and the stored figures."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from training.data import CAPS, LEFT_OUT, Pair, weight_of
from training.figures import (
    curve_section,
    pairs_section,
    paragraph,
    results_section,
    shared_section,
    weakest,
)
from training.history import Blend, History, MixStep, read_history
from training.mix import read_mix

__all__ = ["escaped", "licences", "write_card"]

INTRODUCTION = """# The embedded NLI model

Reads a premise (evidence) and a hypothesis (claim) and says how likely the premise entails the hypothesis, leaves it
open, or contradicts it. English. Started from the weights of
[all-MiniLM-L6-v2](https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2) (Apache-2.0).
"""

SHAPES = {
    "split": """\
**Shape.** *Split*: {encoder_layers} encoder layers read each text alone, an alignment tells every token what stands
opposite it in the other text, and {joint_layers} joint layers read both. Two graphs: `encoder.onnx` reads one text,
`[CLS] text [SEP]` with positions from 0, and gives the vectors of its tokens (`vectors`) and their plain word vectors
(`words`); `joint.onnx` reads both, and the ids, of premise and hypothesis. The tokenizer file writes a pair as
`[CLS] premise [SEP] [CLS] hypothesis [SEP]`, and its token types say where to part it. The vectors of a passage do
not depend on the claim: they are computed once for many claims, and 96 MiB of them are remembered.
""",
    "cross-encoder": """\
**Shape.** *Cross-encoder*: all {encoder_layers} layers read both texts at once, written
`[CLS] premise [SEP] hypothesis [SEP]`, which the tokenizer file does by itself. The heads read the first token's
vector, and the mean and the highest over the hypothesis.
""",
}

RELEVANCE = """\
**Two heads.** The output `logits` holds the three classes; `relevance` the logit of the probability that the premise is
evidence for or against the hypothesis, whatever it says of it, by which `verifier_backends.rerankers.EmbeddedReranker`
orders passages. It learnt from premises that entail or contradict a claim, and from passages of other documents, three
in four of them among the twelve that BM25 finds first.
"""

FAILINGS = """\
- Claims that need arithmetic, tables, or several distant sentences together. A premise longer than the input is read
  in windows, so what no window holds by itself is not found. Running text of the sets was cut down to the
  90 words nearest to the claim, one time in five to 200: it did not learn from whole web pages.
- Edits of one word in a long claim: the number, entity and negation signals are there for these.
- Claims as they are made about rules, tables and stories: averaging the weights keeps a part only of what the claims of
  `training/written` teach. Weights nearer to them read such claims better, and summaries and dialogue worse.
- Hypotheses of several sentences read as one: read them sentence by sentence, as the verifier does.
- Paraphrase without shared words is often neutral to it; a word-for-word copy with one changed name is often
  entailment to it.
- Other languages than English, and code and formulas, which it was never trained on; lists and tables, of which it has
  seen few.
- Its probabilities are calibrated on held-back pairs of the training sets. On texts of another kind, and after taking
  the highest of several windows, they are too high; the verifier calibrates its verdicts again.
"""
"""What the data and the input bring with them, whatever the weights; what the figures say stands above it."""


WRITTEN = "written/"
MADE_FROM = {
    "synthetic/": "synthetic pairs, made by rule from texts of these sets (licence as theirs)",
    "irrelevant/": "pairs of a claim with a passage of another document (of the same set, licence as theirs)",
    "bank/": "pairs from fact sheets written for this project (`training/bank`, Apache-2.0)",
    "relation/": "pairs about relations, made from `training/relations.toml` (Apache-2.0)",
    WRITTEN: "pairs of claims about passages, written by hand for this project (`training/written`, Apache-2.0)",
}
"""First part of a source's name -> what the pairs are."""
MADE = tuple(MADE_FROM)


_BAR = re.compile(r"(?<!\\)\|(?=(?:[^`]*`[^`]*`)*[^`]*$)")
"""What parts two cells of a table: a bar that is neither escaped nor between backticks."""


def licences(data: Path, names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Set -> (licence, origin) for these sets, from the tables of the data folder's README.

    Raises:
        LookupError: a set has no row there, or its licence is empty; the message names all such sets.
    """
    told: dict[str, tuple[str, str]] = {}
    for line in (data / "README.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip().replace("\\|", "|") for cell in _BAR.split(line.strip().strip("|"))]
        if line.startswith("|") and len(cells) >= 9 and "." in cells[0]:
            told[cells[0]] = (cells[6].replace("**", ""), cells[8])
    names = list(names)
    if lacking := [name for name in names if not told.get(name, ("", ""))[0]]:
        raise LookupError(
            f"{data / 'README.md'} states no licence of {', '.join(lacking)}: add a row for each"
        )
    return {name: told[name] for name in names}


def escaped(text: str) -> str:
    """The text of a cell with its bars escaped: a table is parted at bare ones, even between backticks."""
    return text.replace("|", "\\|")


def _data_section(data: Path, mix: Path, history: History) -> Iterator[str]:
    drawn_from = json.loads((mix / "counts.json").read_text(encoding="utf-8"))
    pairs = read_mix(mix, "train")
    counts = Counter(pair.source for pair in pairs)
    names = [name for name in drawn_from if not name.startswith(MADE)]
    yield "## Trained on\n"
    yield "P: permissive or share-alike, stated. U: unstated in the copy at hand. No text of them is packaged.\n"
    yield paragraph(
        f"The counts are those of the mix `{mix.name}`: {_of(len(pairs), sum(drawn_from.values()))} pairs that it was",
        "drawn from. Pairs longer than the input were then left out.",
        *_other_mixes(mix, history),
    )
    yield "\n| set | pairs in the mix | weight | licence | origin | used in part because |"
    yield "|---|---|---|---|---|---|"
    for name, (licence, origin) in licences(data, names).items():
        reason = CAPS[name].reason if name in CAPS else ""
        cells = (name, _of(counts[name], drawn_from[name]), f"{weight_of(name):g}", licence, origin, reason)
        yield f"| {' | '.join(map(escaped, cells))} |"
    for kind, what in MADE_FROM.items():
        made = {name: counts[name] for name in drawn_from if name.startswith(kind)}
        if made:
            rows = _of(sum(made.values()), sum(drawn_from[name] for name in made))
            told = (f"{name.removeprefix(kind)} {rows:,}" for name, rows in made.items() if rows)
            different = f" {_different(pairs)}" if kind == WRITTEN else ""
            yield "\n" + paragraph(f"And {rows} {what}.{different} By kind: {', '.join(told)}.")
    left_out = (f"{name} ({reason})" for name, reason in LEFT_OUT.items())
    yield "\n" + paragraph(f"Left out: {', '.join(left_out)}.") + "\n"
    yield "No claim of the evaluation sets or of the retrieval queries is in the mix (tests prove it by hash).\n"


def _of(rows: int, drawn_from: int) -> str:
    return f"{rows:,}" if rows == drawn_from else f"{rows:,} of {drawn_from:,}"


def _different(pairs: Iterable[Pair]) -> str:
    claims = [pair.hypothesis for pair in pairs if pair.source.startswith(WRITTEN)]
    return (
        f"They are {len(set(claims)):,} different claims; the other pairs are these among further passages."
    )


def _other_mixes(mix: Path, history: History) -> Iterator[str]:
    """Which mixes were trained on before this one and after it, and what the later ones held."""
    after = history.after(mix.name)
    before = [step.name for step in history.mixes[: len(history.mixes) - len(after)] if step.name != mix.name]
    if before:
        yield f"Before it came {', '.join(f'`{name}`' for name in before)} (drawn by the commands above)."
    for step in after:
        yield f"After it came `{step.name}`{_contents(mix.parent / step.name, step)}."


def _contents(mix: Path, step: MixStep) -> str:
    """The pairs of a mix, and how many of them are written claims; empty where the mix is not there."""
    if not (mix / "train.jsonl").is_file():
        return ""
    pairs = read_mix(mix, "train")
    claims = [pair.hypothesis for pair in pairs if pair.source.startswith(WRITTEN)]
    files = f", from {', '.join(f'`{name}`' for name in step.genres)}" if step.genres else ""
    return f": {len(pairs):,} pairs, {len(claims):,} of them of {len(set(claims)):,} different written claims{files}"


def _weights_section(history: History) -> Iterator[str]:
    """How the weights were averaged; nothing where they are those of one run."""
    if len(history.weights) < 2:
        return
    blends = {blend.run: blend for blend in history.blends}

    def told(name: str) -> str:
        blend = blends.get(name)
        label = f"run {name}" if "/" not in name else f"the model then in `{name}`"
        return label if blend is None else f"{label} ({parts(blend)})"

    def parts(blend: Blend) -> str:
        return f"{blend.share:g} of {told(blend.tuned)} and {1.0 - blend.share:g} of {told(blend.start)}"

    shares = (f"{share:g} of run {run}" for run, share in history.weights.items())
    yield (
        paragraph(f"**Weights.** {parts(history.blends[-1])}. In all {', '.join(shares)} (see below).") + "\n"
    )


def _facts(config: dict[str, Any]) -> Iterator[str]:
    """What ``config.json`` says of the file, with how well it is calibrated where that was measured."""
    names = ("architecture", "precision", "max_length")
    yield (
        "**This file.** "
        + ", ".join(f"{name} {config[name]}" for name in names if name in config)
        + "; trained on"
    )
    yield f"{config.get('trained_pairs', 0):,} pairs (with repetitions); temperature {config.get('temperature', 1.0)}."
    measured = config.get("calibration", {})
    if "ece" in measured:
        pairs = f"{measured['pairs']:,} held-back pairs" if "pairs" in measured else "held-back pairs"
        before = f" ({measured['ece_before']:.4f} at temperature 1)" if "ece_before" in measured else ""
        yield f"The calibration error of entailment on {pairs} is {measured['ece']:.4f}{before}."


def write_card(data: Path, mix: Path, model: Path, results: Path) -> None:
    """Write ``CARD.md`` into the model folder.

    Args:
        data: the data folder; its README states the licences.
        mix: folder of the mix; later ones are looked for beside it.
        model: folder of the exported model.
        results: holds the commands, the curve and the figures of the model that is shipped (``commands.sh``,
            ``curve.jsonl``, ``int8.json``), what is known of all rounds (``against_pairs.json``) and of premises in
            common (``shared_premises.json``); what is not there is not told. Other rounds' records stand beside them.

    Raises:
        LookupError: the licence of a set is not stated.
    """
    config = json.loads((model / "config.json").read_text(encoding="utf-8"))
    commands = results / "commands.sh"
    history = read_history(commands) if commands.is_file() else History()
    parts = [INTRODUCTION, SHAPES[config["architecture"]].format_map(config["shape"])]
    if config["shape"].get("relevance"):
        parts.append(RELEVANCE)
    parts += [paragraph(*_facts(config)) + "\n", *_weights_section(history)]
    if commands.is_file():
        parts.append(f"## Made by\n\n```\n{commands.read_text(encoding='utf-8').strip()}\n```\n")
    parts += [*results_section(results), *curve_section(results), *pairs_section(results)]
    parts += [*_data_section(data, mix, history), *shared_section(results, config.get("trained_pairs", 0))]
    parts += ["## Where it fails\n", *weakest(results), FAILINGS]
    (model / "CARD.md").write_text("\n".join(parts), encoding="utf-8")
