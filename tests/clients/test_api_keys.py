"""The official clients against a service that asks who calls, with keys where they put them."""

from __future__ import annotations

import json
import re

import httpx
import pytest
from google.api_core import exceptions
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from service.security.api_keys.api_key import Scope
from tests.clients import discovery
from tests.clients.aiplatform import REGION, Rag
from tests.clients.keyed import PROJECT, Keyed
from tests.packages import Package
from tests.waiting import LONG

genai = Package("google.genai")
types = Package("google.genai.types")
errors = Package("google.genai.errors")

QUERY = "What does the express service cost?"
SAID = "costs 35 € more"


@pytest.fixture(params=["x-goog-api-key", "Authorization"])
def bearer(request: pytest.FixtureRequest) -> bool:
    return request.param == "Authorization"


@pytest.mark.parametrize("version", ["v1", "v1beta", "v1alpha"])
def test_the_search_and_answer_clients_send_a_key_either_way(
    keyed: Keyed, bearer: bool, version: str
) -> None:
    clients = keyed.api(keyed.server, bearer=bearer, version=version)
    config = f"{keyed.data_store}/servingConfigs/default_config"
    found = clients.client("SearchService").search({"serving_config": config, "query": QUERY})
    assert [result.document.id for result in found] == ["fees"]
    answer = clients.client("ConversationalSearchService").answer_query(
        {"serving_config": config, "query": {"text": QUERY}}
    )
    assert SAID in answer.answer.answer_text


def test_the_rag_clients_send_a_key_either_way(keyed: Keyed, bearer: bool) -> None:
    access = discovery.keyed(keyed.service.url, keyed.admin, bearer=bearer)
    rag = Rag("v1", keyed.service.url, PROJECT, access)
    made = rag.data.create_rag_corpus(
        parent=rag.location, rag_corpus=rag.types.RagCorpus(display_name="fees")
    )
    corpus = made.result(timeout=LONG).name
    assert corpus in [each.name for each in rag.data.list_rag_corpora(parent=rag.location)]


def test_the_generation_client_sends_a_key(keyed: Keyed) -> None:
    options = types.HttpOptions(base_url=keyed.service.url)
    with genai.Client(vertexai=True, api_key=keyed.admin, http_options=options) as client:
        counted = client.models.count_tokens(model="gemini-2.0-flash", contents=QUERY)
        pieces = client.models.generate_content_stream(model="gemini-2.0-flash", contents="hello")
        assert "".join(piece.text or "" for piece in pieces)
    assert counted.total_tokens > 0


def test_the_generation_client_in_a_project_sends_a_key_as_a_token(keyed: Keyed) -> None:
    client = genai.Client(
        vertexai=True,
        project=PROJECT,
        location=REGION,
        credentials=discovery.keyed("", keyed.admin, bearer=True)["credentials"],
        http_options=types.HttpOptions(base_url=keyed.service.url),
    )
    counted = client.models.count_tokens(model="gemini-2.0-flash", contents=QUERY)
    assert counted.total_tokens > 0


def test_who_shows_nothing_reads_why_in_the_clients_own_errors(keyed: Keyed) -> None:
    """With 401 the clients would try to renew what they have, and never show the message."""
    clients = discovery.Api("v1", keyed.service.url, PROJECT)
    with pytest.raises(exceptions.Forbidden, match="asks who is calling") as refused:
        clients.client("DataStoreService").get_data_store(name=keyed.data_store)
    assert discovery.reason(refused.value) == "CREDENTIALS_MISSING"
    with pytest.raises(exceptions.Forbidden, match="API key not valid") as refused:
        wrong = keyed.api(keyed.server[:-1]).client("DataStoreService")
        wrong.get_data_store(name=keyed.data_store)
    assert discovery.reason(refused.value) == "API_KEY_INVALID"
    options = types.HttpOptions(base_url=keyed.service.url)
    with genai.Client(vertexai=True, api_key="wrong", http_options=options) as client:
        with pytest.raises(errors.ClientError, match="API key not valid") as told:
            client.models.count_tokens(model="gemini-2.0-flash", contents=QUERY)
        assert (told.value.code, told.value.status) == (403, "PERMISSION_DENIED")


def test_a_revoked_key_is_refused_in_the_next_request_of_an_open_client(keyed: Keyed) -> None:
    key, text = keyed.make(Scope.READ_ONLY)
    client = keyed.api(text).client("DataStoreService")
    assert client.get_data_store(name=keyed.data_store).name == keyed.data_store
    keyed.revoke(key)
    with pytest.raises(exceptions.Forbidden, match="revoked"):
        client.get_data_store(name=keyed.data_store)


@pytest.mark.parametrize("parameter", ["key", "access_token"])
def test_a_key_in_the_url_is_refused_and_not_repeated(keyed: Keyed, parameter: str) -> None:
    reply = discovery.call(f"{keyed.service.url}/v1/{keyed.data_store}?{parameter}={keyed.server}")
    assert reply.status == 400
    assert reply.body["error"]["details"][0]["reason"] == "CREDENTIAL_IN_URL"
    assert keyed.server not in str(reply.body)


def test_who_guesses_is_stopped_at_both_doors_and_nobody_beside(
    keyed: Keyed, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing of what was guessed is logged."""
    store, socket = f"{keyed.service.url}/v1/{keyed.data_store}", "ws" + keyed.service.url[4:]
    guess, client = keyed.wrong, httpx.Client()

    def ask(key: str, address: str = "198.51.100.7") -> httpx.Response:
        return client.get(store, headers={"x-goog-api-key": key, "X-Forwarded-For": address})

    def closed(address: str) -> tuple[int, str]:
        frame = json.dumps({"type": "auth", "token": guess})
        with connect(
            f"{socket}/v1/ws", additional_headers={"X-Forwarded-For": address}
        ) as connection:
            connection.send(frame)
            with pytest.raises(ConnectionClosed) as closed:
                connection.recv(5)
        assert closed.value.rcvd is not None
        return closed.value.rcvd.code, closed.value.rcvd.reason.partition(":")[0]

    keyed.empty("failed_credentials", "198.51.100.7")
    last = ask(guess)
    assert last.status_code == 429
    assert int(last.headers["retry-after"]) >= 1
    assert last.headers["ratelimit-policy"] == '"failed_credentials";q=60;w=60'
    info, _, quota = last.json()["error"]["details"]
    assert info["reason"] == "TOO_MANY_FAILED_CREDENTIALS"
    assert quota["violations"][0]["subject"] == "failed_credentials"
    assert closed("198.51.100.7") == (4429, "TOO_MANY_FAILED_CREDENTIALS")
    assert ask(keyed.server).status_code == 200
    assert ask(guess, "198.51.100.8").status_code == 403
    assert closed("198.51.100.8") == (4401, "API_KEY_INVALID")
    metrics = client.get(
        f"{keyed.service.url}/metrics", headers={"x-goog-api-key": keyed.admin}
    ).text
    client.close()
    (count,) = re.findall(r'refused_total{bound="failed_credentials"} (\S+)', metrics)
    assert float(count) == 2
    assert guess not in caplog.text
    assert "198.51.100" not in metrics
    assert keyed.server[:-1] not in metrics


def test_public_paths_need_no_key(keyed: Keyed) -> None:
    for path in ("openapi.json", "asyncapi.json"):
        assert discovery.call(f"{keyed.service.url}/{path}").status == 200
    for path in ("v1/projects", "metrics", "openapi.json/x", "nowhere"):
        assert discovery.call(f"{keyed.service.url}/{path}").status == 403
