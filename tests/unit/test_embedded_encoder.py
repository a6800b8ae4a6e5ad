"""The embedded transformer encoder: whole texts read, rows blind to their neighbours, refusals in one line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from verifier_backends.encoders import EmbeddedEncoder, Encoder

from verifier.core.errors import BackendRejected, ConfigError
from verifier.core.models import ModelFolder, embedded_model

FOLDER = embedded_model("verifier_backends", "minilm")
pytestmark = pytest.mark.skipif(FOLDER is None, reason="this installation has no embedded encoder")

TEXTS = [
    "The museum opened in 1932.",
    "It welcomed its first visitors in the thirties. " * 4,
    "A share fell by 3%.",
    "x",
    "!!!",
]
LONG = " ".join(f"Item {n} of the list weighs {n * 7 % 90} kilograms." for n in range(90))


@pytest.fixture(scope="module")
def encoder() -> EmbeddedEncoder:
    return EmbeddedEncoder()


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the model's folder that a test may damage."""
    assert isinstance(FOLDER, ModelFolder)
    return Path(shutil.copytree(FOLDER.path, tmp_path / "model"))


def change(folder: Path, **facts: object) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **facts}))


def test_it_is_an_encoder(encoder: EmbeddedEncoder) -> None:
    assert isinstance(encoder, Encoder)


def test_rows_have_unit_length_and_the_stated_shape(encoder: EmbeddedEncoder) -> None:
    rows = encoder.encode(TEXTS)
    assert rows.shape == (5, encoder.dimension) == (5, 384)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(5), abs=1e-6)


@pytest.mark.parametrize("text", ["", " ", "\n\t"])
def test_a_blank_text_is_a_zero_row(encoder: EmbeddedEncoder, text: str) -> None:
    rows = encoder.encode(["word", text, "word"])
    assert not rows[1].any()
    assert rows[0].any()
    assert encoder.token_vectors([text])[0].shape == (0, 384)


def test_no_texts_give_no_rows(encoder: EmbeddedEncoder) -> None:
    assert encoder.encode([]).shape == (0, 384)
    assert encoder.token_vectors([]) == []


@pytest.mark.parametrize("threads", [1, 2])
def test_a_row_does_not_depend_on_the_other_texts(threads: int) -> None:
    encoder = EmbeddedEncoder(threads=threads)
    texts = [*TEXTS, LONG]
    together = encoder.encode(texts)
    for text, row in zip(texts, together, strict=True):
        assert encoder.encode([text])[0] == pytest.approx(row, abs=1e-5)


def test_same_meaning_in_other_words_is_near(encoder: EmbeddedEncoder) -> None:
    near, far = encoder.encode(["The exhibition was inaugurated in May.", "Shares fell sharply in May."])
    [asked] = encoder.encode(["When did the show of paintings open?"])
    assert asked @ near > asked @ far + 0.2


def test_the_end_of_a_long_text_is_read(encoder: EmbeddedEncoder) -> None:
    one, other = encoder.encode([f"{LONG} The bridge was closed.", f"{LONG} A whale sang all night."])
    assert one @ other < 0.9999


def test_the_vector_is_the_mean_over_all_windows() -> None:
    narrow = EmbeddedEncoder(max_tokens=32)
    text = LONG[:600]
    tokens = narrow.token_vectors([text])[0]
    assert len(tokens) > 100
    assert narrow.encode([text])[0] @ EmbeddedEncoder().encode([text])[0] > 0.8


def test_token_vectors_come_with_their_spans(encoder: EmbeddedEncoder) -> None:
    texts = ["A café closed.", LONG, ""]
    read = encoder.tokens(texts)
    assert [own.vectors.shape for own in read] == [(len(own.spans), 384) for own in read]
    assert [own.tolist() for own in encoder.token_vectors(texts)] == [own.vectors.tolist() for own in read]
    assert len(read[1].vectors) > encoder.token_vectors([LONG[:100]])[0].shape[0] * 2
    assert [texts[0][start:end] for start, end in read[0].spans] == ["A", "café", "closed", "."]
    assert [LONG[start:end] for start, end in read[1].spans][:3] == ["Item", "0", "of"]
    assert read[2].spans.shape == (0, 2)


def test_identity_names_the_weights_and_the_window(encoder: EmbeddedEncoder) -> None:
    assert encoder.identity == EmbeddedEncoder(threads=1).identity
    assert encoder.identity != EmbeddedEncoder(max_tokens=64).identity


def test_identity_is_the_same_wherever_the_folder_lies(encoder: EmbeddedEncoder, copied: Path) -> None:
    assert EmbeddedEncoder(str(copied)).identity == encoder.identity


def test_damaged_weights_are_refused(copied: Path) -> None:
    with (copied / "model.onnx").open("ab") as file:
        file.write(b"more")
    with pytest.raises(ConfigError, match="damaged"):
        _ = EmbeddedEncoder(str(copied)).identity


def test_another_tokenizer_is_refused_where_one_is_promised_and_else_another_identity(
    encoder: EmbeddedEncoder, copied: Path
) -> None:
    with (copied / "tokenizer.json").open("a") as file:
        file.write("\n")
    with pytest.raises(ConfigError, match=r"damaged: tokenizer\.json"):
        _ = EmbeddedEncoder(str(copied)).identity
    config = json.loads((copied / "config.json").read_text())
    del config["files"]
    (copied / "config.json").write_text(json.dumps(config))
    assert EmbeddedEncoder(str(copied)).identity != encoder.identity


@pytest.mark.parametrize("window", [7, 257])
def test_a_window_out_of_range_is_refused(window: int) -> None:
    with pytest.raises(ConfigError, match=f"max_tokens = {window} of the encoder: expected 8 to 256"):
        EmbeddedEncoder(max_tokens=window).encode(["text"])


def test_no_threads_are_refused() -> None:
    with pytest.raises(ConfigError, match="threads = 0"):
        EmbeddedEncoder(threads=0).encode(["text"])


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no model folder"):
        EmbeddedEncoder(str(tmp_path / "absent")).encode(["text"])


def test_a_configuration_without_the_dimension_is_refused(copied: Path) -> None:
    change(copied, dimension=None)
    with pytest.raises(ConfigError, match="dimension = None"):
        EmbeddedEncoder(str(copied)).encode(["text"])


def test_a_graph_of_another_dimension_is_refused(copied: Path) -> None:
    change(copied, dimension=128)
    with pytest.raises(
        ConfigError, match=r"gives an output of shape \(1, 3, 384\); expected \(1, tokens, 128\)"
    ):
        EmbeddedEncoder(str(copied)).encode(["text"])


def test_a_graph_that_fails_is_a_rejection(copied: Path) -> None:
    change(copied, max_length=5000)
    with pytest.raises(BackendRejected, match="failed on an input of 1002 tokens"):
        EmbeddedEncoder(str(copied)).encode(["word " * 1000])


def test_a_tokenizer_with_more_words_than_the_model_is_refused(copied: Path) -> None:
    tokenizer = json.loads((copied / "tokenizer.json").read_text())
    tokenizer["model"]["vocab"]["zebra"] = 99_999
    (copied / "tokenizer.json").write_text(json.dumps(tokenizer))
    with pytest.raises(ConfigError, match="its tokenizer has ids up to 99999, the model knows 30522 words"):
        EmbeddedEncoder(str(copied)).encode(["zebra"])
