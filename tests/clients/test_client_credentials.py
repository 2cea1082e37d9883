"""Each official client with each credential: what it returns, or which error it raises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from google.api_core.exceptions import GoogleAPICallError

from service.security.api_keys.api_key import Scope
from tests.clients import discovery
from tests.clients.aiplatform import REGION, Rag
from tests.clients.keyed import PROJECT, Keyed
from tests.packages import Package

genai = Package("google.genai")
types = Package("google.genai.types")
errors = Package("google.genai.errors")

QUERY: Final = "What does the express service cost?"
SAID: Final = "35 €"
MODEL: Final = "gemini-2.0-flash"

Show = Callable[[Keyed], str]
Call = Callable[[Keyed, str], str]
"""Asks with a key or token, "" for none; returns the text of the reply."""


def wrong(keyed: Keyed) -> str:
    return keyed.wrong


def revoked(keyed: Keyed) -> str:
    key, text = keyed.make(Scope.SERVER)
    keyed.revoke(key)
    return text


def of_another_store(keyed: Keyed) -> str:
    other = f"projects/{PROJECT}/locations/global/collections/default_collection/dataStores/other"
    return keyed.make(Scope.SERVER, project=PROJECT, data_stores=[other])[1]


def of_another_project(keyed: Keyed) -> str:
    return keyed.make(Scope.SERVER, project="elsewhere")[1]


CREDENTIALS: Final[dict[str, Show]] = {
    "right": lambda keyed: keyed.server,
    "wrong": wrong,
    "revoked": revoked,
    "none": lambda _: "",
    "other store": of_another_store,
    "other project": of_another_project,
    "read-only": lambda keyed: keyed.make(Scope.READ_ONLY)[1],
    "user": lambda keyed: keyed.token("ann"),
}
DENIED: Final = {
    "wrong": "403 API_KEY_INVALID",
    "revoked": "403 API_KEY_INVALID",
    "none": "403 CREDENTIALS_MISSING",
    "other store": "404 RESOURCE_NOT_FOUND",
    "other project": "404 RESOURCE_NOT_FOUND",
}
REFUSED: Final = "403 NOT_PERMITTED"
SEARCH: Final = {"right": "fees", "read-only": "fees", "user": "fees"}
ANSWER: Final = {"right": SAID, "read-only": REFUSED, "user": SAID}
TEXT: Final = {"right": SAID, "read-only": REFUSED, "user": REFUSED}


def access(keyed: Keyed, shown: str, *, bearer: bool) -> Any:
    if not shown:
        return discovery.anonymous(keyed.service.url)
    return discovery.keyed(keyed.service.url, shown, bearer=bearer)


def searched(version: str) -> Call:
    def call(keyed: Keyed, shown: str) -> str:
        api = discovery.Api(
            version, keyed.service.url, PROJECT, access(keyed, shown, bearer=version == "v1beta")
        )
        config = f"{keyed.data_store}/servingConfigs/default_config"
        found = api.client("SearchService").search({"serving_config": config, "query": QUERY})
        return " ".join(each.document.id for each in found)

    return call


def answered(version: str, *, is_stream: bool) -> Call:
    def call(keyed: Keyed, shown: str) -> str:
        api = discovery.Api(
            version, keyed.service.url, PROJECT, access(keyed, shown, bearer=version != "v1")
        )
        client = api.client("ConversationalSearchService")
        asked = {
            "serving_config": f"{keyed.data_store}/servingConfigs/default_config",
            "query": {"text": QUERY},
        }
        if not is_stream:
            return client.answer_query(asked).answer.answer_text
        return "".join(each.answer.answer_text for each in client.stream_answer_query(asked))

    return call


def retrieved(version: str) -> Call:
    def call(keyed: Keyed, shown: str) -> str:
        shows = access(keyed, shown, bearer=version == "v1beta1")
        rag = Rag(version, keyed.service.url, PROJECT, shows)
        return " ".join(each.text for each in rag.retrieve(keyed.corpus, QUERY))

    return call


def generated(source: str, *, is_stream: bool, in_project: bool) -> Call:
    def call(keyed: Keyed, shown: str) -> str:
        options: Any = {"http_options": types.HttpOptions(base_url=keyed.service.url)}
        if in_project:
            options |= {"project": PROJECT, "location": REGION}
            options["credentials"] = access(keyed, shown, bearer=True).get("credentials")
        else:
            options["api_key"] = shown
        if source == "data store":
            search = types.VertexAISearch(datastore=keyed.data_store)
            retrieval = types.Retrieval(vertex_ai_search=search)
        else:
            resource = types.VertexRagStoreRagResource(rag_corpus=keyed.corpus)
            store = types.VertexRagStore(rag_resources=[resource])
            retrieval = types.Retrieval(vertex_rag_store=store)
        tools = types.GenerateContentConfig(tools=[types.Tool(retrieval=retrieval)])
        asked: Any = {"model": MODEL, "contents": QUERY, "config": tools}
        with genai.Client(vertexai=True, **options) as client:
            if not is_stream:
                return client.models.generate_content(**asked).text
            pieces = list(client.models.generate_content_stream(**asked))
            assert len(pieces) > 1
            return "".join(piece.text or "" for piece in pieces)

    return call


CALLS: Final[dict[str, tuple[Call, dict[str, str]]]] = {
    **{f"discoveryengine {each} search": (searched(each), SEARCH) for each in ("v1", "v1beta")},
    **{
        f"discoveryengine {version} {'stream_' * is_stream}answer_query": (
            answered(version, is_stream=is_stream),
            ANSWER,
        )
        for version in ("v1", "v1beta", "v1alpha")
        for is_stream in (False, True)
        if version != "v1alpha" or not is_stream  # which has no such method
    },
    "aiplatform v1 retrieve_contexts": (retrieved("v1"), TEXT),
    "aiplatform v1beta1 retrieve_contexts": (retrieved("v1beta1"), TEXT),
    **{
        f"genai {'api_key' if not in_project else 'token'} {source}{' stream' * is_stream}": (
            generated(source, is_stream=is_stream, in_project=in_project),
            TEXT,
        )
        for in_project in (False, True)
        for source in ("data store", "corpus")
        for is_stream in (False, True)
    },
}


def outcome(call: Call, keyed: Keyed, shown: str) -> str:
    """Return what came back: the text, or status and reason of the client's own error."""
    try:
        return call(keyed, shown)
    except GoogleAPICallError as exc:
        return f"{exc.code} {discovery.reason(exc)}"
    except errors.APIError as exc:
        details = exc.details["error"].get("details", [])
        reasons = [each["reason"] for each in details if "reason" in each]
        return " ".join([str(exc.code), *reasons])


@pytest.mark.parametrize(
    ("client", "credential"),
    [
        (client, credential)
        for client in CALLS
        for credential in CREDENTIALS
        if credential != "none" or "genai" not in client  # which sends nothing without any
    ],
)
def test_a_client_is_answered_as_its_credential_says(
    keyed: Keyed, client: str, credential: str
) -> None:
    call, admitted = CALLS[client]
    expected = (admitted | DENIED)[credential]
    found = outcome(call, keyed, CREDENTIALS[credential](keyed))
    if expected in (SAID, "fees"):
        assert expected in found
    else:
        assert found == expected
