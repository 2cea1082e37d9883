"""Query parameters are the flattened fields of the request, as ``google.api.http`` maps them."""

from __future__ import annotations

import pytest

from sessions.codec import json_codec
from sessions.errors import InvalidArgument
from sessions.resources import data_stores, documents_metadata, search_requests, user_events
from sessions.resources import sessions as session_resources

Items = list[tuple[str, str]]
Listing = session_resources.ListSessionsRequest


@pytest.mark.parametrize(
    "items",
    [
        [("pageSize", "5"), ("orderBy", "update_time desc")],
        [("page_size", "5"), ("order_by", "update_time desc")],
        [("pageSize", "5"), ("orderBy", "update_time desc"), ("pageToken", ""), ("filter", "")],
    ],
)
def test_parameters_come_in_either_spelling(items: Items) -> None:
    request = json_codec.from_query(Listing, items, parent="p")
    assert request == Listing(parent="p", page_size=5, order_by="update_time desc")


def test_an_empty_value_of_anything_but_a_string_is_absent() -> None:
    assert json_codec.from_query(Listing, [("pageSize", "")], parent="p") == Listing(parent="p")


def test_what_every_method_has_is_ignored() -> None:
    names = ["$alt", "alt", "key", "fields", "prettyPrint", "quotaUser", "access_token"]
    items = [(name, "x") for name in [*names, "$prettyPrint", "$userProject"]]
    assert json_codec.from_query(Listing, items, parent="p") == Listing(parent="p")


def test_nested_and_repeated_fields_are_flattened() -> None:
    request = json_codec.from_query(
        documents_metadata.BatchGetDocumentsMetadataRequest,
        [("matcher.urisMatcher.uris", "a"), ("matcher.uris_matcher.uris", "b")],
        parent="p",
    )
    assert request.matcher
    assert request.matcher.uris_matcher == documents_metadata.UrisMatcher(uris=("a", "b"))


def test_the_body_joins_the_parameters() -> None:
    store = data_stores.DataStore(display_name="d")
    items = [("dataStoreId", "d"), ("createAdvancedSiteSearch", "false"), ("disableCmek", "true")]
    request = json_codec.from_query(
        data_stores.CreateDataStoreRequest, items, parent="p", data_store=store
    )
    assert request.data_store is store
    assert (request.data_store_id, request.disable_cmek) == ("d", True)


def test_a_map_is_flattened_by_its_keys() -> None:
    items = [("query", "a"), ("userLabels.team", "x"), ("user_labels.a.b", "y")]
    request = json_codec.from_query(search_requests.SearchRequest, items, serving_config="c")
    assert request.user_labels == {"team": "x", "a.b": "y"}


def test_an_optional_number_is_read() -> None:
    request = json_codec.from_query(
        user_events.CollectUserEventRequest, [("ets", "1700000000000"), ("userEvent", "%7B%7D")]
    )
    assert (request.ets, request.user_event) == ("1700000000000", "%7B%7D")


@pytest.mark.parametrize(
    ("items", "field", "message"),
    [
        ([("pageSiz", "1")], "pageSiz", "did you mean 'pageSize'?"),
        ([("pageSize", "x")], "pageSize", "expected a whole number"),
        ([("pageSize", "1"), ("page_size", "1")], "pageSize", "given twice"),
        ([("parent", "q")], "parent", "part of the path"),
        ([("filter.x", "1")], "filter", "no fields of its own"),
    ],
)
def test_wrong_parameters_are_refused_by_name(items: Items, field: str, message: str) -> None:
    with pytest.raises(InvalidArgument) as refusal:
        json_codec.from_query(Listing, items, parent="p")
    assert refusal.value.field == field
    assert message in refusal.value.message


@pytest.mark.parametrize(
    ("items", "field"),
    [
        ([("matcher", "{}")], "matcher"),
        ([("matcher.x.y", "1")], "matcher.x"),
        ([("matcher.urisMatcher.uris.x", "1")], "matcher.urisMatcher.uris"),
        (
            [("matcher.urisMatcher.uris", "a"), ("matcher.fhirMatcher.fhirResources", "b")],
            "matcher.fhirMatcher",
        ),
    ],
)
def test_wrong_nested_parameters_are_refused_by_path(items: Items, field: str) -> None:
    with pytest.raises(InvalidArgument) as refusal:
        json_codec.from_query(
            documents_metadata.BatchGetDocumentsMetadataRequest, items, parent="p"
        )
    assert refusal.value.field == field


def test_a_boolean_is_true_or_false() -> None:
    items = [("includeAnswerDetails", "yes")]
    with pytest.raises(InvalidArgument, match="expected true or false"):
        json_codec.from_query(session_resources.GetSessionRequest, items, name="n")
