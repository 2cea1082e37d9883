"""Sessions through both official clients that have them, in every version (api.md 9)."""

from __future__ import annotations

from typing import Any

import pytest
from google.api_core import exceptions

from tests.clients.discovery import Api, call, reason

SERVICES = ["ConversationalSearchService", "SessionService"]


@pytest.fixture(params=["data store", "engine"])
def parent(request: Any, api: Api) -> str:
    store = api.data_store()
    return store if request.param == "data store" else api.engine(["portal"])


@pytest.mark.parametrize("service_name", SERVICES)
def test_a_session_lives_through_its_methods(api: Api, parent: str, service_name: str) -> None:
    client = api.client(service_name)
    made = client.create_session(
        parent=parent, session=api.types.Session(user_pseudo_id="ann", display_name="First")
    )
    assert made.name.startswith(f"{parent}/sessions/")
    assert made.name.rpartition("/")[2].isdecimal()
    assert made.state.name == "IN_PROGRESS"
    assert made.start_time
    assert client.get_session(name=made.name) == made
    changed = client.update_session(
        session=api.types.Session(name=made.name, display_name="Second", user_pseudo_id="bob"),
        update_mask={"paths": ["display_name"]},
    )
    assert (changed.display_name, changed.user_pseudo_id) == ("Second", "ann")
    client.delete_session(name=made.name)
    for gone in (client.get_session, client.delete_session):
        with pytest.raises(exceptions.NotFound):
            gone(name=made.name)


def test_a_name_in_use_is_a_conflict(api: Api, parent: str) -> None:
    client = api.client("ConversationalSearchService")
    name = f"{parent}/sessions/4711"
    assert client.create_session(parent=parent, session=api.types.Session(name=name)).name == name
    with pytest.raises(exceptions.Conflict) as raised:
        client.create_session(parent=parent, session=api.types.Session(name=name))
    assert reason(raised.value) == "RESOURCE_ALREADY_EXISTS"


def test_pages_of_sessions_join_without_gaps(v1: Api) -> None:
    store, client = v1.data_store(), v1.client("SessionService")
    names = [
        client.create_session(parent=store, session=v1.types.Session()).name for _ in range(12)
    ]
    pager = client.list_sessions({"parent": store, "page_size": 5})
    pages = [[session.name for session in page.sessions] for page in pager.pages]
    assert [len(page) for page in pages] == [5, 5, 2]
    assert [name for page in pages for name in page] == names[::-1]


def test_lists_are_filtered_and_ordered(api: Api) -> None:
    store, client = api.data_store(), api.client("ConversationalSearchService")
    for user, title in (("ann", "A"), ("bob", "B"), ("ann", "C")):
        session = api.types.Session(user_pseudo_id=user, display_name=title)
        client.create_session(parent=store, session=session)

    def titles(**request: Any) -> list[str]:
        return [s.display_name for s in client.list_sessions({"parent": store, **request})]

    assert titles(filter='user_pseudo_id = "ann"', order_by="create_time") == ["A", "C"]
    assert titles(filter="user_pseudo_id = bob OR display_name = C") == ["C", "B"]
    assert titles(order_by="update_time desc") == ["C", "B", "A"]
    with pytest.raises(exceptions.BadRequest):
        titles(filter="colour = red")
    with pytest.raises(exceptions.BadRequest):
        titles(order_by="colour")


@pytest.mark.parametrize("version", ["v1", "v1beta"])
def test_a_pin_is_set_and_reset_by_the_mask(service: Any, v1: Api, version: str) -> None:
    """Clients leave false out of the body, so the mask alone says that it is meant."""
    api = Api(version, v1.url, v1.project)
    client = api.client("SessionService")
    name = client.create_session(parent=api.data_store(), session=api.types.Session()).name
    for pinned in (True, False):
        session = api.types.Session(name=name, is_pinned=pinned)
        mask = {"paths": ["is_pinned"]}
        assert client.update_session(session=session, update_mask=mask).is_pinned is pinned


def test_one_session_is_seen_in_every_version_and_spelling(v1: Api) -> None:
    store = v1.data_store()
    session = v1.types.Session(user_pseudo_id="ann")
    name = v1.client("SessionService").create_session(parent=store, session=session).name
    short = name.replace("/collections/default_collection", "")
    for version in ("v1", "v1beta", "v1alpha"):
        assert call(f"{v1.url}/{version}/{short}").body["name"] == name


def test_what_lies_below_nothing_is_not_found(api: Api) -> None:
    client = api.client("ConversationalSearchService")
    absent = f"{api.collection}/dataStores/absent"
    with pytest.raises(exceptions.NotFound):
        client.create_session(parent=absent, session=api.types.Session())
    with pytest.raises(exceptions.NotFound):
        client.list_sessions(parent=absent)
    with pytest.raises(exceptions.NotFound):
        client.get_session(name=f"{absent}/sessions/1")
