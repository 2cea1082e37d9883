"""Check related questions by asking them, so that nobody is offered one that gets no answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Final

from service.answering.pipeline import skipping
from service.answering.pipeline.retrieving import Retrieved
from service.answering.related import related_questions
from service.answering.related.related_questions import MOST, SUGGESTED, RelatedQuestion
from service.corpus.index import Chunk, Hit
from service.language import content_terms, detection, index_terms, tags
from service.query_readings import QueryReading
from sessions.errors import ServiceError
from sessions.resources import answer_query

_log = logging.getLogger(__name__)
_PATIENCE: Final = 0.4
"""Seconds for all of them: the text has been told, and its last element waits for this."""

_TELLING: Final = 0.35
"""The weight from which on a word of the query says what it is about."""
_TOPICS: Final = {
    "en": "frequently asked questions getting started overview introduction",
    "es": "preguntas frecuentes primeros pasos introducción información general",
    "fr": "questions fréquentes premiers pas introduction présentation générale",
    "de": "häufige Fragen erste Schritte Einführung Überblick",
    "it": "domande frequenti primi passi introduzione panoramica",
    "pt": "perguntas frequentes primeiros passos introdução visão geral",
    "zh": "常见问题 入门 简介 概述",
    "nl": "veelgestelde vragen aan de slag inleiding overzicht",
}
"""What pages are called that tell beginners what a portal is about."""

Section = tuple[str, tuple[str, ...]]
"""A document and the headings above a part of it."""


def section(chunk: Chunk) -> Section:
    """Return which section *chunk* is part of."""
    return chunk.document, chunk.headings


async def offered(
    request: answer_query.AnswerQueryRequest,
    query: str,
    retrieved: Retrieved,
    find: Callable[[str], Awaitable[Retrieved]],
    reading: QueryReading | None,
    told: Sequence[Hit] = (),
) -> tuple[str, ...]:
    """Return what else the portal answers, beside *query* and what was *told*, where asked for.

    It is about what *query* is about by its *reading*, or stands beside what was *told*.
    """
    if not (request.related_questions_spec and request.related_questions_spec.enable):
        return ()
    places = {section(hit.chunk) for hit in told}

    def is_near(question: str, chunk: Chunk) -> bool:
        place = section(chunk)
        return any(_beside(place, one) for one in places) or _shares_a_topic(question, reading)

    chunks = [hit.chunk for hit in retrieved.hits]
    suggested = related_questions.suggestions(query, chunks, is_near)
    return await answered(suggested, find, {section(hit.chunk) for hit in told})


def _beside(one: Section, other: Section) -> bool:
    """Tell whether two sections lie in one, or one of them in the other: a book has many topics."""
    shared = 0
    for above, beside in zip(one[1], other[1], strict=False):
        if above != beside:
            break
        shared += 1
    return one[0] == other[0] and shared >= max(len(one[1]), len(other[1])) - 1


async def offered_instead(
    request: answer_query.AnswerQueryRequest,
    query: str,
    retrieved: Retrieved,
    find: Callable[[str], Awaitable[Retrieved]],
    reading: QueryReading,
    find_topics: Callable[[str], Awaitable[Retrieved]],
    language: str,
) -> tuple[str, ...]:
    """Return what the portal answers instead of *query*, which it refuses, where asked for.

    What is near the query, else what the portal is about: its questions for beginners, which
    *find_topics* retrieves as for any query.
    """
    if not (request.related_questions_spec and request.related_questions_spec.enable):
        return ()
    near = related_questions.suggestions(
        query,
        [hit.chunk for hit in retrieved.hits],
        lambda question, _: _shares_a_topic(question, reading),
    )
    if found := await answered(near, find, ()):
        return found
    topics = _TOPICS.get(tags.base(language), _TOPICS["en"])
    for wanted in dict.fromkeys((topics, _TOPICS["en"])):
        best = await _found(find_topics, wanted)
        topical = [hit.chunk for hit in best.hits if _is_called(hit.chunk, wanted)] if best else []
        suggested = related_questions.suggestions(wanted, topical)
        if found := await answered(suggested, find, ()):
            return found
    return ()


def _is_called(chunk: Chunk, words: str) -> bool:
    """Tell whether the title of *chunk*, or a heading above it, has one of *words*."""
    above = " ".join((chunk.title, *chunk.headings))
    language = detection.detect(words)
    return not set(content_terms.of(words, language)).isdisjoint(content_terms.of(above, language))


def _shares_a_topic(question: str, reading: QueryReading | None) -> bool:
    """Tell whether *question* has a telling word of the query that has this *reading*."""
    if reading is None:
        return False
    stems = set(index_terms.of(question, detection.detect(question)))
    telling = (word for word in reading.words if word.known and word.weight >= _TELLING)
    return any(not stems.isdisjoint(word.readings) for word in telling)


async def answered(
    suggestions: Sequence[RelatedQuestion],
    ask: Callable[[str], Awaitable[Retrieved]],
    told: Collection[Section],
) -> tuple[str, ...]:
    """Return the first of *suggestions* that are answered, and by other sections than *told*.

    *ask* retrieves for a question as for any query. What is not answered in time is left out.
    """
    found = dict[int, Section]()

    async def check(at: int, suggestion: RelatedQuestion) -> None:
        retrieved = await _found(ask, suggestion.question)
        if retrieved and retrieved.hits and skipping.is_relevant(retrieved):
            best = retrieved.hits[0].chunk
            part = (suggestion.question,) if suggestion.within else ()
            is_told = section(best) in told and not part
            if best.document == suggestion.chunk.document and not is_told:
                found[at] = (best.document, best.headings + part)

    try:
        async with asyncio.timeout(_PATIENCE), asyncio.TaskGroup() as tasks:
            for at, suggestion in enumerate(suggestions[:SUGGESTED]):
                tasks.create_task(check(at, suggestion), name=f"related-{at}")
    except TimeoutError:
        pass  # those that are checked are enough
    return _distinct(suggestions, found)


async def _found(ask: Callable[[str], Awaitable[Retrieved]], question: str) -> Retrieved | None:
    """Return what is found for *question*; without that it is a suggestion less."""
    try:
        return await ask(question)
    except ServiceError:
        return None
    except Exception:  # noqa: BLE001 - the answer has been told, and does not fail for this
        _log.exception("related_check_failed")
        return None


def _distinct(suggestions: Sequence[RelatedQuestion], found: dict[int, Section]) -> tuple[str, ...]:
    """Return the questions of *found* whose answers are in different sections."""
    taken, known = list[str](), set[Section]()
    for at in sorted(found):
        if found[at] not in known:
            known.add(found[at])
            taken.append(suggestions[at].question)
    return tuple(taken[:MOST])
