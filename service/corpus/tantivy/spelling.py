"""Read a word that the documents do not have as one that they have, where it looks misspelt.

Whatever one slip makes of a word is stemmed and looked up in the index, so that nothing is kept
beside it and a word can be meant as soon as it can be found. Of long words two slips are tried,
against the ordinary words of English only: all that two slips make would be too many.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Final

from service.language import index_terms, ordinary_words

SHORTEST: Final = 4
"""Letters of a word that is corrected: one slip makes anything of a shorter one."""
_LONGEST: Final = 24
_LONG: Final = 8
"""Letters from which on two slips are looked for."""
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_NEIGHBOURS: Final = {
    letter: row[max(0, at - 1) : at] + row[at + 1 : at + 2]
    for row in ("qwertyuiop", "asdfghjkl", "zxcvbnm")
    for at, letter in enumerate(row)
}
_SWAPPED: Final = 0.5
_MISSING: Final = 0.6
_ADDED: Final = 0.7
_BESIDE: Final = 0.8
_OTHER: Final = 1.2
_FIRST: Final = 1.0
"""What each slip costs, and what one in the first letter costs besides."""
_FREQUENT: Final = 0.15
_ORDINARY: Final = 0.8

Frequency = Callable[[str], int]


def correct(word: str, language: str, frequency: Frequency) -> str:
    """Return what *word*, in lower case, is likely to mean, "" where nothing is near.

    *frequency* tells how many chunks have a term. The caller asks only for words that neither the
    documents nor the *language* know.
    """
    if not (SHORTEST <= len(word) <= _LONGEST and word.isascii() and word.isalpha()):
        return ""
    found = {slip: cost for slip, cost in _slips(word) if len(slip) > 2}
    if best := _likeliest(found, language, frequency):
        return best
    if len(word) < _LONG:
        return ""
    letters = frozenset(word)
    near = {
        other: 2.0
        for other in ordinary_words.beginning_with(word[:2], language)
        # Few are left to measure, which takes fifty times as long as to look at their letters.
        if abs(len(other) - len(word)) <= 2
        and len(letters.difference(other)) <= 2
        and len(frozenset(other).difference(letters)) <= 2
        and _distance(word, other) == 2
    }
    return _likeliest(near, language, frequency)


def _likeliest(costs: dict[str, float], language: str, frequency: Frequency) -> str:
    """Return the word of *costs* that is cheapest, ordinary and frequent, "" without any."""
    best, least = "", math.inf
    # All at once, a word each: they are plain letters, so none is cut or left out.
    stems = index_terms.of(" ".join(costs), language)
    for (word, cost), stem in zip(costs.items(), stems, strict=True):
        count = frequency(stem)
        if not count:
            continue
        ordinary = ordinary_words.is_ordinary(word, language)
        loss = cost - _FREQUENT * math.log(count) - _ORDINARY * ordinary
        if loss < least:
            best, least = word, loss
    return best


def _slips(word: str) -> Iterator[tuple[str, float]]:
    """Yield what one slip makes of *word*, with what it costs; the cheaper ones last."""
    for at in range(len(word) + 1):
        before, after = word[:at], word[at:]
        first = 0.0 if at else _FIRST
        if after:
            near = _NEIGHBOURS.get(after[0], "")
            for letter in _LETTERS:
                yield (
                    before + letter + after[1:],
                    first + (_BESIDE if letter in near else _OTHER),
                )
        for letter in _LETTERS:
            yield before + letter + after, first + _MISSING
        if after:
            yield before + after[1:], first + _ADDED
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:], _SWAPPED


def _distance(one: str, other: str) -> int:
    """Return how many slips lie between two words; swapped neighbours are one."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        new = [at]
        for to, beside in enumerate(other, 1):
            least = min(row[to] + 1, new[to - 1] + 1, row[to - 1] + (letter != beside))
            swapped = at > 1 < to and letter == other[to - 2] and beside == one[at - 2]
            new.append(min(least, before[to - 2] + 1) if swapped else least)
        before, row = row, new
    return row[-1]
