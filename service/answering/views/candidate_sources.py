"""What a candidate was written from: its grounding metadata and its citations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from service.answering.proof import grounding
from service.answering.proof.source_texts import SourceTexts
from service.answering.retrieval import pages
from service.corpus import publication
from service.corpus.parsing.formats import json_lines
from sessions import names
from sessions.resources import answers, candidates, retrieve_contexts


def grounding_metadata(
    answer: answers.Answer, text: str, *, attributed: bool = True
) -> candidates.GroundingMetadata:
    """Return what *text*, the beginning of what *answer* says, is grounded in."""
    if not answer.references:
        return candidates.GroundingMetadata()
    searched = tuple(
        action.search_action.query
        for step in answer.steps
        for action in step.actions
        if action.search_action is not None
    )
    if answer.answer_skipped_reasons:
        return candidates.GroundingMetadata(retrieval_queries=searched)
    chunks, places = _chunks(answer.references)
    return candidates.GroundingMetadata(
        retrieval_queries=searched,
        grounding_chunks=chunks,
        grounding_supports=tuple(_supports(answer, text, places)) if attributed else (),
    )


def citations(answer: answers.Answer, text: str) -> Iterator[candidates.Citation]:
    """Yield what of *text* was taken from where: one for each source of each segment."""
    size = len(text.encode())
    sources = [_source(reference) for reference in answer.references] if answer.citations else []
    for citation in answer.citations:
        start, end = int(citation.start_index), int(citation.end_index)
        if end > size:
            return
        for source in citation.sources:
            cited = sources[int(source.reference_id)]
            yield msgspec.structs.replace(cited, start_index=start, end_index=end)


def _chunks(
    references: Sequence[answers.Reference],
) -> tuple[tuple[candidates.GroundingChunk, ...], Sequence[int]]:
    """Return the sources of an answer, and which of them each reference is of.

    A page of the web is one, of which all that was retrieved has the same address.
    """
    chunks = list[candidates.GroundingChunk]()
    pages, places = dict[str, int](), list[int]()
    for reference in references:
        chunk = _chunk(reference)
        uri = (chunk.web and chunk.web.uri) or ""
        place = pages.setdefault(uri, len(chunks)) if uri else len(chunks)
        if place == len(chunks):
            chunks.append(chunk)
        places.append(place)
    return tuple(chunks), places


def _chunk(reference: answers.Reference) -> candidates.GroundingChunk:
    """Return a reference of an answer in CHUNKS mode as a source."""
    info = _as_chunk(reference)
    meta = info.document_metadata or answers.DocumentMetadata()
    if names.data_store_of(meta.document) == names.WEB:
        return candidates.GroundingChunk(web=candidates.Web(uri=meta.uri, title=meta.title))
    is_file = "/ragCorpora/" in meta.document
    return candidates.GroundingChunk(
        retrieved_context=candidates.RetrievedContext(
            uri=meta.uri,
            title=meta.title,
            text=info.content,
            rag_chunk=retrieve_contexts.RagChunk(
                text=info.content,
                page_span=pages.span(*pages.numbers(meta.page_identifier)),
                file_id=names.last_id(meta.document) if is_file else "",
                chunk_id=names.last_id(info.chunk) if is_file else "",
            ),
            document_name=None if is_file else meta.document,
        )
    )


def _as_chunk(reference: answers.Reference) -> answers.ChunkInfo:
    """Return the chunk that *reference* is; of a document that is nothing but fields, these."""
    if reference.chunk_info is not None or (info := reference.structured_document_info) is None:
        return reference.chunk_info or answers.ChunkInfo()
    return answers.ChunkInfo(
        content=json_lines.body_text(info.struct_data or {}),
        document_metadata=answers.DocumentMetadata(
            document=info.document, uri=info.uri, title=info.title, struct_data=info.struct_data
        ),
    )


def _supports(
    answer: answers.Answer, text: str, places: Sequence[int]
) -> Iterator[candidates.GroundingSupport]:
    """Yield the claims of *text* that sources support, each with how far each of them does.

    *places* tells which source each reference is of.
    """
    data = text.encode()
    evidence = SourceTexts([_as_chunk(reference).content for reference in answer.references])
    for support in answer.grounding_supports:
        start, end = int(support.start_index), int(support.end_index)
        named = [int(source.reference_id) for source in support.sources]
        if end > len(data) or not named:
            continue
        segment = data[start:end].decode()
        by_source = evidence.scores(segment, named)
        good = dict[int, float]()
        for number in named:
            if (score := by_source[number]) >= grounding.SUPPORTED:
                good[places[number]] = max(score, good.get(places[number], 0.0))
        if good:
            yield candidates.GroundingSupport(
                segment=candidates.Segment(start_index=start, end_index=end, text=segment),
                grounding_chunk_indices=tuple(good),
                confidence_scores=tuple(round(score, 4) for score in good.values()),
            )


def _source(reference: answers.Reference) -> candidates.Citation:
    """Return what a citation of *reference* says of the document, as far as its fields tell."""
    meta = _as_chunk(reference).document_metadata or answers.DocumentMetadata()
    fields = meta.struct_data or {}
    date = publication.date_of(fields)
    return candidates.Citation(
        uri=meta.uri,
        title=meta.title,
        license=publication.license_of(fields),
        publication_date=candidates.Date(**date._asdict()) if date else None,
    )
