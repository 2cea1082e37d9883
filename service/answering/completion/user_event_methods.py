"""Take, import and purge user events.

Events are kept for their data store and never shown again; the searches among them are learnt from
by completion, as what many people searched.
"""

from __future__ import annotations

import datetime as dt
import functools
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from service.answering.requests import user_events as user_event_checks
from service.answering.requests.user_events import ADD_FEEDBACK
from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.operations.running_operation import Job, TellProgress
from service.corpus.storage.document_store import DocumentStore
from service.corpus.storage.query_history import QueryHistory
from service.corpus.storage.user_event_store import UserEventStore, packed
from service.language.queries import phrases
from sessions import names
from sessions.errors import FailedPrecondition, InvalidArgument, ServiceError, Unimplemented
from sessions.listing import filters
from sessions.listing.filters import FilterField, Value
from sessions.resources.operations import Status
from sessions.resources.user_events import (
    EventsMetadata,
    Feedback,
    ImportUserEventsRequest,
    ImportUserEventsResponse,
    PurgeUserEventsRequest,
    PurgeUserEventsResponse,
    UserEvent,
)
from sessions.stores.store_set import SessionStore

MOST_IMPORTED: Final = 10_000
"""Events of one import, as the public API recommends."""
_SAMPLES: Final = 100
_SEARCH: Final = "search"
_FIELDS: Final[Mapping[str, FilterField[UserEvent]]] = {
    "event_type": FilterField(Value.TEXT, lambda event: event.event_type),
    "event_time": FilterField(Value.TIME, lambda event: event.event_time),
    "user_pseudo_id": FilterField(Value.TEXT, lambda event: event.user_pseudo_id),
    "user_id": FilterField(
        Value.TEXT, lambda event: event.user_info.user_id if event.user_info else ""
    ),
}
"""What a purge may ask of events."""
_AND: Final = re.compile(r'((?:<=|>=|!=|=|<|>)\s*"(?:[^"\\]|\\.)*")\s+(?=\w+\s*[<>=!])')
"""Where two conditions of a purge stand beside each other, which is an AND there."""


class UserEventMethods:
    """The methods of user events; each begins by refusing what cannot be meant."""

    def __init__(
        self,
        events: UserEventStore,
        asked: QueryHistory,
        catalogue: Catalogue,
        documents: DocumentStore,
        sessions: SessionStore,
        count_feedback: Callable[[Feedback], None],
    ) -> None:
        """*count_feedback* is called with each feedback that is taken."""
        self._events = events
        self._asked = asked
        self._catalogue = catalogue
        self._documents = documents
        self._sessions = sessions
        self._count_feedback = count_feedback

    async def write(self, parent: str, event: UserEvent) -> UserEvent:
        """Keep *event*, which was checked, and return it.

        Raises:
            NotFound: there is no such data store or engine, or it is feedback on a session that is
                not there.
            InvalidArgument: it does not say of which data store it is, is too large, or is feedback
                on an answer that its session does not have, or not of this data store.
        """
        packed(event)
        data_stores = await self._data_stores(parent, event, "userEvent")
        if feedback := event.feedback if event.event_type == ADD_FEEDBACK else None:
            await self._check_answer(feedback, data_stores)
        for data_store in data_stores:
            await self._keep(data_store, [event])
        if feedback:
            self._count_feedback(feedback)
        return event

    async def _check_answer(self, feedback: Feedback, data_stores: Sequence[str]) -> None:
        """Refuse *feedback*, which was checked, on an answer that is none of these *data_stores*.

        Whether the session is the caller's was asked before: it is named in the request.
        """
        about, field = feedback.conversation_info, "userEvent.feedback.conversationInfo"
        if about is None:
            return
        session = await self._sessions.get(names.canonical(about.session))
        of_session = await self._catalogue.data_stores(names.store_of(session.name))
        if set(of_session).isdisjoint(data_stores):
            field += ".session"
            raise InvalidArgument(f"{field}: is of another data store", field=field)
        turn = session.turns[about.question_index :][:1]
        if not turn or not turn[0].answer:
            field += ".questionIndex"
            raise InvalidArgument(
                f"{field}: the session has no answer to a question of this number, from 0",
                field=field,
            )

    async def import_job(self, parent: str, request: ImportUserEventsRequest) -> Job:
        """Return what imports the events of *request*.

        Raises:
            NotFound: there is no such data store.
            Unimplemented: the events are not in the request itself.
            InvalidArgument: there are no events, or too many.
            FailedPrecondition: no events are kept here.
        """
        for field in ("gcs_source", "bigquery_source"):
            if getattr(request, field) is not None:
                raise _elsewhere(field, "events")
        if request.inline_source is None or not request.inline_source.user_events:
            field = "inlineSource"
            raise InvalidArgument(f"{field}: give the events to import", field=field)
        if len(request.inline_source.user_events) > MOST_IMPORTED:
            field = "inlineSource.userEvents"
            raise InvalidArgument(f"{field}: at most {MOST_IMPORTED} events", field=field)
        if not self._events.keeps:
            raise FailedPrecondition(
                "no user events are kept: set COLLOQUY_EVENT_DAYS to the days to keep them",
                reason="USER_EVENTS_NOT_KEPT",
            )
        await self._check_parent(parent)
        return functools.partial(self._import, parent, request)

    async def purge_job(self, parent: str, request: PurgeUserEventsRequest) -> Job:
        """Return what deletes, or without ``force`` only counts, the events that a filter names.

        Raises:
            NotFound: there is no such data store.
            InvalidArgument: the filter cannot be read.
        """
        if not request.filter.strip():
            raise InvalidArgument(
                "filter: say what to purge by eventType, eventTime, userPseudoId or userId, or '*' "
                "for all",
                field="filter",
            )
        matches: Callable[[UserEvent], bool] = _all
        if request.filter.strip() != "*":
            found = filters.parse(_AND.sub(r"\1 AND ", request.filter), _FIELDS)
            matches = found.matches if found else _all
        await self._check_parent(parent)
        return functools.partial(self._purge, parent, matches, request.force)

    async def _import(
        self, parent: str, request: ImportUserEventsRequest, tell_progress: TellProgress
    ) -> ImportUserEventsResponse:
        given = request.inline_source.user_events if request.inline_source else ()
        taken: defaultdict[str, list[UserEvent]] = defaultdict(list)
        samples: list[Status] = []
        failed = 0
        for at, each in enumerate(given):
            field = f"inlineSource.userEvents[{at}]"
            try:
                event = user_event_checks.check_imported(each, field=field)
                packed(event, field)
                for data_store in await self._data_stores(parent, event, field):
                    taken[data_store].append(event)
            except ServiceError as exc:
                failed += 1
                samples.append(Status(code=exc.code, message=exc.message))
        joined = unjoined = 0
        for data_store, events in taken.items():
            there = await self._joined(data_store, events)
            await self._keep(data_store, events)
            joined, unjoined = joined + there, unjoined + len(events) - there
        tell_progress(_metadata(len(given) - failed, failed))
        return ImportUserEventsResponse(
            error_samples=tuple(samples[:_SAMPLES]),
            error_config=request.error_config,
            joined_events_count=str(joined),
            unjoined_events_count=str(unjoined),
        )

    async def _purge(
        self,
        data_store: str,
        matches: Callable[[UserEvent], bool],
        force: bool,
        tell_progress: TellProgress,
    ) -> PurgeUserEventsResponse:
        count = 0
        searched = set[tuple[str, bytes]]()
        async for found in self._events.matching(data_store, matches):
            count += await self._events.drop(data_store, list(found)) if force else len(found)
            for query, user in _searches(found.values()):
                searched.add((phrases.of_query(query), await self._asked.visitor(user)))
        if force and searched:
            # With the same search of the same visitor at other times: to forget too much is safe.
            await self._asked.forget(
                data_store, self._asked.events, lambda one: (one.phrase, one.visitor) in searched
            )
        tell_progress(_metadata(count, 0))
        return PurgeUserEventsResponse(purge_count=str(count))

    async def _keep(self, data_store: str, events: Sequence[UserEvent]) -> None:
        await self._events.add(data_store, events)
        await self._asked.add_searches(data_store, _searches(events))

    async def _joined(self, data_store: str, events: Sequence[UserEvent]) -> int:
        """Count the *events* whose documents are all there."""
        wanted = [_document_ids(event) for event in events]
        ids = {each for of_event in wanted for each in of_event if each}
        there = {*await self._documents.digests(data_store, sorted(ids))} if ids else set[str]()
        return sum(all(each in there for each in of_event) for of_event in wanted)

    async def _check_parent(self, parent: str) -> None:
        if "/dataStores/" in parent:
            await self._catalogue.data_stores(parent)

    async def _data_stores(self, parent: str, event: UserEvent, field: str) -> Sequence[str]:
        """Return the data stores that *event* is of."""
        if "/dataStores/" in parent:
            return await self._catalogue.data_stores(parent)
        named = [(event.data_store, names.DATA_STORE, "dataStore")]
        named.append((event.engine, names.ENGINE, "engine"))
        for name, pattern, where in named:
            if name:
                full = names.checked(name, pattern, field=f"{field}.{where}")
                if names.location(full) != parent:
                    raise InvalidArgument(
                        f"{field}.{where}: is not in {parent}", field=f"{field}.{where}"
                    )
                return await self._catalogue.data_stores(full)
        stores = {
            names.data_store_of(
                names.checked(each.name, names.DOCUMENT, field=f"{field}.documents[{at}].name")
            )
            for at, each in enumerate(event.documents)
            if each.name
        }
        if not stores or any(names.location(each) != parent for each in stores):
            where = f"{field}.dataStore"
            raise InvalidArgument(
                f"{where}: name the data store of the event, or write it under one", field=where
            )
        return [one for each in sorted(stores) for one in await self._catalogue.data_stores(each)]


def _searches(events: Iterable[UserEvent]) -> list[tuple[str, str]]:
    """Return what *events* say was searched, and by whom."""
    return [
        (event.search_info.search_query, event.user_pseudo_id)
        for event in events
        if event.event_type == _SEARCH and event.search_info and event.search_info.search_query
    ]


def _document_ids(event: UserEvent) -> list[str]:
    """Return the ids of the documents of *event*, "" for one that is named by its URI."""
    return [each.id or names.last_id(each.name or "") for each in event.documents]


def _metadata(succeeded: int, failed: int) -> EventsMetadata:
    now = dt.datetime.now(dt.UTC)
    return EventsMetadata(
        create_time=now,
        update_time=now,
        success_count=str(succeeded),
        failure_count=str(failed),
    )


def _all(_: UserEvent) -> bool:
    return True


def _elsewhere(attribute: str, what: str) -> Unimplemented:
    head, _, rest = attribute.partition("_")
    field = head + rest.capitalize()
    return Unimplemented(
        f"{field}: this service does not read it; send the {what} in inlineSource",
        reason="SOURCE_NOT_SUPPORTED",
        field=field,
    )
