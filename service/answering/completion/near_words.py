"""Find the words that begin with about what was typed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

_AFTER: Final = "\U0010ffff"
"""Sorts behind every character of a word."""
_LONG: Final = 8
_SHORTEST: Final = 4


def slips(typed: str) -> int:
    """Return how many slips a word of this length may have: from 4 letters on one, from 8 on two.

    In a shorter one, one slip makes anything of anything. In scripts whose words are a few
    characters a slip is another word.
    """
    if not typed.isalpha() or any(c >= "\u2e80" for c in typed):
        return 0
    return 0 if len(typed) < _SHORTEST else 1 if len(typed) < _LONG else 2


def beginning(words: Sequence[str], typed: str) -> range:
    """Return the places in the sorted *words* of those that begin with *typed*."""
    return range(bisect_left(words, typed), bisect_left(words, typed + _AFTER))


def near(words: Sequence[str], typed: str, most: int) -> Iterator[tuple[int, int]]:
    """Yield the places in the sorted *words* that begin with about *typed*, each with its slips.

    A slip is a letter too many, missing, another, or swapped with the next (optimal string
    alignment); there are *most* at most. Words share their beginnings, so that the table of one is
    gone on with for the next: O(words with about such a beginning), not O(words).
    """
    width = len(typed) + 1
    rows: list[list[int]] = [list(range(width))]
    at, before = 0, ""
    while at < len(words):
        word = words[at]
        shared = min(_shared(before, word), len(rows) - 1)
        del rows[shared + 1 :]
        before = word
        end = at + 1
        for depth in range(shared, len(word)):
            row = _row(rows, typed, word, depth)
            rows.append(row)
            if row[-1] <= most:
                # All that begin so; how they go on adds no slip.
                end = bisect_left(words, word[: depth + 1] + _AFTER, at)
                yield from ((place, row[-1]) for place in range(at, end))
                break
            if min(row) > most:
                end = bisect_left(words, word[: depth + 1] + _AFTER, at)
                break
        at = end


def _row(rows: Sequence[list[int]], typed: str, word: str, depth: int) -> list[int]:
    """Return the distances of ``word[: depth + 1]`` to each beginning of *typed*."""
    above, letter = rows[depth], word[depth]
    row = [depth + 1]
    for at, other in enumerate(typed):
        cost = min(above[at + 1] + 1, row[at] + 1, above[at] + (letter != other))
        if depth and at and letter == typed[at - 1] and word[depth - 1] == other:
            cost = min(cost, rows[depth - 1][at - 1] + 1)
        row.append(cost)
    return row


def _shared(one: str, other: str) -> int:
    """Return how many characters two words begin with alike."""
    most = min(len(one), len(other))
    return next((at for at in range(most) if one[at] != other[at]), most)
