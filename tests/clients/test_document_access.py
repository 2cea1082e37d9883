"""People see their documents alone, through the official clients and whatever they try."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from google.api_core import exceptions

from service.security.api_keys.api_key import Scope
from service.settings import Settings
from tests import redis_servers
from tests.clients import conftest, discovery
from tests.clients.discovery import Api
from tests.clients.keyed import PROJECT, Keyed

PORTAL = """
[[data_stores]]
name = "intranet"
document_filter = 'visible_to: ANY(claims.groups, "everybody")'
"""
PUBLIC = "# Parking\n\nA parking permit costs 30 euro a year. Ask at the desk."
HIDDEN = "# What is project Kestrel?\n\nProject Kestrel merges the town with Bluebird in May."
READERS = {"readers": [{"principals": [{"group_id": "board"}, {"user_id": "dora"}]}]}

EVERYBODY = {"readers": [{"idp_wide": True}]}


class Portal(NamedTuple):
    """A service whose stores ``intranet`` and ``board`` hide a document from most people."""

    keyed: Keyed
    intranet: str
    board: str

    def as_person(self, subject: str, store: str, *groups: str) -> Api:
        """Return the clients of a person, whose token the back end had minted."""
        url = self.keyed.service.url
        body = {"subject": subject, "claims": {"groups": list(groups)} if groups else {}}
        key = {"x-goog-api-key": self.keyed.admin}
        minted = discovery.call(f"{url}/v1/{store}:mintToken", "POST", body, **key)
        access = discovery.keyed(url, minted.body["token"], bearer=True)
        return Api("v1", url, PROJECT, access)

    def as_back_end(self) -> Api:
        """Return the clients of the portal itself."""
        url = self.keyed.service.url
        return Api("v1", url, PROJECT, discovery.keyed(url, self.keyed.admin))


@pytest.fixture(scope="module")
def portal(redis_binary: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Portal]:
    """Serve on a Redis of its own: all services of one Redis have the same keys."""
    folder = tmp_path_factory.mktemp("portal")
    file = folder / "portal.toml"
    file.write_text(PORTAL)
    with (
        redis_servers.folder() as of_redis,
        redis_servers.standalone(redis_binary, of_redis) as server,
        conftest.running_service(
            Settings(
                port=0, data_dir=folder / "data", redis_url=server.url, sample=False, portal=file
            )
        ) as service,
    ):
        keyed = Keyed(service, folder, "", "", "", "")
        _, admin = keyed.make(Scope.ADMIN)
        keyed = keyed._replace(admin=admin)
        api = Api("v1", service.url, PROJECT, discovery.keyed(service.url, admin))
        intranet = api.data_store("intranet")
        api.import_(
            intranet,
            api.document("parking", PUBLIC, visible_to=["everybody"], team="town"),
            api.document("kestrel", HIDDEN, visible_to=["board"], team="mergers"),
        )
        board = api.data_store("board", acl_enabled=True)
        api.import_(
            board,
            with_readers(api.document("parking", PUBLIC), EVERYBODY),
            with_readers(api.document("kestrel", HIDDEN), READERS),
            api.document("nobody", HIDDEN.replace("Kestrel", "Merlin")),
        )
        yield Portal(keyed, intranet, board)


def with_readers(document: Any, acl_info: Any) -> Any:
    document.acl_info = acl_info
    return document


def config(store: str) -> str:
    return f"{store}/servingConfigs/default_config"


def search(api: Api, store: str, query: str, **fields: Any) -> Any:
    return api.client("SearchService").search(
        {"serving_config": config(store), "query": query, **fields}
    )


def ids(found: Any) -> set[str]:
    return {result.document.id for result in found}


def answer(api: Api, store: str, text: str, **fields: Any) -> Any:
    asked = {"serving_config": config(store), "query": {"text": text}, **fields}
    return api.client("ConversationalSearchService").answer_query(asked).answer


ALL = {"parking", "kestrel"}


@pytest.mark.parametrize(
    ("subject", "groups", "intranet", "board"),
    [
        ("ann", (), {"parking"}, {"parking"}),
        ("bob", ("staff",), {"parking"}, {"parking"}),
        ("carl", ("board", "staff"), ALL, ALL),
        ("dora", (), {"parking"}, ALL),
        ("eve", ('x") OR (visible_to: ANY("board',), {"parking"}, {"parking"}),
    ],
)
def test_each_person_finds_what_is_for_them(
    portal: Portal, subject: str, groups: tuple[str, ...], intranet: set[str], board: set[str]
) -> None:
    for store, expected in ((portal.intranet, intranet), (portal.board, board)):
        api = portal.as_person(subject, store, *groups)
        found = search(api, store, "")
        assert ids(found) == expected
        assert found.total_size == len(expected)
        said = answer(api, store, "What is project Kestrel?").answer_text
        assert ("Bluebird" in said) is ("kestrel" in expected)


def test_the_portal_itself_finds_everything(portal: Portal) -> None:
    api = portal.as_back_end()
    assert ids(search(api, portal.intranet, "")) == ALL
    assert ids(search(api, portal.board, "")) == {*ALL, "nobody"}


@pytest.mark.parametrize(
    "fields",
    [
        {"filter": 'visible_to: ANY("board") OR NOT visible_to: ANY("board")'},
        {"filter": 'NOT id: ANY("none")'},
        {"boost_spec": {"condition_boost_specs": [{"condition": "n < 1", "boost": 1.0}]}},
        {"order_by": "team desc"},
        {"query": "Kestrel"},
        {"query": "", "page_size": 1},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_nothing_that_a_person_sends_finds_more(portal: Portal, fields: dict[str, Any]) -> None:
    api = portal.as_person("ann", portal.intranet)
    asked = {"query": "parking", **fields}
    facets = [{"facet_key": {"key": key}} for key in ("team", "visible_to")]
    found = search(api, portal.intranet, facet_specs=facets, **asked)
    told = [value.value for facet in found.facets for value in facet.values]
    assert set(told) <= {"town", "everybody"}
    assert ids(found) <= {"parking"}
    assert found.total_size <= 1


def test_a_hidden_document_is_absent(portal: Portal) -> None:
    documents = f"{portal.intranet}/branches/0/documents"
    ann = portal.as_person("ann", portal.intranet).client("DocumentService")
    assert ann.get_document(name=f"{documents}/parking").id == "parking"
    told: list[str] = []
    for each in ("kestrel", "nothing"):
        with pytest.raises(exceptions.NotFound) as refused:
            ann.get_document(name=f"{documents}/{each}")
        told.append(str(refused.value).replace(each, "…"))
    assert told[0] == told[1]
    carl = portal.as_person("carl", portal.intranet, "board").client("DocumentService")
    assert carl.get_document(name=f"{documents}/kestrel").id == "kestrel"


def test_a_refusal_tells_nothing_of_what_is_hidden(portal: Portal) -> None:
    """Of a word that only hidden documents have as of one that no document has."""
    api = portal.as_person("ann", portal.intranet)
    related = {"related_questions_spec": {"enable": True}}
    replies = {
        word: answer(api, portal.intranet, f"What is project {word}?", **related)
        for word in ("Kestrel", "Zwolle")
    }
    one, other = (
        (reply.answer_text.replace(word, "…"), reply.related_questions, reply.references)
        for word, reply in replies.items()
    )
    assert one == other


def test_completion_suggests_what_can_be_seen(portal: Portal) -> None:
    def completed(api: Api, typed: str) -> list[str]:
        asked = {"data_store": portal.intranet, "query": typed}
        found = api.client("CompletionService").complete_query(asked).query_suggestions
        return [each.suggestion for each in found]

    ann = portal.as_person("ann", portal.intranet)
    carl = portal.as_person("carl", portal.intranet, "board")
    assert completed(ann, "park") == ["Parking"]
    assert completed(ann, "what is proj") == completed(ann, "kestrle") == []
    assert completed(carl, "what is proj") == ["What is project Kestrel?"]


def test_what_the_portal_searched_shows_a_person_no_more(portal: Portal) -> None:
    """The portal records a search in the session of a person, whose answer comes back to it."""
    ann, back_end = portal.as_person("ann", portal.intranet), portal.as_back_end()
    sessions = back_end.client("ConversationalSearchService")
    session = sessions.create_session(parent=portal.intranet, session={"user_pseudo_id": "ann"})
    found = search(back_end, portal.intranet, "project Kestrel", session=session.name)
    query = {"text": "What is project Kestrel?", "query_id": found.session_info.query_id}
    said = answer(ann, portal.intranet, "", query=query, session=session.name)
    assert "Bluebird" not in str(said)
    assert (
        "Bluebird"
        in answer(back_end, portal.intranet, "", query=query, session=session.name).answer_text
    )


def test_a_page_token_of_who_sees_more_is_refused(portal: Portal) -> None:
    back_end = portal.as_back_end()
    first = next(search(back_end, portal.intranet, "", page_size=1).pages)
    token = first.next_page_token
    again = search(back_end, portal.intranet, "", page_size=1, page_token=token)
    assert len(ids(again)) == 1
    ann = portal.as_person("ann", portal.intranet)
    with pytest.raises(exceptions.BadRequest):
        search(ann, portal.intranet, "", page_size=1, page_token=token)


def test_follow_ups_in_a_session_see_no_more(portal: Portal) -> None:
    """Also where the portal answered in it from everything."""
    ann, back_end = portal.as_person("ann", portal.intranet), portal.as_back_end()
    sessions = back_end.client("ConversationalSearchService")
    session = sessions.create_session(
        parent=portal.intranet, session={"user_pseudo_id": "ann"}
    ).name
    told = answer(back_end, portal.intranet, "What is project Kestrel?", session=session)
    assert "Bluebird" in told.answer_text
    asked = answer(ann, portal.intranet, "And when does it merge?", session=session)
    assert "May" not in asked.answer_text
    assert not any("kestrel" in str(reference) for reference in asked.references)
