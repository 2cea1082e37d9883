"""The answer as the older conversations tell it: Reply, Summary and search results.

Pure views: nothing here decides what the answer says.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import Final

from service.answering.retrieval import pages, snippets
from service.answering.retrieval.snippets import QueryTerms
from service.corpus.parsing.formats import json_lines
from sessions import names
from sessions.resources import answers, conversations, documents, summaries
from sessions.resources.answers import AnswerSkippedReason as Skipped
from sessions.resources.search_results import SearchResult
from sessions.resources.summaries import SummarySkippedReason as Reason

FALLBACK: Final = (
    "A summary could not be generated for your search query. Here are some search results."
)
"""What a skipped or failed answer says; existing programs compare against it."""

_CLOSING: Final = ".!?…。！？\"'’”)]»」』）】"
_ANSWERS_PER_RESULT: Final = 1

_REASONS: Final = {
    Skipped.ADVERSARIAL_QUERY_IGNORED: Reason.ADVERSARIAL_QUERY_IGNORED,
    Skipped.NON_ANSWER_SEEKING_QUERY_IGNORED: Reason.NON_SUMMARY_SEEKING_QUERY_IGNORED,
    Skipped.OUT_OF_DOMAIN_QUERY_IGNORED: Reason.OUT_OF_DOMAIN_QUERY_IGNORED,
    Skipped.POTENTIAL_POLICY_VIOLATION: Reason.POTENTIAL_POLICY_VIOLATION,
    Skipped.NO_RELEVANT_CONTENT: Reason.NO_RELEVANT_CONTENT,
    Skipped.JAIL_BREAKING_QUERY_IGNORED: Reason.JAIL_BREAKING_QUERY_IGNORED,
    Skipped.CUSTOMER_POLICY_VIOLATION: Reason.CUSTOMER_POLICY_VIOLATION,
    # The older document knows no classes of the operator's; they are policy of the customer's.
    Skipped.USER_DEFINED_CLASSIFICATION_QUERY_IGNORED: Reason.CUSTOMER_POLICY_VIOLATION,
    Skipped.NON_ANSWER_SEEKING_QUERY_IGNORED_V2: Reason.NON_SUMMARY_SEEKING_QUERY_IGNORED_V2,
    Skipped.UNHELPFUL_ANSWER: Reason.NO_RELEVANT_CONTENT,
    Skipped.LOW_GROUNDED_ANSWER: Reason.NO_RELEVANT_CONTENT,
}


def message(
    answer: answers.Answer, spec: summaries.SummarySpec, at: dt.datetime, *, timed_out: bool
) -> conversations.ConversationMessage:
    """Return the message that a conversation keeps of the ended *answer*."""
    told = reply(answer, spec, timed_out=timed_out)
    return conversations.ConversationMessage(reply=told, create_time=at)


def reply(
    answer: answers.Answer, spec: summaries.SummarySpec, *, timed_out: bool = False
) -> conversations.Reply:
    """Return *answer*, which may have *timed_out*, as a ``Reply``."""
    if timed_out and not answer.answer_text:
        summary, references = without(Reason.TIME_OUT), ()
    else:
        summary, references = _summary(answer, spec)
    return conversations.Reply(summary=summary, reply=summary.summary_text, references=references)


def without(reason: Reason) -> summaries.Summary:
    """Return the summary of what no answer was written for."""
    return summaries.Summary(summary_text=FALLBACK, summary_skipped_reasons=(reason,))


def search_results(answer: answers.Answer, query: str) -> tuple[SearchResult, ...]:
    """Return the documents found for *answer* as search results.

    Each has snippets, with the words of *query* in bold, and extractive answers:
    programs written for conversations index both without a look.
    """
    by_document: dict[str, answers.Reference] = {}
    for reference in answer.references:
        by_document.setdefault(_document(reference), reference)
    texts = (text for reference in by_document.values() for text, _ in passages(reference))
    terms = snippets.query_terms(query, texts)
    return tuple(_search_result(reference, terms) for reference in by_document.values())


def _summary(
    answer: answers.Answer, spec: summaries.SummarySpec
) -> tuple[summaries.Summary, tuple[conversations.ReplyReference, ...]]:
    text = answer.answer_text or FALLBACK
    reasons = tuple(
        _REASONS[reason] for reason in answer.answer_skipped_reasons if reason in _REASONS
    )
    if reasons or not (spec.include_citations or answer.blob_attachments):
        return summaries.Summary(
            summary_text=text,
            summary_skipped_reasons=reasons,
            safety_attributes=_safety(answer),
        ), ()
    cites = spec.include_citations
    marked, markers = _marked(answer) if cites else (answer.answer_text, [])
    return summaries.Summary(
        summary_text=marked or FALLBACK,
        safety_attributes=_safety(answer),
        summary_with_metadata=summaries.SummaryWithMetadata(
            summary=answer.answer_text,
            citation_metadata=summaries.CitationMetadata(citations=_citations(answer))
            if cites
            else None,
            references=tuple(_reference(reference) for reference in answer.references),
            blob_attachments=answer.blob_attachments,
        ),
    ), tuple(markers)


def _marked(
    answer: answers.Answer,
) -> tuple[str, list[conversations.ReplyReference]]:
    """Put markers such as `` [1]`` before the end of each cited sentence.

    Returns the text and, for each source of each marker, its place in characters.
    """
    data = answer.answer_text.encode()
    parts: list[str] = []
    markers: list[conversations.ReplyReference] = []
    at = length = 0
    for citation in answer.citations:
        end = int(citation.end_index)
        sentence = data[at:end].decode()
        body = sentence.rstrip(_CLOSING) or sentence
        numbers = [int(source.reference_id) for source in citation.sources]
        marker = f" [{', '.join(str(number + 1) for number in numbers)}]"
        start = length + len(body)
        for number in numbers:
            title, uri = _title_and_uri(answer.references[number])
            markers.append(
                conversations.ReplyReference(
                    uri=uri, anchor_text=title, start=start, end=start + len(marker)
                )
            )
        text = body + marker + sentence[len(body) :]
        parts.append(text)
        length += len(text)
        at = end
    parts.append(data[at:].decode())
    return "".join(parts), markers


def _citations(answer: answers.Answer) -> tuple[summaries.Citation, ...]:
    return tuple(
        summaries.Citation(
            start_index=citation.start_index,
            end_index=citation.end_index,
            sources=tuple(
                summaries.CitationSource(reference_index=source.reference_id)
                for source in citation.sources
            ),
        )
        for citation in answer.citations
    )


def _safety(answer: answers.Answer) -> summaries.SafetyAttributes | None:
    if not answer.safety_ratings:
        return None
    return summaries.SafetyAttributes(
        categories=tuple(
            rating.category.name.removeprefix("HARM_CATEGORY_").replace("_", " ").title()
            for rating in answer.safety_ratings
        ),
        scores=tuple(rating.probability_score for rating in answer.safety_ratings),
    )


def _reference(reference: answers.Reference) -> summaries.Reference:
    title, uri = _title_and_uri(reference)
    return summaries.Reference(
        title=title,
        document=_document(reference),
        uri=uri,
        chunk_contents=tuple(
            summaries.ChunkContent(
                content=content, page_identifier=page, blob_attachment_indexes=indexes
            )
            for (content, page), indexes in zip(
                passages(reference), _attachment_indexes(reference), strict=True
            )
        ),
    )


def _search_result(reference: answers.Reference, terms: QueryTerms) -> SearchResult:
    name = _document(reference)
    title, uri = _title_and_uri(reference)
    shown = [*passages(reference), *_fields(reference)][:_ANSWERS_PER_RESULT]
    return SearchResult(
        id=names.last_id(name),
        document=documents.Document(
            name=name,
            id=names.last_id(name),
            struct_data=_struct_data(reference),
            derived_struct_data={
                "title": title,
                "link": uri,
                "snippets": snippets.snippets_of(terms, [content for content, _ in shown]),
                "extractive_answers": snippets.answers_of(
                    terms,
                    [snippets.Text(text, pages.beginning(page)) for text, page in shown],
                    _ANSWERS_PER_RESULT,
                ),
            },
        ),
    )


def _infos(
    reference: answers.Reference,
) -> Sequence[
    answers.UnstructuredDocumentInfo | answers.StructuredDocumentInfo | answers.DocumentMetadata
]:
    chunk = reference.chunk_info
    candidates = (
        reference.unstructured_document_info,
        reference.structured_document_info,
        chunk.document_metadata if chunk else None,
    )
    return [info for info in candidates if info is not None]


def _document(reference: answers.Reference) -> str:
    return next((info.document for info in _infos(reference)), "")


def _title_and_uri(reference: answers.Reference) -> tuple[str, str]:
    return next(((info.title, info.uri) for info in _infos(reference)), ("", ""))


def _struct_data(reference: answers.Reference) -> dict[str, object] | None:
    return next((info.struct_data for info in _infos(reference)), None)


def _fields(reference: answers.Reference) -> Iterator[tuple[str, str]]:
    """Yield the text of a document that is nothing but fields, as it is searched."""
    if (info := reference.structured_document_info) is not None:
        yield json_lines.body_text(info.struct_data or {}), ""


def _attachment_indexes(reference: answers.Reference) -> Iterator[tuple[str, ...]]:
    """Yield the places of the images of each of its `passages` among those of the answer."""
    if (info := reference.unstructured_document_info) is not None:
        for chunk in info.chunk_contents:
            yield chunk.blob_attachment_indexes
    elif (chunk_info := reference.chunk_info) is not None:
        yield chunk_info.blob_attachment_indexes


def passages(reference: answers.Reference) -> Iterator[tuple[str, str]]:
    """Yield the passages of *reference* and the pages that they stand on ("" for none)."""
    if (info := reference.unstructured_document_info) is not None:
        for chunk in info.chunk_contents:
            yield chunk.content, chunk.page_identifier
    elif (chunk_info := reference.chunk_info) is not None:
        meta = chunk_info.document_metadata
        yield chunk_info.content, meta.page_identifier if meta else ""
