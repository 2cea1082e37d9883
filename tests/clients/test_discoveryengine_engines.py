"""The official engine clients of every version, against the running service."""

from __future__ import annotations

import pytest
from google.api_core import exceptions

from tests.clients.discovery import Api
from tests.waiting import LONG


def test_a_created_engine_comes_back_from_the_operation(api: Api) -> None:
    api.data_store("a")
    api.data_store("b")
    client = api.client("EngineService")
    operation = client.create_engine(
        parent=api.collection,
        engine=api.types.Engine(
            display_name="Both",
            solution_type=api.types.SolutionType.SOLUTION_TYPE_SEARCH,
            data_store_ids=["a", "b"],
            search_engine_config={
                "search_tier": api.types.SearchTier.SEARCH_TIER_ENTERPRISE,
                "search_add_ons": [api.types.SearchAddOn.SEARCH_ADD_ON_LLM],
            },
            common_config={"company_name": "Town"},
        ),
        engine_id="both",
    )
    assert operation.operation.name.startswith(f"{api.collection}/operations/create-engine-")
    made = operation.result(timeout=LONG)
    assert made.name == f"{api.collection}/engines/both"
    assert list(made.data_store_ids) == ["a", "b"]
    assert made.search_engine_config.search_tier.name == "SEARCH_TIER_ENTERPRISE"
    assert made == client.get_engine(name=made.name)


def test_an_engine_is_listed_changed_and_deleted(api: Api) -> None:
    api.data_store()
    client = api.client("EngineService")
    name = api.engine(["portal"])
    pager = client.list_engines(
        {"parent": api.collection, "filter": "solution_type=SOLUTION_TYPE_SEARCH"}
    )
    assert [engine.name for engine in pager] == [name]
    changed = client.update_engine(
        engine=api.types.Engine(name=name, display_name="Renamed"),
        update_mask={"paths": ["display_name"]},
    )
    assert changed.display_name == "Renamed"
    assert list(changed.data_store_ids) == ["portal"]
    assert changed.update_time > changed.create_time
    operation = client.delete_engine(name=name)
    assert operation.operation.name.startswith(f"{api.collection}/operations/delete-engine-")
    operation.result(timeout=LONG)
    with pytest.raises(exceptions.NotFound):
        client.get_engine(name=name)
    store = f"{api.collection}/dataStores/portal"
    assert api.client("DataStoreService").get_data_store(name=store).name == store


def test_an_engine_needs_data_stores_that_exist(v1: Api) -> None:
    with pytest.raises(exceptions.NotFound):
        v1.engine(["absent"])
    with pytest.raises(exceptions.BadRequest):
        v1.engine([])
    assert not list(v1.client("EngineService").list_engines(parent=v1.collection))


def test_an_engine_searches_all_its_data_stores(api: Api) -> None:
    for store, text in (("a", "The harbour opens at six."), ("b", "The harbour closes at nine.")):
        api.import_(api.data_store(store), api.document(f"in-{store}", text))
    config = f"{api.engine(['a', 'b'])}/servingConfigs/default_config"
    search = api.client("SearchService").search
    found = search({"serving_config": config, "query": "harbour"})
    assert {result.id for result in found} == {"in-a", "in-b"}
    spec = {"data_store": f"{api.collection}/dataStores/b"}
    only = search({"serving_config": config, "query": "harbour", "data_store_specs": [spec]})
    assert [result.id for result in only] == ["in-b"]


def test_sessions_of_an_engine_are_not_those_of_its_data_store(api: Api) -> None:
    store = api.data_store()
    engine = api.engine(["portal"])
    client = api.client("ConversationalSearchService")
    made = client.create_session(parent=engine, session=api.types.Session()).name
    assert [session.name for session in client.list_sessions(parent=engine)] == [made]
    assert not list(client.list_sessions(parent=store))
