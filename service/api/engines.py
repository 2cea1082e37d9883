"""Engines over REST (api.md 2.3, 7.2)."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from litestar import Controller, Request, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.api import operations as views
from service.api import routes
from service.corpus.catalogue import Catalogue
from service.corpus.operations import Operations, Tell, new_name
from sessions import names, wire
from sessions.resources.engines import (
    CreateEngineRequest,
    Engine,
    ListEnginesRequest,
    ListEnginesResponse,
    UpdateEngineRequest,
)
from sessions.resources.operations import Operation
from sessions.traversal import Query

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
        request: Request[Any, Any, Any],
        parent: NamedDependency[str],
        data: JSONBody[Engine],
        catalogue: NamedDependency[Catalogue],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Create an engine over data stores; the operation is done at once."""
        query = wire.from_query(
            CreateEngineRequest, request.query_params.multi_items(), parent=parent, engine=data
        )
        if data.name:
            wanted = f"{parent}/engines/{query.engine_id}"
            routes.check_name(data.name, wanted, field="engine.name")
        made = await catalogue.create_engine(parent, query.engine_id, data)
        kind = "create-engine"
        work = await operations.complete(
            new_name(parent, kind), kind, routes.address(request).version, made
        )
        return views.shown(work, request)

    @get(_COLLECTION, operation_id="ListEngines", opt={"query": ListEnginesRequest})
    async def list_engines(
        self,
        request: Request[Any, Any, Any],
        parent: NamedDependency[str],
        catalogue: NamedDependency[Catalogue],
    ) -> ListEnginesResponse:
        """Read one page of the engines of a collection."""
        query = wire.from_query(
            ListEnginesRequest, request.query_params.multi_items(), parent=parent
        )
        found, token = await catalogue.list_engines(
            Query(parent, query.page_size, query.page_token, query.filter)
        )
        return ListEnginesResponse(engines=tuple(found), next_page_token=token)

    @get(routes.ENGINE, operation_id="GetEngine")
    async def get_engine(
        self, name: NamedDependency[str], catalogue: NamedDependency[Catalogue]
    ) -> Engine:
        """Read an engine."""
        return await catalogue.get_engine(name)

    @patch(routes.ENGINE, operation_id="UpdateEngine", opt={"query": UpdateEngineRequest})
    async def update_engine(
        self,
        request: Request[Any, Any, Any],
        name: NamedDependency[str],
        data: JSONBody[Engine],
        catalogue: NamedDependency[Catalogue],
    ) -> Engine:
        """Overwrite fields of an engine."""
        query = wire.from_query(
            UpdateEngineRequest, request.query_params.multi_items(), engine=data
        )
        routes.check_name(data.name, name, field="engine.name")
        fields = wire.present(Engine, await request.body())
        return await catalogue.update_engine(name, data, query.update_mask, fields)

    @delete(routes.ENGINE, status_code=200, operation_id="DeleteEngine")
    async def delete_engine(
        self,
        request: Request[Any, Any, Any],
        name: NamedDependency[str],
        catalogue: NamedDependency[Catalogue],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Delete an engine with its sessions and conversations; its data stores stay."""
        await catalogue.get_engine(name)

        async def job(_: Tell) -> msgspec.Struct | None:
            await catalogue.delete_engine(name)
            return None

        kind = "delete-engine"
        work = await operations.start(
            new_name(names.parent(name), kind), kind, routes.address(request).version, job
        )
        return views.shown(work, request)
