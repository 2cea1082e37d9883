"""What is asked of a service, and what its replies are taken for."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from service.evaluation.labelled_data import LabelledDocument
from service.evaluation.rest_client import RestClient
from sessions.errors import Unavailable

pytestmark = pytest.mark.anyio
STORE = "projects/p/locations/l/collections/c/dataStores/d"
GONE = {"reason": "RESOURCE_NOT_FOUND"}
ANSWER = {
    "answer": {
        "answerText": "Two euros.",
        "citations": [{"startIndex": "0", "endIndex": "10", "sources": [{"referenceId": "1"}]}],
        "references": [
            {"chunkInfo": {"content": "Trams.", "documentMetadata": {"document": f"{STORE}/a"}}},
            {
                "unstructuredDocumentInfo": {
                    "document": f"{STORE}/branches/0/documents/b",
                    "title": "Fares",
                    "uri": "https://trams.example/fares",
                    "chunkContents": [{"content": "word " * 200}],
                }
            },
        ],
        "groundingScore": 0.9,
    },
    "session": {"name": f"{STORE}/sessions/7"},
}


class Scripted:
    """Answers requests in order, and remembers them."""

    def __init__(self) -> None:
        self.replies: list[tuple[int, object]] = []
        self.asked: list[tuple[str, str, Any]] = []

    async def reply(self, request: web.Request) -> web.Response:
        body = await request.read()
        self.asked.append((request.method, request.path_qs, json.loads(body) if body else None))
        status, said = self.replies.pop(0)
        text = said if isinstance(said, str) else json.dumps(said)
        return web.Response(status=status, text=text, headers={"Retry-After": "0"})


@pytest.fixture
async def service() -> AsyncIterator[tuple[Scripted, RestClient]]:
    scripted = Scripted()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", scripted.reply)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    async with aiohttp.ClientSession() as http:
        yield scripted, RestClient(http, f"http://127.0.0.1:{port}/")
    await runner.cleanup()


async def test_a_reply_tells_text_sources_and_score(
    service: tuple[Scripted, RestClient],
) -> None:
    scripted, client = service
    scripted.replies = [(200, ANSWER)]
    reply = await client.ask(STORE, "Price?", f"{STORE}/sessions/-", visitor=True)
    assert (reply.text, reply.grounding) == ("Two euros.", 0.9)
    assert reply.session == f"{STORE}/sessions/7"
    assert not reply.refused
    first, second = reply.sources
    assert (first.id, first.cited, second.id, second.cited) == ("a", False, "b", True)
    assert second.passage.endswith("word …")
    assert len(second.passage) < 410
    (_, path, body) = scripted.asked[0]
    assert path.endswith(f"{STORE}/servingConfigs/default_serving_config:answer")
    assert body["session"] == f"{STORE}/sessions/-"
    assert body["answerGenerationSpec"]["ignoreJailBreakingQuery"]


async def test_who_is_busy_is_asked_again(service: tuple[Scripted, RestClient]) -> None:
    scripted, client = service
    scripted.replies = [(503, {}), (429, {}), (200, ANSWER)]
    assert (await client.ask(STORE, "Price?", visitor=False)).text == "Two euros."
    assert "session" not in scripted.asked[-1][2]


async def test_one_query_that_fails_is_no_matter_for_the_others(
    service: tuple[Scripted, RestClient],
) -> None:
    scripted, client = service
    error = {"code": 400, "message": "too long", "details": [{"reason": "INVALID_FIELD"}]}
    scripted.replies = [(400, {"error": error}), (500, "<html>Oh no</html>")]
    assert (await client.ask(STORE, "Price?", visitor=True)).error == "too long (INVALID_FIELD)"
    assert "status 500" in (await client.ask(STORE, "Price?", visitor=True)).error


@pytest.mark.parametrize(
    ("status", "said", "told"),
    [
        (404, {"error": {"message": "no such", "details": [GONE]}}, "no such"),
        (200, "<html>Welcome to nginx</html>", "is no Colloquy"),
    ],
)
async def test_what_every_query_would_meet_ends_the_run(
    service: tuple[Scripted, RestClient], status: int, said: object, told: str
) -> None:
    scripted, client = service
    scripted.replies = [(status, said)]
    with pytest.raises(Unavailable, match=told):
        await client.ask(STORE, "Price?", visitor=True)


async def test_a_data_store_is_filled_and_deleted_whatever_happens(
    service: tuple[Scripted, RestClient],
) -> None:
    scripted, client = service
    scripted.replies = [
        (200, {}),
        (200, {"name": "operations/1"}),
        (200, {"name": "operations/1", "done": True, "response": {"errorSamples": ["broken"]}}),
        (200, {}),
    ]
    documents = [LabelledDocument(doc_id="p/1", text="Two euros.")]
    with pytest.raises(Unavailable, match=r"not imported: .*broken"):
        async with client.data_store("fares", documents):
            pytest.fail("it was not imported")
    methods = [(method, path.partition("?")[0]) for method, path, _ in scripted.asked]
    assert [method for method, _ in methods] == ["POST", "POST", "GET", "DELETE"]
    assert methods[-1][1].rpartition("/")[2].startswith("evaluation-")
    sent = scripted.asked[1][2]["inlineSource"]["documents"]
    assert sent[0]["id"] == "d0"
    assert sent[0]["structData"] == {"title": "p/1", "uri": "p/1"}
