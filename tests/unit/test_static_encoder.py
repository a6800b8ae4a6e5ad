"""The static encoder: whole texts read, rows blind to their neighbours, common words light, refusals in one line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from verifier_backends.encoders import Encoder, StaticEncoder

from verifier.core.errors import ConfigError
from verifier.core.models import ModelFolder, embedded_model

FOLDER = embedded_model("verifier_backends", "static", ("model.npz",))
pytestmark = pytest.mark.skipif(FOLDER is None, reason="this installation has no static encoder")

TEXTS = ["The museum opened in 1932.", "A share fell by 3%.", "x", "naïve café", "long text " * 3000]


@pytest.fixture(scope="module")
def encoder() -> StaticEncoder:
    return StaticEncoder()


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the model's folder that a test may damage."""
    assert isinstance(FOLDER, ModelFolder)
    return Path(shutil.copytree(FOLDER.path, tmp_path / "model"))


def test_it_is_an_encoder(encoder: StaticEncoder) -> None:
    assert isinstance(encoder, Encoder)


def test_rows_have_unit_length_and_the_stated_shape(encoder: StaticEncoder) -> None:
    rows = encoder.encode(TEXTS)
    assert rows.shape == (len(TEXTS), encoder.dimension)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-6)


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\U0001f9ff"])
def test_a_text_without_a_known_token_is_a_zero_row(encoder: StaticEncoder, text: str) -> None:
    rows = encoder.encode(["word", text, "word"])
    assert not rows[1].any()
    assert rows[0].any()


def test_no_texts_give_no_rows(encoder: StaticEncoder) -> None:
    assert encoder.encode([]).shape == (0, encoder.dimension)


def test_a_row_does_not_depend_on_the_other_texts(encoder: StaticEncoder) -> None:
    together = encoder.encode(TEXTS)
    for text, row in zip(TEXTS, together, strict=True):
        assert StaticEncoder().encode([text])[0] == pytest.approx(row, abs=1e-6)


def test_words_are_cut_as_the_tokenizer_cuts_the_whole_text(encoder: StaticEncoder) -> None:
    from tokenizers import Tokenizer

    assert isinstance(FOLDER, ModelFolder)
    tokenizer = Tokenizer.from_file(str(FOLDER.tokenizer))
    with np.load(FOLDER.weights) as stored:
        packed, scales = stored["packed"].astype(np.int64), stored["scales"].astype(np.float64)
    values = np.stack([packed % 16, packed // 16], axis=-1).reshape(len(packed), -1)
    values = np.where(values < 8, values, values - 16)
    table = values * np.repeat(scales, values.shape[1] // scales.shape[1], axis=1)
    text = "Don't pay $1,250.50 (naïvely)\u2014or\u00a0wait:\nit's 40% off\u2026 at Łódź-Kaliska!"
    wanted = table[tokenizer.encode(text, add_special_tokens=False).ids].sum(axis=0)
    assert encoder.encode([text])[0] == pytest.approx(wanted / np.linalg.norm(wanted), abs=1e-5)


def test_same_meaning_in_other_words_is_nearer_than_another_subject(encoder: StaticEncoder) -> None:
    near, far = encoder.encode(["The doctor examined the patient.", "The team lost the match."])
    [asked] = encoder.encode(["A physician looked at the sick."])
    assert asked @ near > asked @ far + 0.1


def test_common_words_weigh_less_than_rare_ones(encoder: StaticEncoder) -> None:
    whole, rare, common = encoder.encode(["it was of the glacier", "glacier", "it was of the"])
    assert whole @ rare > whole @ common


def test_a_word_of_a_million_characters_is_not_remembered(encoder: StaticEncoder) -> None:
    encoder.encode(["x" * 1_000_000])
    assert max(map(len, encoder._opened.pieces)) <= 40


def test_identity_is_the_same_wherever_the_folder_lies(encoder: StaticEncoder, copied: Path) -> None:
    assert StaticEncoder(str(copied)).identity == encoder.identity


def test_a_damaged_table_is_refused(copied: Path) -> None:
    with (copied / "model.npz").open("ab") as file:
        file.write(b"more")
    with pytest.raises(ConfigError, match="damaged"):
        _ = StaticEncoder(str(copied)).identity


def test_a_file_that_is_no_table_is_refused(copied: Path) -> None:
    (copied / "model.npz").write_bytes(b"nothing of the kind")
    with pytest.raises(ConfigError, match="as a table of token vectors"):
        StaticEncoder(str(copied)).encode(["text"])


def test_a_table_of_another_shape_is_refused(copied: Path) -> None:
    config = json.loads((copied / "config.json").read_text())
    (copied / "config.json").write_text(json.dumps({**config, "dimension": 3}))
    with pytest.raises(ConfigError, match=r"config.json promises \(30522, 3\)"):
        StaticEncoder(str(copied)).encode(["text"])


def test_a_folder_without_a_table_is_refused(copied: Path) -> None:
    (copied / "model.npz").unlink()
    with pytest.raises(ConfigError, match=r"incomplete: it lacks model\.npz"):
        StaticEncoder(str(copied)).encode(["text"])
