"""Texts are embedded for the official clients, where the operator configured embeddings."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal
from google.api_core import exceptions
from google.auth.credentials import AnonymousCredentials

from service.settings import Settings
from tests.clients import discovery, field_coverage
from tests.clients.aiplatform import REGION, Rag
from tests.clients.conftest import running_service
from tests.clients.discovery import Service, call
from tests.doubles import OpenAIServer
from tests.embeddings.doubles import DIMENSIONS, embeddings, hashed
from tests.packages import Package
from tests.redis_servers import Server

vertexai = Package("vertexai")
language_models = Package("vertexai.language_models")
genai = Package("google.genai")
types = Package("google.genai.types")
errors = Package("google.genai.errors")
credentials = Package("google.oauth2.credentials")

MODEL = "text-embedding-005"
POOL = "The swimming pool opens at nine."
DOGS = "Dogs need a licence."


@pytest.fixture(scope="module")
def endpoint() -> Iterator[OpenAIServer]:
    """Serve embeddings by the parts of words."""
    with (
        start_blocking_portal("asyncio") as portal,
        portal.wrap_async_context_manager(OpenAIServer(embeddings())) as server,
    ):
        yield server


@pytest.fixture(scope="module")
def embedding(
    endpoint: OpenAIServer, module_redis: Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    """Serve with that endpoint."""
    settings = Settings(
        port=0,
        data_dir=tmp_path_factory.mktemp("embedding"),
        redis_url=module_redis.service_url,
        sample=False,
        embedding_base_url=endpoint.base_url,
        embedding_model="nomic-embed-text",
    )
    with running_service(settings) as running:
        yield running


@pytest.fixture(params=["v1", "v1beta1"])
def platform(request: Any, embedding: Service) -> Rag:
    return Rag(request.param, embedding.url)


def embed(service: Service, version: str = "v1beta1", api_key: str = "", **asked: Any) -> Any:
    """Ask the generation client, with an API key or with credentials."""
    more = {"project": "p1", "location": REGION, "credentials": credentials.Credentials(token="x")}
    http = types.HttpOptions(base_url=service.url, api_version=version)
    given = {"api_key": api_key} if api_key else {"vertexai": True, **more}
    with field_coverage.http_client() as held:
        http.httpx_client = held
        with genai.Client(http_options=http, **given) as client:
            return client.models.embed_content(**asked)


def near(values: Any, text: str) -> bool:
    """Tell whether *values* is the vector of *text*."""
    cosine = sum(a * b for a, b in zip(values, hashed(text), strict=True))
    return cosine == pytest.approx(1.0, abs=1e-3)


def test_the_prediction_client_embeds_instances(platform: Rag) -> None:
    model = f"{platform.location}/publishers/google/models/{MODEL}"
    instances = [
        {"content": POOL, "task_type": "RETRIEVAL_QUERY"},
        {"content": DOGS, "task_type": "RETRIEVAL_DOCUMENT", "title": "Dogs"},
    ]
    reply = platform.client("PredictionService").predict(
        endpoint=model, instances=instances, parameters={"outputDimensionality": 128}
    )
    first, second = (dict(each["embeddings"]) for each in reply.predictions)
    assert len(first["values"]) == len(second["values"]) == 128
    assert math.hypot(*first["values"]) == pytest.approx(1.0, abs=1e-4)
    assert dict(first["statistics"]) == {"token_count": 7.0, "truncated": False}
    assert reply.model_display_name == "nomic-embed-text"
    billable = len((POOL + "Dogs" + DOGS).replace(" ", ""))
    assert reply.metadata["billableCharacterCount"] == billable


def test_the_prediction_client_embeds_a_content(platform: Rag) -> None:
    request = platform.types.EmbedContentRequest(
        model=f"{platform.location}/publishers/google/models/gemini-embedding-2",
        content=platform.content(POOL * 100),
    )
    reply = platform.client("PredictionService").embed_content(request)
    assert len(reply.embedding.values) == DIMENSIONS
    assert reply.truncated
    assert reply.usage_metadata.prompt_token_count == reply.usage_metadata.total_token_count > 400


@pytest.mark.filterwarnings("ignore:This feature is deprecated")
def test_the_language_model_module_gets_embeddings(embedding: Service) -> None:
    vertexai.init(
        project="p1",
        location=REGION,
        api_endpoint=embedding.url,
        api_transport="rest",
        credentials=AnonymousCredentials(),  # pyright: ignore[reportNoUntypedCall]
    )
    model = language_models.TextEmbeddingModel.from_pretrained(MODEL)
    one = language_models.TextEmbeddingInput(POOL, "SEMANTIC_SIMILARITY")
    found = model.get_embeddings([one, DOGS], output_dimensionality=16)
    assert [len(each.values) for each in found] == [16, 16]
    assert found[0].statistics.token_count == 7
    assert found[0].statistics.truncated is False


def test_the_generation_client_embeds_with_credentials(embedding: Service) -> None:
    reply = embed(embedding, model=MODEL, contents=[POOL, DOGS])
    assert [len(each.values) for each in reply.embeddings] == [DIMENSIONS] * 2
    assert reply.embeddings[0].statistics.token_count == 7
    assert reply.metadata.billable_character_count == len((POOL + DOGS).replace(" ", ""))


def test_the_generation_client_embeds_by_the_newer_method(embedding: Service) -> None:
    """Models of this name are asked by ``:embedContent``."""
    config = types.EmbedContentConfig(output_dimensionality=4, task_type="CLUSTERING")
    reply = embed(embedding, model="gemini-embedding-2", contents=POOL, config=config)
    (found,) = reply.embeddings
    assert len(found.values) == 4
    assert found.statistics.token_count == 7


def test_the_generation_client_embeds_with_an_api_key(embedding: Service) -> None:
    config = types.EmbedContentConfig(task_type="RETRIEVAL_DOCUMENT", title="Pool")
    reply = embed(embedding, "v1beta", "x", model=MODEL, contents=[POOL, DOGS], config=config)
    assert [len(each.values) for each in reply.embeddings] == [DIMENSIONS] * 2
    assert near(reply.embeddings[0].values, f"search_document: Pool\n{POOL}")


@pytest.mark.parametrize("version", ["v1", "v1beta"])
def test_one_content_is_embedded_without_a_client(embedding: Service, version: str) -> None:
    url = f"{embedding.url}/{version}/models/{MODEL}:embedContent"
    reply = call(url, "POST", {"content": {"parts": [{"text": POOL}]}})
    assert near(reply.body["embedding"]["values"], f"search_query: {POOL}")


LONG = "x" * 2_001
CASES: list[tuple[str, dict[str, Any], str]] = [
    ("predict", {}, "instances"),
    ("predict", {"instances": [{"content": " "}]}, "instances[0].content"),
    ("predict", {"instances": ["text"]}, "instances[0]"),
    ("predict", {"instances": [{"content": "a", "image": {}}]}, "instances[0].image"),
    ("predict", {"instances": [{"content": "a", "title": "b"}]}, "instances[0].title"),
    (
        "predict",
        {"instances": [{"content": "a", "mimeType": "image/png"}]},
        "instances[0].mimeType",
    ),
    ("predict", {"instances": [{"content": "a", "task_type": "X"}]}, "instances[0].taskType"),
    ("predict", {"instances": [{"content": "a"}] * 251}, "instances"),
    ("predict", {"instances": [{"content": "x" * 500_001}] * 2}, "instances"),
    (
        "predict",
        {"instances": [{"content": LONG}], "parameters": {"autoTruncate": False}},
        "instances[0].content",
    ),
    (
        "predict",
        {"instances": [{"content": "a"}], "parameters": {"outputDimensionality": 257}},
        "parameters.outputDimensionality",
    ),
    (
        "predict",
        {"instances": [{"content": "a"}], "parameters": {"outputDimensionality": 0}},
        "parameters.outputDimensionality",
    ),
    ("embedContent", {}, "content"),
    (
        "embedContent",
        {"content": {"parts": [{"inlineData": {"mimeType": "image/png", "data": "AA=="}}]}},
        "content.parts[0]",
    ),
    (
        "embedContent",
        {"content": {"parts": [{"text": "a"}]}, "embedContentConfig": {"documentOcr": True}},
        "embedContentConfig",
    ),
    ("batchEmbedContents", {}, "requests"),
    ("batchEmbedContents", {"requests": [{}]}, "requests[0].content"),
    (
        "batchEmbedContents",
        {"requests": [{"model": "models/other-embedding", "content": {"parts": [{"text": "a"}]}}]},
        "requests[0].model",
    ),
]


@pytest.mark.parametrize(("verb", "body", "field"), CASES)
def test_what_cannot_be_embedded_is_refused_by_its_field(
    embedding: Service, verb: str, body: dict[str, Any], field: str
) -> None:
    base = "models" if verb == "batchEmbedContents" else "publishers/google/models"
    reply = call(f"{embedding.url}/v1/{base}/{MODEL}:{verb}", "POST", body)
    assert reply.status == 400
    violations = reply.body["error"]["details"]
    assert field in str(violations)
    assert reply.body["error"]["message"].startswith(field)


def test_a_model_that_does_not_embed_says_so(platform: Rag) -> None:
    model = f"{platform.location}/publishers/google/models/gemini-2.0-flash"
    with pytest.raises(exceptions.BadRequest, match="makes no embeddings") as refusal:
        platform.client("PredictionService").predict(endpoint=model, instances=[{"content": POOL}])
    assert discovery.reason(refusal.value) == "MODEL_NOT_FOR_EMBEDDING"


def test_without_embeddings_the_setting_is_named(service: Service) -> None:
    with pytest.raises(errors.ClientError, match="COLLOQUY_EMBEDDINGS=local") as refusal:
        embed(service, model=MODEL, contents=POOL)
    assert refusal.value.status == "FAILED_PRECONDITION"
