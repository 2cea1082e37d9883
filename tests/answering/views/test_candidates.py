"""Answers as generateContent tells them: pure views, against golden documents."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from service.answering.views import candidate_sources
from service.answering.views import candidates as views
from sessions.codec import json_codec
from sessions.resources import answers, candidates
from sessions.resources.candidates import BlockedReason, FinishReason

CORPUS = "projects/p/locations/l/ragCorpora/7"
TEXT = "A renovação custa 15 €. Demora dez dias."
SOURCES = (
    ("fees.md", "A renovação custa 15 €. Paga-se em linha.", "1"),
    ("times.pdf", "Demora dez dias. A renovação custa 15 €.", "3"),
)
_ANSWER: dict[str, Any] = {
    "state": "SUCCEEDED",
    "answerText": TEXT,
    "citations": [
        {"endIndex": "27", "sources": [{"referenceId": "0"}, {"referenceId": "1"}]},
        {"startIndex": "28", "endIndex": "44", "sources": [{"referenceId": "1"}]},
    ],
    "groundingSupports": [
        {
            "endIndex": "27",
            "sources": [{"referenceId": "0"}, {"referenceId": "1"}],
            "groundingScore": 1.0,
        },
        {
            "startIndex": "28",
            "endIndex": "44",
            "sources": [{"referenceId": "1"}],
            "groundingScore": 1.0,
        },
    ],
    "references": [
        {
            "chunkInfo": {
                "chunk": f"{CORPUS}/branches/0/documents/{number}/chunks/c1",
                "content": content,
                "documentMetadata": {
                    "document": f"{CORPUS}/branches/0/documents/{number}",
                    "uri": f"gs://portal/{title}",
                    "title": title,
                    "pageIdentifier": page,
                },
            }
        }
        for number, (title, content, page) in enumerate(SOURCES)
    ],
    "steps": [{"state": "SUCCEEDED", "actions": [{"searchAction": {"query": "quanto custa"}}]}],
}


def answer(**changes: Any) -> answers.Answer:
    return json_codec.decode(answers.Answer, msgspec.json.encode(_ANSWER | changes))


def skipped(*reasons: str, searched: bool = True) -> answers.Answer:
    changes: dict[str, Any] = {
        "answerText": "A summary could not be generated",
        "answerSkippedReasons": reasons,
    }
    changes |= {"citations": [], "groundingSupports": []}
    return answer(**changes) if searched else answer(**changes, steps=[], references=[])


def last(of: answers.Answer, text: str = TEXT, **options: Any) -> dict[str, Any]:
    told = views.last_candidate(of, text, FinishReason.STOP, **options)
    return msgspec.json.decode(json_codec.encode(told))


def test_the_golden_candidate() -> None:
    told = last(answer(), rest=TEXT)
    assert told["content"] == {"role": "model", "parts": [{"text": TEXT}]}
    assert told["finishReason"] == "STOP"
    grounding = told["groundingMetadata"]
    assert grounding["retrievalQueries"] == ["quanto custa"]
    assert grounding["groundingChunks"][1] == {
        "retrievedContext": {
            "uri": "gs://portal/times.pdf",
            "title": "times.pdf",
            "text": SOURCES[1][1],
            "ragChunk": {
                "text": SOURCES[1][1],
                "pageSpan": {"firstPage": 3, "lastPage": 3},
                "fileId": "1",
                "chunkId": "c1",
            },
        }
    }
    assert grounding["groundingSupports"] == [
        {
            "segment": {"endIndex": 27, "text": "A renovação custa 15 €."},
            "groundingChunkIndices": [0, 1],
            "confidenceScores": [1.0, 1.0],
        },
        {
            "segment": {"startIndex": 28, "endIndex": 44, "text": "Demora dez dias."},
            "groundingChunkIndices": [1],
            "confidenceScores": [1.0],
        },
    ]
    assert told["citationMetadata"]["citations"] == [
        {"endIndex": 27, "uri": "gs://portal/fees.md", "title": "fees.md"},
        {"endIndex": 27, "uri": "gs://portal/times.pdf", "title": "times.pdf"},
        {"startIndex": 28, "endIndex": 44, "uri": "gs://portal/times.pdf", "title": "times.pdf"},
    ]


def test_segments_are_exactly_their_bytes() -> None:
    metadata = candidate_sources.grounding_metadata(answer(), TEXT)
    for support in metadata.grounding_supports:
        assert support.segment is not None
        start, end = support.segment.start_index, support.segment.end_index
        assert TEXT.encode()[start:end].decode() == support.segment.text


def test_what_lies_behind_a_cut_is_not_cited() -> None:
    told = last(answer(), "A renovação custa 15 €. Demora")
    assert len(told["groundingMetadata"]["groundingSupports"]) == 1
    assert len(told["citationMetadata"]["citations"]) == 2


def test_without_attribution_there_are_sources_and_no_supports() -> None:
    told = last(answer(), attributed=False)
    assert "citationMetadata" not in told
    assert told["groundingMetadata"].keys() == {"retrievalQueries", "groundingChunks"}


def test_a_source_that_supports_too_little_is_left_out() -> None:
    weak = {"endIndex": "27", "sources": [{"referenceId": "1"}], "groundingScore": 0.3}
    sources = _ANSWER["references"]
    other = {**sources[1], "chunkInfo": {**sources[1]["chunkInfo"], "content": "Outro assunto."}}
    metadata = candidate_sources.grounding_metadata(
        answer(groundingSupports=[weak], references=[sources[0], other]), TEXT
    )
    assert metadata.grounding_supports == ()


def test_an_answer_without_hits_has_empty_metadata() -> None:
    metadata = candidate_sources.grounding_metadata(
        skipped("NO_RELEVANT_CONTENT", searched=False), ""
    )
    assert json_codec.encode(metadata) == b"{}"


@pytest.mark.parametrize("reason", ["NO_RELEVANT_CONTENT", "OUT_OF_DOMAIN_QUERY_IGNORED"])
def test_an_answer_that_found_nothing_says_so_and_stops(reason: str) -> None:
    of = skipped(reason)
    assert views.whole_text(of) == views.NOT_ANSWERED
    assert views.prompt_feedback(of) is None
    told = last(of, views.NOT_ANSWERED, rest=views.NOT_ANSWERED)
    assert told["finishReason"] == "STOP"
    assert told["groundingMetadata"] == {"retrievalQueries": ["quanto custa"]}


@pytest.mark.parametrize(
    ("reason", "finish"),
    [("POTENTIAL_POLICY_VIOLATION", "SAFETY"), ("CUSTOMER_POLICY_VIOLATION", "BLOCKLIST")],
)
def test_a_blocked_text_is_empty(reason: str, finish: str) -> None:
    of = skipped(reason)
    assert views.whole_text(of) == ""
    told = last(of, "")
    assert told["finishReason"] == finish
    assert told["content"] == {"role": "model"}
    assert told["finishMessage"]


@pytest.mark.parametrize(
    ("reason", "blocked"),
    [
        ("JAIL_BREAKING_QUERY_IGNORED", BlockedReason.JAILBREAK),
        ("CUSTOMER_POLICY_VIOLATION", BlockedReason.BLOCKLIST),
        ("ADVERSARIAL_QUERY_IGNORED", BlockedReason.PROHIBITED_CONTENT),
    ],
)
def test_a_refused_prompt_is_fed_back(reason: str, blocked: BlockedReason) -> None:
    feedback = views.prompt_feedback(skipped(reason, searched=False))
    assert feedback is not None
    assert feedback.block_reason is blocked


def test_a_failed_answer_finishes_for_other_reasons() -> None:
    assert last(answer(state="FAILED"))["finishReason"] == "OTHER"


def test_pieces_joined_are_the_whole_response() -> None:
    def chunk(*told: candidates.Candidate) -> candidates.GenerateContentResponse:
        return candidates.GenerateContentResponse(candidates=told, response_id="r")

    end = views.last_candidate(answer(), TEXT, FinishReason.STOP, rest=" Demora dez dias.")
    whole = views.joined(
        [
            chunk(views.text_candidate("A renovação ")),
            chunk(views.text_candidate("custa 15 €.")),
            chunk(end),
            chunk(
                views.last_candidate(answer(), TEXT, FinishReason.MAX_TOKENS, rest=TEXT, index=1)
            ),
        ]
    )
    texts = [one.content.parts[0].text for one in whole.candidates if one.content]
    assert texts == [TEXT, TEXT]
    assert [one.finish_reason for one in whole.candidates] == [
        FinishReason.STOP,
        FinishReason.MAX_TOKENS,
    ]
    assert whole.candidates[0].grounding_metadata == end.grounding_metadata
