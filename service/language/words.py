"""Cut text into words, for finding and saying alike."""

from __future__ import annotations

import re
from typing import Final

_SPACELESS: Final = (
    "\u0e00-\u0e7f\u0e80-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff"
)
"""Thai, Lao, Khmer, Japanese and Chinese; Korean too, whose particles stick to the words."""
_WORD: Final = re.compile(
    rf"\d++(?:[.,:]\d+)*+(?![^\W\d_{_SPACELESS}])|[{_SPACELESS}]+"
    rf"|(?:(?![{_SPACELESS}])[^\W_])+(?:['’](?:(?![{_SPACELESS}])[^\W\d_])+)*"
)
_SPACED_WORD: Final = re.compile(r"\d++(?:[.,:]\d+)*+(?![^\W\d_])|[^\W_]+(?:['’][^\W\d_]+)*")
_ASCII_WORD: Final = re.compile(r"[0-9]++(?:[.,:][0-9]+)*+(?![A-Za-z])|[A-Za-z0-9]+(?:'[A-Za-z]+)*")
_SPACELESS_RUN: Final = re.compile(f"[{_SPACELESS}]+")


def words(text: str) -> list[str]:
    """Return the words of *text* as written; a run of a spaceless script as pairs of characters.

    A number is one word with its separators, and so is a word with its apostrophes.
    """
    if text.isascii():
        return _ASCII_WORD.findall(text)
    if not _SPACELESS_RUN.search(text):
        return _SPACED_WORD.findall(text)
    found = list[str]()
    for word in _WORD.findall(text):
        found.extend(_pairs(word) if _SPACELESS_RUN.match(word) else (word,))
    return found


def spaced(text: str) -> str:
    """Return *text* with spaces around the pairs that stand for words in spaceless scripts."""
    if text.isascii():
        return text
    return _SPACELESS_RUN.sub(lambda run: f" {' '.join(_pairs(run[0]))} ", text)


def _pairs(run: str) -> list[str]:
    """Return the overlapping pairs of the characters of *run*, or the only one."""
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]
