"""How the words of a query are read in what is searched: what finding knows, and saying uses."""

from __future__ import annotations

import msgspec


class QueryWord(msgspec.Struct, frozen=True, kw_only=True):
    """One word of a query, as it is read.

    *readings* are the words that it is searched as: itself, or as the documents spell it, and what
    means the same. *weight* is how telling it is there, from 0 where it is everywhere to 1 where it
    is in hardly a chunk. *known* tells whether anything searched has one of the readings.
    """

    text: str
    readings: tuple[str, ...]
    weight: float
    known: bool


class QueryReading(msgspec.Struct, frozen=True, kw_only=True):
    """A query as it is read: *text* is spelled as the documents spell it; *words* carry it."""

    text: str
    words: tuple[QueryWord, ...] = ()
