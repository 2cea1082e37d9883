"""Whoever asks by way of a listed proxy is limited by the address that the proxy saw, and no other.

Two processes share one port, and the limits of both are one. Each test makes up what stands left of
the address that the proxy appends, another with each request, and gets no more through than its
address may.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Final

import aiohttp
import pytest
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from streaming.protocol import frames
from tests.whole.processes import Service, services

pytestmark = pytest.mark.anyio

RATE: Final = 5
"""Requests of one address in a minute."""
_PATH: Final = "v1/projects/{}/locations/global/collections/default_collection/dataStores/none"
_SEARCH: Final = f"{_PATH}/servingConfigs/default_search:search"

Headers = Sequence[tuple[str, str]]
Attack = Callable[[int, str], Headers]


def of(name: str, value: str) -> Attack:
    """Return who sends *value* in a header *name*: {n} is another each time, {me} the address."""
    return lambda n, me: [(name, value.format(n=n, me=me, many=f"6.6.{n}.6, " * 100))]


def both(*attacks: Attack) -> Attack:
    """Return who sends what all *attacks* send."""
    return lambda n, me: [header for attack in attacks for header in attack(n, me)]


XFF: Final = "X-Forwarded-For"
_HONEST: Final = of(XFF, "{me}")
ATTACKS: Final[dict[str, Attack]] = {
    "spoofed left-most": of(XFF, "6.6.6.{n}, {me}"),
    "spoofed in a line of its own": both(of(XFF, "6.6.6.{n}"), _HONEST),
    "ten lines": both(*[of(XFF, f"6.6.{{n}}.{each}") for each in range(10)], _HONEST),
    "a listed proxy that is made up": of(XFF, "6.6.6.{n}, 127.0.0.1, {me}"),
    "a listed proxy behind": of(XFF, "6.6.6.{n}, {me}, 127.0.0.1"),
    "this machine": of(XFF, "127.0.0.{n}, {me}"),
    "trailing commas": of(XFF, "6.6.6.{n}, {me}, ,,"),
    "a port each": of(XFF, "{me}:{n}"),
    "mapped into IPv6": of(XFF, "6.6.6.{n}, ::ffff:{me}"),
    "mapped into IPv6 with a port each": of(XFF, "6.6.6.{n}, [::ffff:{me}]:{n}"),
    "a hundred hops": of(XFF, "{many}{me}"),
    "60 KB": lambda n, me: [(XFF, f"6.6.6.{n}," * 6_000 + me)],
    "60 KB of commas": lambda n, me: [(XFF, f"6.6.6.{n}" + "," * 60_000 + me)],
    "the other header, another address": both(of("Forwarded", "for=6.6.6.{n}"), _HONEST),
    "the other header, unknown": both(of("Forwarded", "for=unknown;by=6.6.6.{n}"), _HONEST),
    "the other header, hidden": both(of("Forwarded", "for=_h{n}"), _HONEST),
    "the other header, broken": both(of("Forwarded", 'for="6.6.6.{n}'), _HONEST),
    "the other header, this machine": both(of("Forwarded", "for=127.0.0.{n}"), _HONEST),
    "Forwarded": of("Forwarded", "for=6.6.6.{n}, for={me}"),
    "Forwarded with an open quote": of("Forwarded", 'for="6.6.6.{n}, for={me}'),
    "Forwarded with an open quote in a line of its own": both(
        of("Forwarded", 'for="6.6.6.{n}'), of("Forwarded", 'for="{me}"')
    ),
    "Forwarded with an open quote before a quoted one": of(
        "Forwarded", 'for="6.6.6.{n}, for="{me}"'
    ),
    "Forwarded with a comma in quotes": of(
        "Forwarded", 'for=6.6.6.{n};by="a, for=7.7.7.{n}", for={me}'
    ),
    "Forwarded twice in one": of("Forwarded", "for={me};for=6.6.6.{n}"),
    "Forwarded unknown": of("Forwarded", "for=6.6.6.{n}, for=unknown"),
    "Forwarded hidden": of("Forwarded", "for=6.6.6.{n}, for=_me{n}"),
    "nothing that is an address": of(XFF, "6.6.6.{n}, nonsense{n}"),
    "a zone each": of(XFF, "6.6.6.{n}, fe80::1%{n}"),
    "stripped by the proxy": lambda _n, _me: [],
    "no address": of(XFF, " "),
    "another address of its network each": of(XFF, "2001:db8:1:2::{n}"),
    "another of its network each, quoted": of("Forwarded", 'for="[2001:db8:1:3::{n}]:{n}"'),
    "this machine, as nearest": of(XFF, "6.6.6.{n}, 127.0.0.9"),
}


@pytest.fixture(scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    """A service of two processes behind a proxy on this machine, whose clients are not."""
    settings = {
        "COLLOQUY_PROXIES": "127.0.0.1",
        "COLLOQUY_RATE_LIMITS": f"address={RATE}",
    }
    data = tmp_path_factory.mktemp("addresses") / "data"
    async with services(data, [*settings.items()]) as (made,):
        await made.start("--workers", "2")
        yield made


async def ask(
    service: Service, headers: Headers, project: str, peer: str = "127.0.0.1"
) -> aiohttp.ClientResponse:
    """Return the response of a search by a connection of its own, so by whichever process."""
    connector = aiohttp.TCPConnector(local_addr=(peer, 0), force_close=True)
    url = f"{service.rest}/{_SEARCH.format(project)}"
    async with (
        aiohttp.ClientSession(connector=connector) as http,
        http.post(url, json={"query": "x"}, headers=list(headers)) as reply,
    ):
        return reply


@pytest.mark.parametrize("name", ATTACKS)
async def test_nobody_gets_more_by_what_it_makes_up(service: Service, name: str) -> None:
    me, began = f"198.51.100.{1 + [*ATTACKS].index(name)}", time.monotonic()
    asked = [await ask(service, ATTACKS[name](n, me), f"of-{me}") for n in range(1, 3 * RATE)]
    let = sum(reply.status != 429 for reply in asked)
    assert let <= RATE * (1 + (time.monotonic() - began) / 60)


async def test_nobody_gets_more_by_projects_that_it_makes_up(service: Service) -> None:
    """Each process counts an address once in all of them, and there are two."""
    began = time.monotonic()
    asked = [await ask(service, [(XFF, "192.0.2.7")], f"made-up-{n}") for n in range(4 * RATE)]
    let = sum(reply.status != 429 for reply in asked)
    assert let <= 2 * RATE * (1 + (time.monotonic() - began) / 60)


@pytest.mark.parametrize("name", ["spoofed left-most", "the other header, unknown"])
async def test_frames_count_as_requests_do(service: Service, name: str) -> None:
    """A handshake is read as a request is: what was used up there is used up here."""
    me, project = f"203.0.113.{1 + [*ATTACKS].index(name)}", "frames"
    config = f"{_PATH.format(project).removeprefix('v1/')}/servingConfigs/default_search"
    began, refused = time.monotonic(), 0
    for n in range(2 * RATE):
        await ask(service, ATTACKS[name](n, me), project)
    headers = list(ATTACKS[name](99, me))
    async with connect(
        service.websocket,
        subprotocols=[Subprotocol(frames.SUBPROTOCOL)],
        additional_headers=headers,
    ) as line:
        await line.recv()
        for n in range(2 * RATE):
            frame: Any = {"type": "answer", "id": str(n), "servingConfig": config}
            frame["request"] = {"query": {"text": "x"}}
            await line.send(json.dumps(frame))
            refused += "RATE_LIMIT_EXCEEDED" in str(await line.recv())
    assert refused >= 2 * RATE - RATE * (time.monotonic() - began) / 60 - 1


async def test_who_is_no_listed_proxy_speaks_for_itself(service: Service) -> None:
    """Another address of this machine is this machine, whatever it says of others."""
    for _ in range(2 * RATE):
        reply = await ask(service, [(XFF, "198.51.100.200")], "unlisted", peer="127.0.0.2")
        assert (reply.status, reply.headers.get("RateLimit")) == (404, None)
