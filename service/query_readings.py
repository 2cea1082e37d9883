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
    """A query as it is read: *text* is spelled as the documents spell it; *words* carry it.

    *language* is that of the readings where no documents are in the language of the query, and ""
    where some are.
    *query* is what was asked.
    """

    text: str
    query: str = ""
    words: tuple[QueryWord, ...] = ()
    language: str = ""

    def spelled(self, text: str) -> str:
        """Return *text* with the query in it, where it is, spelled as the documents spell it."""
        query = self.query.rstrip()
        return text.replace(query, self.text.rstrip(), 1) if query else text
