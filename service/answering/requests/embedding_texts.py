"""Read which texts are to be embedded and how, and refuse what cannot be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

from service.answering.requests import field_checks
from service.embeddings.embedder import LONGEST, TextKind
from sessions import names
from sessions.codec import json_codec
from sessions.errors import InvalidArgument
from sessions.resources.base import Int32, Resource
from sessions.resources.contents import Content
from sessions.resources.embeddings import (
    BatchEmbedContentsRequest,
    EmbedContentConfig,
    EmbedContentRequest,
    EmbeddingTaskType,
    PredictRequest,
)

MAX_TEXTS: Final = 250
"""Texts of one request, as text embedding models of the public API take."""
MAX_LENGTH: Final = 1_000_000
"""Characters of all texts of one request: to count more would hold up other requests."""


class EmbeddingText(NamedTuple):
    """A text to embed, its title included; *field* is where it stands.

    Where *may_cut*, what is longer than models read is cut off. *dimensions* is how many numbers
    are wanted, None for all that the model gives; *dimensions_field* says so.
    """

    text: str
    kind: TextKind
    field: str
    may_cut: bool
    dimensions: int | None
    dimensions_field: str


def of_instances(request: PredictRequest) -> list[EmbeddingText]:
    """Return the text of each instance of *request*.

    Raises:
        InvalidArgument: an instance or a parameter cannot be used.
    """
    _check_count(len(request.instances), "instances")
    plain = {"instances": request.instances, "parameters": request.parameters}
    asked = json_codec.decode(_Prediction, msgspec.json.encode(plain))
    for at, each in enumerate(asked.instances):
        if each.mime_type not in ("", "text/plain"):
            field = f"instances[{at}].mimeType"
            raise InvalidArgument(f"{field}: only text/plain is embedded", field=field)
    parameters = asked.parameters or _Parameters()
    texts = [
        EmbeddingText(
            _titled(each.title, each.content, each.task_type, f"instances[{at}]."),
            _kind(each.task_type),
            f"instances[{at}].content",
            parameters.auto_truncate is not False,
            parameters.output_dimensionality,
            "parameters.outputDimensionality",
        )
        for at, each in enumerate(asked.instances)
    ]
    return _checked(texts)


def of_content(request: EmbedContentRequest) -> EmbeddingText:
    """Return the text of the content of *request*.

    Raises:
        InvalidArgument: the content or an option cannot be used.
    """
    return _checked([_read(request, "")])[0]


def of_batch(model: str, request: BatchEmbedContentsRequest) -> list[EmbeddingText]:
    """Return the text of each request in *request*, which all ask *model*.

    Raises:
        InvalidArgument: as `of_content`, or another model is asked.
    """
    texts = [_read(each, f"requests[{at}].") for at, each in enumerate(request.requests)]
    for at, each in enumerate(request.requests):
        # Each names the model once more; another one would not be the one that is asked.
        if each.model and names.last_id(each.model) != names.last_id(model):
            field = f"requests[{at}].model"
            raise InvalidArgument(f"{field}: is not the model in the path", field=field)
    _check_count(len(texts), "requests")
    return _checked(texts)


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


def _read(request: EmbedContentRequest, path: str) -> EmbeddingText:
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
    return EmbeddingText(
        _titled(title, _text_of(request.content, f"{path}content"), task, path),
        _kind(task),
        f"{path}content",
        given(config.auto_truncate, request.auto_truncate) is not False,
        given(config.output_dimensionality, request.output_dimensionality),
        f"{path}outputDimensionality",
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
    if not text.strip():
        field = f"{path}content"
        raise InvalidArgument(f"{field}: give a text to embed", field=field)
    if not title:
        return text
    if task is not EmbeddingTaskType.RETRIEVAL_DOCUMENT:
        field = f"{path}title"
        raise InvalidArgument(
            f"{field}: only texts with the task type RETRIEVAL_DOCUMENT have a title", field=field
        )
    return f"{title}\n{text}"


def _check_count(count: int, field: str) -> None:
    if not count:
        raise InvalidArgument(f"{field}: give at least one", field=field)
    field_checks.check_at_most(count, MAX_TEXTS, field, "texts")


def _checked(texts: Sequence[EmbeddingText]) -> list[EmbeddingText]:
    """Return *texts*, unless they are too long or are to become no numbers."""
    for text in texts:
        if len(text.text) > LONGEST and not text.may_cut:
            raise InvalidArgument(
                f"{text.field}: at most {LONGEST} characters are embedded, its title included, "
                "unless autoTruncate lets the rest be cut off",
                field=text.field,
            )
        if text.dimensions is not None and text.dimensions < 1:
            field = text.dimensions_field
            raise InvalidArgument(f"{field}: give 1 or more", field=field)
    if (total := sum(len(text.text) for text in texts)) > MAX_LENGTH:
        field = texts[0].field.partition("[")[0]
        field_checks.check_at_most(total, MAX_LENGTH, field, "characters")
    return list(texts)
