"""Count text in tokens, and cut it into them, without the tokenizer of any model.

A token is a word, a number, a mark, or one character of a script without spaces, with the white
space before it: the tokens of a text joined are the text. Models cut long words further, so that
theirs are a quarter more in English.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import Final

_SPACELESS: Final = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TOKEN: Final = re.compile(
    rf"\s*(?:[{_SPACELESS}]|[^\W{_SPACELESS}]+|[^\w\s])|\s+(?=\Z)", re.DOTALL
)


def cut(text: str) -> list[str]:
    """Return the tokens of *text* in order."""
    return _TOKEN.findall(text)


def count(text: str) -> int:
    """Return how many tokens *text* has."""
    return sum(1 for _ in _TOKEN.finditer(text))


def ends(text: str) -> Iterator[int]:
    """Yield where each token of *text* ends, in characters."""
    return (found.end() for found in _TOKEN.finditer(text))


def number(token: str) -> int:
    """Return the id of *token*: a hash, the same everywhere."""
    return zlib.crc32(token.encode())


def billable(text: str) -> int:
    """Return how many characters of *text* are no white space."""
    return sum(map(len, text.split()))
