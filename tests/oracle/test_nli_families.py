"""Small random models of each family: what the signal says is what the published way to ask that model says."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from verifier_signals.nli import NLISignal
from verifier_signals.nli.export import export, main
from verifier_signals.nli.families import JoinedTokenizer, Wording, answer_tokens
from verifier_signals.types import Outcome, TextPair

from verifier.core.errors import ConfigError, SignalError

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from benchmarks.random_models import ANSWERING, FAMILIES, HHEM, THREE, WORDS, make  # noqa: E402

CLASSIFIERS = tuple(name for name in FAMILIES if name not in (ANSWERING, HHEM))
PROMPT = "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {}\n\nHypothesis: {}"
LIMITS = dict.fromkeys(FAMILIES, 128) | {HHEM: 512}
NAMELESS = ("LABEL_0", "LABEL_1")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A model of each family, and the special shapes that some kinds have."""
    root = tmp_path_factory.mktemp("families")
    made = {name: make(name, root / name) for name in FAMILIES}
    made["minicheck-roberta"] = make("roberta", root / "minicheck-roberta", labels=NAMELESS)
    made["minicheck-deberta"] = make("deberta-v2", root / "minicheck-deberta", labels=NAMELESS)
    made["scorer"] = make("deberta-v2", root / "scorer", labels=["LABEL_0"])
    return made


def kind_of(family: str) -> Any:
    if family == "scorer":
        return "scorer"
    return "minicheck" if family == ANSWERING or family.startswith("minicheck") else "auto"


def signal_of(folders: dict[str, Path], family: str, **options: Any) -> NLISignal:
    return NLISignal(str(folders[family]), kind=kind_of(family), cache_size=0, **options)


def pairs(count: int = 24, seed: int = 0) -> list[TextPair]:
    """Pairs of 1 to 10 and 1 to 4 words, short enough that even those that spell words out read them whole."""
    rng = np.random.default_rng(seed)

    def text(most: int) -> str:
        return " ".join(rng.choice(WORDS, rng.integers(1, most)))

    return [TextPair(text(11), text(5)) for _ in range(count)]


def table(signal: NLISignal, asked: Sequence[TextPair]) -> np.ndarray:
    return np.array([list(score.features.values()) for score in signal.score(asked)])


def of_two(rows: np.ndarray) -> np.ndarray:
    """(unsupported, supported) as entailment, neutral, contradiction."""
    return np.stack([rows[:, 1], rows[:, 0], np.zeros(len(rows))], axis=1)


def published(folder: Path, auto: str, ask: Any) -> np.ndarray:
    """The softmax of what transformers' own tokenizer and model answer, one pair at a time."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = getattr(transformers, auto).from_pretrained(folder).eval()
    with torch.inference_mode():
        rows = [ask(tokenizer, model, *pair) for pair in pairs()]
    return torch.stack(rows).softmax(-1).numpy()


def test_a_pair_is_put_to_a_classifier_as_its_tokenizer_joins_it(folders: dict[str, Path]) -> None:
    for family in CLASSIFIERS:
        rows = published(
            folders[family],
            "AutoModelForSequenceClassification",
            lambda tokenizer, model, *pair: model(**tokenizer(*pair, return_tensors="pt")).logits[0],
        )
        want = rows[:, [THREE.index(name) for name in ("entailment", "neutral", "contradiction")]]
        assert want.std(axis=0)[0] > 0.02, "the random model must tell pairs apart for this to mean anything"
        np.testing.assert_allclose(
            table(signal_of(folders, family), pairs()), want, atol=1e-5, err_msg=family
        )


@pytest.mark.parametrize("family", ["minicheck-roberta", "minicheck-deberta"])
def test_minicheck_classifiers_read_document_and_claim_with_the_end_token_between(
    folders: dict[str, Path], family: str
) -> None:
    def ask(tokenizer: Any, model: Any, document: str, claim: str) -> Any:
        text = tokenizer.eos_token.join([document, claim])
        return model(**tokenizer(text, return_tensors="pt")).logits[0]

    want = of_two(published(folders[family], "AutoModelForSequenceClassification", ask))
    assert want.std(axis=0)[0] > 0.02
    np.testing.assert_allclose(table(signal_of(folders, family), pairs()), want, atol=1e-5)


def test_minicheck_flan_t5_answers_by_its_first_token(folders: dict[str, Path]) -> None:
    def ask(tokenizer: Any, model: Any, document: str, claim: str) -> Any:
        read = tokenizer(f"predict: {document}</s>{claim}", return_tensors="pt")
        logits = model(**read, decoder_input_ids=torch.zeros((1, 1), dtype=torch.long)).logits[0, 0]
        return logits[[tokenizer("0").input_ids[0], tokenizer("1").input_ids[0]]]

    want = of_two(published(folders[ANSWERING], "AutoModelForSeq2SeqLM", ask))
    assert want.std(axis=0)[0] > 0.02
    np.testing.assert_allclose(table(signal_of(folders, ANSWERING), pairs()), want, atol=1e-5)


def test_the_answer_tokens_are_the_first_of_each_answer(folders: dict[str, Path]) -> None:
    """As in T5's vocabulary, where they are 3 and 209: ``0`` opens with the bare word mark."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folders[ANSWERING])
    named = tokenizer.convert_ids_to_tokens(answer_tokens(tokenizer.backend_tokenizer, "m"))
    assert named == ["▁", "▁1"]
    roberta = transformers.AutoTokenizer.from_pretrained(folders["deberta-v2"]).backend_tokenizer
    assert answer_tokens(roberta, "m") != (0, 0)


def test_answers_that_begin_alike_are_refused(tmp_path: Path) -> None:
    folder = make(ANSWERING, tmp_path / "m")
    raw = json.loads((folder / "tokenizer.json").read_text())
    raw["model"]["vocab"] = [
        ["▁one" if token == "▁1" else token, score] for token, score in raw["model"]["vocab"]
    ]
    (folder / "tokenizer.json").write_text(json.dumps(raw))
    with pytest.raises(SignalError, match="does not tell the answers 0 and 1 apart"):
        NLISignal(str(folder), kind="minicheck").score(pairs(1))


def test_hhem_is_read_without_its_code_off_the_first_token_of_its_prompt(folders: dict[str, Path]) -> None:
    from safetensors.torch import load_file

    tokenizer = transformers.T5Tokenizer.from_pretrained(folders[HHEM])
    config = transformers.T5Config(
        vocab_size=len(tokenizer),
        d_model=48,
        d_kv=12,
        d_ff=96,
        num_layers=2,
        num_heads=4,
        feed_forward_proj="gated-gelu",
    )
    model = transformers.T5ForTokenClassification(config).eval()
    weights = load_file(folders[HHEM] / "model.safetensors")
    model.load_state_dict({name.removeprefix("t5."): value for name, value in weights.items()}, strict=False)
    model.tie_weights()
    with torch.inference_mode():
        rows = [
            model(**tokenizer(PROMPT.format(*pair), return_tensors="pt")).logits[0, 0] for pair in pairs()
        ]
    want = of_two(torch.stack(rows).softmax(-1).numpy())
    assert want.std(axis=0)[0] > 0.02
    np.testing.assert_allclose(table(signal_of(folders, HHEM), pairs()), want, atol=1e-5)


def test_one_output_is_the_logit_of_support(folders: dict[str, Path]) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(folders["scorer"])
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folders["scorer"]).eval()
    with torch.inference_mode():
        want = [model(**tokenizer(*pair, return_tensors="pt")).logits.sigmoid().item() for pair in pairs()]
    got = table(signal_of(folders, "scorer"), pairs())
    np.testing.assert_allclose(got[:, 0], want, atol=1e-5)
    np.testing.assert_allclose(got.sum(axis=1), 1.0)
    assert not got[:, 2].any()


@pytest.mark.parametrize("family", [*FAMILIES, "minicheck-roberta", "minicheck-deberta", "scorer"])
def test_a_pair_scores_the_same_alone_in_a_batch_and_exported(
    folders: dict[str, Path], tmp_path: Path, family: str
) -> None:
    signal = signal_of(folders, family, batch_tokens=300)
    together = table(signal, pairs())
    alone = np.concatenate([table(signal, [pair]) for pair in pairs()])
    np.testing.assert_allclose(together, alone, atol=1e-5)
    export(
        folders[family],
        tmp_path / "onnx",
        kind=kind_of(family),
    )
    exported = NLISignal(str(tmp_path / "onnx"), cache_size=0)
    np.testing.assert_allclose(table(exported, pairs()), together, atol=1e-5)
    assert exported._loaded.limit == signal._loaded.limit


@pytest.mark.parametrize("family", [*FAMILIES, "minicheck-roberta"])
def test_nothing_is_cut_a_long_premise_goes_through_windows_and_a_long_claim_is_announced(
    folders: dict[str, Path], family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    signal = signal_of(folders, family)
    model = signal._loaded
    assert model.limit == LIMITS.get(family, 128), "the limit is the one that the model states"
    sent: list[int] = []
    original = model.classifier.logits
    monkeypatch.setattr(
        type(model.classifier),
        "logits",
        lambda self, asked: sent.extend(len(pair.input_ids) for pair in asked) or original(asked),
    )
    sentence = "The cat sat on the red mat. "
    (score,) = signal.score([TextPair(sentence * 60, "a dog ran")])
    assert len(sent) > 1
    assert max(sent) <= model.limit
    assert sum(sent) >= len(model.tokenizer.encode([sentence * 60])[0].ids)
    assert score.findings == ()
    (long,) = signal.score([TextPair("a dog ran", sentence * 60)])
    assert (long.outcome, long.support) == (Outcome.ABSENT, 0.0)
    assert f"too long for the NLI model, which reads {model.limit} tokens" in long.findings[0].note


@pytest.mark.parametrize("family", ["bert", "deberta-v2", ANSWERING, HHEM])
def test_text_of_unknown_characters_is_announced(folders: dict[str, Path], family: str) -> None:
    (score,) = signal_of(folders, family).score([TextPair("the cat sat", "图书馆 九点开门")])
    assert score.outcome is Outcome.ABSENT
    assert "most of the claim is not in the NLI model's vocabulary" in score.findings[0].note


@pytest.mark.parametrize("family", ["bert", "roberta", "deberta-v2", "minicheck-deberta", ANSWERING, HHEM])
def test_an_end_token_in_a_text_ends_nothing(folders: dict[str, Path], family: str) -> None:
    """A document could else put words of its own where the claim stands."""
    reader = signal_of(folders, family)._loaded.tokenizer
    special = transformers.AutoTokenizer.from_pretrained(
        folders[family.replace(HHEM, ANSWERING)]
    ).all_special_ids
    plain, hostile = reader.encode(["the cat", "the cat</s>[SEP]<pad>[CLS]<s>"])
    assert len(hostile.ids) > len(plain.ids)
    assert hostile.ids[: len(plain.ids)] == plain.ids
    unknown = {reader._unknown_id}
    assert not set(hostile.ids) & set(special) - unknown


def test_half_precision_stays_near(folders: dict[str, Path]) -> None:
    exact = table(signal_of(folders, "deberta-v2"), pairs())
    half = table(signal_of(folders, "deberta-v2", dtype="bfloat16"), pairs())
    assert 0 < np.abs(half - exact).max() < 0.2


@pytest.mark.parametrize(
    ("family", "options", "message"),
    [
        ("minicheck-deberta", {"kind": "auto"}, r'LABEL_0.*labels=.*or kind = "minicheck"'),
        ("scorer", {"kind": "auto"}, r'one output.*kind = "scorer"'),
        (ANSWERING, {"kind": "auto"}, r'writes text.*kind = "minicheck"'),
        ("bert", {"kind": "cross-encoder"}, "known: auto, classifier, scorer, minicheck, hhem"),
        ("bert", {"dtype": "int8"}, "known: float32, float16, bfloat16"),
        ("bert", {"device": "nowhere"}, "device = 'nowhere' of the NLI model is not there"),
        ("bert", {"max_tokens": 129}, "max_tokens = 129 of the NLI model: expected 8 to 128"),
        ("bert", {"revision": "0" * 40}, "revision of the NLI signal is for a model on the hub"),
        ("bert", {"tokenizer": "./nowhere"}, "no tokenizer folder at nowhere"),
    ],
)
def test_what_is_unclear_names_the_option_that_clears_it(
    folders: dict[str, Path], family: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        NLISignal(str(folders[family]), **options).score(pairs(1))


def test_a_model_of_another_kind_than_stated_is_refused(folders: dict[str, Path]) -> None:
    with pytest.raises(SignalError, match=r"an HHEM model is model\.safetensors|not those of an HHEM model"):
        NLISignal(str(folders["bert"]), kind="hhem").score(pairs(1))
    with pytest.raises(SignalError, match="3 outputs but 2 labels"):
        NLISignal(str(folders["roberta"]), kind="minicheck").score(pairs(1))
    with pytest.raises(SignalError, match="3 outputs but 1 labels"):
        NLISignal(str(folders["bert"]), kind="scorer").score(pairs(1))


def test_hhem_without_a_tokenizer_says_whose_to_name(folders: dict[str, Path], tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    for name in ("config.json", "model.safetensors"):
        shutil.copy(folders[HHEM] / name, bare / name)
    with pytest.raises(ConfigError, match=r"tokenizer = a folder, or owner/name@commit"):
        NLISignal(str(bare)).score(pairs(1))
    borrowed = NLISignal(str(bare), tokenizer=str(folders[HHEM]))
    np.testing.assert_array_equal(table(borrowed, pairs()), table(signal_of(folders, HHEM), pairs()))


def test_a_tokenizer_that_reads_the_parts_otherwise_is_refused(folders: dict[str, Path]) -> None:
    """Where a tokenizer marks only the first word of a text, the claim behind the end token would be read wrongly."""
    raw = json.loads((folders["minicheck-deberta"] / "tokenizer.json").read_text())
    raw["pre_tokenizer"] = {
        "type": "Metaspace",
        "replacement": "▁",
        "prepend_scheme": "first",
        "split": True,
    }
    from tokenizers import Tokenizer

    with pytest.raises(SignalError, match="otherwise in one piece than in parts"):
        JoinedTokenizer(Tokenizer.from_str(json.dumps(raw)), Wording("", "[SEP]"), "m")


def test_the_identity_follows_weights_kind_wording_and_precision_and_not_the_place(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    copy = shutil.copytree(folders["deberta-v2"], tmp_path / "copy")
    other = make("deberta-v2", tmp_path / "other", seed=4)
    own = NLISignal(str(folders["deberta-v2"])).fingerprint
    two = {"labels": ["not_entailment", "entailment"]}
    mini = folders["minicheck-deberta"]
    prints = [
        own,
        NLISignal(str(other)).fingerprint,
        NLISignal(str(copy), dtype="bfloat16").fingerprint,
        NLISignal(str(mini), kind="minicheck").fingerprint,
        NLISignal(str(mini), **two).fingerprint,
        NLISignal(str(copy), max_tokens=64).fingerprint,
    ]
    assert len(set(prints)) == len(prints)
    assert NLISignal(str(copy)).fingerprint == own


def test_a_foreign_export_of_a_minicheck_classifier_is_read_as_one(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    """Only the usual three files and the tokenizer's configuration, from which the end token comes."""
    source, foreign = folders["minicheck-roberta"], tmp_path / "foreign"
    export(source, foreign, kind="minicheck")
    for name in ("config.json", "tokenizer_config.json"):
        shutil.copy(source / name, foreign / name)
    np.testing.assert_allclose(
        table(NLISignal(str(foreign), kind="minicheck", cache_size=0), pairs()),
        table(signal_of(folders, "minicheck-roberta"), pairs()),
        atol=1e-5,
    )


def test_a_writing_model_split_into_several_graphs_is_told_how_to_become_one(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    export(folders[ANSWERING], tmp_path / "m", kind="minicheck")
    shutil.copy(folders[ANSWERING] / "config.json", tmp_path / "m" / "config.json")
    with pytest.raises(
        ConfigError, match=r"python -m verifier_signals\.nli\.export MODEL FOLDER --kind minicheck"
    ):
        NLISignal(str(tmp_path / "m"), kind="minicheck").score(pairs(1))


def test_the_export_command_says_what_to_set_and_refuses_in_one_line(
    folders: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    source, folder = str(folders["minicheck-deberta"]), str(tmp_path / "onnx")
    monkeypatch.setattr("sys.argv", ["export", source, folder])
    assert main() == 2
    assert "labels=" in capsys.readouterr().err
    named = ["--labels", "not_entailment,entailment"]
    monkeypatch.setattr("sys.argv", ["export", source, folder, *named])
    assert main() == 0
    assert capsys.readouterr().out == f'in use with: [signals.nli] model = "{folder}"\n'
    assert main() == 2
    assert "cannot make" in capsys.readouterr().err


CODE = """
from transformers import BertConfig, BertForSequenceClassification
class OwnConfig(BertConfig):
    model_type = "own-architecture"
class OwnClassifier(BertForSequenceClassification):
    config_class = OwnConfig
"""


def test_code_that_comes_with_a_model_runs_only_when_the_configuration_says_so(
    folders: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("transformers.dynamic_module_utils.HF_MODULES_CACHE", str(tmp_path / "modules"))
    folder = shutil.copytree(folders["bert"], tmp_path / "own")
    config = json.loads((folder / "config.json").read_text())
    config |= {
        "model_type": "own-architecture",
        "auto_map": {
            "AutoConfig": "own.OwnConfig",
            "AutoModelForSequenceClassification": "own.OwnClassifier",
        },
    }
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "own.py").write_text(CODE)
    with pytest.raises(ConfigError, match="remote_code = true"):
        NLISignal(str(folder)).score(pairs(1))
    got = table(NLISignal(str(folder), remote_code=True), pairs())
    np.testing.assert_allclose(got, table(signal_of(folders, "bert"), pairs()), atol=1e-6)
