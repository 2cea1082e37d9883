"""One document or file over the limits of its reading is refused, and changes nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from service import stores
from service.corpus.catalogue.rag_corpora import RagCorpora
from service.corpus.document_access import UNRESTRICTED
from service.corpus.documents.documents import Documents
from service.corpus.documents.rag_files import RagFiles, UploadedFile
from service.corpus.isolation.document_limits import ParsingLimits
from service.corpus.isolation.pool import ParsingPool
from service.corpus.tantivy.index import TantivyIndex
from service.settings import Settings
from service.stores import Stores
from sessions import names
from sessions.errors import InvalidArgument, NotFound
from sessions.listing.pagination import ListQuery
from sessions.resources.documents import (
    Content,
    CreateDocumentRequest,
    Document,
)
from sessions.resources.rag_corpora import RagCorpus
from sessions.resources.rag_files import RagFile
from tests.corpus import hostile
from tests.redis_servers import Server

pytestmark = pytest.mark.anyio

LIMITS: Final = ParsingLimits(memory=170 << 20, memory_per_byte=0)
TOLD: Final = "reading the file takes more than 170 MB of memory"
STORE: Final = "projects/limits/locations/global/collections/default_collection/dataStores/d"
BRANCH: Final = f"{STORE}/branches/0"
LISTS: Final = hostile.HOSTILE["lists.json"]()
HUGE: Final = Content(raw_bytes=LISTS, mime_type="application/json")
GOOD: Final = Document(content=Content(raw_bytes=b"# Ferry\n", mime_type="text/markdown"))


class Small(NamedTuple):
    """What the API of a service with small limits stands on."""

    store: Stores
    documents: Documents
    corpora: RagCorpora
    files: RagFiles


@pytest.fixture
async def small(redis_server: Server, tmp_path: Path) -> AsyncIterator[Small]:
    settings = Settings(data_dir=tmp_path, redis_url=redis_server.url, sample=False)
    async with (
        stores.opened(settings) as store,
        ParsingPool(LIMITS) as parsers,
        TantivyIndex(store.documents) as index,
    ):
        await store.catalogue.ensure_data_store(STORE)
        tokens = store.page_tokens
        documents = Documents(store.documents, parsers, index, store.catalogue, tokens)
        corpora = RagCorpora(store.redis, store.keys, store.documents, store.catalogue)
        files = RagFiles(corpora, store.documents, parsers, index)
        yield Small(store, documents, corpora, files)
        await store.catalogue.delete_data_store(STORE)


async def test_a_single_document_over_a_limit_is_not_created(small: Small) -> None:
    request = CreateDocumentRequest(document=Document(content=HUGE), document_id="huge")
    with pytest.raises(InvalidArgument) as refused:
        await small.documents.create(BRANCH, request)
    assert (refused.value.reason, refused.value.field) == ("PARSE_LIMIT", "document.content")
    assert refused.value.message.startswith(f"document.content: {TOLD}")
    with pytest.raises(NotFound):
        await small.documents.get(f"{BRANCH}/documents/huge", UNRESTRICTED)


@pytest.mark.parametrize(
    ("patch", "reason", "field"),
    [
        (Document(content=HUGE), "PARSE_LIMIT", "document.content"),
        (Document(json_data=LISTS.decode()), "TOO_LARGE", "document.jsonData"),
        (Document(struct_data={"a": [[]] * 200_000}), "TOO_LARGE", "document.structData"),
    ],
    ids=["content", "jsonData", "structData"],
)
async def test_a_patch_over_a_limit_names_its_field_and_leaves_the_document(
    small: Small, patch: Document, reason: str, field: str
) -> None:
    before = GOOD if patch.content else Document(struct_data={"title": "Ferry"})
    name = f"{BRANCH}/documents/ferry"
    made = await small.documents.create(
        BRANCH, CreateDocumentRequest(document=before, document_id="ferry")
    )
    mask = {"document.content": "content", "document.jsonData": "jsonData"}.get(field, "structData")
    with pytest.raises(InvalidArgument) as refused:
        await small.documents.update(name, patch, mask, frozenset(), allow_missing=False)
    assert (refused.value.reason, refused.value.field) == (reason, field)
    assert refused.value.message.startswith(f"{field}: ")
    assert await small.documents.get(name, UNRESTRICTED) == made


async def test_content_that_is_no_json_is_told_as_content(small: Small) -> None:
    broken = Document(content=Content(raw_bytes=b"{", mime_type="application/json"))
    request = CreateDocumentRequest(document=broken, document_id="broken")
    with pytest.raises(InvalidArgument) as refused:
        await small.documents.create(BRANCH, request)
    assert (refused.value.reason, refused.value.field) == ("INVALID_JSON", "document.content")


async def test_an_upload_over_a_limit_makes_no_file(small: Small) -> None:
    location = names.parent(names.parent(names.parent(STORE)))
    corpus = (await small.corpora.create(location, RagCorpus(display_name="c"))).name
    upload = UploadedFile(file=RagFile(display_name="lists"), data=LISTS, filename="lists.json")
    with pytest.raises(InvalidArgument) as refused:
        await small.files.upload(corpus, upload)
    assert (refused.value.reason, refused.value.field) == ("PARSE_LIMIT", "file")
    assert refused.value.message.startswith(f"file: {TOLD}")
    assert await small.corpora.list_files(ListQuery(corpus)) == ([], "")
    assert [i async for page in small.store.documents.all_ids(corpus) for i in page] == []
