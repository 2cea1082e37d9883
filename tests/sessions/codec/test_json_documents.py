"""The documents in tests/documents are in canonical form, and read and write as they are."""

from __future__ import annotations

import operator
from pathlib import Path

import msgspec
import pytest
from google.longrunning import (  # pyright: ignore[reportMissingTypeStubs]
    operations_pb2,
)
from google.protobuf import json_format

from sessions.codec import json_codec
from sessions.resources import (
    answers,
    base,
    candidates,
    conversations,
    documents,
    operations,
    retrieve_contexts,
    summaries,
)
from sessions.resources import sessions as session_resources
from tests.packages import Package
from tests.sessions import official_messages

FOLDER = Path(__file__).parents[2] / "documents"

TYPES: dict[str, tuple[type[base.Resource], Package, str]] = {
    "answer": (answers.Answer, official_messages.SEARCH[1], "Answer"),
    "answer_skipped": (answers.Answer, official_messages.SEARCH[0], "Answer"),
    "session": (session_resources.Session, official_messages.SEARCH[0], "Session"),
    "conversation": (conversations.Conversation, official_messages.SEARCH[1], "Conversation"),
    "reply": (conversations.Reply, official_messages.SEARCH[1], "Reply"),
    "summary": (summaries.Summary, official_messages.SEARCH[0], "SearchResponse.Summary"),
    "contexts": (
        retrieve_contexts.RetrieveContextsResponse,
        official_messages.GENERATION[1],
        "RetrieveContextsResponse",
    ),
    "generated": (
        candidates.GenerateContentResponse,
        official_messages.GENERATION[0],
        "GenerateContentResponse",
    ),
    "generated_blocked": (
        candidates.GenerateContentResponse,
        official_messages.GENERATION[1],
        "GenerateContentResponse",
    ),
}
OWN_TYPES: dict[str, type[base.Resource]] = {name: ours for name, (ours, *_) in TYPES.items()} | {
    "error": operations.ErrorResponse,
    "operation": operations.Operation,
}


def text_of(name: str) -> bytes:
    """Return a document as it stands in its file."""
    return (FOLDER / f"{name}.json").read_bytes()


def test_every_document_is_tested() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == OWN_TYPES.keys()


@pytest.mark.parametrize(("name", "ours"), OWN_TYPES.items())
def test_a_canonical_document_is_written_as_it_was_read(
    name: str, ours: type[base.Resource]
) -> None:
    again = json_codec.encode(json_codec.decode(ours, text_of(name)))
    assert msgspec.json.format(again, indent=2) + b"\n" == text_of(name)


@pytest.mark.parametrize(("name", "ours"), OWN_TYPES.items())
def test_what_is_stored_is_what_is_written_by_name(name: str, ours: type[base.Resource]) -> None:
    value = json_codec.decode(ours, text_of(name))
    assert json_codec.dump(value) == json_codec.encode(value)
    assert json_codec.load(ours, json_codec.dump(value)) == value


@pytest.mark.parametrize("name", TYPES)
def test_official_clients_read_the_same_from_names_and_numbers(name: str) -> None:
    ours, package, official_name = TYPES[name]
    official = operator.attrgetter(official_name)(package)
    value = json_codec.decode(ours, text_of(name))
    by_number = official.from_json(json_codec.encode(value, numbers=True))
    assert by_number == official.from_json(text_of(name))


def test_an_operation_parses_strictly() -> None:
    """Clients poll with a reader that refuses whatever it does not know."""
    operation = json_format.Parse(text_of("operation"), operations_pb2.Operation())
    metadata = official_messages.SEARCH[0].ImportDocumentsMetadata.pb()()
    assert operation.metadata.Unpack(metadata)
    assert metadata.total_count == 2


def test_a_packed_message_carries_its_type() -> None:
    response = documents.PurgeDocumentsResponse(purge_count="2", purge_sample=("a", "b"))
    packed = json_codec.pack(response, "google.cloud.discoveryengine.v1.PurgeDocumentsResponse")
    assert packed == {
        "@type": "type.googleapis.com/google.cloud.discoveryengine.v1.PurgeDocumentsResponse",
        "purgeCount": "2",
        "purgeSample": ["a", "b"],
    }


def test_spans_of_the_documents_are_whole_sentences() -> None:
    answer = json_codec.decode(answers.Answer, text_of("answer"))
    spans = [(int(c.start_index), int(c.end_index)) for c in answer.citations]
    quoted = [answer.answer_text.encode()[start:end].decode() for start, end in spans]
    assert quoted == ["A renovação custa 15 €.", "O prazo é de dez dias úteis."]


def test_segments_of_the_documents_hold_their_text() -> None:
    (candidate,) = json_codec.decode(
        candidates.GenerateContentResponse, text_of("generated")
    ).candidates
    assert candidate.content
    assert candidate.grounding_metadata
    text = (candidate.content.parts[0].text or "").encode()
    for support in candidate.grounding_metadata.grounding_supports:
        assert support.segment
        segment = support.segment
        assert text[segment.start_index : segment.end_index].decode() == segment.text
