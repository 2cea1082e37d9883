"""Each field of each request, wrong once: 400, the field named by its path, and nothing changed."""

from __future__ import annotations

import secrets
import types
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, Union, cast, get_args, get_origin
from urllib.parse import urlencode

import msgspec
import pytest

from sessions.resources.answer_query import AnswerQueryRequest
from sessions.resources.base import Duration, Int32, Int64, Timestamp
from sessions.resources.check_grounding import CheckGroundingRequest
from sessions.resources.complete_query import AdvancedCompleteQueryRequest, CompleteQueryRequest
from sessions.resources.conversations import (
    Conversation,
    ConverseConversationRequest,
    ListConversationsRequest,
)
from sessions.resources.data_stores import (
    CreateDataStoreRequest,
    DataStore,
    ListDataStoresRequest,
)
from sessions.resources.documents import (
    CreateDocumentRequest,
    Document,
    ImportDocumentsRequest,
    ListDocumentsRequest,
    PurgeDocumentsRequest,
    UpdateDocumentRequest,
)
from sessions.resources.engines import Engine, ListEnginesRequest
from sessions.resources.enums import Documented
from sessions.resources.grounded_generation import GenerateGroundedContentRequest
from sessions.resources.operations import ListOperationsRequest
from sessions.resources.processed_documents import GetProcessedDocumentRequest
from sessions.resources.rank import RankRequest
from sessions.resources.search_requests import SearchRequest
from sessions.resources.sessions import ReadSessionRequest, ReadSessionsRequest, Session
from sessions.resources.suggestions import (
    ImportCompletionSuggestionsRequest,
    ImportSuggestionDenyListEntriesRequest,
    PurgeCompletionSuggestionsRequest,
    PurgeSuggestionDenyListEntriesRequest,
)
from sessions.resources.tokens import (
    MergeVisitorRequest,
    MintTokenRequest,
    MintVisitorTokenRequest,
)
from sessions.resources.user_events import (
    ImportUserEventsRequest,
    PurgeUserEventsRequest,
    UserEvent,
    WriteUserEventRequest,
)
from sessions.resources.widget_configs import GetWidgetConfigRequest
from tests.api.bad_values import BAD_VALUES
from tests.clients import discovery
from tests.clients.discovery import Api, Reply, Service, call

DEPTH: Final = 4
"""How deep a request is gone into: deeper lies nothing that is not met elsewhere."""
_WRONG: Final[dict[Any, Any]] = {
    str: 5,
    bool: "yes",
    float: "much",
    int: "many",
    bytes: "no base64!",
    Int32: "many",
    Int64: "many",
    Timestamp: "noon",
    Duration: "a while",
}


class Route(NamedTuple):
    """A method: where it is, what its body and its query are."""

    method: str
    path: str
    body: type[Any] | None = None
    query: type[Any] | None = None


_C, _S, _E, _L = "{collection}", "{store}", "{engine}", "{location}"
ROUTES: Final = [
    Route("POST", f"{_C}/dataStores?dataStoreId=x", DataStore),
    Route("POST", f"{_C}/dataStores", None, CreateDataStoreRequest),
    Route("PATCH", _S, DataStore),
    Route("GET", f"{_C}/dataStores", None, ListDataStoresRequest),
    Route("POST", f"{_C}/engines?engineId=x", Engine),
    Route("PATCH", _E, Engine),
    Route("GET", f"{_C}/engines", None, ListEnginesRequest),
    Route("POST", f"{_S}/branches/0/documents?documentId=x", Document),
    Route("POST", f"{_S}/branches/0/documents", None, CreateDocumentRequest),
    Route("GET", f"{_S}/branches/0/documents", None, ListDocumentsRequest),
    Route("PATCH", f"{_S}/branches/0/documents/kept", Document, UpdateDocumentRequest),
    Route(
        "GET",
        f"{_S}/branches/0/documents/kept:getProcessedDocument",
        None,
        GetProcessedDocumentRequest,
    ),
    Route("POST", f"{_S}/branches/0/documents:import", ImportDocumentsRequest),
    Route("POST", f"{_S}/branches/0/documents:purge", PurgeDocumentsRequest),
    Route("POST", f"{_S}:mintToken", MintTokenRequest),
    Route("POST", f"{_S}:mintVisitorToken", MintVisitorTokenRequest),
    Route("POST", f"{_S}:mergeVisitor", MergeVisitorRequest),
    Route("GET", f"{_C}/operations", None, ListOperationsRequest),
    Route("POST", f"{_S}/servingConfigs/default_config:search", SearchRequest),
    Route("POST", f"{_E}/servingConfigs/default_config:searchLite", SearchRequest),
    Route("POST", f"{_S}/servingConfigs/default_config:answer", AnswerQueryRequest),
    Route("POST", f"{_E}/servingConfigs/default_config:streamAnswer", AnswerQueryRequest),
    Route("POST", f"{_S}/sessions", Session),
    Route("GET", f"{_S}/sessions", None, ReadSessionsRequest),
    Route("GET", f"{_S}/sessions/1", None, ReadSessionRequest),
    Route("POST", f"{_S}/conversations", Conversation),
    Route("GET", f"{_S}/conversations", None, ListConversationsRequest),
    Route("POST", f"{_S}/conversations/-:converse", ConverseConversationRequest),
    Route("GET", f"{_S}:completeQuery", None, CompleteQueryRequest),
    Route("POST", f"{_S}/completionConfig:completeQuery", AdvancedCompleteQueryRequest),
    Route("GET", f"{_S}/widgetConfigs/default_search_widget_config", None, GetWidgetConfigRequest),
    Route("POST", f"{_S}/userEvents:write", UserEvent, WriteUserEventRequest),
    Route("POST", f"{_S}/userEvents:import", ImportUserEventsRequest),
    Route("POST", f"{_S}/userEvents:purge", PurgeUserEventsRequest),
    Route("POST", f"{_S}/completionSuggestions:import", ImportCompletionSuggestionsRequest),
    Route("POST", f"{_S}/completionSuggestions:purge", PurgeCompletionSuggestionsRequest),
    Route("POST", f"{_S}/suggestionDenyListEntries:import", ImportSuggestionDenyListEntriesRequest),
    Route("POST", f"{_S}/suggestionDenyListEntries:purge", PurgeSuggestionDenyListEntriesRequest),
    Route("POST", f"{_L}/groundingConfigs/c:check", CheckGroundingRequest),
    Route("POST", f"{_L}/rankingConfigs/c:rank", RankRequest),
    Route("POST", f"{_L}:generateGroundedContent", GenerateGroundedContentRequest),
]


class Place(NamedTuple):
    """A project with one of each, whose state is compared."""

    api: Api
    names: dict[str, str]

    def send(self, method: str, path: str, body: Any = None) -> Reply:
        return self.api.call(path.format(**self.names), method, body)

    def state(self) -> list[Any]:
        lists = (
            "{collection}/dataStores",
            "{collection}/engines",
            "{store}/branches/0/documents",
            "{store}/sessions",
            "{store}/conversations",
            "{engine}/sessions",
        )
        return [self.send("GET", path).body for path in lists]


@pytest.fixture(scope="module")
def place(service: Service) -> Place:
    """One place for all: that nothing changes it is what the tests prove."""
    v1 = discovery.api("v1", service.url, f"p{secrets.token_hex(5)}")
    store, engine = v1.data_store(), v1.engine(["portal"])
    v1.import_(store, v1.document("kept", "# Kept\n\nThis text is kept.", colour="red"))
    return Place(
        v1,
        {
            "location": v1.location,
            "collection": v1.collection,
            "store": store,
            "engine": engine,
        },
    )


def _inner(hint: Any) -> Any:
    """Return the type of an optional field."""
    if get_origin(hint) in (Union, types.UnionType):
        return next(arg for arg in get_args(hint) if arg is not types.NoneType)
    return hint


def wrong(hint: Any, depth: int = 0) -> Iterator[tuple[Any, str]]:
    """Yield values that are wrong for *hint*, each with the path of what is wrong in it."""
    hint = _inner(hint)
    if hint in _WRONG:
        yield _WRONG[hint], ""
    elif get_origin(hint) is tuple:
        yield {"no": "list"}, ""
        for value, path in wrong(get_args(hint)[0], depth):
            yield [value], f"[0]{f'.{path}' if path and not path.startswith('[') else path}"
    elif get_origin(hint) is dict:
        yield ["no", "map"], ""
        if get_args(hint)[1] is not Any:
            for value, path in wrong(get_args(hint)[1], depth):
                yield {"k": value}, f"k{f'.{path}' if path else ''}"
    elif isinstance(hint, type) and issubclass(hint, Documented):
        yield "NO_SUCH_VALUE", ""
    elif isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        yield "no object", ""
        yield {"noSuchField": 1}, "noSuchField"
        if depth < DEPTH:
            yield from _fields(hint, depth + 1)


def _fields(message: type[Any], depth: int) -> Iterator[tuple[Any, str]]:
    for field in msgspec.structs.fields(message):
        for value, path in wrong(field.type, depth):
            joined = f".{path}" if path and not path.startswith("[") else path
            yield {field.encode_name: value}, field.encode_name + joined


def violated(reply: Reply) -> str:
    """Return the field that a refusal names."""
    details = reply.body["error"]["details"]
    found = [one for one in details if one["@type"].endswith("google.rpc.BadRequest")]
    return found[0]["fieldViolations"][0]["field"] if found else ""


@pytest.mark.parametrize(
    "route", [route for route in ROUTES if route.body], ids=lambda route: route.path
)
def test_every_wrong_field_of_a_body_is_named(place: Place, route: Route) -> None:
    before = place.state()
    count = 0
    for body, path in _fields(route.body or Session, 1):
        reply = place.send(route.method, route.path, body)
        assert (reply.status, violated(reply)) == (400, path), body
        count += 1
    assert count
    assert place.state() == before


@pytest.mark.parametrize(
    "route", [route for route in ROUTES if route.query], ids=lambda route: route.path
)
def test_every_wrong_parameter_is_named(place: Place, route: Route) -> None:
    before = place.state()
    body: Any = {} if route.method != "GET" else None
    for field in msgspec.structs.fields(route.query or Session):
        hint = _inner(field.type)
        if hint not in _WRONG or hint is str or field.name in {"name", "parent", "data_store"}:
            continue
        query = urlencode({field.encode_name: _WRONG[hint]})
        reply = place.send(route.method, f"{route.path}?{query}", body)
        assert (reply.status, violated(reply)) == (400, field.encode_name), query
    assert place.state() == before


@pytest.mark.parametrize(
    ("method", "path", "body", "field"), BAD_VALUES, ids=lambda value: str(value)[:60]
)
def test_a_value_out_of_bounds_is_refused_by_name(
    place: Place, method: str, path: str, body: Any, field: str
) -> None:
    before = place.state()
    reply = place.send(method, path.replace(" ", "%20"), _filled(body, place.names))
    assert (reply.status, violated(reply)) == (400, field), reply.body
    assert reply.body["error"]["status"] == "INVALID_ARGUMENT"
    assert place.state() == before


def _filled(body: Any, names: dict[str, str]) -> Any:
    """Put the names of the place into the texts of *body*."""
    if isinstance(body, dict):
        members = cast("dict[str, Any]", body)
        return {key: _filled(value, names) for key, value in members.items()}
    if isinstance(body, list):
        return [_filled(value, names) for value in cast("list[Any]", body)]
    if isinstance(body, str) and body.startswith("{") and body[1:2].isalpha():
        return body.format(**names)
    return body


def test_no_request_is_forgotten(v1: Api) -> None:
    """Each message that a route of the documents takes is swept above."""
    document = call(f"{v1.url}/openapi.json").body
    taken = {
        operation["requestBody"]["content"]["application/json"]["schema"]["$ref"]
        for path, item in document["paths"].items()
        for operation in item.values()
        if "/collections/" in path and "requestBody" in operation
    }
    swept = {route.body.__name__ for route in ROUTES if route.body}
    forgotten = {ref.rpartition("/")[2] for ref in taken} - swept
    # The last is in the beta alone, where the sweep does not go.
    assert forgotten <= {"Empty", "WaitOperationRequest", "RemoveSuggestionRequest"}
