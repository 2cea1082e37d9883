"""Engines over REST."""

from __future__ import annotations

from typing import Final

import msgspec
from litestar import Controller, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.api.http import routes
from service.api.http.json_bodies import MessageRequest
from service.api.operations.operation_starts import completed, started
from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.operations.operations import Operations
from service.corpus.operations.running_operation import TellProgress
from service.corpus.operations.stored_operations import new_name
from sessions import names
from sessions.codec import json_codec
from sessions.listing.pagination import ListQuery
from sessions.resources.engines import (
    CreateEngineRequest,
    Engine,
    ListEnginesRequest,
    ListEnginesResponse,
    UpdateEngineRequest,
)
from sessions.resources.operations import Operation

_COLLECTION: Final = routes.COLLECTION + "/engines"


class EnginesController(Controller):
    """``…/engines``."""

    tags = ("Engines",)

    @post(
        _COLLECTION,
        status_code=200,
        operation_id="CreateEngine",
        opt={"query": CreateEngineRequest},
    )
    async def create_engine(
        self,
        request: MessageRequest,
        data: JSONBody[Engine],
        catalogue: NamedDependency[Catalogue],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Create an engine over data stores; the operation is done at once."""
        query = request.parameters(CreateEngineRequest, parent=request.parent, engine=data)
        if data.name:
            wanted = f"{request.parent}/engines/{query.engine_id}"
            routes.check_name(data.name, wanted, field="engine.name")
        made = await catalogue.create_engine(request.parent, query.engine_id, data)
        kind = "create-engine"
        name = new_name(request.parent, kind)
        return await completed(request, operations, kind, made, name=name)

    @get(_COLLECTION, operation_id="ListEngines", opt={"query": ListEnginesRequest})
    async def list_engines(
        self,
        request: MessageRequest,
        catalogue: NamedDependency[Catalogue],
    ) -> ListEnginesResponse:
        """Read one page of the engines of a collection."""
        query = request.parameters(ListEnginesRequest, parent=request.parent)
        found, token = await catalogue.list_engines(
            request.asked_by(
                ListQuery(request.parent, query.page_size, query.page_token, query.filter)
            )
        )
        return ListEnginesResponse(engines=tuple(found), next_page_token=token)

    @get(routes.ENGINE, operation_id="GetEngine")
    async def get_engine(
        self, request: MessageRequest, catalogue: NamedDependency[Catalogue]
    ) -> Engine:
        """Read an engine."""
        return await catalogue.get_engine(request.name)

    @patch(routes.ENGINE, operation_id="UpdateEngine", opt={"query": UpdateEngineRequest})
    async def update_engine(
        self,
        request: MessageRequest,
        data: JSONBody[Engine],
        catalogue: NamedDependency[Catalogue],
    ) -> Engine:
        """Overwrite fields of an engine."""
        query = request.parameters(UpdateEngineRequest, engine=data)
        routes.check_name(data.name, request.name, field="engine.name")
        fields = json_codec.present(Engine, await request.body())
        return await catalogue.update_engine(request.name, data, query.update_mask, fields)

    @delete(routes.ENGINE, status_code=200, operation_id="DeleteEngine")
    async def delete_engine(
        self,
        request: MessageRequest,
        catalogue: NamedDependency[Catalogue],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Delete an engine with its sessions and conversations; its data stores stay."""
        await catalogue.get_engine(request.name)

        async def job(_: TellProgress) -> msgspec.Struct | None:
            await catalogue.delete_engine(request.name)
            return None

        kind = "delete-engine"
        name = new_name(names.parent(request.name), kind)
        return await started(request, operations, kind, job, name=name, frees=True)
