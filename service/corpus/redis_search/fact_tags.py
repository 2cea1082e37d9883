"""Say what a filter may ask of a document in tags, and filters in queries for these tags.

A tag is a digest, so that no value is ever read as a query. A number has a tag for each of the
`_LEVELS` in which its digits are cut, from itself to all numbers that begin alike: a range of any
numbers is then a few hundred tags at most, and a field needs no place in a schema.
"""

from __future__ import annotations

import datetime as dt
import math
import struct
import zlib
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from service.corpus import document_filters
from service.corpus.document_filters import (
    And,
    Compare,
    Facts,
    Filter,
    In,
    Not,
    OneOf,
    Or,
    ReadableBy,
)
from service.corpus.redis_search.encoded_terms import tag

FIELD: Final = "facts"
"""The field of an entry that has the tags."""
EVERY: Final = "e"
"""A tag that each entry has."""
FIRST: Final = "f"
"""A tag that the first chunk of each document has."""
_NONE: Final = "n"
"""A tag that no entry has."""
_SAMPLE: Final = "s"
_RAREST_SAMPLE: Final = 24

_TEXT: Final = "v"
_NUMBER: Final = "d"
_TIME: Final = "m"
_READERS: Final = "r"
_RESTRICTIONS: Final = "c"
_LANGUAGE: Final = "l"

_LEVELS: Final = 16
"""Cuts of four bits in a number of 64: with longer ones a range would be thousands of tags."""
_LAST: Final = 2**64 - 1
_EPOCH: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MICROSECOND: Final = dt.timedelta(microseconds=1)


def of(facts: Facts, language: str) -> list[str]:
    """Return the tags of a document with *facts* that is in *language*."""
    found = [EVERY, of_language(language)]
    found += _of_value("id", facts.id)
    found += _of_value("uri", facts.uri)
    for path, value in _leaves(facts.struct_data, ()):
        # Nothing in the data can take the place of what every document has.
        if path not in ("id", "uri"):
            found += _of_value(path, value)
    found.append(tag(_RESTRICTIONS, str(len(facts.readers))))
    for at, identities in enumerate(facts.readers):
        found += [tag(_READERS, str(at), each) for each in identities]
    return list(dict.fromkeys(found))


def of_language(language: str) -> str:
    """Return the tag of documents in *language*."""
    return tag(_LANGUAGE, language)


def of_samples(key: bytes) -> list[str]:
    """Return the tags of the samples that what has this *key* is in, see `in_sample`."""
    chance = zlib.crc32(key) | 1 << _RAREST_SAMPLE
    halved = (chance & -chance).bit_length() - 1
    return [f"{_SAMPLE}{at}" for at in range(1, halved + 1)]


def in_sample(halved: int) -> str:
    """Return the query for a sample of all, which was *halved* so many times."""
    return any_of([f"{_SAMPLE}{min(halved, _RAREST_SAMPLE)}" if halved else EVERY])


def query(condition: Filter, restrictions: int) -> str:
    """Return the query for the entries of documents that *condition* matches.

    No document has more than so many *restrictions* of its readers.
    """
    match condition:
        case And(terms):
            return _joined(" ", [query(term, restrictions) for term in terms], EVERY)
        case Or(terms):
            return _joined(" | ", [query(term, restrictions) for term in terms], _NONE)
        case Not(term):
            # Beside what all have: what stands alone cannot be negated everywhere.
            return f"({any_of([EVERY])} -{query(term, restrictions)})"
        case ReadableBy(identities):
            return _readable(sorted(identities), restrictions)
        case OneOf(field=field, literals=literals):
            return any_of([tag(_TEXT, field, each) for each in sorted(literals)])
        case In(field=field, low=low, high=high, low_open=low_open, high_open=high_open):
            first, last = _number(low) + low_open, _number(high) - high_open
            return any_of(_range(_NUMBER, field, first, last))
        case Compare(field=field, op=op, value=value):
            if isinstance(value, dt.datetime):
                return any_of(_range(_TIME, field, *_bounds(op, _time(value), 0, _LAST)))
            least, most = _number(-math.inf), _number(math.inf)
            return any_of(_range(_NUMBER, field, *_bounds(op, _number(value), least, most)))


def any_of(tags: list[str]) -> str:
    """Return the query for the entries that have one of *tags*."""
    return f"@{FIELD}:{{{'|'.join(tags or [_NONE])}}}"


def _joined(by: str, queries: list[str], otherwise: str) -> str:
    return f"({by.join(queries)})" if queries else any_of([otherwise])


def _readable(identities: list[str], restrictions: int) -> str:
    ways: list[str] = []
    for count in range(1, restrictions + 1):
        each = [any_of([tag(_RESTRICTIONS, str(count))])]
        each += [any_of([tag(_READERS, str(at), one) for one in identities]) for at in range(count)]
        ways.append(_joined(" ", each, _NONE))
    return _joined(" | ", ways, _NONE)


def _of_value(field: str, value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield tag(_TEXT, field, value)
        if (moment := document_filters.moment(value)) is not None:
            yield from _levels(_TIME, field, _time(moment))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from _levels(_NUMBER, field, _number(value))


def _leaves(value: object, path: tuple[str, ...]) -> Iterator[tuple[str, object]]:
    """Yield what is not made of other values, with the path that a filter names it by."""
    if isinstance(value, list | tuple):
        for element in cast("list[object]", value):
            yield from _leaves(element, path)
    elif isinstance(value, Mapping):
        for key, inner in cast("Mapping[str, Any]", value).items():
            if "." not in key:  # or it would be taken for a path
                yield from _leaves(inner, (*path, key))
    elif path:
        yield ".".join(path), value


def _bounds(op: str, value: int, least: int, most: int) -> tuple[int, int]:
    match op:
        case "=":
            return value, value
        case "<":
            return least, value - 1
        case "<=":
            return least, value
        case ">":
            return value + 1, most
        case _:
            return value, most


def _number(value: float) -> int:
    """Return a place of 64 bits for *value*, in the order of numbers."""
    try:
        packed = struct.pack(">d", float(value) + 0.0)  # which makes one zero of two
    except OverflowError:
        packed = struct.pack(">d", math.inf if value > 0 else -math.inf)
    bits = int.from_bytes(packed, "big")
    return _LAST - bits if bits >> 63 else bits | 1 << 63


def _time(moment: dt.datetime) -> int:
    return (moment - _EPOCH) // _MICROSECOND + (1 << 63)


def _levels(kind: str, field: str, place: int) -> Iterator[str]:
    for level in range(_LEVELS):
        yield _block(kind, field, level, place >> 4 * level)


def _block(kind: str, field: str, level: int, begins: int) -> str:
    return tag(kind, field, f"{level}:{begins:x}")


def _range(kind: str, field: str, first: int, last: int) -> list[str]:
    """Return the fewest tags that cover the places *first* to *last*."""
    found: list[str] = []
    level = 0
    while first <= last:
        if level == _LEVELS - 1:
            found += [_block(kind, field, level, at) for at in range(first, last + 1)]
            break
        while first & 15 and first <= last:
            found.append(_block(kind, field, level, first))
            first += 1
        while last & 15 != 15 and first <= last:
            found.append(_block(kind, field, level, last))
            last -= 1
        first, last, level = first >> 4, last >> 4, level + 1
    return found
