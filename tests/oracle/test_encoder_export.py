"""Small random BERTs exported on the spot: the encoder gives what transformers gives, in float, int8 and 4 bits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from verifier_backends.encoders import EmbeddedEncoder  # noqa: E402

from tests.support.processor import int8_saturates  # noqa: E402
from training.encoders.export import PRECISIONS, export  # noqa: E402
from training.encoders.model import load_encoder  # noqa: E402
from training.encoders.static import Lesson  # noqa: E402
from training.encoders.tune import Tuning, tune  # noqa: E402
from training.tables import four_bit  # noqa: E402

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = [f"{a}{b}{c}" for a in "bdfgklm" for b in "aeiou" for c in "nprst"]
CLOSE = (
    {"float": 1 - 1e-5, "int8": 0.9, "int8-words4": 0.9}
    if int8_saturates()
    else {"float": 1 - 1e-5, "int8": 0.98, "int8-words4": 0.96}
)
"""The least cosine with what transformers computes."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT as ``save_pretrained`` leaves it, tokenizer included."""
    folder = tmp_path_factory.mktemp("bert")
    torch.manual_seed(5)
    config = transformers.BertConfig(
        vocab_size=len(SPECIAL) + len(WORDS),
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=128,
        max_position_embeddings=64,
        initializer_range=0.2,
    )
    transformers.BertModel(config).save_pretrained(folder)
    vocabulary = {word: at for at, word in enumerate([*SPECIAL, *WORDS])}
    transformers.BertTokenizerFast(vocab=vocabulary, do_lower_case=True).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def texts() -> list[str]:
    rng = np.random.default_rng(1)
    return [" ".join(rng.choice(WORDS, rng.integers(1, 30))) for _ in range(40)]


def by_transformers(folder: Path, texts: list[str]) -> np.ndarray:
    """The mean of the last hidden states, special tokens included, at length 1."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).eval()
    with torch.inference_mode():
        rows = [model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0].mean(0) for text in texts]
    stacked = torch.stack(rows).numpy()
    return stacked / np.linalg.norm(stacked, axis=1, keepdims=True)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_every_precision_is_near_what_transformers_gives(
    folder: Path, texts: list[str], precision: str, tmp_path: Path
) -> None:
    export(
        load_encoder(folder),
        folder / "tokenizer.json",
        tmp_path,
        precision=precision,
        max_length=64,
        facts={"source": "made on the spot"},
    )
    rows = EmbeddedEncoder(str(tmp_path)).encode(texts)
    wanted = by_transformers(folder, texts)
    assert (wanted @ wanted.T).min() < 0.9, (
        "the random model must tell texts apart for this test to mean anything"
    )
    assert (rows * wanted).sum(axis=1).min() > CLOSE[precision]


def test_padding_does_not_change_what_the_torch_encoder_gives(folder: Path) -> None:
    model = load_encoder(folder)
    ids = torch.tensor([[2, 9, 11, 3, 0, 0], [2, 7, 8, 9, 10, 3]])
    with torch.inference_mode():
        both = model.pooled(ids, (ids != 0).long())
        alone = model.pooled(ids[:1, :4], torch.ones((1, 4), dtype=torch.int64))
    np.testing.assert_allclose(both[0], alone[0], atol=1e-5)


def test_tuning_puts_claims_nearer_to_their_evidence(folder: Path, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    first = [[2, *rng.choice(np.arange(5, 60), 4, replace=False).tolist(), 3] for _ in range(24)]
    second = [[2, *(n + 60 for n in ids[1:3]), 3] for ids in first]
    lesson = Lesson(second, first, np.roll(np.arange(24), 1)[:, None], [], np.zeros((0, 1), np.float32))
    model = load_encoder(folder)
    before = tune(model, lesson, Tuning(steps=1, batch=24, rate=0.0))
    after = tune(model, lesson, Tuning(steps=40, batch=24, rate=2e-3), tmp_path / "tuned.pt")
    assert after < before - 0.5
    ids = torch.tensor([first[0]])
    with torch.inference_mode():
        again = load_encoder(folder, tmp_path / "tuned.pt")(ids)
        assert torch.equal(again, model(ids))
        assert not torch.allclose(again, load_encoder(folder)(ids), atol=1e-3)


def test_four_bits_are_within_half_a_step_of_the_table() -> None:
    table = np.random.default_rng(0).normal(size=(50, 64)).astype(np.float32)
    table[3] = 0.0
    values, scales = four_bit(table)
    assert values.min() >= -8
    assert values.max() <= 7
    back = values.reshape(50, 2, 32) * scales.astype(np.float32)[:, :, None]
    error = np.linalg.norm(back.reshape(50, 64) - table) / np.linalg.norm(table)
    assert error < 0.1
    assert not back[3].any()
