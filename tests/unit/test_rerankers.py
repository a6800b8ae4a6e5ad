"""The embedded reranker over a tiny model made on the spot, and its one file's other use."""

from pathlib import Path

import numpy as np
import pytest
from verifier_backends.rerankers import EmbeddedReranker

from tests.support.tiny_bert import write_tiny_bert
from verifier.core.errors import ConfigError

torch = pytest.importorskip("torch")

QUERY = "the bridge was built in 1932"
TEXTS = [
    "the old bridge was built by ann lee .",
    "the city closed the road in march",
    "it has three doors",
    ".",
]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_bert(tmp_path_factory.mktemp("encoder"))


@pytest.fixture(scope="module")
def model(encoder: Path) -> object:
    from training.model import from_sentence_encoder
    from training.shape import ModelConfig

    torch.manual_seed(0)
    shape = ModelConfig.around(encoder, split=False, joint_layers=0, relevance=True)
    made = from_sentence_encoder(shape, encoder / "model.safetensors").eval()
    with torch.no_grad():
        for parameter in made.parameters():
            # Weights as small as the fresh ones are would hardly tell one text from another.
            parameter.add_(torch.randn_like(parameter) * 0.5)
    return made


@pytest.fixture(scope="module")
def folder(model: object, encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from training.export import export

    path = tmp_path_factory.mktemp("reranker")
    export(model, encoder / "tokenizer.json", path, precision="float", max_length=40, facts={})
    return path


def expected(model: object, encoder: Path, query: str, text: str) -> float:
    """The second head's probability, by torch."""
    from training.tokens import pair_tokenizer

    encoding = pair_tokenizer(encoder / "tokenizer.json", False, 500).encode(text, query)
    ids, types = torch.tensor([encoding.ids]), torch.tensor([encoding.type_ids])
    with torch.no_grad():
        return float(torch.sigmoid(model(ids, torch.ones_like(ids), types)[0, 3]))


def test_a_score_is_the_second_heads_probability(model: object, encoder: Path, folder: Path) -> None:
    scores = EmbeddedReranker(str(folder)).score(QUERY, TEXTS)
    assert scores.tolist() == pytest.approx(
        [expected(model, encoder, QUERY, text) for text in TEXTS], abs=1e-5
    )
    assert np.ptp(scores) > 1e-3


def test_scores_do_not_depend_on_neighbours_or_threads(folder: Path) -> None:
    together = EmbeddedReranker(str(folder), threads=2).score_many([(QUERY, TEXTS), (TEXTS[1], TEXTS[:2])])
    alone = EmbeddedReranker(str(folder), threads=1)
    assert together[0].tolist() == pytest.approx([alone.score(QUERY, [text])[0] for text in TEXTS], abs=1e-6)
    assert together[1].tolist() == pytest.approx(alone.score(TEXTS[1], TEXTS[:2]).tolist(), abs=1e-6)


def test_a_long_text_counts_as_its_best_window(model: object, encoder: Path, folder: Path) -> None:
    words = ("the city closed the road in march . " * 8 + TEXTS[0]).split()
    # 40 tokens hold 3 special ones and the query's 6; windows of 31 share 7 at least.
    last = len(words) - 31
    starts = [round(last * step / 2) for step in range(3)]
    windows = [" ".join(words[start : start + 31]) for start in starts]
    [score] = EmbeddedReranker(str(folder)).score(QUERY, [" ".join(words)])
    assert score == pytest.approx(
        max(expected(model, encoder, QUERY, window) for window in windows), abs=1e-5
    )


def test_a_long_query_counts_as_the_mean_of_its_parts(model: object, encoder: Path, folder: Path) -> None:
    words = (QUERY + " " + TEXTS[1]).split() * 3
    assert len(words) == 39
    parts = [" ".join(words[:20]), " ".join(words[19:])]
    [score] = EmbeddedReranker(str(folder)).score(" ".join(words), [TEXTS[2]])
    assert score == pytest.approx(
        np.mean([expected(model, encoder, part, TEXTS[2]) for part in parts]), abs=1e-5
    )


def test_nothing_asked_nothing_read(folder: Path) -> None:
    reranker = EmbeddedReranker(str(folder))
    assert reranker.score(QUERY, []).shape == (0,)
    assert reranker.score_many([]) == []


def test_the_identity_names_the_weights_and_the_window(folder: Path) -> None:
    one, other = EmbeddedReranker(str(folder)), EmbeddedReranker(str(folder), threads=1)
    assert one.identity == other.identity
    assert one.identity != EmbeddedReranker(str(folder), max_tokens=36).identity


def test_a_model_without_the_head_is_refused(encoder: Path, tmp_path: Path) -> None:
    from training.export import export
    from training.model import from_sentence_encoder
    from training.shape import ModelConfig

    shape = ModelConfig.around(encoder, split=False, joint_layers=0)
    plain = from_sentence_encoder(shape, encoder / "model.safetensors")
    export(plain, encoder / "tokenizer.json", tmp_path, precision="float", max_length=40, facts={})
    with pytest.raises(ConfigError, match=r"no output 'relevance'; it has: logits"):
        EmbeddedReranker(str(tmp_path)).score(QUERY, TEXTS)


@pytest.mark.parametrize("options", [{"max_tokens": 41}, {"max_tokens": 8}, {"threads": 0}])
def test_options_out_of_range_are_refused(options: dict[str, int], folder: Path) -> None:
    with pytest.raises(ConfigError, match=next(iter(options))):
        EmbeddedReranker(str(folder), **options).score(QUERY, TEXTS)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nowhere"):
        EmbeddedReranker(str(tmp_path / "nowhere")).score(QUERY, TEXTS)


def test_without_an_embedded_model_the_message_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier_backends.rerankers.embedded.embedded_model", lambda package, name: None)
    with pytest.raises(ConfigError, match="name a folder with model="):
        EmbeddedReranker().score(QUERY, TEXTS)
