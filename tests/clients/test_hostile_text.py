"""Text that makes native code panic is answered, checked, ranked and imported like any other."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import msgspec

from sessions.codec import json_codec
from sessions.resources.answer_query import AnswerQueryRequest
from streaming.client.client import Client
from tests.clients.discovery import Api
from tests.waiting import LONG

SPACES: Final = "\u0085\u00a0\u1680\u2003\u2028\u202f\u205f\u3000"
"""White space of several bytes; between an initial and a full stop it ended the process."""
TEXT: Final = "".join(f"Plan A{space}. The ferry costs 3 euros. " for space in SPACES)
QUERY: Final = "What does the ferry cost?"


async def _ask(url: str, parent: str, spec: Any) -> Any:
    body = msgspec.json.encode({"query": {"text": QUERY}, "searchSpec": spec})
    request = json_codec.decode(AnswerQueryRequest, body)
    config = f"{parent}/servingConfigs/default_serving_config"
    async with Client(url.replace("http", "ws") + "/v1/ws") as client, asyncio.timeout(LONG):
        told = [one async for one in client.ask(QUERY, serving_config=config, request=request)]
    return told[-1].response.answer


def test_an_answer_is_written_from_it(v1: Api) -> None:
    chunk = {"chunk": "c", "content": TEXT, "documentMetadata": {"title": f"Plan A{SPACES}."}}
    spec = {"searchResultList": {"searchResults": [{"chunkInfo": chunk}]}}
    store = v1.data_store("empty")
    for _ in range(2):  # whoever asks next is answered, too
        answer = asyncio.run(_ask(v1.url, store, spec))
        assert answer.state.name == "SUCCEEDED"
        assert "3 euros" in answer.answer_text


def test_it_is_imported_and_found(v1: Api) -> None:
    store = v1.data_store("hostile")
    v1.import_(store, v1.document("d", TEXT), v1.document("plain", TEXT, "text/plain"))
    answer = asyncio.run(_ask(v1.url, store, {"searchParams": {}}))
    assert "3 euros" in answer.answer_text


def test_it_is_checked_and_ranked(v1: Api) -> None:
    facts = [{"factText": TEXT}]
    path = f"{v1.location}/groundingConfigs/default_grounding_config:check"
    checked = v1.call(path, "POST", {"answerCandidate": TEXT, "facts": facts})
    assert (checked.status, checked.body["supportScore"] > 0.5) == (200, True)
    records = [{"id": "1", "content": TEXT}]
    path = f"{v1.location}/rankingConfigs/default_ranking_config:rank"
    ranked = v1.call(path, "POST", {"query": f"A{SPACES}.", "records": records})
    assert (ranked.status, len(ranked.body["records"])) == (200, 1)
