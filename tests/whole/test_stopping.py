"""A service that is told to stop: what it still does, what it says, what it leaves behind."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import aiohttp
import pytest

from tests import doubles
from tests.waiting import eventually
from tests.whole.processes import Service, services

pytestmark = pytest.mark.anyio
LOCATION: Final = "projects/colloquy/locations/global"
STORE: Final = f"{LOCATION}/collections/default_collection/dataStores/library"
CONFIG: Final = f"{STORE}/servingConfigs/default_config"
MODEL: Final = f"{LOCATION}/publishers/google/models/any"
PAGES: Final = {
    "loans.md": "# Loans\n\n## How long may I keep a book?\n\nA book may be kept for four weeks. "
    "You can renew a loan twice on the account page.\n\n## What does a late return cost?\n\n"
    "A late return costs 20 cents for each day.\n",
    "wifi.txt": "Wireless network\n\nThe network is called Biblio and needs no password.\n",
}
QUERY: Final = "How long may I keep a book?"
SAID: Final = (
    "Keep a book for four weeks [1]. ",
    "Renew it twice [1]. ",
    "See the account page [1]. ",
    "A day costs 20 cents.",
)
TOLD: Final = (
    "Keep a book for four weeks. Renew it twice. See the account page. A day costs 20 cents."
)
PAUSE: Final = 4  # the piece before which the model waits; the first says nothing


_TOOL: Final = {"retrieval": {"vertexAiSearch": {"datastore": STORE}}}
_CONTENTS: Final = [{"role": "user", "parts": [{"text": QUERY}]}]
_HEADERS: Final = b"Host: localhost\r\nContent-Type: application/json\r\n"
_ANSWER: Final[dict[str, Any]] = {"query": {"text": QUERY}}
_IN_SESSION: Final = _ANSWER | {"session": f"{STORE}/sessions/-"}
_GENERATE: Final[dict[str, Any]] = {"contents": _CONTENTS, "tools": [_TOOL]}
_GROUNDED: Final[dict[str, Any]] = {
    "contents": _CONTENTS,
    "groundingSpec": {
        "groundingSources": [
            {"inlineSource": {"groundingFacts": [{"factText": "A book may be kept four weeks."}]}}
        ]
    },
}
_SEARCH: Final[dict[str, Any]] = {
    "query": QUERY,
    "contentSearchSpec": {"summarySpec": {"summaryResultCount": 3}},
}

WHOLE: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "answer": (f"{CONFIG}:answer", _ANSWER),
    "generate": (f"{MODEL}:generateContent", _GENERATE),
    "grounded": (f"{LOCATION}:generateGroundedContent", _GROUNDED),
    "search": (f"{CONFIG}:search", _SEARCH),
}
"""Questions that nothing is stored of, and whose reply is one document."""
STORED: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "session": (f"{CONFIG}:answer", _IN_SESSION),
    "converse": (f"{STORE}/conversations/-:converse", {"query": {"input": QUERY}}),
}
STREAMS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "array": (f"{CONFIG}:streamAnswer", _ANSWER),
    "session": (f"{CONFIG}:streamAnswer", _IN_SESSION),
    "events": (f"{CONFIG}:streamAnswer?alt=sse", _ANSWER),
}
PIECES: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "array": (f"{MODEL}:streamGenerateContent", _GENERATE),
    "events": (f"{MODEL}:streamGenerateContent?alt=sse", _GENERATE),
}


ASKED: Final = len(WHOLE) + len(STORED) + len(STREAMS) + len(PIECES)


class Reply(NamedTuple):
    """What a request got."""

    status: int
    body: str

    @property
    def document(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    @property
    def reason(self) -> str:
        """The reason of the error."""
        return str(self.document["error"]["details"][0]["reason"])

    def stream(self) -> list[dict[str, Any]]:
        """The documents of a stream, an array or events, whose framing is complete."""
        if self.body.startswith("["):
            return list(self.document)
        *events, rest = self.body.split("\n\n")
        assert rest == ""
        lines = [event.rpartition("\n")[2] for event in events]
        return [json.loads(line.removeprefix("data: ")) for line in lines]


class Pausing:
    """A model that says some of its text, then waits."""

    def __init__(self) -> None:
        self.waiting = 0
        self.go = asyncio.Event()
        self.server = doubles.OpenAIServer(
            doubles.chunks(doubles.completion(*SAID), before_each=self._before)
        )

    async def _before(self, number: int) -> None:
        if number == PAUSE:
            self.waiting += 1
            await self.go.wait()


@pytest.fixture
async def model() -> AsyncIterator[Pausing]:
    pausing = Pausing()
    async with pausing.server:
        yield pausing


@contextlib.asynccontextmanager
async def serving(
    folder: Path, model: Pausing, grace: float, *options: str
) -> AsyncGenerator[Service]:
    """Run a service that knows `PAGES` and asks *model*."""
    settings = {
        "COLLOQUY_LLM_BASE_URL": model.server.base_url,
        "COLLOQUY_LLM_MODEL": "scripted",
        "COLLOQUY_GRACE": str(grace),
    }
    (folder / "pages").mkdir()
    for name, text in PAGES.items():
        (folder / "pages" / name).write_text(text)
    async with services(folder / "data", tuple(settings.items())) as (service,):
        await service.command("import", str(folder / "pages"), "--data-store", "library")
        await service.start(*options)
        yield service


class Asking:
    """Asks over REST, all at once; what was asked is answered at the end of the context."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._client = aiohttp.ClientSession()
        self._tasks = asyncio.TaskGroup()

    async def __aenter__(self) -> Asking:
        await self._client.__aenter__()
        await self._tasks.__aenter__()
        return self

    async def __aexit__(self, *about: Any) -> None:
        async with self._client:
            await self._tasks.__aexit__(*about)

    def ask(self, path: str, body: dict[str, Any]) -> asyncio.Task[Reply]:
        """Begin to ask."""
        return self._tasks.create_task(self.post(path, body))

    def ask_all(self, questions: dict[str, tuple[str, Any]]) -> dict[str, asyncio.Task[Reply]]:
        """Begin to ask all of them."""
        return {name: self.ask(path, body) for name, (path, body) in questions.items()}

    async def post(self, path: str, body: dict[str, Any]) -> Reply:
        """Ask and wait for the reply."""
        async with self._client.post(f"{self._service.rest}/v1/{path}", json=body) as reply:
            return Reply(reply.status, await reply.text())

    async def get(self, path: str) -> Reply:
        """Read."""
        async with self._client.get(f"{self._service.rest}{path}") as reply:
            return Reply(reply.status, await reply.text())

    async def begin_to_stop(self) -> None:
        """Tell the service to stop, and return when it knows."""
        assert self._service.process is not None
        self._service.process.terminate()
        await eventually(self._is_stopping)

    async def _is_stopping(self) -> bool:
        try:
            return "stopping" in (await self.get("/readyz")).body
        except aiohttp.ClientError:  # it has stopped already
            return True


async def ended(service: Service) -> None:
    """Wait for an ordinary end, which leaves and complains of nothing."""
    assert service.process is not None
    async with asyncio.timeout(15):
        assert await service.process.wait() == 0
    assert "Traceback" not in service.record.read_text()
    assert service.redis_pid() == 0


async def test_questions_over_rest_are_answered_to_their_end(
    tmp_path: Path, model: Pausing
) -> None:
    async with serving(tmp_path, model, grace=30) as service:
        async with Asking(service) as client:
            whole = client.ask_all(WHOLE)
            stored = client.ask_all(STORED)
            streams = client.ask_all(STREAMS)
            pieces = client.ask_all(PIECES)
            await eventually(lambda: model.waiting == ASKED)
            await client.begin_to_stop()
            model.go.set()
        for reply in (whole | stored).values():
            assert reply.result().status == 200
            assert "20 cents" in reply.result().body
        for reply in streams.values():
            assert reply.result().stream()[-1]["answer"]["answerText"] == TOLD
        for reply in pieces.values():
            assert reply.result().stream()[-1]["candidates"][0]["finishReason"] == "STOP"
        await ended(service)


async def test_what_outlives_the_grace_ends_with_the_reason(tmp_path: Path, model: Pausing) -> None:
    async with serving(tmp_path, model, grace=1) as service:
        async with Asking(service) as client:
            whole = [*client.ask_all(WHOLE).values(), *client.ask_all(STORED).values()]
            streams = client.ask_all(STREAMS)
            whole += client.ask_all(PIECES).values()  # all they have may still be held back
            await eventually(lambda: model.waiting == ASKED)
            await client.begin_to_stop()
        for reply in whole:
            assert reply.result().status == 503
            assert reply.result().reason == "SHUTTING_DOWN"
        for reply in streams.values():
            elements = [element["answer"] for element in reply.result().stream()]
            assert elements[-1]["state"] == "FAILED"
            assert elements[-1]["answerText"].startswith("Keep a book")
            assert "FAILED" not in [element["state"] for element in elements[:-1]]
        await ended(service)


async def test_while_it_stops_it_answers_all_but_questions(tmp_path: Path, model: Pausing) -> None:
    async with serving(tmp_path, model, grace=30) as service:
        async with Asking(service) as client:
            client.ask(f"{CONFIG}:answer", _ANSWER)
            await eventually(lambda: model.waiting == 1)
            await client.begin_to_stop()
            for path, body in [*WHOLE.values(), *STREAMS.values(), *PIECES.values()]:
                refused = await client.post(path, body)
                assert (refused.status, refused.reason) == (503, "SHUTTING_DOWN")
            for path in ("/livez", "/metrics", f"/v1/{STORE}"):
                assert (await client.get(path)).status == 200
            assert (await client.post(f"{CONFIG}:search", {"query": QUERY})).status == 200
            model.go.set()
        await ended(service)


async def test_a_second_signal_ends_the_grace(tmp_path: Path, model: Pausing) -> None:
    async with serving(tmp_path, model, grace=600) as service:
        async with Asking(service) as client:
            stream = client.ask(*STREAMS["array"])
            stored = client.ask(*STREAMS["session"])
            await eventually(lambda: model.waiting == 2)
            await client.begin_to_stop()
            assert service.process is not None
            service.process.terminate()
        for reply in (stream.result(), stored.result()):
            # One of which nothing was told yet says what to do; a busy machine may be so slow.
            if reply.status == 503:
                assert reply.reason == "SHUTTING_DOWN"
            else:
                assert reply.stream()[-1]["answer"]["state"] == "FAILED"
        await ended(service)
        assert "answer_let_go" in service.record.read_text()


async def test_one_who_reads_nothing_holds_nothing_up(tmp_path: Path, model: Pausing) -> None:
    model.server.script(doubles.stream(*("much to read, " * 1000 for _ in range(1000))))
    async with serving(tmp_path, model, grace=1) as service:
        body = json.dumps(_ANSWER).encode()
        reader, writer = await asyncio.open_connection("127.0.0.1", service.port, limit=1024)
        writer.write(
            b"POST /v1/%b:streamAnswer HTTP/1.1\r\n%bContent-Length: %d\r\n\r\n%b"
            % (CONFIG.encode(), _HEADERS, len(body), body)
        )
        assert b"200" in await reader.readline()
        async with Asking(service) as client:
            await client.begin_to_stop()
        await ended(service)
        writer.close()


async def test_one_who_says_nothing_holds_nothing_up(tmp_path: Path, model: Pausing) -> None:
    async with serving(tmp_path, model, grace=1) as service:
        reader, writer = await asyncio.open_connection("127.0.0.1", service.port)
        writer.write(
            b"POST /v1/%b:answer HTTP/1.1\r\n%bContent-Length: 99\r\n\r\n{"
            % (CONFIG.encode(), _HEADERS)
        )
        async with Asking(service) as client:
            assert (await client.get("/livez")).status == 200  # what came before is read by now
            await client.begin_to_stop()
        assert b"503" in await reader.readline()
        assert b"SHUTTING_DOWN" in await reader.read()
        await ended(service)
        writer.close()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
async def test_a_signal_at_the_start_leaves_nothing_behind(
    tmp_path: Path, how: signal.Signals
) -> None:
    async with services(tmp_path / "data") as (service,):
        await service.launch()
        assert await service.stop(how) == 0
        await ended(service)


async def test_a_signal_while_redis_starts_leaves_nothing_behind(tmp_path: Path) -> None:
    async with services(tmp_path / "data") as (service,):
        await service.launch()
        await eventually(lambda: service.redis_pid() > 0)
        assert await service.stop() == 0
        await ended(service)


async def test_a_terminal_that_closes_stops_it_as_well(tmp_path: Path) -> None:
    async with services(tmp_path / "data") as (service,):
        await service.start()
        assert await service.stop(signal.SIGHUP) == 0
        await ended(service)


class Lasting(NamedTuple):
    """A service that nobody tells to stop, and its model."""

    service: Service
    model: Pausing


@pytest.fixture(scope="module")
async def started(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Lasting]:
    pausing = Pausing()
    async with (
        pausing.server,
        serving(tmp_path_factory.mktemp("lasting"), pausing, grace=30) as service,
    ):
        yield Lasting(service, pausing)


@pytest.fixture
def lasting(started: Lasting) -> Lasting:
    """The service, with a model that waits anew."""
    started.model.waiting = 0
    started.model.go.clear()
    started.model.server.left.clear()
    return started


@pytest.mark.parametrize("question", [*WHOLE])
async def test_a_question_ends_with_who_asked_it(lasting: Lasting, question: str) -> None:
    service, model = lasting
    async with Asking(service) as client:
        asked = client.ask(*WHOLE[question])
        await eventually(lambda: model.waiting == 1)
        asked.cancel()
    async with asyncio.timeout(5):
        await model.server.left.wait()


async def test_an_answer_of_a_session_goes_on_without_its_asker(lasting: Lasting) -> None:
    service, model = lasting
    async with Asking(service) as client:
        asked = client.ask(*STORED["session"])
        await eventually(lambda: model.waiting == 1)
        asked.cancel()
        await asyncio.wait([asked])
        (session,) = (await client.get(f"/v1/{STORE}/sessions")).document["sessions"]
        name = session["turns"][0]["answer"]

        async def is_whole() -> bool:
            return bool((await client.get(f"/v1/{name}")).document.get("answerText") == TOLD)

        assert not await is_whole()
        model.go.set()
        await eventually(is_whole)


async def test_a_second_signal_reaches_all_workers(tmp_path: Path, model: Pausing) -> None:
    async with serving(tmp_path, model, 600, "--workers", "2") as service:
        async with Asking(service) as client:
            asked = [client.ask(*STREAMS["array"])]

            def is_waiting() -> bool:
                if asked[-1].done():  # by a worker that was not ready yet
                    asked.append(client.ask(*STREAMS["array"]))
                return model.waiting == 1

            await eventually(is_waiting, within=20)
            assert service.process is not None
            service.process.terminate()
            # The one that has nothing to do ends at once, and the other waits for its answer.
            await eventually(lambda: len(service.workers()) == 1)
            service.process.terminate()
        assert asked[-1].result().stream()[-1]["answer"]["state"] == "FAILED"
        await ended(service)
