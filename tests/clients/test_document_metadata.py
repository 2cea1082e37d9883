"""What files say of themselves comes back with their contexts, references and citations."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clients import asking
from tests.clients.aiplatform import Rag
from tests.clients.discovery import Api, Service
from tests.corpus.texts import pdf_of_pieces

QUERY = "Where are the bicycles lent?"
PAGES: tuple[list[tuple[float, float, int, str]], ...] = (
    [(50, 700, 10, "The museum opens at ten."), (50, 60, 10, "The bicycles are lent at the")],
    [(50, 700, 10, "desk beside the north gate.")],
)
"""A text that goes on over the end of a page, in the middle of a sentence."""


@pytest.fixture(params=["v1", "v1beta1"])
def rag(request: Any, service: Service) -> Rag:
    return Rag(request.param, service.url)


def generated(rag: Rag, corpus: str) -> Any:
    """Return the candidate that answers `QUERY` from *corpus*."""
    request = rag.types.GenerateContentRequest(
        model=f"{rag.location}/publishers/google/models/gemini-2.0-flash",
        contents=[rag.content(QUERY)],
        tools=[rag.tool(corpus)],
    )
    return rag.client("PredictionService").generate_content(request).candidates[0]


def test_what_goes_over_the_end_of_a_page_names_both_pages(rag: Rag) -> None:
    corpus = rag.corpus()
    rag.upload(corpus, "guide.pdf", pdf_of_pieces(*PAGES))
    (context,) = rag.retrieve(corpus, QUERY)
    (chunk,) = generated(rag, corpus).grounding_metadata.grounding_chunks
    for of in (context.chunk, chunk.retrieved_context.rag_chunk):
        assert (of.page_span.first_page, of.page_span.last_page) == (1, 2)


def test_references_name_the_pages_of_what_they_quote(api: Api) -> None:
    chunking = {"chunking_config": {"layout_based_chunking_config": {"chunk_size": 500}}}
    store = api.data_store("guides", document_processing_config=chunking)
    raw = {"raw_bytes": pdf_of_pieces(*PAGES), "mime_type": "application/pdf"}
    api.import_(store, api.types.Document({"id": "guide", "content": raw}))
    whole = asking.ask(api, store, QUERY).answer.references[0].unstructured_document_info
    assert whole.chunk_contents[0].page_identifier == "1-2"
    chunks = {"search_params": {"search_result_mode": "CHUNKS"}}
    chunk = asking.ask(api, store, QUERY, search_spec=chunks).answer.references[0].chunk_info
    assert chunk.document_metadata.page_identifier == "1-2"


LICENSE = "https://creativecommons.org/licenses/by/4.0/"
PAGE = (
    f'<html><head><title>Bicycles</title><link rel="license" href="{LICENSE}">'
    '<meta property="article:published_time" content="2024-05-03T10:00:00Z"></head>'
    "<body><h1>Bicycles</h1><p>The bicycles are lent at the desk beside the north gate.</p>"
)
HEADER = "---\ntitle: Bicycles\ndate: 2023-11\n---\n\nThe bicycles are lent at the harbour.\n"


@pytest.mark.parametrize(
    ("name", "text", "license_", "date"),
    [
        ("page.html", PAGE, LICENSE, (2024, 5, 3)),
        ("page.md", HEADER, "", (2023, 11, 0)),
        ("page.txt", "The bicycles are lent at the station.", "", (0, 0, 0)),
    ],
)
def test_citations_name_licence_and_date_as_far_as_they_are_known(
    rag: Rag, name: str, text: str, license_: str, date: tuple[int, int, int]
) -> None:
    corpus = rag.corpus()
    rag.upload(corpus, name, text.encode())
    (citation,) = generated(rag, corpus).citation_metadata.citations
    published = citation.publication_date
    assert citation.license_ == license_
    assert (published.year, published.month, published.day) == date
    assert ("publication_date" in citation) == bool(date[0])


def test_what_a_file_states_is_among_the_fields_of_its_document(v1: Api) -> None:
    """Fields of the document go first; a change of the fields leaves what the file states."""
    store = v1.data_store()
    page = v1.document("page", PAGE, "text/html", license="Ours")
    v1.import_(store, page)
    documents = v1.client("DocumentService")
    name = f"{store}/branches/default_branch/documents/page"
    made = documents.get_document(name=name)
    assert made.derived_struct_data["datePublished"] == "2024-05-03"
    assert dict(made.struct_data) == {"license": "Ours"}
    made.struct_data = {"kind": "help"}
    documents.update_document({"document": made, "update_mask": {"paths": ["struct_data"]}})
    serving = f"{store}/servingConfigs/default_search"
    search = v1.client("SearchService").search
    told = {"serving_config": serving, "query": QUERY, "filter": f'license: ANY("{LICENSE}")'}
    (result,) = search(told).results
    fields = {"kind": "help", "license": LICENSE, "datePublished": "2024-05-03"}
    assert dict(result.document.struct_data) == fields


def test_documents_of_fields_are_cited_as_others_are(v1: Api) -> None:
    """Beside one with a text: each claim names the source that it comes from."""
    store = v1.data_store()
    fields = {"title": "Lending", "uri": "https://x.example/lending", "license": LICENSE}
    text = "The bicycles are lent at the desk beside the north gate."
    v1.import_(
        store,
        v1.types.Document(
            {"id": "fields", "struct_data": {**fields, "text": text, "date": "2024-05"}}
        ),
        v1.document("text", "The bicycles are repaired behind the museum, and lent in summer."),
    )
    rag = Rag("v1", v1.url, v1.project)
    request = rag.types.GenerateContentRequest(
        model=f"{rag.location}/publishers/google/models/gemini-2.0-flash",
        contents=[rag.content(QUERY)],
        tools=[{"retrieval": {"vertex_ai_search": {"datastore": store}}}],
    )
    candidate = rag.client("PredictionService").generate_content(request).candidates[0]
    chunks = [chunk.retrieved_context for chunk in candidate.grounding_metadata.grounding_chunks]
    first = next(chunk for chunk in chunks if chunk.uri == fields["uri"])
    assert (first.title, first.document_name.rpartition("/")[2]) == ("Lending", "fields")
    assert text in first.text
    (citation, *_) = candidate.citation_metadata.citations
    assert (citation.uri, citation.license_) == (fields["uri"], LICENSE)
    assert (citation.publication_date.year, citation.publication_date.month) == (2024, 5)
    (support, *_) = candidate.grounding_metadata.grounding_supports
    assert chunks.index(first) in support.grounding_chunk_indices
