"""Sessions over REST."""

from __future__ import annotations

from litestar import Controller, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.answering.methods.answer_query import AnswerMethods
from service.api.http.json_bodies import MessageRequest
from service.api.http.routes import both, operation
from service.corpus.catalogue.catalogue import Catalogue
from sessions.codec import json_codec
from sessions.listing import turn_windows
from sessions.listing.pagination import ListQuery
from sessions.resources.base import Empty
from sessions.resources.sessions import (
    CreateSessionRequest,
    ListSessionsResponse,
    ReadSessionRequest,
    ReadSessionsRequest,
    Session,
    UpdateSessionRequest,
)
from sessions.stores.store_set import SessionStore


class SessionsController(Controller):
    """``…/{dataStores|engines}/*/sessions``."""

    tags = ("Sessions",)

    @post(
        both("/sessions"),
        status_code=200,
        operation_id=operation("CreateSession"),
        opt={"query": CreateSessionRequest},
    )
    async def create_session(
        self,
        request: MessageRequest,
        data: JSONBody[Session],
        catalogue: NamedDependency[Catalogue],
        session_store: NamedDependency[SessionStore],
    ) -> Session:
        """Open a session."""
        query = request.parameters(CreateSessionRequest, parent=request.parent, session=data)
        await catalogue.data_stores(request.parent)
        return await session_store.create(request.parent, data, resource_id=query.session_id)

    @get(
        both("/sessions"),
        operation_id=operation("ListSessions"),
        opt={"query": ReadSessionsRequest},
    )
    async def list_sessions(
        self,
        request: MessageRequest,
        catalogue: NamedDependency[Catalogue],
        session_store: NamedDependency[SessionStore],
    ) -> ListSessionsResponse:
        """Read one page of the sessions."""
        query = request.parameters(ReadSessionsRequest, parent=request.parent)
        await catalogue.data_stores(request.parent)
        found, token = await session_store.list(
            request.asked_by(
                ListQuery(
                    request.parent, query.page_size, query.page_token, query.filter, query.order_by
                )
            )
        )
        told = (turn_windows.cut(each, query.turn_offset, query.turn_limit) for each in found)
        return ListSessionsResponse(sessions=tuple(told), next_page_token=token)

    @get(
        both("/sessions/{session:str}"),
        operation_id=operation("GetSession"),
        opt={"query": ReadSessionRequest},
    )
    async def get_session(
        self,
        request: MessageRequest,
        answer_methods: NamedDependency[AnswerMethods],
    ) -> Session:
        """Read a session and its turns, or some of them."""
        query = request.parameters(ReadSessionRequest, name=request.name)
        found = request.admitted_resource
        found = found if isinstance(found, Session) else None
        return await answer_methods.session(query, found=found)

    @patch(
        both("/sessions/{session:str}"),
        operation_id=operation("UpdateSession"),
        opt={"query": UpdateSessionRequest},
    )
    async def update_session(
        self,
        request: MessageRequest,
        data: JSONBody[Session],
        session_store: NamedDependency[SessionStore],
    ) -> Session:
        """Overwrite fields of a session."""
        query = request.parameters(UpdateSessionRequest, session=data)
        fields = json_codec.present(Session, await request.body())
        return await session_store.update(request.name, data, query.update_mask, fields)

    @delete(
        both("/sessions/{session:str}"), status_code=200, operation_id=operation("DeleteSession")
    )
    async def delete_session(
        self, request: MessageRequest, session_store: NamedDependency[SessionStore]
    ) -> Empty:
        """Delete a session with everything below it."""
        await session_store.delete(request.name)
        return Empty()
