"""Check related questions by asking them, so that nobody is offered one that gets no answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Final

from service.answering.pipeline import related_questions, skipping
from service.answering.pipeline.related_questions import MOST, SUGGESTED, RelatedQuestion
from service.answering.pipeline.retrieving import Retrieved
from service.corpus.index import Chunk, Hit
from sessions.errors import ServiceError
from sessions.resources import answer_query

_PATIENCE: Final = 0.4
"""Seconds for all of them: the text has been told, and its last element waits for this."""

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
    told: Sequence[Hit] = (),
) -> tuple[str, ...]:
    """Return what else the portal answers, beside *query* and what was *told*, where asked for."""
    if not (request.related_questions_spec and request.related_questions_spec.enable):
        return ()
    suggested = related_questions.suggestions(query, [hit.chunk for hit in retrieved.hits])
    return await answered(suggested, find, {section(hit.chunk) for hit in told})


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
        try:
            retrieved = await ask(suggestion.question)
        except ServiceError:
            return  # a suggestion less
        if skipping.is_relevant(retrieved) and retrieved.hits:
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


def _distinct(suggestions: Sequence[RelatedQuestion], found: dict[int, Section]) -> tuple[str, ...]:
    """Return the questions of *found* whose answers are in different sections."""
    taken, known = list[str](), set[Section]()
    for at in sorted(found):
        if found[at] not in known:
            known.add(found[at])
            taken.append(suggestions[at].question)
    return tuple(taken[:MOST])
