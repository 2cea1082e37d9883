"""The user that operators make in a Redis with the Query Engine may do what the index asks for."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from service.corpus.index import SearchScope
from service.corpus.redis_search.vectors.shared_vectors import SharedVectors
from service.corpus.storage.document_store import DocumentStore
from sessions.redis import connection
from sessions.redis.keys import Keys
from tests import redis_servers
from tests.corpus.doubles import entry
from tests.corpus.redis_search import engines
from tests.corpus.texts import STORE
from tests.embeddings.doubles import HashingEmbedder
from tests.redis_servers import Server
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

ROOT: Final = Path(__file__).parents[3]
RULES: Final = ROOT / "docker" / "redis-users-search.acl"


def rules() -> list[str]:
    told = re.findall(r"^user colloquy on #\S+ (.+)$", RULES.read_text(), re.MULTILINE)
    return told[0].split()


def of_the_engine() -> set[str]:
    return {rule[1:].upper() for rule in rules() if rule.startswith("+ft.")}


def test_it_has_the_rights_of_any_redis_and_those_of_the_engine() -> None:
    plain = [rule for rule in rules() if not rule.startswith("+ft.")]
    assert plain == redis_servers.access_rules()[1:]
    assert rules()[4:] == sorted(rules()[4:])
    assert RULES.read_text().startswith("user default off\n")


def test_those_of_the_engine_are_what_the_code_sends() -> None:
    modules = (ROOT / "service" / "corpus" / "redis_search").rglob("*.py")
    sent = {name for path in modules for name in re.findall(r'"(FT\.[A-Z]+)"', path.read_text())}
    assert sent == of_the_engine()


async def test_whoever_has_them_keeps_an_index(query_engine_server: Server) -> None:
    keys = Keys("c")  # the rules are for its keys alone
    query_engine_server.call("ACL", "SETUSER", "searcher", "on", ">secret", *rules())
    url = query_engine_server.url.replace("://", "://searcher:secret@", 1)
    async with connection.connect(url) as redis:
        tram = entry("tram", "The tram runs.", "At night it stops.")
        vectors = SharedVectors(HashingEmbedder(), redis, keys, DocumentStore(redis, keys))
        async with engines.opened(redis, keys, [tram], vectors=vectors) as index:
            await eventually(lambda: vectors.count == 2)
            hits = await index.search("tram", SearchScope(data_stores=(STORE,)), limit=1)
            assert [hit.cosine is not None for hit in hits] == [True]
            await DocumentStore(redis, keys).drop(STORE)
            await index.refresh(STORE)
    assert [one for one in query_engine_server.denials() if one[2] == "searcher"] == []
