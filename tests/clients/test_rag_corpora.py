"""Corpora by the official RAG data client of both versions, against the running service."""

from __future__ import annotations

from typing import Any

import pytest
from google.api_core import exceptions

from tests.clients import aiplatform
from tests.clients.aiplatform import Rag
from tests.clients.discovery import Service
from tests.waiting import LONG


@pytest.fixture(params=["v1", "v1beta1"])
def rag(request: Any, service: Service) -> Rag:
    return Rag(request.param, service.url)


@pytest.fixture
def v1(service: Service) -> Rag:
    return Rag("v1", service.url)


def test_a_created_corpus_comes_back_from_the_operation(rag: Rag) -> None:
    operation = rag.data.create_rag_corpus(
        parent=rag.location,
        rag_corpus=rag.types.RagCorpus(display_name="Portal", description="Its pages"),
    )
    assert operation.done()
    made = operation.result(timeout=LONG)
    corpus, _, number = operation.operation.name.rpartition("/operations/")
    assert corpus == made.name
    assert number.isdecimal()
    assert operation.metadata.generic_metadata.create_time
    assert made.corpus_status.state.name == "ACTIVE"
    endpoint = made.vector_db_config.rag_embedding_model_config.vertex_prediction_endpoint
    assert endpoint.endpoint == f"{rag.location}/publishers/colloquy/models/lexical"
    assert "rag_managed_db" in made.vector_db_config
    read = rag.data.get_rag_corpus(name=made.name)
    assert (read.display_name, read.description) == ("Portal", "Its pages")


def test_a_corpus_is_no_data_store(v1: Rag) -> None:
    v1.corpus()
    assert v1.call(f"{v1.location}/collections/default_collection/dataStores").body == {}


def test_the_embedding_that_is_named_is_echoed(rag: Rag) -> None:
    endpoint = {"endpoint": f"{rag.location}/publishers/google/models/text-embedding-005"}
    config = {"rag_embedding_model_config": {"vertex_prediction_endpoint": endpoint}}
    made = rag.data.create_rag_corpus(
        parent=rag.location,
        rag_corpus=rag.types.RagCorpus(display_name="Portal", vector_db_config=config),
    ).result(timeout=LONG)
    echoed = made.vector_db_config.rag_embedding_model_config.vertex_prediction_endpoint
    assert echoed.endpoint == endpoint["endpoint"]


def test_pages_of_corpora_join_without_gaps(rag: Rag) -> None:
    names = {rag.corpus() for _ in range(5)}
    pager = rag.data.list_rag_corpora(request={"parent": rag.location, "page_size": 2})
    pages = [list(page.rag_corpora) for page in pager.pages]
    assert [len(page) for page in pages] == [2, 2, 1]
    assert {corpus.name for page in pages for corpus in page} == names


def test_an_update_overwrites_what_it_brings(rag: Rag) -> None:
    name = rag.corpus()
    patch = rag.types.RagCorpus(name=name, description="New")
    operation = rag.data.update_rag_corpus(rag_corpus=patch)
    made = operation.result(timeout=LONG)
    assert (made.display_name, made.description) == ("Portal", "New")
    assert made.update_time >= made.create_time
    assert rag.data.get_rag_corpus(name=name).description == "New"


def test_what_a_corpus_retrieves_from_stays(v1: Rag) -> None:
    name = v1.corpus()
    for body in (
        {"vertexAiSearchConfig": {"servingConfig": "s"}},
        {"name": f"{v1.location}/ragCorpora/1"},
    ):
        assert v1.call(name, "PATCH", body).status == 400
    model = {"vertexPredictionEndpoint": {"endpoint": "e"}}
    assert v1.call(name, "PATCH", {"ragEmbeddingModelConfig": model}).status == 200
    echoed = v1.data.get_rag_corpus(name=name).vector_db_config.rag_embedding_model_config
    assert echoed.vertex_prediction_endpoint.endpoint == "e"


def test_a_deleted_corpus_is_gone_with_its_files(rag: Rag) -> None:
    name = rag.corpus(fees=aiplatform.FEES)
    operation = rag.data.delete_rag_corpus(name=name)
    operation.result(timeout=LONG)
    assert operation.operation.name.startswith(f"{name}/operations/")
    for call in (
        lambda: rag.data.get_rag_corpus(name=name),
        lambda: rag.data.list_rag_files(parent=name),
        lambda: rag.retrieve(name, "fees"),
        lambda: rag.data.delete_rag_corpus(name=name),
    ):
        with pytest.raises(exceptions.NotFound):
            call()


def test_operations_can_be_read_again_in_both_versions(service: Service) -> None:
    """Clients poll strictly: no field may be in an operation that its version lacks."""
    v1, beta = Rag("v1", service.url), Rag("v1beta1", service.url)
    kind: Any = {"document_corpus": {}}
    operation = beta.data.create_rag_corpus(
        parent=beta.location,
        rag_corpus=beta.types.RagCorpus(display_name="B", corpus_type_config=kind),
    )
    for rag in (v1, beta):
        again = rag.data.get_operation({"name": operation.operation.name})
        assert again.done
        made = rag.types.RagCorpus.pb()()
        assert again.response.Unpack(made)
        assert made.display_name == "B"


def test_the_engine_has_a_tier(rag: Rag) -> None:
    name = f"{rag.location}/ragEngineConfig"
    assert "basic" in rag.data.get_rag_engine_config(name=name).rag_managed_db_config
    config = rag.types.RagEngineConfig(name=name, rag_managed_db_config={"scaled": {}})
    operation = rag.data.update_rag_engine_config(rag_engine_config=config)
    assert operation.operation.name.startswith(f"{rag.location}/operations/")
    assert "scaled" in operation.result(timeout=LONG).rag_managed_db_config
    assert "scaled" in rag.data.get_rag_engine_config(name=name).rag_managed_db_config


@pytest.mark.parametrize(
    ("config", "status"),
    [(None, 400), ({}, 400), ({"enterprise": {}}, 501), ({"serverless": {}}, 501)],
)
def test_a_tier_that_is_none_is_refused(v1: Rag, config: Any, status: int) -> None:
    body = {"ragManagedDbConfig": config}
    assert v1.call(f"{v1.location}/ragEngineConfig", "PATCH", body).status == status


def test_operations_of_a_location_are_polled_without_a_version(rag: Rag) -> None:
    config: Any = {"ragManagedDbConfig": {"basic": {}}}
    made = rag.call(f"{rag.location}/ragEngineConfig", "PATCH", config)
    assert made.body["response"]["@type"].endswith(f".{rag.version}.RagEngineConfig")
    polled = aiplatform.discovery.call(f"{rag.url}/ui/{made.body['name']}")
    assert polled.body == made.body


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "ragCorpus.displayName"),
        ({"displayName": "x" * 129}, "ragCorpus.displayName"),
        ({"displayName": "x", "nothing": 1}, "nothing"),
        (
            {"displayName": "x", "vertexAiSearchConfig": {"servingConfig": "s"}},
            "ragCorpus.vertexAiSearchConfig.servingConfig",
        ),
    ],
)
def test_a_corpus_that_cannot_be_is_refused(v1: Rag, body: Any, field: str) -> None:
    refused = v1.call(f"{v1.location}/ragCorpora", "POST", body)
    assert refused.status == 400
    violations = refused.body["error"]["details"][1]["fieldViolations"]
    assert violations[0]["field"] == field


@pytest.mark.parametrize(
    "body",
    [
        {"vectorDbConfig": {"pinecone": {"indexName": "i"}}},
        {"vectorDbConfig": {"vertexVectorSearch": {"index": "i"}}},
        {"vectorDbConfig": {"weaviate": {}}},
        {"vectorDbConfig": {"apiAuth": {}}},
        {"corpusTypeConfig": {"memoryCorpus": {"llmParser": {}}}},
        {"encryptionSpec": {"kmsKeyName": "k"}},
    ],
)
def test_vectors_elsewhere_and_other_corpora_are_not_offered(v1: Rag, body: Any) -> None:
    refused = v1.call(f"{v1.location}/ragCorpora", "POST", {"displayName": "x", **body})
    assert (refused.status, refused.body["error"]["status"]) == (501, "UNIMPLEMENTED")


def test_corpora_are_in_no_version_of_search(service: Service) -> None:
    assert Rag("v1", service.url).call("projects/p/locations/l/ragCorpora").status == 200
    refused = aiplatform.discovery.call(f"{service.url}/v1alpha/projects/p/locations/l/ragCorpora")
    assert refused.status == 404
