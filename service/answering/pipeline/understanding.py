"""Tell what kind of query it is: small talk, an attack, harmful, or a question to answer.

Three linear classifiers over hashed words and word pairs, and over the cues of ``cues.txt``. Only
their weights are kept, in ``query_classes.bin``: for each class a scale and a bias, then a signed
byte per feature. ``tests/training/train_query_classes.py`` trains them, and says on what; a changed
cue or feature wants them trained anew, and so does a changed list of function words.
"""

from __future__ import annotations

import functools
import importlib.resources
import itertools
import math
import re
import struct
import zlib
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from service.generation.generator import PastTurn
from service.language import content_terms, words

HASHED: Final = 1 << 13
"""Features of hashed words; cues and shape come after them."""
CLASSES: Final = ("adversarial", "jail_breaking", "small_talk")
THRESHOLDS: Final = {"adversarial": 0.75, "jail_breaking": 0.4, "small_talk": 0.8}
"""From these scores on a query is of a class: 99 of 100 real questions stay below, each judged by
weights that saw nothing of its collection (the program that trains them tells)."""
_TOKEN: Final = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+|[^\W\d_]+|[^\w\s]")
_HEAD: Final = 250
_TAIL: Final = 150
"""Tokens of a long query that are looked at: an attack begins or ends what is pasted around it."""
_READ: Final = 6000
"""Characters that are cut into tokens at all."""
_ASKS: Final = frozenset(
    "how what when where who why which can do is does are could should would will".split()
)
_YOU: Final = frozenset(("you", "your", "yourself", "u", "ya", "you're", "yours"))
_REPLIES: Final = 12
"""A reply to a question of the assistant has at most so many words."""
_MASHED: Final = re.compile(r"[bcdfghjklmnpqrstvwxz]{6,}|(.)\1{4,}|\b(?:asdf|qwer|zxcv|hjkl)\w*")


class QueryClasses(msgspec.Struct, frozen=True, kw_only=True):
    """How sure it is, 0..1, that a query is of a class, and whether that is enough."""

    scores: dict[str, float]
    no_clear_intent: bool

    @property
    def adversarial(self) -> bool:
        """It asks for something harmful."""
        return self.scores["adversarial"] >= THRESHOLDS["adversarial"]

    @property
    def jail_breaking(self) -> bool:
        """It wants to talk the assistant out of its rules."""
        return self.scores["jail_breaking"] >= THRESHOLDS["jail_breaking"]

    @property
    def small_talk(self) -> bool:
        """It is chat, not a question to documents."""
        return self.scores["small_talk"] >= THRESHOLDS["small_talk"]


def classify(query: str, history: Sequence[PastTurn] = ()) -> QueryClasses:
    """Return what kind of query *query* is after the turns of *history*.

    A short reply to what the assistant asked back is never small talk.
    """
    model = _model()
    found = features(query)
    scores = {name: model.score(at, found) for at, name in enumerate(CLASSES)}
    replies = bool(history) and history[-1].answer.rstrip().endswith(("?", "？"))
    if replies and len(query.split()) <= _REPLIES:
        scores["small_talk"] = 0.0
    return QueryClasses(scores=scores, no_clear_intent=not replies and _is_unclear(query, scores))


def features(query: str) -> dict[int, float]:
    """Return the features of *query* by number."""
    text = query[:_READ].lower().replace("’", "'")
    tokens = ["0" if token.isdecimal() else token for token in _TOKEN.findall(text)]
    if len(tokens) > _HEAD + _TAIL:
        tokens = tokens[:_HEAD] + tokens[-_TAIL:]
    padded = ["^", *tokens, "$"]
    grams = {
        *tokens,
        *map(" ".join, itertools.pairwise(padded)),
        *map(" _ ".join, zip(padded, padded[2:], strict=False)),
    }
    value = 1 / math.sqrt(len(grams))
    found = dict[int, float]()
    for gram in grams:
        at = zlib.crc32(gram.encode()) % HASHED
        found[at] = found.get(at, 0.0) + value
    shape = _shape(text, tokens)
    found.update((HASHED + at, one) for at, one in enumerate(shape) if one)
    first = HASHED + len(shape)
    found.update(
        (first + at, 1.0) for at, pattern in enumerate(_cues().values()) if pattern.search(text)
    )
    return found


def size() -> int:
    """Return how many features there are."""
    return HASHED + len(_shape("", [])) + len(_cues())


def _shape(text: str, tokens: list[str]) -> list[float]:
    """Return how long the query is, how much of it tells, and how it asks."""
    count = len(tokens) or 1
    weights = [
        content_terms.weight(term) for term in content_terms.of_words(filter(str.isalpha, tokens))
    ]
    return [
        min(count, 60) / 60,
        min(count, 400) / 400,
        len(weights) / count,
        min(sum(weights), 60) / 60,
        max(weights, default=0.0) / 8,
        float("?" in text),
        sum(token in _YOU for token in tokens) / count,
        float(bool(tokens) and tokens[0] in _ASKS),
        float(count <= 3),
        float(text.count("\n") > 3),
    ]


def _is_unclear(query: str, scores: Mapping[str, float]) -> bool:
    """Tell whether there is nothing in *query* that one could look for."""
    found = words.words(query)
    if not any(character.isalnum() for word in found for character in word):
        return True
    if _MASHED.search(query.lower()) and len(found) <= 2:
        return True
    return scores["small_talk"] >= THRESHOLDS["small_talk"] and not content_terms.of(query)


class Model(msgspec.Struct, frozen=True):
    """The weights of the classifiers."""

    scales: list[float]
    biases: list[float]
    weights: list[memoryview]

    def score(self, at: int, found: Mapping[int, float]) -> float:
        """Return the score of class *at* for the features *found*."""
        weights = self.weights[at]
        linear = sum(weights[number] * value for number, value in found.items())
        linear = self.biases[at] + self.scales[at] * linear
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, linear))))


def read_model(data: bytes) -> Model:
    """Return the classifiers whose weights are *data*."""
    head, count = struct.calcsize("<2f"), len(CLASSES)
    pairs = [struct.unpack_from("<2f", data, at * head) for at in range(count)]
    body, each = memoryview(data)[count * head :].cast("b"), size()
    return Model(
        scales=[scale for scale, _ in pairs],
        biases=[bias for _, bias in pairs],
        weights=[body[at * each : (at + 1) * each] for at in range(count)],
    )


@functools.cache
def _model() -> Model:
    """Read ``query_classes.bin``."""
    file = importlib.resources.files("service.answering.pipeline").joinpath("query_classes.bin")
    return read_model(file.read_bytes())


@functools.cache
def _cues() -> dict[str, re.Pattern[str]]:
    """Read ``cues.txt``."""
    file = importlib.resources.files("service.answering.pipeline").joinpath("cues.txt")
    pairs = (line.split("\t") for line in file.read_text("utf-8").splitlines() if line[:1] != "#")
    return {name: re.compile(pattern, re.IGNORECASE) for name, pattern in pairs}
