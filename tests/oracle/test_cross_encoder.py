"""The cross-encoder reranker against the library's own prediction, over a tiny checkpoint made on the spot."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from verifier_backends.rerankers import CrossEncoderReranker

from tests.support.tiny_bert import WORDS
from verifier.core.errors import BackendUnavailable, ConfigError

library = pytest.importorskip("sentence_transformers")
transformers = pytest.importorskip("transformers")
torch = pytest.importorskip("torch")

QUERY = "the bridge was built in 1932"
TEXTS = ["the old bridge was built by ann lee .", "the city closed the road in march", "it has three doors"]

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def write(folder: Path, outputs: int) -> Path:
    """A BERT of one layer with random weights that reads 48 tokens."""
    torch.manual_seed(0)
    (folder / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]))
    config = transformers.BertConfig(
        vocab_size=5 + len(WORDS),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=48,
        num_labels=outputs,
        initializer_range=0.5,
    )
    model = transformers.BertForSequenceClassification(config)
    model.save_pretrained(folder)
    tokenizer = transformers.BertTokenizerFast(vocab=str(folder / "vocab.txt"), model_max_length=48)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("ranker"), 1)


def predicted(folder: Path, pairs: list[tuple[str, str]]) -> list[float]:
    model = library.CrossEncoder(str(folder), device="cpu", local_files_only=True)
    return model.predict(pairs, activation_fn=torch.nn.Sigmoid(), show_progress_bar=False).tolist()


def test_scores_are_the_librarys(folder: Path) -> None:
    reranker = CrossEncoderReranker(str(folder), device="cpu", batch_size=2)
    scores = reranker.score(QUERY, TEXTS)
    assert scores.tolist() == pytest.approx(predicted(folder, [(QUERY, text) for text in TEXTS]), abs=1e-5)
    assert np.ptp(scores) > 1e-3
    [first, second] = reranker.score_many([(QUERY, TEXTS), (TEXTS[1], TEXTS[:1])])
    assert first.tolist() == pytest.approx(scores.tolist(), abs=1e-5)
    assert second.tolist() == pytest.approx(predicted(folder, [(TEXTS[1], TEXTS[0])]), abs=1e-5)


def test_a_long_text_is_read_in_windows_and_a_long_query_in_parts(folder: Path) -> None:
    reranker = CrossEncoderReranker(str(folder), device="cpu")
    words = ("the city closed the road in march . " * 8 + TEXTS[0]).split()
    [score] = reranker.score(QUERY, [" ".join(words)])
    # 48 tokens, 8 kept free and 6 of the query: windows of 34 that share 8 at least.
    starts = [round((len(words) - 34) * step / 2) for step in range(3)]
    windows = [" ".join(words[start : start + 34]) for start in starts]
    assert score == pytest.approx(max(predicted(folder, [(QUERY, window) for window in windows])), abs=1e-5)
    long = (QUERY + " " + TEXTS[1]).split() * 3
    [score] = reranker.score(" ".join(long), [TEXTS[2]])
    parts = [" ".join(long[:20]), " ".join(long[19:])]
    assert score == pytest.approx(np.mean(predicted(folder, [(part, TEXTS[2]) for part in parts])), abs=1e-5)


def test_nothing_asked_nothing_read(folder: Path) -> None:
    assert CrossEncoderReranker(str(folder), device="cpu").score(QUERY, []).shape == (0,)


def test_a_classifier_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="3 outputs"):
        CrossEncoderReranker(str(write(tmp_path, 3)), device="cpu").score(QUERY, TEXTS)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nowhere"):
        CrossEncoderReranker(str(tmp_path / "nowhere")).score(QUERY, TEXTS)


def test_a_hub_that_cannot_be_reached_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    # The library's own switch for working without the hub; no request leaves the machine.
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(BackendUnavailable, match="someone/reranker"):
        CrossEncoderReranker("someone/reranker").score(QUERY, TEXTS)


def test_the_identity_is_that_of_the_weights(folder: Path) -> None:
    assert (
        CrossEncoderReranker(str(folder)).identity == CrossEncoderReranker(str(folder), batch_size=1).identity
    )
    assert CrossEncoderReranker("a/b", revision="1").identity == "cross-encoder:a/b@1"


def test_texts_that_are_read_at_once_are_cut_and_padded_each_for_itself(folder: Path) -> None:
    alone = CrossEncoderReranker(str(folder), device="cpu")
    long = " ".join(TEXTS * 3)
    asked = [(QUERY, [long, *TEXTS]), (long, TEXTS), (TEXTS[1], TEXTS[:1])]
    expected = [scores.tolist() for scores in alone.score_many(asked)]
    for _ in range(3):
        # A fresh model each time: its tokenizer is set up by whoever calls first.
        shared = CrossEncoderReranker(str(folder), device="cpu")
        with ThreadPoolExecutor(8) as threads:
            found = list(threads.map(shared.score, *zip(*asked * 16, strict=True)))
        for scores, right in zip(found, expected * 16, strict=True):
            assert scores.tolist() == pytest.approx(right, abs=1e-5)
