"""A project by its id or by the number that an operator assigned: the same resources."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import jwt
import pytest
from google.api_core import exceptions
from websockets import Subprotocol
from websockets.asyncio.client import connect

from service import settings
from service.commands import short_names
from service.settings import Settings
from streaming.client.client import Client
from streaming.protocol.frames import SUBPROTOCOL
from tests.clients import conftest, discovery
from tests.clients.aiplatform import FEES, Rag
from tests.clients.discovery import Api, Service
from tests.redis_servers import Server

pytestmark = pytest.mark.anyio

ID: Final = f"n{secrets.token_hex(5)}"
NUMBER: Final = str(10**11 + secrets.randbelow(10**11))
QUERY: Final = "What does a parking permit cost?"


@pytest.fixture(scope="module")
def numbered(module_redis: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Serve with a number for one project."""
    folder: Path = tmp_path_factory.mktemp("numbered")
    assigned = settings.read(
        {"COLLOQUY_PROJECT_NUMBERS": f"{ID}={NUMBER}, other=7", "COLLOQUY_DATA_DIR": str(folder)}
    )
    made = Settings(
        port=0,
        data_dir=folder,
        redis_url=module_redis.service_url,
        sample=False,
        project_numbers=assigned.project_numbers,
    )
    with conftest.running_service(made) as service:
        yield service


@pytest.fixture(scope="module")
def store(numbered: Service) -> str:
    """Create a data store by the number, with a document whose field looks like a name."""
    api = discovery.api("v1", numbered.url, NUMBER)
    made = api.data_store()
    assert made.startswith(f"projects/{NUMBER}/")
    field = f"projects/{ID}/locations/global/x"
    text = "# Permits\n\nA parking permit costs 40 euro a year."
    api.import_(made, api.document("permit", text, reference=field))
    return made.removeprefix(f"projects/{NUMBER}/")


@pytest.fixture(params=[ID, NUMBER], ids=["id", "number"])
def project(request: Any, store: str) -> str:
    assert store
    return request.param


@pytest.fixture
def api(numbered: Service, project: str) -> Api:
    return discovery.api("v1", numbered.url, project)


def assert_named(told: Any, project: str) -> None:
    """Every name in *told* has the project as it was asked for."""
    text = told if isinstance(told, str) else json.dumps(told)
    other = ID if project == NUMBER else NUMBER
    assert f"projects/{project}/" in text
    text = text.replace(f"projects/{ID}/locations/global/x", "")  # a field of the caller's own
    assert f"projects/{other}/" not in text


def test_either_names_the_same_resources(api: Api, project: str, store: str) -> None:
    other = NUMBER if project == ID else ID
    name = f"projects/{project}/{store}"
    stores = api.client("DataStoreService").list_data_stores(parent=api.collection)
    assert [one.name for one in stores] == [name]
    document = api.client("DocumentService").get_document(
        name=f"{name}/branches/0/documents/permit"
    )
    assert document.name.startswith(name)
    assert document.struct_data["reference"] == f"projects/{ID}/locations/global/x"
    # The body may have the other form: it is the path that says which one is told.
    session = api.call(f"{name}/sessions", "POST", {}).body["name"]
    elsewhere = session.replace(f"projects/{project}/", f"projects/{other}/")
    body = {"query": {"text": QUERY}, "session": elsewhere}
    config = f"{name}/servingConfigs/default_config"
    answered = api.call(f"{config}:answer", "POST", body)
    assert answered.status == 200
    assert answered.body["session"]["name"] == session
    assert "40 euro" in answered.body["answer"]["answerText"]
    assert_named(answered.body, project)
    assert_named(api.call(f"{session}?includeAnswerDetails=true").body, project)
    assert_named(api.call(f"{elsewhere}?includeAnswerDetails=true").body, other)
    assert_named(api.call(f"{name}/sessions").body, project)
    assert_named(api.call(f"{config}:search", "POST", {"query": "permit"}).body, project)
    assert api.call(elsewhere, "DELETE").status == 200
    assert api.call(session).status == 404


def test_a_stream_an_error_and_an_operation_keep_the_form(
    api: Api, project: str, store: str
) -> None:
    name = f"projects/{project}/{store}"
    elements = list(
        api.client("ConversationalSearchService").stream_answer_query(
            {
                "serving_config": f"{name}/servingConfigs/default_config",
                "query": {"text": QUERY},
                "session": f"{name}/sessions/-",
            }
        )
    )
    assert_named("".join(str(element) for element in elements), project)
    assert_named(api.call(f"{name}/sessions/9").body, project)
    with pytest.raises(exceptions.NotFound, match=f"projects/{project}/"):
        api.client("SessionService").get_session(name=f"{name}/sessions/9")
    operation = api.import_(name, api.document("permit2", "A dog tag costs 9 euro."))
    assert operation.operation.name.startswith(f"{name}/branches/0/operations/")
    purged = api.call(
        f"{name}/branches/0/documents:purge", "POST", {"filter": 'id: ANY("permit2")'}
    )
    assert_named(purged.body["response"], project)
    assert_named(purged.body["name"], project)


def test_a_corpus_is_reached_by_either(numbered: Service, project: str) -> None:
    rag = Rag("v1", numbered.url, project)
    corpus = rag.corpus(fees=FEES)
    assert corpus.startswith(f"projects/{project}/")
    other = corpus.replace(project, NUMBER if project == ID else ID)
    (found, *_) = rag.retrieve(other, "What does a passport cost?")
    assert "passport" in found.text


def test_a_token_is_for_what_either_names(api: Api, project: str, store: str) -> None:
    """The path has one form, and the body the other."""
    other = NUMBER if project == ID else ID
    body = {"subject": "ann", "dataStores": [f"projects/{other}/{store}"]}
    minted = api.call(f"projects/{project}/{store}:mintToken", "POST", body)
    assert minted.status == 200
    said = jwt.decode(minted.body["token"], options={"verify_signature": False})
    assert (said["project"], said["dataStores"]) == (ID, [f"projects/{ID}/{store}"])


async def test_a_socket_tells_the_form_of_each_request(
    numbered: Service, store: str, project: str
) -> None:
    url = f"{numbered.url.replace('http', 'ws', 1)}/v1/ws"
    config = f"projects/{project}/{store}/servingConfigs/default_config"
    async with Client(url) as client:
        told = [element async for element in client.ask(QUERY, serving_config=config)]
        answer = told[-1].response.answer
        assert answer is not None
        assert answer.name.startswith(f"projects/{project}/")
        again = [element async for element in client.resume(answer.name)]
        assert again[-1].response.answer == answer


async def test_a_frame_with_two_names_is_told_what_is_wrong(numbered: Service) -> None:
    url = f"{numbered.url.replace('http', 'ws', 1)}/v1/ws"
    name = f"projects/{NUMBER}/locations/global"
    frame = {"type": "answer", "id": "a", "servingConfig": name, "name": name}
    async with connect(url, subprotocols=[Subprotocol(SUBPROTOCOL)]) as socket:
        await socket.recv()
        await socket.send(json.dumps(frame))
        assert json.loads(await socket.recv())["type"] == "error"


def test_a_number_that_is_not_assigned_is_its_own_project(numbered: Service) -> None:
    own = discovery.api("v1", numbered.url, "998877")
    assert own.call(f"{own.collection}/dataStores").body == {}
    assert own.data_store().startswith("projects/998877/")


@pytest.mark.parametrize(
    "value",
    [*"a a= =1 a=x a=0 a=1,b=1 a=1,a=2 1=2,b=1 a/b=1 ..=1 a=1=2 a=\u0661".split(), f"a={'9' * 20}"],
)
def test_a_number_that_cannot_be_is_refused_at_the_start(value: str) -> None:
    with pytest.raises(settings.SettingsError, match="COLLOQUY_PROJECT_NUMBERS"):
        settings.read({"COLLOQUY_PROJECT_NUMBERS": value})


def test_a_command_reads_and_writes_where_the_service_does() -> None:
    given = Settings(project_numbers=("town=123",))
    rest = "locations/global/collections/default_collection/dataStores/d"
    stored = short_names.stored_data_store(f"projects/123/{rest}", given)
    assert stored == f"projects/town/{rest}"
    session = short_names.stored_session(f"projects/123/{rest}/sessions/1", stored, given)
    assert session == f"{stored}/sessions/1"
    assert short_names.stored_data_store(f"projects/124/{rest}", given) == f"projects/124/{rest}"
