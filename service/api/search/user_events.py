"""User events over REST."""

from __future__ import annotations

from typing import Final

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.answering.requests import user_events
from service.api.http import routes, versions
from service.api.http.json_bodies import MessageRequest
from service.corpus.catalogue.catalogue import Catalogue
from sessions.resources.base import Empty
from sessions.resources.user_events import (
    CollectUserEventRequest,
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
        catalogue: NamedDependency[Catalogue],
    ) -> UserEvent:
        """Take note of what a user did; the event comes back with its time."""
        request.parameters(
            WriteUserEventRequest,
            parent=request.parent,
            user_event=data,
        )
        await _check_parent(catalogue, request.parent)
        return user_events.check(data, field="userEvent")

    @get(
        [f"{parent}/userEvents/:collect" for parent in PARENTS],
        operation_id=routes.by_path("CollectUserEvent"),
        opt={"query": CollectUserEventRequest, "versions": versions.SEARCH},
    )
    async def collect_user_event(
        self,
        request: MessageRequest,
        catalogue: NamedDependency[Catalogue],
    ) -> Empty:
        """Take note of what a user did, from a browser that can only read addresses."""
        query = request.parameters(CollectUserEventRequest, parent=request.parent)
        await _check_parent(catalogue, request.parent)
        user_events.parse(query.user_event)
        return Empty()


async def _check_parent(catalogue: Catalogue, parent: str) -> None:
    if "/dataStores/" in parent:
        await catalogue.data_stores(parent)
