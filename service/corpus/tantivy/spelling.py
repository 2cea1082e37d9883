"""Read a word that the documents do not have as one that they have, where it looks misspelt.

Whatever one slip makes of a word is stemmed and looked up in the index, so that nothing is kept
beside it and a word can be meant as soon as it can be found. Two slips, and a missing space, are
looked for among the ordinary words of English only: all that two slips make would be too many.
What a slip costs is how unlikely it is; what costs too much is another word, or a name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Final

from service.language import function_words, index_terms, ordinary_words

SHORTEST: Final = 4
"""Letters of a word that is corrected: one slip makes anything of a shorter one."""
_LONGEST: Final = 24
_LONG: Final = 5
"""Letters from which on two slips are looked for."""
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_ROWS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_NEIGHBOURS: Final = {
    letter: frozenset(
        key
        for beside in _ROWS[max(0, up - 1) : up + 2]
        for key in beside[max(0, at - 1) : at + 2]
        if key != letter
    )
    for up, row in enumerate(_ROWS)
    for at, letter in enumerate(row)
}
"""The keys around each on a keyboard."""
_ALIKE: Final = frozenset(
    pair for pairs in ("aeiouy", "ckq", "csz", "gj", "vw", "dt", "bp", "mn", "lr")
    for pair in ((one, other) for one in pairs for other in pairs if one != other)
)  # fmt: skip
"""Letters that are taken for each other by ear."""
_SWAPPED: Final = 0.5
_DOUBLED: Final = 0.4
"""A letter once instead of twice, or twice instead of once."""
_MISSING: Final = 0.6
_ADDED: Final = 0.7
_BESIDE: Final = 0.8
_SOUNDS: Final = 0.7
_OTHER: Final = 1.2
_FIRST: Final = 1.0
"""What each slip costs, and what one in the first letter costs besides."""
_MOST: Final = 1.35
_MOST_OF_LONG: Final = 1.9
"""What two slips in a word may cost, and in one of eight letters and more: from 1.4 on "heroku" is
read as "hero", from 2 on "spotify" as "specify"."""
_LONGER: Final = 8
_SHORT: Final = 5
"""In a word of so few letters no letter stands for just any other: "uber" is no "user"."""
_FREQUENT: Final = 0.15
_ORDINARY: Final = 0.8
_SHORTEST_PART: Final = 3
"""Letters of a word that was written together with another, if it is no function word."""

Frequency = Callable[[str], int]


def correct(word: str, language: str, frequency: Frequency, *, name: bool = False) -> str:
    """Return what *word*, in lower case, is likely to mean, "" where nothing is near.

    That is one word, or two that were written together. *frequency* tells how many chunks have a
    term. What may be a *name* means no ordinary word. The caller asks only for words that neither
    the documents nor the *language* know.
    """
    if not (SHORTEST <= len(word) <= _LONGEST and word.isascii() and word.isalpha()):
        return ""
    most = _OTHER if len(word) <= _SHORT else _OTHER + _FIRST + 1
    found = {slip: cost for slip, cost in _slips(word) if len(slip) > 2 and cost < most}
    best = _likeliest(found, language, frequency)
    if name:
        return "" if ordinary_words.is_ordinary(best, language) else best
    return best or _apart(word, language, frequency) or _twice(word, language, frequency)


def _twice(word: str, language: str, frequency: Frequency) -> str:
    """Return the ordinary word that two slips make *word* of, "" without any."""
    if len(word) < _LONG:
        return ""
    most = _MOST_OF_LONG if len(word) >= _LONGER else _MOST
    near = {
        other: cost
        for other in ordinary_words.like(word, language)
        if (cost := _cost(word, other)) <= most
    }
    return _likeliest(near, language, frequency)


def _apart(word: str, language: str, frequency: Frequency) -> str:
    """Return the two words that *word* was written together of, "" where it was not."""
    empty = function_words.of(language)

    def there(part: str) -> int:
        if len(part) < _SHORTEST_PART or not ordinary_words.is_ordinary(part, language):
            return 0
        return frequency(next(iter(index_terms.of(part, language)), ""))

    best, most = "", 0
    for at in range(1, len(word)):
        one, other = word[:at], word[at:]
        # One of the two is a function word: else two words that happen to fit are a compound.
        if (one in empty and len(one) > 1) or one == "a":
            count = there(other)
        elif other in empty and len(other) > 1:
            count = there(one)
        else:
            continue
        if count > most:
            best, most = f"{one} {other}", count
    return best


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
            for letter in _LETTERS:
                yield before + letter + after[1:], first + _exchanged(after[0], letter)
        for letter in _LETTERS:
            doubled = letter in (before[-1:], after[:1])
            yield before + letter + after, (_DOUBLED if doubled else first + _MISSING)
        if after:
            doubled = after[0] in (before[-1:], after[1:2])
            yield before + after[1:], (_DOUBLED if doubled else first + _ADDED)
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:], _SWAPPED


def _exchanged(written: str, meant: str) -> float:
    """Return what it costs to write one letter for another."""
    if (written, meant) in _ALIKE:
        return _SOUNDS
    return _BESIDE if meant in _NEIGHBOURS[written] else _OTHER


def _cost(word: str, meant: str) -> float:
    """Return what the slips cost that make *word* of what is *meant*."""
    before: list[float] = []
    row = [_MISSING * at for at in range(len(meant) + 1)]
    for at, letter in enumerate(word, 1):
        last = word[at - 2 : at - 1]
        new = [_ADDED * at]
        for to, beside in enumerate(meant, 1):
            added = row[to] + (_DOUBLED if letter == last else _ADDED)
            missing = new[to - 1] + (_DOUBLED if beside == meant[to - 2 : to - 1] else _MISSING)
            same = row[to - 1] + (0.0 if letter == beside else _exchanged(letter, beside))
            least = min(added, missing, same)
            if at > 1 < to and letter == meant[to - 2] and beside == last:
                least = min(least, before[to - 2] + _SWAPPED)
            new.append(least)
        before, row = row, new
    return row[-1]
