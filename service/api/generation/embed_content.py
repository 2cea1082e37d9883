"""Text embeddings over REST: as predictions of a model, and as embedded contents."""

from __future__ import annotations

from typing import Final

from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.answering.methods.embed_content import EmbeddingMethods
from service.api.generation.models import operation
from service.api.http import routes, versions
from service.api.http.json_bodies import MessageRequest
from sessions.resources.embeddings import (
    BatchEmbedContentsRequest,
    BatchEmbedContentsResponse,
    EmbedContentRequest,
    EmbedContentResponse,
    PredictRequest,
    PredictResponse,
)

_MODELS: Final = (
    "/v1/publishers/{publisher:str}/models/{model:str}",
    routes.LOCATION + "/publishers/{publisher:str}/models/{model:str}",
)
_ENDPOINT: Final = routes.LOCATION + "/endpoints/{endpoint:str}"
_GEMINI_MODEL: Final = "/v1/models/{model:str}"


class EmbedContentController(Controller):
    """``…/publishers/*/models/*:predict`` and ``:embedContent``."""

    tags = ("Embeddings",)
    opt = {"versions": versions.GENERATION}  # noqa: RUF012 - the framework copies it

    @post(
        [f"{model}/:predict" for model in (*_MODELS, _ENDPOINT)],
        status_code=200,
        operation_id=operation("Predict"),
    )
    async def predict(
        self,
        request: MessageRequest,
        data: JSONBody[PredictRequest],
        embedding_methods: NamedDependency[EmbeddingMethods],
    ) -> PredictResponse:
        """Embed texts: each instance has a ``content``, each prediction ``embeddings``."""
        return await request.answer(embedding_methods.predict(request.name, data))

    @post(
        [f"{model}/:embedContent" for model in _MODELS],
        status_code=200,
        operation_id=operation("EmbedContent"),
    )
    async def embed_content(
        self,
        request: MessageRequest,
        data: JSONBody[EmbedContentRequest],
        embedding_methods: NamedDependency[EmbeddingMethods],
    ) -> EmbedContentResponse:
        """Embed one content."""
        return await request.answer(embedding_methods.embed_content(request.name, data))


class GeminiEmbedContentController(Controller):
    """``models/*:embedContent`` and ``:batchEmbedContents``, as the Gemini API has them."""

    tags = ("Embeddings",)
    opt = {"versions": ("v1", "v1beta")}  # noqa: RUF012 - the framework copies it

    @post(
        f"{_GEMINI_MODEL}/:embedContent", status_code=200, operation_id="EmbedContentOfGeminiModel"
    )
    async def embed_content(
        self,
        request: MessageRequest,
        data: JSONBody[EmbedContentRequest],
        embedding_methods: NamedDependency[EmbeddingMethods],
    ) -> EmbedContentResponse:
        """Embed one content."""
        return await request.answer(embedding_methods.embed_content(request.name, data))

    @post(
        f"{_GEMINI_MODEL}/:batchEmbedContents",
        status_code=200,
        operation_id="BatchEmbedContents",
    )
    async def batch_embed_contents(
        self,
        request: MessageRequest,
        data: JSONBody[BatchEmbedContentsRequest],
        embedding_methods: NamedDependency[EmbeddingMethods],
    ) -> BatchEmbedContentsResponse:
        """Embed several contents."""
        return await request.answer(embedding_methods.batch_embed_contents(request.name, data))
