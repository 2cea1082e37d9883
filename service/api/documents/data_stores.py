"""Data stores over REST."""

from __future__ import annotations

from typing import Final

import msgspec
from litestar import Controller, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.api.http import routes, versions
from service.api.http.json_bodies import MessageRequest
from service.api.operations.operation_starts import completed, started
from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.documents.documents import Documents
from service.corpus.operations.operations import Operations
from service.corpus.operations.running_operation import TellProgress
from service.corpus.operations.stored_operations import new_name
from sessions import names
from sessions.codec import json_codec
from sessions.listing.pagination import ListQuery
from sessions.resources.data_stores import (
    CreateDataStoreRequest,
    DataStore,
    ListDataStoresRequest,
    ListDataStoresResponse,
    UpdateDataStoreRequest,
)
from sessions.resources.operations import Operation

_COLLECTIONS: Final = [routes.COLLECTION + "/dataStores", routes.LOCATION + "/dataStores"]


class DataStoresController(Controller):
    """``…/dataStores``."""

    tags = ("Data stores",)

    @post(
        _COLLECTIONS,
        status_code=200,
        operation_id=routes.by_path("CreateDataStore"),
        opt={"query": CreateDataStoreRequest, "versions": versions.SEARCH},
    )
    async def create_data_store(
        self,
        request: MessageRequest,
        data: JSONBody[DataStore],
        catalogue: NamedDependency[Catalogue],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Create a data store; the operation is done at once."""
        collection = routes.collection(request.parent)
        query = request.parameters(
            CreateDataStoreRequest,
            parent=collection,
            data_store=data,
        )
        if data.name:
            wanted = f"{collection}/dataStores/{query.data_store_id}"
            routes.check_name(data.name, wanted, field="dataStore.name")
        made = await catalogue.create_data_store(collection, query.data_store_id, data)
        kind = "create-data-store"
        name = new_name(collection, kind)
        return await completed(request, operations, kind, made, name=name)

    @get(
        _COLLECTIONS,
        operation_id=routes.by_path("ListDataStores"),
        opt={"query": ListDataStoresRequest, "versions": versions.SEARCH},
    )
    async def list_data_stores(
        self,
        request: MessageRequest,
        catalogue: NamedDependency[Catalogue],
    ) -> ListDataStoresResponse:
        """Read one page of the data stores of a collection."""
        collection = routes.collection(request.parent)
        query = request.parameters(ListDataStoresRequest, parent=collection)
        found, token = await catalogue.list_data_stores(
            request.asked_by(ListQuery(collection, query.page_size, query.page_token, query.filter))
        )
        return ListDataStoresResponse(data_stores=tuple(found), next_page_token=token)

    @get(routes.DATA_STORE, operation_id="GetDataStore")
    async def get_data_store(
        self, request: MessageRequest, catalogue: NamedDependency[Catalogue]
    ) -> DataStore:
        """Read a data store."""
        return await catalogue.get_data_store(request.name)

    @patch(
        routes.DATA_STORE,
        operation_id="UpdateDataStore",
        opt={"query": UpdateDataStoreRequest},
    )
    async def update_data_store(
        self,
        request: MessageRequest,
        data: JSONBody[DataStore],
        catalogue: NamedDependency[Catalogue],
    ) -> DataStore:
        """Overwrite fields of a data store; documents stay cut as they are until imported anew."""
        query = request.parameters(UpdateDataStoreRequest, data_store=data)
        routes.check_name(data.name, request.name, field="dataStore.name")
        fields = json_codec.present(DataStore, await request.body())
        return await catalogue.update_data_store(request.name, data, query.update_mask, fields)

    @delete(routes.DATA_STORE, status_code=200, operation_id="DeleteDataStore")
    async def delete_data_store(
        self,
        request: MessageRequest,
        catalogue: NamedDependency[Catalogue],
        documents: NamedDependency[Documents],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Delete a data store with its documents, sessions and conversations."""
        await catalogue.check_deletable(request.name)

        async def job(_: TellProgress) -> msgspec.Struct | None:
            await catalogue.delete_data_store(request.name)
            await documents.refresh_index(request.name)
            return None

        kind = "delete-data-store"
        name = new_name(names.parent(request.name), kind)
        return await started(request, operations, kind, job, name=name, frees=True)
