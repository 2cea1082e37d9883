"""The official data store clients of every version, against the running service."""

from __future__ import annotations

import pytest
from google.api_core import exceptions

from tests.clients.discovery import Api, reason
from tests.waiting import LONG


def test_a_created_data_store_comes_back_from_the_operation(api: Api) -> None:
    client = api.client("DataStoreService")
    operation = client.create_data_store(
        parent=api.collection,
        data_store=api.types.DataStore(
            display_name="Portal",
            industry_vertical=api.types.IndustryVertical.GENERIC,
            solution_types=[api.types.SolutionType.SOLUTION_TYPE_SEARCH],
            content_config=api.types.DataStore.ContentConfig.CONTENT_REQUIRED,
        ),
        data_store_id="portal",
    )
    assert operation.done()
    assert operation.operation.name.startswith(f"{api.collection}/operations/create-data-store-")
    made = operation.result(timeout=LONG)
    assert made.name == f"{api.collection}/dataStores/portal"
    assert made.default_schema_id == "default_schema"
    assert operation.metadata.create_time >= made.create_time
    assert made == client.get_data_store(name=made.name)


def test_the_short_form_is_the_same_data_store(api: Api) -> None:
    name = api.data_store()
    short = client_path(api)
    assert api.client("DataStoreService").get_data_store(name=short).name == name
    made = api.client("DataStoreService").create_data_store(
        parent=api.location,
        data_store=api.types.DataStore(display_name="Other"),
        data_store_id="other",
    )
    assert made.result(timeout=LONG).name == f"{api.collection}/dataStores/other"
    listed = api.client("DataStoreService").list_data_stores(parent=api.location)
    assert [store.name for store in listed] == [f"{api.collection}/dataStores/other", name]


def client_path(api: Api) -> str:
    return (
        api.client("DocumentService")
        .branch_path(api.project, "global", "portal", "default_branch")
        .partition("/branches/")[0]
    )


def test_pages_of_data_stores_join_without_gaps(v1: Api) -> None:
    names = {v1.data_store(f"store-{number:02}") for number in range(12)}
    pager = v1.client("DataStoreService").list_data_stores(
        request={"parent": v1.collection, "page_size": 5}
    )
    pages = [list(page.data_stores) for page in pager.pages]
    assert [len(page) for page in pages] == [5, 5, 2]
    assert {store.name for page in pages for store in page} == names


def test_a_list_can_be_filtered_by_solution_type(v1: Api) -> None:
    search = v1.types.SolutionType.SOLUTION_TYPE_SEARCH
    found = v1.data_store("a", solution_types=[search])
    v1.data_store("b")
    pager = v1.client("DataStoreService").list_data_stores(
        request={"parent": v1.collection, "filter": "solution_type:SOLUTION_TYPE_SEARCH"}
    )
    assert [store.name for store in pager] == [found]


def test_a_mask_says_which_fields_change(api: Api) -> None:
    name = api.data_store()
    client = api.client("DataStoreService")
    updated = client.update_data_store(
        data_store=api.types.DataStore(name=name, display_name="Renamed", acl_enabled=True),
        update_mask={"paths": ["display_name"]},
    )
    assert updated.display_name == "Renamed"
    assert not updated.acl_enabled
    assert client.get_data_store(name=name).display_name == "Renamed"


def test_a_deleted_data_store_is_gone_with_what_it_held(api: Api) -> None:
    name = api.data_store()
    api.import_(name, api.document("a", "# Fees\n\nThe fee is 12 euro."))
    sessions = api.client("ConversationalSearchService")
    session = sessions.create_session(parent=name, session=api.types.Session()).name
    client = api.client("DataStoreService")
    operation = client.delete_data_store(name=name)
    assert operation.operation.name.startswith(f"{api.collection}/operations/delete-data-store-")
    operation.result(timeout=LONG)
    for gone in (
        lambda: client.get_data_store(name=name),
        lambda: sessions.get_session(name=session),
        lambda: api.client("DocumentService").list_documents(parent=f"{name}/branches/0"),
    ):
        with pytest.raises(exceptions.NotFound):
            gone()
    api.data_store()
    assert not list(api.client("DocumentService").list_documents(parent=f"{name}/branches/0"))


def test_an_id_in_use_is_a_conflict_and_no_operation(api: Api) -> None:
    api.data_store()
    with pytest.raises(exceptions.Conflict) as raised:
        api.data_store()
    assert reason(raised.value) == "RESOURCE_ALREADY_EXISTS"


def test_what_an_engine_uses_is_not_deleted(v1: Api) -> None:
    name = v1.data_store()
    v1.engine(["portal"])
    with pytest.raises(exceptions.BadRequest) as raised:
        v1.client("DataStoreService").delete_data_store(name=name)
    assert reason(raised.value) == "DATA_STORE_IN_USE"
    assert v1.client("DataStoreService").get_data_store(name=name).name == name


def test_every_known_field_comes_back_and_polls_strictly(api: Api) -> None:
    """What only other versions know is stored, but left out of this version's operation."""
    reply = api.call(
        f"{api.collection}/dataStores?dataStoreId=full",
        "POST",
        {
            "displayName": "Full",
            "solutionTypes": ["SOLUTION_TYPE_SEARCH", "SOLUTION_TYPE_AI_MODE"],
            "kmsKeyName": "k",
            "isInfobotFaqDataStore": True,
            "languageInfo": {"languageCode": "en"},
            "idpConfig": {"idpType": "GSUITE"},
            "documentProcessingConfig": {
                "chunkingConfig": {"layoutBasedChunkingConfig": {"chunkSize": 200}},
                "defaultParsingConfig": {
                    "layoutParsingConfig": {
                        "enableTableAnnotation": True,
                        "enableLlmLayoutParsing": True,
                    }
                },
            },
        },
    )
    assert reply.status == 200, reply.body
    polled = api.client("DataStoreService").get_operation({"name": reply.body["name"]})
    assert polled.done
    client = api.client("DataStoreService")
    made = client.get_data_store(name=f"{api.collection}/dataStores/full")
    chunking = made.document_processing_config.chunking_config
    assert chunking.layout_based_chunking_config.chunk_size == 200
    shown = api.call(f"{api.collection}/dataStores/full").body
    assert shown["languageInfo"] == {"languageCode": "en"}
    assert shown["solutionTypes"] == ["SOLUTION_TYPE_SEARCH", "SOLUTION_TYPE_AI_MODE"]
