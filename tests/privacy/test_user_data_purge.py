"""After a purge nothing of a user is found, in Redis or on disk, down to the bytes."""

from __future__ import annotations

import base64
import json
import logging
import secrets
import threading
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import redis as redis_client

from service.settings import Settings
from tests import waiting
from tests.clients.conftest import running_service
from tests.clients.discovery import Reply, Service, call
from tests.privacy import remains
from tests.waiting import LONG

LOCATION = "projects/p1/locations/global"
STORE = f"{LOCATION}/collections/default_collection/dataStores/handbook"
_OWNERS = ("session", "conversation")
TEXT = "# Parking\n\nA parking permit costs 40 euros a year. The office of permits is in room 12.\n"


class Person(NamedTuple):
    """A user, and what is in everything that they write."""

    id: str
    marker: str


def person() -> Person:
    return Person(
        f"user{secrets.token_hex(8)}", "".join(secrets.choice("bcdfgkmp") for _ in "16" * 8)
    )


class Portal(NamedTuple):
    """A service with a Redis of its own, on disk."""

    service: Service
    folder: Path

    def ask(self, path: str, body: Any = None, method: str = "") -> Reply:
        verb = method or ("GET" if body is None else "POST")
        reply = call(f"{self.service.url}/v1/{path}", verb, body)
        assert reply.status == 200, reply.body
        return reply

    def done(self, path: str, body: Any) -> Any:
        """Return the response of an operation, when it has ended."""
        operation = self.ask(path, body).body
        end = time.monotonic() + 2 * LONG
        while not operation.get("done") and time.monotonic() < end:
            operation = self.ask(f"{operation['name']}:wait?timeout=5s", {}).body
        assert operation.get("done"), operation
        assert "error" not in operation, operation
        response = operation["response"]
        return response.get("value", response)

    @property
    def redis(self) -> Any:
        client: Any = redis_client.Redis
        return client(unix_socket_path=str(self.folder / "redis" / "redis.sock"))


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Portal]:
    folder = tmp_path_factory.mktemp("d")
    with running_service(Settings(port=0, data_dir=folder, sample=False)) as service:
        portal = Portal(service, folder)
        with portal.redis as redis:
            redis.config_set("rdbcompression", "no")  # or markers would hide in what is compressed
        furnish(portal)
        yield portal


def furnish(portal: Portal) -> None:
    """Make a data store with a document."""
    portal.ask(f"{STORE.rpartition('/')[0]}?dataStoreId=handbook", {"displayName": "h"})
    documents = [{"id": "d1", "content": {"mimeType": "text/markdown", "rawBytes": _raw(TEXT)}}]
    portal.done(f"{STORE}/branches/0/documents:import", {"inlineSource": {"documents": documents}})


def _raw(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def live(portal: Portal, who: Person) -> None:
    """Do everything of which something is kept."""
    user, word = {"userPseudoId": who.id}, who.marker
    session = f"{STORE}/sessions/s-{word}"
    config = f"{STORE}/servingConfigs/default_search"
    portal.ask(
        f"{STORE}/sessions?sessionId=s-{word}", {"displayName": word, "labels": [word], **user}
    )
    question = {"text": f"What does a parking permit cost for {word}?"}
    for each in (session, f"{STORE}/sessions/-"):
        portal.ask(f"{config}:answer", {"query": question, "session": each, **user})
    portal.ask(f"{config}:search", {"query": f"parking permit {word}", "session": session, **user})
    portal.ask(f"{config}:search", {"query": f"parking {word}", **user})
    portal.ask(f"{STORE}/conversations", {"name": f"{STORE}/conversations/c-{word}", **user})
    say = {"query": {"input": f"parking permit {word}"}, "conversation": user}
    portal.ask(f"{STORE}/conversations/c-{word}:converse", say)
    portal.ask(f"{STORE}/conversations/-:converse", say)
    searched = {"eventType": "search", "searchInfo": {"searchQuery": f"parking {word}"}, **user}
    known = {"eventType": "view-item", "userInfo": {"userId": who.id}, **user}
    known |= {"userPseudoId": f"device{word}", "documents": [{"id": "d1"}]}
    for event in (searched, known):
        portal.ask(f"{STORE}/userEvents:write", event)
    portal.ask(f"{STORE}/sessions?filter=userPseudoId=%22{who.id}%22&orderBy=createTime&pageSize=1")
    portal.ask(f"{STORE}/sessions?pageSize=1")
    portal.ask(f"{session}?updateMask=displayName", {"displayName": f"{word}2"}, "PATCH")
    gone = f"{STORE}/sessions/gone-{word}"
    portal.ask(f"{STORE}/sessions?sessionId=gone-{word}", user)
    portal.ask(f"{config}:answer", {"query": question, "session": gone, **user})
    portal.ask(f"{config}:search", {"query": f"permit {word}", "session": gone, **user})
    portal.ask(gone, method="DELETE")
    portal.ask(f"{STORE}:completeQuery?query=par&userPseudoId={who.id}")
    portal.ask(f"{LOCATION}:exportUserData", user)


def found(portal: Portal, texts: tuple[str, ...]) -> list[str]:
    """Return where any of *texts* is: keys of Redis, files, each as raw bytes."""
    with portal.redis as redis:
        return remains.found(redis, portal.folder, texts)


def exported(portal: Portal, who: Person) -> list[dict[str, Any]]:
    response = portal.done(f"{LOCATION}:exportUserData", {"userPseudoId": who.id})
    with urllib.request.urlopen(portal.service.url + response["uri"], timeout=2 * LONG) as lines:
        return [json.loads(line) for line in lines if line.strip()]


def kept(portal: Portal, who: Person) -> list[dict[str, Any]]:
    """Return what is kept of *who*, but for queries, which are written some time later."""
    return [each for each in exported(portal, who) if each["type"] not in ("query", "end")]


def test_a_purge_leaves_nothing_and_touches_nobody_else(portal: Portal) -> None:
    ada, bob = person(), person()
    for who in (ada, bob):
        live(portal, who)
    assert len(found(portal, ada)) > 15, "or this test proves nothing"
    before = kept(portal, bob)
    deleted = portal.done(f"{LOCATION}:purgeUserData", {"userPseudoId": ada.id})
    assert found(portal, ada) == []
    assert int(deleted["sessionCount"]) == 2
    assert int(deleted["conversationCount"]) == 2
    assert int(deleted["answerCount"]) == 4
    assert int(deleted["userEventCount"]) == 2
    assert int(deleted["queryCount"]) > 0
    assert kept(portal, bob) == before
    assert exported(portal, ada) == [{"type": "end", "lines": 0}]
    again = portal.done(f"{LOCATION}:purgeUserData", {"userPseudoId": ada.id})
    assert again.get("sessionCount", "0") == "0"


def test_a_purge_that_a_crash_cut_off_is_gone_on_with(portal: Portal) -> None:
    """Whoever was at it left a record, and no sign of life."""
    eve = person()
    live(portal, eve)
    scope: dict[str, Any] = {"location": LOCATION, "subject": eve.id, "stores": []}
    name = f"{LOCATION}/operations/purge-user-data-77"
    with portal.redis as redis:
        redis.hset("c:purges", name, json.dumps({"scope": scope}))
        waiting.until(lambda: not redis.hexists("c:purges", name), within=2 * LONG)
    assert found(portal, eve) == []


def test_what_a_program_asks_in_a_session_that_is_being_purged_goes_with_it(
    portal: Portal,
) -> None:
    """It says not for whom it asks, and goes on until the session is gone: nothing of it stays."""
    kim, lou = person(), person()
    begun = threading.Event()

    def ask_until_gone(number: int) -> None:
        session, asked = f"{STORE}/sessions/{kim.marker}{number}", 0
        portal.ask(f"{STORE}/sessions?sessionId={kim.marker}{number}", {"userPseudoId": kim.id})
        url, statuses = f"{portal.service.url}/v1/{STORE}/servingConfigs/default_search:", {200}
        while statuses == {200}:
            text = f"What does a parking permit cost for {kim.marker}, {asked}?"
            body = {"query": {"text": text}, "session": session}
            search = {"query": f"parking permit {kim.marker} {asked}", "session": session}
            statuses = {
                call(f"{url}answer", "POST", body).status,
                call(f"{url}search", "POST", search).status,
            }
            asked += 1
            if asked == 3:
                begun.set()

    with ThreadPoolExecutor() as pool:
        asking = [pool.submit(ask_until_gone, number) for number in range(3)]
        begun.wait(LONG)
        purge = portal.ask(f"{LOCATION}:purgeUserData", {"userPseudoId": kim.id}).body
        for each in asking:
            each.result()
    waited = portal.ask(f"{purge['name']}:wait?timeout=60s", {}).body
    assert waited["done"]
    assert "error" not in waited, waited
    # What is noted later is written later.
    portal.ask(
        f"{STORE}/servingConfigs/default_search:search",
        {"query": f"parking {lou.marker}", "userPseudoId": lou.id},
    )
    waiting.until(lambda: bool(found_in_history(portal, lou)), within=LONG)
    assert found(portal, kim) == []


def found_in_history(portal: Portal, who: Person) -> list[str]:
    """Return where the queries of *who* are kept."""
    return [each for each in found(portal, (who.marker,)) if "asked" in each]


def test_an_export_tells_everything_once(portal: Portal) -> None:
    fay = person()
    live(portal, fay)
    lines = exported(portal, fay)
    kinds = [each["type"] for each in lines]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "session": 2,
        "answer": 4,
        "conversation": 2,
        "userEvent": 2,
        "query": kinds.count("query"),
        "end": 1,
    }
    assert lines[-1] == {"type": "end", "lines": len(lines) - 1}
    told = [each[kind]["name"] for each in lines if (kind := each["type"]) in _OWNERS]
    assert told == sorted(told), "the same as when it is asked for again"
    assert all(fay.marker in json.dumps(each) for each in lines if each["type"] == "query")
    response = portal.done(f"{LOCATION}:exportUserData", {"userPseudoId": fay.id})
    assert (
        urllib.request.urlopen(portal.service.url + response["uri"], timeout=2 * LONG).status == 200
    )
    again = call(portal.service.url + response["uri"])
    assert (again.status, again.body["error"]["status"]) == (404, "NOT_FOUND")


class Visitor(NamedTuple):
    """One who became a user, and the token of before."""

    person: Person
    token: str


def merged(portal: Portal, into: Person) -> Visitor:
    """Return a visitor who did everything, and then became the user *into*."""
    made = portal.ask(f"{STORE}:mintVisitorToken", {}).body
    visitor = Person(made["userPseudoId"], person().marker)
    live(portal, visitor)
    sign_in = {"visitorToken": made["token"], "userPseudoId": into.id}
    moved = portal.ask(f"{STORE}:mergeVisitor", sign_in).body
    assert (moved["sessionCount"], moved["conversationCount"]) == (2, 2)
    return Visitor(visitor, made["token"])


def test_an_export_tells_what_a_user_did_as_a_visitor(portal: Portal) -> None:
    hal = person()
    visitor = merged(portal, hal).person
    lines = exported(portal, hal)
    told = {"userPseudoId": visitor.id, "dataStores": [STORE]}
    assert lines[0] == {"type": "mergedVisitor", "mergedVisitor": told}
    theirs = [each["type"] for each in lines if visitor.marker in json.dumps(each)]
    assert {"session", "answer", "conversation", "userEvent", "query"} == set(theirs)
    assert not [each for each in exported(portal, person()) if visitor.id in json.dumps(each)]


def test_a_purge_of_a_user_leaves_nothing_of_the_visitor(portal: Portal) -> None:
    ida, joe = person(), person()
    visitor, other = merged(portal, ida), merged(portal, joe)
    texts = (*ida, *visitor.person)
    assert len(found(portal, texts)) > 15, "or this test proves nothing"
    before = kept(portal, joe)
    portal.done(f"{LOCATION}:purgeUserData", {"userPseudoId": ida.id})
    assert found(portal, texts) == []
    assert kept(portal, joe) == before
    assert other.person.marker in json.dumps(before)
    again = {"visitorToken": visitor.token, "userPseudoId": joe.id}
    refused = call(f"{portal.service.url}/v1/{STORE}:mergeVisitor", "POST", again)
    assert refused.status == 400, "nobody is the visitor again"


@pytest.mark.parametrize("verb", ["exportUserData", "purgeUserData"])
@pytest.mark.parametrize("user", ["", "x" * 129])
def test_nobody_is_no_user(portal: Portal, verb: str, user: str) -> None:
    url = f"{portal.service.url}/v1/{LOCATION}:{verb}"
    reply = call(url, "POST", {"userPseudoId": user})
    assert reply.status == 400
    assert reply.body["error"]["message"].startswith("userPseudoId: ")


def test_neither_log_nor_metrics_tell_who_asked_what(
    portal: Portal, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    gil = person()
    user, word = {"userPseudoId": gil.id}, gil.marker
    config = f"{STORE}/servingConfigs/default_search"
    question = {"query": {"text": f"What does a permit cost for {word}?"}, **user}
    portal.ask(f"{config}:answer", {**question, "session": f"{STORE}/sessions/-"})
    portal.ask(f"{config}:answer", question)
    portal.ask(f"{config}:search", {"query": f"parking {word}", **user})
    say = {"query": {"input": f"parking {word}"}, "conversation": user}
    portal.ask(f"{STORE}/conversations/-:converse", say)
    searched = {"eventType": "search", "searchInfo": {"searchQuery": f"parking {word}"}, **user}
    portal.ask(f"{STORE}/userEvents:write", searched)
    portal.ask(f"{STORE}:completeQuery?query={word}&userPseudoId={gil.id}")
    url = f"{portal.service.url}/v1/{config}:answer"
    assert call(url, "POST", {**question, word: gil.id}).status == 400
    portal.done(f"{LOCATION}:exportUserData", user)
    portal.done(f"{LOCATION}:purgeUserData", user)
    # The service has no access log; pytest turns that of its server on.
    told = "\n".join(each for each in map(_line, caplog.records) if each)
    assert "answer_finished" in told
    with urllib.request.urlopen(f"{portal.service.url}/metrics", timeout=2 * LONG) as metrics:
        told += metrics.read().decode()
    assert not [text for text in gil if text in told]


def _line(record: logging.LogRecord) -> str:
    """Return all that a log could tell of *record*, fields and traces included."""
    return "" if record.name == "uvicorn.access" else repr(record.__dict__)
