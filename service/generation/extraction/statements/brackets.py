"""Tell which of several brackets an amount of the query falls in: "over 5 days", "1 to 2 weeks".

A list or a table often gives one answer for each of several ranges of time, money or things. Who
asks names one amount, and that of its range is the answer, whatever words the others share with
the query.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from typing import Final, NamedTuple

_READ: Final = 300
"""Characters of a statement in which its condition stands."""
_BEFORE: Final = 16
"""Characters before an amount that bound it, and behind: "no more than", "or older"."""
_WORDS: Final = {
    word: float(at)
    for at, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve".split(), start=1
    )
} | {"a": 1.0, "an": 1.0, "half a": 0.5}
_HOURS: Final = {
    "second": 1 / 3600,
    "minute": 1 / 60,
    "hour": 1.0,
    "day": 24.0,
    "night": 24.0,
    "week": 168.0,
    "month": 730.0,
    "year": 8760.0,
}
_AMOUNT: Final = re.compile(
    r"(?<![\w.,])(?P<sign>[$€£¥])? ?"
    r"(?:(?P<number>\d{1,9}(?:,\d{3}){0,3}(?:\.\d{1,4})?)(?P<kilo>k\b)?"
    rf"|\b(?P<word>{'|'.join(sorted(_WORDS, key=len, reverse=True))})\b"
    rf"(?=[ -](?:{'|'.join(_HOURS)})))"
    r"(?:[ -]?(?P<unit>%|[a-z]{3,20})\b)?",
    re.IGNORECASE,
)
_UP_TO: Final = re.compile(
    r"\b(?:less|fewer|shorter|smaller|lower) than |\b(?:up to|under|below|until|within|maximum of) "
    r"|\b(?:at most|no more than|not more than) ",
    re.IGNORECASE,
)
_FROM: Final = re.compile(
    r"\b(?:at least|minimum of|from|starting at|no less than) ", re.IGNORECASE
)
_OVER: Final = re.compile(
    r"\b(?:more|greater|longer|larger|higher|older) than |\b(?:over|above|after|beyond) ",
    re.IGNORECASE,
)
_AND_UP: Final = re.compile(r"\W{0,2}(?:or|and) (?:more|older|over|above|longer|up)\b|\+")
_TO: Final = re.compile(r"\s*(?:-|–|—|to|and)\s*")


class _Range(NamedTuple):
    """What lies above *low* and up to *high*, of one dimension."""

    low: float
    high: float
    dimension: str


def fit(query: str, statement: str) -> float:
    """Return 1 where *statement* is of an amount of *query*, -0.5 where of another one, or 0."""
    asked = amounts(query)
    if not asked:
        return 0.0
    told = _bracket(statement[:_READ])
    if told is None:
        return 0.0
    same = [amount for amount, dimension in asked if dimension == told.dimension]
    if not same:
        return 0.0
    return 1.0 if any(told.low < amount <= told.high for amount in same) else -0.5


@functools.lru_cache(maxsize=256)
def amounts(query: str) -> tuple[tuple[float, str], ...]:
    """Return the amounts that *query* names, each with its dimension; a bare number is none."""
    found = map(_read, _AMOUNT.finditer(query[:_READ]))
    return tuple((amount, dimension) for amount, dimension in found if dimension)


def _bracket(text: str) -> _Range | None:
    """Return the range that *text* begins with, None where it says nothing of that in numbers."""
    first, second, third = (*itertools.islice(_AMOUNT.finditer(text), 3), None, None, None)[:3]
    if first is None or second is None:
        return None
    amount, dimension = _read(first)
    if _TO.fullmatch(text, _end(first), second.start()):
        last, of = _read(second)
        if of and not dimension:  # "1 - 2 weeks"
            amount, dimension = amount * _HOURS.get(_unit(second), 1.0), of
        ranges = of == dimension and third is not None
        return _Range(math.nextafter(amount, -math.inf), last, dimension) if ranges else None
    before = text[max(first.start() - _BEFORE, 0) : first.start()] + " "
    if _UP_TO.search(before):
        return _Range(-math.inf, amount, dimension)
    if _OVER.search(before):
        return _Range(amount, math.inf, dimension)
    if _FROM.search(before) or _AND_UP.match(text, first.end()):
        return _Range(math.nextafter(amount, -math.inf), math.inf, dimension)
    return _Range(math.nextafter(amount, -math.inf), amount, dimension)


def _end(found: re.Match[str]) -> int:
    """Return where an amount ends, without the word behind it that is no unit: "5 to 10"."""
    return found.end() if _dimension(found) else found.end("number")


def _read(found: re.Match[str]) -> tuple[float, str]:
    """Return an amount in the unit of its dimension, and the dimension."""
    number = found["number"]
    value = float(number.replace(",", "")) if number else _WORDS[found["word"].lower()]
    value *= 1000 if found["kilo"] else 1
    return value * _HOURS.get(_unit(found), 1.0), _dimension(found)


def _dimension(found: re.Match[str]) -> str:
    unit = _unit(found)
    if found["sign"] or found["kilo"]:
        return "money"
    if unit in _HOURS:
        return "time"
    return "" if unit in _NO_UNITS else unit


def _unit(found: re.Match[str]) -> str:
    return (found["unit"] or "").lower().removesuffix("s")


_NO_UNITS: Final = frozenset("and but for from not per the with".split())
"""Words behind a number that count nothing."""
