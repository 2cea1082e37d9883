from __future__ import annotations

import datetime as dt

import pytest

from service.answering.views import replies
from sessions.resources import answers, summaries
from sessions.resources.answers import AnswerSkippedReason

AT = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)
CITED = summaries.SummarySpec(include_citations=True)


def reference(number: int) -> answers.Reference:
    return answers.Reference(
        unstructured_document_info=answers.UnstructuredDocumentInfo(
            document=f"stores/documents/{number}",
            title=f"Title {number}",
            uri=f"https://example.org/{number}",
            chunk_contents=(
                answers.ChunkContent(content=f"passage {number}", page_identifier="3"),
            ),
        )
    )


def citation(start: int, end: int, *sources: int) -> answers.Citation:
    return answers.Citation(
        start_index=str(start),
        end_index=str(end),
        sources=tuple(answers.CitationSource(reference_id=str(source)) for source in sources),
    )


ANSWER = answers.Answer(
    state=answers.State.SUCCEEDED,
    answer_text="É azul. Fim! (Sim.)",
    citations=(citation(0, 8, 1), citation(9, 13, 0, 1), citation(14, 20, 0)),
    references=(reference(0), reference(1)),
)


def test_markers_stand_before_the_end_of_their_sentence() -> None:
    reply = replies.reply(ANSWER, CITED)
    assert reply.summary is not None
    assert reply.summary.summary_text == "É azul [2]. Fim [1, 2]! (Sim [1].)"
    assert reply.reply == reply.summary.summary_text


def test_references_of_a_reply_point_at_the_characters_of_its_markers() -> None:
    reply = replies.reply(ANSWER, CITED)
    marked = [(reply.reply[one.start : one.end], one.anchor_text) for one in reply.references]
    assert marked == [
        (" [2]", "Title 1"),
        (" [1, 2]", "Title 0"),
        (" [1, 2]", "Title 1"),
        (" [1]", "Title 0"),
    ]


def test_the_summary_with_metadata_has_the_plain_text_and_byte_offsets() -> None:
    summary = replies.reply(ANSWER, CITED).summary
    assert summary is not None
    whole = summary.summary_with_metadata
    assert whole is not None
    assert whole.citation_metadata is not None
    data = whole.summary.encode()
    cited = [
        (data[int(one.start_index) : int(one.end_index)].decode(), len(one.sources))
        for one in whole.citation_metadata.citations
    ]
    assert cited == [("É azul.", 1), ("Fim!", 2), ("(Sim.)", 1)]
    assert [one.document for one in whole.references] == [
        "stores/documents/0",
        "stores/documents/1",
    ]


def test_without_citations_asked_for_the_text_is_plain() -> None:
    summary = replies.reply(ANSWER, summaries.SummarySpec()).summary
    assert summary is not None
    assert summary.summary_text == ANSWER.answer_text
    assert summary.summary_with_metadata is None


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        (AnswerSkippedReason.NO_RELEVANT_CONTENT, "NO_RELEVANT_CONTENT"),
        (AnswerSkippedReason.NON_ANSWER_SEEKING_QUERY_IGNORED, "NON_SUMMARY_SEEKING_QUERY_IGNORED"),
        (
            AnswerSkippedReason.NON_ANSWER_SEEKING_QUERY_IGNORED_V2,
            "NON_SUMMARY_SEEKING_QUERY_IGNORED_V2",
        ),
    ],
)
def test_a_skipped_answer_is_a_skipped_summary(reason: AnswerSkippedReason, told: str) -> None:
    skipped = answers.Answer(
        state=answers.State.SUCCEEDED,
        answer_text=replies.FALLBACK,
        answer_skipped_reasons=(reason,),
    )
    summary = replies.reply(skipped, CITED).summary
    assert summary is not None
    assert [one.name for one in summary.summary_skipped_reasons] == [told]
    assert summary.summary_text == replies.FALLBACK
    assert summary.summary_with_metadata is None


def test_a_summary_is_never_empty() -> None:
    failed = answers.Answer(state=answers.State.FAILED)
    assert replies.reply(failed, CITED).reply == replies.FALLBACK


def test_each_reference_is_a_search_result_with_an_extractive_answer() -> None:
    first, _ = replies.search_results(ANSWER, "Which passage?")
    assert first.document is not None
    assert first.document.derived_struct_data == {
        "title": "Title 0",
        "link": "https://example.org/0",
        "snippets": [{"snippet": "<b>passage</b> 0", "snippet_status": "SUCCESS"}],
        "extractive_answers": [{"content": "passage 0", "pageNumber": "3"}],
    }
