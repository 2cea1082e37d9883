"""Sessions over REST (api.md 9)."""

from __future__ import annotations

from typing import Any

from litestar import Controller, Request, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.api.routes import both, operation
from service.corpus.catalogue import Catalogue
from sessions import wire
from sessions.resources.base import Empty
from sessions.resources.sessions import (
    CreateSessionRequest,
    GetSessionRequest,
    ListSessionsRequest,
    ListSessionsResponse,
    Session,
    UpdateSessionRequest,
)
from sessions.store import SessionStore
from sessions.traversal import Query


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
        request: Request[Any, Any, Any],
        parent: NamedDependency[str],
        data: JSONBody[Session],
        catalogue: NamedDependency[Catalogue],
        sessions: NamedDependency[SessionStore],
    ) -> Session:
        """Open a session."""
        query = wire.from_query(
            CreateSessionRequest, request.query_params.multi_items(), parent=parent, session=data
        )
        await catalogue.data_stores(parent)
        return await sessions.create(parent, data, resource_id=query.session_id)

    @get(
        both("/sessions"),
        operation_id=operation("ListSessions"),
        opt={"query": ListSessionsRequest},
    )
    async def list_sessions(
        self,
        request: Request[Any, Any, Any],
        parent: NamedDependency[str],
        catalogue: NamedDependency[Catalogue],
        sessions: NamedDependency[SessionStore],
    ) -> ListSessionsResponse:
        """Read one page of the sessions."""
        query = wire.from_query(
            ListSessionsRequest, request.query_params.multi_items(), parent=parent
        )
        await catalogue.data_stores(parent)
        found, token = await sessions.list(
            Query(parent, query.page_size, query.page_token, query.filter, query.order_by)
        )
        return ListSessionsResponse(sessions=tuple(found), next_page_token=token)

    @get(
        both("/sessions/{session:str}"),
        operation_id=operation("GetSession"),
        opt={"query": GetSessionRequest},
    )
    async def get_session(
        self,
        request: Request[Any, Any, Any],
        name: NamedDependency[str],
        sessions: NamedDependency[SessionStore],
    ) -> Session:
        """Read a session and its turns."""
        query = wire.from_query(GetSessionRequest, request.query_params.multi_items(), name=name)
        return await sessions.get(name, details=query.include_answer_details)

    @patch(
        both("/sessions/{session:str}"),
        operation_id=operation("UpdateSession"),
        opt={"query": UpdateSessionRequest},
    )
    async def update_session(
        self,
        request: Request[Any, Any, Any],
        name: NamedDependency[str],
        data: JSONBody[Session],
        sessions: NamedDependency[SessionStore],
    ) -> Session:
        """Overwrite fields of a session."""
        query = wire.from_query(
            UpdateSessionRequest, request.query_params.multi_items(), session=data
        )
        fields = wire.present(Session, await request.body())
        return await sessions.update(name, data, query.update_mask, fields)

    @delete(
        both("/sessions/{session:str}"), status_code=200, operation_id=operation("DeleteSession")
    )
    async def delete_session(
        self, name: NamedDependency[str], sessions: NamedDependency[SessionStore]
    ) -> Empty:
        """Delete a session with everything below it."""
        await sessions.delete(name)
        return Empty()
