"""Tell what documents and operators suggest, and what operators deny."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from service.answering.completion.suggestion_table import Suggestion, SuggestionTable
from service.corpus.document_access import UNRESTRICTED, Viewer
from service.corpus.index import DocumentIndex, ListedDocument, SearchScope
from service.corpus.storage.suggestion_lists import SuggestionList, SuggestionLists
from service.language.queries import phrases
from service.thread_pools import ThreadPool
from sessions.resources.suggestions import CompletionSuggestion, MatchOperator

_FRESH: Final = 1.0
"""Seconds for which nobody looks again at what operators say."""
_STORES: Final = 32
_SCORED: Final = 1_000_000.0
"""What a score of 1 is worth: operators come before visitors."""


class Denied(NamedTuple):
    """A phrase that is not suggested, folded: the whole text, or any part of it."""

    phrase: str
    is_whole: bool


class Listed(NamedTuple):
    """What is suggested of one data store to somebody, and what is denied there."""

    documents: SuggestionTable
    titles: SuggestionTable
    operator: SuggestionTable
    denied: Sequence[Denied]
    is_whole: bool
    """Whether all of its documents are suggested: to whom some are hidden, nothing may be said of
    what others asked, who see more."""


class _State:
    def __init__(self) -> None:
        self.index: object = None
        self.documents = SuggestionTable(())
        self.titles = SuggestionTable(())
        self.looked = 0.0
        self.list = SuggestionList()
        self.operator = SuggestionTable(())
        self.denied: Sequence[Denied] = ()
        self.lock = asyncio.Lock()


class ListedSuggestions:
    """The suggestions of all data stores that do not come from visitors."""

    def __init__(self, index: DocumentIndex, lists: SuggestionLists, pool: ThreadPool) -> None:
        self._index = index
        self._lists = lists
        self._pool = pool
        self._stores: OrderedDict[str, _State] = OrderedDict()

    async def of(self, data_store: str, viewer: Viewer) -> Listed:
        """Return what is suggested of *data_store* to *viewer*.

        Raises:
            Unavailable: the index is not there (yet).
        """
        state = self._stores.setdefault(data_store, _State())
        self._stores.move_to_end(data_store)
        while len(self._stores) > _STORES:
            self._stores.popitem(last=False)
        async with state.lock:
            # Asked before the documents: what changes meanwhile is looked at with the next query.
            if (now := self._index.state(data_store)) != state.index:
                # Of all documents once, and not for each viewer: `SuggestionTable.within` is below.
                scope = SearchScope(data_stores=(data_store,), viewer=UNRESTRICTED)
                listed = await self._index.list_documents(scope)
                found = await self._pool.run(_of_documents, listed, data_store)
                state.documents, state.titles = found
                state.index = now
            if time.monotonic() - state.looked >= _FRESH:
                await self._refresh(data_store, state)
        sees = await self._index.sight((data_store,), viewer)
        documents, titles = state.documents.within(sees), state.titles.within(sees)
        return Listed(documents, titles, state.operator, state.denied, sees is None)

    async def _refresh(self, data_store: str, state: _State) -> None:
        found = await self._lists.read(data_store)
        if found.suggestions != state.list.suggestions:
            state.operator = await self._pool.run(_of_operator, found.suggestions, data_store)
        state.denied = [
            Denied(
                phrases.folded(each.block_phrase),
                each.match_operator is MatchOperator.EXACT_MATCH,
            )
            for each in found.denied
        ]
        state.list = found
        state.looked = time.monotonic()


def is_denied(text: str, denied: Sequence[Denied]) -> bool:
    """Tell whether *text* may not be suggested."""
    shown = phrases.folded(text)
    return any(shown == one.phrase if one.is_whole else one.phrase in shown for one in denied)


def _of_documents(
    listed: Sequence[ListedDocument], data_store: str
) -> tuple[SuggestionTable, SuggestionTable]:
    """Return titles with the questions of documents, and the titles alone."""
    given = [
        Suggestion(
            text=text,
            data_stores=(data_store,),
            document=each.document,
            uri=each.uri,
            is_title=not at,
        )
        for each in listed
        for at, text in enumerate((each.title, *each.questions))
        if text
    ]
    titles = [each for each in given if each.is_title]
    table = SuggestionTable(given)
    return table, table if len(titles) == len(given) else SuggestionTable(titles)


def _of_operator(given: Iterable[CompletionSuggestion], data_store: str) -> SuggestionTable:
    return SuggestionTable(
        Suggestion(
            text=each.suggestion,
            worth=_SCORED * each.global_score
            if each.global_score is not None
            else float(each.frequency or 0),
            data_stores=(data_store,),
            language=each.language_code,
            group=each.group_id,
            alternatives=each.alternative_phrases,
        )
        for each in given
    )
