"""The official document clients of every version, against the running service."""

from __future__ import annotations

from typing import Any

import pytest
from google.api_core import exceptions

from tests.clients.discovery import Api
from tests.waiting import LONG

TEXT = "# Parking\n\nA parking permit costs 40 euro a year. It is valid for one car."


@pytest.fixture
def branch(api: Api) -> str:
    return f"{api.data_store()}/branches/0"


def searched(api: Api, query: str) -> list[str]:
    """Return the ids of what a search for *query* finds."""
    config = f"{api.collection}/dataStores/portal/servingConfigs/default_search"
    found = api.client("SearchService").search({"serving_config": config, "query": query})
    return [result.id for result in found]


def test_a_document_is_found_as_soon_as_it_is_created(api: Api, branch: str) -> None:
    client = api.client("DocumentService")
    made = client.create_document(
        parent=branch,
        document=api.document("", TEXT, owner="traffic office"),
        document_id="permit-1",
    )
    assert made.name == f"{branch}/documents/permit-1"
    assert made.derived_struct_data["title"] == "Parking"
    assert made == client.get_document(name=made.name)
    assert dict(made.struct_data) == {"owner": "traffic office"}
    assert made.content.raw_bytes == TEXT.encode()
    assert searched(api, "parking permit") == ["permit-1"]


def test_the_default_branch_and_the_short_form_are_aliases(api: Api, branch: str) -> None:
    client = api.client("DocumentService")
    short = client.branch_path(api.project, "global", "portal", "default_branch")
    client.create_document(parent=short, document=api.document("", TEXT), document_id="a")
    assert client.get_document(name=f"{short}/documents/a").name == f"{branch}/documents/a"
    with pytest.raises(exceptions.NotFound):
        client.list_documents(parent=short.replace("default_branch", "1"))


def test_a_document_in_use_is_a_conflict_and_stays_as_it_was(api: Api, branch: str) -> None:
    client = api.client("DocumentService")
    first = client.create_document(parent=branch, document=api.document("", TEXT), document_id="a")
    with pytest.raises(exceptions.Conflict):
        client.create_document(parent=branch, document=api.document("", "x"), document_id="a")
    assert client.get_document(name=first.name) == first


def test_a_mask_changes_one_field_and_keeps_the_others(api: Api, branch: str) -> None:
    client = api.client("DocumentService")
    made = client.create_document(
        parent=branch, document=api.document("", TEXT, a=1.0, b=2.0), document_id="a"
    )
    patch = api.types.Document(name=made.name, struct_data={"a": 5.0})
    changed = client.update_document(
        {"document": patch, "update_mask": {"paths": ["struct_data.a"]}}
    )
    assert dict(changed.struct_data) == {"a": 5.0, "b": 2.0}
    assert changed.content.raw_bytes == TEXT.encode()


def test_an_absent_document_is_only_made_where_that_is_allowed(api: Api, branch: str) -> None:
    client = api.client("DocumentService")
    patch = api.document("", "Swimming is free on Mondays.")
    patch.name = f"{branch}/documents/pool"
    with pytest.raises(exceptions.NotFound):
        client.update_document({"document": patch})
    assert client.update_document({"document": patch, "allow_missing": True}).id == "pool"
    assert searched(api, "swimming free") == ["pool"]


def test_a_deleted_document_is_not_found_any_more(api: Api, branch: str) -> None:
    client = api.client("DocumentService")
    name = client.create_document(
        parent=branch, document=api.document("", TEXT), document_id="a"
    ).name
    client.delete_document(name=name)
    assert searched(api, "parking permit") == []
    for gone in (client.get_document, client.delete_document):
        with pytest.raises(exceptions.NotFound):
            gone(name=name)


def test_pages_of_documents_join_without_gaps(v1: Api) -> None:
    store = v1.data_store()
    ids = [f"d{number:03}" for number in range(25)]
    v1.import_(store, *(v1.document(i, f"Document number {i}.") for i in ids))
    pager = v1.client("DocumentService").list_documents(
        request={"parent": f"{store}/branches/0", "page_size": 10}
    )
    pages = [[document.id for document in page.documents] for page in pager.pages]
    assert [len(page) for page in pages] == [10, 10, 5]
    assert [i for page in pages for i in page] == ids


def test_json_data_is_read_back_as_it_was_written(api: Api, branch: str) -> None:
    data = '{"title": "Bins", "n": 1, "content": "Bins are emptied on Tuesday."}'
    client = api.client("DocumentService")
    made = client.create_document(
        parent=branch, document=api.types.Document(json_data=data), document_id="bins"
    )
    assert client.get_document(name=made.name).json_data == data
    assert made.derived_struct_data["title"] == "Bins"
    assert searched(api, "bins emptied") == ["bins"]


def test_an_import_counts_and_shows_what_it_refuses(api: Api, branch: str) -> None:
    """A document that cannot be read does not stop the rest."""
    operation = api.import_(
        branch.removesuffix("/branches/0"),
        api.document("good", TEXT),
        api.document("no spaces allowed", TEXT),
        api.types.Document(id="far", content={"uri": "gs://b/x.pdf", "mime_type": "text/plain"}),
        api.types.Document(id="list", json_data="[1]"),
        api.types.Document(id="odd", content={"raw_bytes": b"x", "mime_type": "video/mp4"}),
    )
    metadata = operation.metadata
    counts = (metadata.success_count, metadata.failure_count, metadata.total_count)
    assert counts == (1, 4, 5)
    samples = operation.result().error_samples
    assert sorted(sample.code for sample in samples) == [3, 3, 12, 12]
    assert all(sample.message for sample in samples)
    assert searched(api, "parking permit") == ["good"]


def test_importing_again_changes_nothing(v1: Api) -> None:
    store = v1.data_store()
    document = v1.document("a", TEXT)
    v1.import_(store, document)
    before = v1.client("DocumentService").get_document(name=f"{store}/branches/0/documents/a")
    assert v1.import_(store, document).metadata.success_count == 1
    after = v1.client("DocumentService").get_document(name=before.name)
    assert after == before


def listed(api: Api, store: str) -> list[str]:
    pager = api.client("DocumentService").list_documents(parent=f"{store}/branches/0")
    return [document.id for document in pager]


def test_only_a_full_import_deletes_what_the_source_lacks(v1: Api) -> None:
    store = v1.data_store()
    modes = v1.types.ImportDocumentsRequest.ReconciliationMode
    v1.import_(store, v1.document("a", "One."), v1.document("b", "Two."))
    v1.import_(store, v1.document("c", "Three."), reconciliation_mode=modes.INCREMENTAL)
    assert listed(v1, store) == ["a", "b", "c"]
    v1.import_(store, v1.document("b", "Two."), reconciliation_mode=modes.FULL)
    assert listed(v1, store) == ["b"]


def test_an_import_with_a_mask_touches_only_its_fields(api: Api) -> None:
    store = api.data_store()
    api.import_(store, api.document("a", TEXT, colour="red", size=1.0))
    api.import_(
        store,
        api.types.Document(id="a", struct_data={"colour": "blue", "size": 9.0}),
        api.types.Document(id="new", struct_data={"colour": "green", "size": 7.0}),
        update_mask={"paths": ["struct_data.colour"]},
    )
    client = api.client("DocumentService")
    old = client.get_document(name=f"{store}/branches/0/documents/a")
    assert dict(old.struct_data) == {"colour": "blue", "size": 1.0}
    assert old.content.raw_bytes == TEXT.encode()
    new = client.get_document(name=f"{store}/branches/0/documents/new")
    assert dict(new.struct_data) == {"colour": "green"}


def test_a_full_import_with_a_mask_deletes_as_well(v1: Api) -> None:
    store = v1.data_store()
    v1.import_(store, v1.document("a", TEXT, n=1.0), v1.document("b", TEXT))
    v1.import_(
        store,
        v1.types.Document(id="a", struct_data={"n": 2.0}),
        update_mask={"paths": ["struct_data.n"]},
        reconciliation_mode=v1.types.ImportDocumentsRequest.ReconciliationMode.FULL,
    )
    assert listed(v1, store) == ["a"]


def test_ids_come_from_a_field_or_from_the_content(v1: Api) -> None:
    store = v1.data_store()
    bare: Any = v1.types.Document(struct_data={"sku": "A-1", "content": "A thing."})
    v1.import_(store, bare, id_field="sku")
    assert listed(v1, store) == ["A-1"]
    v1.import_(store, bare, auto_generate_ids=True)
    v1.import_(store, bare, auto_generate_ids=True)
    assert len(listed(v1, store)) == 2
    refused = v1.import_(store, bare)
    assert refused.metadata.failure_count == 1


@pytest.mark.parametrize(
    ("source", "where"),
    [
        ({"gcsSource": {"inputUris": ["gs://b/*"]}}, "gcsSource"),
        ({"bigquerySource": {"datasetId": "d"}}, "bigquerySource"),
        ({"spannerSource": {}}, "spannerSource"),
        ({"bigtableSource": {}}, "bigtableSource"),
    ],
)
def test_sources_that_are_not_read_are_refused_by_name(
    v1: Api, source: dict[str, Any], where: str
) -> None:
    store = v1.data_store()
    reply = v1.call(f"{store}/branches/0/documents:import", "POST", source)
    assert reply.status == 501
    assert reply.body["error"]["status"] == "UNIMPLEMENTED"
    assert where in reply.body["error"]["message"]


def test_a_purge_counts_first_and_deletes_when_forced(api: Api) -> None:
    store = api.data_store()
    documents = [
        api.document(f"d{n}", f"Text {n}.", kind="old" if n < 3 else "new") for n in range(5)
    ]
    api.import_(store, *documents)
    client = api.client("DocumentService")
    request = {"parent": f"{store}/branches/0", "filter": 'kind: ANY("old")'}
    counted = client.purge_documents(request).result(timeout=LONG)
    assert counted.purge_count == 3
    assert list(counted.purge_sample) == [f"{store}/branches/0/documents/d{n}" for n in range(3)]
    assert len(listed(api, store)) == 5
    purged = client.purge_documents({**request, "force": True}).result(timeout=LONG)
    assert purged.purge_count == 3
    assert not purged.purge_sample
    assert listed(api, store) == ["d3", "d4"]


def test_a_purge_may_name_documents_or_take_all(v1: Api) -> None:
    store = v1.data_store()
    v1.import_(store, *(v1.document(f"d{n}", f"Text {n}.") for n in range(4)))
    documents = [f"{store}/branches/default_branch/documents/{i}" for i in ("d1", "gone")]
    body = {"inlineSource": {"documents": documents}, "force": True}
    reply = v1.call(f"{store}/branches/0/documents:purge", "POST", body).body
    assert reply["response"]["purgeCount"] == "1"
    assert reply["metadata"]["ignoredCount"] == "1"
    reply = v1.call(
        f"{store}/branches/0/documents:purge", "POST", {"filter": "*", "force": True}
    ).body
    assert reply["response"]["purgeCount"] == "3"
    assert listed(v1, store) == []


def test_metadata_tells_which_uris_are_indexed(api: Api) -> None:
    store = api.data_store()
    api.import_(store, api.document("a", TEXT, uri="https://x.example/a"))
    reply = api.client("DocumentService").batch_get_documents_metadata(
        {
            "parent": f"{store}/branches/0",
            "matcher": {
                "uris_matcher": {"uris": ["https://x.example/none", "https://x.example/a"]}
            },
        }
    )
    states = [(one.matcher_value.uri, one.state.name) for one in reply.documents_metadata]
    assert states == [
        ("https://x.example/none", "NOT_IN_INDEX"),
        ("https://x.example/a", "INDEXED"),
    ]
    assert reply.documents_metadata[1].last_refreshed_time


def test_the_text_of_an_imported_file_outlives_a_change_of_its_fields(v1: Api) -> None:
    """The file is not in the resource, so its text cannot be read from there again."""
    store = v1.data_store()
    v1.import_(store, v1.document("a", TEXT, uri="https://x.example/a"))
    name = f"{store}/branches/0/documents/a"
    patch = v1.types.Document(name=name, struct_data={"title": "Permits"})
    changed = v1.client("DocumentService").update_document(
        {"document": patch, "update_mask": {"paths": ["struct_data"]}}
    )
    assert changed.derived_struct_data["title"] == "Permits"
    assert searched(v1, "parking permit euro") == ["a"]
