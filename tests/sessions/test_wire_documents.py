"""The documents in tests/documents are in canonical form, and read and write as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from google.longrunning import (  # pyright: ignore[reportMissingTypeStubs]
    operations_pb2,
)
from google.protobuf import json_format

from sessions import wire
from sessions.resources import (
    answers,
    base,
    candidates,
    conversations,
    documents,
    operations,
    retrievals,
    summaries,
)
from sessions.resources import sessions as session_resources
from tests.sessions import oracle

FOLDER = Path(__file__).parents[1] / "documents"

TYPES: dict[str, tuple[type[base.Resource], Any]] = {
    "answer": (answers.Answer, oracle.SEARCH[1].Answer),
    "answer_skipped": (answers.Answer, oracle.SEARCH[0].Answer),
    "session": (session_resources.Session, oracle.SEARCH[0].Session),
    "conversation": (conversations.Conversation, oracle.SEARCH[1].Conversation),
    "reply": (conversations.Reply, oracle.SEARCH[1].Reply),
    "summary": (summaries.Summary, oracle.SEARCH[0].SearchResponse.Summary),
    "contexts": (
        retrievals.RetrieveContextsResponse,
        oracle.GENERATION[1].RetrieveContextsResponse,
    ),
    "generated": (candidates.GenerateContentResponse, oracle.GENERATION[0].GenerateContentResponse),
    "generated_blocked": (
        candidates.GenerateContentResponse,
        oracle.GENERATION[1].GenerateContentResponse,
    ),
}
OWN_TYPES: dict[str, type[base.Resource]] = {name: ours for name, (ours, _) in TYPES.items()} | {
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
    again = wire.encode(wire.decode(ours, text_of(name)))
    assert msgspec.json.format(again, indent=2) + b"\n" == text_of(name)


@pytest.mark.parametrize(("name", "ours"), OWN_TYPES.items())
def test_what_is_stored_is_what_is_written_by_name(name: str, ours: type[base.Resource]) -> None:
    value = wire.decode(ours, text_of(name))
    assert wire.dump(value) == wire.encode(value)
    assert wire.load(ours, wire.dump(value)) == value


@pytest.mark.parametrize("name", TYPES)
def test_official_clients_read_the_same_from_names_and_numbers(name: str) -> None:
    ours, official = TYPES[name]
    value = wire.decode(ours, text_of(name))
    by_number = official.from_json(wire.encode(value, numbers=True))
    assert by_number == official.from_json(text_of(name))


def test_an_operation_parses_strictly() -> None:
    """Clients poll with a reader that refuses whatever it does not know (api.md 6.5)."""
    operation = json_format.Parse(text_of("operation"), operations_pb2.Operation())
    metadata = oracle.SEARCH[0].ImportDocumentsMetadata.pb()()
    assert operation.metadata.Unpack(metadata)
    assert metadata.total_count == 2


def test_a_packed_message_carries_its_type() -> None:
    response = documents.PurgeDocumentsResponse(purge_count="2", purge_sample=("a", "b"))
    packed = wire.pack(response, "google.cloud.discoveryengine.v1.PurgeDocumentsResponse")
    assert packed == {
        "@type": "type.googleapis.com/google.cloud.discoveryengine.v1.PurgeDocumentsResponse",
        "purgeCount": "2",
        "purgeSample": ["a", "b"],
    }


def test_spans_of_the_documents_are_whole_sentences() -> None:
    answer = wire.decode(answers.Answer, text_of("answer"))
    spans = [(int(c.start_index), int(c.end_index)) for c in answer.citations]
    quoted = [answer.answer_text.encode()[start:end].decode() for start, end in spans]
    assert quoted == ["A renovação custa 15 €.", "O prazo é de dez dias úteis."]


def test_segments_of_the_documents_hold_their_text() -> None:
    (candidate,) = wire.decode(candidates.GenerateContentResponse, text_of("generated")).candidates
    assert candidate.content
    assert candidate.grounding_metadata
    text = (candidate.content.parts[0].text or "").encode()
    for support in candidate.grounding_metadata.grounding_supports:
        assert support.segment
        segment = support.segment
        assert text[segment.start_index : segment.end_index].decode() == segment.text
