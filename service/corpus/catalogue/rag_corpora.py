"""Knows the RAG corpora of an installation and their files.

Beneath, a corpus is a data store: its documents lie under its own name, one for each file and of
the file's id, imported and indexed as all others. It is in no list of data stores.
"""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Sequence
from typing import Final

from msgspec import structs

from service.corpus.catalogue import rag_corpus_configs
from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.storage.document_store import DocumentStore
from sessions import names
from sessions.errors import InvalidArgument, NotFound
from sessions.listing.pagination import ListQuery
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources import rag_corpora
from sessions.resources.base import Empty
from sessions.resources.rag_corpora import RagCorpus, RagEngineConfig
from sessions.resources.rag_files import RagFile
from sessions.stores.record_store import Collection, RecordStore

_CORPORA: Final = Collection(id="ragCorpora", type=RagCorpus, default=100, maximum=100)
_FILES: Final = Collection(id="ragFiles", type=RagFile, default=100, maximum=100)
_CONFIGS: Final = Collection(id="ragEngineConfigs", type=RagEngineConfig, default=1, maximum=1)
_BATCH: Final = 100


class RagCorpora:
    """The corpora, their files, and the one configuration of each location."""

    def __init__(
        self, redis: Redis, keys: Keys, documents: DocumentStore, catalogue: Catalogue
    ) -> None:
        self._corpora = RecordStore(redis, keys, _CORPORA)
        self._files = RecordStore(redis, keys, _FILES)
        self._configs = RecordStore(redis, keys, _CONFIGS)
        self._documents = documents
        self._catalogue = catalogue

    async def data_stores(self, parent: str) -> Sequence[str]:
        """Return the data stores behind *parent*: a corpus, a data store or an engine.

        Raises:
            NotFound: there is no such parent.
        """
        if "/ragCorpora/" not in parent:
            return await self._catalogue.data_stores(parent)
        search = (await self._corpora.get(parent)).vertex_ai_search_config
        if search is None:
            return (parent,)
        return await self._catalogue.data_stores(names.check_serving_config(search.serving_config))

    async def create(self, location: str, resource: RagCorpus) -> RagCorpus:
        """Create a corpus in *location*.

        Raises:
            InvalidArgument: a field cannot be used.
            Unimplemented: the vectors are to lie elsewhere, or the corpus is of another kind.
            NotFound: there is no such serving config.
        """
        resource = rag_corpus_configs.current(resource)
        rag_corpus_configs.check(resource)
        now = _now()
        made = structs.replace(
            resource,
            name=f"{location}/ragCorpora/{names.new_id()}",
            create_time=now,
            update_time=now,
            corpus_status=rag_corpora.CorpusStatus(state=rag_corpora.State.ACTIVE),
            rag_files_count=0,
            satisfies_pzs=False,
            satisfies_pzi=False,
        )
        if search := made.vertex_ai_search_config:
            field = "ragCorpus.vertexAiSearchConfig.servingConfig"
            config = names.checked(search.serving_config, names.SERVING_CONFIG, field=field)
            await self._catalogue.data_stores(names.check_serving_config(config))
            search = rag_corpora.VertexAiSearchConfig(serving_config=config)
            made = structs.replace(made, vertex_ai_search_config=search)
        else:
            made = structs.replace(
                made, vector_db_config=rag_corpus_configs.managed(made.vector_db_config, location)
            )
        await self._corpora.create(made.name, made)
        return made

    async def get(self, name: str) -> RagCorpus:
        """Return the corpus *name*, or raise `NotFound`."""
        return await self._corpora.get(name)

    async def get_with_file_count(self, name: str) -> RagCorpus:
        """Return the corpus *name* with the number of its files, or raise `NotFound`."""
        corpus = await self._corpora.get(name)
        return structs.replace(corpus, rag_files_count=await self._documents.count(name))

    async def check_exists(self, name: str) -> None:
        """Raise `NotFound` where there is no corpus *name*."""
        if not await self._corpora.exists(name):
            raise names.absent(name)

    async def list(self, query: ListQuery) -> tuple[list[RagCorpus], str]:
        """Return one page of a location's corpora and the token of the next."""
        return await self._corpora.list(query)

    async def update(self, name: str, patch: RagCorpus) -> RagCorpus:
        """Overwrite what *patch* has: display name, description, where its vectors lie.

        Raises:
            NotFound: there is none of this name.
            InvalidArgument, Unimplemented: as `create`.
        """
        patch = rag_corpus_configs.current(patch)
        location = names.location(name)

        def change(current: RagCorpus) -> RagCorpus:
            made = structs.replace(
                current,
                display_name=patch.display_name or current.display_name,
                description=patch.description or current.description,
                update_time=_now(),
            )
            if patch.vector_db_config is not None:
                made = structs.replace(
                    made,
                    vector_db_config=rag_corpus_configs.managed(patch.vector_db_config, location),
                )
            rag_corpus_configs.check(made)
            return made

        if patch.vertex_ai_search_config is not None:
            field = "ragCorpus.vertexAiSearchConfig"
            current = await self._corpora.get(name)
            if current.vertex_ai_search_config != patch.vertex_ai_search_config:
                raise InvalidArgument(f"{field}: is set when a corpus is created", field=field)
        return await self._corpora.update(name, change)

    async def delete(self, name: str) -> None:
        """Delete the corpus *name* with its files.

        A deletion that broke off can be repeated.

        Raises:
            NotFound: there is none of this name.
        """
        await self.check_exists(name)
        # Off the list last: it is what a repeated deletion finds. And files once more, since an
        # import that had begun writes into what is gone.
        await self._documents.drop(name)
        await self._forget_files(name)
        await self._corpora.delete(name)
        await self._documents.drop(name)
        await self._forget_files(name)

    async def put_files(self, files: Sequence[RagFile]) -> None:
        """Remember *files*; one that is known keeps its creation time."""
        for file in files:
            try:
                known = await self._files.get(file.name)
            except NotFound:
                await self._files.put(file.name, file)
            else:
                await self._files.put(
                    file.name, structs.replace(file, create_time=known.create_time)
                )

    async def get_file(self, name: str) -> RagFile:
        """Return the file *name*, or raise `NotFound`."""
        return await self._files.get(name)

    async def list_files(self, query: ListQuery) -> tuple[list[RagFile], str]:
        """Return one page of a corpus' files and the token of the next.

        Raises:
            NotFound: there is no such corpus.
        """
        await self.check_exists(query.parent)
        return await self._files.list(query)

    async def delete_file(self, name: str) -> None:
        """Delete the file *name* with its chunks; that can be repeated.

        Raises:
            NotFound: there is none of this name.
        """
        if not await self._files.exists(name):
            raise names.absent(name)
        # Its chunks first: without the file they could never be deleted, and would be found.
        await self._documents.delete(names.parent(name), [names.last_id(name)])
        await self._files.delete(name)

    async def engine_config(self, location: str) -> RagEngineConfig:
        """Return the configuration of *location*."""
        try:
            return await self._configs.get(_config(location))
        except NotFound:
            basic = rag_corpora.RagManagedDbConfig(basic=Empty())
            return RagEngineConfig(name=f"{location}/ragEngineConfig", rag_managed_db_config=basic)

    async def update_engine_config(self, location: str, patch: RagEngineConfig) -> RagEngineConfig:
        """Keep the tier that *patch* names; every tier is the same index here.

        Raises:
            InvalidArgument: it names none.
            Unimplemented: it names one that is no tier of the managed index.
        """
        tier, field = patch.rag_managed_db_config, "ragEngineConfig.ragManagedDbConfig"
        if tier is None:
            raise InvalidArgument(f"{field}: name basic, scaled or unprovisioned", field=field)
        rag_corpus_configs.refuse(
            field, enterprise=tier.enterprise, serverless=tier.serverless, spanner=tier.spanner
        )
        if tier == rag_corpora.RagManagedDbConfig():
            raise InvalidArgument(f"{field}: name basic, scaled or unprovisioned", field=field)
        made = RagEngineConfig(name=f"{location}/ragEngineConfig", rag_managed_db_config=tier)
        await self._configs.put(_config(location), made)
        return made

    async def _forget_files(self, corpus: str) -> None:
        while found := (await self._files.list(ListQuery(corpus, page_size=_BATCH)))[0]:
            for file in found:
                with contextlib.suppress(NotFound):
                    await self._files.delete(file.name)


def _config(location: str) -> str:
    return f"{location}/ragEngineConfigs/default"


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)
