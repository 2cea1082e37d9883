"""Knows the data stores and engines of an installation, and what stands behind each."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Final, Protocol

from msgspec import structs

from service.corpus.storage.document_store import DocumentStore
from sessions import names
from sessions.codec import field_masks
from sessions.errors import AlreadyExists, FailedPrecondition, InvalidArgument, NotFound
from sessions.listing.filters import FilterField, Value
from sessions.listing.pagination import ListQuery
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources.data_stores import (
    ChunkingConfig,
    DataStore,
    DocumentProcessingConfig,
    LayoutBasedChunkingConfig,
    SolutionType,
)
from sessions.resources.engines import Engine, SearchAddOn, SearchEngineConfig, SearchTier
from sessions.stores.record_store import Collection, RecordStore

DISPLAY_NAME: Final = 128
"""Characters of a display name (``DataStore.display_name``)."""
CHUNK_SIZES: Final = range(100, 501)
"""Tokens that a data store may ask of its chunks (``LayoutBasedChunkingConfig.chunk_size``)."""

_DATA_STORES: Final = Collection(
    id="dataStores",
    type=DataStore,
    default=10,
    maximum=50,
    fields={
        "solution_type": FilterField(
            Value.LIST,
            lambda store: tuple(k.name for k in store.solution_types),
            tuple(SolutionType.__members__),
        )
    },
)
_ENGINES: Final = Collection(
    id="engines",
    type=Engine,
    default=50,
    maximum=100,
    fields={
        "solution_type": FilterField(
            Value.TEXT, lambda engine: engine.solution_type.name, tuple(SolutionType.__members__)
        )
    },
)
_MUTABLE_DATA_STORE: Final = frozenset(
    {"display_name", "document_processing_config", "acl_enabled", "language_info"}
)
_MUTABLE_ENGINE: Final = frozenset(
    {"display_name", "data_store_ids", "search_engine_config", "common_config"}
    | {"disable_analytics", "features"}
)


class OwnedResources(Protocol):
    """What is kept under data stores and engines: sessions, conversations."""

    async def delete_all(self, parent: str) -> int:
        """Delete everything under *parent*."""
        ...


class Catalogue:
    """The data stores and engines; names are canonical and resources come back in full."""

    def __init__(
        self, redis: Redis, keys: Keys, documents: DocumentStore, owned: Sequence[OwnedResources]
    ) -> None:
        """*owned* goes with the data store or engine that it is under."""
        self._data_stores = RecordStore(redis, keys, _DATA_STORES)
        self._engines = RecordStore(redis, keys, _ENGINES)
        self._documents = documents
        self._owned = tuple(owned)

    async def data_stores(self, parent: str) -> Sequence[str]:
        """Return the data stores behind the data store or engine *parent*.

        Raises:
            NotFound: there is no such data store or engine.
        """
        if "/dataStores/" in parent:
            if not await self._data_stores.exists(parent):
                raise names.absent(parent)
            return (parent,)
        engine = await self._engines.get(parent)
        collection = names.parent(parent)
        return tuple(f"{collection}/dataStores/{each}" for each in engine.data_store_ids)

    async def create_data_store(
        self, collection: str, data_store_id: str, resource: DataStore
    ) -> DataStore:
        """Create a data store in *collection*.

        Raises:
            InvalidArgument: the id or a field cannot be used.
            AlreadyExists: there is one of this id.
        """
        names.checked_store_id(data_store_id, field="dataStoreId")
        _check_display_name(resource.display_name, "dataStore.displayName")
        _check_chunk_size(resource)
        name = f"{collection}/dataStores/{data_store_id}"
        made = structs.replace(
            resource, name=name, default_schema_id="default_schema", create_time=_now()
        )
        await self._data_stores.create(name, made)
        return made

    async def ensure_data_store(self, name: str) -> bool:
        """Create the data store *name* if it is absent, and tell whether it was."""
        made = DataStore(
            name=name,
            display_name=names.last_id(name),
            default_schema_id="default_schema",
            create_time=_now(),
            document_processing_config=DocumentProcessingConfig(
                chunking_config=ChunkingConfig(
                    layout_based_chunking_config=LayoutBasedChunkingConfig()
                )
            ),
        )
        try:
            await self._data_stores.create(name, made)
        except AlreadyExists:
            return False
        return True

    async def get_data_store(self, name: str) -> DataStore:
        """Return the data store *name*, or raise `NotFound`."""
        return await self._data_stores.get(name)

    async def list_data_stores(self, query: ListQuery) -> tuple[list[DataStore], str]:
        """Return one page of a collection's data stores and the token of the next."""
        return await self._data_stores.list(query)

    async def update_data_store(
        self, name: str, patch: DataStore, mask: str, body_fields: frozenset[str]
    ) -> DataStore:
        """Overwrite what *mask*, or without one *body_fields*, names (AIP-134)."""

        def change(current: DataStore) -> DataStore:
            made = field_masks.apply(mask, current, patch, body_fields, _MUTABLE_DATA_STORE)
            _check_display_name(made.display_name, "dataStore.displayName")
            _check_chunk_size(made)
            return made

        return await self._data_stores.update(name, change)

    async def delete_data_store(self, name: str) -> None:
        """Delete the data store *name* with its documents, sessions and conversations.

        A deletion that broke off can be repeated.

        Raises:
            NotFound: there is none of this name.
            FailedPrecondition: an engine uses it.
        """
        await self.check_deletable(name)
        # Off the list last: it is what a repeated deletion finds. And documents once more, since an
        # import that had begun writes into what is gone.
        await self._documents.drop(name)
        await self._delete_owned(name)
        await self._data_stores.delete(name)
        await self._documents.drop(name)

    async def check_deletable(self, name: str) -> None:
        """Refuse to delete a data store that is not there or that an engine uses.

        Raises:
            NotFound, FailedPrecondition: see `delete_data_store`.
        """
        if not await self._data_stores.exists(name):
            raise names.absent(name)
        await self._check_unused(name)

    async def create_engine(self, collection: str, engine_id: str, resource: Engine) -> Engine:
        """Create an engine over data stores that exist.

        Raises:
            InvalidArgument: the id or a field cannot be used.
            NotFound: there is no such data store.
            AlreadyExists: there is one of this id.
        """
        names.checked_id(engine_id, field="engineId")
        _check_display_name(resource.display_name, "engine.displayName")
        _check_not_empty(resource)
        await self._check_data_stores(collection, resource.data_store_ids)
        name, now = f"{collection}/engines/{engine_id}", _now()
        made = structs.replace(resource, name=name, create_time=now, update_time=now)
        await self._engines.create(name, made)
        return made

    async def get_engine(self, name: str) -> Engine:
        """Return the engine *name*, or raise `NotFound`."""
        return await self._engines.get(name)

    async def has_summaries(self, parent: str) -> bool:
        """Tell whether searches of the data store or engine *parent* may be summed up.

        An engine that was given a tier and not the add-on for language models has none.

        Raises:
            NotFound: there is no such engine.
        """
        if "/dataStores/" in parent:
            return True
        config = (await self._engines.get(parent)).search_engine_config or SearchEngineConfig()
        is_given = config.search_tier is not SearchTier.SEARCH_TIER_UNSPECIFIED
        return not is_given or SearchAddOn.SEARCH_ADD_ON_LLM in config.search_add_ons

    async def is_analysed(self, parent: str) -> bool:
        """Tell whether the queries of the data store or engine *parent* may be learnt from.

        Raises:
            NotFound: there is no such data store or engine.
        """
        if "/dataStores/" in parent:
            return True
        return not (await self._engines.get(parent)).disable_analytics

    async def list_engines(self, query: ListQuery) -> tuple[list[Engine], str]:
        """Return one page of a collection's engines and the token of the next."""
        return await self._engines.list(query)

    async def update_engine(
        self, name: str, patch: Engine, mask: str, body_fields: frozenset[str]
    ) -> Engine:
        """Overwrite what *mask*, or without one *body_fields*, names (AIP-134)."""
        await self._check_data_stores(names.parent(name), patch.data_store_ids)

        def change(current: Engine) -> Engine:
            made = field_masks.apply(mask, current, patch, body_fields, _MUTABLE_ENGINE)
            _check_display_name(made.display_name, "engine.displayName")
            _check_not_empty(made)
            return structs.replace(made, update_time=_now())

        return await self._engines.update(name, change)

    async def delete_engine(self, name: str) -> None:
        """Delete the engine *name* with its sessions and conversations; its stores stay.

        Raises:
            NotFound: there is none of this name.
        """
        await self._engines.delete(name)
        await self._delete_owned(name)

    async def _check_data_stores(self, collection: str, ids: Sequence[str]) -> None:
        for at, each in enumerate(ids):
            field = f"engine.dataStoreIds[{at}]"
            # Here it is one id, so that a slash would lead to another collection's data store.
            if "/" in each:
                raise InvalidArgument(f"{field}: give the bare id of a data store", field=field)
            names.check_forbidden(each, field=field)
            name = f"{collection}/dataStores/{each}"
            if not await self._data_stores.exists(name):
                raise NotFound(f"dataStoreIds: there is no data store '{each}'", resource=name)

    async def _check_unused(self, name: str) -> None:
        query, wanted = ListQuery(names.parent(name), page_size=100), names.last_id(name)
        while True:
            engines, token = await self._engines.list(query)
            for engine in engines:
                if wanted in engine.data_store_ids:
                    raise FailedPrecondition(
                        f"the engine '{engine.name}' uses this data store; delete it first",
                        reason="DATA_STORE_IN_USE",
                        resource=engine.name,
                    )
            if not token:
                return
            query = query._replace(page_token=token)

    async def _delete_owned(self, parent: str) -> None:
        for store in self._owned:
            await store.delete_all(parent)


def _check_display_name(text: str, field: str) -> None:
    if not text.strip():
        raise InvalidArgument(f"{field}: give a name to show", field=field)
    if len(text) > DISPLAY_NAME:
        raise InvalidArgument(f"{field}: at most {DISPLAY_NAME} characters", field=field)


def _check_not_empty(engine: Engine) -> None:
    if not engine.data_store_ids:
        field = "engine.dataStoreIds"
        raise InvalidArgument(f"{field}: name at least one data store", field=field)


def _check_chunk_size(resource: DataStore) -> None:
    config = resource.document_processing_config
    chunking = config.chunking_config if config else None
    layout = chunking.layout_based_chunking_config if chunking else None
    if layout and layout.chunk_size and layout.chunk_size not in CHUNK_SIZES:
        field = (
            "dataStore.documentProcessingConfig.chunkingConfig.layoutBasedChunkingConfig.chunkSize"
        )
        raise InvalidArgument(f"{field}: give 100 to 500", field=field)


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)
