"""Create, read, change and delete the documents of a data store.

Every method returns when what it did can be found by a search.
"""

from __future__ import annotations

import datetime as dt
from typing import Final

import msgspec

from service.corpus.catalogue import branches
from service.corpus.catalogue.branches import Branch
from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.document_access import Viewer
from service.corpus.index import DocumentIndex, SearchScope
from service.corpus.isolation.pool import ParsingPool
from service.corpus.parsing import document_sources, prepared_documents
from service.corpus.parsing.document_sources import DocumentSource
from service.corpus.parsing.parsed_documents import Unreadable
from service.corpus.storage.document_store import DocumentStore, Page
from service.corpus.stored_documents import IndexContent, StoredDocument, unpack
from sessions import names
from sessions.codec import field_masks, json_codec
from sessions.errors import (
    Aborted,
    AlreadyExists,
    InvalidArgument,
    ServiceError,
    Unimplemented,
)
from sessions.listing import page_requests
from sessions.listing.page_tokens import PageTokens
from sessions.resources.documents import (
    CreateDocumentRequest,
    Document,
    ListDocumentsRequest,
    ListDocumentsResponse,
)
from sessions.resources.documents_metadata import (
    BatchGetDocumentsMetadataRequest,
    BatchGetDocumentsMetadataResponse,
    DocumentMetadata,
    Matcher,
    MatcherValue,
    State,
)

URIS: Final = 100
"""URIs that one call may ask for."""
NOT_READ: Final = frozenset({"UNSUPPORTED_FORMAT", "URI_NOT_FETCHED"})
"""Why a document is not read although nothing is wrong with it."""

_ATTEMPTS: Final = 10
_SIZE: Final = 100
_MOST: Final = 1000
MUTABLE: Final = frozenset(
    {"struct_data", "json_data", "content", "schema_id", "parent_document_id", "acl_info"}
)
_AFTER: Final[msgspec.msgpack.Decoder[str]] = msgspec.msgpack.Decoder(str)


class Documents:
    """The documents of all data stores, as the API sees them; names are canonical."""

    def __init__(
        self,
        store: DocumentStore,
        parsers: ParsingPool,
        index: DocumentIndex,
        catalogue: Catalogue,
        tokens: PageTokens,
    ) -> None:
        self._store = store
        self._parsers = parsers
        self._tokens = tokens
        self._index = index
        self._catalogue = catalogue

    async def create(self, parent: str, request: CreateDocumentRequest) -> Document:
        """Add a document.

        Raises:
            NotFound: there is no such branch.
            InvalidArgument: the id or the content cannot be used.
            Unimplemented: the content is of a kind that is not read.
            AlreadyExists: there is one of this id.
        """
        branch = await branches.read(self._catalogue, parent)
        document_id = names.checked_document_id(request.document_id, field="documentId")
        document = request.document or Document()
        _check_names(document, branch, document_id)
        document = msgspec.structs.replace(document, id=document_id)
        made = await self._prepared(branch, document, None)
        if not await self._store.swap(branch.data_store, made, b""):
            name = names.document(branch.data_store, document_id)
            raise AlreadyExists(
                f"there is a document '{name}' already; choose another id",
                reason="RESOURCE_ALREADY_EXISTS",
                resource=name,
            )
        await self._index.refresh(branch.data_store)
        return _stored(made)

    async def get(self, name: str, viewer: Viewer) -> Document:
        """Return the document *name* where *viewer* may see it.

        Raises:
            NotFound: there is none for them.
        """
        branch = await branches.read(self._catalogue, names.parent(name))
        sees = await self._index.sight((branch.data_store,), viewer)
        # Before it is read: one that is hidden is to take no longer than one that is not there.
        if sees is not None and not sees(name):
            raise names.absent(name)
        return await self._store.get(name)

    async def list(
        self, request: ListDocumentsRequest, viewer: Viewer, *, caller: str = ""
    ) -> ListDocumentsResponse:
        """Return one page of the documents of a branch that *viewer* may see, by id.

        Its token is for the same *caller*.

        Raises:
            NotFound: there is no such branch.
            InvalidArgument: (``pageSize``, ``pageToken``)
        """
        branch = await branches.read(self._catalogue, request.parent)
        size = page_requests.size(request.page_size, default=_SIZE, maximum=_MOST)
        token = request.page_token
        bound = ("documents", branch.name, caller)
        after = await self._tokens.resumed(_AFTER, token, *bound) if token else ""
        page = await self._page(branch.data_store, viewer, size, after)
        return ListDocumentsResponse(
            documents=page.documents,
            next_page_token=await self._tokens.token(page.after, *bound) if page.after else "",
        )

    async def _page(self, data_store: str, viewer: Viewer, size: int, after: str) -> Page:
        if await self._index.sight((data_store,), viewer) is None:
            return await self._store.page(data_store, limit=size, after=after)
        # By the index, which knows what can be seen: a token that named the last document of a
        # page of the store might name one that is hidden.
        scope = SearchScope(data_stores=(data_store,), viewer=viewer)
        listed = (names.last_id(one.document) for one in await self._index.list_documents(scope))
        ids = sorted(each for each in listed if each > after)
        found = await self._store.get_many(data_store, ids[:size])
        documents = tuple(found[each] for each in ids[:size] if each in found)
        return Page(documents=documents, after=ids[size - 1] if len(ids) > size else "")

    async def update(
        self,
        name: str,
        patch: Document,
        mask: str,
        fields: frozenset[str],
        *,
        allow_missing: bool,
    ) -> Document:
        """Overwrite what *mask*, or without one *fields*, names (AIP-134).

        Raises:
            NotFound: there is none of this name, and *allow_missing* is not set.
            InvalidArgument, Unimplemented: as `create`, or the mask cannot be used.
            Aborted: other writers came first, again and again.
        """
        branch = await branches.read(self._catalogue, names.parent(name))
        document_id = names.last_id(name)
        if allow_missing:  # a new one has an id of today's rules
            names.checked_document_id(document_id, field="document.name")
        _check_names(patch, branch, document_id)
        made = await self.upsert(branch, patch, mask, fields, document_id, allow_missing)
        await self._index.refresh(branch.data_store)
        return made

    async def delete(self, name: str) -> None:
        """Delete the document *name*, or raise `NotFound`."""
        branch = await branches.read(self._catalogue, names.parent(name))
        if not await self._store.delete(branch.data_store, [names.last_id(name)]):
            raise names.absent(name)
        await self._index.refresh(branch.data_store)

    async def metadata(
        self, request: BatchGetDocumentsMetadataRequest, viewer: Viewer
    ) -> BatchGetDocumentsMetadataResponse:
        """Return whether *viewer* can find the documents that *request* names, in its order.

        Raises:
            NotFound: there is no such branch.
            InvalidArgument: nothing, or too much, is asked for.
        """
        branch = await branches.read(self._catalogue, request.parent)
        matcher = request.matcher or Matcher()
        if matcher.uris_matcher is None and matcher.fhir_matcher is None:
            raise InvalidArgument(
                "matcher: name URIs in urisMatcher", field="matcher.urisMatcher.uris"
            )
        uris = matcher.uris_matcher.uris if matcher.uris_matcher else ()
        if len(uris) > URIS:
            field = "matcher.urisMatcher.uris"
            raise InvalidArgument(f"{field}: at most {URIS} at once", field=field)
        scope = SearchScope(data_stores=(branch.data_store,), viewer=viewer)
        by_uri = {one.uri: one.document for one in await self._index.list_documents(scope)}
        ids = [names.last_id(by_uri[uri]) for uri in uris if uri in by_uri]
        found = await self._store.get_many(branch.data_store, ids)
        metadata = [_state(uri, found.get(names.last_id(by_uri.get(uri, "")))) for uri in uris]
        for resource in matcher.fhir_matcher.fhir_resources if matcher.fhir_matcher else ():
            value = MatcherValue(fhir_resource=resource)
            metadata.append(DocumentMetadata(matcher_value=value, state=State.NOT_IN_INDEX))
        return BatchGetDocumentsMetadataResponse(documents_metadata=tuple(metadata))

    async def refresh_index(self, data_store: str) -> None:
        """Return when the index knows what became of *data_store*."""
        await self._index.refresh(data_store)

    async def upsert(
        self,
        branch: Branch,
        patch: Document,
        mask: str,
        fields: frozenset[str],
        document_id: str,
        allow_missing: bool,
    ) -> Document:
        """Overwrite fields of a document as `update` does, without waiting for the index."""
        name = names.document(branch.data_store, document_id)
        for _ in range(_ATTEMPTS):
            seen = await self._store.read(name)
            if not seen and not allow_missing:
                raise names.absent(name)
            current = json_codec.load(Document, seen) if seen else Document(id=document_id)
            changed = field_masks.apply(mask, current, patch, fields, MUTABLE)
            made = await self._prepared(branch, changed, current)
            if await self._store.swap(branch.data_store, made, seen):
                return _stored(made)
        raise Aborted(
            f"others keep changing '{name}'; try again", reason="CONCURRENT_UPDATE", resource=name
        )

    async def _prepared(
        self, branch: Branch, document: Document, before: Document | None
    ) -> StoredDocument:
        """Read *document*; where its text lies elsewhere it stays as it was imported *before*."""
        try:
            if before is not None and _lies_elsewhere(before, document):
                stored = await self._text_of(branch, before)
                if stored is not None:
                    return prepared_documents.relabelled(
                        document, branch.data_store, stored, now=dt.datetime.now(dt.UTC)
                    )
            return await self._read(branch, document)
        except Unreadable as exc:
            raise _refusal(exc, document) from exc

    async def _read(self, branch: Branch, document: Document) -> StoredDocument:
        source, digest = await self._parsers.threads.run(_source, document, branch.chunk_size)
        (made,) = await self._parsers.read(
            [source], branch.data_store, chunk_size=branch.chunk_size
        )
        if isinstance(made, Unreadable):
            raise made
        return msgspec.structs.replace(made, digest=digest)

    async def _text_of(self, branch: Branch, document: Document) -> IndexContent | None:
        """Return what is stored of the text of *document*, None where its fields are its text."""
        contents = await self._store.contents(branch.data_store, [document.id])
        stored = contents.get(document.id)
        try:
            of_fields = unpack((await self._read(branch, document)).content)
        except Unreadable:
            return stored
        if stored is None or of_fields is None or _texts(stored) == _texts(of_fields):
            return None
        return stored


def _texts(content: IndexContent) -> list[str]:
    """Return the texts of its chunks; their blocks depend on what else is stored."""
    return [chunk.text for chunk in content.chunks]


def _source(document: Document, chunk_size: int) -> tuple[DocumentSource, bytes]:
    source = document_sources.of_document(document)
    return source, document_sources.digest(source, chunk_size=chunk_size)


def _stored(made: StoredDocument) -> Document:
    return json_codec.load(Document, made.document)


def _state(uri: str, document: Document | None) -> DocumentMetadata:
    return DocumentMetadata(
        matcher_value=MatcherValue(uri=uri),
        state=State.INDEXED if document else State.NOT_IN_INDEX,
        last_refreshed_time=document.index_time if document else None,
    )


def _lies_elsewhere(before: Document, document: Document) -> bool:
    """Tell whether the text of *document* may be that of a file which is not in the resource."""
    content = document.content
    return content is not None and content.raw_bytes is None and content == before.content


def _check_names(document: Document, branch: Branch, document_id: str) -> None:
    """Refuse a body that names another document than the path."""
    name = names.document(branch.data_store, document_id)
    if document.id not in ("", document_id):
        raise InvalidArgument("document.id: is not the id in the path", field="document.id")
    if document.name and names.canonical(document.name) != name:
        raise InvalidArgument("document.name: is not the name in the path", field="document.name")


def _refusal(exc: Unreadable, document: Document) -> ServiceError:
    if exc.reason in NOT_READ:
        return Unimplemented(f"document.content: {exc}", reason=exc.reason)
    as_json = document.json_data is not None
    has_bytes = document.content is not None and document.content.raw_bytes is not None
    if has_bytes and not (as_json and exc.reason == "INVALID_JSON"):
        field = "document.content"
    else:
        field = "document.jsonData" if as_json else "document.structData"
    return InvalidArgument(f"{field}: {exc}", field=field, reason=exc.reason)
