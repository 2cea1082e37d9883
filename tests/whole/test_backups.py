"""A portal that is backed up while it streams is the same on any other Redis."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Generator
from pathlib import Path
from typing import Any, Final, NamedTuple

import aiohttp
import pytest

from tests import redis_servers
from tests.waiting import eventually
from tests.whole.asking import CONFIG, PAGES, QUERY, STORE, TOLD, Pausing
from tests.whole.processes import Service, services

pytestmark = pytest.mark.anyio

EVENT: Final = {
    "eventType": "search",
    "userPseudoId": "ada",
    "searchInfo": {"searchQuery": "how long may I keep a book"},
}


class Portal:
    """The API as the back end of a portal asks it, with its key."""

    def __init__(self, service: Service, client: aiohttp.ClientSession) -> None:
        self._url = f"{service.rest}/v1/"
        self._client = client

    async def call(self, path: str, body: Any = None, *, key: bool = True) -> Any:
        """Return what a request got; without *key* it is a stranger's."""
        method = "GET" if body is None else "POST"
        headers = {} if key else {"x-goog-api-key": ""}
        async with self._client.request(method, self._url + path, json=body, headers=headers) as it:
            return await it.json() if key else it.status

    async def state(self, answer: str) -> str:
        return str((await self.call(answer)).get("state", ""))

    async def shown(self) -> dict[str, Any]:
        """Return all that a portal sees of what is kept."""
        asked: dict[str, tuple[str, Any]] = {
            "store": (STORE, None),
            "documents": (f"{STORE}/branches/0/documents", None),
            "sessions": (f"{STORE}/sessions?orderBy=update_time%20desc", None),
            "of ada": (f"{STORE}/sessions?filter=userPseudoId=%22ada%22", None),
            "conversations": (f"{STORE}/conversations", None),
            "search": (f"{CONFIG}:search", {"query": QUERY}),
            "completions": (
                f"{STORE}:completeQuery?query=how%20long",
                None,
            ),
        }
        shown = {name: await self.call(path, body) for name, (path, body) in asked.items()}
        assert not any("error" in each for each in shown.values()), shown
        assert [len(shown[name]["sessions"]) for name in ("sessions", "of ada")] == [4, 3]
        return shown


class Made(NamedTuple):
    """A backup, and what was there when it was made."""

    file: Path
    key: str
    shown: dict[str, Any]
    answers: dict[str, Any]
    unfinished: list[str]
    """An answer that was streaming, and one that waited for its end."""


@contextlib.asynccontextmanager
async def portal(service: Service, key: str) -> AsyncGenerator[Portal]:
    async with aiohttp.ClientSession(headers={"x-goog-api-key": key}) as client:
        yield Portal(service, client)


async def ask(portal: Portal, session: str, user: str = "ada") -> str:
    """Accept a question and return the name of its answer."""
    body = {"query": {"text": QUERY}, "session": session, "userPseudoId": user}
    body |= {"asynchronousMode": True}
    return str((await portal.call(f"{CONFIG}:answer", body))["answer"]["name"])


async def fill(portal: Portal, model: Pausing) -> dict[str, Any]:
    """Leave something of each kind, and return the answers that have ended."""
    model.go.set()
    for name in ("first", "streaming"):
        await portal.call(f"{STORE}/sessions?sessionId={name}", {"userPseudoId": "ada"})
    ended: dict[str, Any] = {}
    for session, user in (("-", "ada"), ("-", "bob"), ("first", "ada"), ("first", "ada")):
        name = await ask(portal, f"{STORE}/sessions/{session}", user)
        await eventually(lambda name=name: _has_ended(portal, name))
        ended[name] = await portal.call(name)
    await portal.call(f"{STORE}/conversations/-:converse", {"query": {"input": QUERY}})
    await portal.call(f"{STORE}/userEvents:write", EVENT)
    return ended


async def _has_ended(portal: Portal, answer: str) -> bool:
    return await portal.state(answer) in ("SUCCEEDED", "FAILED")


@pytest.fixture(scope="module")
async def model() -> AsyncIterator[Pausing]:
    pausing = Pausing()
    async with pausing.server:
        yield pausing


def settings(redis_url: str, model: Pausing) -> tuple[tuple[str, str], ...]:
    return (
        ("COLLOQUY_REDIS_URL", redis_url),
        ("COLLOQUY_LLM_BASE_URL", model.server.base_url),
        ("COLLOQUY_LLM_MODEL", "scripted"),
        ("COLLOQUY_GRACE", "0"),
    )


@pytest.fixture(scope="module")
async def made(
    tmp_path_factory: pytest.TempPathFactory, redis_binary: str, model: Pausing
) -> AsyncIterator[Made]:
    folder = tmp_path_factory.mktemp("filled")
    for name, text in PAGES.items():
        (folder / name).write_text(text)
    with redis_servers.folder() as home, redis_servers.standalone(redis_binary, home) as source:
        source.allow_service()
        async with services(folder / "data", settings(source.service_url, model)) as (service,):
            await service.given("import", str(folder), "--data-store", "library")
            said = await service.given("keys", "create", "--scope", "admin")
            key = next(line for line in said.splitlines() if line.startswith("colloquy_"))
            async with service.in_a_thread(), portal(service, key) as api:
                yield await _made(service, api, key, model)


async def _made(service: Service, api: Portal, key: str, model: Pausing) -> Made:
    answers = await fill(api, model)
    model.go.clear()
    model.waiting = 0
    session = f"{STORE}/sessions/streaming"
    unfinished = [await ask(api, session), await ask(api, session)]
    await eventually(lambda: model.waiting == 1)
    file = Path(service.data_dir).parent / "it.backup"
    status, said = await service.command("backup", str(file))
    assert (status, said.split(" to ")[0]) == (
        0,
        "backed up 2 documents, 4 sessions, 1 conversations and 7 answers",
    )
    return Made(file, key, await api.shown(), answers, unfinished)


@contextlib.contextmanager
def empty(name: str, redis_binary: str) -> Generator[str]:
    """Run an empty Redis and give its URL."""
    with redis_servers.folder() as home:
        if name == "cluster":
            with redis_servers.cluster(redis_binary, home) as cluster:
                yield cluster.url
        else:
            with redis_servers.standalone(name, home) as server:
                server.allow_service()
                yield server.service_url


@pytest.mark.parametrize(
    "target", ["cluster", *redis_servers.old_binaries()], ids=redis_servers.called
)
async def test_a_portal_is_the_same_after_a_restore(
    made: Made, model: Pausing, target: str, redis_binary: str, tmp_path: Path
) -> None:
    with empty(target, redis_binary) as url:
        async with services(tmp_path / "data", settings(url, model)) as (service,):
            status, said = await service.command("restore", str(made.file))
            assert status == 0, said
            model.go.set()
            async with service.in_a_thread(), portal(service, made.key) as api:
                assert {name: await api.call(name) for name in made.answers} == made.answers
                after = await api.shown()
                assert {name: settled(each) for name, each in after.items()} == {
                    name: settled(each) for name, each in made.shown.items()
                }
                assert await api.call(STORE, key=False) == 403
                # Nobody writes them any more: whoever starts goes on, and begins what waited.
                for name in made.unfinished:
                    await eventually(lambda name=name: _has_ended(api, name))
                    assert (await api.call(name))["answerText"] == TOLD
            assert (await service.command("audit", "--verify"))[0] == 0


def settled(shown: dict[str, Any]) -> dict[str, Any]:
    """Leave out what differs from one request to the next, and the session that goes on."""
    same = {k: v for k, v in shown.items() if k not in ("attributionToken", "queryId")}
    if "sessions" in same:
        listed = same["sessions"]
        same["sessions"] = [each for each in listed if not each["name"].endswith("/streaming")]
    return same
