"""A policy is for a data store, an engine or a corpus that there can be."""

from __future__ import annotations

import pytest

from service.portal.data_store_policy import STORE, DataStorePolicy

LOCATION = "projects/p/locations/global"
STORES = f"{LOCATION}/collections/default_collection"


@pytest.mark.parametrize(
    "name",
    [
        "library",
        f"{LOCATION}/dataStores/a",
        f"{STORES}/dataStores/a",
        f"{STORES}/engines/a",
        f"{LOCATION}/ragCorpora/1",
    ],
)
def test_a_name_may_be_whole_or_an_id(name: str) -> None:
    assert DataStorePolicy(name=name).name == name


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"name": "projects/p"}, "'projects/p' names no data store"),
        ({"name": f"{STORES}/dataStores/a/sessions/1"}, "names no data store"),
        ({"name": "a#b"}, "'a#b' can be no id of a data store"),
        ({"name": "a", "origins": ("*",)}, "'\\*' is no origin as browsers send it"),
        ({"name": "a", "languages": ("english",)}, "'english' is no language"),
        ({"name": "a", "starter_questions": ({"english": "Why?"},)}, "'english' is no language"),
    ],
)
def test_what_cannot_be_meant_is_refused(fields: dict[str, object], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        DataStorePolicy(**fields)  # pyright: ignore[reportArgumentType]


def test_what_lies_in_a_data_store_begins_with_its_name() -> None:
    found = STORE.match(f"{STORES}/dataStores/a/sessions/1")
    assert found is not None
    assert found[0] == f"{STORES}/dataStores/a"
    assert STORE.match(LOCATION) is None
