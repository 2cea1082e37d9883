"""Read a word that the documents do not have as one that they have, where it looks misspelt.

Whatever one slip makes of a word is stemmed and looked up in the index, so that nothing is kept
beside it and a word can be meant as soon as it can be found. Two slips, and a missing space, are
looked for among the ordinary words of English only: all that two slips make would be too many.
What a slip costs is how unlikely it is; what costs too much is another word, or a name.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Protocol

from service.language import (
    detection,
    function_words,
    index_terms,
    ordinary_words,
    tags,
    word_vectors,
)
from service.language.queries import chat_spellings, sounds

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
_HEARD: Final = 0.5
"""A sound written otherwise: "vacashun"."""
_FIRST: Final = 1.0
"""What each slip costs, and what one in the first letter of a long word costs besides: nobody has
an "iphone" who means a phone."""
_MOST: Final = 1.35
_MOST_OF_LONG: Final = 1.9
"""What two slips in a word may cost, and in one of eight letters and more: from 1.4 on "heroku" is
read as "hero", from 2 on "spotify" as "specify"."""
_LONGER: Final = 8
_SHORT: Final = 5
"""In a word of so few letters no letter stands for just any other: "slick" is no "stick"."""
_OF_FOUR: Final = 0.65
"""In a shorter one letters are swapped, doubled or missing only: "siri" is no "sir"."""
_SURE: Final = 0.6
"""What a slip of an ordinary word costs at most that the store lacks as well; from .7 on "tinder"
is read as "tender"."""
_LONG_ENOUGH: Final = 6
"""Letters of a word that is read as one that the store lacks as well."""
_FREQUENT: Final = 0.15
_ORDINARY: Final = 0.8
_READ: Final = 4_000
"""Characters of a query that are looked at."""
_SHORTEST_PART: Final = 3
"""Letters of a word that was written together with another, if it is no function word."""

_CORRECTED: Final = 4
"""Words of a query that are read otherwise than written, at most: each new one takes 3 ms."""
_PLAIN_WORD: Final = re.compile(
    r"(?<![\w.@/'’-])[A-Za-z]{4,24}(?![\w@/'’-]|\.\w)"
    r"|(?<=[A-Za-z]-)[a-z]{5,24}(?![\w@/'’-]|\.\w)|(?<![\w.@/'’-])[a-z]{5,24}(?=-[a-z]{3,24}\b)"
)
"""A word that may be misspelt: no part of a name, an address or a number; of two that a hyphen
joins either."""

Frequencies = Callable[[Sequence[str]], Sequence[int]]
"""Return how many chunks have each of some terms, asked for at once."""


class Vocabulary(Protocol):
    """The words that a store has."""

    @property
    def languages(self) -> Sequence[str]:
        """The languages of the documents, the commonest first."""
        ...

    def knows(self, variants: tuple[str, ...], /) -> bool:
        """Tell whether any chunk has a term, or the headings above it, or its title."""
        ...

    def correct(self, word: str, language: str, name: bool, /) -> str:
        """Return what a word means that the store does not know, "" where nothing is near."""
        ...


def corrected(query: str, store: Vocabulary) -> tuple[str, dict[str, str]]:
    """Return *query* as *store* spells it, and what was written by what is read.

    Words that the store knows, and those that everybody knows, are never corrected.
    """
    query = query[:_READ]
    if store.languages:
        # First, since a few words in a hurry look like another language: "wat is a key".
        query = chat_spellings.written_out(query, store.languages[0])
    language = detection.detect(query, store.languages[0] if store.languages else "en")
    if tags.base(language) not in {tags.base(each) for each in store.languages}:
        return query, {}
    query, slips = _with_spaces(query, language, store)
    tried = 0
    # Of other languages few words are known as ordinary, and those of the table are no slips.
    english = tags.base(language) == "en"

    def read(match: re.Match[str]) -> str:
        nonlocal tried
        word = match[0].lower()
        if tried >= _CORRECTED or ordinary_words.is_ordinary(word, language):
            return match[0]
        if not english and word_vectors.vector(word) is not None:
            return match[0]
        if query[: match.start()].rpartition(" ")[2].startswith("-"):
            return match[0]  # an option of a command: "--keep-x"
        if match[0][1:] not in (word[1:], word[1:].upper()):
            return match[0]  # capitals within a word make a name: an iPhone is no phone
        variants = {stem for each in store.languages for stem in index_terms.of(word, each)}
        if not variants or store.knows(tuple(sorted(variants))):
            return match[0]
        tried += 1
        meant = store.correct(word, language, _may_be_name(match))
        if not meant:
            return match[0]
        slips.update(dict.fromkeys(meant.split(), word))
        return meant

    return _PLAIN_WORD.sub(read, query), slips


def _with_spaces(query: str, language: str, store: Vocabulary) -> tuple[str, dict[str, str]]:
    """Return *query* with words cut that a store has with a hyphen only, and what was cut."""
    parted: dict[str, str] = {}

    def read(match: re.Match[str]) -> str:
        apart = _hyphened(match[0].lower(), language, store)
        parted.update(dict.fromkeys(apart.split(), match[0].lower()))
        return apart or match[0]

    return _PLAIN_WORD.sub(read, query), parted


def _hyphened(word: str, language: str, store: Vocabulary) -> str:
    """Return *word* as a store spells it that has it with a hyphen only: "anti virus", else ""."""
    found = _PREFIXED.fullmatch(word)
    if found is None or not ordinary_words.is_ordinary(found[2], language):
        return ""
    whole, *parts = (tuple(index_terms.of(one, language)) for one in (word, found[1], found[2]))
    if not all(parts) or store.knows(whole) or not all(map(store.knows, parts)):
        return ""
    return f"{found[1]} {found[2]}"


_PREFIXED: Final = re.compile(r"(anti|inter|micro|multi|non|semi)(\w{4,})")
"""A word that some write with a hyphen: "re" and "auto" stand in texts that do not."""


def _may_be_name(word: re.Match[str]) -> bool:
    """Tell whether a *word* of a query has a capital that no sentence begins with."""
    before = word.string[: word.start()].rstrip(" \"'“„«(")
    if not word[0][0].isupper() or not before or before[-1] in ".!?:;\n":
        return False
    return not before.isupper()


def correct(word: str, language: str, frequencies: Frequencies, *, name: bool = False) -> str:
    """Return what *word*, in lower case, is likely to mean, "" where nothing is near.

    That is one word, or two that were written together. What may be a *name* means no ordinary
    word. The caller asks only for words that neither the documents nor the *language* know.
    """
    if not (SHORTEST <= len(word) <= _LONGEST and word.isascii() and word.isalpha()):
        return ""
    most = _OF_FOUR if len(word) < _SHORT else _OTHER if len(word) == _SHORT else math.inf
    found = {slip: cost for slip, cost in _slips(word) if len(slip) > 2 and cost < most}
    best = _likeliest(found, language, frequencies)
    if name:
        return "" if ordinary_words.is_ordinary(best, language) else best
    return (
        best
        or _apart(word, language, frequencies)
        or _twice(word, language, frequencies)
        or _ordinary(word, language)
    )


def resembled(word: str, language: str) -> str:
    """Return the ordinary word that *word*, in lower case, looks like a slip of, "" without any."""
    if not (SHORTEST <= len(word) <= _LONGEST and word.isascii() and word.isalpha()):
        return ""
    costs = {other: _cost(word, other) for other in ordinary_words.like(word, language)}
    best = min(costs, key=lambda other: costs[other], default="")
    return best if best and costs[best] <= _MOST else ""


def _ordinary(word: str, language: str) -> str:
    """Return the ordinary word that *word* is a plain slip of, whether the store has it or not."""
    if len(word) < _LONG_ENOUGH:
        return ""
    slips = {
        slip: cost
        for slip, cost in _slips(word)
        if cost <= _SURE and ordinary_words.is_ordinary(slip, language)
    }
    return min(slips, key=lambda slip: slips[slip], default="")


def _twice(word: str, language: str, frequencies: Frequencies) -> str:
    """Return the ordinary word that two slips make *word* of, "" without any."""
    if len(word) < _LONG:
        return ""
    most = _MOST_OF_LONG if len(word) >= _LONGER else _MOST
    near = {
        other: cost
        for other in ordinary_words.like(word, language)
        if (cost := _cost(word, other)) <= most
    }
    return _likeliest(near, language, frequencies)


def _apart(word: str, language: str, frequencies: Frequencies) -> str:
    """Return the two words that *word* was written together of, "" where it was not."""
    empty = function_words.of(language)

    stems = dict[str, str]()
    for at in range(1, len(word)):
        one, other = word[:at], word[at:]
        # One of the two is a function word: else two words that happen to fit are a compound.
        if (one in empty and len(one) > 1) or one == "a":
            part = other
        elif other in empty and len(other) > 1:
            part = one
        else:
            continue
        if len(part) >= _SHORTEST_PART and ordinary_words.is_ordinary(part, language):
            stems[f"{one} {other}"] = next(iter(index_terms.of(part, language)), "")
    counts = dict(zip(stems, frequencies(list(stems.values())), strict=True))
    best = max(counts, key=lambda words: counts[words], default="")
    return best if best and counts[best] else ""


def _likeliest(costs: dict[str, float], language: str, frequencies: Frequencies) -> str:
    """Return the word of *costs* that is cheapest, ordinary and frequent, "" without any."""
    best, least = "", math.inf
    # All at once, a word each: they are plain letters, so none is cut or left out.
    stems = index_terms.of(" ".join(costs), language)
    counts = frequencies(stems)
    for (word, cost), count in zip(costs.items(), counts, strict=True):
        if not count:
            continue
        ordinary = ordinary_words.is_ordinary(word, language)
        loss = cost - _FREQUENT * math.log(count) - _ORDINARY * ordinary
        if loss < least:
            best, least = word, loss
    return best


def _slips(word: str) -> Iterator[tuple[str, float]]:
    """Yield what one slip makes of *word*, with what it costs; the cheaper ones last."""
    for spelled in sounds.respelled(word):
        yield spelled, _HEARD
    whole = len(word) < _LONGER  # its first letter is right
    for at in range(whole, len(word) + 1):
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
