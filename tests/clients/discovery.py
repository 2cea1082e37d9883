"""The official search and answer clients, pointed at a service."""

from __future__ import annotations

import asyncio
import functools
import importlib
import json
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Any, NamedTuple

from google.api_core.client_options import ClientOptions
from google.auth.credentials import AnonymousCredentials
from google.oauth2.credentials import Credentials

from service.composition.app import Application
from tests.clients import field_coverage
from tests.waiting import LONG


class Service(NamedTuple):
    """A service that runs in this process, in a thread of its own."""

    url: str
    application: Application
    loop: asyncio.AbstractEventLoop

    def run(self, coroutine: Any) -> Any:
        """Run *coroutine* in the service's loop."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(2 * LONG)


class Reply(NamedTuple):
    """A plain HTTP response."""

    status: int
    headers: Any
    body: Any


def call(url: str, method: str = "GET", body: Any = None, **headers: str) -> Reply:
    """Send a request without any client; *body* is bytes, or becomes JSON."""
    data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers, method=method)
    if data is not None:
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=2 * LONG) as response:
            return Reply(response.status, response.headers, json.loads(response.read()))
    except urllib.error.HTTPError as exc:
        with exc:
            return Reply(exc.code, exc.headers, json.loads(exc.read()))


def reason(error: Any) -> str:
    """Return the reason that an exception of a client carries."""
    return error.reason or ""


def anonymous(url: str) -> dict[str, Any]:
    """Return what an official client of the service at *url* is made with, without credentials."""
    return {
        "credentials": AnonymousCredentials(),  # pyright: ignore[reportNoUntypedCall]
        "client_options": ClientOptions(api_endpoint=url),
    }


def keyed(url: str, key: str, *, bearer: bool = False) -> dict[str, Any]:
    """Return what one is made with that sends an API key, as such or as a *bearer* token."""
    if bearer:
        token: Any = Credentials(token=key)
        return {"credentials": token, "client_options": ClientOptions(api_endpoint=url)}
    return {"client_options": ClientOptions(api_endpoint=url, api_key=key)}


class Api:
    """The clients of one version; `types` is its package."""

    def __init__(self, version: str, url: str, project: str, access: Any = None) -> None:
        """*access* is how the clients show who they are, see `keyed`; None shows nothing."""
        self.version = version
        self.url = url
        self.access = access or anonymous(url)
        self.project = project
        self.types: Any = importlib.import_module(f"google.cloud.discoveryengine_{version}")
        self.location = f"projects/{project}/locations/global"
        self.collection = f"{self.location}/collections/default_collection"

    @functools.cache  # noqa: B019 - an Api lives as long as its test
    def client(self, name: str) -> Any:
        """Return the client of a service: ``DataStoreService``."""
        client = getattr(self.types, f"{name}Client")
        return client(transport=field_coverage.transport(client), **self.access)

    def call(self, path: str, method: str = "GET", body: Any = None) -> Reply:
        """Send a request to *path* in this version, without any client."""
        return call(f"{self.url}/{self.version}/{path}", method, body)

    def data_store(self, store_id: str = "portal", /, **fields: Any) -> str:
        """Create a data store and return its name."""
        made = self.client("DataStoreService").create_data_store(
            parent=self.collection,
            data_store=self.types.DataStore({"display_name": store_id, **fields}),
            data_store_id=store_id,
        )
        return made.result(timeout=2 * LONG).name

    def engine(self, data_stores: Sequence[str], engine_id: str = "portal-engine") -> str:
        """Create an engine over data stores, by their ids, and return its name."""
        made = self.client("EngineService").create_engine(
            parent=self.collection,
            engine=self.types.Engine(
                display_name=engine_id,
                data_store_ids=data_stores,
                solution_type=self.types.SolutionType.SOLUTION_TYPE_SEARCH,
            ),
            engine_id=engine_id,
        )
        return made.result(timeout=2 * LONG).name

    def document(
        self, document_id: str, text: str, mime: str = "text/markdown", **data: Any
    ) -> Any:
        """Return a document with a text and fields."""
        content = {"raw_bytes": text.encode(), "mime_type": mime}
        fields = {"struct_data": data} if data else {}
        return self.types.Document({"id": document_id, "content": content, **fields})

    def import_(self, data_store: str, *documents: Any, **options: Any) -> Any:
        """Import documents and return the operation, which is done."""
        operation = self.client("DocumentService").import_documents(
            self.types.ImportDocumentsRequest(
                parent=f"{data_store}/branches/default_branch",
                inline_source=self.types.ImportDocumentsRequest.InlineSource(documents=documents),
                **options,
            )
        )
        operation.result(timeout=2 * LONG)
        return operation


def api(version: str, url: str, project: str) -> Api:
    """Return the clients of *version* for the service at *url*."""
    return Api(version, url, project)
