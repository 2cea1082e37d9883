"""What references, citations and messages say of documents, through the clients."""

from __future__ import annotations

import secrets
from typing import Any, Final, NamedTuple

import pytest

from tests.clients.asking import ask, searched
from tests.clients.discovery import Api, Service
from tests.corpus.texts import pdf_file

FERRY: Final = "The ferry to the island costs 7 euros for adults."
TOLL: Final = "The toll of the harbour bridge is 3 euros for cars."
QUERY: Final = "What does the ferry to the island cost, and what is the toll of the harbour bridge?"


class Harbour(NamedTuple):
    """A data store, one that is cut into chunks, and where their documents are."""

    url: str
    project: str
    store: str
    chunked: str


@pytest.fixture(scope="module")
def harbour(service: Service) -> Harbour:
    api = Api("v1", service.url, f"p{secrets.token_hex(5)}")
    chunking = {"layout_based_chunking_config": {"chunk_size": 100}}
    store = api.data_store("harbour")
    chunked = api.data_store("chunked", document_processing_config={"chunking_config": chunking})
    ferry = pdf_file(
        [(20, "Ferries"), (10, "Ferries go every hour.")], [(20, "Prices"), (10, FERRY)]
    )
    for name in (store, chunked):
        api.import_(
            name,
            api.types.Document(
                id="ferry",
                content={"raw_bytes": ferry, "mime_type": "application/pdf"},
                struct_data={"title": "Ferry prices", "url": "https://x.example/ferry.pdf"},
            ),
            api.document("bridge", f"# Bridge\n\n{TOLL}", url="https://x.example/bridge"),
            api.types.Document(
                id="lift",
                struct_data={
                    "title": "Ship lift",
                    "url": "https://x.example/lift",
                    "text": "The ship lift raises boats by 30 metres.",
                },
            ),
        )
    return Harbour(service.url, api.project, store, chunked)


@pytest.fixture(params=["v1", "v1beta", "v1alpha"])
def api(request: Any, harbour: Harbour) -> Api:
    return Api(request.param, harbour.url, harbour.project)


def test_a_passage_of_a_document_names_its_page(api: Api, harbour: Harbour) -> None:
    told = ask(api, harbour.store, "What does the ferry to the island cost?").answer
    info = told.references[0].unstructured_document_info
    assert (info.title, info.uri) == ("Ferry prices", "https://x.example/ferry.pdf")
    (content,) = [one for one in info.chunk_contents if FERRY in one.content]
    assert content.page_identifier == "1-2"
    assert content.relevance_score > 0
    assert info.struct_data["title"] == "Ferry prices"


def test_a_chunk_says_which_document_it_is_of(api: Api, harbour: Harbour) -> None:
    params = searched(search_result_mode="CHUNKS")
    told = ask(api, harbour.chunked, "What does the ferry to the island cost?", **params).answer
    info = told.references[0].chunk_info
    assert FERRY in info.content
    metadata = info.document_metadata
    assert metadata.document == f"{harbour.chunked}/branches/0/documents/ferry"
    assert (metadata.title, metadata.uri) == ("Ferry prices", "https://x.example/ferry.pdf")
    assert metadata.page_identifier == "1-2"
    assert metadata.struct_data["url"] == metadata.uri


def test_a_document_of_fields_says_where_it_is(api: Api, harbour: Harbour) -> None:
    told = ask(api, harbour.store, "By how much does the ship lift raise boats?").answer
    info = told.references[0].structured_document_info
    assert info.document == f"{harbour.store}/branches/0/documents/lift"
    if api.version != "v1alpha":
        assert (info.title, info.uri) == ("Ship lift", "https://x.example/lift")


def test_citations_of_a_summary_point_into_its_references(api: Api, harbour: Harbour) -> None:
    search = api.client("SearchService").search(
        {
            "serving_config": f"{harbour.store}/servingConfigs/default_config",
            "query": QUERY,
            "content_search_spec": {"summary_spec": {"include_citations": True}},
        }
    )
    whole = search.summary.summary_with_metadata
    first, second = whole.citation_metadata.citations
    data = whole.summary.encode()
    for citation, said in ((first, FERRY), (second, TOLL)):
        assert data[citation.start_index : citation.end_index].decode() == said
        reference = whole.references[citation.sources[0].reference_index]
        assert any(said in one.content for one in reference.chunk_contents)
    assert {first.sources[0].reference_index, second.sources[0].reference_index} == {0, 1}
    pages = {one.page_identifier for each in whole.references for one in each.chunk_contents}
    assert "1-2" in pages


@pytest.mark.parametrize("version", ["v1beta", "v1alpha"])
def test_the_older_reply_points_at_its_markers(version: str, harbour: Harbour) -> None:
    reply = (
        Api(version, harbour.url, harbour.project)
        .client("ConversationalSearchService")
        .converse_conversation(
            {
                "name": f"{harbour.store}/conversations/-",
                "query": {"input": QUERY},
                "summary_spec": {"include_citations": True},
            }
        )
        .reply
    )
    assert reply.reply == reply.summary.summary_text
    found = {(reply.reply[one.start : one.end], one.anchor_text) for one in reply.references}
    assert found == {(" [1]", "Bridge"), (" [2]", "Ferry prices")}
    assert all(one.uri.startswith("https://x.example/") for one in reply.references)


def test_a_conversation_keeps_what_the_user_had_open(api: Api, harbour: Harbour) -> None:
    """And answers from it first, whatever the words of the question alone would find."""
    documents = [f"{harbour.store}/branches/0/documents/{one}" for one in ("ferry", "bridge")]
    client = api.client("ConversationalSearchService")
    for active in documents:
        reply = client.converse_conversation(
            {
                "name": f"{harbour.store}/conversations/-",
                "query": {
                    "input": "How many euros is it?",
                    "context": {"active_document": active, "context_documents": [active]},
                },
            }
        )
        assert reply.search_results[0].document.name == active
        said = client.get_conversation(name=reply.conversation.name).messages[0].user_input
        assert said.context.active_document == active
        assert list(said.context.context_documents) == [active]
