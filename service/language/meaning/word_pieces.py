"""Cut texts into words, and words into the pieces of which it is known what they mean."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from itertools import islice
from typing import Final

UNKNOWN: Final = 0
"""The number of what is made of no known pieces."""
INNER: Final = "##"
"""Begins a piece that does not begin a word."""
_LONGEST: Final = 40
"""Characters of a word that are read: what is longer is no word."""
_WORD: Final = re.compile(r"[^\W_]+|[^\w\s]|_")


def words(text: str, most: int) -> list[str]:
    """Return the first *most* words of *text*, in lower case and without accents.

    A sign of punctuation is a word of its own.
    """
    lowered = text.lower()
    if not lowered.isascii():
        parts = unicodedata.normalize("NFD", lowered)
        lowered = "".join(one for one in parts if unicodedata.category(one) != "Mn")
    return [found[0] for found in islice(_WORD.finditer(lowered), most)]


def cut(word: str, numbers: Mapping[str, int]) -> list[int]:
    """Return the *numbers* of the pieces of *word*, the longest first from left to right."""
    found = list[int]()
    at, end = 0, min(len(word), _LONGEST)
    while at < end:
        before = INNER if at else ""
        for stop in range(end, at, -1):
            if (number := numbers.get(before + word[at:stop])) is not None:
                found.append(number)
                at = stop
                break
        else:
            at += 1
    return found or [UNKNOWN]
