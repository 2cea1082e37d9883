"""Long-running operations over REST (AIP-151)."""

from __future__ import annotations

import re
from typing import Final

from litestar import Controller, delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.api.http import routes, versions
from service.api.http.json_bodies import MessageRequest
from service.api.operations import operation_views
from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.catalogue.rag_corpora import RagCorpora
from service.corpus.operations.operations import Operations
from service.security import authorisation
from sessions import names
from sessions.errors import InvalidArgument
from sessions.listing.pagination import ListQuery
from sessions.resources.base import Empty
from sessions.resources.operations import (
    ListOperationsRequest,
    ListOperationsResponse,
    Operation,
    WaitOperationRequest,
)

_SECONDS: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)s")
_WAIT: Final = 10.0
"""Seconds that a wait lasts where the request names none."""


_PREFIXES: Final = (
    "/v1/projects/{project:str}",
    routes.LOCATION,
    routes.COLLECTION,
    routes.DATA_STORE,
    routes.ENGINE,
    routes.BRANCH,
)
_RAG_PREFIXES: Final = (
    routes.LOCATION + "/ragEngineConfig",
    routes.LOCATION + "/ragCorpora/{rag_corpus:str}",
    routes.LOCATION + "/ragCorpora/{rag_corpus:str}/ragFiles/{rag_file:str}",
)


def _under(tail: str) -> list[str]:
    return [prefix + tail for prefix in (*_PREFIXES, *_RAG_PREFIXES)]


_ANY_VERSION: Final = {"versions": (*versions.SEARCH, "v1beta1", "ui")}
_READ: Final = {"versions": (*versions.SEARCH, "v1beta1")}


class OperationsController(Controller):
    """``…/operations``, under everything that has operations."""

    tags = ("Operations",)

    @get(
        _under("/operations/{operation:str}"),
        operation_id=routes.by_path("GetOperation"),
        opt=_ANY_VERSION,
    )
    async def get_operation(
        self,
        request: MessageRequest,
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Read an operation: how far it is, or how it ended."""
        await _check_seen(request, operations)
        return operation_views.operation(await operations.get(request.name), request)

    @get(
        _under("/operations"),
        operation_id=routes.by_path("ListOperations"),
        opt={**_READ, "query": ListOperationsRequest},
    )
    async def list_operations(
        self,
        request: MessageRequest,
        catalogue: NamedDependency[Catalogue],
        rag_corpora: NamedDependency[RagCorpora],
        operations: NamedDependency[Operations],
    ) -> ListOperationsResponse:
        """Read one page of the operations of one parent; a data store's are those of its branch."""
        query = request.parameters(ListOperationsRequest, name=request.parent)
        parent = request.parent
        store = names.store_of(parent)
        if "/ragCorpora/" in store:
            await rag_corpora.check_exists(store)
        elif store:
            await catalogue.data_stores(store)
        holder = f"{parent}/branches/0" if re.fullmatch(names.DATA_STORE, parent) else parent
        found, token = await operations.list(
            request.asked_by(ListQuery(holder, query.page_size, query.page_token, query.filter)),
            lambda work: authorisation.sees_operation(
                request.principal, work.name, work.started_by
            ),
        )
        return ListOperationsResponse(
            operations=tuple(operation_views.operation(work, request) for work in found),
            next_page_token=token,
        )

    @post(
        _under("/operations/{operation:str}/:cancel"),
        status_code=200,
        operation_id=routes.by_path("CancelOperation"),
        opt=_READ,
    )
    async def cancel_operation(
        self,
        request: MessageRequest,
        data: JSONBody[Empty],
        operations: NamedDependency[Operations],
    ) -> Empty:
        """Ask for an early end; what is done already stays done."""
        await _check_seen(request, operations)
        await operations.cancel(request.name)
        return Empty()

    @delete(
        _under("/operations/{operation:str}"),
        status_code=200,
        operation_id=routes.by_path("DeleteOperation"),
        opt=_READ,
    )
    async def delete_operation(
        self, request: MessageRequest, operations: NamedDependency[Operations]
    ) -> Empty:
        """Forget an operation; its work is not stopped."""
        await _check_seen(request, operations)
        await operations.delete(request.name)
        return Empty()

    @post(
        _under("/operations/{operation:str}/:wait"),
        status_code=200,
        operation_id=routes.by_path("WaitOperation"),
        opt={"versions": versions.GENERATION, "query": WaitOperationRequest},
    )
    async def wait_operation(
        self,
        request: MessageRequest,
        data: JSONBody[WaitOperationRequest],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Read an operation when it has ended, or when ``timeout`` is over."""
        await _check_seen(request, operations)
        query = request.parameters(WaitOperationRequest, name=request.name)
        seconds = _seconds(query.timeout or data.timeout)
        work = await request.answer(operations.wait(request.name, seconds))
        return operation_views.operation(work, request)


async def _check_seen(request: MessageRequest, operations: Operations) -> None:
    """Raise `NotFound` where the operation of *request* is not there, or not for who asks."""
    principal, name = request.principal, request.name
    if authorisation.sees_operation(principal, name, ""):
        return  # whoever began it
    if not authorisation.sees_operation(principal, name, await operations.started_by(name)):
        raise names.absent(name)


def _seconds(timeout: str | None) -> float:
    if timeout is None:
        return _WAIT
    found = _SECONDS.fullmatch(timeout)
    if found is None:
        raise InvalidArgument("timeout: give 0s or more", field="timeout")
    return float(found[1])
