"""What the portal is by default, and which policy holds for a resource."""

from __future__ import annotations

from service.portal.data_store_policy import DataStorePolicy
from service.portal.portal import Contact, Portal


def test_a_contact_may_be_nothing() -> None:
    assert Portal().contact == Contact()


def test_a_data_store_has_the_policy_of_its_full_name_else_of_its_id() -> None:
    location = "projects/p/locations/global"
    store = f"{location}/collections/default_collection/dataStores"
    short, by_id = f"{location}/dataStores/a", DataStorePolicy(name="a")
    by_name = DataStorePolicy(name=short, origins=("https://a.example",))
    engine = DataStorePolicy(name=f"{location}/collections/default_collection/engines/b")
    corpus = DataStorePolicy(name=f"{location}/ragCorpora/1")
    found = Portal(data_stores=(by_id, by_name, engine, corpus))
    assert found.policy(f"{store}/a/sessions/1") is by_name
    assert found.policy(f"{store}/a".replace("/p/", "/q/")) is by_id
    assert found.policy(f"{engine.name}/servingConfigs/default_config") is engine
    assert found.policy(f"{corpus.name}/ragFiles/1") is corpus
    assert found.policy(f"{store}/ab") is None
    assert found.policy(f"{location}/collections/default_collection/engines/a") is None
    assert found.policy(location) is None


def test_days_are_those_of_the_policy_where_it_has_any() -> None:
    name = "projects/p/locations/global/collections/default_collection/dataStores/"
    kept = DataStorePolicy(name="a", session_days=0, event_days=7)
    found = Portal(data_stores=(kept, DataStorePolicy(name="b")))
    assert [found.session_days(name + each, 30) for each in "abc"] == [0, 30, 30]
    assert [found.event_days(name + each) for each in "abc"] == [7, None, None]
