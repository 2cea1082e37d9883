"""The official clients of user events: written, collected, imported, purged."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from google.api_core import exceptions

from service.settings import Settings
from tests.clients import discovery
from tests.clients.conftest import running_service
from tests.clients.discovery import Api, Service
from tests.redis_servers import Server
from tests.waiting import LONG

LONG_AGO = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)


def events(api: Api) -> Any:
    return api.client("UserEventService")


def write(api: Api, parent: str, **event: Any) -> Any:
    given = {"event_type": "view-item", "user_pseudo_id": "ann", **event}
    return events(api).write_user_event({"parent": parent, "user_event": given})


def purge(api: Api, store: str, expression: str = "*", *, force: bool = False) -> int:
    request = {"parent": store, "filter": expression, "force": force}
    return events(api).purge_user_events(request).result(timeout=LONG).purge_count


def import_(api: Api, parent: str, *given: dict[str, Any]) -> Any:
    request = {"parent": parent, "inline_source": {"user_events": list(given)}}
    return events(api).import_user_events(request)


def test_an_event_is_kept_and_comes_back_with_its_time(api: Api) -> None:
    store = api.data_store()
    search = {"search_query": "parking"}
    echoed = write(api, store, event_type="search", search_info=search)
    assert (echoed.event_type, echoed.search_info.search_query) == ("search", "parking")
    assert abs(echoed.event_time - dt.datetime.now(dt.UTC)) < dt.timedelta(minutes=1)
    write(api, api.location, data_store=store)
    write(api, api.location, documents=[{"name": f"{store}/branches/0/documents/a"}])
    assert purge(api, store) == 3
    with pytest.raises(exceptions.BadRequest):
        write(api, store, event_type="")
    with pytest.raises(exceptions.BadRequest, match=r"userEvent\.dataStore"):
        write(api, api.location)
    with pytest.raises(exceptions.NotFound):
        write(api, api.location, data_store=f"{store}x")
    assert purge(api, store) == 3


def test_an_event_may_come_in_an_address(api: Api) -> None:
    store = api.data_store()
    text = json.dumps({"eventType": "view-item", "userPseudoId": "ann"})
    for user_event in (text, quote(text)):
        events(api).collect_user_event(
            {"parent": store, "user_event": user_event, "uri": "https://x"}
        )
    with pytest.raises(exceptions.BadRequest) as raised:
        events(api).collect_user_event({"parent": store, "user_event": '{"eventTypo": "x"}'})
    assert "eventTypo" in str(raised.value)
    assert purge(api, store) == 2


def test_events_are_imported_as_an_operation(api: Api) -> None:
    store = api.data_store()
    api.import_(store, api.document("a", "# Parking\n\nText."))
    event = {"event_type": "view-item", "user_pseudo_id": "ann", "event_time": LONG_AGO}
    there = {**event, "documents": [{"id": "a"}]}
    absent = {**event, "documents": [{"id": "a"}, {"id": "b"}]}
    timeless = {"event_type": "view-item", "user_pseudo_id": "ann"}
    operation = import_(api, store, there, absent, timeless, {**event, "user_pseudo_id": ""})
    reply = operation.result(timeout=LONG)
    assert (reply.joined_events_count, reply.unjoined_events_count) == (1, 1)
    first, second = (sample.message for sample in reply.error_samples)
    assert first.startswith("inlineSource.userEvents[2].eventTime")
    assert second.startswith("inlineSource.userEvents[3].userPseudoId")
    assert (operation.metadata.success_count, operation.metadata.failure_count) == (2, 2)
    assert operation.metadata.create_time
    assert purge(api, store) == 2


def test_events_of_a_location_are_imported_into_their_data_stores(v1: Api) -> None:
    store = v1.data_store()
    engine = v1.engine([store.rpartition("/")[2]])
    event = {"event_type": "view-item", "user_pseudo_id": "ann", "event_time": LONG_AGO}
    reply = import_(v1, v1.location, {**event, "engine": engine}, event).result(timeout=LONG)
    assert reply.joined_events_count == 1
    assert "dataStore" in reply.error_samples[0].message
    assert purge(v1, store) == 1


def test_a_purge_takes_what_its_filter_names(v1: Api) -> None:
    store = v1.data_store()
    for user in ("ann", "bob"):
        write(v1, store, user_pseudo_id=user, user_info={"user_id": user.upper()})
    write(v1, store, event_type="add-to-cart", event_time=LONG_AGO)
    assert purge(v1, store, 'userPseudoId = "ann"') == 2
    assert purge(v1, store, 'userId = "BOB"') == 1
    window = 'eventTime > "2019-12-31T00:00:00Z" eventTime < "2020-01-02T00:00:00Z"'
    assert purge(v1, store, f'{window} eventType = "add-to-cart"') == 1
    assert purge(v1, store, f'{window} eventType = "view-item"') == 0
    assert purge(v1, store, 'userPseudoId = "ann"', force=True) == 2
    assert purge(v1, store) == 1
    for wrong in ("", 'color = "red"', 'eventType = "x'):
        with pytest.raises(exceptions.BadRequest, match="filter"):
            purge(v1, store, wrong)
    with pytest.raises(exceptions.NotFound):
        purge(v1, f"{store}x")


def test_events_go_with_their_data_store(v1: Api) -> None:
    store = v1.data_store()
    write(v1, store)
    v1.client("DataStoreService").delete_data_store(name=store).result(timeout=LONG)
    assert purge(v1, v1.data_store()) == 0


def test_what_cannot_be_imported_is_refused(v1: Api) -> None:
    store = v1.data_store()
    with pytest.raises(exceptions.BadRequest, match="inlineSource"):
        import_(v1, store)
    gcs = {"parent": store, "gcs_source": {"input_uris": ["gs://a/b"]}}
    with pytest.raises(exceptions.MethodNotImplemented, match="gcsSource"):
        events(v1).import_user_events(gcs)


@pytest.fixture(scope="module")
def forgetful(module_redis: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Serve without keeping events."""
    folder = tmp_path_factory.mktemp("forgetful")
    settings = Settings(
        port=0, data_dir=folder, redis_url=module_redis.service_url, sample=False, event_days=0
    )
    with running_service(settings) as running:
        yield running


def test_nothing_is_kept_where_the_operator_wants_it_so(forgetful: Service) -> None:
    api = discovery.api("v1", forgetful.url, "p-forgetful")
    store = api.data_store()
    assert write(api, store).event_time
    assert purge(api, store) == 0
    event = {"event_type": "view-item", "user_pseudo_id": "ann", "event_time": LONG_AGO}
    with pytest.raises(exceptions.BadRequest, match="COLLOQUY_EVENT_DAYS"):
        import_(api, store, event)
