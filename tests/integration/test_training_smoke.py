"""All steps of the training pipeline, from a data folder to a model card, on a few pairs and a tiny random model."""

from __future__ import annotations

import json
import lzma
import shutil
from pathlib import Path
from typing import Any

import pytest
from verifier_backends.rerankers.embedded import EmbeddedReranker
from verifier_signals.nli import NLISignal
from verifier_signals.types import TextPair

from tests.support.tiny_bert import write_tiny_bert
from training.data import Pair
from verifier.core.models import open_model_folder

torch = pytest.importorskip("torch")
load_file = pytest.importorskip("safetensors.torch").load_file

PARAGRAPH = "The bridge was built in 1932 by Ann Lee. It has three old doors , the city closed it."


def write_rows(path: Path, rows: list[dict[str, str]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row) + "\n" for row in rows)


@pytest.fixture(autouse=True)
def _same_weights_each_time() -> None:
    torch.manual_seed(0)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with two training sets, an evaluation set and a query."""
    folder = tmp_path / "data"
    labels = ("entailment", "neutral", "contradiction")
    rows = [
        {
            "premise": f"The city closed road {n}.",
            "hypothesis": f"Road {n} is open {n % 3}.",
            "label": labels[n % 3],
            "source": "x",
        }
        for n in range(300)
    ]
    write_rows(folder / "train" / "lingnli.train.jsonl.xz", rows)
    claims = [f"The bridge {n} is old." for n in range(12)]
    document_rows = [
        {
            "premise": f"{PARAGRAPH} Road {n} is old.",
            "hypothesis": claim,
            "label": "not_entailment",
            "source": "x",
        }
        for n, claim in enumerate(claims)
    ]
    write_rows(folder / "train" / "multirc_qa.train.jsonl.xz", document_rows)
    judged = [
        {**row, "label": ("entailment", "not_entailment")[n % 2]} for n, row in enumerate(document_rows[:8])
    ]
    write_rows(folder / "eval" / "frank.valid.jsonl.xz", judged)
    write_rows(folder / "retrieval" / "one" / "queries.jsonl.xz", [{"_id": "1", "text": claims[8]}])
    (folder / "README.md").write_text(
        "| lingnli.train | 300 | x | 1/2 | 0 | 0 | **U** unstated | general | someone/lingnli | |\n"
        "| multirc_qa.train | 12 | x | 1/2 | 0 | 0 | **U** unstated | general | someone/multirc | |\n"
    )
    return folder


@pytest.fixture
def encoder(tmp_path: Path) -> Path:
    """A BERT of two layers with random weights, and its tokenizer."""
    return write_tiny_bert(tmp_path / "encoder")


@pytest.mark.parametrize(
    ("architecture", "options"), [("split", []), ("cross-encoder", ["--relevance", "--align-before", "1"])]
)
def test_every_step_runs_and_hands_over_to_the_next(
    architecture: str,
    options: list[str],
    data: Path,
    encoder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from training.__main__ import main

    mix, first, second, model, results = (
        tmp_path / name for name in ("mix", "first", "second", "model", "results")
    )
    shared = ["--data", str(data), "--mix", str(mix), "--encoder", str(encoder), "--threads", "1"]
    main(["mix", *shared, "--synthetic", "40", "--sheets", "60"])
    counts = json.loads((mix / "counts.json").read_text())
    # Eight claims are judged and one is a query: three of twelve may be learnt from.
    assert counts["multirc_qa.train"] <= 3
    assert sum(rows for name, rows in counts.items() if name.startswith("synthetic/")) > 5

    short = ["--max-length", "60"]
    steps = ["--batch-tokens", "256", "--pairs", "100", "--check-every", "0.01"]
    main(
        [
            "train",
            *shared,
            *short,
            *steps,
            "--run",
            str(first),
            "--architecture",
            architecture,
            "--joint-layers",
            "1",
            *options,
        ]
    )
    main(
        ["train", *shared, *short, *steps, "--run", str(second), "--from", str(first), "--frozen-layers", "1"]
    )
    curve = [json.loads(line) for line in (second / "curve.jsonl").read_text().splitlines()]
    assert curve[0]["seen"] > 100
    assert curve[-1]["seen"] >= 200

    main(["calibrate", *shared, *short, "--run", str(second)])
    main(["export", *shared, *short, "--run", str(second), "--model", str(model)])
    config = json.loads((model / "config.json").read_text())
    assert config["architecture"] == architecture
    assert config["trained_pairs"] >= 200
    assert config["temperature"] > 0

    main(["evaluate", *shared, "--model", str(model), "--rows", "6", "--output", str(results / "int8.json")])
    assert "frank.valid" in capsys.readouterr().out
    main(["card", *shared, "--model", str(model), "--results", str(results)])
    card = (model / "CARD.md").read_text()
    assert "| lingnli.train |" in card
    assert "unstated" in card
    assert "frank.valid" in card


def test_a_run_that_was_stopped_is_resumed_with_its_own_options(
    data: Path,
    encoder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from training.__main__ import main
    from training.train import Training

    step, taken = Training._step, 0

    def stops_at_the_fifth(run: Training, batch: Any) -> None:
        nonlocal taken
        taken += 1
        if taken == 5:
            raise KeyboardInterrupt
        step(run, batch)

    mix, whole, run, between = (tmp_path / name for name in ("mix", "whole", "run", "between"))
    shared = ["--data", str(data), "--mix", str(mix), "--encoder", str(encoder), "--threads", "1"]
    main(["mix", *shared, "--synthetic", "40", "--sheets", "60"])
    train = [
        "train",
        *shared,
        "--max-length",
        "60",
        "--batch-tokens",
        "256",
        "--pairs",
        "70",
        "--rate",
        "1e-3",
    ]
    train += ["--joint-layers", "1", "--check-every", "0.0001", "--run"]
    torch.manual_seed(0)
    main([*train, str(whole)])
    torch.manual_seed(0)
    with monkeypatch.context() as patched:
        patched.setattr(Training, "_step", stops_at_the_fifth)
        with pytest.raises(KeyboardInterrupt):
            main([*train, str(run)])

    with pytest.raises(SystemExit, match=r"state\.pt is of a run that was stopped: go on with --resume"):
        main([*train, str(run)])
    resume = ["train", *shared, "--run", str(run), "--resume"]
    for option, other in (("--rate", "0.002"), ("--max-length", "50"), ("--from", str(whole))):
        with pytest.raises(SystemExit, match=f"cannot be given: {option} {other} "):
            main([*resume, option, other])
    with pytest.raises(SystemExit, match=r"state\.pt is missing"):
        main(["train", *shared, "--run", str(tmp_path / "none"), "--resume"])

    main(resume)
    weights = torch.load(run / "model.pt")
    for name, weight in torch.load(whole / "model.pt").items():
        assert torch.allclose(weights[name], weight, rtol=0, atol=1e-6), name
    capsys.readouterr()
    main([*train, str(run), "--resume"])
    assert "the run is finished" in capsys.readouterr().out
    assert not (run / "state.pt").exists()

    further = tmp_path / "further"
    main([*train, str(further), "--from", str(run)])
    main(["blend", str(further), "--from", str(run), "--run", str(between), "--share", "0.25"])
    tuned, start, blend = (
        json.loads((folder / "checkpoint.json").read_text()) for folder in (further, run, between)
    )
    assert blend["point"] == {"seen": tuned["point"]["seen"], "start_seen": start["point"]["seen"]}
    assert tuned["point"]["seen"] > start["point"]["seen"] >= 70


@pytest.mark.parametrize(("split", "relevance"), [(True, False), (True, True), (False, True)])
def test_the_exported_graphs_answer_as_the_checkpoint_does(
    split: bool, relevance: bool, encoder: Path, tmp_path: Path
) -> None:
    import onnxruntime

    from training.export import export
    from training.model import from_sentence_encoder
    from training.shape import ModelConfig
    from training.tokens import pair_tokenizer

    shape = ModelConfig.around(encoder, split=split, joint_layers=2, relevance=relevance)
    model = from_sentence_encoder(shape, encoder / "model.safetensors").eval()
    export(model, encoder / "tokenizer.json", tmp_path / "m", precision="float", max_length=60, facts={})
    pair = TextPair("The bridge was built in 1932 by Ann Lee.", "The bridge is old.")
    encoding = pair_tokenizer(encoder / "tokenizer.json", split, 60).encode(*pair)
    ids, types = torch.tensor([encoding.ids]), torch.tensor([encoding.type_ids])
    with torch.no_grad():
        expected = model(ids, torch.ones_like(ids), types)

    def run(graph: str, **inputs: Any) -> dict[str, Any]:
        session = onnxruntime.InferenceSession(str(tmp_path / "m" / graph))
        return dict(
            zip([given.name for given in session.get_outputs()], session.run(None, inputs), strict=True)
        )

    if split:
        texts = {}
        for side, kind in (("premise", 0), ("claim", 1)):
            own = ids[types == kind][None].numpy()
            encoded = {"ids": own, **run("encoder.onnx", input_ids=own)}
            texts |= {f"{side}_{name}": value for name, value in encoded.items()}
        answer = run("joint.onnx", **texts)
    else:
        inputs = {"input_ids": ids, "attention_mask": torch.ones_like(ids), "token_type_ids": types}
        answer = run("model.onnx", **{name: value.numpy() for name, value in inputs.items()})
    assert answer["logits"].tolist()[0] == pytest.approx(expected[0, :3].tolist(), abs=1e-4)
    assert set(answer) == ({"logits", "relevance"} if relevance else {"logits"})
    if relevance:
        assert answer["relevance"].tolist()[0] == pytest.approx(expected[0, 3:].tolist(), abs=1e-4)
        [share] = EmbeddedReranker(str(tmp_path / "m")).score(pair.hypothesis, [pair.premise])
        assert share == pytest.approx(float(torch.sigmoid(expected[0, 3])), abs=1e-3)
    # At run time vectors are rounded to half precision in between.
    [score] = NLISignal(str(tmp_path / "m")).score([pair])
    shares = torch.softmax(expected[0, :3], dim=0).tolist()
    assert list(score.features.values()) == pytest.approx(shares, abs=1e-3 if split else 1e-4)


@pytest.mark.parametrize("precision", ["float", "int8-reduced"])
def test_a_split_model_attends_in_one_node_a_layer_and_hands_over_half_precision(
    precision: str, encoder: Path, tmp_path: Path
) -> None:
    import onnx

    from training.export import export
    from training.model import ModelConfig, from_sentence_encoder

    shape = ModelConfig.around(encoder, split=True, joint_layers=2)
    model = from_sentence_encoder(shape, encoder / "model.safetensors")
    export(model, encoder / "tokenizer.json", tmp_path, precision=precision, max_length=60, facts={})
    for name, layers in (("encoder", shape.encoder_layers), ("joint", shape.joint_layers)):
        graph = onnx.load(str(tmp_path / f"{name}.onnx")).graph
        assert [node.op_type for node in graph.node].count("MultiHeadAttention") == layers
        handed_over = graph.output if name == "encoder" else graph.input
        types = {value.type.tensor_type.elem_type for value in handed_over}
        assert types - {onnx.TensorProto.INT64} == {onnx.TensorProto.FLOAT16}


def test_the_benchmarks_peer_answers_as_the_model_whose_weights_it_has(encoder: Path, tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    from benchmarks.same_weights import cross_encoder
    from training.export import export
    from training.model import ModelConfig, from_sentence_encoder

    shape = ModelConfig.around(encoder, split=True, joint_layers=1)
    model = from_sentence_encoder(shape, encoder / "model.safetensors")
    facts = {"trained_pairs": 1}
    export(model, encoder / "tokenizer.json", tmp_path, precision="int8", max_length=60, facts=facts)
    pairs = [
        TextPair("The bridge was built in 1932 by Ann Lee.", "The bridge is old."),
        TextPair("The city closed it.", "It has three doors , by the city."),
    ]
    peer = cross_encoder(open_model_folder(tmp_path))
    logits = peer.predict(pairs, activation_fn=torch.nn.Identity(), show_progress_bar=False)
    expected = torch.softmax(torch.tensor(logits), dim=1).tolist()
    for score, shares in zip(NLISignal(str(tmp_path)).score(pairs), expected, strict=True):
        # Eight bits against float: 0.010 with these weights, 0.023 at most with those of sixteen seeds.
        assert list(score.features.values()) == pytest.approx(shares, abs=0.03)


def test_an_export_leaves_nothing_of_the_one_before_it(encoder: Path, tmp_path: Path) -> None:
    from training.export import export
    from training.model import from_sentence_encoder
    from training.shape import ModelConfig

    for split, graphs in ((True, {"encoder.onnx", "joint.onnx"}), (False, {"model.onnx"})):
        shape = ModelConfig.around(encoder, split=split, joint_layers=1)
        model = from_sentence_encoder(shape, encoder / "model.safetensors")
        export(model, encoder / "tokenizer.json", tmp_path, precision="int8", max_length=60, facts={})
        assert {path.name for path in tmp_path.glob("*.onnx")} == graphs
        assert open_model_folder(tmp_path).fingerprint()


@pytest.mark.parametrize("split", [True, False])
def test_static_scales_keep_what_the_model_says(split: bool, encoder: Path, tmp_path: Path) -> None:
    from training.export import export
    from training.model import from_sentence_encoder
    from training.shape import ModelConfig

    shape = ModelConfig.around(encoder, split=split, joint_layers=1)
    model = from_sentence_encoder(shape, encoder / "model.safetensors")
    sample = [(f"The city closed road {n}.", f"Road {n} is open.") for n in range(12)]
    said = []
    for precision in ("float", "int8-static"):
        folder = tmp_path / precision
        source = encoder / "tokenizer.json"
        export(model, source, folder, precision=precision, max_length=60, facts={}, sample=sample)
        scores = NLISignal(str(folder)).score([TextPair(*texts) for texts in sample])
        said.append([score.features["entailment"] for score in scores])
    assert said[1] == pytest.approx(said[0], abs=0.05)
    assert said[1] != said[0]


@pytest.mark.parametrize("precision", ["int8", "int8-words4"])
@pytest.mark.parametrize("relevance", [False, True])
@pytest.mark.parametrize("split", [False, True])
def test_training_goes_on_from_an_exported_model(
    split: bool, relevance: bool, precision: str, encoder: Path, tmp_path: Path
) -> None:
    from training.export import export
    from training.model import from_sentence_encoder
    from training.restore import restore
    from training.shape import ModelConfig

    shape = ModelConfig.around(
        encoder, split=split, joint_layers=2, relevance=relevance, align_before=None if split else 1
    )
    model = from_sentence_encoder(shape, encoder / "model.safetensors")
    with torch.no_grad():
        # The joint layers start as copies of the encoder's, and an exporter stores equal weights once.
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.05)
    facts = {"trained_pairs": 7}
    source = encoder / "tokenizer.json"
    export(model, source, tmp_path / "m", precision=precision, max_length=60, facts=facts)
    restored, pairs = restore(tmp_path / "m")
    assert pairs == 7
    for name, weight in model.state_dict().items():
        other = restored.state_dict()[name]
        # A step is 1/255 of a tensor's range (7 bits: 1/127, 4 bits: 1/15), and rounding is off by half of one.
        steps = 200 if precision == "int8" else 12 if name == "words.weight" else 100
        assert torch.allclose(weight, other, atol=float(weight.max() - weight.min()) / steps + 1e-6), name


def test_words_in_four_bits_take_half_a_byte_and_keep_what_the_model_says(
    encoder: Path, tmp_path: Path
) -> None:
    import onnx

    from training.export import export
    from training.model import from_sentence_encoder
    from training.shape import ModelConfig

    shape = ModelConfig.around(encoder, split=True, joint_layers=1)
    model = from_sentence_encoder(shape, encoder / "model.safetensors")
    pairs = [TextPair(f"The city closed road {n}.", f"Road {n} is open.") for n in range(12)]
    said, size = [], {}
    for precision in ("int8-reduced", "int8-words4"):
        folder = tmp_path / precision
        export(model, encoder / "tokenizer.json", folder, precision=precision, max_length=60, facts={})
        said.append([score.features["entailment"] for score in NLISignal(str(folder)).score(pairs)])
        stored = onnx.load(str(folder / "encoder.onnx")).graph.initializer
        [size[precision]] = [len(t.raw_data) for t in stored if "words" in t.name and len(t.dims) == 2][:1]
    assert said[1] == pytest.approx(said[0], abs=0.05)
    assert said[1] != said[0]
    values = shape.vocabulary * shape.hidden
    assert size == {"int8-reduced": values, "int8-words4": values // 2}


def test_a_deepened_model_says_nearly_what_it_said_and_every_layer_of_it_learns(
    encoder: Path, tmp_path: Path
) -> None:
    from training.deepen import deepened
    from training.errors import StepError
    from training.model import from_sentence_encoder
    from training.shape import ModelConfig
    from training.tokens import batches, pair_tokenizer, tokenize
    from training.train import logits_of, pair_loss

    shape = ModelConfig.around(encoder, split=True, joint_layers=1)
    model = from_sentence_encoder(shape, encoder / "model.safetensors")
    rows = [Pair(f"The city closed road {n}.", f"Road {n} is open.", "neutral", "x") for n in range(12)]
    pairs = tokenize(rows, pair_tokenizer(encoder / "tokenizer.json", True, 60))
    deeper = deepened(model, 3, pairs)
    assert deeper.config.joint_layers == 3
    before, after = logits_of(model, pairs), logits_of(deeper, pairs)
    assert after == pytest.approx(before, abs=0.02)

    batch = next(batches(pairs, 4096, seed=None))
    logits = deeper(batch.ids, batch.attention, batch.types)
    pair_loss(logits, batch.labels, batch.weights, 0.0).backward()
    for layer in deeper.joint[:2]:
        assert layer.contract.weight.grad.abs().max() > 0
    for wrong in (1, 4):
        with pytest.raises(StepError, match="joint layers"):
            deepened(model, wrong, pairs)


def a_pretrained_encoder(encoder: Path, folder: Path) -> Path:
    """The encoder as ``transformers`` knows one: its kind named, its tokenizer writing pairs."""
    from training.tokens import pair_tokenizer

    shutil.copytree(encoder, folder)
    config = json.loads((encoder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "model_type": "bert"}))
    pair_tokenizer(encoder / "tokenizer.json", False, 60).save(str(folder / "tokenizer.json"))
    return folder


def test_a_teacher_learns_from_the_mix_goes_on_when_stopped_and_teaches_the_small_model(
    data: Path, encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("transformers")
    from training.__main__ import main
    from training.mix import read_mix
    from training.teacher import Teacher, teacher_tokenizer
    from training.tokens import tokenize
    from training.train import Training, logits_of

    mix, softened, teacher = tmp_path / "mix", tmp_path / "softened", tmp_path / "teacher"
    shared = ["--data", str(data), "--mix", str(mix), "--threads", "1"]
    main(["mix", *shared, "--synthetic", "40", "--sheets", "60"])
    start = a_pretrained_encoder(encoder, tmp_path / "start")
    teach = ["teach", str(start), *shared, "--run", str(teacher), "--max-length", "60"]
    teach += ["--frozen-layers", "1", "--batch-tokens", "512", "--pairs", "300", "--check-every", "0.01"]
    step = Training._step

    def stops_late(run: Training, batch: Any) -> None:
        if run.seen > 100:
            raise KeyboardInterrupt
        step(run, batch)

    monkeypatch.setattr(Training, "_step", stops_late)
    with pytest.raises(KeyboardInterrupt):
        main(teach)
    monkeypatch.setattr(Training, "_step", step)
    with pytest.raises(SystemExit, match=r"state\.pt is of a run that was stopped: go on with --resume"):
        main(teach)
    main([*teach, "--resume"])
    curve = [json.loads(line) for line in (teacher / "curve.jsonl").read_text().splitlines()]
    seen = [point["seen"] for point in curve]
    assert seen == sorted(seen)
    assert seen[-1] >= 300
    before, after = (load_file(folder / "model.safetensors") for folder in (start, teacher))
    for layer, stays in ((0, True), (1, False)):
        name = f"encoder.layer.{layer}.output.dense.weight"
        assert torch.equal(before[name], after[f"bert.{name}"]) is stays

    main(["soften", *shared, "--teacher", str(teacher), "--output", str(softened), "--max-length", "40"])
    told, plain = read_mix(softened, "train"), read_mix(mix, "train")
    assert [pair._replace(taught=None) for pair in told] == plain
    assert any(pair.taught is None for pair in told)
    assert all(sum(pair.taught) == pytest.approx(1.0, abs=1e-3) for pair in told if pair.taught is not None)
    pair = Pair("The city closed the old bridge.", "The bridge is open.", "contradiction", "x")
    [logits] = logits_of(Teacher(teacher), tokenize([pair], teacher_tokenizer(teacher, 60)))
    [score] = NLISignal(str(teacher)).score([TextPair(pair.premise, pair.hypothesis)])
    shares = torch.softmax(torch.from_numpy(logits), dim=0).tolist()
    assert score.features["entailment"] == pytest.approx(shares[0], abs=1e-3)

    run = tmp_path / "student"
    learn = ["train", *shared, "--mix", str(softened), "--encoder", str(encoder), "--run", str(run)]
    main([*learn, "--pairs", "50", "--max-length", "60", "--taught", "0.7"])
    assert (run / "model.pt").exists()


def test_the_encoder_of_the_split_model_does_not_see_the_other_text(encoder: Path) -> None:
    from training.model import from_sentence_encoder
    from training.shape import ModelConfig

    model = from_sentence_encoder(
        ModelConfig.around(encoder, split=True, joint_layers=1), encoder / "model.safetensors"
    ).eval()
    types = torch.tensor([[0, 0, 0, 0, 1, 1, 1]])
    seen = torch.ones_like(types)
    one = torch.tensor([[2, 15, 16, 3, 2, 17, 3]])
    other = torch.tensor([[2, 15, 16, 3, 2, 20, 3]])
    with torch.no_grad():
        vectors, changed = model.encode(one, seen, types), model.encode(other, seen, types)
        alone = model.encode(one[:, 4:], seen[:, 4:], types[:, 4:])
    assert torch.equal(vectors[:, :4], changed[:, :4])
    assert not torch.equal(vectors[:, 4:], changed[:, 4:])
    assert torch.allclose(vectors[:, 4:], alone, atol=1e-5)


def test_padding_and_neighbours_do_not_change_a_pair(encoder: Path) -> None:
    from training.model import from_sentence_encoder
    from training.shape import ModelConfig

    model = from_sentence_encoder(
        ModelConfig.around(encoder, split=True, joint_layers=1), encoder / "model.safetensors"
    ).eval()
    ids = torch.tensor([[2, 15, 16, 3, 2, 17, 3, 0, 0], [2, 18, 16, 15, 3, 2, 19, 20, 3]])
    types = torch.tensor([[0, 0, 0, 0, 1, 1, 1, 0, 0], [0, 0, 0, 0, 0, 1, 1, 1, 1]])
    with torch.no_grad():
        together = model(ids, (ids > 0).long(), types)
        alone = model(ids[:1, :7], torch.ones((1, 7), dtype=torch.long), types[:1, :7])
    assert torch.allclose(together[:1], alone, atol=1e-5)


def test_a_teacher_has_its_share_of_the_loss_where_it_was_asked() -> None:
    from training.train import pair_loss

    logits, labels, weights = torch.tensor([[0.2, 1.0, -0.5]] * 2), torch.tensor([1, 1]), torch.ones(2)
    taught = torch.tensor([[0.7, 0.2, 0.1], [torch.nan] * 3])
    label = float(pair_loss(logits, labels, weights, 0.0))
    told = float(-(taught[0] * torch.log_softmax(logits[0], dim=0)).sum())
    both = float(pair_loss(logits, labels, weights, 0.0, taught, 0.3))
    assert both == pytest.approx((0.7 * label + 0.3 * told + label) / 2)
    assert float(pair_loss(logits, labels, weights, 0.0, taught, 0.0)) == pytest.approx(label)


def test_a_pair_known_only_not_to_be_entailed_does_not_choose_between_the_other_two() -> None:
    from training.train import pair_loss

    logits = torch.tensor([[0.2, 1.0, -0.5]], requires_grad=True)
    loss = pair_loss(logits, torch.tensor([3]), torch.ones(1), smoothing=0.0)
    share = torch.softmax(logits.detach(), dim=1)[0, 0]
    assert float(loss.detach()) == pytest.approx(float(-torch.log(1 - share)), abs=1e-6)
    swapped = pair_loss(logits[:, [0, 2, 1]], torch.tensor([3]), torch.ones(1), smoothing=0.0)
    assert float(loss.detach()) == pytest.approx(float(swapped.detach()), abs=1e-6)
