"""Attach the images of documents to the answers that were made of these.

What is stored and logged of an attachment is its type, and instead of its bytes which image it is:
so answers stay small, and an image goes with its document. `Attachments.resolved` puts the bytes
there when an answer is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from service.answering.retrieval.scopes import RELEVANT
from service.corpus.index import Hit
from service.corpus.storage.figure_store import DIGEST, FigureStore
from service.corpus.stored_documents import StoredFigure
from sessions import names
from sessions.resources import answer_query, answers
from sessions.resources.summaries import ImageSource

IMAGES: Final = 8
"""Images that an answer has at most,"""
BYTES: Final = 512 * 1024
"""and their bytes: a message with them stays below the megabyte that WebSocket clients take."""
_STORED: Final = b"\x00figure\x00"
"""How the bytes begin that stand for an image; no image begins so."""

Numbers = tuple[int, ...]
"""Places in the list of attachments."""


class Attached(NamedTuple):
    """References that name their images, and these as they are stored."""

    references: tuple[answers.Reference, ...]
    attachments: tuple[answers.BlobAttachment, ...]


class Attachments:
    """The images that answers have."""

    def __init__(self, figures: FigureStore) -> None:
        self._figures = figures

    async def attached(
        self,
        hits: Sequence[Hit],
        references: tuple[answers.Reference, ...],
        reference_of: Sequence[int],
    ) -> Attached:
        """Return *references* with the images that stand in their passages, best passage first.

        *hits* are what a search found within its scope, each a passage of the reference that
        *reference_of* tells; nothing else may be shown to who asked.

        Raises:
            Unavailable: Redis is away.
        """
        told = {hit.chunk.document for hit in hits if hit.relevance >= RELEVANT}
        shown = await self._figures_of(told)
        chosen: dict[bytes, answers.BlobAttachment] = {}
        numbers: list[list[Numbers]] = [[] for _ in references]
        room = BYTES
        for hit, reference in zip(hits, reference_of, strict=True):
            own: dict[int, None] = {}
            for figure in _in_chunk(shown, hit):
                if figure.digest not in chosen:
                    if len(chosen) == IMAGES or figure.size > room:
                        continue
                    room -= figure.size
                    chosen[figure.digest] = _stored(hit.chunk.document, figure)
                own[list(chosen).index(figure.digest)] = None
            numbers[reference].append(tuple(own))
        if not chosen:
            return Attached(references, ())
        pairs = zip(references, numbers, strict=True)
        return Attached(tuple(_numbered(*pair) for pair in pairs), tuple(chosen.values()))

    async def _figures_of(self, documents: set[str]) -> dict[str, tuple[StoredFigure, ...]]:
        by_store: dict[str, list[str]] = {}
        for document in sorted(documents):
            by_store.setdefault(names.data_store_of(document), []).append(names.last_id(document))
        return {
            names.document(store, i): figures
            for store, ids in by_store.items()
            for i, figures in (await self._figures.figures(store, ids)).items()
        }

    async def resolved(
        self, attachments: tuple[answers.BlobAttachment, ...]
    ) -> tuple[answers.BlobAttachment, ...]:
        """Return stored *attachments* with their bytes; one whose image is gone has none.

        Raises:
            Unavailable: Redis is away.
        """
        wanted = [_wanted(attachment) for attachment in attachments]
        images = iter(await self._figures.images([one for one in wanted if one is not None]))
        return tuple(
            _with_data(attachment, next(images)) if one is not None else attachment
            for attachment, one in zip(attachments, wanted, strict=True)
        )

    async def resolved_answer(self, answer: answers.Answer) -> answers.Answer:
        """Return a stored *answer* with the bytes of its attachments, as `resolved`."""
        if not answer.blob_attachments:
            return answer
        attachments = await self.resolved(answer.blob_attachments)
        return msgspec.structs.replace(answer, blob_attachments=attachments)


def are_wanted(request: answer_query.AnswerQueryRequest) -> bool:
    """Tell whether *request* asks for images, of documents that were found for it.

    Results that it brings are no such: whoever names a document may not be allowed to see it.
    """
    spec = request.answer_generation_spec
    source = spec.multimodal_spec.image_source if spec and spec.multimodal_spec else None
    given = request.search_spec is not None and request.search_spec.search_result_list is not None
    return not given and source in {
        ImageSource.ALL_AVAILABLE_SOURCES,
        ImageSource.CORPUS_IMAGE_ONLY,
    }


def without_data(answer: answers.Answer) -> answers.Answer:
    """Return *answer* with the types of its attachments only, for where many answers are told."""
    bare = tuple(_with_data(attachment, b"") for attachment in answer.blob_attachments)
    return msgspec.structs.replace(answer, blob_attachments=bare) if bare else answer


def _in_chunk(shown: Mapping[str, tuple[StoredFigure, ...]], hit: Hit) -> Iterator[StoredFigure]:
    chunk = hit.chunk
    return (figure for figure in shown.get(chunk.document, ()) if figure.chunk == chunk.number)


def _numbered(reference: answers.Reference, numbers: Sequence[Numbers]) -> answers.Reference:
    """Return *reference* with the *numbers* of the images of each of its passages."""
    texts = [tuple(map(str, each)) for each in numbers]
    if (chunk := reference.chunk_info) is not None:
        chunk = msgspec.structs.replace(chunk, blob_attachment_indexes=texts[0])
        return msgspec.structs.replace(reference, chunk_info=chunk)
    if (info := reference.unstructured_document_info) is not None:
        contents = tuple(
            msgspec.structs.replace(content, blob_attachment_indexes=indexes)
            for content, indexes in zip(info.chunk_contents, texts, strict=True)
        )
        info = msgspec.structs.replace(info, chunk_contents=contents)
        return msgspec.structs.replace(reference, unstructured_document_info=info)
    return reference


def _stored(document: str, figure: StoredFigure) -> answers.BlobAttachment:
    data = _STORED + figure.digest + document.encode()
    return answers.BlobAttachment(
        data=answers.Blob(mime_type=figure.mime, data=data),
        attribution_type=answers.AttributionType.CORPUS,
    )


def _wanted(attachment: answers.BlobAttachment) -> tuple[str, str, bytes] | None:
    """Return the data store, document and digest of a stored *attachment*, None for its bytes."""
    data = attachment.data.data if attachment.data else b""
    if not data.startswith(_STORED):
        return None
    digest, document = data[len(_STORED) :][:DIGEST], data[len(_STORED) + DIGEST :].decode()
    return names.data_store_of(document), names.last_id(document), digest


def _with_data(attachment: answers.BlobAttachment, data: bytes) -> answers.BlobAttachment:
    mime = attachment.data.mime_type if attachment.data else ""
    blob = answers.Blob(mime_type=mime, data=data)
    return msgspec.structs.replace(attachment, data=blob)
