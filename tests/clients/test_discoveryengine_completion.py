"""The official clients of completion: what documents say, people asked, operators want."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from google.api_core import exceptions

from service.settings import Settings
from tests.clients import discovery
from tests.clients.conftest import running_service
from tests.clients.discovery import Api, Service
from tests.redis_servers import Server
from tests.waiting import LONG

USERS = 3
"""How many people must have asked what is suggested here."""
PERMIT = """# Parking permits

A parking permit costs 40 € a year. Residents apply online.

## How do I renew a parking permit?

Renew the parking permit online before it ends."""
CROSSING = "# Übergänge\n\nDie Brücke ist offen."
CHINESE = "# 停车许可证\n\n停车许可证每年40欧元。"


@pytest.fixture(scope="module")
def learning(module_redis: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Serve where few people make a suggestion."""
    settings = Settings(
        port=0,
        data_dir=tmp_path_factory.mktemp("learning"),
        redis_url=module_redis.service_url,
        sample=False,
        suggestion_users=USERS,
    )
    with running_service(settings) as running:
        yield running


@pytest.fixture
def town(learning: Service, request: pytest.FixtureRequest) -> Api:
    """A project with documents, in the version that has everything."""
    return discovery.api("v1beta", learning.url, f"p-{abs(hash(request.node.name)) % 10**8}")


@pytest.fixture
def store(town: Api) -> str:
    name = town.data_store()
    documents = {"permit": PERMIT, "crossing": CROSSING, "chinese": CHINESE}
    town.import_(name, *(town.document(key, text) for key, text in documents.items()))
    return name


def complete(api: Api, store: str, query: str, **request: Any) -> list[str]:
    given = {"data_store": store, "query": query, **request}
    reply = api.client("CompletionService").complete_query(given)
    return [one.suggestion for one in reply.query_suggestions]


def advanced(api: Api, parent: str, query: str, *types: str, **request: Any) -> Any:
    config = f"{parent}/completionConfig"
    given = {"completion_config": config, "query": query, "suggestion_types": types, **request}
    return api.client("CompletionService").advanced_complete_query(given)


def search(api: Api, store: str, query: str, user: str = "", parent: str = "") -> None:
    api.client("SearchService").search(
        {
            "serving_config": f"{parent or store}/servingConfigs/default_config",
            "query": query,
            "user_pseudo_id": user,
        }
    )


def answer(api: Api, store: str, query: str, user: str) -> Any:
    return api.client("ConversationalSearchService").answer_query(
        {
            "serving_config": f"{store}/servingConfigs/default_config",
            "query": {"text": query},
            "session": f"{store}/sessions/-",
            "user_pseudo_id": user,
        }
    )


def searched(api: Api, store: str, query: str, *users: str) -> None:
    for user in users:
        info = {"search_query": query}
        event = {"event_type": "search", "user_pseudo_id": user, "search_info": info}
        api.client("UserEventService").write_user_event({"parent": store, "user_event": event})


def eventually(said: Callable[[], Any], wanted: Any) -> None:
    """Hold that what is *said* becomes what is *wanted*: queries are written every second."""
    end = time.monotonic() + 10
    while (found := said()) != wanted and time.monotonic() < end:
        time.sleep(0.1)
    assert found == wanted


def test_documents_complete_with_slips_in_each_language(town: Api, store: str) -> None:
    question = "How do I renew a parking permit?"
    assert complete(town, store, "parking") == ["Parking permits", question]
    assert complete(town, store, "praking perm") == ["Parking permits", question]
    assert complete(town, store, "renw a") == [question]
    assert complete(town, store, "ubergange") == ["Übergänge"]
    assert complete(town, store, "Übregä") == ["Übergänge"]
    assert complete(town, store, "停车") == complete(town, store, "许可") == ["停车许可证"]
    assert complete(town, store, "xyzzy") == []
    assert complete(town, store, "parking", query_model="document-completable") == [
        "Parking permits"
    ]
    reply = advanced(town, store, "parking", query_model="document-completable")
    assert list(reply.query_suggestions[0].completable_field_paths) == ["title"]


def test_what_several_people_searched_is_suggested(town: Api, store: str) -> None:
    """Nobody is shown what fewer asked, however often, nor what looks like personal data."""
    for _ in range(2 * USERS):
        search(town, store, "parking permit for my ex Alice Miller", "bob")
        search(town, store, "parking permit nobody signed for")
    for user in ("ann", "bob", "cid"):
        search(town, store, "  Parking permit PRICE? ", user)
        search(town, store, "parking permit ann@example.org", user)
        search(town, store, "parking permit 555-123 456", user)
    for user in ("ann", "bob"):
        answer(town, store, "What does a parking permit cost?", user)
    found = ["parking permit price"]
    eventually(lambda: complete(town, store, "parking p", query_model="search-history"), found)
    answer(town, store, "What does a parking permit cost?", "dan")
    asked = ["what does a parking permit cost"]
    eventually(lambda: complete(town, store, "what", query_model="search-history"), asked)
    assert complete(town, store, "parking permit p") == ["parking permit price"]
    assert complete(town, store, "parking p", query_model="user-event") == []
    assert complete(town, store, "parking p", query_model="document") == [
        "Parking permits",
        "How do I renew a parking permit?",
    ]


def test_what_several_events_say_is_suggested_until_they_are_purged(town: Api, store: str) -> None:
    searched(town, store, "zebra crossing", "ann", "bob", "bob")
    assert complete(town, store, "zeb", query_model="user-event") == []
    searched(town, store, "Zebra Crossing!", "cid")
    searched(town, store, "zebra stripes", "ann", "bob", "cid", "dan")
    found = ["zebra stripes", "zebra crossing"]
    eventually(lambda: complete(town, store, "zeb", query_model="user-event"), found)
    assert complete(town, store, "zeb", query_model="search-history") == []
    events = town.client("UserEventService")
    purge = {"parent": store, "filter": 'userPseudoId = "cid"', "force": True}
    events.purge_user_events(purge).result(timeout=LONG)
    eventually(lambda: complete(town, store, "zeb"), ["zebra stripes"])


def test_recent_searches_are_the_asker_s_own(town: Api, store: str) -> None:
    engine = town.engine([store.rpartition("/")[2]])
    for query in ("parking permit", "parking permit price"):
        search(town, store, query, "ann", engine)
    search(town, store, "parking permit renewal", "bob")

    def recent(user: str, query: str = "") -> list[str]:
        reply = advanced(town, engine, query, "RECENT_SEARCH", user_pseudo_id=user)
        return [one.suggestion for one in reply.recent_search_suggestions]

    eventually(lambda: recent("ann"), ["parking permit price", "parking permit"])
    eventually(lambda: recent("bob", "park"), ["parking permit renewal"])
    assert recent("ann", "ren") == recent("eve") == recent("") == []
    reply = advanced(town, engine, "park", "RECENT_SEARCH", user_pseudo_id="ann")
    one = reply.recent_search_suggestions[0]
    assert one.score == 1.0
    assert abs(one.recent_search_time.timestamp() - time.time()) < 60
    assert not reply.query_suggestions
    remove = town.client("CompletionService").remove_suggestion
    who = {"completion_config": f"{engine}/completionConfig", "user_pseudo_id": "ann"}
    remove({**who, "search_history_suggestion": "parking permit"})
    assert recent("ann") == ["parking permit price"]
    remove({**who, "remove_all_search_history_suggestions": True})
    assert recent("ann") == []
    assert recent("bob") == ["parking permit renewal"]
    for wrong in ({"user_pseudo_id": ""}, {}):
        with pytest.raises(exceptions.BadRequest):
            remove({**who, **wrong, **({"search_history_suggestion": "a"} if wrong else {})})


def test_documents_are_suggested_as_contents(town: Api, store: str) -> None:
    reply = advanced(town, store, "park", "CONTENT", "PEOPLE")
    (one,) = reply.content_suggestions
    assert (one.suggestion, one.data_store, one.score) == ("Parking permits", store, 1.0)
    assert one.document.name == f"{store}/branches/0/documents/permit"
    assert one.content_type.name == "THIRD_PARTY"
    assert not reply.query_suggestions
    assert not reply.people_suggestions


def test_operators_suggest_and_deny(town: Api, store: str) -> None:
    completion = town.client("CompletionService")
    suggestions = [
        {"suggestion": "parking in winter", "global_score": 1.0, "group_id": "w"},
        {"suggestion": "parking in the cold", "frequency": 3, "group_id": "w"},
        {"suggestion": "Parken", "frequency": 7, "language_code": "de", "group_id": "p"},
        {"suggestion": "snow", "alternative_phrases": ["parking on ice"]},
        {"suggestion": " "},
    ]
    given = {"parent": store, "inline_source": {"suggestions": suggestions}}
    operation = completion.import_completion_suggestions(given)
    samples = operation.result(timeout=LONG).error_samples
    assert [sample.message.partition(":")[0] for sample in samples] == [
        "inlineSource.suggestions[4].suggestion"
    ]
    assert (operation.metadata.success_count, operation.metadata.failure_count) == (4, 1)
    found = ["parking in winter", "snow", "Parking permits", "How do I renew a parking permit?"]
    eventually(lambda: complete(town, store, "parking"), found)
    german = {"condition": 'lang_code: ANY("de")', "boost": 1.0}
    reply = advanced(town, store, "par", boost_spec={"condition_boost_specs": [german]})
    assert reply.query_suggestions[0].suggestion == "Parken"

    entries = [
        {"block_phrase": "WINTER", "match_operator": "CONTAINS"},
        {"block_phrase": "parking permit", "match_operator": "EXACT_MATCH"},
        {"block_phrase": "x" * 126, "match_operator": "EXACT_MATCH"},
        {"block_phrase": "snow"},
    ]
    denied = completion.import_suggestion_deny_list_entries(
        {"parent": store, "inline_source": {"entries": entries}}
    ).result(timeout=LONG)
    assert (denied.imported_entries_count, denied.failed_entries_count) == (2, 2)
    assert "matchOperator" in denied.error_samples[1].message
    left = ["parking in the cold", "snow", "Parking permits", "How do I renew a parking permit?"]
    eventually(lambda: sorted(complete(town, store, "parking")), sorted(left))

    purged = completion.purge_suggestion_deny_list_entries({"parent": store}).result(timeout=LONG)
    assert purged.purge_count == 2
    assert completion.purge_completion_suggestions({"parent": store}).result(10).purge_succeeded
    eventually(lambda: complete(town, store, "parking"), found[2:])


def test_an_engine_may_keep_its_queries_from_being_learnt(town: Api, store: str) -> None:
    engine = town.engine([store.rpartition("/")[2]])
    town.client("EngineService").update_engine(
        {
            "engine": {"name": engine, "disable_analytics": True},
            "update_mask": {"paths": ["disable_analytics"]},
        }
    )
    for user in ("ann", "bob", "cid"):
        search(town, store, "parking permit discretion", user, engine)
        search(town, store, "parking permit candour", user)
    eventually(
        lambda: complete(town, store, "parking permit", query_model="search-history"),
        ["parking permit candour"],
    )


@pytest.mark.parametrize(
    ("field", "request_"),
    [
        ("query", {"query": ""}),
        ("queryModel", {"query_model": "other"}),
        ("boostSpec.conditionBoostSpecs[0].boost", {"boost_spec": {"boost": 2.0}}),
        ("boostSpec.conditionBoostSpecs[0].condition", {"boost_spec": {"condition": "((("}}),
        (
            "suggestionTypeSpecs[0].maxSuggestions",
            {"suggestion_type_specs": [{"max_suggestions": -1}]},
        ),
    ],
)
def test_what_cannot_be_completed_is_refused(
    town: Api, store: str, field: str, request_: dict[str, Any]
) -> None:
    if boost := request_.get("boost_spec"):
        request_ = {"boost_spec": {"condition_boost_specs": [boost]}}
    given = {"query": "park", **request_}
    with pytest.raises(exceptions.BadRequest) as refusal:
        advanced(town, store, **given)
    assert field in str(refusal.value)
