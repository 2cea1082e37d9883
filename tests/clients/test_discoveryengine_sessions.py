"""Sessions through both official clients that have them, in every version."""

from __future__ import annotations

import urllib.parse
from typing import Any

import pytest
from google.api_core import exceptions

from tests.clients import asking
from tests.clients.asking import Town, ask, get
from tests.clients.discovery import Api, Service, reason

SERVICES = ["ConversationalSearchService", "SessionService"]
VERSIONS = ["v1", "v1beta", "v1alpha"]


@pytest.fixture(scope="module")
def town(service: Service) -> Town:
    return asking.town(service.url)


@pytest.fixture(params=VERSIONS)
def api(request: Any, town: Town) -> Api:
    return town.api(request.param)


@pytest.fixture
def empty(v1: Api) -> str:
    """Return a data store without sessions, of `v1`."""
    return v1.data_store()


def create(api: Api, parent: str, **session: Any) -> Any:
    return api.client("SessionService").create_session(
        parent=parent, session=api.types.Session(session)
    )


def patch(api: Api, name: str, body: Any, mask: str = "") -> Any:
    """Update without a client; return the session, or the field that is refused."""
    reply = api.call(name + (f"?updateMask={mask}" if mask else ""), "PATCH", body)
    return reply.body if reply.status == 200 else asking.violation(reply)


@pytest.mark.parametrize("service_name", SERVICES)
@pytest.mark.parametrize("form", ["short", "long", "engine"])
def test_a_session_lives_through_its_methods(
    api: Api, town: Town, service_name: str, form: str
) -> None:
    parent = {"short": town.short(), "long": town.store, "engine": town.engine}[form]
    canonical = town.engine if form == "engine" else town.store
    client = api.client(service_name)
    made = client.create_session(
        parent=parent, session=api.types.Session(user_pseudo_id="ann", display_name="First")
    )
    assert made.name.startswith(f"{canonical}/sessions/")
    number = made.name.rpartition("/")[2]
    assert number == str(int(number))
    assert 0 < int(number) < 2**63
    assert (made.state.name, made.display_name, made.user_pseudo_id) == (
        "IN_PROGRESS",
        "First",
        "ann",
    )
    assert made.start_time
    assert not made.end_time
    name = f"{parent}/sessions/{number}"
    assert client.get_session(name=name) == made
    changed = client.update_session(
        session=api.types.Session(name=name, display_name="Second", user_pseudo_id="bob"),
        update_mask={"paths": ["display_name"]},
    )
    assert (changed.display_name, changed.user_pseudo_id) == ("Second", "ann")
    client.delete_session(name=name)
    for gone in (client.get_session, client.delete_session):
        with pytest.raises(exceptions.NotFound):
            gone(name=name)


def test_a_session_of_an_engine_is_not_one_of_its_data_store(town: Town) -> None:
    api = town.v1
    name = create(api, town.engine).name
    listed = api.client("SessionService").list_sessions
    assert name in [one.name for one in listed(parent=town.engine)]
    assert name not in [one.name for one in listed(parent=town.store)]


def test_a_name_in_use_is_a_conflict(api: Api, town: Town) -> None:
    name = f"{town.store}/sessions/{api.version}-4711"
    assert create(api, town.short(), name=name).name == name
    with pytest.raises(exceptions.Conflict) as raised:
        create(api, town.store, name=name)
    assert reason(raised.value) == "RESOURCE_ALREADY_EXISTS"


def test_a_name_elsewhere_is_refused_and_opens_nothing(town: Town) -> None:
    for name in (f"{town.engine}/sessions/1", f"{town.store}/sessions/-", "sessions/1"):
        refused = town.v1.call(f"{town.store}/sessions", "POST", {"name": name})
        assert asking.violation(refused) == "session.name"
    with pytest.raises(exceptions.NotFound):
        town.v1.client("SessionService").get_session(name=f"{town.engine}/sessions/1")


def test_fields_are_refused_by_their_names(town: Town) -> None:
    wrong = {"state": "ASLEEP", "isPinned": "yes", "labels": [1], "startTime": "today", "colour": 1}
    for field, value in wrong.items():
        refused = town.v1.call(f"{town.store}/sessions", "POST", {field: value})
        assert asking.violation(refused).startswith(field)
    long = town.v1.call(f"{town.store}/sessions", "POST", {"userPseudoId": "x" * 129})
    assert asking.violation(long) == "session.userPseudoId"


def test_pages_of_sessions_join_without_gaps(v1: Api, empty: str) -> None:
    client = v1.client("SessionService")
    names = [create(v1, empty).name for _ in range(12)]
    pager = client.list_sessions({"parent": empty, "page_size": 5})
    pages = [[session.name for session in page.sessions] for page in pager.pages]
    assert [len(page) for page in pages] == [5, 5, 2]
    assert [name for page in pages for name in page] == names[::-1]


def test_what_comes_and_goes_meanwhile_moves_no_page(v1: Api, empty: str) -> None:
    client = v1.client("SessionService")
    names = [create(v1, empty).name for _ in range(6)]
    pages = client.list_sessions({"parent": empty, "page_size": 2, "order_by": "create_time"}).pages
    seen = [session.name for session in next(pages).sessions]
    create(v1, empty)
    client.delete_session(name=names[0])
    seen += [session.name for page in pages for session in page.sessions]
    assert seen[: len(names)] == names


def test_a_page_token_is_bound_to_its_list(v1: Api, empty: str) -> None:
    for _ in range(3):
        create(v1, empty, user_pseudo_id="ann")
    path = f"{empty}/sessions?pageSize=1"
    token = v1.call(path).body["nextPageToken"]
    assert v1.call(f"{path}&pageToken={token}").status == 200
    assert v1.call(f"{empty}/sessions?pageSize=2&pageToken={token}").status == 200
    for other in (f"&pageToken={token}&filter=user_pseudo_id=ann", "&pageToken=x"):
        assert asking.violation(v1.call(path + other)) == "pageToken"
    other = v1.call(f"{path}&pageToken={token}&orderBy=create_time")
    assert asking.violation(other) == "pageToken"
    assert asking.violation(v1.call(f"{empty}/sessions?pageSize=-1")) == "pageSize"
    assert v1.call(f"{empty}/sessions?pageSize=5000").status == 200


def test_lists_are_filtered_and_ordered(v1: Api, empty: str) -> None:
    for user, title, pinned in (("ann", "A", False), ("bob", "B b", True), ("ann", "C", False)):
        create(v1, empty, user_pseudo_id=user, display_name=title, is_pinned=pinned, labels=[title])

    def titles(**request: Any) -> list[str]:
        listed = v1.client("SessionService").list_sessions({"parent": empty, **request})
        return [session.display_name[0] for session in listed]

    assert titles() == ["C", "B", "A"]
    assert titles(filter='user_pseudo_id = "ann"', order_by="create_time") == ["A", "C"]
    assert titles(filter="userPseudoId=bob OR display_name:C") == ["C", "B"]
    assert titles(filter='NOT display_name = "B b"') == ["C", "A"]
    assert titles(filter="-is_pinned=true, state = IN_PROGRESS") == ["C", "A"]
    assert titles(filter="starred = true") == ["B"]
    assert titles(filter="labels:A OR labels:C AND user_pseudo_id:bob") == ["A"]
    assert titles(filter='labels:* AND create_time > "2020-01-01T00:00:00Z"') == ["C", "B", "A"]
    assert titles(filter='update_time < "2020-01-01T00:00:00+01:00"') == []
    assert titles(order_by="is_pinned desc, create_time asc") == ["B", "A", "C"]
    assert sorted(titles(order_by="session_name")) == ["A", "B", "C"]
    for wrong in ("colour = red", "state >", "(state = IN_PROGRESS", "is_pinned > true"):
        with pytest.raises(exceptions.BadRequest):
            titles(filter=wrong)
    for wrong in ("colour", "update_time sideways"):
        with pytest.raises(exceptions.BadRequest):
            titles(order_by=wrong)


def test_the_last_answer_puts_a_session_first(v1: Api, empty: str) -> None:
    first, second = create(v1, empty).name, create(v1, empty).name
    ask(v1, empty, session=first)
    listed = list(v1.client("SessionService").list_sessions(parent=empty))
    assert [session.name for session in listed] == [first, second]
    assert listed[0].turns[0].answer
    assert not listed[0].turns[0].detailed_answer.name


@pytest.mark.parametrize("version", ["v1", "v1beta"])
def test_a_pin_is_set_and_reset_by_the_mask(town: Town, version: str) -> None:
    """Clients leave false out of the body, so the mask alone says that it is meant."""
    api = town.api(version)
    name = create(api, town.store).name
    for pinned in (True, False):
        session = api.types.Session(name=name, is_pinned=pinned)
        changed = api.client("SessionService").update_session(
            session=session, update_mask={"paths": ["is_pinned"]}
        )
        assert changed.is_pinned is pinned


def test_masks_reset_and_overwrite_what_they_name(town: Town) -> None:
    api = town.v1
    full = {"display_name": "A", "user_pseudo_id": "ann", "labels": ["x", "y"], "is_pinned": True}
    name = create(api, town.store, **full).name
    assert "displayName" not in patch(api, name, {}, "displayName")
    assert patch(api, name, {"labels": ["z"]})["labels"] == ["z"]
    assert patch(api, name, {"user_pseudo_id": "bob", "isPinned": False})["userPseudoId"] == "bob"
    kept = get(api, name)
    assert kept["labels"] == ["z"]
    assert "isPinned" not in kept
    every = patch(api, name, {"displayName": "B"}, "*")
    assert {"name": name, "displayName": "B", "state": "IN_PROGRESS"}.items() <= every.items()
    assert not every.keys() & {"labels", "userPseudoId"}
    assert patch(api, name, {"labels": ["s"]}, "labels,display_name")["labels"] == ["s"]


def test_turns_are_overwritten_as_a_whole(town: Town) -> None:
    api = town.v1
    name = create(api, town.store).name
    turns = [{"query": {"text": "One?"}}, {"query": {"text": "Two?"}, "queryConfig": {"a": "b"}}]
    changed = patch(api, name, {"turns": turns, "displayName": "x"}, "turns")
    assert changed["turns"] == turns
    assert changed["displayName"] == "One?"
    assert "turns" not in patch(api, name, {}, "turns")


@pytest.mark.parametrize("mask", ["name", "startTime", "end_time", "colour", "displayName,colour"])
def test_a_mask_of_what_cannot_change_changes_nothing(town: Town, mask: str) -> None:
    before = create(town.v1, town.store, display_name="A")
    assert patch(town.v1, before.name, {"displayName": "B"}, mask) == "updateMask"
    assert town.v1.client("SessionService").get_session(name=before.name) == before


def test_a_body_of_another_name_changes_nothing(town: Town) -> None:
    name = create(town.v1, town.store, display_name="A").name
    body = {"name": f"{town.store}/sessions/1", "displayName": "B"}
    assert patch(town.v1, name, body) == "session.name"
    assert get(town.v1, name)["displayName"] == "A"
    short = name.replace("/collections/default_collection", "")
    assert patch(town.v1, name, {"name": short, "displayName": "C"})["displayName"] == "C"


def test_an_absent_session_is_not_patched(town: Town) -> None:
    client = town.v1.client("SessionService")
    with pytest.raises(exceptions.NotFound):
        client.update_session(session=town.v1.types.Session(name=f"{town.store}/sessions/404"))


def test_details_of_the_turns_come_when_asked_for(api: Api, town: Town) -> None:
    reply = ask(api, town.store, session=f"{town.store}/sessions/-")
    client = api.client("SessionService")
    request = {"name": reply.session.name, "include_answer_details": True}
    assert client.get_session(request).turns[0].detailed_answer == reply.answer
    assert not client.get_session(name=reply.session.name).turns[0].detailed_answer.name


def test_a_long_session_is_read_some_turns_at_a_time(town: Town) -> None:
    turns = [{"query": {"text": str(number)}} for number in range(5)]
    name = town.v1.call(f"{town.store}/sessions", "POST", {"turns": turns}).body["name"]

    def told(session: Any) -> list[str]:
        return [turn["query"]["text"] for turn in session.get("turns", ())]

    assert told(get(town.v1, f"{name}?turnOffset=-4&turnLimit=2&includeAnswerDetails=true")) == [
        "1",
        "2",
    ]
    page = get(town.v1, f"{town.store}/sessions?turnLimit=1")["sessions"]
    assert told(next(each for each in page if each["name"] == name)) == ["0"]
    refused = town.v1.call(f"{name}?turnLimit=-1")
    assert (refused.status, asking.violation(refused)) == (400, "turnLimit")


def test_a_deleted_session_takes_its_answers_along(town: Town) -> None:
    client = town.v1.client("ConversationalSearchService")
    reply = ask(town.v1, town.store, session=f"{town.store}/sessions/-")
    client.delete_session(name=reply.session.name)
    with pytest.raises(exceptions.NotFound):
        client.get_answer(name=reply.answer.name)
    with pytest.raises(exceptions.NotFound):
        ask(town.v1, town.store, session=reply.session.name)


def test_one_session_is_seen_in_every_version_and_spelling(town: Town) -> None:
    name = create(town.v1, town.store, labels=["a"]).name
    short = name.replace("/collections/default_collection", "")
    for version in VERSIONS:
        assert get(town.api(version), short)["name"] == name


def test_what_lies_below_nothing_is_not_found(api: Api) -> None:
    client = api.client("ConversationalSearchService")
    absent = f"{api.collection}/dataStores/absent"
    with pytest.raises(exceptions.NotFound):
        client.create_session(parent=absent, session=api.types.Session())
    with pytest.raises(exceptions.NotFound):
        client.list_sessions(parent=absent)
    with pytest.raises(exceptions.NotFound):
        client.get_session(name=f"{absent}/sessions/1")


@pytest.mark.parametrize(
    ("collection", "filter"),
    [
        ("sessions", "state=NOPE"),
        ("sessions", "NOT state = in_progress"),
        ("conversations", "state=NOPE"),
        ("conversations", "state=1"),
        ("dataStores", "solution_type:NOPE"),
        ("engines", "solution_type=NOPE"),
        ("operations", "done=NOPE"),
    ],
)
def test_a_filter_for_a_value_that_there_is_not_is_refused(
    v1: Api, collection: str, filter: str
) -> None:
    store = v1.data_store()
    above = store if collection in ("sessions", "conversations") else v1.collection
    query = urllib.parse.urlencode({"filter": filter})
    reply = v1.call(f"{above}/{collection}?{query}")
    assert reply.status == 400
    assert reply.body["error"]["details"][1]["fieldViolations"][0]["field"] == "filter"
