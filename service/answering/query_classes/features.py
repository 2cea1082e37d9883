"""What a query is classified by: features by number, each with its value.

The words of a query, pairs of them and pieces of them, hashed; its shape; the cues of ``cues.txt``;
and, for small talk, how much of it no small talk ever said. A changed feature, cue or list of
function words wants the weights trained anew (`understanding` says how).
"""

from __future__ import annotations

import functools
import importlib.resources
import itertools
import math
import re
import zlib
from collections.abc import Iterable
from typing import Final

from service.language import content_terms

_HASHED: Final = 1 << 13
"""Features of hashed words and pairs of words."""
_PIECES: Final = 1 << 15
"""Features of hashed pieces of words: there are more of them than of words."""
_PIECE_SIZES: Final = (3, 4, 5)
_BLOOM: Final = 1 << 15
"""Bits of a vocabulary: of the words that it lacks, 1 in 15 seems to be in it."""
_TOKEN: Final = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+|[^\W\d_]+|[^\w\s]")
_WORD: Final = re.compile(r"[\u3040-\u9fff]|[^\W\d_\u3040-\u9fff]+(?:'[a-z]+)?")
_PIECED: Final = re.compile(r"[^\W_]+(?:'[a-z]+)?")
_HEAD: Final = 250
_TAIL: Final = 150
"""Tokens of a long query that are looked at: an attack begins or ends what is pasted around it."""
_READ: Final = 6_000
"""Characters that are cut into tokens at all."""
_SEARCHED_HEAD: Final = 2_000
_SEARCHED_TAIL: Final = 1_000
"""Characters of a long query that are searched for cues, and whose words are cut into pieces."""
_ASKS: Final = frozenset(
    "how what when where who why which can do is does are could should would will".split()
)
_YOU: Final = frozenset(("you", "your", "yourself", "u", "ya", "you're", "yours"))
_LENGTHS: Final = (1, 2, 3, 4, 5, 7, 10, 15)
"""Where small talk of one length ends: the shortest is told apart word by word."""
_SHAPE: Final = 10
_TALK: Final = 2 * (len(_LENGTHS) + 1) + 5
"""Features of small talk alone: the classes of attacks are told worse with them."""


def features(query: str) -> dict[int, float]:
    """Return the features of *query* by number."""
    text, ends = _plain(query[:_READ]), _plain(_ends(query))
    tokens = ["0" if token.isdecimal() else token for token in _TOKEN.findall(text)]
    if len(tokens) > _HEAD + _TAIL:
        tokens = tokens[:_HEAD] + tokens[-_TAIL:]
    padded = ["^", *tokens, "$"]
    pairs = map(" ".join, itertools.pairwise(padded))
    apart = map(" _ ".join, zip(padded, padded[2:], strict=False))
    found = _hashed({*tokens, *pairs, *apart}, _HASHED, 0)
    first = _HASHED
    found.update((first + at, one) for at, one in enumerate(_shape(text, tokens)) if one)
    first += _SHAPE
    found.update(
        (first + at, 1.0) for at, pattern in enumerate(_cues().values()) if pattern.search(ends)
    )
    first += len(_cues())
    found.update(_hashed(_pieces(ends), _PIECES, first))
    return found


def talk_features(query: str, vocabulary: memoryview | bytes) -> dict[int, float]:
    """Return what tells small talk besides, by number: *vocabulary* has the words of such."""
    found = words(query)
    strange = sum(not knows(vocabulary, word) for word in found)
    length = next((at for at, most in enumerate(_LENGTHS) if len(found) <= most), len(_LENGTHS))
    own = _HASHED + _SHAPE + len(_cues()) + _PIECES
    telling = {length: 1.0, len(_LENGTHS) + 1 + length: float("?" in query)}
    last = 2 * (len(_LENGTHS) + 1)
    if strange:
        telling |= {last: min(strange, 4) / 4, last + 1: 1.0, last + 2: strange / len(found)}
    telling[last + 3] = float(not strange)
    telling[last + 4] = float(strange > 1)
    return {own + at: value for at, value in telling.items() if value}


def size() -> int:
    """Return how many features there are."""
    return _HASHED + _SHAPE + len(_cues()) + _PIECES + _TALK


def words(query: str) -> set[str]:
    """Return the words of *query* in lower case; each Chinese character is one."""
    return set(_WORD.findall(_plain(query[:_READ])))


def vocabulary(of: Iterable[str]) -> bytes:
    """Return the words *of* a vocabulary as bits, which `knows` looks them up in."""
    bits = bytearray(vocabulary_size())
    for word in of:
        at = zlib.crc32(word.encode()) % _BLOOM
        bits[at >> 3] |= 1 << (at & 7)
    return bytes(bits)


def vocabulary_size() -> int:
    """Return how many bytes a vocabulary takes."""
    return _BLOOM >> 3


def knows(vocabulary: memoryview | bytes, word: str) -> bool:
    """Tell whether *vocabulary* has *word*; seldom of a word that it lacks, too."""
    at = zlib.crc32(word.encode()) % _BLOOM
    return bool(vocabulary[at >> 3] >> (at & 7) & 1)


def _hashed(grams: set[str], count: int, first: int) -> dict[int, float]:
    """Return *grams* as *count* features from number *first* on, of length 1 together."""
    found = dict[int, float]()
    value = 1 / math.sqrt(len(grams) or 1)
    for gram in grams:
        at = first + zlib.crc32(gram.encode()) % count
        found[at] = found.get(at, 0.0) + value
    return found


def _ends(query: str) -> str:
    """Return *query*, a long one without its middle."""
    if len(query) <= _SEARCHED_HEAD + _SEARCHED_TAIL:
        return query
    return f"{query[:_SEARCHED_HEAD]} {query[-_SEARCHED_TAIL:]}"


def _plain(text: str) -> str:
    """Return *text* in lower case and with the plain apostrophe."""
    return text.lower().replace("’", "'")


def _pieces(text: str) -> set[str]:
    """Return the pieces of the words of *text*: what is misspelt or inflected has most of them."""
    found = set[str]()
    for word in set(_PIECED.findall(text)):
        edged = f"^{word[:100]}$"
        for size in _PIECE_SIZES:
            found.update(edged[at : at + size] for at in range(len(edged) - size + 1))
    return found


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


@functools.cache
def _cues() -> dict[str, re.Pattern[str]]:
    """Read ``cues.txt``."""
    file = importlib.resources.files("service.answering.query_classes").joinpath("cues.txt")
    pairs = (line.split("\t") for line in file.read_text("utf-8").splitlines() if line[:1] != "#")
    return {name: re.compile(pattern, re.IGNORECASE) for name, pattern in pairs}
