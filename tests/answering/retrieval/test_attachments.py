"""An answer has the images of its best passages, within bounds, and their bytes when it is told."""

from __future__ import annotations

import msgspec
import pytest

from service.answering.pipeline import retrieving
from service.answering.retrieval import attachments as module
from service.answering.retrieval.attachments import Attachments
from service.corpus.index import Hit
from service.corpus.storage.document_store import DocumentStore
from service.corpus.stored_documents import StoredFigure
from sessions import names
from sessions.codec import json_codec
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources import answer_query, answers
from tests.corpus.doubles import content, entry
from tests.corpus.texts import STORE

pytestmark = pytest.mark.anyio


@pytest.fixture
def store(redis: Redis, keys: Keys) -> DocumentStore:
    return DocumentStore(redis, keys)


def image(number: int, chunk: int = 0, size: int = 10) -> StoredFigure:
    data = bytes([number]) * size
    return StoredFigure(
        chunk=chunk, digest=bytes([number]) * 16, mime="image/jpeg", size=size, data=data
    )


def hit(document: str, chunk: int = 0, relevance: float = 0.9) -> Hit:
    texts = ["One.", "Two.", "Three."]
    whole = content(document, *texts)
    name = names.document(STORE, document)
    return Hit(chunk=whole.chunk(name, chunk, whole.chunks[chunk]), score=1.0, relevance=relevance)


async def put(store: DocumentStore, document: str, *images: StoredFigure) -> None:
    made = entry(document, "One.", "Two.", "Three.")
    await store.put(STORE, [msgspec.structs.replace(made, figures=images)])


async def attached(
    store: DocumentStore, *hits: Hit
) -> tuple[list[list[list[str]]], list[bytes], module.Attached]:
    """Return the numbers of each passage of each reference, and the images."""
    attachments = Attachments(store.figures)
    found = retrieving.by_documents(hits, 10)
    made = await attachments.attached(found.hits, found.references, found.reference_of)
    infos = [one.unstructured_document_info for one in made.references]
    numbers = [
        [list(each.blob_attachment_indexes) for each in info.chunk_contents]
        for info in infos
        if info
    ]
    told = await attachments.resolved(made.attachments)
    return numbers, [one.data.data for one in told if one.data], made


async def test_each_passage_names_the_images_that_stand_in_it(store: DocumentStore) -> None:
    await put(store, "a", image(1), image(2, 2), image(3, 1))
    await put(store, "b", image(4), image(1))
    numbers, data, _ = await attached(store, hit("a", 2), hit("b"), hit("a"), hit("c"))
    assert data == [bytes([n]) * 10 for n in (2, 4, 1)]
    assert numbers == [[["0"], ["2"]], [["1", "2"]], [[]]]


async def test_documents_that_are_beside_the_question_show_nothing(store: DocumentStore) -> None:
    await put(store, "a", image(1), image(2, 1))
    assert await attached(store, hit("a", relevance=0.1)) == ([[[]]], [], module.Attached(*_bare()))
    numbers, _, _ = await attached(store, hit("a"), hit("a", 1, relevance=0.0))
    assert numbers == [[["0"], ["1"]]]


def _bare() -> tuple[tuple[answers.Reference, ...], tuple[()]]:
    return retrieving.by_documents([hit("a", relevance=0.1)], 10).references, ()


async def test_an_answer_has_so_many_images_and_bytes(store: DocumentStore) -> None:
    await put(store, "a", *(image(n) for n in range(1, 30)))
    _, data, made = await attached(store, hit("a"))
    assert len(data) == module.IMAGES
    stored = json_codec.dump(answers.Answer(blob_attachments=made.attachments))
    assert len(stored) < 4_000
    half = module.BYTES // 2 + 1
    await put(store, "a", image(1, size=half), image(2, size=half), image(3))
    _, data, _ = await attached(store, hit("a"))
    assert [len(each) for each in data] == [half, 10]


async def test_what_is_gone_leaves_its_type(store: DocumentStore) -> None:
    await put(store, "a", image(1))
    _, _, made = await attached(store, hit("a"))
    answer = answers.Answer(blob_attachments=made.attachments)
    await store.delete(STORE, ["a"])
    gone = await Attachments(store.figures).resolved_answer(answer)
    (blob,) = gone.blob_attachments
    assert blob.data == answers.Blob(mime_type="image/jpeg")
    assert gone == module.without_data(answer)
    plain = answers.Answer()
    assert await Attachments(store.figures).resolved_answer(plain) is plain
    assert module.without_data(plain) is plain
    assert await Attachments(store.figures).resolved(gone.blob_attachments) == (blob,)


def test_images_are_wanted_where_the_corpus_is_a_source() -> None:
    def wanted(source: int, **more: object) -> bool:
        spec = {"multimodalSpec": {"imageSource": source}}
        body = {"answerGenerationSpec": spec, **more}
        return module.are_wanted(_decoded(body))

    assert [wanted(source) for source in range(4)] == [False, True, True, False]
    assert not module.are_wanted(answer_query.AnswerQueryRequest())
    assert not wanted(2, searchSpec={"searchResultList": {}})


def _decoded(body: object) -> answer_query.AnswerQueryRequest:
    return json_codec.decode(answer_query.AnswerQueryRequest, msgspec.json.encode(body))
