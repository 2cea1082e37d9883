"""Who sees only some documents finds no other, and is told nothing of any other."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from service.corpus import document_filters
from service.corpus.document_access import UNRESTRICTED, DocumentPolicy, Viewer
from service.corpus.index import SearchScope
from service.corpus.redis_search.index import RedisIndex
from sessions import names
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.corpus.doubles import entry
from tests.corpus.redis_search import engines
from tests.corpus.texts import STORE

pytestmark = pytest.mark.anyio

DOCUMENTS = (
    entry("fees", "A parking permit costs 30 euro a year.", "It is for one car.", team="all"),
    entry("pay", "The salaries of parking wardens rise in May.", "Griffins too.", team="hr"),
    entry("sueldo", "El sueldo sube en mayo.", language="es", team="hr"),
)
POLICY = DocumentPolicy(
    filter=document_filters.parse_policy("team: ANY(claims.teams)", field="policy")
)
VISITOR = Viewer(claims={"teams": ("all",)})


async def policy(_: str) -> DocumentPolicy:
    return POLICY


@pytest.fixture
async def index(redis: Redis, keys: Keys) -> AsyncIterator[RedisIndex]:
    async with engines.opened(redis, keys, DOCUMENTS, policy=policy) as index:
        yield index


async def found(index: RedisIndex, query: str, viewer: Viewer) -> set[str]:
    scope = SearchScope(data_stores=(STORE,), viewer=viewer)
    return {names.last_id(h.chunk.document) for h in await index.search(query, scope, limit=10)}


async def test_only_what_the_viewer_may_see_is_found(index: RedisIndex) -> None:
    assert await found(index, "parking", UNRESTRICTED) == {"fees", "pay"}
    assert await found(index, "parking", VISITOR) == {"fees"}
    assert await found(index, "parking", Viewer()) == set()


async def test_no_word_of_a_hidden_document_is_known(index: RedisIndex) -> None:
    for query, known in (("griffins", False), ("permit", True)):
        scope = SearchScope(data_stores=(STORE,), viewer=VISITOR)
        assert {word.known for word in (await index.read_query(query, scope)).words} == {known}
    scope = SearchScope(data_stores=(STORE,), viewer=UNRESTRICTED)
    assert (await index.read_query("griffins", scope)).words[0].known


async def test_no_slip_is_read_as_a_word_of_a_hidden_document(index: RedisIndex) -> None:
    scope = SearchScope(data_stores=(STORE,), viewer=VISITOR)
    assert (await index.read_query("grifins", scope)).text == "grifins"
    whole = SearchScope(data_stores=(STORE,), viewer=UNRESTRICTED)
    assert (await index.read_query("grifins", whole)).text == "griffins"


async def test_a_hidden_document_cannot_be_read_listed_or_seen(index: RedisIndex) -> None:
    name = names.document(STORE, "pay")
    assert await index.read_chunks(name, 0, 9, VISITOR) == []
    assert len(await index.read_chunks(name, 0, 9, UNRESTRICTED)) == 2
    scope = SearchScope(data_stores=(STORE,), viewer=VISITOR)
    listed = await index.list_documents(scope)
    assert [names.last_id(each.document) for each in listed] == ["fees"]
    sees = await index.sight((STORE,), VISITOR)
    assert sees is not None
    assert [sees(names.document(STORE, i)) for i in ("fees", "pay", "gone")] == [True, False, False]
    assert await index.sight((STORE,), UNRESTRICTED) is None


@pytest.mark.parametrize(
    "query",
    [
        "permit) | (@facts:{e}",
        "@facts:{e} permit",
        "-@facts:{x} *",
        "permit | *",
        "%%prmit%% salaries",
        "permit=>{$weight:5}",
        "\x00permit\x1f",
        "@id:{pay} @body:salaries",
        "[1 2] ~permit -car",
    ],
)
async def test_no_query_reaches_beyond_what_the_viewer_sees(index: RedisIndex, query: str) -> None:
    assert await found(index, query, VISITOR) <= {"fees"}


async def test_no_text_of_whatever_marks_reaches_beyond(index: RedisIndex) -> None:
    """Many of them over one index, each with a word of the hidden document in it."""
    for at in range(200):
        query = example(at)
        assert await found(index, f"{query}salaries{query}", VISITOR) <= {"fees"}


def example(seed: int) -> str:
    marks = "{}()|-~*@:$\"'\\%=<>[]; ,.!#&^+/?`\x00\x1f\nabPe"
    return "".join(marks[(seed * 7919 + at * at * 104729 + at) % len(marks)] for at in range(9))
