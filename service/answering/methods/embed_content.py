"""Embed the texts that a caller brings, with the model that the operator configured.

Three methods ask for the same: ``predict`` on a text embedding model, ``embedContent``, and
``batchEmbedContents``. Whatever id of an embedding model is asked for, the configured one answers,
as one generator answers for all ids of generating models.
"""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from service.answering.requests import embedding_texts, field_checks
from service.answering.requests.embedding_texts import EmbeddingText
from service.answering.requests.models import Models
from service.answering.views import usage_metadata
from service.embeddings.embedder import LONGEST, Embedder, TextKind, unit
from service.generation import token_counts
from service.thread_pools import ThreadPools
from sessions import names
from sessions.errors import (
    DeadlineExceeded,
    FailedPrecondition,
    InvalidArgument,
    ResourceExhausted,
)
from sessions.resources.embeddings import (
    BatchEmbedContentsRequest,
    BatchEmbedContentsResponse,
    EmbedContentRequest,
    EmbedContentResponse,
    Embedding,
    PredictRequest,
    PredictResponse,
    UsageMetadata,
)

_PORTION: Final = 16
"""Texts embedded at once: a query that comes meanwhile waits for one portion, not for all."""
_AT_ONCE: Final = 2
"""Portions at work at the same time: callers must not keep queries from being embedded."""
_PATIENCE: Final = 60.0
"""Seconds until a request is given up."""
MOST_WAITING: Final = 1_000_000
"""Characters of all requests that are being embedded or wait for it: the local model reads some
25,000 of them a second, so that what is taken is embedded in time."""
_LATER: Final = 10
"""Seconds after which it is worth to ask again."""


class _Embedded(NamedTuple):
    """A text as it was embedded: *tokens* is an estimate, and *truncated* whether it was cut."""

    values: tuple[float, ...]
    tokens: int
    truncated: bool
    billable: int


class EmbeddingMethods:
    """The methods that embed; *embedder* is None where the operator configured none."""

    def __init__(self, embedder: Embedder | None, models: Models, pools: ThreadPools) -> None:
        self._embedder = embedder
        self._models = models
        self._pools = pools
        self._portions = asyncio.Semaphore(_AT_ONCE)
        self._waiting = 0

    async def predict(self, model: str, request: PredictRequest) -> PredictResponse:
        """Embed the text of each instance.

        Raises:
            FailedPrecondition: no embeddings are configured, or the model does not embed.
            InvalidArgument: an instance or a parameter cannot be used.
            ResourceExhausted: as many characters wait as may.
        """
        embedder = self._checked(model)
        field_checks.check_labels(request.labels)
        found = await self._embedded(embedder, embedding_texts.of_instances(request))
        return PredictResponse(
            predictions=tuple(map(_prediction, found)),
            model_display_name=embedder.name,
            metadata={"billableCharacterCount": sum(each.billable for each in found)},
        )

    async def embed_content(self, model: str, request: EmbedContentRequest) -> EmbedContentResponse:
        """Embed one content.

        Raises:
            FailedPrecondition, InvalidArgument, ResourceExhausted: as `predict`.
        """
        embedder = self._checked(model)
        (found,) = await self._embedded(embedder, [embedding_texts.of_content(request)])
        return EmbedContentResponse(
            embedding=Embedding(values=found.values),
            usage_metadata=UsageMetadata(
                prompt_token_count=found.tokens,
                total_token_count=found.tokens,
                prompt_tokens_details=usage_metadata.text_token_counts(found.tokens),
            ),
            truncated=found.truncated,
        )

    async def batch_embed_contents(
        self, model: str, request: BatchEmbedContentsRequest
    ) -> BatchEmbedContentsResponse:
        """Embed several contents.

        Raises:
            FailedPrecondition, InvalidArgument, ResourceExhausted: as `predict`.
        """
        embedder = self._checked(model)
        texts = embedding_texts.of_batch(model, request)
        found = await self._embedded(embedder, texts)
        return BatchEmbedContentsResponse(
            embeddings=tuple(Embedding(values=each.values) for each in found)
        )

    def _checked(self, model: str) -> Embedder:
        """Return what embeds, or refuse the *model*."""
        if self._embedder is None:
            raise FailedPrecondition(
                "no embeddings are configured: set COLLOQUY_EMBEDDINGS=local, or name an endpoint "
                "in COLLOQUY_EMBEDDING_BASE_URL and its model in COLLOQUY_EMBEDDING_MODEL",
                reason="EMBEDDINGS_NOT_CONFIGURED",
            )
        if not self._models.embeds(model):
            asked = names.last_id(model)
            raise FailedPrecondition(
                f"the model '{asked[:100]}' makes no embeddings; ask an embedding model, such as "
                "text-embedding-005, or ask this one by generateContent",
                reason="MODEL_NOT_FOR_EMBEDDING",
                model=asked[:100],
            )
        return self._embedder

    async def _embedded(
        self, embedder: Embedder, texts: Sequence[EmbeddingText]
    ) -> list[_Embedded]:
        """Return what *texts* become, in their order, unless too much of others waits."""
        size = sum(len(text.text[:LONGEST]) for text in texts)
        if self._waiting and self._waiting + size > MOST_WAITING:
            raise ResourceExhausted(
                "as many texts as may wait to be embedded; nothing was begun: send them later",
                reason="TOO_MANY_TEXTS",
                retry_after=_LATER,
            )
        self._waiting += size
        try:
            async with asyncio.timeout(_PATIENCE):
                vectors = await self._vectors(embedder, texts)
        except TimeoutError:
            raise DeadlineExceeded(
                "the texts were not embedded in time; send fewer of them", reason="MODEL_TIMEOUT"
            ) from None
        finally:
            self._waiting -= size
        return await self._pools.reading.run(_counted, texts, vectors)

    async def _vectors(
        self, embedder: Embedder, texts: Sequence[EmbeddingText]
    ) -> list[array[float]]:
        """Embed *texts* portion by portion."""
        vectors: list[array[float]] = [array("f")] * len(texts)
        for kind in TextKind:
            places = [at for at, text in enumerate(texts) if text.kind is kind]
            for first in range(0, len(places), _PORTION):
                portion = places[first : first + _PORTION]
                async with self._portions:
                    made = await embedder.embed([texts[at].text for at in portion], kind)
                for at, vector in zip(portion, made, strict=True):
                    vectors[at] = _shortened(vector, texts[at])
        return vectors


def _shortened(vector: array[float], text: EmbeddingText) -> array[float]:
    """Return the first parts of *vector*, as many as *text* wants, of length 1 again."""
    if text.dimensions is None:
        return vector
    if text.dimensions > len(vector):
        field = text.dimensions_field
        raise InvalidArgument(
            f"{field}: the model gives {len(vector)} numbers; ask for at most so many", field=field
        )
    return unit(vector[: text.dimensions])


def _counted(texts: Sequence[EmbeddingText], vectors: Sequence[array[float]]) -> list[_Embedded]:
    return [
        _Embedded(
            values=tuple(vector),
            tokens=token_counts.count(text.text[:LONGEST]),
            truncated=len(text.text) > LONGEST,
            billable=token_counts.billable(text.text),
        )
        for text, vector in zip(texts, vectors, strict=True)
    ]


def _prediction(found: _Embedded) -> dict[str, Any]:
    # Both statistics are read by clients without asking whether they are there.
    statistics = {"token_count": found.tokens, "truncated": found.truncated}
    return {"embeddings": {"values": found.values, "statistics": statistics}}
