"""The high-level RAG modules, over TLS: one of them uploads to https only."""

from __future__ import annotations

import gc
import secrets
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from google.auth.credentials import AnonymousCredentials

from tests.clients.aiplatform import FEES, HOURS, REGION
from tests.clients.discovery import Service
from tests.packages import Package

pytestmark = [
    pytest.mark.filterwarnings("ignore:This feature is deprecated"),
    pytest.mark.filterwarnings("ignore:The Vertex SDK GenAI rag module is experimental"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # they leave files open
]
vertexai = Package("vertexai")
platform = Package("agentplatform")
genai_types = Package("google.genai.types")
credentials = Package("google.oauth2.credentials")

QUERY = "How much is the renewal of a passport?"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "fees.md").write_text(FEES)
    (tmp_path / "hours.txt").write_text(HOURS)
    return tmp_path


@pytest.fixture
def tidied() -> Iterator[None]:
    """Close what the modules leave open: files that they uploaded, connections."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()


@pytest.fixture(params=["rag", "preview.rag"])
def rag(
    request: Any, secure: tuple[Service, Path], monkeypatch: pytest.MonkeyPatch, tidied: None
) -> Any:
    """The module, pointed at the service in a project of the test's own."""
    return module(request.param, secure, monkeypatch)


@pytest.fixture
def stable(secure: tuple[Service, Path], monkeypatch: pytest.MonkeyPatch, tidied: None) -> Any:
    return module("rag", secure, monkeypatch)


def module(name: str, secure: tuple[Service, Path], monkeypatch: pytest.MonkeyPatch) -> Any:
    service, certificate = secure
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
    vertexai.init(
        project=f"p{secrets.token_hex(5)}",
        location=REGION,
        api_endpoint=service.url.removeprefix("https://"),
        api_transport="rest",
        credentials=AnonymousCredentials(),  # pyright: ignore[reportNoUntypedCall]
    )
    return Package(f"vertexai.{name}")


def test_a_corpus_lives_its_life(rag: Any) -> None:
    made = rag.create_corpus(display_name="Portal", description="d")
    assert rag.get_corpus(made.name).display_name == "Portal"
    assert [corpus.name for corpus in rag.list_corpora()] == [made.name]
    rag.update_corpus(made.name, display_name="New")
    assert rag.get_corpus(made.name).display_name == "New"
    rag.delete_corpus(made.name)
    with pytest.raises(RuntimeError):
        rag.get_corpus(made.name)


def test_a_corpus_shows_its_back_end(stable: Any) -> None:
    model = "publishers/google/models/text-embedding-005"
    endpoint = stable.VertexPredictionEndpoint(publisher_model=model)
    config = stable.RagVectorDbConfig(
        rag_embedding_model_config=stable.RagEmbeddingModelConfig(
            vertex_prediction_endpoint=endpoint
        )
    )
    made = stable.create_corpus(display_name="Portal", backend_config=config)
    shown = stable.get_corpus(made.name).backend_config
    assert isinstance(shown.vector_db, stable.RagManagedDb)
    shown_model = shown.rag_embedding_model_config.vertex_prediction_endpoint.publisher_model
    assert shown_model.endswith(model)


def test_an_uploaded_file_is_retrieved(stable: Any, files: Path) -> None:
    corpus = stable.create_corpus(display_name="Portal").name
    made = stable.upload_file(
        corpus_name=corpus, path=str(files / "fees.md"), display_name="it's fees", description="d"
    )
    assert (made.display_name, made.description) == ("it's fees", "d")
    assert [file.name for file in stable.list_files(corpus)] == [made.name]
    assert stable.get_file(made.name).display_name == "it's fees"
    reply = stable.retrieval_query(
        rag_resources=[stable.RagResource(rag_corpus=corpus)],
        text=QUERY,
        rag_retrieval_config=stable.RagRetrievalConfig(
            top_k=3, filter=stable.Filter(vector_distance_threshold=0.5)
        ),
    )
    (context,) = reply.contexts.contexts
    assert (context.source_uri, context.source_display_name) == ("it's fees", "it's fees")
    assert 0 < context.score < 0.5
    stable.delete_file(made.name)
    assert list(stable.list_files(corpus)) == []


def test_chunks_are_cut_as_wanted(stable: Any, files: Path) -> None:
    corpus = stable.create_corpus(display_name="Portal").name
    chunking = stable.ChunkingConfig(chunk_size=30, chunk_overlap=5)
    stable.upload_file(
        corpus_name=corpus,
        path=str(files / "fees.md"),
        transformation_config=stable.TransformationConfig(chunking_config=chunking),
    )
    reply = stable.retrieval_query(
        rag_resources=[stable.RagResource(rag_corpus=corpus)], text="express passport fee"
    )
    assert len(reply.contexts.contexts) > 1


def test_failures_are_the_modules_own(stable: Any, files: Path) -> None:
    corpus = stable.create_corpus(display_name="Portal").name
    (files / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    with pytest.raises(RuntimeError, match="indexing"):
        stable.upload_file(corpus_name=corpus, path=str(files / "broken.pdf"))
    absent = corpus.rpartition("/")[0] + "/1"
    with pytest.raises(ValueError, match="not found"):
        stable.upload_file(corpus_name=absent, path=str(files / "fees.md"))


def test_the_engine_config_is_read(stable: Any) -> None:
    project = Package("google.cloud.aiplatform").initializer.global_config.project
    name = f"projects/{project}/locations/{REGION}/ragEngineConfig"
    config = stable.get_rag_engine_config(name)
    assert isinstance(config.rag_managed_db_config.tier, stable.Basic)


def test_inline_citations_are_put_by_bytes(stable: Any, files: Path) -> None:
    """The client's own helper cuts the text by the bytes of our segments."""
    corpus = stable.create_corpus(display_name="Portal").name
    stable.upload_file(corpus_name=corpus, path=str(files / "fees.md"), display_name="fees")
    source = stable.VertexRagStore(rag_resources=[stable.RagResource(rag_corpus=corpus)])
    models = Package("vertexai.generative_models")
    tool = models.Tool.from_retrieval(stable.Retrieval(source=source))
    model = models.GenerativeModel("gemini-1.5-flash-001", tools=[tool])
    reply = model.generate_content("What does the express service cost?")
    metadata = reply.candidates[0].grounding_metadata
    cited = stable.add_inline_citations_and_references(
        reply.text, list(metadata.grounding_supports), list(metadata.grounding_chunks)
    )
    assert "The express service costs 35 € more.[0]" in cited.cited_text
    chat = model.start_chat()
    assert chat.send_message("What does the express service cost?").text
    assert "three" in chat.send_message("How many working days does it take?").text


@pytest.fixture
def newer(service: Service, tidied: None) -> Any:
    """The newer platform client, in a project of the test's own."""
    return platform.Client(
        project=f"p{secrets.token_hex(5)}",
        location=REGION,
        credentials=credentials.Credentials(token="x"),
        http_options=genai_types.HttpOptions(base_url=service.url),
    )


def test_the_newer_client_uploads_in_pieces_and_retrieves(newer: Any, files: Path) -> None:
    corpus = newer.rag.create_corpus(rag_corpus={"display_name": "Portal"})
    made = newer.rag.upload_file(
        corpus_name=corpus.name, path=str(files / "fees.md"), display_name="Fees"
    )
    assert (made.display_name, made.size_bytes) == ("Fees", len(FEES.encode()))
    listed = newer.rag.list_files(name=corpus.name).rag_files
    assert [file.name for file in listed] == [made.name]
    store = {"rag_resources": [{"rag_corpus": corpus.name}]}
    found = newer.rag.retrieve_contexts(vertex_rag_store=store, query={"text": QUERY})
    assert found.contexts.contexts[0].source_display_name == "Fees"
    assert newer.rag.get_corpus(name=corpus.name).rag_files_count == 1
    renamed = newer.rag.update_corpus(name=corpus.name, rag_corpus={"display_name": "New"})
    assert renamed.display_name == "New"
    newer.rag.delete_file(name=made.name)
    newer.rag.delete_corpus(name=corpus.name)
    assert not newer.rag.list_corpora().rag_corpora
