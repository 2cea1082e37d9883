"""What of the Query Engine of Redis an index may rely on, and what it has to guard against.

No index stands on it yet. Each test is a rule for the one that will, in `tests/corpus/test_index`
with the embedded one; a release of the server that breaks a rule is seen here first.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any, cast

import pytest
import redis
from hypothesis import given
from hypothesis import strategies as st

from tests.redis_servers import Server

HOSTILE = st.text(max_size=12) | st.text(
    alphabet="{}()|-~*@:$\"'\\%=<>[]; ,.!#&^+/?`\x00\x1f\nabP", max_size=16
)
"""Values that a query language may take for its own."""


class Engine:
    """An index of its own on the server: texts of data stores, for whom they are, and an id."""

    def __init__(self, client: redis.Redis) -> None:
        self.name = secrets.token_hex(6)
        self._client = client
        schema: list[str] = []
        for field in ("store", "readers", "id"):
            schema += [field, "TAG", "SEPARATOR", "\x1f", "CASESENSITIVE"]
        self.call(
            *("FT.CREATE", self.name, "ON", "HASH", "PREFIX", 1, f"{self.name}:", "STOPWORDS", 0),
            *("SCHEMA", *schema, "text", "TEXT", "NOSTEM"),
        )

    def call(self, *command: str | int) -> Any:
        return cast("Any", self._client).execute_command(*command)

    def put(self, key: str, store: str, text: str, readers: str = "*") -> None:
        fields = ("store", store, "text", text, "readers", readers, "id", key)
        self.call("HSET", f"{self.name}:{key}", *fields)

    def ask(self, query: str, *options: str | int, **values: str) -> dict[str, Any]:
        """Return the reply to *query*, in which ``$name`` stands for one of *values*."""
        given = [part for pair in values.items() for part in pair]
        params = ("PARAMS", len(given), *given) if given else ()
        reply: dict[str, Any] = self.call(
            "FT.SEARCH", self.name, query, "NOCONTENT", *params, *options, "DIALECT", 2
        )
        return reply

    def keys(self, query: str, **values: str) -> set[str]:
        found = self.ask(query, **values)["results"]
        return {one["id"].removeprefix(f"{self.name}:") for one in found}


@pytest.fixture(scope="module")
def client(query_engine_server: Server) -> Iterator[redis.Redis]:
    url = query_engine_server.url
    with cast("Any", redis.Redis).from_url(url, protocol=3, decode_responses=True) as client:
        client.response_callbacks.clear()
        yield client


@pytest.fixture(scope="module")
def engine(client: redis.Redis) -> Engine:
    engine = Engine(client)
    engine.put("1", "a", "park permit cost")
    engine.put("2", "b", "park permit secret")
    engine.put("3", "a", "park permit staff", readers="g:staff")
    return engine


@given(value=HOSTILE)
def test_a_value_given_as_a_parameter_is_never_read_as_a_query(engine: Engine, value: str) -> None:
    for condition in ("@text:($v)", "@id:{$v}"):
        try:
            found = engine.keys(f"@store:{{$s}} @readers:{{$r}} {condition}", s="a", r="*", v=value)
        except redis.ResponseError:
            continue  # refused whole: a NUL at the start reads as nothing
        assert found <= {"1"}


def test_the_same_value_in_the_text_of_the_query_leaves_the_data_store(engine: Engine) -> None:
    """Or the test above would prove nothing."""
    assert "2" in engine.keys("@store:{a} @readers:{\\*} @text:(x) | (@store:{b})")


def test_a_claim_that_is_stored_as_it_is_may_be_read_as_another(engine: Engine) -> None:
    """So claims have to be stored as digests, which hold no separator and no NUL."""
    for at, claim in enumerate(("g:x\x1f*", "*\x00only:boss")):
        engine.put(f"claim{at}", "claims", "park", readers=claim)
    assert engine.keys("@store:{claims} @readers:{$r}", r="*") == {"claim0", "claim1"}


def test_suggestions_of_the_speller_are_words_of_every_data_store(engine: Engine) -> None:
    """So each has to be counted within the data store and the readers before it is used."""
    reply = engine.call("FT.SPELLCHECK", engine.name, "@store:{a} secrat", "DISTANCE", 2)
    assert "secret" in repr(reply)
    assert not engine.keys("@store:{a} @readers:{$r} @text:($v)", r="*", v="secret")


def test_a_chunk_with_more_of_the_words_has_a_higher_score(engine: Engine) -> None:
    reply = engine.ask("@store:{a} @text:(park|cost)", "SCORER", "BM25STD", "WITHSCORES")
    scores = {one["id"][-1]: float(one["score"]) for one in reply["results"]}
    assert scores["1"] > scores["3"] > 0


def test_a_search_that_runs_out_of_time_says_so_beside_what_it_found(client: redis.Redis) -> None:
    """No error is raised: who reads only the results takes a part of them for all."""
    engine = Engine(client)
    for start in range(0, 20_000, 1_000):
        pipeline = cast("Any", client).pipeline(transaction=False)
        for at in range(start, start + 1_000):
            pipeline.execute_command("HSET", f"{engine.name}:{at}", "text", f"w{at % 97} w x y z")
        pipeline.execute()
    everything = "@text:(w*|x|y|z)"
    assert engine.ask(everything, "TIMEOUT", 60_000)["warning"] == []
    assert "Timeout limit was reached" in engine.ask(everything, "TIMEOUT", 1)["warning"]
