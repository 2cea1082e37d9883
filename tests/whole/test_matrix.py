"""Everybody calls every route, and gets what the table says and nothing of anybody else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from redis.asyncio import Redis

from tests import redis_servers
from tests.whole import frame_matrix, house, matrix
from tests.whole.house import ENGINE, OTHER_STORE, STORE, Caller, House

pytestmark = pytest.mark.anyio

LOCKED_OUT = ("none", "unknown", "revoked", "expired", "expired token", "wrong audience", "merged")


@pytest.fixture(scope="module")
def server(redis_binary: str) -> Iterator[str]:
    with (
        redis_servers.folder() as folder,
        redis_servers.standalone(redis_binary, folder) as running,
    ):
        yield running.url


@pytest.fixture(scope="module")
async def inside(server: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    async with house.furnished(server, tmp_path_factory.mktemp("house")) as furnished:
        yield furnished


@pytest.mark.parametrize(
    ("verb", "path"),
    [
        ("GET", "sessions/{id}"),
        ("DELETE", "sessions/{id}"),
        ("PATCH", "sessions/{id}"),
        ("GET", "sessions/{id}/answers/1"),
        ("GET", "sessions/{id}/answers/1:stream"),
        ("GET", "conversations/{id}"),
        ("POST", "conversations/{id}:converse"),
    ],
)
@pytest.mark.parametrize("parent", [STORE, ENGINE])
async def test_what_is_not_there_and_what_is_not_for_you_are_told_in_the_same_words(
    inside: House, verb: str, path: str, parent: str
) -> None:
    """Of somebody else, of nobody, outside the boundary or absent: none is told from another."""
    asks = {each.name: each for each in inside.callers}
    kind = "c" if path.startswith("conv") else "s"
    absent = f"{parent}/{path.format(id='absent')}"
    said = {await _told(inside, asks["operator"], verb, absent)}
    for name in ("bert", "nobody"):
        said.add(
            await _told(inside, asks["owner"], verb, absent.replace("absent", f"{kind}-{name}"))
        )
    said.add(await _told(inside, asks["owner"], verb, absent))
    others = absent.replace(parent, OTHER_STORE).replace("absent", f"{kind}-anna")
    said.add(await _told(inside, asks["owner"], verb, others))
    assert len(said) == 1, said


async def test_every_frame_answers_everybody_as_the_table_says(inside: House) -> None:
    """Before the routes, which purge the owner."""
    found = await frame_matrix.cells(inside)
    wrong = [each for each in found if not each.is_right or each.leaks]
    assert not wrong, matrix.summary("frames", wrong, 0.0)
    seen: defaultdict[str, set[str]] = defaultdict(set)
    for each in found:
        seen[each.caller] |= each.marks
    assert {"mark-p-a-anna", "mark-p-a-bert", "mark-q-a-anna"} < seen["operator"]
    assert "mark-p-a-anna" in seen["owner"]
    assert "mark-p-a-bert" in seen["other user"]
    assert not any(seen[each] for each in LOCKED_OUT)


async def test_every_route_answers_everybody_as_the_table_says(inside: House) -> None:
    """``python -m tests.whole.matrix`` prints what is wrong, too."""
    found = await matrix.cells(inside)
    wrong = [each for each in found if not each.is_right or each.leaks]
    assert not wrong, matrix.summary("routes", wrong, 0.0)
    seen: defaultdict[str, set[str]] = defaultdict(set)
    for each in found:
        seen[each.caller] |= each.marks
    # What comes back does have its markers, or nothing would ever leak.
    assert {"mark-p-a-anna", "mark-p-a-bert", "mark-p-a-nobody"} < seen["operator"]
    assert seen["owner"] == {"mark-p-a-all", "mark-p-a-anna"}
    assert seen["other user"] == {"mark-p-a-all", "mark-p-a-bert"}
    assert seen["visitor"] == {"mark-p-a-all"}
    assert "mark-q-a-bert" not in seen["server"]
    assert not any(seen[each] for each in LOCKED_OUT)


async def _told(inside: House, caller: Caller, verb: str, name: str) -> str:
    """Return what comes back of *name*, without the name."""
    body: Any = {} if verb in ("POST", "PATCH") else None
    if name.endswith(":converse"):
        body = {"query": {"input": "What is the fence?"}}
    status, content = await inside.call(caller.token, verb, f"/v1/{name}", body)
    plain, _, _ = name.partition(":")
    return f"{status} {content.decode().replace(plain, 'NAME')}"


@pytest.mark.parametrize("path", ["sessions/{}", "conversations/{}", "sessions/{}/answers/1"])
async def test_what_is_not_for_you_takes_the_commands_of_what_is_not_there(
    inside: House, server: str, path: str
) -> None:
    """So the time to answer says nothing: Redis is asked the same, and sends as little."""
    token = next(each.token for each in inside.callers if each.name == "owner")
    kind = "c" if path.startswith("conv") else "s"
    parents = {"absent": STORE, f"{kind}-bert": STORE, f"{kind}-anna": OTHER_STORE}
    asked = {each: f"{parent}/{path.format(each)}" for each, parent in parents.items()}
    for name in asked.values():  # scripts are known from here on
        await inside.call(token, "GET", f"/v1/{name}")
    opened: Any = Redis.from_url(server)  # pyright: ignore[reportUnknownMemberType]
    async with opened as client, client.monitor() as monitor:
        for name in asked.values():
            status, _ = await inside.call(token, "GET", f"/v1/{name}")
            assert status == 404
        await client.echo("the end")
        told = list[str]()
        async for line in monitor.listen():
            if line["command"] == "ECHO the end":
                break
            told.append(line["command"])
    sent = {
        each: [line.split()[0] for line in told if each in line and line.split()[0] != "GET"]
        for each in asked
    }
    assert sent["absent"]
    assert sent[f"{kind}-bert"] == sent["absent"]
    assert sent[f"{kind}-anna"] == sent["absent"]
