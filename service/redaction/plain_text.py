"""A text as detectors read it, and where each of its characters stands in the original."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Sequence
from typing import Final, NamedTuple

_ESCAPES: Final = {"%40": "@", "%2b": "+", "%2d": "-", "%20": " "}
"""What addresses of pages have in the place of characters that detectors look for."""
_DROPPED: Final = frozenset({"Cf", "Me"})
"""Categories that are not seen, or only around others: soft hyphens, joiners, keycaps."""
_UNSEEN: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufe0e\ufe0f")
"""Characters of other categories that nobody sees."""


class PlainText(NamedTuple):
    """What is to be read; *places* are start and end of each character, None where none moved."""

    text: str
    places: Sequence[tuple[int, int]] | None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where ``text[start:end]`` stands in the original."""
        if self.places is None:
            return start, end
        return self.places[start][0], self.places[end - 1][1]


def read(original: str) -> PlainText:
    """Return *original* with one form of each digit, space, dash, ``@`` and letter.

    What cannot be seen is left out, so that it separates nothing.
    """
    if original.isascii() and "%" not in original:
        return PlainText(original, None)
    made: list[str] = []
    places: list[tuple[int, int]] = []
    at = 0
    while at < len(original):
        char, end = original[at], at + 1
        if char == "%" and (escaped := _ESCAPES.get(original[at : at + 3].lower())):
            char, end = escaped, at + 3
        elif char > "\x7f":
            char = _plain(char)
        if char:
            made.append(char)
            places.append((at, end))
        at = end
    return PlainText("".join(made), places)


@functools.lru_cache(4_096)
def _plain(char: str) -> str:
    category = unicodedata.category(char)
    if category in _DROPPED or char in _UNSEEN:
        return ""
    if category == "Nd":
        return str(unicodedata.decimal(char))
    if category == "Pd" or char == "\u2212":
        return "-"
    if category == "Zs":
        return " "
    # Domains are written with it as well (RFC 3490, section 3.1).
    if char in "\u3002\uff61":
        return "."
    folded = unicodedata.normalize("NFKC", char)
    return folded if len(folded) == 1 else char
