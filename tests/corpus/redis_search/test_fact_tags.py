"""A filter finds by tags, on a real Query Engine, what it matches in the documents themselves."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import pytest
import redis
from hypothesis import given
from hypothesis import strategies as st

from service.corpus import document_filters
from service.corpus.document_filters import (
    ALL,
    And,
    Compare,
    Facts,
    Filter,
    In,
    Not,
    OneOf,
    Or,
    ReadableBy,
)
from service.corpus.redis_search import fact_tags
from tests.redis_servers import Server

TEXTS = ("en", "de", "", "x,y", "*", "a|b", "}", "2024-05-01", "2024-05-01T10:00:00+02:00")
NUMBERS = (0, -0.0, 1, 1.5, -2, 300, 1e300, -1e-300, 2**70, 10**400)
PEOPLE = ("user:ann", "group:staff", "idp", "group:a,b", "user:\x00")
FIELDS = ("lang", "price", "tags", "author.name", "id", "uri")

leaf = st.sampled_from((*TEXTS, *NUMBERS, True, None))
data = st.fixed_dictionaries(
    {},
    optional={
        "lang": leaf,
        "price": leaf,
        "tags": st.lists(leaf, max_size=3),
        "author": st.fixed_dictionaries({"name": leaf}) | leaf,
        "id": leaf,
        "a.b": leaf,
    },
)
readers = st.lists(st.lists(st.sampled_from(PEOPLE), max_size=2).map(tuple), max_size=3).map(tuple)
fact = st.builds(
    Facts,
    id=st.sampled_from(TEXTS),
    uri=st.sampled_from(TEXTS),
    struct_data=data,
    readers=readers,
)
finite = st.sampled_from([float(n) for n in NUMBERS if n != 10**400])
field = st.sampled_from(FIELDS)
times = st.sampled_from(
    [dt.datetime(2024, 5, 1, tzinfo=dt.UTC), dt.datetime(2024, 5, 1, 8, tzinfo=dt.UTC)]
)
simple = (
    st.builds(OneOf, field, st.frozensets(st.sampled_from(TEXTS), max_size=3))
    | st.builds(In, field, finite, finite, st.booleans(), st.booleans())
    | st.builds(Compare, field, st.sampled_from(["<", "<=", "=", ">", ">="]), finite | times)
    | st.builds(ReadableBy, st.frozensets(st.sampled_from(PEOPLE), max_size=3))
)
conditions = st.recursive(
    simple,
    lambda inner: (
        st.builds(Not, inner)
        | st.builds(And, st.lists(inner, max_size=3).map(tuple))
        | st.builds(Or, st.lists(inner, max_size=3).map(tuple))
    ),
    max_leaves=5,
)


class Tagged:
    """An index of its own on the server, of documents by their tags."""

    def __init__(self, client: redis.Redis) -> None:
        self._client = client

    def call(self, *command: str | int) -> Any:
        return cast("Any", self._client).execute_command(*command)

    def matching(self, documents: Sequence[Facts], condition: Filter) -> set[int]:
        name = secrets.token_hex(6)
        schema = (fact_tags.FIELD, "TAG", "SEPARATOR", ",", "CASESENSITIVE")
        self.call("FT.CREATE", name, "PREFIX", 1, f"{name}:", "SCHEMA", *schema)
        for at, each in enumerate(documents):
            tags = ",".join(fact_tags.of(each, "en"))
            self.call("HSET", f"{name}:{at}", fact_tags.FIELD, tags)
        most = max((len(each.readers) for each in documents), default=0)
        reply: Mapping[str, Any] = self.call(
            "FT.SEARCH", name, fact_tags.query(condition, most), "NOCONTENT", "DIALECT", 2
        )
        self.call("FT.DROPINDEX", name, "DD")
        return {int(one["id"].rpartition(":")[2]) for one in reply["results"]}


@pytest.fixture(scope="module")
def tagged(query_engine_server: Server) -> Iterator[Tagged]:
    url = query_engine_server.url
    with cast("Any", redis.Redis).from_url(url, protocol=3, decode_responses=True) as client:
        client.response_callbacks.clear()
        yield Tagged(client)


@given(documents=st.lists(fact, max_size=5), condition=conditions)
def test_the_engine_finds_what_the_filter_matches(
    tagged: Tagged, documents: list[Facts], condition: Filter
) -> None:
    expected = {
        at for at, each in enumerate(documents) if document_filters.matches(condition, each)
    }
    assert tagged.matching(documents, condition) == expected


def test_everything_is_found_without_a_condition(tagged: Tagged) -> None:
    assert tagged.matching([Facts(id="a"), Facts(id="b")], ALL) == {0, 1}


def test_the_deepest_filter_that_may_be_asked_is_understood(tagged: Tagged) -> None:
    deep = "NOT (" * 24 + 'id: ANY("a")' + ")" * 24
    assert document_filters.MAX_DEPTH == 50
    assert tagged.matching([Facts(id="a"), Facts(id="b")], document_filters.parse(deep)) == {0}


def test_a_range_is_a_few_hundred_tags_at_most() -> None:
    assert fact_tags.query(In("n", -1.1e-300, 3.3e301), 0).count("|") < 450
