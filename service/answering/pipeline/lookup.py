"""Look a query up: word it so that it stands alone, and find what may answer it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeVar

from service.answering.pipeline import rephrasing, retrieving
from service.answering.pipeline.retrieving import Retrieved
from service.answering.query_classes import classifiers
from service.answering.query_classes.classifiers import QueryClasses
from service.answering.requests.queries import PipelineRequest
from service.answering.retrieval import overviews, references
from service.corpus.index import DataStoreNames, Index, SearchScope
from service.generation.extraction.statements import makers
from service.generation.generator import PastTurn, Rewriter
from service.language import detection
from service.language.queries import defaults, limits, whole_questions
from service.language.queries.whole_questions import WholeQuestion
from service.query_readings import QueryReading
from service.thread_pools import ThreadPools
from sessions.resources import answer_query, answers

_LONG: Final = 1_500
"""Characters of queries that take some milliseconds to read."""
_EXPLAINING: Final = 6
"""Documents that are told of before the entries of a reference which hide them."""
_STEP: Final = "Rephrase the query and search."
_T = TypeVar("_T")


class Wording(NamedTuple):
    """The words in which a query is looked up."""

    searched: str
    context: Sequence[PastTurn]
    """The earlier turns in whose light it is searched, oldest first."""

    asked: str
    """What the answer is for: the query as it was sent, but for a default that it asks for in other
    words (see `defaults`), or as a model rewrote it."""

    standalone: str
    """What is asked, in words that need no earlier turn."""


class Lookup:
    """Words queries and retrieves for them; a follow-up is rewritten where a model does that."""

    def __init__(
        self, index: Index, stores: DataStoreNames, pools: ThreadPools, rewriter: Rewriter | None
    ) -> None:
        self._index = index
        self._stores = stores
        self._pools = pools
        self._rewriter = rewriter

    async def read(
        self, read: Callable[[str, Sequence[PastTurn]], _T], query: str, past: Sequence[PastTurn]
    ) -> _T:
        """Return what *read* makes of *query* after *past*, beside the event loop where long."""
        if len(query) + sum(len(turn.query) for turn in past) <= _LONG:
            return read(query, past)
        return await self._pools.reading.run(read, query, past)

    async def word(
        self,
        request: answer_query.AnswerQueryRequest,
        query: str,
        understood: QueryClasses,
        history: Sequence[PastTurn],
    ) -> Wording:
        """Return in which words *query* is looked up after *history*."""
        query = defaults.spelled_out(query)
        # Who only greets asks nothing that the earlier turns could complete.
        is_talk = understood.small_talk or understood.no_clear_intent or understood.talk
        context = history if _rephrases(request) and (understood.takes_up or not is_talk) else ()
        rewritten = await self._rewriter(query, context) if self._rewriter and context else ""
        if rewritten:
            return Wording(rewritten, (), rewritten, rewritten)
        # With the query as it was sent: the index weighs the earlier turns itself, and finds less
        # where it is given the rephrased query.
        whole = whole_questions.after_turns(query, [turn.query for turn in context])
        if whole.was_part:
            return Wording(whole.text, () if whole.exchanges else context, query, whole.text)
        goes_on = understood.takes_up and understood.talk
        searched = classifiers.taken_up(history) if goes_on else query
        standalone = await self.read(rephrasing.rephrase, query, context)
        return Wording(searched, context, query, standalone)

    async def data_stores(self, pipeline_request: PipelineRequest) -> Sequence[str]:
        """Return the data stores that the request searches, or raise `NotFound`."""
        return await self._stores.data_stores(pipeline_request.parent)

    async def retrieve(
        self, pipeline_request: PipelineRequest, data_stores: Sequence[str], wording: Wording
    ) -> Retrieved:
        """Return what *data_stores* have for *wording*, and for each question of several.

        What introduces the subject of all of them comes first where just that is asked.
        """
        retrieved = await retrieving.retrieve(
            self._index, pipeline_request, wording.searched, data_stores, wording.context
        )
        retrieved = await self._with_parts(pipeline_request, data_stores, wording, retrieved)
        spec = pipeline_request.request.search_spec
        given = spec is not None and spec.search_result_list is not None
        if given or not retrieved.hits or wording.context:
            return retrieved
        if overviews.asks_what_is(wording.searched):
            retrieved = await self._named_in_full(
                pipeline_request, data_stores, wording, retrieved
            ) or await self._introduced(pipeline_request, data_stores, wording, retrieved)
        elif makers.asks_for_one(wording.searched):
            named = await retrieving.among_all(
                self._index,
                pipeline_request,
                wording.searched,
                data_stores,
                lambda one: makers.names_one(one.text, wording.searched),
            )
            retrieved = retrieving.joined(named, retrieved)
        if not references.hide(retrieved.hits, wording.searched):
            return retrieved
        wanted = functools.partial(references.explains, query=wording.searched)
        explaining = await retrieving.among_all(
            self._index, pipeline_request, wording.searched, data_stores, wanted, _EXPLAINING
        )
        return retrieving.joined(explaining, retrieved)

    async def _with_parts(
        self,
        pipeline_request: PipelineRequest,
        data_stores: Sequence[str],
        wording: Wording,
        retrieved: Retrieved,
    ) -> Retrieved:
        """Return *retrieved* with the best that each part of a query of several finds.

        A limit that is asked for is looked for by the words of pages that tell one, too.
        """
        of_parts = list[Retrieved]()
        context = list(wording.context)
        if limit := limits.asked_for(wording.searched):
            of_parts.append(
                await retrieving.retrieve(
                    self._index, pipeline_request, limit, data_stores, wording.context
                )
            )
        for part in self._parts(wording.searched):
            of_parts.append(
                await retrieving.retrieve(
                    self._index, pipeline_request, part.text, data_stores, context
                )
            )
            context.append(PastTurn(part.text, ""))
        if not of_parts:
            return retrieved
        return retrieving.with_best(pipeline_request, retrieved, of_parts)

    async def _named_in_full(
        self,
        pipeline_request: PipelineRequest,
        data_stores: Sequence[str],
        wording: Wording,
        retrieved: Retrieved,
    ) -> Retrieved | None:
        """Return *retrieved* behind what a page says that asks the same by a longer name.

        None where there is no longer name, or no such page.
        """
        texts = (text for hit in retrieved.hits for text in (hit.chunk.title, hit.chunk.text))
        if not (query := overviews.in_full(wording.searched, texts)):
            return None
        found = await retrieving.retrieve(self._index, pipeline_request, query, data_stores)
        asked = any(
            overviews.asks((hit.chunk.title, *hit.chunk.headings), query) for hit in found.hits
        )
        return retrieving.joined(found, retrieved) if asked else None

    async def _introduced(
        self,
        pipeline_request: PipelineRequest,
        data_stores: Sequence[str],
        wording: Wording,
        retrieved: Retrieved,
    ) -> Retrieved:
        """Return *retrieved* behind what introduces, or defines, what *wording* asks for."""
        searched = wording.searched
        reading = await self.reading(pipeline_request, data_stores, searched)
        headings = {one for hit in retrieved.hits for one in hit.chunk.headings}
        if not (query := overviews.overview_query(searched, reading, headings)):
            # Where a word stands everywhere, what defines it is found no sooner than other pages.
            wanted = functools.partial(overviews.defines, query=searched)
            enough = overviews.asks(headings, searched) and _is_among(retrieved, wanted)
            found = retrieved
        else:
            # It may stand on a page that is called otherwise, among many that have the name too.
            wanted = functools.partial(overviews.introduces, query=searched)
            introducing = await retrieving.retrieve(
                self._index, pipeline_request, query, data_stores
            )
            found = retrieving.joined(introducing, retrieved)
            enough = _is_among(found, wanted)
        if enough:
            return found
        defining = await retrieving.among_all(
            self._index, pipeline_request, searched, data_stores, lambda one: wanted(one.text)
        )
        return retrieving.joined(defining, found)

    def _parts(self, query: str) -> Sequence[WholeQuestion]:
        """Return the questions of *query*, none where it has but one."""
        found = whole_questions.questions(query, detection.detect(query))
        return found if len(found) > 1 else ()

    async def with_sections(
        self, pipeline_request: PipelineRequest, retrieved: Retrieved, wording: Wording
    ) -> Retrieved:
        """Return *retrieved* with what goes on with the sections of its hits."""
        return await retrieving.with_sections(
            self._index, pipeline_request, retrieved, wording.context
        )

    async def reading(
        self, pipeline_request: PipelineRequest, data_stores: Sequence[str], query: str
    ) -> QueryReading:
        """Return how *query* is read in what may be seen of *data_stores*."""
        scope = SearchScope(data_stores=tuple(data_stores), viewer=pipeline_request.viewer)
        return await self._index.read_query(query, scope)

    async def find(
        self, pipeline_request: PipelineRequest, data_stores: Sequence[str], query: str
    ) -> Retrieved:
        """Retrieve for *query* the best of what the query of *pipeline_request* searches."""
        narrow = retrieving.narrowed(pipeline_request)
        return await retrieving.retrieve(self._index, narrow, query, data_stores)

    async def find_topics(
        self, pipeline_request: PipelineRequest, data_stores: Sequence[str], query: str
    ) -> Retrieved:
        """Retrieve for *query* as for the query of *pipeline_request*."""
        return await retrieving.retrieve(self._index, pipeline_request, query, data_stores)


def _is_among(found: Retrieved, wanted: Callable[[str], bool]) -> bool:
    return any(wanted(hit.chunk.text) for hit in found.hits)


def _rephrases(request: answer_query.AnswerQueryRequest) -> bool:
    """Tell whether the earlier turns may change what is searched for."""
    spec = request.query_understanding_spec
    rephraser = spec.query_rephraser_spec if spec else None
    return rephraser is None or not rephraser.disable


def lookup_step(
    state: answers.StepState, query: str, results: tuple[answers.SearchResult, ...] = ()
) -> answers.Step:
    """Return the step in which *query* is looked up, as far as it has come."""
    action = answers.Action(
        search_action=answers.SearchAction(query=query),
        observation=answers.Observation(search_results=results) if results else None,
    )
    return answers.Step(state=state, description=_STEP, actions=(action,))
