"""Purge and export find everything of a user on whichever node of Redis it is."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import pytest
import redis as redis_client

from service.settings import Settings
from tests import redis_servers
from tests.clients.conftest import running_service
from tests.privacy import remains
from tests.privacy.test_user_data_purge import (
    LOCATION,
    Portal,
    Visitor,
    exported,
    furnish,
    kept,
    live,
    merged,
    person,
)


@pytest.fixture(scope="module", params=["cluster", "sentinels"])
def nodes(request: pytest.FixtureRequest, redis_binary: str) -> Iterator[tuple[str, list[int]]]:
    """Give the URL of a deployment, and the ports of the servers that hold data."""
    with redis_servers.folder() as folder, contextlib.ExitStack() as stack:
        if request.param == "cluster":
            made = stack.enter_context(redis_servers.cluster(redis_binary, folder))
            yield made.url, [node.port for node in made.nodes]
        else:
            watched = stack.enter_context(redis_servers.sentinels(redis_binary, folder))
            yield watched.url, [watched.master.port, watched.replica.port]


@pytest.fixture(scope="module")
def portal(
    nodes: tuple[str, list[int]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Portal]:
    url, ports = nodes
    for port in ports:
        with _client(port) as redis:
            redis.config_set("rdbcompression", "no")  # or markers would hide in what is compressed
    folder = tmp_path_factory.mktemp("d")
    settings = Settings(port=0, data_dir=folder, redis_url=url, sample=False)
    with running_service(settings) as service:
        portal = Portal(service, folder)
        furnish(portal)
        yield portal


def test_everything_of_a_user_is_exported_and_purged_on_all_nodes(
    portal: Portal, nodes: tuple[str, list[int]]
) -> None:
    ada, bob = person(), person()
    live(portal, bob)
    live(portal, ada)
    visitor: Visitor = merged(portal, ada)
    texts = (*ada, *visitor.person)
    assert len({port for port in nodes[1] if _found(portal, port, texts)}) == len(nodes[1])
    before = kept(portal, bob)
    told = json.dumps(exported(portal, ada))
    assert told.count('"type": "session"') == 4
    assert told.count('"type": "answer"') == 8
    portal.done(f"{LOCATION}:purgeUserData", {"userPseudoId": ada.id})
    assert [place for port in nodes[1] for place in _found(portal, port, texts)] == []
    assert kept(portal, bob) == before
    assert exported(portal, ada) == [{"type": "end", "lines": 0}]


def _found(portal: Portal, port: int, texts: tuple[str, ...]) -> list[str]:
    with _client(port) as redis:
        return remains.found(redis, portal.folder, texts)


def _client(port: int) -> Any:
    client: Any = redis_client.Redis
    return client(port=port)
