"""User events over REST."""

from __future__ import annotations

from typing import Final

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.answering.completion.user_event_methods import UserEventMethods
from service.answering.requests import user_events
from service.api.http import routes, versions
from service.api.http.json_bodies import MessageRequest
from service.api.operations.operation_starts import started
from service.corpus.operations.operations import Operations
from sessions.resources.base import Empty
from sessions.resources.operations import Operation
from sessions.resources.user_events import (
    CollectUserEventRequest,
    ImportUserEventsRequest,
    PurgeUserEventsRequest,
    UserEvent,
    WriteUserEventRequest,
)

PARENTS: Final = (routes.DATA_STORE, routes.LOCATION)


class UserEventsController(Controller):
    """``…/userEvents``."""

    tags = ("User events",)

    @post(
        [f"{parent}/userEvents/:write" for parent in PARENTS],
        status_code=200,
        operation_id=routes.by_path("WriteUserEvent"),
        opt={"query": WriteUserEventRequest, "versions": versions.SEARCH},
    )
    async def write_user_event(
        self,
        request: MessageRequest,
        data: JSONBody[UserEvent],
        user_event_methods: NamedDependency[UserEventMethods],
    ) -> UserEvent:
        """Take note of what a user did; the event comes back with its time."""
        request.parameters(
            WriteUserEventRequest,
            parent=request.parent,
            user_event=data,
        )
        event = user_events.check(data, field="userEvent")
        return await user_event_methods.write(request.parent, event)

    @get(
        [f"{parent}/userEvents/:collect" for parent in PARENTS],
        operation_id=routes.by_path("CollectUserEvent"),
        opt={"query": CollectUserEventRequest, "versions": versions.SEARCH},
    )
    async def collect_user_event(
        self,
        request: MessageRequest,
        user_event_methods: NamedDependency[UserEventMethods],
    ) -> Empty:
        """Take note of what a user did, from a browser that can only read addresses."""
        query = request.parameters(CollectUserEventRequest, parent=request.parent)
        event = request.project_numbers.resolve(user_events.parse(query.user_event))
        event = user_events.check(await request.admitted(event), field="userEvent")
        await user_event_methods.write(request.parent, event)
        return Empty()

    @post(
        PARENTS[0] + "/userEvents/:import",
        status_code=200,
        operation_id=routes.by_path("ImportUserEvents"),
    )
    async def import_user_events(
        self,
        request: MessageRequest,
        data: JSONBody[ImportUserEventsRequest],
        user_event_methods: NamedDependency[UserEventMethods],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Keep what users did before."""
        return await _import(request, data, user_event_methods, operations)

    @post(
        PARENTS[1] + "/userEvents/:import",
        status_code=200,
        operation_id=routes.by_path("ImportUserEvents"),
        opt={"versions": ("v1", "v1beta")},
    )
    async def import_user_events_of_location(
        self,
        request: MessageRequest,
        data: JSONBody[ImportUserEventsRequest],
        user_event_methods: NamedDependency[UserEventMethods],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Keep what users did before, each event of the data store that it names."""
        return await _import(request, data, user_event_methods, operations)

    @post(
        PARENTS[0] + "/userEvents/:purge",
        status_code=200,
        operation_id=routes.by_path("PurgeUserEvents"),
    )
    async def purge_user_events(
        self,
        request: MessageRequest,
        data: JSONBody[PurgeUserEventsRequest],
        user_event_methods: NamedDependency[UserEventMethods],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Delete the events that a filter names, or count them."""
        job = await user_event_methods.purge_job(request.parent, data)
        return await started(request, operations, "purge-user-events", job, frees=data.force)


async def _import(
    request: MessageRequest,
    data: ImportUserEventsRequest,
    methods: UserEventMethods,
    operations: Operations,
) -> Operation:
    job = await methods.import_job(request.parent, data)
    return await started(request, operations, "import-user-events", job)
