"""What may be an id, at every door: no sender reaches with a name what the name does not say."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import quote

import pytest
import requests

from sessions.codec import json_codec
from sessions.resources.sessions import Session, State
from tests.clients import asking
from tests.clients.discovery import Api, Reply, Service, call

FORBIDDEN: Final = [
    "..",
    ".",
    "%2e%2e",
    "%2E",
    "%252e%252e",  # decoded twice by somebody
    "%EF%BC%8E%EF%BC%8E",  # full-width full stops
    "%E2%80%A5",  # a two dot leader
    "%20..%20",
    "a%2Fb",
    "a%E2%88%95b",  # a division slash
    "a%EF%BC%8Fb",  # a full-width solidus
    "a%5Cb",
    "a%3Fb",
    "a%23b",
    "a%25b",
    "a%00b",
    "a%0Ab",
    "a%7Fb",
    "a%C2%9Bb",
    "a%E2%80%AEb",  # right to left
    "a%E2%80%8Bb",  # a zero width space
    "a%FFb",
    "%3Aconverse",
]
UNFIT: Final = ["Upper", "ümlaut", "a.b", "-a", "a-", "_a", "a_", "a b", "x" * 64, "9" * 5000, "-"]


def _violation(reply: Reply) -> str:
    assert reply.status == 400, reply
    assert reply.body["error"]["status"] == "INVALID_ARGUMENT"
    return asking.violation(reply)


@pytest.fixture
def store(v1: Api) -> str:
    return v1.data_store()


@pytest.mark.parametrize("bad", FORBIDDEN)
def test_a_path_with_what_no_id_has_is_refused(v1: Api, store: str, bad: str) -> None:
    for method, path in (
        ("GET", f"{store}/sessions/{bad}"),
        ("DELETE", f"{store}/sessions/{bad}"),
        ("PATCH", f"{store}/sessions/{bad}"),
        ("GET", f"{store}/sessions/{bad}/answers/1"),
        ("GET", f"{store}/sessions/1/answers/{bad}"),
        ("DELETE", f"{store}/conversations/{bad}"),
        ("POST", f"{store}/conversations/{bad}:converse"),
        ("DELETE", f"{v1.collection}/dataStores/{bad}"),
        ("DELETE", f"{v1.collection}/engines/{bad}"),
        ("GET", f"{store}/branches/{bad}/documents"),
        ("DELETE", f"{store}/branches/0/documents/{bad}"),
        ("GET", f"{v1.collection}/operations/{bad}"),
        ("DELETE", f"{v1.location}/ragCorpora/{bad}"),
        ("DELETE", f"{v1.location}/ragCorpora/1/ragFiles/{bad}"),
        ("GET", f"projects/{bad}/locations/global/collections/default_collection/dataStores"),
        ("GET", f"projects/p/locations/{bad}/collections/default_collection/dataStores"),
        ("POST", f"{store}/servingConfigs/{bad}:answer"),
    ):
        assert _violation(v1.call(path, method, {} if method in {"PATCH", "POST"} else None))
    assert v1.call(store).status == 200


@pytest.mark.parametrize(
    "path",
    [
        "{store}/",
        "{store}/sessions/",
        "{store}/sessions//",
        "{store}/sessions/1/",
        "{store}//sessions/1",
        "{store}/sessions//answers/1",
        "{store}/branches/0/documents/",
        "/{store}",
        "{location}/ragCorpora/",
    ],
)
@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_an_empty_id_never_means_the_parent(v1: Api, store: str, method: str, path: str) -> None:
    made = v1.call(f"{store}/sessions", "POST", {}).body["name"]
    path = path.format(store=store, location=v1.location)
    assert v1.call(path, method).body["error"]["status"] == "NOT_FOUND"
    assert v1.call(made).status == v1.call(store).status == 200


@pytest.mark.parametrize("last", ["..", "."])
def test_a_client_that_normalises_paths_deletes_nothing(v1: Api, store: str, last: str) -> None:
    """``requests`` sends ``DELETE …/dataStores/portal/`` for the session ``..``."""
    made = v1.call(f"{store}/sessions", "POST", {}).body["name"]
    for parent in ("sessions", "conversations", "branches/0/documents"):
        reply = requests.delete(f"{v1.url}/v1/{store}/{parent}/{last}", timeout=20)
        assert not reply.request.path_url.endswith(".")
        assert reply.status_code == 404
    assert v1.call(made).status == v1.call(store).status == 200


@pytest.mark.parametrize("unfit", [*UNFIT, "..", "a/b", "a%b", "a\x1bb", "．．"])
def test_an_id_that_is_chosen_fits_the_grammar(v1: Api, store: str, unfit: str) -> None:
    engine = {"displayName": "E", "solutionType": 2, "dataStoreIds": ["portal"]}
    chosen = quote(unfit, safe="")
    named = {"name": f"{store}/sessions/{unfit}"}
    for path, body, field in (
        (f"{store}/sessions?sessionId={chosen}", {}, "sessionId"),
        (f"{store}/sessions", named, "session.name"),
        (
            f"{store}/conversations",
            {"name": f"{store}/conversations/{unfit}"},
            "conversation.name",
        ),
        (f"{v1.collection}/engines?engineId={chosen}", engine, "engineId"),
    ):
        assert _violation(v1.call(path, "POST", body)) == field
    assert not v1.call(f"{store}/sessions").body
    assert not v1.call(f"{store}/conversations").body


@pytest.mark.parametrize("fit", ["a", "7", "a-b_c", "x" * 63, "12345678901234567890"])
def test_what_fits_is_taken_read_and_deleted(v1: Api, store: str, fit: str) -> None:
    made = v1.call(f"{store}/sessions?sessionId={fit}", "POST", {}).body["name"]
    assert made == f"{store}/sessions/{fit}"
    listed = v1.call(f"{store}/sessions").body["sessions"]
    assert [one["name"] for one in listed] == [made]
    assert v1.call(made, "DELETE").status == 200


def test_a_name_and_an_id_that_differ_are_refused(v1: Api, store: str) -> None:
    path = f"{store}/sessions?sessionId=one"
    assert _violation(v1.call(path, "POST", {"name": f"{store}/sessions/two"})) == "session.name"
    assert v1.call(path, "POST", {"name": f"{store}/sessions/one"}).status == 200


@pytest.mark.parametrize("path", ["sessions", "conversations", "engines", "ragCorpora", "other"])
def test_thousands_of_digits_are_an_id_that_there_is_not(v1: Api, store: str, path: str) -> None:
    digits = "9" * 5000
    for name in {
        "sessions": [f"{store}/sessions/{digits}"],
        "conversations": [f"{store}/conversations/{digits}"],
        "engines": [f"{v1.collection}/engines/{digits}"],
        "ragCorpora": [
            f"{v1.location}/ragCorpora/{digits}",
            f"{v1.location}/ragCorpora/{digits}/ragFiles/{digits[:2000]}",
        ],
        "other": [f"{v1.collection}/operations/{digits}", f"{store}/branches/0/documents/{digits}"],
    }[path]:
        version = "v1" if "ragCorpora" not in name else "v1beta1"
        url = f"{v1.url}/{version}/{name}"
        for method in ("GET", "DELETE"):
            assert call(url, method).body["error"]["status"] == "NOT_FOUND"


def test_thousands_of_digits_name_no_answer_and_no_page(v1: Api, store: str) -> None:
    digits = "9" * 5000
    assert v1.call(f"{store}/sessions/{digits}/answers/{digits[:2000]}").status == 404
    context = {"content": "Permits cost 40 €.", "pageIdentifier": digits}
    info = {"document": "d", "title": "Permits", "documentContexts": [context]}
    results = {"searchResults": [{"unstructuredDocumentInfo": info}]}
    body = {"query": {"text": "What do permits cost?"}, "searchSpec": {"searchResultList": results}}
    reply = v1.call(f"{store}/servingConfigs/default_config:answer", "POST", body)
    assert reply.body["answer"]["state"] == "SUCCEEDED"


NAMED: Final[list[tuple[str, dict[str, Any], str]]] = [
    ("{s}/servingConfigs/default_config:answer", {"session": "{s}/sessions/{x}"}, "session"),
    (
        "{s}/servingConfigs/default_config:answer",
        {"searchSpec": {"searchParams": {"dataStoreSpecs": [{"dataStore": "{c}/dataStores/{x}"}]}}},
        "searchSpec.searchParams.dataStoreSpecs[0].dataStore",
    ),
    ("{s}/servingConfigs/default_config:search", {"session": "{s}/sessions/{x}"}, "session"),
    (
        "{s}/servingConfigs/default_config:search",
        {"dataStoreSpecs": [{"dataStore": "{c}/dataStores/{x}"}]},
        "dataStoreSpecs[0].dataStore",
    ),
    (
        "{s}/conversations/-:converse",
        {"query": {"input": "a"}, "servingConfig": "{s}/servingConfigs/{x}"},
        "servingConfig",
    ),
    (
        "{s}/conversations/-:converse",
        {"query": {"input": "a", "context": {"activeDocument": "{s}/branches/0/documents/{x}"}}},
        "query.context.activeDocument",
    ),
    (
        "{s}/branches/0/documents:purge",
        {"inlineSource": {"documents": ["{s}/branches/0/documents/{x}"]}},
        "inlineSource.documents[0]",
    ),
    (
        "{s}/userEvents:write",
        {"eventType": "search", "userPseudoId": "u", "dataStore": "{c}/dataStores/{x}"},
        "userEvent.dataStore",
    ),
    (
        "{s}/userEvents:write",
        {"eventType": "search", "userPseudoId": "u", "documents": [{"id": "{x}"}]},
        "userEvent.documents[0].id",
    ),
    (
        "{c}/engines?engineId=e",
        {"displayName": "E", "solutionType": 2, "dataStoreIds": ["{x}"]},
        "engine.dataStoreIds[0]",
    ),
]


def _filled(value: Any, **names: str) -> Any:
    match value:
        case str():
            for key, name in names.items():
                value = value.replace(f"{{{key}}}", name)
            return value
        case dict():
            return {key: _filled(each, **names) for key, each in value.items()}  # pyright: ignore[reportUnknownVariableType]
        case list():
            return [_filled(each, **names) for each in value]  # pyright: ignore[reportUnknownVariableType]
        case _:
            return value


@pytest.mark.parametrize(("path", "body", "field"), NAMED)
@pytest.mark.parametrize("bad", ["..", ".", "a%2Fb", "a\\b", "a?b", "a#b", "a\x00b", "a\u202eb"])
def test_a_name_in_a_body_has_the_same_grammar(
    v1: Api, store: str, path: str, body: dict[str, Any], field: str, bad: str
) -> None:
    if "query" not in body:
        body = {**body, "query": "a"} if ":search" in path else body
        body = {**body, "query": {"text": "a"}} if ":answer" in path else body
    named = {"s": store, "c": v1.collection, "x": bad}
    assert _violation(v1.call(_filled(path, **named), "POST", _filled(body, **named))) == field
    assert not v1.call(f"{store}/sessions").body


def test_a_name_in_a_body_with_a_slash_at_its_end_is_not_its_parents(v1: Api, store: str) -> None:
    body = {"query": {"text": "a"}, "session": f"{store}/sessions/1/"}
    path = f"{store}/servingConfigs/default_config:answer"
    assert _violation(v1.call(path, "POST", body)) == "session"
    spec = {"dataStoreSpecs": [{"dataStore": f"{store}/"}]}
    body = {"query": {"text": "a"}, "searchSpec": {"searchParams": spec}}
    assert "dataStore" in _violation(v1.call(path, "POST", body))


async def _write_as_before(service: Service, name: str) -> None:
    """Store a session as it was when its id could be anything."""
    storage = service.application.container.stores
    key = storage.keys.session(name)
    json = json_codec.dump(Session(state=State.IN_PROGRESS, display_name="old"))
    await storage.redis.execute(key, "HSET", key, "json", json, "created", 5, "updated", 5)
    await storage.sessions.index.touch(name, 5)


@pytest.mark.parametrize("old", ["..", "Mixed.Case", "a%2Fb", "a?b", "ümlaut", "x" * 200])
def test_an_id_from_before_the_rule_is_read_and_deleted(
    v1: Api, service: Service, store: str, old: str
) -> None:
    name, path = f"{store}/sessions/{old}", f"{store}/sessions/{quote(old, safe='')}"
    path = path.replace("..", "%2E%2E")
    service.run(_write_as_before(service, name))
    assert v1.call(path).body["name"] == name
    assert [one["name"] for one in v1.call(f"{store}/sessions").body["sessions"]] == [name]
    assert v1.call(path, "DELETE").status == 200
    assert v1.call(path).status in {400, 404}
    assert v1.call(store).status == 200
