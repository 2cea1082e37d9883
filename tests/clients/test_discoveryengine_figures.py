"""The images of documents come with answers that ask for them, as v1beta has them."""

from __future__ import annotations

import io
import secrets
from typing import Any, NamedTuple

import pytest
from PIL import Image

from sessions.codec import json_codec
from sessions.resources.answer_query import AnswerQueryRequest
from streaming.client.client import Client
from tests.clients import discovery
from tests.clients.discovery import Api, Service
from tests.corpus import pictures

QUERY = "How do I prime the garden pump?"
CORPUS: Any = {"answer_generation_spec": {"multimodal_spec": {"image_source": 2}}}
PUMP = f"""<h1>Garden pump</h1><h2>Priming the garden pump</h2>
<p>To prime the garden pump, fill the housing with clean water through the filler plug.</p>
<figure><img src="{pictures.inline(pictures.png())}" alt="Filler plug seen from above">
<figcaption>Figure 1: the zirconium plug of the housing.</figcaption></figure>"""
SECRET = f"""<h1>Garden pump of the king</h1><p>To prime the garden pump of the king, turn it.</p>
<img src="{pictures.inline(pictures.png("blue"))}" alt="The throne">"""


class Garden(NamedTuple):
    """A data store with a page that shows a picture, and one that others may not see."""

    api: Api
    store: str
    config: str


@pytest.fixture(scope="module")
def garden(service: Service) -> Garden:
    api = discovery.api("v1beta", service.url, f"p{secrets.token_hex(5)}")
    store = api.data_store("garden")
    pages = [
        api.document("pump", PUMP, "text/html", audience="all"),
        api.document("secret", SECRET, "text/html", audience="king"),
        api.document("bare", "# Hose\n\nRoll the hose up.", audience="all"),
    ]
    api.import_(store, *pages)
    return Garden(api, store, f"{store}/servingConfigs/default_serving_config")


def ask(garden: Garden, *, session: str = "", query: str = QUERY, **request: Any) -> Any:
    return {
        "serving_config": garden.config,
        "query": {"text": query},
        "session": session and f"{garden.store}/sessions/{session}",
        "search_spec": {"search_params": {"filter": 'audience: ANY("all")'}},
        **request,
    }


def client(garden: Garden) -> Any:
    return garden.api.client("ConversationalSearchService")


def check(answer: Any, *, has_data: bool = True) -> None:
    """Check that *answer* has the one picture, and that its passage says so."""
    assert "fill the housing with clean water" in answer.answer_text
    assert "zirconium" not in answer.answer_text
    (attachment,) = answer.blob_attachments
    assert attachment.attribution_type.name == "CORPUS"
    assert attachment.data.mime_type == "image/png"
    if has_data:
        assert Image.open(io.BytesIO(attachment.data.data)).size == (200, 120)
    else:
        assert attachment.data.data == b""
    info = answer.references[0].unstructured_document_info
    assert [list(each.blob_attachment_indexes) for each in info.chunk_contents] == [[0]]


@pytest.mark.parametrize("session", ["", "-"])
def test_an_answer_has_the_images_of_what_it_was_made_of(garden: Garden, session: str) -> None:
    answer = client(garden).answer_query(ask(garden, session=session, **CORPUS)).answer
    check(answer)
    if session:
        check(client(garden).get_answer(name=answer.name))
        whole = client(garden).get_session(
            {"name": answer.name.partition("/answers/")[0], "include_answer_details": True}
        )
        check(whole.turns[0].detailed_answer, has_data=False)


def test_an_answer_by_chunks_and_from_all_sources_has_them_too(garden: Garden) -> None:
    search = {"search_params": {"filter": 'audience: ANY("all")', "search_result_mode": 2}}
    source: Any = {"answer_generation_spec": {"multimodal_spec": {"image_source": 1}}}
    store = garden.api.data_store(
        f"chunked{secrets.token_hex(3)}",
        document_processing_config={
            "chunking_config": {"layout_based_chunking_config": {"chunk_size": 200}}
        },
    )
    garden.api.import_(store, garden.api.document("pump", PUMP, "text/html", audience="all"))
    chunked = garden._replace(store=store, config=f"{store}/servingConfigs/default_serving_config")
    told = client(garden).answer_query(ask(chunked, search_spec=search, **source)).answer
    assert list(told.references[0].chunk_info.blob_attachment_indexes) == [0]
    assert len(told.blob_attachments) == 1


def test_nobody_has_images_who_does_not_ask_or_may_not_see_the_document(garden: Garden) -> None:
    plain = client(garden).answer_query(ask(garden)).answer
    assert plain.references
    assert not plain.blob_attachments
    assert (
        not plain.references[0].unstructured_document_info.chunk_contents[0].blob_attachment_indexes
    )
    king = "How do I prime the garden pump of the king?"
    kept = client(garden).answer_query(ask(garden, query=king, **CORPUS)).answer
    shown = {attachment.data.data for attachment in kept.blob_attachments}
    search = {"search_params": {"filter": 'audience: ANY("king")'}}
    told = client(garden).answer_query(ask(garden, query=king, search_spec=search, **CORPUS)).answer
    assert len(told.blob_attachments) == 1
    assert told.blob_attachments[0].data.data not in shown
    # Whoever brings results may name any document: that is no way to its images.
    document = f"{garden.store}/branches/0/documents/secret"
    result = {"chunk_info": {"chunk": f"{document}/chunks/c1", "content": "Turn the pump."}}
    given = {"search_result_list": {"search_results": [result]}}
    brought = client(garden).answer_query(ask(garden, search_spec=given, **CORPUS)).answer
    assert brought.references
    assert not brought.blob_attachments


@pytest.mark.parametrize("session", ["", "-"])
def test_a_stream_tells_images_with_the_references_and_at_the_end(
    garden: Garden, session: str
) -> None:
    told = list(client(garden).stream_answer_query(ask(garden, session=session, **CORPUS)))
    with_references = [one.answer for one in told[:-1] if one.answer.references]
    assert len(with_references) == 1
    assert with_references[0].blob_attachments == told[-1].answer.blob_attachments
    assert not any(one.answer.blob_attachments for one in told[:-1] if not one.answer.references)
    check(told[-1].answer)


@pytest.mark.anyio
async def test_a_socket_tells_images_live_and_again(garden: Garden, service: Service) -> None:
    body: Any = garden.api.types.AnswerQueryRequest
    asked_for: str = body.to_json(body(ask(garden, session="-", **CORPUS)))
    request = json_codec.decode(AnswerQueryRequest, asked_for.encode())
    async with Client(service.url.replace("http", "ws") + "/v1/ws") as socket:
        asked = socket.ask("", serving_config=garden.config, request=request)
        told = [one.response.answer async for one in asked]
        last = told[-1]
        assert last is not None
        (attachment,) = last.blob_attachments
        assert attachment.data is not None
        assert Image.open(io.BytesIO(attachment.data.data)).size == (200, 120)
        early = [one.blob_attachments for one in told[:-1] if one and one.references]
        assert early == [last.blob_attachments]
        again = [one.response.answer async for one in socket.resume(last.name)]
        assert again[-1] is not None
        assert again[-1].blob_attachments == last.blob_attachments


def test_an_image_goes_with_its_document(garden: Garden) -> None:
    store = garden.api.data_store(f"gone{secrets.token_hex(3)}")
    garden.api.import_(store, garden.api.document("pump", PUMP, "text/html", audience="all"))
    own = garden._replace(store=store, config=f"{store}/servingConfigs/default_serving_config")
    answer = client(own).answer_query(ask(own, session="-", **CORPUS)).answer
    check(answer)
    documents = garden.api.client("DocumentService")
    documents.delete_document(name=f"{store}/branches/0/documents/pump")
    check(client(own).get_answer(name=answer.name), has_data=False)


def test_replies_and_summaries_have_images(garden: Garden) -> None:
    spec: Any = {"include_citations": True, "multimodal_spec": {"image_source": 2}}
    seen = 'audience: ANY("all")'
    found = garden.api.client("SearchService").search(
        {
            "serving_config": garden.config,
            "query": QUERY,
            "filter": seen,
            "content_search_spec": {"summary_spec": spec},
        }
    )
    conversation: Any = {
        "name": f"{garden.store}/conversations/-",
        "query": {"input": QUERY},
        "filter": seen,
        "summary_spec": {**spec, "include_citations": False},
    }
    said = client(garden).converse_conversation(conversation)
    for summary in (found.summary, said.reply.summary):
        whole = summary.summary_with_metadata
        (attachment,) = whole.blob_attachments
        assert attachment.attribution_type.name == "CORPUS"
        assert Image.open(io.BytesIO(attachment.data.data)).size == (200, 120)
        assert list(whole.references[0].chunk_contents[0].blob_attachment_indexes) == [0]
    kept = client(garden).get_conversation(name=said.conversation.name)
    (attachment,) = kept.messages[-1].reply.summary.summary_with_metadata.blob_attachments
    assert (attachment.data.mime_type, attachment.data.data) == ("image/png", b"")


def test_a_caption_is_found_and_is_no_answer(garden: Garden) -> None:
    found = garden.api.client("SearchService").search(
        {"serving_config": garden.config, "query": "zirconium"}
    )
    assert [result.document.id for result in found.results] == ["pump"]
