"""What stands on the wire of a generation stream, to the byte: its readers are no full parsers."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.clients import aiplatform, discovery
from tests.clients.aiplatform import Rag
from tests.clients.discovery import Service

ODD = "The express\u2028service costs 35\u0085€ more. It takes three days.\n"
MODEL = "publishers/google/models/m"


@pytest.fixture
def rag(service: Service) -> Rag:
    return Rag("v1beta1", service.url)


def body(corpus: str, **fields: Any) -> Any:
    store = {"rag_resources": [{"rag_corpus": corpus}]}
    return {
        "contents": [{"parts": [{"text": "What does the express service cost?"}], "role": "user"}],
        "tools": [{"retrieval": {"vertexRagStore": store}}],
        **fields,
    }


def stream(rag: Rag, corpus: str, query: str) -> tuple[Any, bytes]:
    url = f"{rag.url}/v1beta1/{rag.location}/{MODEL}:streamGenerateContent{query}"
    data = json.dumps(body(corpus)).encode()
    with aiplatform.post(url, data, {"Content-Type": "application/json"}) as response:
        return response.headers, response.read()


def test_events_are_lines_of_data_and_nothing_else(rag: Rag) -> None:
    headers, sent = stream(rag, rag.corpus(odd=ODD), "?alt=sse")
    assert headers["Content-Type"].startswith("text/event-stream")
    assert re.fullmatch(rb"(?:data: \{[^\n]*\}\n\n)+", sent)
    for mark in ("\u2028", "\u2029", "\u0085"):
        assert mark.encode() not in sent
    events = [json.loads(line[6:]) for line in sent.decode().split("\n\n") if line]
    last = events[-1]["candidates"][0]
    assert last["finishReason"] == "STOP"
    assert "groundingMetadata" in last
    assert "usageMetadata" in events[-1]
    assert all("finishReason" not in event["candidates"][0] for event in events[:-1])


def test_an_array_begins_and_ends_with_its_brackets(rag: Rag) -> None:
    headers, sent = stream(rag, rag.corpus(odd=ODD), "?$alt=json%3Benum-encoding%3Dint")
    assert headers["Content-Type"] == "application/json; charset=UTF-8"
    assert sent.startswith(b"[{")
    assert sent.endswith(b"]")
    pieces = json.loads(sent)
    assert pieces[-1]["candidates"][0]["finishReason"] == 1


def test_both_framings_tell_the_same(rag: Rag) -> None:
    corpus = rag.corpus(odd=ODD)
    _, events = stream(rag, corpus, "?alt=sse")
    _, array = stream(rag, corpus, "")

    def told(pieces: list[Any]) -> list[Any]:
        return [piece["candidates"] for piece in pieces]

    lines = [json.loads(line[6:]) for line in events.decode().split("\n\n") if line]
    assert told(lines) == told(json.loads(array))


@pytest.mark.parametrize(
    "verb", ["generateContent", "streamGenerateContent", "streamGenerateContent?alt=sse"]
)
@pytest.mark.parametrize("model", [MODEL, "endpoints/7"])
def test_every_path_of_a_model_answers(rag: Rag, verb: str, model: str) -> None:
    url = f"{rag.url}/v1/{rag.location}/{model}:{verb}"
    data = json.dumps({"contents": [{"parts": [{"text": "Hi?"}]}]}).encode()
    with aiplatform.post(url, data, {"Content-Type": "application/json"}) as response:
        assert response.status == 200
        assert b"I answer from documents only" in response.read()


@pytest.mark.parametrize(
    "verb", ["generateContent", "streamGenerateContent", "streamGenerateContent?alt=sse"]
)
def test_what_is_refused_is_an_ordinary_error(rag: Rag, verb: str) -> None:
    refused = rag.call(f"{MODEL}:{verb}", "POST", {"contents": []})
    assert refused.status == 400
    error = refused.body["error"]
    assert (error["code"], error["status"]) == (400, "INVALID_ARGUMENT")
    assert error["details"][1]["fieldViolations"][0]["field"] == "contents"


def test_generation_is_in_no_version_of_search(service: Service) -> None:
    refused = discovery.call(f"{service.url}/v1beta/{MODEL}:generateContent", "POST", {})
    assert refused.status == 404
