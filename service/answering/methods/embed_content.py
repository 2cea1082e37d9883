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

import msgspec

from service.answering.methods.models import Models
from service.answering.requests import field_checks
from service.answering.views import usage_metadata
from service.embeddings.embedder import LONGEST, Embedder, TextKind, unit
from service.generation import token_counts
from service.thread_pools import ThreadPools
from sessions import names
from sessions.codec import json_codec
from sessions.errors import DeadlineExceeded, FailedPrecondition, InvalidArgument
from sessions.resources.base import Int32, Resource
from sessions.resources.contents import Content
from sessions.resources.embeddings import (
    BatchEmbedContentsRequest,
    BatchEmbedContentsResponse,
    EmbedContentConfig,
    EmbedContentRequest,
    EmbedContentResponse,
    Embedding,
    EmbeddingTaskType,
    PredictRequest,
    PredictResponse,
    UsageMetadata,
)

MAX_TEXTS: Final = 250
"""Texts of one request, as text embedding models of the public API take."""
MAX_LENGTH: Final = 1_000_000
"""Characters of all texts of one request: to count more would hold up other requests."""
_PORTION: Final = 16
"""Texts embedded at once: a query that comes meanwhile waits for one portion, not for all."""
_AT_ONCE: Final = 2
"""Portions at work at the same time: callers must not keep queries from being embedded."""
_PATIENCE: Final = 60.0
"""Seconds until a request is given up."""


class EmbeddedText(NamedTuple):
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

    async def predict(self, model: str, request: PredictRequest) -> PredictResponse:
        """Embed the text of each instance.

        Raises:
            FailedPrecondition: no embeddings are configured, or the model does not embed.
            InvalidArgument: an instance or a parameter cannot be used.
        """
        embedder = self._checked(model)
        field_checks.check_labels(request.labels)
        asked = _predicted(request)
        parameters = asked.parameters or _Parameters()
        texts = [
            _Text(
                _titled(each.title, each.content, each.task_type, f"instances[{at}]"),
                _kind(each.task_type),
                f"instances[{at}].content",
            )
            for at, each in enumerate(asked.instances)
        ]
        options = _Options(
            parameters.auto_truncate is not False,
            parameters.output_dimensionality,
            "parameters.outputDimensionality",
        )
        found = await self._embedded(embedder, texts, [options] * len(texts))
        return PredictResponse(
            predictions=tuple(map(_prediction, found)),
            model_display_name=embedder.name,
            metadata={"billableCharacterCount": sum(each.billable for each in found)},
        )

    async def embed_content(self, model: str, request: EmbedContentRequest) -> EmbedContentResponse:
        """Embed one content.

        Raises:
            FailedPrecondition, InvalidArgument: as `predict`.
        """
        embedder = self._checked(model)
        text, options = _read(request, "")
        (found,) = await self._embedded(embedder, [text], [options])
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
            FailedPrecondition, InvalidArgument: as `predict`.
        """
        embedder = self._checked(model)
        asked = [_read(each, f"requests[{at}].") for at, each in enumerate(request.requests)]
        for at, each in enumerate(request.requests):
            # Each names the model once more; another one would not be the one that is asked.
            if each.model and names.last_id(each.model) != names.last_id(model):
                field = f"requests[{at}].model"
                raise InvalidArgument(f"{field}: is not the model in the path", field=field)
        _check_count(len(asked), "requests")
        found = await self._embedded(embedder, [a[0] for a in asked], [a[1] for a in asked])
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
        self, embedder: Embedder, texts: Sequence[_Text], options: Sequence[_Options]
    ) -> list[EmbeddedText]:
        """Return what *texts* become, in their order."""
        _check_lengths(texts, options)
        vectors: list[array[float]] = [array("f")] * len(texts)
        try:
            async with asyncio.timeout(_PATIENCE):
                for kind in TextKind:
                    places = [at for at, text in enumerate(texts) if text.kind is kind]
                    for first in range(0, len(places), _PORTION):
                        portion = places[first : first + _PORTION]
                        async with self._portions:
                            made = await embedder.embed([texts[at].text for at in portion], kind)
                        for at, vector in zip(portion, made, strict=True):
                            vectors[at] = _shortened(vector, options[at])
        except TimeoutError:
            raise DeadlineExceeded(
                "the texts were not embedded in time; send fewer of them", reason="MODEL_TIMEOUT"
            ) from None
        return await self._pools.reading.run(_counted, texts, vectors)


class _Text(NamedTuple):
    """A text to embed, and the field that it stands in."""

    text: str
    kind: TextKind
    field: str


class _Options(NamedTuple):
    """Whether a text may be cut, and how many numbers are wanted, as *field* says."""

    may_cut: bool
    dimensions: int | None
    field: str


class _Instance(Resource):
    """An instance of a text embedding model (the schema ``text_embedding_1.0.0``)."""

    content: str = ""
    task_type: EmbeddingTaskType = EmbeddingTaskType.UNSPECIFIED
    title: str = ""
    mime_type: str = ""


class _Parameters(Resource):
    """The parameters of a text embedding model."""

    auto_truncate: bool | None = None
    output_dimensionality: Int32 | None = None


class _Prediction(Resource):
    """A request for predictions whose instances are texts."""

    instances: tuple[_Instance, ...] = ()
    parameters: _Parameters | None = None


def _predicted(request: PredictRequest) -> _Prediction:
    _check_count(len(request.instances), "instances")
    plain = {"instances": request.instances, "parameters": request.parameters}
    asked = json_codec.decode(_Prediction, msgspec.json.encode(plain))
    for at, each in enumerate(asked.instances):
        if each.mime_type not in ("", "text/plain"):
            field = f"instances[{at}].mimeType"
            raise InvalidArgument(f"{field}: only text/plain is embedded", field=field)
    return asked


def _read(request: EmbedContentRequest, path: str) -> tuple[_Text, _Options]:
    """Return what *request* asks for; *path* is where its fields stand."""
    config = request.embed_content_config or EmbedContentConfig()
    if config.document_ocr or config.audio_track_extraction:
        field = f"{path}embedContentConfig"
        raise InvalidArgument(
            f"{field}: only text is embedded; leave out documentOcr and audioTrackExtraction",
            field=field,
        )

    def given(one: Any, older: Any) -> Any:
        return older if one is None else one

    task = given(config.task_type, request.task_type)
    title = given(config.title, request.title) or ""
    text = _titled(title, _text_of(request.content, f"{path}content"), task, path.rstrip("."))
    dimensions = given(config.output_dimensionality, request.output_dimensionality)
    may_cut = given(config.auto_truncate, request.auto_truncate) is not False
    return (
        _Text(text, _kind(task), f"{path}content"),
        _Options(may_cut, dimensions, f"{path}outputDimensionality"),
    )


def _text_of(content: Content | None, field: str) -> str:
    parts = content.parts if content else ()
    for at, part in enumerate(parts):
        if part.text is None:
            where = f"{field}.parts[{at}]"
            raise InvalidArgument(f"{where}: only text is embedded", field=where)
    return "\n".join(part.text or "" for part in parts)


def _kind(task: EmbeddingTaskType | None) -> TextKind:
    """Return what a text is to a model that tells two kinds apart.

    Without a task it is a query, as text embedding models have it; so are texts that are compared
    with their like, as the models of the family E5 want it.
    """
    is_document = task is EmbeddingTaskType.RETRIEVAL_DOCUMENT
    return TextKind.DOCUMENT if is_document else TextKind.QUERY


def _titled(title: str, text: str, task: EmbeddingTaskType | None, path: str) -> str:
    """Return the *text* under its *title*, or refuse them."""
    dot = "." if path else ""
    if not text.strip():
        field = f"{path}{dot}content"
        raise InvalidArgument(f"{field}: give a text to embed", field=field)
    if not title:
        return text
    if task is not EmbeddingTaskType.RETRIEVAL_DOCUMENT:
        field = f"{path}{dot}title"
        raise InvalidArgument(
            f"{field}: only texts with the task type RETRIEVAL_DOCUMENT have a title", field=field
        )
    return f"{title}\n{text}"


def _check_count(count: int, field: str) -> None:
    if not count:
        raise InvalidArgument(f"{field}: give at least one", field=field)
    field_checks.check_at_most(count, MAX_TEXTS, field, "texts")


def _check_lengths(texts: Sequence[_Text], options: Sequence[_Options]) -> None:
    for text, option in zip(texts, options, strict=True):
        if len(text.text) > LONGEST and not option.may_cut:
            raise InvalidArgument(
                f"{text.field}: at most {LONGEST} characters are embedded, its title included, "
                "unless autoTruncate lets the rest be cut off",
                field=text.field,
            )
        if option.dimensions is not None and option.dimensions < 1:
            raise InvalidArgument(f"{option.field}: give 1 or more", field=option.field)
    if (total := sum(len(text.text) for text in texts)) > MAX_LENGTH:
        field = texts[0].field.partition("[")[0]
        field_checks.check_at_most(total, MAX_LENGTH, field, "characters")


def _shortened(vector: array[float], options: _Options) -> array[float]:
    """Return the first parts of *vector*, as many as wanted, of length 1 again."""
    if options.dimensions is None:
        return vector
    if options.dimensions > len(vector):
        raise InvalidArgument(
            f"{options.field}: the model gives {len(vector)} numbers; ask for at most so many",
            field=options.field,
        )
    return unit(vector[: options.dimensions])


def _counted(texts: Sequence[_Text], vectors: Sequence[array[float]]) -> list[EmbeddedText]:
    return [
        EmbeddedText(
            values=tuple(vector),
            tokens=token_counts.count(text.text[:LONGEST]),
            truncated=len(text.text) > LONGEST,
            billable=token_counts.billable(text.text),
        )
        for text, vector in zip(texts, vectors, strict=True)
    ]


def _prediction(found: EmbeddedText) -> dict[str, Any]:
    # Both statistics are read by clients without asking whether they are there.
    statistics = {"token_count": found.tokens, "truncated": found.truncated}
    return {"embeddings": {"values": found.values, "statistics": statistics}}
