"""Read a query in the words of pages that are in another language."""

from __future__ import annotations

from typing import NamedTuple

from service.language import question_kinds
from service.language.queries import foreign_words
from service.language.question_kinds import QuestionKind
from service.query_readings import QueryReading


class TranslatedQuery(NamedTuple):
    """What a query asks, in the words of the pages."""

    kind: QuestionKind
    topic: str
    text: str


def translate(query: str, language: str, reading: QueryReading) -> TranslatedQuery:
    """Return *query*, which is in *language*, as *reading* knows its words."""
    kind, topic = question_kinds.read(query, language)
    return TranslatedQuery(kind, _words(topic, language, reading), _words(query, language, reading))


def _words(text: str, language: str, reading: QueryReading) -> str:
    """Return the words of *text* that the pages have, each by the nearest one there."""
    known = dict[str, list[str]]()
    for word in reading.words:
        if word.known:
            known.setdefault(word.text, []).append(word.readings[0])
    keys = map(foreign_words.key, foreign_words.of(text, language, known))
    return " ".join(dict.fromkeys(word for key in keys for word in known.get(key, ())))
