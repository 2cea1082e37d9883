"""Builds what handlers call of data stores, corpora, their documents and files."""

from __future__ import annotations

# ruff: noqa: D102 - a property is the part that its name and type say
import functools

from service.composition.container import Container
from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.catalogue.rag_corpora import RagCorpora
from service.corpus.documents.bulk_changes import BulkChanges
from service.corpus.documents.documents import Documents
from service.corpus.documents.rag_files import RagFiles
from service.corpus.documents.readable_documents import ReadableDocuments
from service.corpus.operations.operations import Operations
from service.corpus.storage.upload_store import UploadStore


class CorpusServices:
    """What handlers may ask for of what is kept to be found; built when first asked for."""

    def __init__(self, container: Container) -> None:
        self._container = container
        self._index = container.answering.index
        self._stores = container.stores

    @property
    def catalogue(self) -> Catalogue:
        return self._stores.catalogue

    @functools.cached_property
    def documents(self) -> Documents:
        return Documents(
            self._stores.documents,
            self._container.parsers,
            self._index,
            self._stores.catalogue,
            self._stores.page_tokens,
        )

    @functools.cached_property
    def readable_documents(self) -> ReadableDocuments:
        return ReadableDocuments(self._stores.documents, self._index, self._stores.catalogue)

    @functools.cached_property
    def bulk_changes(self) -> BulkChanges:
        return BulkChanges(
            self._stores.documents,
            self._container.parsers,
            self._index,
            self._stores.catalogue,
            self.documents,
        )

    @property
    def operations(self) -> Operations:
        return self._container.operations

    @functools.cached_property
    def rag_corpora(self) -> RagCorpora:
        store = self._stores
        return RagCorpora(store.redis, store.keys, store.documents, store.catalogue)

    @functools.cached_property
    def rag_files(self) -> RagFiles:
        return RagFiles(
            self.rag_corpora,
            self._stores.documents,
            self._container.parsers,
            self._index,
            self._container.settings.import_dir,
        )

    @functools.cached_property
    def uploads(self) -> UploadStore:
        return UploadStore(self._stores.redis, self._stores.keys)
