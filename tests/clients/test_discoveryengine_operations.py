"""Long-running operations as the official clients poll them, strictly."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from google.api_core import exceptions
from google.api_core.operations_v1 import AbstractOperationsClient

from service.corpus.operations.running_operation import TellProgress
from service.corpus.operations.stored_operations import OPERATIONS, StoredOperation, new_name
from sessions.errors import FailedPrecondition
from sessions.resources.documents import ImportDocumentsMetadata, ImportDocumentsResponse
from sessions.stores.record_store import RecordStore
from tests.clients.discovery import Api, Service, call

KIND = "import-documents"


class Hands:
    """Work that a test lets go on, and end, as it likes."""

    def __init__(self) -> None:
        self.done = asyncio.Event()
        self.failure: Exception | None = None

    async def work(self, tell: TellProgress) -> msgspec.Struct | None:
        tell(ImportDocumentsMetadata(success_count="1", total_count="1"))
        await self.done.wait()
        if self.failure:
            raise self.failure
        return ImportDocumentsResponse()


@pytest.fixture
def hands(service: Service) -> Hands:
    async def make() -> Hands:
        return Hands()

    return service.run(make())


def started(service: Service, branch: str, hands: Hands, version: str = "v1") -> str:
    operations = service.application.container.operations
    name = new_name(branch, KIND)
    work: StoredOperation = service.run(operations.start(name, KIND, version, hands.work))
    assert not work.done
    return name


def end(service: Service, hands: Hands, failure: Exception | None = None) -> None:
    hands.failure = failure
    service.loop.call_soon_threadsafe(hands.done.set)


def records_of(service: Service) -> RecordStore[StoredOperation]:
    """Return the operations as they are stored, as another process sees them."""
    storage = service.application.container.stores
    return RecordStore(storage.redis, storage.keys, OPERATIONS)


@pytest.fixture
def branch(v1: Api) -> str:
    return f"{v1.data_store()}/branches/0"


def polled(api: Api, name: str) -> Any:
    """Read an operation as the clients of *api* do: what they do not know, they refuse."""
    client: AbstractOperationsClient = api.client("DocumentService").transport.operations_client
    return client.get_operation(name)


def test_work_that_takes_time_is_polled_until_it_is_done(
    service: Service, v1: Api, branch: str, hands: Hands
) -> None:
    name = started(service, branch, hands)
    assert not polled(v1, name).done
    end(service, hands)
    reply = call(f"{v1.url}/v1/{name}:wait?timeout=5s", "POST", {})
    assert reply.body["done"]
    assert reply.body["metadata"]["successCount"] == "1"
    assert polled(v1, name).done


@pytest.mark.parametrize("version", ["v1", "v1beta", "v1alpha"])
def test_types_are_of_the_version_that_polls(v1: Api, branch: str, version: str) -> None:
    body: Any = {"inlineSource": {"documents": []}}
    created = v1.call(f"{branch}/documents:import", "POST", body).body
    assert created["metadata"]["@type"].endswith("discoveryengine.v1.ImportDocumentsMetadata")
    polled_ = call(f"{v1.url}/{version}/{created['name']}").body
    package = f"type.googleapis.com/google.cloud.discoveryengine.{version}"
    assert polled_["metadata"]["@type"] == f"{package}.ImportDocumentsMetadata"
    assert polled_["response"]["@type"] == f"{package}.ImportDocumentsResponse"
    ui = call(f"{v1.url}/ui/{created['name']}").body
    assert ui["response"]["@type"] == created["response"]["@type"]


def test_versions_of_other_families_do_not_have_it(v1: Api, branch: str) -> None:
    created = v1.call(f"{branch}/documents:import", "POST", {"inlineSource": {}}).body
    assert call(f"{v1.url}/v1beta1/{created['name']}").status == 404
    assert call(f"{v1.url}/v2/{created['name']}").status == 404


def test_a_failure_raises_its_own_kind_in_the_client(
    service: Service, v1: Api, branch: str, hands: Hands
) -> None:
    """The code is google.rpc's, and its reason is a detail that the client can read."""
    name = started(service, branch, hands)
    end(service, hands, FailedPrecondition("not now", reason="NOT_NOW"))
    call(f"{v1.url}/v1/{name}:wait?timeout=5s", "POST", {})
    operation = polled(v1, name)
    assert operation.error.code == 9
    assert operation.error.message == "not now"
    assert not operation.HasField("response")
    assert operation.error.details[0].type_url.endswith("google.rpc.ErrorInfo")


def test_an_unforeseen_failure_ends_the_operation_without_its_details(
    service: Service, v1: Api, branch: str, hands: Hands
) -> None:
    name = started(service, branch, hands)
    end(service, hands, RuntimeError("secret"))
    reply = call(f"{v1.url}/v1/{name}:wait?timeout=5s", "POST", {})
    assert reply.body["error"]["code"] == 13
    assert "secret" not in str(reply.body)


def test_a_cancelled_operation_ends_with_code_1(
    service: Service, v1: Api, branch: str, hands: Hands
) -> None:
    name = started(service, branch, hands)
    client = v1.client("DocumentService")
    client.cancel_operation({"name": name})
    assert polled(v1, name).error.code == 1
    before = v1.call(name).body
    client.cancel_operation({"name": name})
    assert v1.call(name).body == before


def test_a_cancellation_reaches_a_process_that_only_sees_the_record(
    service: Service, v1: Api, branch: str, hands: Hands
) -> None:
    name = started(service, branch, hands)
    records = records_of(service)
    service.run(records.update(name, lambda w: msgspec.structs.replace(w, cancelled=True)))
    assert call(f"{v1.url}/v1/{name}:wait?timeout=5s", "POST", {}).body["error"]["code"] == 1


def test_work_of_a_dead_process_ends_when_somebody_looks(
    service: Service, v1: Api, branch: str
) -> None:
    """No process marks it any more, so it must not stay undone for ever."""
    records = records_of(service)
    name = new_name(branch, KIND)
    service.run(records.create(name, StoredOperation(name=name, kind=KIND, version="v1", beat=1)))
    assert polled(v1, name).error.code == 10
    listed = v1.call(f"{branch}/operations").body["operations"]
    assert [one["done"] for one in listed] == [True]


def test_a_list_is_filtered_by_done_and_paged(
    service: Service, v1: Api, branch: str, hands: Hands
) -> None:
    for _ in range(3):
        v1.call(f"{branch}/documents:import", "POST", {"inlineSource": {}})
    running = started(service, branch, hands)
    undone = v1.call(f"{branch}/operations?filter=done=false").body["operations"]
    assert [one["name"] for one in undone] == [running]
    page = v1.call(f"{branch}/operations?filter=done=true&pageSize=2").body
    rest = v1.call(
        f"{branch}/operations?filter=done=true&pageSize=2&pageToken={page['nextPageToken']}"
    ).body
    assert len(page["operations"]) == 2
    assert len(rest["operations"]) == 1
    client = v1.client("DocumentService")
    assert len(client.list_operations({"name": branch}).operations) == 4
    end(service, hands)


@pytest.mark.parametrize(
    "parent",
    [
        "collections/default_collection/dataStores/absent",
        "collections/default_collection/dataStores/absent/branches/0",
        "collections/default_collection/engines/absent",
        "ragCorpora/absent",
        "ragCorpora/absent/ragFiles/absent",
    ],
)
def test_what_is_not_there_has_no_list_of_operations(v1: Api, parent: str) -> None:
    """What lies outside the boundary of a key is not there in the same words."""
    version = "v1beta1" if "rag" in parent else "v1"
    reply = call(f"{v1.url}/{version}/{v1.location}/{parent}/operations")
    assert reply.status == 404
    assert reply.body["error"]["message"].startswith("there is no ")


def test_a_deleted_operation_is_not_found(v1: Api, branch: str) -> None:
    name = v1.call(f"{branch}/documents:import", "POST", {"inlineSource": {}}).body["name"]
    assert v1.call(name, "DELETE").body == {}
    with pytest.raises(exceptions.NotFound):
        v1.client("DocumentService").get_operation({"name": name})
    assert v1.call(f"{name}:cancel", "POST", {}).status == 404


def test_a_wait_ends_with_its_timeout(service: Service, v1: Api, branch: str, hands: Hands) -> None:
    name = started(service, branch, hands)
    assert "done" not in call(f"{v1.url}/v1/{name}:wait?timeout=0.1s", "POST", {}).body
    assert call(f"{v1.url}/v1/{name}:wait?timeout=-1s", "POST", {}).status == 400
    assert call(f"{v1.url}/v1beta/{name}:wait", "POST", {}).status == 404
    end(service, hands)
