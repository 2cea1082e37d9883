"""Questions over REST to a service as a process, whose model waits in the middle of its text."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, Final, NamedTuple

import aiohttp

from tests import doubles
from tests.waiting import LONG, eventually
from tests.whole.processes import Service, services

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
THOUGHT: Final = "It is about loans."
PAUSE: Final = 4  # the piece before which the model waits; the first only thinks


_TOOL: Final = {"retrieval": {"vertexAiSearch": {"datastore": STORE}}}
CONTENTS: Final = [{"role": "user", "parts": [{"text": QUERY}]}]
HEADERS: Final = b"Host: localhost\r\nContent-Type: application/json\r\n"
ANSWER: Final[dict[str, Any]] = {"query": {"text": QUERY}}
_IN_SESSION: Final = ANSWER | {"session": f"{STORE}/sessions/-"}
_GENERATE: Final[dict[str, Any]] = {"contents": CONTENTS, "tools": [_TOOL]}
_GROUNDED: Final[dict[str, Any]] = {
    "contents": CONTENTS,
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
    "answer": (f"{CONFIG}:answer", ANSWER),
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
    "array": (f"{CONFIG}:streamAnswer", ANSWER),
    "session": (f"{CONFIG}:streamAnswer", _IN_SESSION),
    "events": (f"{CONFIG}:streamAnswer?alt=sse", ANSWER),
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
        thinks = doubles.data(doubles.event(role="assistant", reasoning_content=THOUGHT))
        pieces = [thinks, *doubles.completion(*SAID)[1:]]
        self.server = doubles.OpenAIServer(doubles.chunks(pieces, before_each=self._before))

    async def _before(self, number: int) -> None:
        if number == PAUSE:
            self.waiting += 1
            await self.go.wait()


@contextlib.asynccontextmanager
async def serving(
    folder: Path, model: Pausing, grace: float, *options: str
) -> AsyncGenerator[Service]:
    """Run a service that knows `PAGES` and asks *model*."""
    async with replicas(folder, model, grace) as (service,):
        await service.start(*options)
        yield service


@contextlib.asynccontextmanager
async def replicas(
    folder: Path, model: Pausing, grace: float, count: int = 1
) -> AsyncGenerator[list[Service]]:
    """Give *count* services that know `PAGES` and ask *model*, not started yet."""
    settings = {
        "COLLOQUY_LLM_BASE_URL": model.server.base_url,
        "COLLOQUY_LLM_MODEL": "scripted",
        "COLLOQUY_GRACE": str(grace),
    }
    (folder / "pages").mkdir()
    for name, text in PAGES.items():
        (folder / "pages" / name).write_text(text)
    async with services(folder / "data", tuple(settings.items()), count=count) as made:
        await made[0].given("import", str(folder / "pages"), "--data-store", "library")
        yield made


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
    async with asyncio.timeout(LONG):
        assert await service.process.wait() == 0
    assert "Traceback" not in service.record.read_text()
    assert service.redis_pid() == 0
