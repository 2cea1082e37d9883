"""Who may do what to which resource, on plain values."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from service.security import authorisation
from service.security.authorisation import Authorisation
from service.security.principals import Principal, PrincipalKind
from sessions.errors import NotFound, PermissionDenied
from sessions.resources.answer_query import AnswerQueryRequest
from sessions.resources.conversations import ConverseConversationRequest
from sessions.resources.engines import Engine
from sessions.resources.search_requests import SearchRequest, UserInfo
from sessions.resources.sessions import CreateSessionRequest, ReadSessionRequest, Session
from sessions.resources.user_events import UserEvent

LOCATION = "projects/p/locations/global"
STORE = f"{LOCATION}/collections/default_collection/dataStores/a"
CONFIG = f"{STORE}/servingConfigs/default_config"
ANNA = Principal(
    kind=PrincipalKind.USER, id="user:p/anna", project="p", data_stores=(STORE,), subject="anna"
)
SERVER = Principal(kind=PrincipalKind.SERVER, id="key:1", project="p", data_stores=(STORE,))
INTEGRATION = Principal(kind=PrincipalKind.INTEGRATION, id="key:2", project="p")
OPERATOR = Principal(kind=PrincipalKind.OPERATOR, id="key:4", project="p", data_stores=(STORE,))
READER = Principal(kind=PrincipalKind.READER, id="key:3")

pytestmark = pytest.mark.anyio


def deciding(users: Mapping[str, str] | None = None) -> tuple[Authorisation, list[str]]:
    """Return what decides where sessions are of *users*, and the names that it looks up."""
    looked: list[str] = []

    async def user_of(name: str) -> str | None:
        looked.append(name)
        return (users or {}).get(name)

    async def read_owned(name: str, user: str) -> Session | None:
        looked.append(name)
        found = (users or {}).get(name)
        return Session(name=name, user_pseudo_id=user) if user and found == user else None

    return Authorisation(user_of, read_owned), looked


@pytest.mark.parametrize(
    ("method", "name", "told"),
    [
        ("GetSession", f"{STORE}b/sessions/1", f"session '{STORE}b/sessions/1'"),
        ("GetAnswer", f"{STORE}b/sessions/1/answers/2", f"answer '{STORE}b/sessions/1/answers/2'"),
        ("ListSessions", f"{STORE}b/sessions", f"data store '{STORE}b'"),
        ("AnswerQuery", f"{STORE}b/servingConfigs/x", f"data store '{STORE}b'"),
        ("GetDocument", f"{STORE}b/branches/0/documents/1", f"data store '{STORE}b'"),
        ("DeleteDocument", f"{STORE}b/branches/0/documents/1", f"data store '{STORE}b'"),
        ("GetRagCorpus", f"{LOCATION}/ragCorpora/1", f"corpus '{LOCATION}/ragCorpora/1'"),
        ("ListDataStores", "projects/q/locations/global/dataStores", "project 'projects/q'"),
    ],
)
async def test_what_lies_outside_the_boundary_is_absent(method: str, name: str, told: str) -> None:
    """One look is taken, as at what is not there."""
    admits, looked = deciding({f"{STORE}b/sessions/1": "anna"})
    with pytest.raises(NotFound) as caught:
        await admits.admit(OPERATOR, method, name)
    assert caught.value.message.startswith(f"there is no {told}")
    assert looked == [name]


@pytest.mark.parametrize("principal", [ANNA, INTEGRATION])
@pytest.mark.parametrize("method", ["GetSession", "resume", "UpdateSession", "FollowAnswer"])
async def test_what_is_somebody_elses_is_as_absent_as_what_is_not(
    principal: Principal, method: str
) -> None:
    """Words and looks are the same; the own one is let pass, and servers see all."""
    mine, others, absent = (f"{STORE}/sessions/{each}" for each in "123")
    admits, looked = deciding({mine: authorisation.owner(principal, method), others: "bert"})
    await admits.admit(principal, method, mine)
    said: list[str] = []
    for name in (others, absent):
        with pytest.raises(NotFound) as caught:
            await admits.admit(principal, method, name)
        said.append(caught.value.message.replace(name, ""))
    assert said[0] == said[1]
    assert looked == [mine, others, absent]
    await admits.admit(SERVER, method, others)


async def test_what_belongs_to_nobody_is_not_for_people() -> None:
    admits, _ = deciding({f"{STORE}/sessions/1": ""})
    with pytest.raises(NotFound):
        await admits.admit(ANNA, "GetSession", f"{STORE}/sessions/1")


async def test_a_new_session_is_no_session_yet() -> None:
    admits, looked = deciding()
    await admits.admit(ANNA, "converse", f"{STORE}/conversations/-")
    query = AnswerQueryRequest(session=f"{STORE}/sessions/-")
    filled = await admits.admit_message(ANNA, "AnswerQuery", query, CONFIG)
    assert filled.user_pseudo_id == "anna"
    assert not looked


@pytest.mark.parametrize(
    ("principal", "method", "name"),
    [
        (OPERATOR, "CreateDataStore", f"{LOCATION}/dataStores"),
        (OPERATOR, "CreateRagCorpus", f"{LOCATION}/ragCorpora"),
        (OPERATOR, "UpdateRagEngineConfig", f"{LOCATION}/ragEngineConfig"),
        (OPERATOR, "Metrics", ""),
        (ANNA, "ListDocuments", f"{STORE}/branches/0/documents"),
        (ANNA, "GenerateContent", "publishers/google/models/any"),
    ],
)
async def test_what_no_boundary_holds_is_refused(
    principal: Principal, method: str, name: str
) -> None:
    admits, looked = deciding()
    with pytest.raises(PermissionDenied) as caught:
        await admits.admit(principal, method, name)
    assert caught.value.reason == "NOT_PERMITTED"
    assert not looked


@pytest.mark.parametrize(
    ("method", "name"),
    [
        ("ListDataStores", f"{LOCATION}/dataStores"),
        ("GenerateContent", f"{LOCATION}/publishers/google/models/any"),
        ("GenerateContent", "publishers/google/models/any"),
        ("GetEngine", f"{LOCATION}/collections/default_collection/engines/e"),
    ],
)
async def test_a_boundary_leaves_what_lies_in_no_store(method: str, name: str) -> None:
    """But a location of another project, or an engine that it does not name, is not there."""
    admits, _ = deciding()
    unbound = Principal(kind=PrincipalKind.SERVER, id="key:5", data_stores=(STORE,))
    if "/engines/" not in name:
        await admits.admit(SERVER, method, name)
        await admits.admit(unbound, method, name)
    for principal in (SERVER, unbound):
        if name.startswith("projects/"):
            with pytest.raises(NotFound):
                await admits.admit(principal, method, name.replace("/p/", "/q/"))


@pytest.mark.parametrize(
    ("method", "message", "told"),
    [
        ("AnswerQuery", AnswerQueryRequest(session=f"{STORE}b/sessions/1"), f"{STORE}b"),
        ("Search", SearchRequest(branch="projects/p/locations/l/dataStores/b/branches/0"), "/b"),
        ("AnswerQuery", AnswerQueryRequest(session="projects/q"), "projects/q"),
        ("UpdateEngine", Engine(data_store_ids=("b",)), "dataStores/b"),
    ],
)
async def test_names_in_a_body_are_held_to_the_boundary(
    method: str, message: AnswerQueryRequest, told: str
) -> None:
    """In whatever form they are written, and where they are ids."""
    admits, _ = deciding()
    name = f"{LOCATION}/collections/default_collection/engines/e"
    with pytest.raises(NotFound, match=f"{told}'$"):
        await admits.admit_message(SERVER, method, message, name)


def test_only_the_name_that_was_admitted_is_not_held_to_the_boundary_again() -> None:
    """One that begins like it is another one."""
    session = f"{STORE}/sessions/1"
    read = ReadSessionRequest(name=session)
    assert authorisation.checked(SERVER, "GetSession", read, session) is read
    for other in (f"{STORE}b/sessions/1", f"{LOCATION}/ragCorpora/1"):
        with pytest.raises(NotFound):
            authorisation.checked(SERVER, "GetSession", ReadSessionRequest(name=other), session)


async def test_a_session_in_a_body_has_to_be_ones_own() -> None:
    admits, _ = deciding({f"{STORE}/sessions/1": "anna", f"{STORE}/sessions/2": "bert"})
    mine = AnswerQueryRequest(session=f"{STORE}/sessions/1")
    assert await admits.admit_message(ANNA, "answer", mine, CONFIG)
    others = AnswerQueryRequest(session=f"{LOCATION}/dataStores/a/sessions/2")
    with pytest.raises(NotFound, match="there is no session"):
        await admits.admit_message(ANNA, "answer", others, CONFIG)


@pytest.mark.parametrize(
    ("method", "message", "field"),
    [
        ("AnswerQuery", AnswerQueryRequest(user_pseudo_id="bert"), "userPseudoId"),
        ("Search", SearchRequest(user_info=UserInfo(user_id="bert")), "userInfo.userId"),
        ("UpdateSession", Session(user_pseudo_id="bert"), "userPseudoId"),
        ("CreateSession", CreateSessionRequest(session_id="mine"), "sessionId"),
        ("CreateSession", Session(name=f"{STORE}/sessions/mine"), "name"),
    ],
)
async def test_people_speak_for_themselves_alone(
    method: str, message: AnswerQueryRequest, field: str
) -> None:
    """They choose no ids: one that is taken would tell of somebody else's."""
    with pytest.raises(PermissionDenied, match=f"^{field}: "):
        authorisation.checked(ANNA, method, message, STORE)
    assert authorisation.checked(SERVER, method, message, STORE) is message


def test_what_says_no_user_is_of_who_sends_it() -> None:
    converse = authorisation.checked(ANNA, "converse", ConverseConversationRequest(), STORE)
    assert converse.conversation
    assert converse.conversation.user_pseudo_id == "anna"
    created = authorisation.checked(INTEGRATION, "CreateSession", Session(), STORE)
    assert created.user_pseudo_id == "key:2"


def test_an_integration_tells_of_the_events_of_all_users() -> None:
    event = UserEvent(user_pseudo_id="bert")
    assert authorisation.checked(INTEGRATION, "WriteUserEvent", event, STORE) == event
    with pytest.raises(PermissionDenied):
        authorisation.checked(ANNA, "WriteUserEvent", event, STORE)


def test_a_reader_searches_without_a_session() -> None:
    assert authorisation.checked(READER, "Search", SearchRequest(), CONFIG)
    with pytest.raises(PermissionDenied, match=r"^session: "):
        authorisation.checked(READER, "Search", SearchRequest(session="-"), CONFIG)


@pytest.mark.parametrize(
    ("principal", "started_by", "seen"),
    [
        (INTEGRATION, "key:2", True),
        (INTEGRATION, "key:1", False),
        (SERVER, "key:2", True),
        (READER, "key:2", True),
        (ANNA, "key:2", False),
    ],
)
def test_an_operation_is_for_who_began_it_and_who_runs_the_project(
    principal: Principal, started_by: str, seen: bool
) -> None:
    name = f"{STORE}/branches/0/operations/1"
    assert authorisation.sees_operation(principal, name, started_by) is seen
    outside = f"{LOCATION}/operations/1"
    if seen and started_by != principal.id:
        bound = not principal.data_stores
        assert authorisation.sees_operation(principal, outside, started_by) is bound
