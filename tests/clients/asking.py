"""A small town portal, and short ways to ask it by the official clients or by plain HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import secrets
import urllib.parse
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import Any, NamedTuple

import uvicorn
from anyio.from_thread import BlockingPortal, start_blocking_portal

from service.composition.app import create_app
from service.server import http_server, listening
from service.settings import Settings
from tests.clients.discovery import Api, Reply, call
from tests.doubles import OpenAIServer

PERMIT = """# Parking permits

A parking permit costs 40 € a year. It is valid for one car.

## How do I apply for a parking permit?

Apply online with your licence plate. The permit is sent by post within two weeks."""
TERRACE = """# Café terraces

A café terrace costs 12 € a month for each square metre. The café must keep 1,5 m of pavement free.

## Renew a terrace

Renewing a café terrace costs 90 € and takes five days."""
LOANS = """# Library loans

A parking permit does not count at the library. A late book costs 20 cents a day.

## Library card

A library card costs 15 € a year."""
TOLL = "The toll of the harbour bridge is 3 € for cars."
FALLBACK = "A summary could not be generated for your search query. Here are some search results."
QUERY = "How much does a parking permit cost?"
SAID = "A parking permit costs 40 € a year."


class Town(NamedTuple):
    """What is imported: two data stores, an engine over both, and one that is cut into chunks."""

    v1: Api
    store: str
    library: str
    chunked: str
    engine: str

    def api(self, version: str) -> Api:
        """Return the clients of a version in the same project."""
        return Api(version, self.v1.url, self.v1.project)

    def short(self) -> str:
        """Return the short form of the data store, which the clients' path helpers build."""
        return self.store.replace("/collections/default_collection", "")


def town(url: str) -> Town:
    """Create the portal in a project of its own."""
    api = Api("v1", url, f"p{secrets.token_hex(5)}")
    store, library = api.data_store("town"), api.data_store("library")
    chunking = {"layout_based_chunking_config": {"chunk_size": 100}}
    config = {"chunking_config": chunking}
    chunked = api.data_store("chunked", document_processing_config=config)
    permit = api.document("permit", PERMIT, url="https://x.example/permit", kind="traffic", year=2)
    terrace = api.document("terrace", TERRACE, kind="trade", year=1)
    bridge = api.types.Document(
        {"id": "bridge", "struct_data": {"title": "Harbour bridge", "text": TOLL, "year": 3}}
    )
    api.import_(store, permit, terrace, bridge)
    api.import_(library, api.document("loans", LOANS, kind="books"))
    api.import_(chunked, permit, terrace)
    return Town(api, store, library, chunked, api.engine(["town", "library"]))


def ask(api: Api, parent: str, text: str = QUERY, **request: Any) -> Any:
    """Return the response of AnswerQuery."""
    return api.client("ConversationalSearchService").answer_query(
        {
            "serving_config": f"{parent}/servingConfigs/default_serving_config",
            "query": {"text": text},
            **request,
        }
    )


def post(api: Api, parent: str, body: Any, verb: str = "answer", query: str = "") -> Reply:
    """Ask without a client; *body* is JSON."""
    path = f"{parent}/servingConfigs/default_config:{verb}{query}"
    return api.call(path, "POST", body)


def get(api: Api, name: str) -> Any:
    """Return the JSON of what has this *name*."""
    return call(f"{api.url}/{api.version}/{name}").body


def violation(reply: Reply) -> str:
    """Return the field that a refusal names."""
    assert reply.status == 400, reply.body
    details = reply.body["error"]["details"]
    (found,) = [one for one in details if one["@type"].endswith("BadRequest")]
    return found["fieldViolations"][0]["field"]


def stream(api: Api, parent: str, text: str = QUERY, **request: Any) -> list[Any]:
    """Return the elements of StreamAnswerQuery, as the client reads them."""
    return list(
        api.client("ConversationalSearchService").stream_answer_query(
            {
                "serving_config": f"{parent}/servingConfigs/default_config",
                "query": {"text": text},
                **request,
            }
        )
    )


def opened(api: Api, path: str, body: Any) -> tuple[http.client.HTTPConnection, Any]:
    """Begin a POST; return the connection and the response, whose body is not read yet."""
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(api.url).netloc, timeout=20)
    headers = {"Content-Type": "application/json"}
    connection.request("POST", f"/{api.version}/{path}", json.dumps(body), headers)
    return connection, connection.getresponse()


def first(response: Any) -> tuple[Any, bytes]:
    """Return the first element of a stream as soon as it has come, and what came after it."""
    told = b""
    while True:
        told += response.read1()
        with contextlib.suppress(ValueError):
            text = told.decode()
            element, end = json.JSONDecoder().raw_decode(text, 1)
            return element, text[end:].encode()


def raw(api: Api, path: str, body: Any) -> tuple[Any, bytes]:
    """Send a POST; return the response and its body, to the byte."""
    connection, response = opened(api, path, body)
    with contextlib.closing(connection):
        return response, response.read()


def answer(town: Town, parent: str, text: str = QUERY, **request: Any) -> Any:
    """Return the JSON of an answer without a session; fields are in snake_case."""
    reply = post(town.v1, parent, {"query": {"text": text}, **request})
    assert reply.status == 200, reply.body
    return reply.body["answer"]


def searched(**params: Any) -> Any:
    return {"search_spec": {"search_params": params}}


def given(*results: Any) -> Any:
    return {"search_spec": {"search_result_list": {"search_results": results}}}


def documents(told: Any) -> list[str]:
    """Return the ids of the documents that an answer refers to."""
    infos = [next(iter(reference.values())) for reference in told.get("references", ())]
    names = [info.get("document") or info["documentMetadata"]["document"] for info in infos]
    return [name.rpartition("/")[2] for name in names]


class Written(NamedTuple):
    """A service that lets a scripted model write, and its town."""

    model: OpenAIServer
    town: Town
    portal: BlockingPortal

    def gate(self) -> asyncio.Event:
        """Return an event for the model to wait for."""
        return self.portal.call(asyncio.Event)

    def open(self, gate: asyncio.Event) -> None:
        """Let the model go on."""
        self.portal.call(gate.set)


@contextlib.contextmanager
def written(redis_url: str, folder: Path, **settings: Any) -> Generator[Written]:
    """Serve with a model that does as it is told, in a thread of its own."""
    with served(redis_url, folder, **settings) as (url, model, portal):
        yield Written(model, town(url), portal)


@contextlib.contextmanager
def served(
    redis_url: str, folder: Path, **settings: Any
) -> Generator[tuple[str, OpenAIServer, BlockingPortal]]:
    """Serve as `written`, with nothing imported; yield the address, the model and its loop."""
    with (
        start_blocking_portal("asyncio") as portal,
        portal.wrap_async_context_manager(_written(redis_url, folder, settings)) as (url, model),
    ):
        yield url, model, portal


@contextlib.asynccontextmanager
async def _written(
    redis_url: str, folder: Path, more: dict[str, Any]
) -> AsyncGenerator[tuple[str, OpenAIServer]]:
    async with OpenAIServer() as model:
        settings = Settings(
            port=0,
            data_dir=folder,
            redis_url=redis_url,
            sample=False,
            llm_base_url=model.base_url,
            llm_model="scripted",
            **more,
        )
        listener = listening.listen(settings)
        application = create_app(settings)
        server = uvicorn.Server(http_server.configuration(application.asgi))
        async with application.opened():
            await application.ready.wait()
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(server.serve([listener]))
                yield f"http://127.0.0.1:{listener.getsockname()[1]}", model
                server.should_exit = True
