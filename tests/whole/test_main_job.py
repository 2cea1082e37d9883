"""The product as its user meets it: a folder of documents, a command, a question, its proof."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import aiohttp
import pytest

from service.corpus.storage.document_store import DocumentStore
from sessions.redis import connection
from sessions.redis.keys import Keys
from streaming.client.client import Client
from tests import doubles
from tests.corpus import hostile
from tests.redis_servers import Server
from tests.waiting import eventually
from tests.whole.processes import Service, services

pytestmark = pytest.mark.anyio
STORE: Final = (
    "projects/colloquy/locations/global/collections/default_collection/dataStores/library"
)
CONFIG: Final = f"{STORE}/servingConfigs/default_config"
PAGES: Final = {
    "loans.md": "# Loans\n\n## How long may I keep a book?\n\nA book may be kept for four weeks. "
    "You can renew a loan twice on the account page.\n\n## What does a late return cost?\n\n"
    "A late return costs 20 cents for each day.\n",
    "cards.md": "# Library cards\n\n## How do I get a library card?\n\n"
    "Bring a photo identity card to the desk. The library card is free for residents.\n",
    "rooms.html": "<html><body><h1>Rooms</h1><p>The reading room closes at nine in the evening."
    "</p></body></html>",
    "wifi.txt": "Wireless network\n\nThe network is called Biblio and needs no password.\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "documents"
    made.mkdir()
    for name, text in PAGES.items():
        (made / name).write_text(text)
    return made


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Service]:
    async with services(tmp_path / "data") as (one,):
        yield one


async def post(service: Service, path: str, body: dict[str, Any]) -> dict[str, Any]:
    async with (
        aiohttp.ClientSession() as client,
        client.post(f"{service.rest}/v1/{path}", json=body) as reply,
    ):
        return dict(await reply.json())


async def test_a_folder_becomes_answers_with_proof(service: Service, folder: Path) -> None:
    (folder / "broken.pdf").write_text("this is no PDF")
    status, said = await service.command("import", str(folder), "--data-store", "library")
    assert "4 imported, 0 unchanged, 0 deleted, 1 failed" in said
    assert "broken.pdf" in said
    assert status == 1
    await service.start()
    async with Client(service.websocket) as client:
        elements = [
            element.response.answer
            async for element in client.ask(
                "How long may I keep a book?", serving_config=CONFIG, session=f"{STORE}/sessions/-"
            )
        ]
    last = elements[-1]
    assert last is not None
    assert last.state.name == "SUCCEEDED"
    assert "A book may be kept for four weeks." in last.answer_text
    assert "".join(e.answer_text for e in elements[:-1] if e) == last.answer_text

    status, said = await service.command(
        "chat", "--data-store", "library", stdin="What does a late return cost?\nWho was Caesar?\n"
    )
    assert "A late return costs 20 cents for each day. [1]" in said
    assert "[1] Loans" in said
    assert "NO_RELEVANT_CONTENT" in said or "OUT_OF_DOMAIN_QUERY_IGNORED" in said
    status, said = await service.command("sessions", "--data-store", "library")
    assert status == 0
    assert "2 sessions of" in said
    status, said = await service.command("doctor")
    assert status == 0
    assert "ready" in said


async def test_a_file_that_takes_too_much_is_told_and_the_others_are_imported(
    tmp_path: Path, module_redis: Server
) -> None:
    """The command ends with status 1, and what it has imported is there."""
    folder = tmp_path / "uploads"
    folder.mkdir()
    (folder / "a-bomb.docx").write_bytes(hostile.many_elements(7_000_000))
    (folder / "good.md").write_text(PAGES["loans.md"])
    where = (("COLLOQUY_REDIS_URL", module_redis.url),)
    async with services(tmp_path / "data", where) as (one,):
        status, said = await one.command("import", str(folder), "--data-store", "with-a-bomb")
    assert status == 1
    told, counted, link = said.splitlines()
    assert link.endswith("/?data-store=with-a-bomb")
    assert told.startswith("not imported: a-bomb.docx: reading the file takes more than ")
    assert told.endswith(" MB of memory; split or simplify it (PARSE_LIMIT)")
    assert counted.startswith("1 imported, 0 unchanged, 0 deleted, 1 failed")
    async with connection.connect(module_redis.url) as redis:
        stored = DocumentStore(redis, Keys()).all_ids(STORE.replace("library", "with-a-bomb"))
        assert [i async for page in stored for i in page] == ["good.md"]


async def test_importing_again_changes_nothing_and_deletes_on_request(
    service: Service, folder: Path
) -> None:
    import_ = ("import", str(folder), "--data-store", "library")
    await service.given(*import_)
    (folder / "wifi.txt").unlink()
    _, again = await service.command(*import_)
    assert "0 imported, 3 unchanged, 0 deleted, 0 failed" in again
    status, pruned = await service.command(*import_, "--delete-missing")
    assert "0 imported, 3 unchanged, 1 deleted, 0 failed" in pruned
    assert status == 0


async def test_a_running_service_sees_an_import_by_itself(service: Service, folder: Path) -> None:
    question = {"query": {"text": "What is the network called?"}}

    async def is_seen() -> bool:
        reply = await post(service, f"{CONFIG}:answer", question)
        return "Biblio" in reply.get("answer", {}).get("answerText", "")

    async with service.in_a_thread():
        await service.command("import", str(folder), "--data-store", "library")
        await eventually(is_seen)


class Gate:
    """Lets a scripted model say one piece at a time."""

    def __init__(self) -> None:
        self.reached = asyncio.Queue[int]()
        self._open = asyncio.Semaphore(0)

    async def __call__(self, number: int) -> None:
        """Wait to be let through."""
        self.reached.put_nowait(number)
        await self._open.acquire()

    def let(self, count: int) -> None:
        """Let so many pieces through."""
        for _ in range(count):
            self._open.release()


SENTENCES: Final = ("Keep a book for four weeks [1]. ", "Renew it twice [1]. ", "It is free [2].")
TOLD: Final = "Keep a book for four weeks. Renew it twice. It is free."


async def test_an_answer_survives_the_death_of_its_server(tmp_path: Path, folder: Path) -> None:
    """Killed in mid-answer and started again, the same client reads the whole answer."""
    gate = Gate()
    async with doubles.OpenAIServer(
        doubles.chunks(doubles.completion(*SENTENCES), before_each=gate),
        doubles.stream(*SENTENCES),
    ) as model:
        settings = {
            "COLLOQUY_LLM_BASE_URL": model.base_url,
            "COLLOQUY_LLM_MODEL": "scripted",
            "COLLOQUY_LEASE": "0.5",
        }
        async with services(tmp_path / "data", tuple(settings.items())) as (service,):
            await service.given("import", str(folder), "--data-store", "library")
            await service.start()
            gate.let(2)
            text, anew, name = "", 0, ""
            async with Client(service.websocket) as client:
                asked = client.ask(
                    "How long may I keep a book?",
                    serving_config=CONFIG,
                    session=f"{STORE}/sessions/-",
                )
                async for element in asked:
                    answer = element.response.answer
                    assert answer is not None
                    if element.reset:
                        text, anew = "", anew + 1
                    if answer.state.name == "SUCCEEDED":
                        assert answer.answer_text == text == TOLD
                        name = answer.name
                        break
                    told_before = bool(text)
                    text += answer.answer_text
                    if text and not told_before and not anew:
                        await service.stop(signal.SIGKILL)
                        await service.start()
            assert anew == 1
            async with (
                aiohttp.ClientSession() as http,
                http.get(f"{service.rest}/v1/{name}") as reply,
            ):
                assert (await reply.json())["answerText"] == TOLD


async def test_a_service_that_is_asked_to_stop_lets_its_answers_finish(
    tmp_path: Path, folder: Path
) -> None:
    gate = Gate()
    reply = doubles.chunks(doubles.completion(*SENTENCES), before_each=gate)
    async with doubles.OpenAIServer(reply) as model:
        settings = {"COLLOQUY_LLM_BASE_URL": model.base_url, "COLLOQUY_LLM_MODEL": "scripted"}
        async with services(tmp_path / "data", tuple(settings.items())) as (service,):
            await service.given("import", str(folder), "--data-store", "library")
            await service.start()
            body = {
                "query": {"text": "How long may I keep a book?"},
                "session": f"{STORE}/sessions/-",
            }
            async with aiohttp.ClientSession() as client:
                asking = client.post(f"{service.rest}/v1/{CONFIG}:streamAnswer", json=body)
                async with asking as stream:
                    gate.let(2)
                    await gate.reached.get()
                    stopping = asyncio.ensure_future(service.stop())
                    gate.let(10)
                    elements = json.loads(await stream.text())
            assert elements[-1]["answer"]["answerText"] == TOLD
            await stopping


async def test_a_bundled_redis_that_dies_is_started_again(service: Service, folder: Path) -> None:
    await service.given("import", str(folder), "--data-store", "library")
    await service.start()
    question = {"query": {"text": "What is the network called?"}, "session": f"{STORE}/sessions/-"}
    await post(service, f"{CONFIG}:answer", question)
    [ready] = [line for line in service.record.read_text().splitlines() if "service_ready" in line]
    assert json.loads(ready)["redis"].startswith("Valkey 9.")
    pid = service.redis_pid()
    os.kill(pid, signal.SIGKILL)
    await eventually(lambda: not (Path("/proc") / str(pid) / "fd").exists())
    await eventually(service.is_ready)
    again = await post(service, f"{CONFIG}:answer", question)
    assert "Biblio" in again["answer"]["answerText"]
    async with (
        aiohttp.ClientSession() as client,
        client.get(f"{service.rest}/v1/{STORE}/sessions") as reply,
    ):
        assert len((await reply.json())["sessions"]) >= 1
