"""What every index must do; it runs over each implementation."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

import pytest

from service.corpus.document_access import UNRESTRICTED
from service.corpus.index import Boost, SearchContext, SearchScope
from service.corpus.redis_search.index import RedisIndex
from service.corpus.storage.document_store import DocumentStore
from service.corpus.tantivy.index import TantivyIndex
from service.language.synonyms import BUILT_IN, Synonyms
from sessions import names
from sessions.errors import InvalidArgument, Unavailable
from sessions.redis import connection
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.corpus.doubles import entry
from tests.corpus.texts import OTHER, STORE
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

LIBRARY = (
    entry("parking", "A parking permit costs 30 euro a year.", "Visitors pay by the day.", n=1),
    entry("pool", "The swimming pool opens at nine.", title="Swimming", n=2, tags=["sport"]),
    entry("dogs", "Dogs need a licence. The licence costs 90 euro a year.", n=3),
    entry("piscina", "La piscina abre a las nueve.", language="es"),
    entry("泳池", "游泳池九点开门。", language="zh", title="泳池"),
)
SCOPE = SearchScope(data_stores=(STORE,))


@pytest.fixture
def store(redis: Redis, keys: Keys) -> DocumentStore:
    """Return a store that nobody else uses."""
    return DocumentStore(redis, keys)


AnyIndex = TantivyIndex | RedisIndex


class Opened(Protocol):
    """Opens an index over the store of the test."""

    def __call__(self, *, synonyms: Synonyms = BUILT_IN) -> AnyIndex: ...


INDEXES = ("embedded", "redis")
"""Every index; what stands here is asked of each."""


@pytest.fixture(params=INDEXES)
def kind(request: pytest.FixtureRequest) -> str:
    """Name an index as `COLLOQUY_INDEX` does."""
    return request.param


@pytest.fixture
async def redis(kind: str, request: pytest.FixtureRequest) -> AsyncIterator[Redis]:
    """Open a server that has what the index needs."""
    server = "redis_server" if kind == "embedded" else "query_engine_server"
    async with connection.connect(request.getfixturevalue(server).url) as redis:
        yield redis


@pytest.fixture
def opened(kind: str, redis: Redis, keys: Keys, store: DocumentStore) -> Opened:
    def open_one(*, synonyms: Synonyms = BUILT_IN) -> AnyIndex:
        if kind == "embedded":
            return TantivyIndex(store, synonyms=synonyms)
        return RedisIndex(redis, keys, store, synonyms=synonyms)

    return open_one


@pytest.fixture
async def index(opened: Opened, store: DocumentStore) -> AsyncIterator[AnyIndex]:
    """Open an index over `LIBRARY` and another data store."""
    await store.put(STORE, LIBRARY)
    await store.put(OTHER, [entry("secret", "A parking permit is secret.", data_store=OTHER)])
    async with opened() as index:
        await index.wait_ready()
        yield index


class TestReadChunks:
    async def test_reads_neighbours_in_order(self, index: AnyIndex) -> None:
        name = names.document(STORE, "dogs")
        whole = await index.read_chunks(name, 0, 9, UNRESTRICTED)
        assert [chunk.number for chunk in whole] == [0]
        assert whole[0].text == "Dogs need a licence. The licence costs 90 euro a year."
        parking = await index.read_chunks(names.document(STORE, "parking"), 1, 5, UNRESTRICTED)
        assert [chunk.text for chunk in parking] == ["Visitors pay by the day."]

    async def test_finds_nothing_where_nothing_is(self, index: AnyIndex) -> None:
        assert await index.read_chunks(names.document(STORE, "cats"), 0, 9, UNRESTRICTED) == []
        assert await index.read_chunks(names.document(STORE, "dogs"), 3, 9, UNRESTRICTED) == []


class TestAnotherLanguage:
    async def test_a_query_finds_what_says_the_same(
        self, opened: Opened, store: DocumentStore
    ) -> None:
        """The words of the query are none of the store's."""
        await store.put(
            STORE,
            [
                entry("password", "How to change your password."),
                entry("delete", "How to delete your account."),
                entry("parking", "A parking permit costs 30 euro a year."),
            ],
        )
        async with opened() as index:
            await index.wait_ready()
            for query, wanted in (
                ("¿Cómo puedo cambiar mi contraseña?", "password"),
                ("Comment supprimer mon compte ?", "delete"),
                ("我怎样更改密码？", "password"),
            ):
                hits = await index.search(query, SCOPE, limit=1)
                assert [names.last_id(hit.chunk.document) for hit in hits] == [wanted]


class TestSynonyms:
    async def test_what_is_called_otherwise_is_found_behind_what_is_called_so(
        self, opened: Opened, store: DocumentStore
    ) -> None:
        await store.put(
            STORE,
            [
                entry("remove", "To remove a report, open its page."),
                entry("delete", "To delete a report for good, ask the office in writing."),
                entry("ticket", "A season ticket is valid for a year."),
            ],
        )
        own = Synonyms([["moonpass", "season ticket"]])
        async with opened(synonyms=own) as index:
            await index.wait_ready()
            assert await found(index, "delete a report") == ["delete", "remove"]
            assert await found(index, "erase a report") != []
            hits = await index.search("How long is a moonpass valid?", SCOPE, limit=1)
            assert names.last_id(hits[0].chunk.document) == "ticket"
            reading = await index.read_query("erase moonpass", SCOPE)
            assert all(word.known for word in reading.words)
            assert {"delet", "remov"} <= set(reading.words[0].readings)
            plain = await index.search("How long is a sunpass valid?", SCOPE, limit=1)
            assert plain[0].relevance < hits[0].relevance


class TestReadQuery:
    async def test_tells_what_the_store_knows(self, index: AnyIndex) -> None:
        reading = await index.read_query("What does a griffin licence cost?", SCOPE)
        assert {word.text: word.known for word in reading.words} == {
            "griffin": False,
            "licence": True,
            "cost": True,
        }


async def found(index: AnyIndex, query: str, scope: SearchScope = SCOPE) -> list[str]:
    hits = await index.search(query, scope, limit=10)
    return list(dict.fromkeys(hit.chunk.document.rpartition("/")[2] for hit in hits))


async def test_the_chunk_that_answers_comes_first(index: AnyIndex) -> None:
    hits = await index.search("How much is a permit for parking?", SCOPE, limit=3)
    best = hits[0].chunk
    assert best.text == "A parking permit costs 30 euro a year."
    assert best.name == f"{STORE}/branches/0/documents/parking/chunks/c1"
    assert (best.start_byte, best.end_byte) == (0, len(best.text))
    assert best.uri == "https://example.org/parking"
    assert best.struct_data == {"n": 1}
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("swim", "pool"),
        ("licences for my dog", "dogs"),
        ("¿Cuándo abren las piscinas?", "piscina"),
        ("游泳池什么时候开门？", "泳池"),
    ],
)
async def test_words_are_found_in_other_forms_and_languages(
    index: AnyIndex, query: str, expected: str
) -> None:
    assert (await found(index, query))[0] == expected


async def test_nothing_is_found_beyond_the_data_stores_of_the_scope(index: AnyIndex) -> None:
    assert await found(index, "parking permit") == ["parking"]
    assert await found(index, "parking permit", SearchScope(data_stores=(OTHER,))) == ["secret"]
    both = SearchScope(data_stores=(STORE, OTHER, STORE))
    assert set(await found(index, "parking permit", both)) == {"parking", "secret"}
    assert await found(index, "parking permit", SearchScope(data_stores=())) == []
    assert await found(index, "parking", SearchScope(data_stores=(STORE + "x",))) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n >= 3", ["dogs"]),
        ("NOT n >= 3", ["parking"]),
        ('id: ANY("parking")', ["parking"]),
        ('tags: ANY("sport")', []),
        ("n: IN(1, 3) AND NOT n = 2", ["dogs", "parking"]),
    ],
)
async def test_only_what_the_filter_matches_is_found(
    index: AnyIndex, text: str, expected: list[str]
) -> None:
    scope = SearchScope(data_stores=(STORE,), filter=text)
    assert sorted(await found(index, "costs a year", scope)) == expected


async def test_a_filter_or_boost_that_cannot_be_read_is_refused(index: AnyIndex) -> None:
    for scope in (
        SearchScope(data_stores=(STORE,), filter="n >"),
        SearchScope(data_stores=(STORE,), boosts=(Boost("n >", 1.0),)),
        SearchScope(data_stores=(STORE,), boosts=(Boost("n > 1", 2.0),)),
    ):
        with pytest.raises(InvalidArgument):
            await index.search("parking", scope, limit=1)


async def test_boosts_and_preferred_documents_move_hits(index: AnyIndex) -> None:
    query = "costs a year"
    first = (await found(index, query))[0]
    other = "dogs" if first == "parking" else "parking"
    up = SearchScope(data_stores=(STORE,), boosts=(Boost(f'id: ANY("{other}")', 1.0),))
    down = SearchScope(data_stores=(STORE,), boosts=(Boost(f'id: ANY("{first}")', -1.0),))
    name = f"{STORE}/branches/0/documents/{other}"
    preferred = SearchScope(data_stores=(STORE,), preferred_documents=(name,))
    for scope in (up, down, preferred):
        assert (await found(index, query, scope))[0] == other


async def test_earlier_texts_tell_what_a_query_is_about(index: AnyIndex) -> None:
    context = SearchContext(queries=("Is a dog legal?",), answer="You may have one.")
    scope = SearchScope(data_stores=(STORE,), context=context)
    assert (await found(index, "How much is it a year in euro?", scope))[0] == "dogs"


async def test_a_query_that_says_little_stays_with_the_documents_of_the_last_answer(
    index: AnyIndex,
) -> None:
    for last in ("dogs", "parking"):
        said = ((f"{STORE}/branches/0/documents/{last}", f"{STORE}/branches/0/documents/gone"), ())
        context = SearchContext(queries=("What is it?", "What is it?"), documents=said)
        scope = SearchScope(data_stores=(STORE,), context=context)
        assert (await found(index, "a year", scope))[0] == last


async def test_a_query_is_judged_by_its_own_words(index: AnyIndex) -> None:
    """A foreign question after others that the documents answer is as foreign as the first."""
    context = SearchContext(queries=("How much is a dog a year?", "Where can I park?"))
    scope = SearchScope(data_stores=(STORE,), context=context)

    async def best(query: str) -> float:
        return max(hit.relevance for hit in await index.search(query, scope, limit=5))

    assert await best("How do I bake bread?") < 0.3


async def test_a_code_that_is_somewhere_is_found_there(
    index: AnyIndex, store: DocumentStore
) -> None:
    """Others have all other words of the query, and are about another code."""
    others = [entry(f"c{n}", f"The code {n}AB{n}C: what code is this code?") for n in range(30)]
    await store.put(STORE, [*others, entry("zx", "A long list. Among others ZX77Q. " * 3)])
    await index.refresh(STORE)
    assert await found(index, "What is code ZX77Q?") == ["zx"]
    assert len(await found(index, "What is code ZX77R?")) > 1


async def test_a_number_that_only_a_title_has_is_found_behind_common_words(
    index: AnyIndex, store: DocumentStore
) -> None:
    """They stand in every other document, again and again."""
    texts = ("The gate of the garden is green. " * 3, "Ask in the hall.")
    others = [entry(f"n{n}", texts[n % 2], title=f"Notice {n}") for n in range(2800, 2860)]
    await store.put(STORE, [*others, entry("wanted", "Go in here.", title="Notice 2869")])
    await index.refresh(STORE)
    query = "Where is the green garden gate of which notice 2869 tells?"
    hits = await index.search(query, SCOPE, limit=3)
    assert names.last_id(hits[0].chunk.document) == "wanted"


async def test_relevance_tells_what_answers_from_what_does_not(index: AnyIndex) -> None:
    async def best(query: str) -> float:
        hits = await index.search(query, SCOPE, limit=5)
        return max((hit.relevance for hit in hits), default=0.0)

    assert await best("What does a parking permit cost a year?") > 0.5
    assert await best("Who won the chess championship in the year 1987?") < 0.2
    assert await best("quantum chromodynamics") == 0.0


@pytest.mark.parametrize(
    "query",
    ["", " ", "?", "AND OR NOT", 'body:permit "parking', "((", "permit^9 ~2 *:* [a TO b]", "\x00é"],
)
async def test_no_query_is_an_order_to_the_index(index: AnyIndex, query: str) -> None:
    for hit in await index.search(query, SCOPE, limit=5):
        assert hit.chunk.document.startswith(STORE + "/")


async def test_the_same_search_gives_the_same_order(index: AnyIndex, store: DocumentStore) -> None:
    await store.put(STORE, [entry(f"same-{n}", "Equal words in all.") for n in range(20)])
    await index.refresh(STORE)
    first = await found(index, "equal words")
    assert len(first) == 10
    assert await found(index, "equal words") == first


async def test_changes_are_found_after_a_refresh(index: AnyIndex, store: DocumentStore) -> None:
    await store.put(STORE, [entry("pool", "The library lends books."), entry("new", "A tram.")])
    await store.delete(STORE, ["dogs"])
    await index.refresh(STORE)
    assert await found(index, "swimming pool") == []
    assert await found(index, "library books") == ["pool"]
    assert await found(index, "tram") == ["new"]
    assert await found(index, "dogs licence") == []


async def test_other_replicas_find_changes_by_themselves(
    index: AnyIndex, store: DocumentStore
) -> None:
    async def follows(*, there: bool) -> bool:
        try:
            return (await found(index, "tram") == ["tram"]) is there
        except Unavailable:
            return False  # at the moment at which its data store goes

    await store.put(STORE, [entry("tram", "The tram runs every ten minutes.")])
    await eventually(lambda: follows(there=True))
    await store.drop(STORE)
    await eventually(lambda: follows(there=False))


async def test_a_replica_that_starts_later_finds_everything(
    index: AnyIndex, opened: Opened
) -> None:
    async with opened() as late:
        with pytest.raises(Unavailable):
            await late.search("parking", SCOPE, limit=1)
        await late.wait_ready()
        assert late.ready
        for query in ("parking permit", "swim", "dog"):
            assert await found(late, query) == await found(index, query)


async def test_a_change_that_nobody_announced_is_found_by_the_sweep(
    index: AnyIndex, redis: Redis, keys: Keys, store: DocumentStore
) -> None:
    moment = (await store.feed.changed(0))[1]
    await store.put(STORE, [entry("tram", "The tram runs.")])
    stores = keys.corpus("", "stores")
    await redis.execute(stores, "ZADD", stores, moment, STORE)  # as if the writer had died
    await index.upkeep.following.sweep()

    async def follows() -> bool:
        return await found(index, "tram") == ["tram"]

    await eventually(follows)
